"""What the closed form of a definition takes is valid and has no undeclared key; the walker is asked about the rest alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import jsonschema_rs
import pytest
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.validate.values.closed_schema import Closed
from codegen.validate.values.gated_parts import Walker
from codegen.validate.values.lenient_schema import NodeMarks
from tests.wire.documents import Example, examples, message_definitions, ours
from tests.wire.instances import constants, mutated, paths, put

from .support import of_transcript, protocol
from .test_transcripts import KNOWN, TO_AGENT, TO_CLIENT, line, opening, prompt

NAMES = message_definitions(ours())
TAGS = sorted(constants(ours()))
GROUPS = [list(group) for _, group in groupby(examples(), key=lambda example: example.path.parent)]


def undeclared(walker: Walker, name: str, value: Any) -> list[tuple[str | int, ...]]:
    return [use.path for use in walker.uses(name, value) if use.kind == "undeclared"]


def strays(example: Example) -> Iterator[Any]:
    """An example with a key that another definition declares, in each of its objects; and other changes by chance."""
    chance = Random(str(example))
    for path in paths(example.value):
        node = example.value
        for step in path:
            node = node[step]
        if isinstance(node, dict):
            yield put(example.value, path, {**node, "sessionId": "x"}) if path else {**node, "close": {}}
    for _ in range(4):
        yield mutated(example.value, chance, TAGS)


@pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0].side}/{group[0].method}")
def test_what_is_passed_at_a_glance_has_nothing_to_find(group: list[Example]) -> None:
    for example in group:
        name = NAMES[example.key]
        assert protocol().clean(name, example.value), example
        for value in strays(example):
            if protocol().clean(name, value):
                assert protocol().judge.accepts(name, value), value
                assert undeclared(protocol().walker, name, value) == [], value


OBJECT = {"type": "object"}
PLAIN = {**OBJECT, "properties": {"a": {"type": "integer"}}}
TAGGED = {
    "oneOf": [
        {**OBJECT, "properties": {"t": {"const": "x"}, "x": True}, "required": ["t"]},
        {**OBJECT, "properties": {"t": {"const": "y"}, "y": True}, "required": ["t"]},
    ]
}
SHAPES: dict[str, tuple[Any, list[Any], list[Any]]] = {
    "properties": (PLAIN, [{}, {"a": 1}], [{"b": 1}, {"a": 1, "b": 1}]),
    "no properties": (OBJECT, [{}, {"b": {"c": 1}}], []),
    "closed": ({**PLAIN, "additionalProperties": False}, [{}, {"a": 1}], [{"b": 1}, {"a": 1, "b": 1}]),
    "free": ({**PLAIN, "additionalProperties": True}, [{"b": 1}], []),
    "a map": ({**OBJECT, "additionalProperties": PLAIN}, [{"k": {"a": 1}}], [{"k": {"b": 1}}]),
    "a map beside properties": (
        {**PLAIN, "additionalProperties": PLAIN},
        [{"a": 1, "k": {"a": 1}}],
        [{"a": 1, "k": {"b": 1}}],
    ),
    "items": ({"type": "array", "items": PLAIN}, [[{"a": 1}]], [[{}, {"b": 1}]]),
    "prefixItems": ({"prefixItems": [True, PLAIN], "items": True}, [[{"b": 1}, {"a": 1}, {"b": 1}]], [[1, {"b": 1}]]),
    "a reference": ({"$ref": "#/$defs/Plain"}, [{"a": 1}], [{"b": 1}]),
    "a base": (
        {"allOf": [{"$ref": "#/$defs/Plain"}], "properties": {"c": {"$ref": "#/$defs/Plain"}}},
        [{"a": 1, "c": {"a": 1}}],
        [{"b": 1}, {"c": {"b": 1}}, {"a": 1, "c": {"c": 1}}],
    ),
    "a union": (TAGGED, [{"t": "x", "x": 1}, {"t": "y", "y": 1}], [{"t": "x", "y": 1}, {"t": "y", "x": 1}]),
    "a union beside properties": (
        {**PLAIN, **TAGGED},
        [{"t": "x", "x": 1, "a": 1}],
        [{"t": "x", "y": 1, "a": 1}, {"t": "y", "a": 1, "b": 1}],
    ),
    "a union of unions": (
        {"anyOf": [TAGGED, {"type": "null"}]},
        [None, {"t": "x", "x": 1}],
        [{"t": "x", "y": 1}],
    ),
    "an open union": (
        {"anyOf": [*TAGGED["oneOf"], {**OBJECT, "not": {"properties": {"t": {"enum": ["x", "y"]}}}}]},
        [{"t": "z", "w": 1}],
        [{"t": "x", "y": 1}],
    ),
    "itself": ({**OBJECT, "properties": {"in": {"$ref": "#/$defs/Shape"}}}, [{"in": {"in": {}}}], [{"in": {"b": 1}}]),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_closed_form_of_a_shape_refuses_its_undeclared_keys(shape: str) -> None:
    node, declared, stray = SHAPES[shape]
    definitions = {"Shape": node, "Plain": PLAIN}
    marks = marks_of(definitions)
    document, walker = Closed(definitions, marks).document("Shape"), Walker(definitions, marks)
    fast, judge = jsonschema_rs.Draft202012Validator(document), Draft202012Validator(document)
    for value in [*declared, *stray]:
        assert fast.is_valid(value) == judge.is_valid(value) == (value in declared), value
        assert bool(undeclared(walker, "Shape", value)) == (value in stray), value


def marks_of(definitions: dict[str, Any]) -> NodeMarks:
    document = parse(json.dumps({"title": "T", "$defs": definitions}).encode(), "s.json")
    return NodeMarks(load(document, tolerant=True)[0], definitions)


OVERLAPPING = {
    "oneOf": [
        {**OBJECT, "properties": {"a": {"properties": {"p": True}}}, "required": ["a"]},
        {**OBJECT, "properties": {"a": {"properties": {"q": True}}}},
    ]
}
TWO = {"allOf": [{"anyOf": [PLAIN, {"type": "null"}]}, {"oneOf": [{"properties": {"b": True}}, {"type": "null"}]}]}


@pytest.mark.parametrize(
    ("node", "value"),
    [(OVERLAPPING, {"a": {"p": 1}}), (TWO, {"a": 1}), (TWO, {"a": "x", "b": 1}), (PLAIN, {"a": "x"})],
    ids=str,
)
def test_what_is_invalid_is_never_clean(node: Any, value: Any) -> None:
    definitions = {"Shape": node}
    if not Draft202012Validator(node).is_valid(value):
        assert not jsonschema_rs.Draft202012Validator(
            Closed(definitions, marks_of(definitions)).document("Shape")
        ).is_valid(value)
    assert Draft202012Validator(node).is_valid(value) == (node is TWO and value == {"a": 1})


def test_a_key_that_is_declared_elsewhere_is_undeclared_here() -> None:
    end = line(TO_CLIENT, id=1, result={"stopReason": "end_turn", "cwd": "/"})
    found = of_transcript(opening(agent={"close": {}}) + KNOWN + prompt(TO_AGENT, 1) + end)
    assert [(f.id, f.path, f.place.line) for f in found] == [
        ("property-undeclared", "$.result.agentCapabilities.close", 2),
        ("property-undeclared", "$.result.cwd", 6),
    ]


def test_in_a_notification_too() -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x", "title": "y"}}
    text = opening() + KNOWN + line(TO_CLIENT, method="session/update", params={"sessionId": "s", "update": update})
    assert [f.path for f in of_transcript(text)] == ["$.params.update.content.title"]
