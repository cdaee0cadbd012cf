"""Values of types, exactly: the samples of scalars, the smallest values, what messages cover, and new messages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.algebra.normal_form import WireForms
from codegen.model.instances.coverage import Shown
from codegen.model.instances.example_messages import Bodies, known_values
from codegen.model.instances.minimal import Smallest
from codegen.model.instances.samples import samples, scalars
from codegen.model.nodes.types import Anything, Boolean, Enumeration, Integer, Number, Reference, String, Type, Value

COLOURS = Enumeration(values=tuple(Value(constant=each, pointer="") for each in ("other", 2)))
HALVES, NEAR = [0.5, -0.5], [0, 1, -1]
SCALARS: list[tuple[Type, list[Type], list[Any]]] = [
    (String(), [], ["", "other"]),
    (String(min_length=2, max_length=3), [], ["", "other", "a", "aa", "aaa", "aaaa"]),
    (String(pattern="^a+$"), [], ["", "other", "a", "aa", "aaa"]),
    (
        String(pattern="^ab?$", min_length=3),
        [],
        ["", "other", "a", "ab", "aa", "aa", "ab", "aaa", "aaa", "abb", "aaaa", "aaaa", "abbb"],
    ),
    (String(), [Integer(minimum=3), String(max_length=2)], ["", "other", "a", "aa", "aaa"]),
    (Integer(minimum=3), [], [*NEAR, 3, 4, 2, *HALVES, 3.5, 2.5]),
    (Integer(above=3, maximum=5), [], [*NEAR, 5, 6, 4, 3, 4, 2, *HALVES, 5.5, 4.5, 3.5, 2.5]),
    (Integer(below=3), [Number(minimum=9)], [*NEAR, 3, 4, 2, 9, 10, 8, *HALVES, 3.5, 2.5, 9.5, 8.5]),
    (Number(multiple_of=0.5), [], [*NEAR, 0, 0.5, 1, 1.5, -1, -0.5, *HALVES]),
    (Integer(multiple_of=4), [], [*NEAR, 0, 4, 0, 4, -4, 0, 0, 4, 0, 4, -4, 0, *HALVES]),
    (Boolean(), [], [True, False]),
    (COLOURS, [], ["other", 2, "other", 2]),
    (String(), [COLOURS], ["", "other_", "other", 2]),
    (Anything(), [], [True, False, *NEAR, *HALVES, "", "other"]),
]


@pytest.mark.parametrize(("type_", "others", "expected"), SCALARS)
def test_the_samples_of_a_scalar_are_at_its_edges(type_: Type, others: list[Type], expected: list[Any]) -> None:
    assert repr([*scalars(type_, others)]) == repr(expected)  # 1 is not True


PATTERNS = {
    "^v[0-9]+$": ["v0", "v00", "v000"],
    "ab|cd|ef": ["ab", "cd", "ef"],
    "[^a]": ["b"],
    "[^a-zA-Z0_b-]": ["1"],
    "[^a-z]": ["A"],
    "[xy]{2,4}": ["xx", "xxx", "xxxx"],
    "(ab)?c": ["c", "abc"],
    r"\d\s\w": ["0 a"],
    r"\D": ["a"],
    r"[^\d]": ["a"],
    ".": ["a"],
    "é*?": ["", "é", "éé"],
    "a{1,}": ["a", "aa", "aaa"],
    "(?=a)a": [],
    "[": [],
}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_samples_of_a_pattern_match_it(pattern: str) -> None:
    assert samples(pattern) == PATTERNS[pattern]


TEXT = {"type": "string"}


def obj(*required: str, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": [*required]}


def variant(tag: str, **properties: Any) -> dict[str, Any]:
    return obj("kind", *properties, kind={"const": tag}, **properties)


def ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


NUMBERS = {
    "low": {"type": "integer", "minimum": 3},
    "high": {"type": "integer", "exclusiveMaximum": -4},
    "step": {"type": "integer", "multipleOf": 6, "minimum": 7},
    "half": {"type": "number", "exclusiveMinimum": 0, "exclusiveMaximum": 1},
    "long": {"type": "string", "minLength": 2},
    "pattern": {"type": "string", "pattern": "^v[0-9]+$"},
}
ARRAYS = {
    "two": {"type": "array", "items": TEXT, "minItems": 2},
    "pair": {"type": "array", "prefixItems": [TEXT, {"type": "integer"}], "minItems": 2},
    "any": {"type": "array"},
}
FREE = {
    "data": {},
    "at": {"type": "string", "format": "date-time"},
    "_meta": {"type": ["object", "null"], "additionalProperties": True},
}
METHOD = {"x-side": "agent", "x-method": "do"}
DEFINITIONS: dict[str, Any] = {
    "Numbers": obj(*NUMBERS, **NUMBERS),
    "Arrays": obj("two", "pair", **ARRAYS),
    "Tagged": {"oneOf": [variant("a", text=TEXT), variant("b", node=ref("Tagged"))]},
    "Open": {"oneOf": [variant("a"), {**obj("kind", kind=TEXT), "not": variant("a")}]},
    "Word": {"anyOf": [{"const": "red"}, {"const": "blue"}, TEXT]},
    "Endless": obj("again", again=ref("Endless")),
    "Stuck": obj("again", "map", again=ref("Endless"), map=ref("Map")),
    "Map": {"type": "object", "additionalProperties": {"type": "boolean"}},
    "Maybe": {"anyOf": [ref("Map"), {"type": "null"}]},
    "Free": obj(**FREE),
    "Rest": {
        **obj(
            maybe=ref("Maybe"),
            pair={"type": "array", "prefixItems": [ref("Word")], "items": {"anyOf": [{"const": "y"}, TEXT]}},
        ),
        "additionalProperties": ref("Word"),
    },
    "Either": {"anyOf": [TEXT, ref("Map")]},
    "Words": {"type": "object", "properties": {"key": TEXT}, "additionalProperties": ref("Word")},
    "Rows": {"type": "array", "prefixItems": [TEXT], "items": ref("Word"), "minItems": 3},
    "Pair": {"type": "array", "prefixItems": [TEXT, ref("Numbers"), ref("Word")], "minItems": 3},
    "Table": {"type": "object", "additionalProperties": ref("Word")},
    "DoRequest": {
        **obj("name", tagged=ref("Tagged"), open=ref("Open"), words={"type": "array", "items": ref("Word")}, name=TEXT),
        **METHOD,
    },
    "DoResponse": {
        **obj(maybe=ref("Maybe"), free=ref("Free"), numbers=ref("Numbers"), arrays=ref("Arrays")),
        **METHOD,
    },
}
SCHEMA, _ = load(parse(json.dumps({"$defs": DEFINITIONS}).encode(), "schema.json"))
FORMS = WireForms(SCHEMA)
NUMBERS_LEAST = {"low": 3, "high": -5, "step": 12, "half": 0.5, "long": "other", "pattern": "v0"}
SMALLEST = {
    "Numbers": NUMBERS_LEAST,
    "Arrays": {"two": ["", ""], "pair": ["", 0]},
    "Tagged": {"kind": "a", "text": ""},
    "Open": {"kind": "a"},
    "Word": "red",
    "Map": {},
    "Maybe": {},
    "Free": {},
    "Rest": {},
    "Either": "",
    "Words": {},
    "Rows": ["", "red", "red"],
    "Pair": ["", NUMBERS_LEAST, "red"],
    "Table": {},
    "DoRequest": {"name": ""},
    "DoResponse": {},
}


def test_the_smallest_value_of_each_definition() -> None:
    found = {name: Smallest(FORMS).value(Reference(name)) for name in DEFINITIONS}
    assert {name: witness.value for name, witness in found.items() if witness is not None} == SMALLEST


@pytest.mark.parametrize(
    ("outer", "inner", "expected"),
    [
        ("DoRequest", "Tagged", {"name": "", "tagged": {"x": 1}}),
        ("DoRequest", "Word", {"name": "", "words": [{"x": 1}]}),
        ("DoResponse", "Map", {"maybe": {"x": 1}}),
        ("Arrays", "Arrays", {"x": 1}),
        ("Maybe", "Map", {"x": 1}),
        ("DoRequest", "Numbers", None),
        ("Endless", "Map", None),
        ("Stuck", "Map", None),
        ("Either", "Map", {"x": 1}),
        ("Words", "Word", {"key_": {"x": 1}}),
        ("Rest", "Word", {"pair": [{"x": 1}]}),
        ("Table", "Word", {"key": {"x": 1}}),
        ("Rows", "Word", ["", {"x": 1}, {"x": 1}]),
        ("Pair", "Numbers", ["", {"x": 1}, "red"]),
        ("Pair", "Map", None),
    ],
)
def test_the_smallest_value_that_holds_another(outer: str, inner: str, expected: Any) -> None:
    found = Smallest(FORMS).holding(Reference(outer), inner, {"x": 1})
    assert (found.value if found is not None else None) == expected


ROOM = {"example.com/note": "Any JSON value."}
BODIES = [
    {"tagged": {"kind": "a", "text": "hi"}, "open": {"kind": "a"}, "words": ["red"], "name": "Ada"},
    {
        "tagged": {"kind": "b", "node": {"kind": "a", "text": ""}},
        "open": {"kind": "kind"},
        "words": ["blue"],
        "name": "Ada",
    },
    {"words": ["other"], "name": "Ada"},
    {
        "maybe": {"key": True},
        "free": {"data": ROOM, "at": "2026-01-31T12:00:00Z", "_meta": ROOM},
        "numbers": {"low": 3, "high": -5, "step": 12, "half": 0.5, "long": "long", "pattern": "v0"},
        "arrays": {"two": ["two", "two"], "pair": ["pair", 1, ROOM], "any": [ROOM]},
    },
    {"maybe": None},
]


def test_new_messages_cover_every_part_once_with_values_that_are_known() -> None:
    shown = Shown(FORMS, {"/$defs/Maybe"})
    ends = ["DoRequest", "DoResponse"]
    parts = shown.parts(ends)
    bodies = [*Bodies(shown, known_values([{"name": "Ada", "text": "hi"}])).showing(ends, parts)]
    assert [body.value for body in bodies] == BODIES
    assert sorted(key for body in bodies for key in body.shows) == sorted(parts)


def test_of_several_types_a_new_message_has_the_first() -> None:
    definitions = {
        "Count": {"type": "integer"},
        "DoRequest": {**obj("any", any={"anyOf": [ref("Count"), TEXT]}), **METHOD},
        "DoResponse": {**obj(), **METHOD},
    }
    schema, _ = load(parse(json.dumps({"$defs": definitions}).encode(), "schema.json"))
    shown = Shown(WireForms(schema), set())
    (body,) = Bodies(shown, known_values([])).showing(["DoRequest"], ["/$defs/DoRequest"])
    assert body.value == {"any": 1}


def test_what_a_message_covers_and_its_words() -> None:
    shown = Shown(FORMS, {"/$defs/Maybe"})
    message = {"name": "x", "tagged": {"kind": "b", "node": {"kind": "a", "text": ""}}, "words": ["red", "green"]}
    parts = shown.parts(["DoRequest"])
    covered = shown.by(Reference("DoRequest"), message)
    assert [part.words for key, part in parts.items() if key not in covered] == [
        "DoRequest.open",
        "Open",
        'the variant "a" of Open',
        "the variant number 1 of Open",
        "Open.kind",
        'the value "blue" of Word',
    ]
    assert [part.words for key, part in parts.items() if key in covered] == [
        "DoRequest",
        "DoRequest.tagged",
        "DoRequest.words",
        "DoRequest.name",
        "Tagged",
        'the variant "a" of Tagged',
        "Tagged.text",
        'the variant "b" of Tagged',
        "Tagged.node",
        "Word",
        'the value "red" of Word',
        "a value of Word that is not listed",
    ]


def test_nulls_extra_properties_and_items_of_maps_and_arrays_count() -> None:
    def covered(message: dict[str, Any]) -> set[str]:
        return {parts[key].words for key in shown.by(Reference("Rest"), message) if key in parts} - {"Rest"}

    shown = Shown(FORMS, {"/$defs/Maybe", "/$defs/Rest/properties/maybe"})
    parts = shown.parts(["Rest"])
    assert {key: part.pointer for key, part in parts.items() if key != part.pointer} == {
        "/$defs/Maybe/null": "/$defs/Maybe",
        "/$defs/Rest/properties/maybe/null": "/$defs/Rest/properties/maybe",
        "/$defs/Rest/properties/pair/items/anyOf/-": "/$defs/Rest/properties/pair/items/anyOf/0",
        "/$defs/Word/anyOf/-": "/$defs/Word/anyOf/0",
    }
    assert covered({"maybe": None}) == {"Rest.maybe as null", "Maybe as null"}
    assert covered({"maybe": {"maybe": True}}) == {"Rest.maybe", "Maybe", "Map"}
    assert covered({"more": "red", "maybe": {}}) == {"Rest.maybe", "Maybe", "Map", "Word", 'the value "red" of Word'}
    assert covered({"pair": ["red", "x"]}) == {
        "Rest.pair",
        "Word",
        'the value "red" of Word',
        "a value of Rest.pair that is not listed",
    }
    assert covered({"pair": ["blue"]}) == {"Rest.pair", "Word", 'the value "blue" of Word'}


def test_items_of_maps_count() -> None:
    assert Shown(FORMS).by(Reference("Table"), {"a": "blue"}) == {"/$defs/Table", "/$defs/Word", "/$defs/Word/anyOf/1"}


def test_the_values_of_other_messages_are_known_by_frequency() -> None:
    messages = [
        {"a": "", "_meta": {"x": 1}, "b": [{"a": "long"}, {"a": "ada"}]},
        {"a": "ada", "c": None, "d": {"a": "bo"}},
    ]
    assert known_values(messages) == {"a": ["ada", "bo", "long", ""], "_meta": [{"x": 1}], "c": []}
