"""Which values msgspec reads, which are read again, and that the difference shows in nothing but time."""

from __future__ import annotations

import gc
import json
import math
from types import ModuleType, UnionType
from typing import Any, Union, get_origin

import msgspec
import pytest

import generated as acp

from .conftest import MakeTypes
from .judge import Judge
from .packages import minimal


def variant(constant: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "title": constant,
        "properties": {"kind": {"const": constant}, **properties},
        "required": ["kind", *properties],
    }


def excluding(*constants: str) -> dict[str, Any]:
    excluded = [{"properties": {"kind": {"const": each}}, "required": ["kind"]} for each in constants]
    return {
        "type": "object",
        "title": "other",
        "properties": {"kind": {"type": "string"}},
        "required": ["kind"],
        "not": {"anyOf": excluded},
    }


NUMBER, TEXT = {"type": "integer"}, {"type": "string"}
ONE, TWO, THREE = variant("one", n=NUMBER), variant("two", s=TEXT), variant("three")
DEEP = {**variant("deep"), "allOf": [{"$ref": "#/$defs/Inner"}]}
OWN = {"type": "object", "required": ["kind"]}
NEXT = {"$ref": "#/$defs/Nested"}
DEFINITIONS: dict[str, Any] = {
    "Closed": {"anyOf": [ONE, TWO]},
    "Open": {"anyOf": [ONE, TWO, excluding("one", "two")]},
    "Leaky": {"anyOf": [ONE, TWO, excluding("one")]},
    "Inner": {
        "anyOf": [
            {"title": "a", "type": "object", "properties": {"s": {"const": "a"}, "n": NUMBER}, "required": ["s", "n"]},
            {"title": "b", "type": "object", "properties": {"s": {"const": "b"}}, "required": ["s"]},
        ]
    },
    "Deep": {"anyOf": [ONE, TWO, THREE, DEEP]},
    "Deeper": {"anyOf": [ONE, TWO, DEEP]},
    "Defaulted": {"anyOf": [ONE, TWO, {"type": "object", "title": "plain", "properties": {"s": TEXT}}]},
    "OwnOne": {**OWN, "properties": {"kind": {"const": "one"}, "n": NUMBER}},
    "OwnTwo": {**OWN, "properties": {"kind": {"const": "two"}, "s": TEXT}},
    "OwnClosed": {"anyOf": [{"$ref": "#/$defs/OwnOne"}, {"$ref": "#/$defs/OwnTwo"}]},
    "OwnOpen": {"anyOf": [{"$ref": "#/$defs/OwnOne"}, {"$ref": "#/$defs/OwnTwo"}, excluding("one", "two")]},
    "Nested": {
        "anyOf": [
            {"type": "object", "title": "end", "properties": {"end": NUMBER}, "required": ["end"]},
            {"type": "object", "title": "link", "properties": {"next": NEXT}, "required": ["next"]},
        ]
    },
}
UNIONS = ["Closed", "Open", "Leaky", "Deep", "Deeper", "Defaulted", "OwnClosed", "OwnOpen"]
VALUES: list[Any] = [
    {"kind": kind, **rest}
    for kind in ("one", "two", "three", "deep", "new", 1, None)
    for rest in ({}, {"n": 1}, {"n": "x"}, {"s": "x"}, {"s": 1}, {"s": "a"}, {"s": "b"}, {"n": 1, "s": "a"})
]
VALUES += [{}, {"n": 1}, [], "one", None]


@pytest.fixture(scope="module")
def types(make_types: MakeTypes) -> ModuleType:
    return make_types(DEFINITIONS)


@pytest.fixture(scope="module")
def judged() -> Judge:
    return Judge(minimal(DEFINITIONS))


def is_read_by_msgspec(type_: Any) -> bool:
    return get_origin(getattr(type_, "__supertype__", None)) in (Union, UnionType)


@pytest.mark.parametrize("name", ["Closed", "Open", "Deep"])
def test_a_union_told_apart_by_a_tag_is_read_by_msgspec(types: ModuleType, name: str) -> None:
    assert is_read_by_msgspec(getattr(types, name))


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("Leaky", id="the open variant takes a known tag"),
        pytest.param("Deeper", id="half of the classes share a tag"),
        pytest.param("Defaulted", id="a variant has no tag"),
        pytest.param("OwnClosed", id="another union of the same classes is open"),
        pytest.param("OwnOpen", id="another union of the same classes is closed"),
    ],
)
def test_any_other_union_is_a_marker(types: ModuleType, name: str) -> None:
    union = getattr(types, name)
    assert isinstance(union, types._runtime.codec.bases.Marker)
    assert not is_read_by_msgspec(union)


def test_what_streams_most_is_read_by_msgspec() -> None:
    assert is_read_by_msgspec(acp.SessionUpdate)
    assert is_read_by_msgspec(acp.ContentBlock)


@pytest.mark.parametrize("name", UNIONS)
def test_strict_decoding_takes_what_the_schema_takes_on_either_path(
    types: ModuleType, judged: Judge, name: str
) -> None:
    for value in VALUES:
        try:
            types.decode(getattr(types, name), json.dumps(value), strict=True)
            taken = True
        except msgspec.ValidationError:
            taken = False
        assert taken == judged.accepts(name, value), value


@pytest.mark.parametrize("name", UNIONS)
def test_what_is_declared_is_written_as_it_came_and_all_of_an_unknown_variant(types: ModuleType, name: str) -> None:
    for value in VALUES:
        try:
            found = types.decode(getattr(types, name), json.dumps(value))
        except msgspec.ValidationError:
            continue
        kept = (
            value if isinstance(found, types.UnknownVariant) else {k: v for k, v in value.items() if k in names(found)}
        )
        assert json.loads(types.encode(found)) == kept


def names(found: msgspec.Struct) -> set[str | None]:
    """The properties that a class writes."""
    return {*found.__struct_encode_fields__, found.__struct_config__.tag_field}


@pytest.mark.parametrize("strict", [True, False])
def test_a_fault_below_sixty_markers_is_found_once(types: ModuleType, strict: bool) -> None:
    """Each marker asks the ones inside it; were one asked twice, this would be 2**60 questions."""
    value: Any = {"end": "x"}
    for _ in range(60):
        value = {"next": value}
    with pytest.raises(msgspec.ValidationError, match=r"Expected `int`, got `str` - at `\$(\.next){60}\.end`"):
        types.decode(types.Nested, json.dumps(value), strict=strict)


# --- numbers that JSON cannot hold, in messages of every size ------------------------------------------------------------------


def chunk(text: str, **meta: Any) -> acp.SessionNotification:
    update = acp.AgentMessageChunk(content=acp.TextContent(text=text))
    return acp.SessionNotification(session_id="s", update=update, meta=meta)


LONG = "a" * 100_000
MANY: list[Any] = [{"n": n} for n in range(20_000)]


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize(
    "message",
    [
        pytest.param(lambda bad: chunk("a", k=bad), id="short"),
        pytest.param(lambda bad: chunk("a", k=None, n=[bad]), id="short, beside null"),
        pytest.param(lambda bad: chunk(LONG, k=bad), id="long, few values"),
        pytest.param(lambda bad: chunk("a", k=MANY, n=bad), id="long, many values"),
        pytest.param(lambda bad: chunk("a", k=[None, *MANY, {"last": (bad,)}]), id="long, many values, beside null"),
    ],
)
def test_a_number_that_is_not_finite_is_found_in_a_message_of_any_size(message: Any, bad: float) -> None:
    with pytest.raises(ValueError, match="NaN"):
        acp.encode(message(bad))


@pytest.mark.parametrize("kept", [[None, 1.5], [None, *MANY], [LONG, None], [1.5, *MANY]], ids=["a", "b", "c", "d"])
def test_null_beside_finite_numbers_is_written_in_a_message_of_any_size(kept: list[Any]) -> None:
    assert json.loads(acp.encode(chunk("null", k=kept)))["_meta"] == {"k": kept}


def test_the_garbage_collector_does_not_look_at_messages() -> None:
    message = acp.decode(acp.SessionNotification, acp.encode(chunk("a")))
    assert not any(gc.is_tracked(each) for each in (message, message.update, message.update.content))
