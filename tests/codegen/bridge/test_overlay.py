"""Errors in overlays, and statements on small schemas."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.bridge.bridge import bridge
from codegen.bridge.command import read_bridge
from codegen.bridge.overlay import Overlay, read_overlay
from codegen.contracts import convert
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load

from .conftest import OVERLAY, SCHEMAS

ERRORS = [
    ('{"types": [],\n "bridge": "2.0.0"}', "2:12", "the version '2.0.0' is not supported; expected 1.0.0"),
    ('{"bridge": "1.0.0",\n "typo": []}', "2:2", "typo"),
    ('{"bridge": "1.0.0",\n "types": [{"old": "Diff", "lose": {}}]}', "2:28", "lose"),
    ('{"bridge": "1.0.0",\n "types": [{"old": "Nope"}]}', "2:20", "the old schema has no definition 'Nope'"),
    ('{"bridge": "1.0.0",\n "types": [{"old": "ToolCall"}]}', "2:20", "the new schema has no definition 'ToolCall'"),
    ('{"bridge": "1.0.0",\n "methods": [{"old": "initialize", "new": "start"}]}', "2:43", "no method 'start'"),
    (
        '{"bridge": "1.0.0",\n "types": [{"old": "Diff", "fields": {"path": "changes.0.place"}}]}',
        "2:47",
        "`changes.0.place` is not a property of Diff in the new schema",
    ),
    (
        '{"bridge": "1.0.0",\n "types": [{"old": "Diff", "lost": {"old": ["text"]}}]}',
        "2:44",
        "`text` is not a property",
    ),
]


@pytest.mark.parametrize(("text", "place", "problem"), ERRORS, ids=[each[2] for each in ERRORS])
def test_an_error_names_its_place(tmp_path: Path, text: str, place: str, problem: str) -> None:
    path = tmp_path / "overlay.json"
    path.write_text(text)
    with pytest.raises(SchemaError) as error:
        read_bridge(*SCHEMAS, path)
    assert f"overlay.json:{place}" in str(error.value)
    assert problem in str(error.value)


def test_the_published_overlay_is_read() -> None:
    assert len(read_overlay(parse(OVERLAY.read_bytes(), "v1-v2.json")).types) > 30


def schema(version: int, **properties: Any) -> Any:
    """A schema with a handshake and a method whose params have some properties."""
    number = {"type": "integer"}
    opening = {"type": "object", "properties": {"version": number}, "required": ["version"]}
    rows = {
        "OpenRequest": {**opening, "x-side": "agent", "x-method": "open", "x-capability": False},
        "OpenResponse": {**opening, "x-side": "agent", "x-method": "open"},
        "RunRequest": {"type": "object", "x-side": "agent", "x-method": "run", "x-capability": False, **properties},
        "RunResponse": {"type": "object", "x-side": "agent", "x-method": "run"},
    }
    handshake = {"method": "open", "version": "version", "versionNumber": version, "capabilities": {}, "info": {}}
    document = {"$defs": rows, "x-handshake": handshake}
    return load(parse(json.dumps(document).encode(), f"v{version}.json"))[0]


TEXT, COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}
SMALL: list[tuple[str, dict[str, Any], dict[str, Any], dict[str, Any], list[str]]] = [
    ("the same", {"a": TEXT}, {"a": TEXT}, {}, []),
    ("only old, without a statement", {"a": TEXT}, {}, {}, ["rejects a: the other version has no such property"]),
    ("only old, permitted", {"a": TEXT}, {}, {"lost": {"old": ["a"]}}, ["loses a: the property is dropped"]),
    ("renamed", {"a": TEXT}, {"b": TEXT}, {"fields": {"a": "b"}}, []),
    ("narrower", {"a": {"type": "integer"}}, {"a": COUNT}, {}, ["rejects a: expected an integer with minimum 0"]),
    ("another kind", {"a": TEXT}, {"a": COUNT}, {}, ["rejects a: a string has no counterpart"]),
    ("no null", {"a": {"type": ["string", "null"]}}, {"a": TEXT}, {}, ["loses a: null becomes absent"]),
    (
        "a list of two",
        {"a": {"type": "array", "items": TEXT}},
        {"a": {"type": "array", "items": TEXT, "minItems": 1, "maxItems": 2}},
        {},
        ["rejects a: an array of 0 items is not allowed", "rejects a: an array of 3 items is not allowed"],
    ),
    ("a new constant", {}, {"b": TEXT}, {"absent": {"new": {"b": "x"}}}, []),
]


@pytest.mark.parametrize(("name", "old", "new", "pair", "expected"), SMALL, ids=[each[0] for each in SMALL])
def test_a_pair_of_properties(
    name: str, old: dict[str, Any], new: dict[str, Any], pair: dict[str, Any], expected: list[str]
) -> None:
    text = json.dumps({"bridge": "1.0.0", "types": [{"old": "RunRequest", **pair}] if pair else []})
    overlay = read_overlay(parse(text.encode(), "overlay.json"))
    found = bridge(schema(1, properties=old), schema(2, properties=new), overlay)
    message = next(each for each in found.messages if (each.old, each.role) == ("run", "request"))
    rows = [f"{'loses' if each.lost else 'rejects'} {each.path}: {each.what}" for each in message.forward or ()]
    assert rows == expected
    assert all(each.example is not None for each in message.forward or ())


@pytest.mark.parametrize(
    ("value", "expected"),
    [({"b": 1}, "undeclared"), ({"c": 1}, {"c": 1}), ({"a": "x", "c": [None]}, {"b": "x", "c": [None]})],
)
def test_undeclared_properties_survive_unless_the_other_version_would_misunderstand_them(
    value: Any, expected: Any
) -> None:
    text = b'{"bridge": "1.0.0", "types": [{"old": "RunRequest", "fields": {"a": "b"}}]}'
    old, new = schema(1, properties={"a": TEXT}), schema(2, properties={"b": TEXT})
    plan = bridge(old, new, read_overlay(parse(text, "o"))).plan
    node = plan.forward.routes["agent request run"][0].params
    try:
        made = convert.convert(plan.forward, node, value).value
    except convert.Rejected as error:
        made = str(error)
    assert made == expected or expected in made


def test_a_recursive_type_is_converted_at_every_depth() -> None:
    def tree(name: str) -> dict[str, Any]:
        return {"properties": {name: TEXT, "inside": {"type": "array", "items": {"$ref": "#/$defs/RunRequest"}}}}

    text = b'{"bridge": "1.0.0", "types": [{"old": "RunRequest", "fields": {"a": "b"}}]}'
    plan = bridge(schema(1, **tree("a")), schema(2, **tree("b")), read_overlay(parse(text, "o"))).plan
    node = plan.forward.routes["agent request run"][0].params
    value = {"a": "1", "inside": [{"a": "2", "inside": [{"a": "3"}]}]}
    made = convert.convert(plan.forward, node, value).value
    assert made == {"b": "1", "inside": [{"b": "2", "inside": [{"b": "3"}]}]}


def test_without_an_overlay_nothing_is_lost() -> None:
    found = bridge(schema(1, properties={"a": TEXT}), schema(2), Overlay(bridge="1.0.0"))
    assert not any(each.lost for m in found.messages if m.old == "run" for each in m.forward or ())
