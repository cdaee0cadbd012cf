"""`relation` of two types: its kind, and a witness that one side takes and the other refuses."""

from __future__ import annotations

import itertools
import json
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.model.algebra.normal_form import WireForms
from codegen.model.analysis.relation import Kind, Relation, Relations, relation
from codegen.model.instances.minimal import Witness
from codegen.model.nodes.types import Reference, Schema

from ...conftest import Package

Node = dict[str, Any]


def loaded(root: Node, **definitions: Node) -> tuple[Node, Schema]:
    value = {"title": "Demo", "$defs": {"Root": root, **definitions}}
    schema, _ = load(parse(json.dumps(value).encode(), "schema.json"))
    return value, schema


def related(old: Node, new: Node, **definitions: Node) -> Relation:
    """How two types are related that are beside the same definitions."""
    (_, before), (_, after) = loaded(old, **definitions), loaded(new, **definitions)
    return relation(before, Reference("Root"), after, Reference("Root"))


def thing(required: str = "", *, closed: bool = False, **properties: Node) -> Node:
    more = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": properties, "required": required.split(), **more}


def choice(*variants: Node, word: str = "oneOf") -> Node:
    return {word: [{"title": f"Case{index}", **variant} for index, variant in enumerate(variants)]}


STRING, INTEGER, NUMBER, NULL = ({"type": name} for name in ("string", "integer", "number", "null"))
TEXT, BLOB = thing("kind", kind={"const": "text"}, text=STRING), thing("kind data", kind={"const": "blob"}, data=STRING)
OPEN = {
    "type": "object",
    "properties": {"kind": {"type": "string"}},
    "required": ["kind"],
    "not": {"properties": {"kind": {"enum": ["text"]}}, "required": ["kind"]},
}
TREE = thing(children={"type": "array", "items": {"$ref": "#/$defs/Tree"}})
MISSING = object()

CASES: dict[str, tuple[Node, Node, str, Any, Any]] = {
    "one type": (STRING, STRING, "equal", MISSING, MISSING),
    "another kind": (STRING, INTEGER, "disjoint", "", 0),
    "null beside it": (STRING, {"type": ["string", "null"]}, "wider", MISSING, None),
    "null gone": ({"type": ["string", "null"]}, STRING, "narrower", None, MISSING),
    "integers are numbers": (INTEGER, NUMBER, "wider", MISSING, 0.5),
    "any value": (STRING, {}, "wider", MISSING, None),
    "a least length": (STRING, {"type": "string", "minLength": 2}, "narrower", "", MISSING),
    "a greatest length": ({"type": "string", "maxLength": 2}, STRING, "wider", MISSING, "other"),
    "lengths that meet": (
        {"type": "string", "maxLength": 2},
        {"type": "string", "minLength": 2},
        "overlapping",
        "",
        "other",
    ),
    "lengths that do not": (
        {"type": "string", "maxLength": 1},
        {"type": "string", "minLength": 2},
        "disjoint",
        "",
        "other",
    ),
    "a pattern": (STRING, {"type": "string", "pattern": "^[0-9]{3}$"}, "narrower", "", MISSING),
    "a lower bound": ({"type": "integer", "minimum": 0}, {"type": "integer", "minimum": 1}, "narrower", 0, MISSING),
    "a bound of its own": (
        {"type": "integer", "exclusiveMinimum": 0},
        {"type": "integer", "minimum": 1},
        "equal",
        MISSING,
        MISSING,
    ),
    "multiples": ({"type": "integer", "multipleOf": 2}, {"type": "integer", "multipleOf": 3}, "overlapping", 2, 3),
    "a value less": ({"enum": ["a", "b"]}, {"enum": ["a"]}, "narrower", "b", MISSING),
    "a value more": ({"enum": ["a"]}, {"enum": ["a", "b"]}, "wider", MISSING, "b"),
    "other values": ({"enum": ["a"]}, {"enum": ["b"]}, "disjoint", "a", "b"),
    "some values else": ({"enum": ["a", "b"]}, {"enum": ["b", "c"]}, "overlapping", "a", "c"),
    "values, opened": ({"enum": ["a"]}, {"anyOf": [{"const": "a"}, STRING]}, "wider", MISSING, ""),
    "true is not a 1": ({"enum": [1, "x"]}, {"enum": [True, "x"]}, "overlapping", 1, True),
    "one of two scalars": (STRING, choice(INTEGER, STRING), "wider", MISSING, 0),
    "items": ({"type": "array", "items": STRING}, {"type": "array", "items": INTEGER}, "overlapping", [""], [0]),
    "one item at least": (
        {"type": "array", "items": STRING},
        {"type": "array", "items": STRING, "minItems": 1},
        "narrower",
        [],
        MISSING,
    ),
    "two items at most": (
        {"type": "array", "items": STRING},
        {"type": "array", "items": STRING, "maxItems": 2},
        "narrower",
        ["", "", ""],
        MISSING,
    ),
    "items of which no array is short enough": (
        {"type": "array", "items": STRING, "minItems": 1},
        {"type": "array", "items": INTEGER, "minItems": 1},
        "disjoint",
        [""],
        [0],
    ),
    "a property less": (thing(a=STRING), thing(), "equal", MISSING, MISSING),
    "a property more, which a closed object refuses": (
        thing(closed=True),
        thing(a=STRING, closed=True),
        "wider",
        MISSING,
        {"a": ""},
    ),
    "a property of another type": (thing(a=STRING), thing(a=INTEGER), "overlapping", {"a": ""}, {"a": 0}),
    "a required one of another type": (thing("a", a=STRING), thing("a", a=INTEGER), "disjoint", {"a": ""}, {"a": 0}),
    "a property became required": (thing(a=STRING), thing("a", a=STRING), "narrower", {}, MISSING),
    "a map and what it holds": (
        {"type": "object", "additionalProperties": STRING},
        {"type": "object", "additionalProperties": INTEGER},
        "overlapping",
        {"key": ""},
        {"key": 0},
    ),
    "an object that nobody puts anything into": ({"type": "object"}, thing(a=STRING), "equal", MISSING, MISSING),
    "a free map with one property typed": (
        {"type": "object", "additionalProperties": True},
        thing(a=STRING),
        "narrower",
        {"a": None},
        MISSING,
    ),
    "a variant more": (choice(TEXT), choice(TEXT, BLOB), "wider", MISSING, {"kind": "blob", "data": ""}),
    "a variant less": (choice(TEXT, BLOB), choice(TEXT), "narrower", {"kind": "blob", "data": ""}, MISSING),
    "a property of one variant": (
        choice(TEXT, BLOB),
        choice(thing("kind text", kind={"const": "text"}, text=STRING), BLOB),
        "narrower",
        {"kind": "text"},
        MISSING,
    ),
    "a union that is open": (choice(TEXT), choice(TEXT, OPEN), "wider", MISSING, {"kind": ""}),
    "two of three untagged": (
        thing(a={"type": ["integer", "string"]}, b={"type": ["integer", "string"]}),
        choice(thing(a=INTEGER), thing(a=STRING, b=INTEGER), word="anyOf"),
        "narrower",
        {"a": "", "b": ""},
        MISSING,
    ),
    "a tree": (TREE, {"$ref": "#/$defs/Tree"}, "equal", MISSING, MISSING),
    "trees with something in them": (
        {"$ref": "#/$defs/Tree"},
        thing(children={"type": "array", "items": {"$ref": "#/$defs/Leafy"}}),
        "overlapping",
        {"children": [{"children": [{}]}]},
        {"children": [{"children": [""]}]},
    ),
}
TREES = {"Tree": TREE, "Leafy": thing(children={"type": "array", "items": STRING})}


@pytest.mark.parametrize(("old", "new", "kind", "lost", "gained"), CASES.values(), ids=CASES)
def test_a_relation_has_a_kind_and_the_smallest_witnesses(
    old: Node, new: Node, kind: str, lost: Any, gained: Any
) -> None:
    found = related(old, new, **TREES)
    shown = [MISSING if witness is None else witness.value for witness in (found.lost, found.gained)]
    assert (found.kind.value, *shown) == (kind, lost, gained)
    assert [type(value) for value in shown] == [type(value) for value in (lost, gained)], "true is not a 1"


@pytest.mark.parametrize(("old", "new", "kind"), [case[:3] for case in CASES.values()], ids=CASES)
def test_types_are_disjoint_if_their_relation_is(old: Node, new: Node, kind: str) -> None:
    (_, before), (_, after) = loaded(old, **TREES), loaded(new, **TREES)
    root = Reference("Root")
    assert Relations(WireForms(before), WireForms(after)).disjoint(root, root) is (kind == "disjoint")


def test_null_alone_is_a_value() -> None:
    found = related(NULL, STRING)
    assert (found.kind, found.lost, found.gained) == (Kind.DISJOINT, Witness(None), Witness(""))


_MIRRORED = {Kind.NARROWER: Kind.WIDER, Kind.WIDER: Kind.NARROWER}


@pytest.mark.parametrize(("old", "new"), [case[:2] for case in CASES.values()], ids=CASES)
def test_a_relation_read_backwards_is_its_mirror(old: Node, new: Node) -> None:
    forth, back = related(old, new, **TREES), related(new, old, **TREES)
    assert back.kind is _MIRRORED.get(forth.kind, forth.kind)
    assert (back.lost, back.gained) == (forth.gained, forth.lost)


# --- every witness is one ---------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["a", "b", "c"])
BOUNDS = st.integers(-3, 6)
SCALARS = st.one_of(
    st.sampled_from([STRING, NUMBER, {"type": "boolean"}, {"type": ["string", "null"]}]),
    st.builds(
        lambda n, m: {"type": "string", "minLength": n, "maxLength": n + m}, st.integers(0, 3), st.integers(0, 3)
    ),
    st.builds(lambda n, m: {"type": "integer", "minimum": n, "maximum": n + m}, BOUNDS, st.integers(0, 5)),
    st.builds(lambda n, m: {"type": "number", "exclusiveMinimum": n, "multipleOf": m}, BOUNDS, st.integers(1, 3)),
    st.builds(
        lambda p: {"type": "string", "pattern": p}, st.sampled_from(["^[ab]+$", "^x-", "[0-9]{2}", "^(on|off)$"])
    ),
    st.builds(
        lambda v: {"enum": v}, st.lists(st.sampled_from(["a", "b", "c", 1, 2]), min_size=1, max_size=3, unique=True)
    ),
    st.builds(
        lambda v: {"anyOf": [{"const": c} for c in v] + [STRING]}, st.lists(NAMES, min_size=1, max_size=2, unique=True)
    ),
)


def composed(inner: st.SearchStrategy[Node]) -> st.SearchStrategy[Node]:
    properties = st.dictionaries(NAMES, inner, max_size=3)
    objects = st.builds(
        lambda p, r, c: {
            "type": "object",
            "properties": p,
            "required": sorted(set(p) & r),
            **({"additionalProperties": False} if c else {}),
        },
        properties,
        st.sets(NAMES),
        st.booleans(),
    )
    tagged = st.builds(
        lambda each: {
            "oneOf": [
                {"type": "object", "properties": {"tag": {"const": tag}, **p}, "required": ["tag"]}
                for tag, p in each.items()
            ]
        },
        st.dictionaries(st.sampled_from(["x", "y", "z"]), properties, min_size=1, max_size=3),
    )
    arrays = st.builds(
        lambda i, n, m: {"type": "array", "items": i, "minItems": n, "maxItems": n + m},
        inner,
        st.integers(0, 2),
        st.integers(0, 2),
    )
    return st.one_of(
        objects,
        objects,
        tagged,
        arrays,
        st.builds(lambda i: {"type": "object", "additionalProperties": i}, inner),
        st.builds(lambda i: {"anyOf": [i, NULL]}, inner),
        st.builds(lambda i: {"type": "object", "properties": {"a": {"$ref": "#/$defs/Other"}, "b": i}}, inner),
        st.builds(
            lambda i: {
                "anyOf": [{"title": "One", **i}, {"title": "Two", "type": "array", "items": {"$ref": "#/$defs/Root"}}]
            },
            inner,
        ),
    )


NODES = st.recursive(SCALARS, composed, max_leaves=5)
OTHERS = st.one_of(SCALARS, st.just(thing(next={"$ref": "#/$defs/Root"})), st.just({"$ref": "#/$defs/Root"}))


@cache
def _read(text: str) -> tuple[Node, Schema] | None:
    definitions = json.loads(text)
    try:
        return loaded(definitions.pop("Root"), **definitions)
    except SchemaError:
        return None


@settings(max_examples=400, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(NODES, NODES, OTHERS, OTHERS)
def test_every_witness_is_taken_by_the_one_and_refused_by_the_other(
    old: Node, new: Node, other: Node, another: Node
) -> None:
    sides = [
        _read(json.dumps({"Root": root, "Other": more}, sort_keys=True))
        for root, more in ((old, other), (new, another))
    ]
    assume(None not in sides)
    (before, first), (after, second) = (side for side in sides if side is not None)
    found = relation(first, Reference("Root"), second, Reference("Root"))
    judges = [Draft202012Validator({**side, "$ref": "#/$defs/Root"}) for side in (before, after)]
    for witness, taker, refuser in ((found.lost, *judges), (found.gained, *reversed(judges))):
        if witness is not None:
            assert taker.is_valid(witness.value), witness
            assert not refuser.is_valid(witness.value), witness


# --- the generated decoders agree --------------------------------------------------------------------------------------------

SHAPES: dict[str, Node] = {
    **{f"Old{index}": old for index, (old, *_) in enumerate(CASES.values())},
    **{f"New{index}": new for index, (_, new, *_) in enumerate(CASES.values())},
}


def test_every_witness_is_decoded_by_the_one_type_and_refused_by_the_other(package: Package) -> None:
    """All types of the table are in one package; each is compared with every other of the table."""
    holders = {f"{name}Holder": thing("value", value={"$ref": f"#/$defs/{name}"}) for name in SHAPES}
    made = package({"title": "Demo", "$defs": {**SHAPES, **TREES, **holders}})
    _, schema = loaded({}, **SHAPES, **TREES)
    relations = Relations(WireForms(schema), WireForms(schema))

    def decodes(name: str, value: Any) -> bool:
        try:
            made.decode(getattr(made, f"{name}Holder"), json.dumps({"value": value}).encode(), strict=True)
        except msgspec.ValidationError:
            return False
        return True

    wrong = [
        (taker, refuser, witness.value)
        for old, new in itertools.product(SHAPES, SHAPES)
        for found in [relations.between(Reference(old), Reference(new))]
        for witness, taker, refuser in ((found.lost, old, new), (found.gained, new, old))
        if witness is not None and not (decodes(taker, witness.value) and not decodes(refuser, witness.value))
    ]
    assert wrong == []
