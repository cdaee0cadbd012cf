"""What lenient decoding tolerates, keyword by keyword; strict decoding tolerates none of it."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import UNSET

import generated as acp
from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.algebra.normal_form import WireForms
from codegen.model.analysis.leniency import forgives, replaces_null
from codegen.model.nodes.types import Reference

from .conftest import MakeTypes
from .documents import ours
from .instances import dropped, put
from .packages import minimal

ERROR, NULL, SKIP = (
    "x-deserialize-default-on-error",
    "x-deserialize-default-on-null",
    "x-deserialize-skip-invalid-items",
)
ABSENT = "absent"
FAULT = "fault"


def variant(tag: str, constant: str, **properties: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "title": constant,
        "properties": {tag: {"const": constant}, **properties},
        "required": [tag, *properties],
    }


NUMBER = {"type": "integer"}
NUMBERS = {"type": "array", "items": NUMBER}
CLOSED = {"oneOf": [variant("kind", "one", n=NUMBER), variant("kind", "two", s={"type": "string"})]}
NEITHER = {"anyOf": [{"properties": {"kind": {"const": k}}, "required": ["kind"]} for k in ("one", "two")]}
OTHER = {"type": "object", "properties": {"kind": {"type": "string"}}, "required": ["kind"], "not": NEITHER}
OPEN = {"anyOf": [*CLOSED["oneOf"], OTHER]}
PLAIN = {"type": "object", "title": "plain", "properties": {"cmd": {"type": "string"}}, "required": ["cmd"]}
DEFAULTED = {"anyOf": [variant("kind", "one", n=NUMBER), PLAIN]}

PROPERTIES: dict[str, dict[str, Any]] = {
    "plain": NUMBER,
    "default": {**NUMBER, "default": 7, ERROR: True},
    "nullDefault": {"type": ["integer", "null"], "default": None, ERROR: True},
    "objectDefault": {"$ref": "#/$defs/Point", "default": {"x": 1}, ERROR: True},
    "noDefault": {**NUMBER, ERROR: True},
    "list": {**NUMBERS, ERROR: True},
    "nullableList": {"type": ["array", "null"], "items": NUMBER, ERROR: True},
    "aliasedList": {"$ref": "#/$defs/Numbers", ERROR: True},
    "onNullList": {**NUMBERS, NULL: True},
    "onNullObject": {"$ref": "#/$defs/Flags", NULL: True},
    "onNullDefault": {**NUMBERS, "default": [3], NULL: True},
    "onNullText": {"type": "string", NULL: True},
    "onNullFlag": {"type": "boolean", NULL: True},
    "skip": {**NUMBERS, SKIP: True},
    "nullableSkip": {"type": ["array", "null"], "items": NUMBER, SKIP: True},
    "skipAndError": {**NUMBERS, SKIP: True, ERROR: True},
    "skipClosed": {"type": "array", "items": {"$ref": "#/$defs/Closed"}, SKIP: True},
    "skipOpen": {"type": "array", "items": {"$ref": "#/$defs/Open"}, SKIP: True},
    "skipNested": {"type": "array", "items": {"$ref": "#/$defs/Inner"}, SKIP: True, ERROR: True},
    "skipAtLeastOne": {**NUMBERS, "minItems": 1, SKIP: True},
}
DEFINITIONS: dict[str, Any] = {
    "Point": {"type": "object", "properties": {"x": NUMBER}, "required": ["x"]},
    "Flags": {"type": "object", "properties": {"on": {"type": "boolean"}}},
    "Numbers": NUMBERS,
    "Inner": {
        "type": "object",
        "properties": {"id": {"type": "string"}, "tags": {**NUMBERS, SKIP: True, ERROR: True}},
        "required": ["id"],
    },
    "Closed": CLOSED,
    "Open": OPEN,
    "Defaulted": DEFAULTED,
    "HoldsClosed": {"type": "object", "properties": {"it": {"$ref": "#/$defs/Closed"}}, "required": ["it"]},
    "ListsClosed": {"type": "object", "properties": {"all": {"type": "array", "items": {"$ref": "#/$defs/Closed"}}}},
    **{f"May{key}": {"type": "object", "properties": {key: node}} for key, node in PROPERTIES.items()},
    **{
        f"Must{key}": {"type": "object", "properties": {key: node}, "required": [key]}
        for key, node in PROPERTIES.items()
    },
}


@pytest.fixture(scope="module")
def types(make_types: MakeTypes) -> ModuleType:
    return make_types(DEFINITIONS)


def read(package: Any, type_: Any, value: Any, *, strict: bool = False) -> Any:
    """The JSON that a value is read as; FAULT where it is refused."""
    try:
        decoded = package.decode(type_, json.dumps(value), strict=strict)
    except msgspec.ValidationError:
        return FAULT
    return json.loads(package.encode(decoded))


ONE, TWO, NEW = {"kind": "one", "n": 1}, {"kind": "two", "s": ""}, {"kind": "new", "z": [None]}
BAD_ONE = {"kind": "one", "n": "x"}

# property, what arrives (ABSENT: nothing), what is read where the property is optional, and where it is required
CASES = [
    ("plain", "x", FAULT, FAULT),
    ("plain", None, FAULT, FAULT),
    ("default", "x", 7, 7),
    ("default", None, 7, 7),
    ("default", 5, 5, 5),
    ("default", ABSENT, ABSENT, FAULT),
    ("nullDefault", "x", None, None),
    ("objectDefault", [], {"x": 1}, {"x": 1}),
    ("objectDefault", {"x": "bad"}, {"x": 1}, {"x": 1}),
    ("noDefault", "x", ABSENT, FAULT),
    ("noDefault", None, ABSENT, FAULT),
    ("list", "x", ABSENT, []),
    ("list", None, ABSENT, []),
    ("list", [1, "x"], ABSENT, []),
    ("list", ABSENT, ABSENT, FAULT),
    ("nullableList", "x", ABSENT, []),
    ("nullableList", None, None, None),
    ("aliasedList", "x", ABSENT, []),
    ("onNullList", None, [], []),
    ("onNullList", "x", FAULT, FAULT),
    ("onNullList", ABSENT, ABSENT, FAULT),
    ("onNullObject", None, {}, {}),
    ("onNullDefault", None, [3], [3]),
    ("onNullText", None, "", ""),
    ("onNullFlag", None, False, False),
    ("skip", [1, "x", None, 2, {}], [1, 2], [1, 2]),
    ("skip", ["x"], [], []),
    ("skip", "x", FAULT, FAULT),
    ("nullableSkip", [1, "x"], [1], [1]),
    ("nullableSkip", None, None, None),
    ("skipAndError", [1, "x"], [1], [1]),
    ("skipAndError", "x", ABSENT, []),
    ("skipAndError", None, ABSENT, []),
    ("skipClosed", [ONE, NEW, TWO, BAD_ONE], [ONE, TWO], [ONE, TWO]),
    ("skipOpen", [ONE, NEW, TWO, BAD_ONE], [ONE, NEW, TWO], [ONE, NEW, TWO]),
    ("skipNested", [{"id": "a", "tags": [1, "x"]}, {"id": 5}], [{"id": "a", "tags": [1]}], [{"id": "a", "tags": [1]}]),
    ("skipNested", [{"id": "a", "tags": "x"}], [{"id": "a"}], [{"id": "a"}]),
    ("skipAtLeastOne", ["x", 1], [1], [1]),
    ("skipAtLeastOne", ["x"], FAULT, FAULT),
]


def of(key: str, value: Any) -> Any:
    return FAULT if value == FAULT else {} if value == ABSENT else {key: value}


@pytest.mark.parametrize(("key", "arrives", "optional", "required"), CASES, ids=[f"{c[0]}-{c[1]}" for c in CASES])
def test_a_property_is_read_as_its_keywords_say(
    types: ModuleType, key: str, arrives: Any, optional: Any, required: Any
) -> None:
    """Strict decoding knows none of these keywords, and a dict is read like the text."""
    may, must, value = getattr(types, f"May{key}"), getattr(types, f"Must{key}"), of(key, arrives)
    assert (read(types, may, value), read(types, must, value)) == (of(key, optional), of(key, required))
    assert read(types, may, value, strict=True) == (value if value == of(key, optional) else FAULT)
    try:
        found = types.to_dict(types.from_dict(may, value))
    except msgspec.ValidationError:
        found = FAULT
    assert found == of(key, optional)


def test_a_default_is_never_put_into_a_decoded_object(types: ModuleType) -> None:
    assert types.decode(types.Maydefault, b"{}").default is UNSET


# --- unions -----------------------------------------------------------------------------------------------------------------


def test_an_unknown_tag_of_a_closed_union_is_an_unknown_variant_when_lenient(types: ModuleType) -> None:
    found = types.decode(types.HoldsClosed, json.dumps({"it": NEW}))
    assert found.it == types.UnknownVariant("new", NEW)


def test_an_unknown_tag_of_a_closed_union_is_an_error_when_strict(types: ModuleType) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"'new' - at `\$\.it\.kind`"):
        types.decode(types.HoldsClosed, json.dumps({"it": NEW}), strict=True)


def test_an_unknown_tag_stays_in_an_array_that_skips_nothing(types: ModuleType) -> None:
    assert read(types, types.ListsClosed, {"all": [ONE, NEW]}) == {"all": [ONE, NEW]}


@pytest.mark.parametrize("strict", [True, False])
def test_an_unknown_tag_of_an_open_union_is_an_unknown_variant_in_both_modes(types: ModuleType, strict: bool) -> None:
    assert types.decode(types.Open, json.dumps(NEW), strict=strict) == types.UnknownVariant("new", NEW)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("union", ["Closed", "Open", "Defaulted"])
def test_a_known_tag_with_a_bad_payload_fails_in_both_modes(types: ModuleType, union: str, strict: bool) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"\(as kind 'one'\) - at `\$\.n`"):
        types.decode(getattr(types, union), json.dumps(BAD_ONE), strict=strict)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("union", ["Closed", "Open", "Defaulted"])
@pytest.mark.parametrize("value", [{}, {"n": 1}, [], "one", None, {"kind": 5, "n": 1}], ids=json.dumps)
def test_an_object_without_a_tag_is_no_unknown_variant(types: ModuleType, union: str, value: Any, strict: bool) -> None:
    assert read(types, getattr(types, union), value, strict=strict) == FAULT


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize("tag", ["new", "one", 5, None], ids=json.dumps)
def test_the_untagged_default_keeps_its_tag(types: ModuleType, tag: Any, strict: bool) -> None:
    value = {"kind": tag, "cmd": "run"}
    found = types.decode(types.Defaulted, json.dumps(value), strict=strict)
    assert (type(found), types.to_dict(found)) == (types.DefaultedPlain, value)


@pytest.mark.parametrize("strict", [True, False])
def test_what_fits_neither_tag_nor_default_is_an_error_that_names_the_tag(types: ModuleType, strict: bool) -> None:
    with pytest.raises(msgspec.ValidationError, match="kind 'new'"):
        types.decode(types.Defaulted, json.dumps({"kind": "new"}), strict=strict)


# --- the real schema ----------------------------------------------------------------------------------------------------------


SESSION = {"sessionId": "a", "cwd": "/"}
TOOL = {"sessionUpdate": "tool_call_update", "toolCallId": "t"}


@pytest.mark.parametrize(
    ("type_", "arrives", "kept"),
    [
        (acp.ListSessionsResponse, {"sessions": None}, {"sessions": []}),
        (acp.ListSessionsResponse, {"sessions": [SESSION, {"cwd": 5}]}, {"sessions": [SESSION]}),
        (acp.SessionUpdate, {"sessionUpdate": "plan", "entries": "none"}, {"sessionUpdate": "plan", "entries": []}),
        (acp.SessionInfo, {**SESSION, "title": 5}, SESSION),
        (
            acp.SessionInfo,
            {**SESSION, "additionalDirectories": ["/b", 5]},
            {**SESSION, "additionalDirectories": ["/b"]},
        ),
        (acp.SessionUpdate, {**TOOL, "content": "x"}, TOOL),
        (acp.SessionUpdate, {**TOOL, "content": [{"type": "hologram"}]}, {**TOOL, "content": []}),
        (acp.ContentBlock, {"type": "hologram", "depth": 3}, {"type": "hologram", "depth": 3}),
    ],
)
def test_types_of_the_protocol_are_read_leniently(type_: Any, arrives: Any, kept: Any) -> None:
    assert read(acp, type_, arrives) == kept
    assert read(acp, type_, arrives, strict=True) == FAULT


def test_a_bad_capability_is_read_as_the_schema_defaults_it() -> None:
    default = ours()["$defs"]["InitializeRequest"]["properties"]["clientCapabilities"]["default"]
    assert read(acp, acp.InitializeRequest, {"protocolVersion": 1, "clientCapabilities": "all"}) == {
        "protocolVersion": 1,
        "clientCapabilities": default,
    }


DEEP: dict[str, Any] = {
    "sessionId": "s",
    "update": {
        "sessionUpdate": "tool_call",
        "toolCallId": "t",
        "title": "Edit",
        "content": [
            {"type": "content", "content": {"type": "text", "text": "a", "annotations": {"priority": 0.5}}},
            {"type": "diff", "path": "/a", "oldText": None, "newText": "b", "_meta": {"k": [1]}},
            {"type": "terminal", "terminalId": "t1"},
        ],
        "locations": [{"path": "/a", "line": 3}, {"path": "/b"}],
        "rawInput": {"any": [None, 1]},
        "_meta": {"deep": True},
    },
    "_meta": {"top": None},
}


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        (
            put(DEEP, ("update", "content", 0, "content", "annotations", "priority"), "high"),
            dropped(DEEP, ("update", "content", 0, "content", "annotations", "priority")),
        ),
        (
            put(DEEP, ("update", "content", 0, "content", "annotations"), 5),
            dropped(DEEP, ("update", "content", 0, "content", "annotations")),
        ),
        (put(DEEP, ("update", "content", 1, "newText"), None), dropped(DEEP, ("update", "content", 1))),
        (put(DEEP, ("update", "content", 2, "type"), "hologram"), dropped(DEEP, ("update", "content", 2))),
        (put(DEEP, ("update", "locations", 0, "line"), "three"), dropped(DEEP, ("update", "locations", 0, "line"))),
        (put(DEEP, ("update", "locations", 0, "path"), None), dropped(DEEP, ("update", "locations", 0))),
        (put(DEEP, ("update", "_meta"), []), dropped(DEEP, ("update", "_meta"))),
    ],
    ids=["leaf", "object", "array item", "unknown variant", "property of an item", "item", "_meta"],
)
def test_a_fault_deep_inside_costs_nothing_but_itself(fault: Any, expected: Any) -> None:
    assert read(acp, acp.SessionNotification, DEEP, strict=True) == DEEP
    assert read(acp, acp.SessionNotification, fault, strict=True) == FAULT
    assert read(acp, acp.SessionNotification, fault) == expected


# --- what `check` believes of leniency is what the decoder does ----------------------------------------------------------------

ON_ERROR, ON_NULL = "x-deserialize-default-on-error", "x-deserialize-default-on-null"
SHAPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string"},
    "whole": {"type": "integer"},
    "least": {"type": "integer", "minimum": 3},
    "flag": {"type": "boolean"},
    "list": {"type": "array", "items": {"type": "string"}},
    "some": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "map": {"type": "object", "additionalProperties": {"type": "string"}},
    "kind": {"enum": ["a", "b"]},
    "maybe": {"type": ["string", "null"]},
    "free": {"$ref": "#/$defs/Free"},
    "bound": {"$ref": "#/$defs/Bound"},
}
GOOD = {"text": "x", "whole": 1, "least": 4, "flag": True, "list": ["x"], "some": ["x"], "map": {"k": "x"}, "kind": "a"}
GOOD |= {"maybe": "x", "free": {}, "bound": {"n": 1}}
INSIDE: dict[str, Any] = {
    "Free": {"type": "object", "properties": {"n": {"type": "integer"}}},
    "Bound": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
}
BELIEVED = [(shape, required, default) for shape in SHAPES for required in (True, False) for default in (True, False)]


def case(shape: str, *, required: bool, default: bool, keyword: str) -> tuple[str, dict[str, Any]]:
    """A definition with one property, and its name."""
    node = {**SHAPES[shape], keyword: True, **({"default": GOOD[shape]} if default else {})}
    name = f"{shape.title()}{'Must' if required else 'May'}{'With' if default else 'Without'}{keyword.rpartition('-')[2].title()}"
    return name, {"type": "object", "properties": {"p": node}, **({"required": ["p"]} if required else {})}


@pytest.fixture(scope="module")
def believed(make_types: MakeTypes) -> tuple[ModuleType, WireForms]:
    """The package of all cases, and the same schema as `check` sees it."""
    made = [case(s, required=r, default=d, keyword=k) for s, r, d in BELIEVED for k in (ON_ERROR, ON_NULL)]
    definitions = {**INSIDE, **dict(made)}
    schema, _ = load(parse(json.dumps(minimal(definitions)).encode(), "schema.json"))
    return make_types(definitions), WireForms(schema)


@pytest.mark.parametrize(("shape", "required", "default"), BELIEVED)
@pytest.mark.parametrize("keyword", [ON_ERROR, ON_NULL], ids=["error", "null"])
def test_a_keyword_helps_where_check_says_that_it_does(
    shape: str, required: bool, default: bool, keyword: str, believed: tuple[ModuleType, WireForms]
) -> None:
    package, forms = believed
    name, _ = case(shape, required=required, default=default, keyword=keyword)
    (field,) = forms.form(Reference(name)).fields.values()
    bad = None if keyword == ON_NULL else {"bad": [1]} if shape != "map" else 1
    if shape in ("free", "bound") and keyword == ON_ERROR:
        bad = {"n": "x"}
    helps = read(package, getattr(package, name), {"p": bad}) is not FAULT
    if keyword == ON_ERROR:
        assert helps is forgives(forms, field)
    else:
        assert (helps and shape != "maybe") is replaces_null(forms, field)
