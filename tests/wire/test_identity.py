"""schema.json says of the wire exactly what the published schemas say: all of it, and its stable projection.

An RFD that came later, or was completed later, is left out of the comparison: `RFDS` has those that were published.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest

from codegen.document.projection import without
from codegen.document.read import Document, parse, read
from codegen.load.schema import load
from tests.upstream import WHOLE

from .canonical import count, wire_shape
from .documents import ROOT, UPSTREAM, definitions, published
from .instances import Instances, Path, constants, mutated, put
from .judge import Judge

ALL, STABLE = "current/schema.unstable.json", "current/schema.json"
RFDS: dict[str, list[str]] = json.loads((UPSTREAM / "current" / "rfds.json").read_text())
"""By published file: the RFDs whose parts are in it."""
# Published files spell out what the envelopes of JSON-RPC carry for methods that no schema knows; ours derives envelopes.
OF_ENVELOPES = frozenset({"ExtRequest", "ExtResponse", "ExtNotification"})
EACH = 10
NEARLY = 8

projections = pytest.mark.parametrize("name", [ALL, STABLE], ids=["all", "stable"])


@cache
def our_document(name: str) -> Document:
    """schema.json without what a published file cannot have."""
    document = read(ROOT / "schema.json")
    return without(document, set(document.value["x-rfds"]) - set(RFDS[name]))


@cache
def our_shape(name: str) -> dict[str, Any]:
    schema, _ = load(our_document(name))
    return wire_shape(schema)


@cache
def published_shape(name: str) -> dict[str, Any]:
    schema, _ = load(read(UPSTREAM / name))
    shape = wire_shape(schema)
    return {**shape, "definitions": {n: s for n, s in shape["definitions"].items() if n not in OF_ENVELOPES}}


# --- over loaded nodes -------------------------------------------------------------------------------------------------------


@projections
def test_the_same_definitions_are_published(name: str) -> None:
    assert sorted(our_shape(name)["definitions"]) == sorted(published_shape(name)["definitions"])


@projections
def test_every_definition_is_published_with_the_same_shape(name: str) -> None:
    theirs = published_shape(name)["definitions"]
    assert {n: s for n, s in our_shape(name)["definitions"].items() if theirs.get(n) != s} == {}


@projections
def test_the_same_methods_are_published(name: str) -> None:
    assert our_shape(name)["methods"] == published_shape(name)["methods"]


def test_the_stable_projection_lacks_just_what_is_unstable() -> None:
    everything, some = our_shape(ALL), our_shape(STABLE)
    kept = set(some["definitions"])
    before, after = count(everything, kept), count(some, kept)
    assert len(everything["definitions"]) - len(kept) == 71
    assert {what: before[what] - after[what] for what in before} == {
        "properties": 16,
        "variants": 6,
        "default members": 2,
    }


def shape_of(node: dict[str, Any]) -> dict[str, Any]:
    text = json.dumps({"$defs": {"Thing": node, "Other": {"type": "object", "properties": {}}}})
    schema, _ = load(parse(text.encode(), "thing.json"))
    return wire_shape(schema)


THING: dict[str, Any] = {
    "type": "object",
    "properties": {"a": {"type": "integer", "minimum": 0}, "b": {"enum": ["x", "y"]}, "c": {"$ref": "#/$defs/Other"}},
    "required": ["a"],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("required",), ["a", "b"]),
        (("properties", "a", "minimum"), 1),
        (("properties", "a", "type"), "number"),
        (("properties", "a"), {"type": ["integer", "null"]}),
        (("properties", "b", "enum"), ["x"]),
        (("properties", "b", "default"), "x"),
        (("properties", "b", "x-deserialize-default-on-error"), True),
        (("properties", "c"), {"type": "object", "properties": {}}),
        (("properties", "d"), True),
        (("additionalProperties",), True),
        (("additionalProperties",), False),
    ],
)
def test_the_wire_shape_shows_a_change_of_the_wire(path: Path, value: Any) -> None:
    assert shape_of(put(THING, path, value)) != shape_of(THING)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("description",), "Words."),
        (("properties", "a", "title"), "A"),
        (("properties", "b", "enum"), ["y", "x"]),
        (("properties", "c"), {"allOf": [{"$ref": "#/$defs/Other"}]}),
        (("properties", "a", "x-capability"), "some.gate"),
    ],
)
def test_the_wire_shape_shows_nothing_else(path: Path, value: Any) -> None:
    assert shape_of(put(THING, path, value)) == shape_of(THING)


# --- with values ---------------------------------------------------------------------------------------------------------------


def values(made: Instances, tags: list[str], name: str) -> Iterator[Any]:
    """Values that fit a definition, and nearly fitting ones."""
    chance = Random(name)
    for _ in range(EACH):
        value = made.of(name, chance)
        yield value
        for _ in range(NEARLY):
            yield mutated(value, chance, tags)


@pytest.mark.slow
@projections
def test_values_made_from_one_schema_are_judged_alike_by_both(name: str) -> None:
    ours, theirs = our_document(name).value, published(name)
    judges = Judge(ours), Judge(theirs)
    for source in (ours, theirs):
        made, tags = Instances(source), sorted(constants(source["$defs"]))
        verdicts = {True: 0, False: 0}
        for definition in sorted(set(definitions(theirs)) - OF_ENVELOPES):
            for value in values(made, tags, definition):
                one, other = (judge.accepts(definition, value) for judge in judges)
                assert one == other, ("ours" if source is ours else "published", definition, value)
                verdicts[one] += 1
        assert min(verdicts.values()) > sum(verdicts.values()) / 5


# --- in words of our own ---------------------------------------------------------------------------------------------------------


def descriptions(node: Any) -> set[str]:
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    own = node.get("description") if isinstance(node, dict) else None
    return {own if isinstance(own, str) else ""}.union(*map(descriptions, children))


@projections
@pytest.mark.skipif(not WHOLE.is_dir(), reason="the words of the published schemas (../shared/upstream) are not here")
def test_no_description_is_a_copy_of_a_published_one(name: str) -> None:
    copied = {" ".join(text.split()) for text in descriptions(json.loads((WHOLE / name).read_text())["$defs"])}
    ours = {" ".join(text.split()) for text in descriptions(our_document(ALL).value["$defs"])}
    assert [text for text in sorted(ours & copied) if len(text) >= 30] == []
