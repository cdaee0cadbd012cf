"""Exact tables of the model's small functions: a row for each case, compared whole."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import replace

from codegen.document.read import parse
from codegen.errors import InputError
from codegen.load.schema import load
from codegen.model.algebra.bounds import Bounded, Bounds, bounds
from codegen.model.algebra.change_kind import Kind, presence
from codegen.model.algebra.conformance import fits
from codegen.model.algebra.intersect import ClashError, as_base, describe, intersect
from codegen.model.algebra.normal_form import WireForms
from codegen.model.instances.coverage import Shown
from codegen.model.instances.example_messages import Bodies
from codegen.model.instances.minimal import Smallest
from codegen.model.naming.leaves import Name, RawLeaf, ShapeError, disjoint, merge_constants
from codegen.model.naming.lock import Lock, Locked, parse_lock, shapes_of
from codegen.model.naming.rename import renamed, type_names
from codegen.model.naming.settle import settle
from codegen.model.naming.wire_names import NameError_, attribute_name, pascal, snake
from codegen.model.nodes.cycles import Cycles
from codegen.model.nodes.requirements import about_definition, about_method, as_data, dangling, in_force, uncovered
from codegen.model.nodes.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Exclusion,
    Field,
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
    Value,
    Variant,
)
from codegen.model.nodes.walk import needed_items


def schema_of(definitions: dict[str, Any], **root: Any) -> Schema:
    return load(parse(json.dumps({**root, "$defs": definitions}).encode(), "f.json"))[0]


def ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/$defs/{name}"}


def an(**properties: Any) -> dict[str, Any]:
    """An object with properties that it requires, unless their names begin with `may_`."""
    named = {name.removeprefix("may_"): each for name, each in properties.items()}
    return {"type": "object", "properties": named, "required": [name for name in properties if name in named]}


NUMBER = {"type": "integer"}


def one_of(*constants: Any, base: Type | None = None) -> Enumeration:
    return Enumeration(tuple(Value(constant=each, pointer="") for each in constants), base)


EMPTY = Schema(title="", definitions={}, methods=())

# --- algebra ---------------------------------------------------------------------------------------------------------

BOUNDS: list[tuple[Bounded, Bounds]] = [
    (Integer(), Bounds({}, {}, {}, {})),
    (Integer(format="uint8"), Bounds({"minimum": 0}, {"maximum": 255}, {}, {})),
    (Integer(format="int16", minimum=-5, maximum=10**6), Bounds({"minimum": -5}, {"maximum": 32767}, {}, {})),
    (Integer(format="other"), Bounds({}, {}, {}, {})),
    (Integer(above=1, below=4), Bounds({"minimum": 2}, {"maximum": 3}, {}, {})),
    (Integer(above=1.5, below=3.5, multiple_of=2), Bounds({"minimum": 2}, {"maximum": 3}, {"divisor": 2}, {})),
    (Integer(minimum=3, above=1, maximum=4, below=9), Bounds({"minimum": 3}, {"maximum": 4}, {}, {})),
    (
        Number(minimum=0, above=1, maximum=5, below=4, format="double"),
        Bounds({"minimum": 0, "exclusive minimum": 1}, {"maximum": 5, "exclusive maximum": 4}, {}, {}),
    ),
    (String(min_length=0), Bounds({}, {}, {}, {})),
    (
        String(min_length=2, max_length=3, pattern="a", format="uri", encoding="base64"),
        Bounds(
            {"length at least": 2},
            {"length at most": 3},
            {"pattern": "a"},
            {"format": "uri", "contentEncoding": "base64"},
        ),
    ),
    (Array(Integer(), min_items=0), Bounds({}, {}, {}, {})),
    (Array(Integer(), (Null(),), 1, 0), Bounds({"items at least": 1}, {"items at most": 0}, {}, {})),
]


@pytest.mark.parametrize(("type_", "expected"), BOUNDS)
def test_bounds_have_names(type_: Bounded, expected: Bounds) -> None:
    assert bounds(type_) == expected


WORDS: list[tuple[Type, str]] = [
    (Reference("Color"), "Color"),
    (one_of("a", 1, True, "d", "e"), "one of 'a', 1, True, 'd'"),
    (Nullable(Integer()), "an integer or null"),
    (Array(String()), "an array"),
    (String(), "a string"),
    (Anything(), "an anything"),
]


@pytest.mark.parametrize(("type_", "expected"), WORDS)
def test_types_have_words(type_: Type, expected: str) -> None:
    assert describe(type_) == expected


CHOICE = Union((Variant(type=String(), pointer="/0"), Variant(type=Integer(), pointer="/1")))
COMBINED: list[tuple[Type, Type, Type | str]] = [
    (String(pattern="a"), String(), String(pattern="a")),
    (String(), String(pattern="a"), String(pattern="a")),
    (String(pattern="a"), String(pattern="b"), "two different `pattern`"),
    (Integer(multiple_of=2), Integer(multiple_of=3), "two different `multipleOf`"),
    (String(format="uri"), String(format="email"), String(format="uri")),
    (String(), String(format="email"), String(format="email")),
    (Integer(minimum=1, above=2), Number(minimum=3, maximum=9), Integer(minimum=3, above=2, maximum=9)),
    (Number(minimum=2), Number(maximum=1), "no number is within these bounds: at least 2, at most 1"),
    (Number(minimum=1, above=1), Number(maximum=1), "no number is within these bounds: at least 1, at most 1"),
    (Integer(above=1), Integer(below=2), "no integer is within these bounds: at least 2, at most 1"),
    (Nullable(String()), Null(), Null()),
    (Nullable(String()), String(), String()),
    (Boolean(), String(), "no value is both a boolean and a string"),
    (one_of("a"), Integer(), "no value is both one of 'a' and an integer"),
    (one_of("a", 2), Integer(), one_of(2)),
    (CHOICE, Integer(), Integer()),
    (CHOICE, Boolean(), "no variant of the union conforms to a boolean"),
    (Array(String(), (Null(),)), Array(String()), "arrays with `prefixItems` cannot be combined"),
    (Array(String(), min_items=1), Array(Anything(), max_items=2), Array(String(), min_items=1, max_items=2)),
    (Map(CHOICE), Map(Integer()), Map(Integer())),
]


@pytest.mark.parametrize(("left", "right", "expected"), COMBINED)
def test_two_types_at_once(left: Type, right: Type, expected: Type | str) -> None:
    try:
        found: Type | str = intersect(left, right, lambda type_: type_)
    except ClashError as error:
        found = str(error)
    assert found == expected


BASES: list[tuple[Type, Type | str]] = [
    (Reference("A"), Reference("A")),
    (Object(closed=True), Object(closed=True)),
    (CHOICE, Object(unions=(CHOICE,))),
    (Map(String()), Object(extra=String())),
    (String(), "a string cannot be combined with an object"),
]


@pytest.mark.parametrize(("type_", "expected"), BASES)
def test_what_may_be_a_base(type_: Type, expected: Type | str) -> None:
    try:
        found: Type | str = as_base(type_)
    except ClashError as error:
        found = str(error)
    assert found == expected


FORMS = schema_of(
    {
        "Color": {"enum": ["red", "green"]},
        "Named": ref("Color"),
        "Only": {"oneOf": [{"title": "One", "$ref": "#/$defs/Named"}]},
        "Perhaps": {"anyOf": [ref("Only"), {"type": "null"}]},
        "Free": {"anyOf": [{"const": "red", "x-capability": "a"}, {"const": "green"}, {"type": "string"}]},
        "Some": {"anyOf": [{"enum": ["red", "green"]}, {"type": "string"}]},
        "Both": {"anyOf": [{"const": 1}, {"const": "one"}]},
        "Point": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]},
        "Line": {"type": "object", "properties": {"y": {"type": "integer"}}, "required": ["y"]},
        "Wrapped": {"type": "object", "allOf": [ref("Point")]},
        "Shape": {"anyOf": [ref("Point"), ref("Line"), {"type": "string"}]},
        "Any": {"anyOf": [{"title": "All"}, {"type": "string"}]},
        "Bag": {"type": "object"},
    }
)
NORMAL: dict[str, tuple[str | None, list[str], bool, bool]] = {
    "Color": ("Color", ["string"], False, False),
    "Named": ("Color", ["string"], False, False),
    "Only": ("Color", ["string"], False, False),
    "Perhaps": ("Color", ["string"], False, False),
    "Free": ("Free", ["string"], False, False),
    "Some": ("Some", ["string"], False, False),
    "Both": ("Both", ["enumeration"], False, False),
    "Point": ("Point", ["object"], False, False),
    "Wrapped": ("Point", ["object"], False, False),
    "Shape": ("Shape", ["object", "string"], True, False),
    "Any": ("Any", ["any", "string"], True, True),
    "Bag": ("Bag", ["map"], False, False),
}
"""The deepest definition, the kinds of alternatives, whether there are several, and whether every value is accepted."""


@pytest.mark.parametrize("name", NORMAL)
def test_normal_forms(name: str) -> None:
    forms, type_ = WireForms(FORMS), Reference(name)
    kinds = [each.kind for each in forms.alternatives(type_)]
    assert (forms.deepest(type_), kinds, forms.is_union(type_), forms.anything(type_)) == NORMAL[name]


def test_objects_among_the_alternatives_are_one_choice_and_constants_one_enumeration() -> None:
    forms = WireForms(FORMS)
    shape, text = forms.alternatives(Reference("Shape"))
    assert shape.form is not None
    assert [member.names for member in forms.members(shape.form.unions[0])] == [("Point",), ("Line",)]
    assert text.type == String()
    (free,) = forms.alternatives(Reference("Free"))
    assert isinstance(free.type, Enumeration)
    assert [(v.constant, v.capability) for v in free.type.values] == [("red", "a"), ("green", None)]
    assert free.type.base == String()


OBJECTS = schema_of(
    {
        "Base": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}},
        "Strict": {"type": "object", "additionalProperties": False, "properties": {"s": {"type": "string"}}},
        "Rest": {"type": "object", "additionalProperties": {"type": "integer"}},
        "Required": {"type": "object", "allOf": [ref("Base")], "required": ["a"]},
        "Closed": {"type": "object", "allOf": [ref("Strict")], "properties": {"s": {"minLength": 1, "type": "string"}}},
        "Single": {"type": "object", "properties": {"c": {}}, "oneOf": [{"title": "It", "allOf": [ref("Base")]}]},
        "Open": {"type": "object", "allOf": [ref("Rest")]},
    }
)
MEMBERS: dict[str, tuple[dict[str, bool], tuple[str, ...], bool, str, Type | None]] = {
    "Base": ({"a": False, "b": False}, (), False, "", None),
    "Required": ({"a": True, "b": False}, ("Base",), False, "", None),
    "Closed": ({"s": False}, ("Strict",), True, "Strict", None),
    "Single": ({"c": False, "a": False, "b": False}, ("Base",), False, "", None),
    "Open": ({}, (), False, "", Integer()),
}
"""The properties, whether each is required, the bases, whether the object is closed, by which base, and the rest."""


@pytest.mark.parametrize("name", MEMBERS)
def test_forms_of_objects(name: str) -> None:
    form = WireForms(OBJECTS).form(Reference(name))
    required = {field: each.required for field, each in form.fields.items()}
    assert (required, form.sources, form.closed, form.closed_by, form.extra) == MEMBERS[name]


FITTING: dict[str, tuple[dict[str, Any], list[Any], list[Any]]] = {
    "null or a number": ({"type": ["integer", "null"]}, [None, 1, 1.0], ["1", True, 1.5]),
    "a list": ({"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2}, [[1], [1, 2]], [[], "1"]),
    "its items": ({"type": "array", "items": {"type": "integer"}}, [[], [1]], [["1"], [1, None], {}]),
    "a tuple": (
        {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "string"}},
        [[None, "a"]],
        [["a"]],
    ),
    "a map": ({"type": "object", "additionalProperties": {"type": "integer"}}, [{}, {"a": 1}], [{"a": "1"}, []]),
    "a choice": ({"anyOf": [{"type": "string"}, {"type": "integer"}]}, ["a", 1], [True, None]),
    "a property": (
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        [{"a": 1}, {"a": 1, "b": 2}],
        [{}, {"a": "1"}, [], None],
    ),
    "no other property": (
        {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
        [{}, {"a": 1}],
        [{"b": 1}, {"a": 1, "b": 1}],
    ),
    "others of one type": (
        {"type": "object", "properties": {"a": {}}, "additionalProperties": {"type": "integer"}},
        [{"a": "x", "b": 1}],
        [{"b": "x"}],
    ),
    "one variant": (
        {
            "type": "object",
            "oneOf": [
                {"title": "A", "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"title": "B", "type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
            ],
        },
        [{"a": 1}, {"b": 1}, {"a": 1, "b": "x"}],
        [{}, {"a": 1, "b": 1}, {"a": "x"}],
    ),
    "a variant and no other property": (
        {
            "type": "object",
            "properties": {"c": {}},
            "unevaluatedProperties": False,
            "anyOf": [
                {"title": "A", "type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
                {"title": "B", "type": "object", "properties": {"b": {"type": "integer"}}, "required": ["b"]},
            ],
        },
        [{"a": 1}, {"b": 1, "c": 2}, {"a": 1, "b": 1}],
        [{"c": 1}, {"a": 1, "d": 1}, {"a": 1, "b": "x"}],
    ),
}
"""A type, values that conform to it, and values that do not."""


@pytest.mark.parametrize(("type_", "right", "wrong"), FITTING.values(), ids=FITTING)
def test_values_conform_to_types(type_: dict[str, Any], right: list[Any], wrong: list[Any]) -> None:
    forms = WireForms(schema_of({"It": type_}))
    validator = Draft202012Validator(type_)
    for expected, values in ((True, right), (False, wrong)):
        for value in values:
            assert (fits(forms, Reference("It"), value), validator.is_valid(value)) == (expected, expected), value


NEEDED: list[tuple[Array, tuple[Type, ...]]] = [
    (Array(String()), ()),
    (Array(String(), min_items=1), (String(),)),
    (Array(String(), (Null(), Integer()), 1), (Null(),)),
    (Array(String(), (Null(),), 1), (Null(),)),
    (Array(String(), (Null(),), 2), (Null(), String())),
]


@pytest.mark.parametrize(("array", "expected"), NEEDED)
def test_items_that_an_array_needs(array: Array, expected: tuple[Type, ...]) -> None:
    assert needed_items(array) == expected


PRESENCES = [None, False, True]


@pytest.mark.parametrize(("old_closed", "new_closed"), [*itertools.product((False, True), repeat=2)])
def test_a_property_is_related_by_what_peers_write_and_take(old_closed: bool, new_closed: bool) -> None:
    """Worked out once more from sets of objects: `{}` and `{"a": 1}`."""
    absent, present = "absent", "present"

    def writes(required: bool | None) -> set[str]:
        return {None: {absent}, False: {absent, present}, True: {present}}[required]

    def takes(required: bool | None, closed: bool) -> set[str]:
        return {absent} if required is None and closed else {present} if required else {absent, present}

    for old, new in itertools.product(PRESENCES, repeat=2):
        lost, gained = writes(old) <= takes(new, new_closed), writes(new) <= takes(old, old_closed)
        found = presence(old, new, old_closed=old_closed, new_closed=new_closed)
        assert (found in (Kind.EQUAL, Kind.WIDER), found in (Kind.EQUAL, Kind.NARROWER)) == (lost, gained), (old, new)
        assert found is not Kind.OVERLAPPING or writes(old) & takes(new, new_closed)


def test_five_relations_follow_from_what_either_side_has_alone() -> None:
    cases = {
        (lost, gained, shared): Kind.of(lost=lost, gained=gained, shared=shared).value
        for lost, gained, shared in itertools.product((False, True), repeat=3)
    }
    assert cases == {
        (False, False, True): "equal",
        (False, False, False): "equal",
        (True, False, True): "narrower",
        (True, False, False): "narrower",
        (False, True, True): "wider",
        (False, True, False): "wider",
        (True, True, True): "overlapping",
        (True, True, False): "disjoint",
    }


# --- names -----------------------------------------------------------------------------------------------------------

SPELLINGS: list[tuple[Any, str, str]] = [
    (snake, "fooBar", "foo_bar"),
    (snake, "HTTPServer/x-1", "http_server_x_1"),
    (snake, "class", "class_"),
    (snake, "list", "list_"),
    (attribute_name, "int", "int_"),
    (attribute_name, "filter", "filter"),
    (pascal, "foo_barBaz", "FooBarBaz"),
    (snake, "grün", "contains characters outside ASCII, which cannot become a Python name"),
    (pascal, "--", "has no letters or digits, so it cannot become a Python name"),
    (snake, "1st", "starts with a digit, so it cannot become a Python name"),
]


@pytest.mark.parametrize(("rule", "text", "expected"), SPELLINGS)
def test_names_follow_by_rule(rule: Any, text: str, expected: str) -> None:
    try:
        found = rule(text)
    except NameError_ as error:
        found = str(error)
    assert found == expected


def test_definitions_get_names_that_are_possible_and_free() -> None:
    names = ["Color", "foo", "Foo", "1st", "--", "Type", "str"]
    assert type_names(names) == {"--": "TypeType", "1st": "Type1st", "foo": "FooType", "str": "Str"}


def test_a_renamed_definition_is_renamed_wherever_it_is_used() -> None:
    sides = {"x-side": "agent", "x-method": "look", "type": "object"}
    before = {
        "LookRequest": {**sides, "properties": {"at": ref("color")}},
        "LookResponse": sides,
        "color": {"type": "array", "items": ref("color")},
    }
    found = renamed(schema_of(before), {"color": "Color", "LookResponse": "Looked"})
    look = found.definitions["LookRequest"].type
    assert isinstance(look, Object)
    assert [field.type for field in look.fields] == [Reference("Color")]
    assert (found.definitions["Color"].name, found.definitions["Color"].type) == ("Color", Array(Reference("Color")))
    assert [(m.params, m.result) for m in found.methods] == [("LookRequest", "Looked")]
    assert renamed(found, {}) is found


def leaf(type_: Type, name: str = "a", *, required: bool = True, **more: Any) -> RawLeaf:
    field = Field(name=name, type=type_, required=required, pointer="")
    return RawLeaf(fields=(field,), name=Name("It"), pointer="", **more)


APART: list[tuple[RawLeaf, RawLeaf, bool]] = [
    (leaf(String()), leaf(String()), False),
    (leaf(String()), leaf(Integer()), True),
    (leaf(Integer()), leaf(Number()), False),
    (leaf(Boolean()), leaf(Array(String())), True),
    (leaf(Object()), leaf(Map(String())), False),
    (leaf(Object()), leaf(String()), True),
    (leaf(Anything()), leaf(String()), False),
    (leaf(CHOICE), leaf(Boolean()), False),
    (leaf(String(), required=False), leaf(Integer(), required=False), False),
    (leaf(one_of("a")), leaf(one_of("b")), True),
    (leaf(one_of("a", "b")), leaf(one_of("b")), False),
    (leaf(one_of("a")), leaf(Integer()), True),
    (leaf(Integer()), leaf(one_of("a")), True),
    (leaf(one_of("a")), leaf(CHOICE), False),
    (leaf(one_of("a", base=String())), leaf(one_of("b", base=String())), False),
    (leaf(one_of("a", base=String())), leaf(Integer()), False),
    (leaf(String()), leaf(String(), "b", required=False), False),
    (leaf(String()), leaf(String(), "b", required=False, closed=True), True),
    (leaf(one_of("x")), leaf(String(), "b", required=False, excludes=(Exclusion("a", "x"),)), True),
    (leaf(one_of("x")), leaf(String(), "b", required=False, excludes=(Exclusion("a", "y"),)), False),
]


@pytest.mark.parametrize(("left", "right", "expected"), APART)
def test_leaves_that_no_object_matches_at_once(left: RawLeaf, right: RawLeaf, expected: bool) -> None:
    assert (disjoint(EMPTY, left, right), disjoint(EMPTY, right, left)) == (expected, expected)


MERGED: list[tuple[RawLeaf, list[tuple[Any, ...]]]] = [
    (leaf(one_of("b")), [("a", "b")]),
    (leaf(one_of("b"), closed=True), [("a",), ("b",)]),
    (leaf(one_of("b"), extra=String()), [("a",), ("b",)]),
    (leaf(one_of("b"), excludes=(Exclusion("x", "y"),)), [("a",), ("b",)]),
    (leaf(one_of("b"), "other"), [("a",), ("b",)]),
    (leaf(one_of("b"), required=False), [("a",), ()]),
]


@pytest.mark.parametrize(("other", "expected"), MERGED)
def test_leaves_that_differ_in_one_constant_are_one(other: RawLeaf, expected: list[tuple[Any, ...]]) -> None:
    found = merge_constants((leaf(one_of("a")), other), "It")
    values = [tuple(v.constant for values in each.constants().values() for v in values) for each in found]
    assert values == expected
    assert (found[0].name, found[0].label) == ((Name("It", "A"), "A") if len(found) == 1 else (Name("It"), ""))


def test_a_part_of_a_schema_has_the_names_of_the_whole() -> None:
    definitions = {"Old": an(a=NUMBER), "Color": an(b=ref("Old"))}
    whole = schema_of(definitions)
    lock = Lock({"Old": Locked("Fresh"), "Color": Locked("Color")})
    part = settle(whole, lock=lock).narrowed(schema_of({"Old": an(a=NUMBER)}))
    assert (list(part.schema.definitions), list(part.whole.definitions)) == (["Fresh"], ["Fresh", "Color"])


def test_the_digests_of_definitions_stay_from_release_to_release() -> None:
    assert shapes_of(OBJECTS)["Base"] == "8ab40440"
    assert shapes_of(FORMS)["Free"] == "1d243bfa"


LOCK = Lock({"A": Locked("A", "s", "Old"), "B": Locked("B")}, {"U": {"b": "UB", "a": "UA"}}, {"agent x request": "x"})
TEXT = """\
{
  "definitions": {
    "A": {"class": "A", "shape": "s", "before": "Old"},
    "B": {"class": "B"}
  },
  "variants": {
    "U": {
      "a": "UA",
      "b": "UB"
    }
  },
  "methods": {
    "agent x request": "x"
  }
}
"""


def test_a_lock_is_text_and_back() -> None:
    assert LOCK.text() == TEXT
    assert parse_lock(TEXT.encode(), "f") == LOCK
    assert Lock().text() == '{\n  "definitions": {},\n  "variants": {},\n  "methods": {}\n}\n'
    assert list(LOCK.classes()) == ["A", "Old", "B", "UB", "UA"]


def test_locks_are_added_and_taken_away() -> None:
    other = Lock({"A": Locked("AA"), "C": Locked("C")}, {"V": {"a": "VA"}}, {"agent y request": "y"})
    assert LOCK.without(other) == Lock({"B": Locked("B")}, LOCK.variants, LOCK.methods)
    assert LOCK.without(LOCK) == Lock()
    assert LOCK.under(other) == Lock(
        {"A": Locked("AA"), "B": Locked("B"), "C": Locked("C")},
        {"U": {"b": "UB", "a": "UA"}, "V": {"a": "VA"}},
        {"agent x request": "x", "agent y request": "y"},
    )


MERGE = (
    "has merge conflicts; resolve them with `vendor DEST --resolve` in a package, or with `merge-lock` beside a schema"
)
BAD_LOCKS = [
    (b"<<<<<<< ours\n", MERGE),
    (
        b'{"definitions": {"A": {"class": "X"}, "B": {"class": "X"}}}',
        'gives both A and B the name "X"; rename one of them',
    ),
    (
        b'{"methods": {"agent x request": "No"}}',
        'is not a valid names lock: "No" is not a method; restore it from version control',
    ),
]


@pytest.mark.parametrize(("data", "problem"), BAD_LOCKS)
def test_a_lock_that_cannot_be_one_says_why(data: bytes, problem: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_lock(data, "names.lock.json")
    assert str(caught.value) == f"names.lock.json: error: {problem}"


def method(path: str, name: str, *roles: str) -> dict[str, Any]:
    node = {"type": "object", "x-side": "agent", "x-method": path}
    return {f"{name}{role}": node for role in roles}


STUBS = {
    "by the params": (method("a/look", "LookAround", "Request", "Response"), {"a/look request": "look_around"}),
    "a notification": (method("a/told", "Told", "Notification"), {"a/told notification": "told"}),
    "both kinds": (
        method("a", "A", "Request", "Response", "Notification"),
        {"a request": "a", "a notification": "a_notification"},
    ),
    "the name of a group": (
        {**method("a/go", "Wall", "Request", "Response"), **method("wall/look", "Look", "Request", "Response")},
        {"a/go request": "a_go", "wall/look request": "look"},
    ),
}


@pytest.mark.parametrize(("definitions", "expected"), STUBS.values(), ids=STUBS)
def test_methods_have_names(definitions: dict[str, Any], expected: dict[str, str]) -> None:
    found = settle(schema_of(definitions)).methods
    assert {f"{path} {kind}": name for (_, path, kind), name in found.items()} == expected


# --- instances -------------------------------------------------------------------------------------------------------

MADE: dict[str, tuple[dict[str, Any], Any]] = {
    "text": ({"type": "string"}, "value"),
    "a date": ({"type": "string", "format": "date"}, "2026-01-31"),
    "a time": ({"type": "string", "format": "date-time"}, "2026-01-31T12:00:00Z"),
    "an address": ({"type": "string", "format": "uri"}, "https://example.com/"),
    "mail": ({"type": "string", "format": "email"}, "someone@example.com"),
    "an id": ({"type": "string", "format": "uuid"}, "123e4567-e89b-42d3-a456-426614174000"),
    "bytes": ({"type": "string", "format": "byte"}, "aGk="),
    "a short text": ({"type": "string", "maxLength": 2}, ""),
    "a number": ({"type": "integer"}, 1),
    "a large number": ({"type": "integer", "minimum": 7}, 7),
    "yes or no": ({"type": "boolean"}, True),
    "null": ({"type": "null"}, None),
    "anything": ({}, {"example.com/note": "Any JSON value."}),
    "a map of anything": ({"type": "object", "additionalProperties": True}, {"example.com/note": "Any JSON value."}),
    "an object of nothing": ({"type": "object"}, {}),
    "a map": ({"type": "object", "additionalProperties": {"type": "integer"}}, {"key": 1}),
    "a list": ({"type": "array", "items": {"type": "integer"}}, [1]),
    "a longer list": ({"type": "array", "items": {"type": "integer"}, "minItems": 3}, [1, 1, 1]),
    "a tuple": ({"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "integer"}}, [None, 1]),
    "a constant": ({"const": "red"}, "red"),
    "an object": ({"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}, {"x": 1}),
    "itself": ({"type": "array", "items": {"$ref": "#/$defs/It"}}, [{"value": []}]),
}


def bodies(definitions: dict[str, Any]) -> list[Any]:
    """The messages that show all of `It`."""
    shown = Shown(WireForms(schema_of(definitions)), set())
    return [body.value for body in Bodies(shown, {}).showing(["It"], list(shown.parts(["It"])))]


@pytest.mark.parametrize(("type_", "expected"), MADE.values(), ids=MADE)
def test_the_example_of_a_type(type_: dict[str, Any], expected: Any) -> None:
    it = {"type": "object", "properties": {"value": type_}, "required": ["value"]}
    assert bodies({"It": it}) == [{"value": expected}]


SIZE = {"anyOf": [{"title": "Words", "type": "string"}, {"title": "Pixels", "type": "integer"}]}
TAGGED = {"oneOf": [an(kind={"const": "a"}, may_x=NUMBER), an(kind={"const": "b"})]}
SHOWN: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "variants and values": (
        an(may_size=SIZE, may_color={"enum": ["red", "green"]}, may_more={"type": ["string", "null"]}),
        [{"size": "size", "color": "red", "more": "more"}, {"size": 1, "color": "green"}],
    ),
    "objects by their tags": (TAGGED, [{"kind": "a", "x": 1}, {"kind": "b"}]),
    "the same below a property": (
        an(may_p=TAGGED, may_self=ref("It")),
        [{"p": {"kind": "a", "x": 1}, "self": {}}, {"p": {"kind": "b"}, "self": {}}],
    ),
    "another value of an open enumeration": (
        an(p={"anyOf": [{"const": "red"}, {"const": "green"}, {"type": "string"}]}),
        [{"p": "red"}, {"p": "green"}, {"p": "other"}],
    ),
    "a value that no earlier variant accepts": (
        an(p={"anyOf": [{"title": "A", "type": "string", "pattern": "^a"}, {"title": "B", "type": "string"}]}),
        [{"p": "a"}, {"p": "p"}],
    ),
    "nothing that contains itself": (an(s=ref("It")), []),
    "what may be left out": (an(may_s=ref("It")), [{"s": {}}]),
    "the values of a map": (
        {"type": "object", "properties": {}, "additionalProperties": an(may_y={"enum": ["p", "q"]})},
        [{"key": {"y": "p"}}, {"key": {"y": "q"}}],
    ),
}


@pytest.mark.parametrize(("it", "expected"), SHOWN.values(), ids=SHOWN)
def test_examples_show_every_part(it: dict[str, Any], expected: list[Any]) -> None:
    assert bodies({"It": it}) == expected


NOWHERE = object()
SMALLEST: dict[str, tuple[dict[str, Any], Any]] = {
    "text or null": ({"type": ["string", "null"]}, ""),
    "a list": ({"type": "array", "items": NUMBER, "minItems": 2}, [0, 0]),
    "anything": ({}, {}),
    "the first of a choice": ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "string"}]}, 3),
    "a constant": ({"enum": ["red", "green"]}, "red"),
    "what is required": (an(a=NUMBER, may_b=NUMBER), {"a": 0}),
    "the first variant": (TAGGED, {"kind": "a"}),
    "a map": ({"type": "object", "additionalProperties": NUMBER}, {}),
    "itself": (an(s=ref("It")), NOWHERE),
    "a list of itself": ({"type": "array", "items": ref("It"), "minItems": 1}, NOWHERE),
    "two bases": (
        {"allOf": [an(a={"type": "integer", "minimum": 2}), an(a={}, b={"type": "string"})]},
        {"a": 2, "b": ""},
    ),
}


@pytest.mark.parametrize(("it", "expected"), SMALLEST.values(), ids=SMALLEST)
def test_the_smallest_value(it: dict[str, Any], expected: Any) -> None:
    found = Smallest(WireForms(schema_of({"It": it}))).value(Reference("It"))
    assert (NOWHERE if found is None else found.value) == expected


COLOR = ref("Color")
HELD: dict[str, tuple[dict[str, Any], Any]] = {
    "in a property": (an(a=COLOR, b=NUMBER), {"a": "blue", "b": 0}),
    "in an optional property": (an(may_a=COLOR, b=NUMBER), {"a": "blue", "b": 0}),
    "in a list": (an(a={"type": "array", "items": COLOR, "minItems": 2}), {"a": ["blue", "blue"]}),
    "in a tuple": (
        an(a={"type": "array", "prefixItems": [{"type": "null"}, COLOR], "items": {}}),
        {"a": [None, "blue"]},
    ),
    "in a map": ({"type": "object", "additionalProperties": COLOR}, {"key": "blue"}),
    "beside null": (an(a={"anyOf": [COLOR, {"type": "null"}]}), {"a": "blue"}),
    "in a variant": (
        {"oneOf": [an(kind={"const": "a"}), an(kind={"const": "b"}, c=COLOR)]},
        {"kind": "b", "c": "blue"},
    ),
    "nowhere": (an(a=NUMBER), NOWHERE),
}


@pytest.mark.parametrize(("it", "expected"), HELD.values(), ids=HELD)
def test_the_smallest_value_around_another(it: dict[str, Any], expected: Any) -> None:
    forms = WireForms(schema_of({"Color": {"enum": ["red"]}, "It": it}))
    found = Smallest(forms).holding(Reference("It"), "Color", "blue")
    assert (NOWHERE if found is None else found.value) == expected


NAMELESS: dict[str, tuple[dict[str, Any], str, str]] = {
    "a map as a base": (
        {"Rest": {"type": "object", "additionalProperties": NUMBER}, "It": {**an(), "allOf": [ref("Rest")]}},
        "/$defs/Rest",
        "expected an object here",
    ),
    "bases that exclude each other": (
        {"A": an(kind={"const": "a"}), "B": an(kind={"const": "b"}), "It": {"allOf": [ref("A"), ref("B")]}},
        "/$defs/It",
        "no object can satisfy all parts of this: no value is both one of 'a' and one of 'b'",
    ),
    "a tag without letters": (
        {"It": {"oneOf": [an(kind={"const": "--"}), an(kind={"const": "b"})]}},
        "/$defs/It/oneOf/0",
        "'--' cannot name a class",
    ),
    "a title without letters": (
        {"It": {"oneOf": [{**an(a={}), "title": "--"}, {**an(b={}), "title": "B"}]}},
        "/$defs/It/oneOf/0",
        "'--' cannot name a class",
    ),
    "neither tag nor title": (
        {"It": {"oneOf": [an(a={}), an(b={})]}},
        "/$defs/It/oneOf/0",
        "a variant without a constant of its own needs a `title` as its name",
    ),
    "a reserved method": (
        method("close", "Close", "Request", "Response"),
        "/$defs/CloseRequest",
        "the method 'close' would be `close` in Python, but the base classes already use this name",
    ),
    "a method outside ASCII": (
        method("a/x", "Grün", "Request", "Response"),
        "/$defs/GrünRequest",
        "the method 'a/x' contains characters outside ASCII, which cannot become a Python name",
    ),
}


@pytest.mark.parametrize(("definitions", "pointer", "problem"), NAMELESS.values(), ids=NAMELESS)
def test_what_gets_no_name(definitions: dict[str, Any], pointer: str, problem: str) -> None:
    with pytest.raises(ShapeError) as caught:
        settle(schema_of(definitions))
    assert (caught.value.pointer, str(caught.value)) == (pointer, problem)


# --- cycles ----------------------------------------------------------------------------------------------------------

EDGES = {"a": "bc", "b": "d", "c": "", "d": "be", "e": "e", "f": "gb", "g": "f", "h": "i", "i": "x", "j": "hc"}


def test_nodes_of_cycles_are_found_and_errors_are_raised_for_every_node_that_leads_there() -> None:
    asked: list[str] = []

    def edges(name: str) -> str:
        asked.append(name)
        if name == "x":
            raise LookupError(name)
        return EDGES[name]

    cycles = Cycles(edges)
    assert [name for name in "abcdefg" if name in cycles] == ["b", "d", "e", "f", "g"]
    for name in ("h", "i", "j", "h"):
        with pytest.raises(LookupError, match="x"):
            assert name in cycles
    assert "c" not in cycles
    assert "".join(asked) == "abdeeccafghixj"  # what leads nowhere or to itself is asked once more when it is closed


# --- requirements ----------------------------------------------------------------------------------------------------

REQUIRED = schema_of(
    {**method("wall/paint", "Paint", "Request", "Response"), "Color": {"type": "object", "properties": {"red": {}}}},
    **{
        "x-rfds": {"paint": {"title": "Paint", "stage": "draft"}, "old": {"title": "Old", "stage": "completed"}},
        "x-requirements": {
            "paint": {
                "dry": {"level": "must", "binds": "agent", "text": "It dries.", "on": ["wall/paint"]},
                "red": {
                    "level": "should",
                    "binds": "client",
                    "text": "It is red.",
                    "on": ["Color.red"],
                    "covered": {"rules": ["one-of-overlap"]},
                },
            },
            "old": {"age": {"level": "may", "binds": "both", "text": "It ages.", "on": ["PaintResponse"]}},
        },
    },
)


def test_requirements_are_found_by_subject_and_source() -> None:
    assert REQUIRED.requirements
    paint = REQUIRED.methods[0]
    assert [each.id for each in about_method(REQUIRED, paint)] == ["paint/dry", "old/age"]
    assert [each.id for each in about_definition(REQUIRED, "Color")] == ["paint/red"]
    assert [in_force(REQUIRED, each) for each in REQUIRED.requirements] == [False, False, True]
    assert (uncovered(REQUIRED, "paint"), uncovered(REQUIRED, "old")) == (("dry",), ("age",))


def test_requirements_are_data_and_name_what_is_there() -> None:
    red = next(each for each in REQUIRED.requirements if each.id == "paint/red")
    assert as_data(REQUIRED, red) == {
        "id": "paint/red",
        "source": "paint",
        "stage": "draft",
        "level": "should",
        "binds": "client",
        "on": ["Color.red"],
        "text": "It is red.",
        "covered": {"rules": ["one-of-overlap"]},
    }
    everywhere = replace(red, on=("wall/paint", "Color", "Color.red", "Color.blue", "Gone.red", "wall/gone"))
    assert list(dangling(REQUIRED, everywhere)) == ["Color.blue", "Gone.red", "wall/gone"]
    assert as_data(REQUIRED, replace(red, source="_vendor"))["stage"] is None
