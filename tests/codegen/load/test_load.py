"""Loading: every construct a schema may use becomes the node it should, however it was spelled."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codegen.document.read import Document, parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.nodes.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Exclusion,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    Schema,
    String,
    Type,
    Union,
)
from tests.upstream import RELEASES, release_name

TEXT = {"type": "string"}
HELPERS: dict[str, Any] = {
    "Word": {"type": "string", "minLength": 1},
    "Point": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
    "Colour": {"enum": ["red", "green"]},
}


def document(schema: Mapping[str, Any]) -> Document:
    return parse(json.dumps(schema).encode(), "f.json")


def loaded(**definitions: Any) -> Schema:
    return load(document({"$defs": definitions}))[0]


def type_of(node: Any) -> Type:
    """The type of a definition, with `Word`, `Point` and `Colour` beside it."""
    return loaded(**HELPERS, It=node).definitions["It"].type


def field_types(type_: Type) -> dict[str, Type]:
    assert isinstance(type_, Object)
    return {field.name: field.type for field in type_.fields}


def plain(type_: Type) -> Any:
    """A type in short: constants, names and shapes, without the places they are at."""
    match type_:
        case Enumeration(values, base):
            return ("enum", [value.constant for value in values], None if base is None else plain(base))
        case Union(variants, exclusive):
            return ("one of" if exclusive else "any of", [plain(variant.type) for variant in variants])
        case Nullable(inner):
            return ("nullable", plain(inner))
        case Array() if not type_.prefix:
            return ("array", plain(type_.items), type_.min_items, type_.max_items)
        case Map(values):
            return ("map", plain(values))
        case Object():
            return (
                "object",
                {field.name: (plain(field.type), field.required) for field in type_.fields},
                [plain(base) for base in type_.bases],
                [plain(union) for union in type_.unions],
            )
        case _:
            return type_


@pytest.mark.parametrize(
    ("node", "expected"),
    [
        (True, Anything()),
        ({}, Anything()),
        ({"description": "anything"}, Anything()),
        ({"type": "null"}, Null()),
        ({"type": "boolean"}, Boolean()),
        ({"type": "string"}, String()),
        ({"type": "string", "minLength": 1, "maxLength": 9}, String(min_length=1, max_length=9)),
        ({"type": "string", "pattern": "^a$"}, String(pattern="^a$")),
        ({"type": "string", "format": "uri"}, String(format="uri")),
        ({"type": "string", "format": "date-time"}, String(format="date-time")),
        ({"type": "string", "format": "regex"}, String(format="regex")),
        ({"type": "string", "format": "byte"}, String(format="byte")),
        ({"type": "string", "contentEncoding": "base64"}, String(encoding="base64")),
        ({"type": "integer", "format": "uint32", "minimum": 0}, Integer(minimum=0, format="uint32")),
        ({"type": "integer", "maximum": 2**64}, Integer(maximum=2**64)),
        ({"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 9}, Integer(above=0, below=9)),
        ({"type": "integer", "multipleOf": 2}, Integer(multiple_of=2)),
        ({"type": "number", "format": "double"}, Number(format="double")),
        ({"type": "number", "minimum": 0.5}, Number(minimum=0.5)),
        ({"type": "array"}, Array(Anything())),
        ({"type": "array", "items": TEXT, "minItems": 1, "maxItems": 2}, Array(String(), min_items=1, max_items=2)),
        (
            {"type": "array", "prefixItems": [TEXT, {"type": "null"}], "items": {"type": "boolean"}},
            Array(Boolean(), prefix=(String(), Null())),
        ),
        ({"type": "object"}, Object()),
        ({"type": "object", "additionalProperties": True}, Map(Anything())),
        ({"type": "object", "additionalProperties": TEXT}, Map(String())),
        ({"type": "object", "unevaluatedProperties": TEXT}, Map(String())),
        ({"type": "object", "additionalProperties": False}, Object(closed=True)),
        ({"$ref": "#/$defs/Word"}, Reference("Word")),
    ],
)
def test_a_construct_loads_into_its_node(node: Any, expected: Type) -> None:
    assert type_of(node) == expected


EQUAL = {
    "true and {}": (True, {}),
    "a reference, in allOf and bare": ({"allOf": [{"$ref": "#/$defs/Word"}]}, {"$ref": "#/$defs/Word"}),
    "a reference with words beside it": (
        {"$ref": "#/$defs/Word", "title": "t", "description": "d", "deprecated": True, "examples": ["a"]},
        {"$ref": "#/$defs/Word"},
    ),
    "const and enum of one": ({"const": "a"}, {"enum": ["a"]}),
    "a typed constant": ({"type": "string", "const": "a"}, {"const": "a"}),
    "constants in oneOf and in enum": ({"oneOf": [{"const": "a"}, {"const": "b"}]}, {"enum": ["a", "b"]}),
    "constants in anyOf and in enum": ({"anyOf": [{"const": 1}, {"enum": [2, 3]}]}, {"enum": [1, 2, 3]}),
    "a type list and anyOf with null": ({"type": ["string", "null"]}, {"anyOf": [TEXT, {"type": "null"}]}),
    "null first or last": ({"type": ["null", "string"]}, {"type": ["string", "null"]}),
    "null in oneOf and in anyOf": (
        {"oneOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]},
        {"anyOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]},
    ),
    "null among constants": ({"enum": ["a", None]}, {"anyOf": [{"const": "a"}, {"type": "null"}]}),
    "null beside typed constants": ({"type": ["string", "null"], "enum": ["a", None]}, {"enum": ["a", None]}),
    "bounds beside a nullable union": (
        {"type": ["string", "null"], "minLength": 2, "anyOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]},
        {"anyOf": [{"type": "string", "minLength": 2}, {"type": "null"}]},
    ),
    "null as constant and as type": ({"const": None}, {"type": "null"}),
    "a type list and a union": (
        {"type": ["string", "integer"]},
        {"anyOf": [TEXT, {"type": "integer"}]},
    ),
    "a union of one": ({"anyOf": [TEXT]}, {"oneOf": [TEXT]}),
    "items true and none": ({"type": "array", "items": True}, {"type": "array"}),
    "a bound beside a reference and spelled out": (
        {"$ref": "#/$defs/Word", "maxLength": 3},
        {"type": "string", "minLength": 1, "maxLength": 3},
    ),
    "several parts of one string": (
        {"allOf": [{"type": "string", "minLength": 2}, {"type": "string", "maxLength": 3}, {"type": "string"}]},
        {"type": "string", "minLength": 2, "maxLength": 3},
    ),
    "a bound beside the part with the type": (
        {"allOf": [{"minLength": 2}, {"$ref": "#/$defs/Word"}]},
        {"type": "string", "minLength": 2},
    ),
    "a bound in a part, the type beside it": (
        {"type": "integer", "allOf": [{"minimum": 2}]},
        {"type": "integer", "minimum": 2},
    ),
    "an open enumeration whose rest says what it is not": (
        {"oneOf": [{"const": "a"}, {"const": "b"}, {"type": "string", "not": {"enum": ["b", "a"]}}]},
        {"anyOf": [{"const": "a"}, {"const": "b"}, TEXT]},
    ),
    "the same, constant by constant": (
        {"anyOf": [{"enum": [1, 2]}, {"type": "integer", "not": {"anyOf": [{"const": 1}, {"const": 2}]}}]},
        {"anyOf": [{"enum": [1, 2]}, {"type": "integer"}]},
    ),
    "a whole bound with a fraction": ({"type": "integer", "minimum": 1.0}, {"type": "integer", "minimum": 1}),
    "additionalProperties and unevaluatedProperties": (
        {"type": "object", "additionalProperties": False, "properties": {"a": TEXT}},
        {"type": "object", "unevaluatedProperties": False, "properties": {"a": TEXT}},
    ),
    "a discriminator or none": (
        {"oneOf": [TEXT, {"type": "integer"}], "discriminator": {"propertyName": "wrong"}},
        {"oneOf": [TEXT, {"type": "integer"}]},
    ),
}


@pytest.mark.parametrize(("left", "right"), EQUAL.values(), ids=EQUAL.keys())
def test_two_spellings_of_one_thing_load_alike(left: Any, right: Any) -> None:
    assert plain_alike(type_of(left)) == plain_alike(type_of(right))


def plain_alike(type_: Type) -> Any:
    """`plain`, with a union of one not told apart by `oneOf` or `anyOf`: both mean its member."""
    match plain(type_):
        case ("one of" | "any of", [only]):
            return ("one", only)
        case other:
            return other


@pytest.mark.parametrize(
    ("node", "constants", "base"),
    [
        ({"enum": [1, 2]}, [1, 2], None),
        ({"type": "integer", "enum": [1, 2]}, [1, 2], None),
        ({"anyOf": [{"const": "a"}, {"const": "b"}, TEXT]}, ["a", "b"], String()),
        ({"anyOf": [{"const": -1}, {"type": "integer", "format": "int32"}]}, [-1], Integer(format="int32")),
        ({"oneOf": [{"const": 1}, TEXT]}, [1], String()),
        ({"enum": [True, 1]}, [True, 1], None),
    ],
)
def test_constants_are_an_enumeration_and_open_beside_a_bare_type(
    node: Any, constants: list[Any], base: Type | None
) -> None:
    type_ = type_of(node)
    assert isinstance(type_, Enumeration)
    assert ([repr(value.constant) for value in type_.values], type_.base) == ([repr(c) for c in constants], base)


def test_a_constant_keeps_its_own_words() -> None:
    type_ = type_of({"oneOf": [{"const": "a", "title": "A", "description": "The first."}, {"const": "b"}]})
    assert isinstance(type_, Enumeration)
    assert [(value.title, value.description) for value in type_.values] == [("A", "The first."), (None, None)]


OBJECT_A = {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]}
OBJECT_B = {"type": "object", "properties": {"kind": {"const": "b"}, "n": {"type": "integer"}}, "required": ["kind"]}
UNTAGGED = {"type": "object", "properties": {"other": TEXT}, "required": ["other"]}
NOT_AB = {"anyOf": [{"properties": {"kind": {"const": c}}, "required": ["kind"]} for c in "ab"]}
OPEN = {"type": "object", "properties": {"kind": TEXT}, "required": ["kind"], "not": NOT_AB}
KIND_A: Any = ("object", {"kind": (("enum", ["a"], None), True)}, [], [])
KIND_B: Any = ("object", {"kind": (("enum", ["b"], None), True), "n": (Integer(), False)}, [], [])

UNIONS = {
    "tagged": ({"oneOf": [OBJECT_A, OBJECT_B]}, ("one of", [KIND_A, KIND_B])),
    "tagged by a wrapper": (
        {"oneOf": [{**OBJECT_A, "allOf": [{"$ref": "#/$defs/Point"}]}]},
        ("one of", [("object", {"kind": (("enum", ["a"], None), True)}, [Reference("Point")], [])]),
    ),
    "tagged with an untagged default": (
        {"anyOf": [OBJECT_A, UNTAGGED]},
        ("any of", [KIND_A, ("object", {"other": (String(), True)}, [], [])]),
    ),
    "untagged": (
        {"anyOf": [UNTAGGED, {"$ref": "#/$defs/Point"}]},
        ("any of", [("object", {"other": (String(), True)}, [], []), Reference("Point")]),
    ),
    "with properties beside it": (
        {"type": "object", "properties": {"id": TEXT}, "anyOf": [OBJECT_A, OBJECT_B]},
        ("object", {"id": (String(), False)}, [], [("any of", [KIND_A, KIND_B])]),
    ),
    "oneOf and anyOf side by side": (
        {"type": "object", "oneOf": [OBJECT_A, OBJECT_B], "anyOf": [UNTAGGED]},
        (
            "object",
            {},
            [],
            [("one of", [KIND_A, KIND_B]), ("any of", [("object", {"other": (String(), True)}, [], [])])],
        ),
    ),
    "two levels deep": (
        {"anyOf": [{"title": "In", "anyOf": [{"title": "In", "oneOf": [OBJECT_A, OBJECT_B]}]}]},
        ("any of", [("any of", [("one of", [KIND_A, KIND_B])])]),
    ),
    "of arrays": (
        {"anyOf": [{"type": "array", "items": TEXT}, {"type": "array", "items": {"type": "integer"}}]},
        ("any of", [("array", String(), None, None), ("array", Integer(), None, None)]),
    ),
    "of scalars": (
        {"oneOf": [TEXT, {"type": "integer"}, {"type": "boolean"}]},
        ("one of", [String(), Integer(), Boolean()]),
    ),
    "nullable": (
        {"oneOf": [OBJECT_A, OBJECT_B, {"type": "null"}]},
        ("nullable", ("one of", [KIND_A, KIND_B])),
    ),
}


@pytest.mark.parametrize(("node", "expected"), UNIONS.values(), ids=UNIONS.keys())
def test_a_union_keeps_its_shape(node: Any, expected: Any) -> None:
    assert plain(type_of(node)) == expected


@pytest.mark.parametrize(
    "exclusion",
    [
        {"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"enum": ["a"]}}, "required": ["kind"]},
        {"anyOf": [{"properties": {"kind": {"const": "a"}}, "required": ["kind"]}]},
    ],
)
def test_not_in_a_variant_lists_what_it_keeps_out(exclusion: Any) -> None:
    type_ = type_of({"type": "object", "properties": {"kind": TEXT}, "required": ["kind"], "not": exclusion})
    assert isinstance(type_, Object)
    assert type_.excludes == (Exclusion("kind", "a"),)


def test_an_open_union_excludes_every_known_tag() -> None:
    type_ = type_of({"anyOf": [OBJECT_A, OBJECT_B, {"title": "Other", **OPEN}]})
    assert isinstance(type_, Union)
    last = type_.variants[-1].type
    assert isinstance(last, Object)
    assert last.excludes == (Exclusion("kind", "a"), Exclusion("kind", "b"))


def test_undeclared_properties_are_kept_beside_declared_ones_where_the_schema_says_so() -> None:
    type_ = type_of({"type": "object", "properties": {"a": TEXT}, "additionalProperties": {"type": "integer"}})
    assert isinstance(type_, Object)
    assert (type_.extra, type_.closed) == (Integer(), False)


def test_a_property_keeps_all_that_is_said_of_it() -> None:
    type_ = type_of(
        {
            "type": "object",
            "properties": {
                "a": {
                    "type": ["array", "null"],
                    "items": TEXT,
                    "description": "Words.",
                    "default": [],
                    "deprecated": True,
                    "x-rfd": "r",
                    "x-capability": "c.d",
                    "x-deserialize-default-on-error": True,
                    "x-deserialize-skip-invalid-items": True,
                    "x-deserialize-default-on-null": True,
                }
            },
            "required": ["a"],
        }
    )
    assert isinstance(type_, Object)
    (field,) = type_.fields
    assert (field.type, field.required, field.description, field.deprecated) == (
        Nullable(Array(String())),
        True,
        "Words.",
        True,
    )
    assert (field.default, field.has_default, field.rfd, field.capability) == ([], True, "r", "c.d")
    assert field.default_on_error
    assert field.default_on_null
    assert field.skip_invalid_items
    assert field.pointer == "/$defs/It/properties/a"


def test_a_default_of_null_is_a_default() -> None:
    type_ = type_of({"type": "object", "properties": {"a": {"type": ["string", "null"], "default": None}, "b": TEXT}})
    assert isinstance(type_, Object)
    assert [(field.default, field.has_default) for field in type_.fields] == [(None, True), (None, False)]


def test_a_property_that_is_required_but_not_declared_takes_anything() -> None:
    assert plain(type_of({"type": "object", "required": ["a"]})) == ("object", {"a": (Anything(), True)}, [], [])


@pytest.mark.parametrize("name", ["properties", "required", "type", "list", "id", "from", "$ref", "enum", "not", "x-y"])
def test_a_property_may_be_called_like_a_keyword(name: str) -> None:
    assert field_types(type_of({"type": "object", "properties": {name: TEXT}})) == {name: String()}


@pytest.mark.parametrize(
    "node",
    [
        {"type": "object", "properties": {"child": {"$ref": "#/$defs/Tree"}}},
        {"type": "object", "properties": {"children": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/Tree"}},
        {"anyOf": [TEXT, {"type": "array", "items": {"$ref": "#/$defs/Tree"}}]},
    ],
    ids=["property", "items", "map", "union"],
)
def test_a_definition_may_hold_itself_in_a_property_item_or_value(node: Any) -> None:
    assert "Tree" in loaded(Tree=node).definitions


ENVELOPES = {
    "generation 1": {"anyOf": [{"$ref": "#/$defs/AgentRequest"}, {"$ref": "#/$defs/ClientResponse"}]},
    "generation 2": {
        "anyOf": [
            {"title": "Agent", "allOf": [{"$ref": "#/$defs/AgentRequest"}], "properties": {"jsonrpc": {"const": "2.0"}}}
        ]
    },
    "generation 3": {
        "oneOf": [{"title": "P", "type": "object", "properties": {"method": TEXT}, "required": ["method"]}]
    },
    "none": {},
}


@pytest.mark.parametrize("root", ENVELOPES.values(), ids=ENVELOPES.keys())
def test_envelopes_are_skipped_whatever_they_look_like(root: dict[str, Any]) -> None:
    envelope = {"x-docs-ignore": True, "type": "object", "someday": {"a keyword": 1}, "$ref": "#/$defs/Word"}
    definitions = {**HELPERS, "AgentRequest": envelope, "ClientResponse": {**envelope, "anyOf": [False]}}
    schema, warnings = load(document({**root, "$defs": definitions}))
    assert (list(schema.definitions), warnings) == (list(HELPERS), [])


def test_methods_are_read_from_their_params_and_results() -> None:
    def part(path: str, side: str, **more: Any) -> dict[str, Any]:
        return {"type": "object", "x-method": path, "x-side": side, **more}

    schema = loaded(
        OpenRequest=part("a/open", "agent", **{"x-capability": False}),
        OpenResponse=part("a/open", "agent"),
        SayNotification=part("a/say", "client", **{"x-capability": "a.say", "x-rfd": "r"}),
        TellRequest=part("a/tell", "both", **{"x-capability": "agent:a.b"}),
        TellResponse=part("a/tell", "both"),
        TellNotification=part("a/tell", "both"),
    )
    found = [(m.side, m.path, m.kind, m.params, m.result, m.capability, m.gated, m.rfd) for m in schema.methods]
    assert found == [
        ("agent", "a/open", "request", "OpenRequest", "OpenResponse", None, False, None),
        ("client", "a/say", "notification", "SayNotification", None, "a.say", True, "r"),
        ("both", "a/tell", "request", "TellRequest", "TellResponse", "agent:a.b", True, None),
        ("both", "a/tell", "notification", "TellNotification", None, None, None, None),
    ]


def test_the_root_keywords_are_read() -> None:
    opening = {"type": "object", "x-side": "agent", "x-method": "hello"}
    schema, _ = load(
        document(
            {
                "$schema": "https://json-schema.org/draft/2020-12/schema",
                "$id": "https://example.com/s",
                "$comment": "c",
                "title": "T",
                "description": "D",
                "x-rfds": {"r": {"title": "R", "stage": "preview"}},
                "x-handshake": {
                    "method": "hello",
                    "versionNumber": 3,
                    "version": "v",
                    "capabilities": {"agent": "a", "client": "c"},
                    "info": {},
                },
                "x-cancel": {"method": "$/stop", "property": "id", "errorCode": -1},
                "x-ordering": {"property": "thread"},
                "$defs": {
                    "HelloRequest": opening | {"properties": {"v": {"type": "integer"}, "c": {"type": "object"}}},
                    "HelloResponse": opening | {"properties": {"v": {"type": "integer"}, "a": {"type": "object"}}},
                    "StopNotification": {
                        "type": "object",
                        "x-side": "protocol",
                        "x-method": "$/stop",
                        "properties": {"id": {"type": "integer"}, "thread": {"type": "string"}},
                    },
                },
            }
        )
    )
    assert (schema.title, schema.ordering) == ("T", "thread")
    assert schema.rfds is not None
    assert [(r.name, r.title, r.stage, r.stable) for r in schema.rfds.values()] == [("r", "R", "preview", False)]
    assert schema.handshake is not None
    assert (schema.handshake.method, schema.handshake.version_number) == ("hello", 3)
    assert schema.cancel is not None
    assert (schema.cancel.method, schema.cancel.property, schema.cancel.error_code) == ("$/stop", "id", -1)


@pytest.mark.parametrize(
    ("keyword", "value", "missing"),
    [
        (
            "x-handshake",
            {"method": "hello", "versionNumber": 1, "version": "v", "capabilities": {}, "info": {}},
            "no request is called 'hello'",
        ),
        ("x-cancel", {"method": "$/stop", "property": "id", "errorCode": -1}, "no method is called '$/stop'"),
        ("x-ordering", {"property": "thread"}, "no params have a property 'thread'"),
    ],
)
def test_a_root_keyword_that_points_at_nothing_is_refused(keyword: str, value: object, missing: str) -> None:
    with pytest.raises(SchemaError, match=re.escape(missing)) as caught:
        load(document({keyword: value, "$defs": {}}))
    assert caught.value.pointer == f"/{keyword}"


def test_no_table_of_rfds_is_not_an_empty_one() -> None:
    assert (loaded().rfds, load(document({"x-rfds": {}, "$defs": {}}))[0].rfds) == (None, {})


def test_loading_leaves_the_document_as_it_was() -> None:
    given = document({"$defs": {**HELPERS, "It": UNIONS["nullable"][0]}})
    before = json.dumps(given.value)
    load(given)
    assert json.dumps(given.value) == before


@pytest.mark.parametrize("path", RELEASES, ids=release_name)
def test_a_published_schema_loads_as_it_is(path: Path) -> None:
    schema, warnings = load(parse(path.read_bytes(), path.name))
    assert schema.methods
    assert warnings == []


@pytest.mark.parametrize(
    ("left", "right", "overlap"),
    [
        ({"type": "integer"}, {"type": "number"}, True),
        ({"type": "integer", "minimum": 5}, {"type": "integer", "maximum": 5}, True),
        ({"type": "integer", "minimum": 6}, {"type": "number", "maximum": 5}, False),
        ({"type": "number", "exclusiveMinimum": 5}, {"type": "number", "maximum": 5}, False),
        ({"type": "integer"}, {"type": "string"}, False),
    ],
)
def test_numbers_that_fit_two_members_of_one_of_are_found(left: Any, right: Any, overlap: bool) -> None:
    schema = document({"$defs": {"It": {"oneOf": [{**left, "title": "A"}, {**right, "title": "B"}]}}})
    if overlap:
        with pytest.raises(SchemaError, match="some numbers match this variant") as caught:
            load(schema)
        assert (caught.value.pointer, caught.value.fault.id) == ("/$defs/It/oneOf/1", "one-of-overlap")
    else:
        load(schema)
    loaded, _ = load(schema, tolerant=True)
    union = loaded.definitions["It"].type
    assert isinstance(union, Union)
    assert union.exclusive is not overlap


def test_null_beside_a_reference_that_does_not_admit_it_is_a_warning() -> None:
    node = {"$ref": "#/$defs/Word", "type": ["string", "null"]}
    nullable = {"anyOf": [{"$ref": "#/$defs/Word"}, {"type": "null"}]}
    read = document(
        {"$defs": {**HELPERS, "A": node, "B": nullable, "C": {"$ref": "#/$defs/B", "type": ["string", "null"]}}}
    )
    _, warnings = load(read)
    assert [pointer for pointer, _ in warnings] == ["/$defs/A"]
