"""What walks through the types of a schema reaches what every construct holds: values, relations, messages, findings, pages."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.check.parts.phrases import in_words
from codegen.check.parts.schemas import Loaded, Raw
from codegen.check.rules.documentation import _sent_whole
from codegen.check.rules.values import _endless
from codegen.docsite.words import _objects
from codegen.document.read import Document, parse
from codegen.findings.finding import Finding
from codegen.load.schema import load
from codegen.model.algebra.change_kind import Kind
from codegen.model.algebra.conformance import fits
from codegen.model.algebra.normal_form import WireForms
from codegen.model.analysis.relation import relation
from codegen.model.instances.coverage import Shown
from codegen.model.instances.example_messages import Bodies
from codegen.model.instances.minimal import Smallest
from codegen.model.nodes.capabilities import gates_of
from codegen.model.nodes.types import Field, Reference, Schema
from codegen.model.nodes.walk import inner, members, references
from codegen.validate.values.schema import Protocol
from tests.codegen.check.demo import carried, compared

from .constructs import CONSTRUCTS, NOTE, TEXT, Construct, tagged
from .judge import Judge

EACH = pytest.mark.parametrize("construct", CONSTRUCTS.values(), ids=CONSTRUCTS)
INTEGER = {"type": "integer"}


def inside(**properties: Any) -> dict[str, Any]:
    """An object whose property `g` is what a consumer looks for."""
    return {"type": "object", "properties": {"g": TEXT, **properties}, "required": ["g"]}


def document(holder: Any, **definitions: Any) -> Document:
    return parse(json.dumps({"title": "T", "$defs": {"Holder": holder, **definitions}}).encode(), "schema.json")


def loaded(holder: Any, **definitions: Any) -> Schema:
    return load(document(holder, **definitions))[0]


REFERENCE = {"$ref": "#/$defs/Inner"}
HOLDER = Reference("Holder")


@EACH
def test_the_walk_finds_it(construct: Construct) -> None:
    schema = loaded(construct.schema(REFERENCE), Inner=inside(g={**TEXT, "x-capability": "gate"}))
    assert "Inner" in references(schema.definitions["Holder"].type)
    written = loaded(construct.schema(inside(g={**TEXT, "x-capability": "gate"})))
    assert [gate for gate, _ in gates_of(written)] == ["gate"]
    found = [part for type_ in inner(written.definitions["Holder"].type) for part in members(type_)]
    assert "g" in {part.name for part in found if isinstance(part, Field)}


@EACH
def test_its_value_decides_whether_the_whole_fits(construct: Construct) -> None:
    holder = construct.schema(REFERENCE)
    forms = WireForms(loaded(holder, Inner=inside()))
    judge = Judge({"$defs": {"Holder": holder, "Inner": inside()}})
    for held in ({"g": "x"}, {"g": 5}, {}):
        value = construct.value(held)
        assert fits(forms, HOLDER, value) == judge.accepts("Holder", value) == (held == {"g": "x"})


@EACH
def test_a_difference_in_it_is_a_difference_of_the_whole(construct: Construct) -> None:
    old, new = (loaded(construct.schema(inside(g=type_))) for type_ in (TEXT, INTEGER))
    found = relation(old, HOLDER, new, HOLDER)
    assert found.kind is not Kind.EQUAL
    assert relation(old, HOLDER, old, HOLDER).kind is Kind.EQUAL
    assert found.lost is not None
    assert fits(WireForms(old), HOLDER, found.lost.value)
    assert not fits(WireForms(new), HOLDER, found.lost.value)


@EACH
def test_the_smallest_value_with_it_holds_it(construct: Construct) -> None:
    forms = WireForms(loaded(construct.schema(REFERENCE), Inner=inside()))
    found = Smallest(forms).holding(HOLDER, "Inner", {"g": "here"})
    assert found is not None
    assert json.dumps({"g": "here"}) in json.dumps(found.value)
    assert fits(forms, HOLDER, found.value)


@EACH
def test_messages_show_it(construct: Construct) -> None:
    holder = construct.schema(inside())
    schema = loaded(holder)
    shown = Shown(WireForms(schema))
    (part,) = (
        part.pointer
        for type_ in inner(schema.definitions["Holder"].type)
        for part in members(type_)
        if isinstance(part, Field) and part.name == "g"
    )
    assert part in shown.parts(["Holder"])
    assert part in shown.by(HOLDER, construct.value({"g": "x"}))
    bodies = list(Bodies(shown, {}).showing(["Holder"], [part]))
    assert [part in body.shows for body in bodies] == [True]
    assert "g" in json.dumps(bodies[0].value)


def changed(construct: Construct, *, written: bool) -> list[Finding]:
    """What a check says where a property inside a construct takes something else."""
    found: list[Any] = []
    for type_ in (TEXT, INTEGER):
        held = inside(g=type_)
        holder = construct.schema(held if written else REFERENCE)
        found.append({**carried("agent_request", {"$ref": "#/$defs/Holder"}), "Holder": holder, "Inner": held})
    return [f for f in compared(*found) if f.example is not None]


@EACH
@pytest.mark.parametrize("written", [True, False], ids=["written there", "by name"])
def test_a_check_shows_a_break_in_it_by_a_message(construct: Construct, written: bool) -> None:
    findings = changed(construct, written=written)
    assert findings
    assert any("wall/paint" in f.example.carrier for f in findings if f.example is not None)


SENT = [
    name
    for name in CONSTRUCTS
    if any(word in name for word in ("propert", "items", "prefixItems", "map")) and "variant" not in name
]


@pytest.mark.parametrize("name", SENT)
def test_what_is_in_a_message_as_it_is_is_known(name: str) -> None:
    given = document(CONSTRUCTS[name].schema(REFERENCE), Inner=inside())
    schema, _ = load(given)
    assert "Inner" in _sent_whole(Loaded(Raw.of(given), schema, WireForms(schema), annotated=True))


@EACH
def test_a_gate_in_it_is_found_in_a_message(construct: Construct) -> None:
    gated = {**inside(), "properties": {"g": {**TEXT, "x-capability": "gate"}}}
    for holder in (construct.schema(gated), construct.schema(REFERENCE)):
        given = document(holder, Inner=gated)
        protocol = Protocol(given, load(given)[0])
        assert [(marker.gate, marker.texts) for marker in protocol.markers("Holder")] == [("gate", ("g",))]
        uses = [use for use in protocol.walker.uses("Holder", construct.value({"g": "x"})) if use.kind == "gated"]
        assert [(use.gate, use.path[-1]) for use in uses] == [("gate", "g")]
        assert not [use for use in protocol.walker.uses("Holder", construct.value({})) if use.kind == "gated"]


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_fault_in_it_is_told_and_a_key_that_nothing_declares(name: str) -> None:
    construct, is_open = CONSTRUCTS[name], "open union" in name
    given = document(construct.schema(REFERENCE), Inner=inside())
    for tolerant in (False, True):
        protocol = Protocol(given, load(given)[0], tolerant=tolerant)
        assert protocol.valid("Holder", construct.value({"g": "x"}))
        assert protocol.faults("Holder", construct.value({"g": "x"})) == []
        # Keys are free in unknown variants. Where `clean` says no it leaves the answer to the walker.
        assert protocol.clean("Holder", construct.value({"g": "x"})) or "unevaluated" in name
        assert protocol.clean("Holder", construct.value({"g": "x", "undeclared": 1})) == is_open
        keys = [u.path[-1] for u in protocol.walker.uses("Holder", construct.value({"g": "x", "undeclared": 1}))]
        assert keys == ["undeclared"]
    protocol = Protocol(given, load(given)[0])
    assert not protocol.valid("Holder", construct.value({"g": 5}))
    assert protocol.faults("Holder", construct.value({"g": 5}))


def test_the_first_items_have_places_of_their_own_where_others_are_skipped() -> None:
    array = {"type": "array", "prefixItems": [INTEGER], "items": TEXT, "x-deserialize-skip-invalid-items": True}
    given = document({"type": "object", "properties": {"list": array}})
    protocol = Protocol(given, load(given)[0], tolerant=True)
    assert protocol.valid("Holder", {"list": [1, 2, "a"]})
    assert not protocol.valid("Holder", {"list": ["a", "a"]})


# --- what the constructs do to one another --------------------------------------------------------------------------------


def test_variants_inside_variants_declare_properties_of_the_whole() -> None:
    nested = {"oneOf": [{**tagged("deep", b=INTEGER), "title": "deep"}, tagged("other")]}
    holder = {
        "type": "object",
        "properties": {"n": TEXT},
        "anyOf": [{"title": "one", "type": "object", "properties": {"c": INTEGER}, "required": ["c"], **nested}],
    }
    for keyword in (False, TEXT):
        closed = {**holder, "unevaluatedProperties": keyword}
        forms, judge = WireForms(loaded(closed)), Judge({"$defs": {"Holder": closed}})
        for value in (
            {"c": 1, "kind": "deep", "b": 2},
            {"c": 1, "kind": "other", "b": 2},
            {"c": 1, "kind": "deep", "b": 2, "x": "y"},
            {"c": 1, "kind": "deep", "b": 2, "x": 5},
        ):
            assert fits(forms, HOLDER, value) == judge.accepts("Holder", value), (keyword, value)


def test_the_properties_of_a_variant_do_not_show_undeclared_ones() -> None:
    variants = {"oneOf": [tagged("first", a=INTEGER), tagged("second")]}
    schema = loaded({"type": "object", "unevaluatedProperties": inside(), **variants})
    shown = Shown(WireForms(schema))
    undeclared = "/$defs/Holder/unevaluatedProperties/properties/g"
    assert undeclared in shown.parts(["Holder"])
    assert undeclared not in shown.by(HOLDER, {"kind": "first", "a": 1})
    assert undeclared in shown.by(HOLDER, {"kind": "first", "a": 1, "k": {"g": "x"}})


def test_only_items_that_must_be_there_lead_to_an_object_without_end() -> None:
    itself = {"type": "array", "prefixItems": [REFERENCE], "items": {"$ref": "#/$defs/Holder"}, "minItems": 1}
    endless = inside(again={"$ref": "#/$defs/Inner"})
    endless["required"].append("again")
    given = document({"type": "object", "properties": {"a": itself}, "required": ["a"]}, Inner=endless)
    schema, _ = load(given)
    hits = list(_endless(Loaded(Raw.of(given), schema, WireForms(schema), annotated=True)))
    assert [hit.pointer for hit in hits] == ["/$defs/Inner/properties/again"]


def test_an_array_is_put_into_words_with_its_first_items() -> None:
    schema = loaded({"type": "array", "prefixItems": [INTEGER], "items": TEXT})
    assert in_words(schema.definitions["Holder"].type) == "an array of integer, string"


UNDECLARED = {
    "any, then typed": (NOTE, {**NOTE, "additionalProperties": TEXT}, "property-type-narrowed"),
    "typed, then any": ({**NOTE, "additionalProperties": TEXT}, NOTE, "property-type-widened"),
    "kept, then typed": (
        {**NOTE, "additionalProperties": True},
        {**NOTE, "additionalProperties": TEXT},
        "property-type-narrowed",
    ),
    "a free object, then a map": (
        {"type": "object"},
        {"type": "object", "additionalProperties": TEXT},
        "property-type-narrowed",
    ),
}


@pytest.mark.parametrize(("old", "new", "rule"), UNDECLARED.values(), ids=UNDECLARED)
def test_a_check_finds_what_becomes_of_undeclared_properties(old: Any, new: Any, rule: str) -> None:
    color = {"$ref": "#/$defs/Holder"}
    found = compared(*({**carried("agent_request", color), "Holder": holder} for holder in (old, new)))
    assert [f.rule for f in found if f.rule.startswith(rule)]


def test_what_is_undeclared_is_shown_by_a_message_that_its_sender_takes() -> None:
    color = {"$ref": "#/$defs/Holder"}
    sides = [{**NOTE, "additionalProperties": extra} for extra in (INTEGER, False)]
    found = compared(*({**carried("agent_request", color), "Holder": holder} for holder in sides))
    (example,) = (f.example for f in found if f.rule == "additional-properties-closed")
    assert example is not None
    assert fits(WireForms(loaded(sides[0])), HOLDER, example.message["color"])


INLINE = ("items", "prefixItems", "items after prefixItems", "values of a map", "nullable", "items, then prefixItems")


@pytest.mark.parametrize("name", INLINE)
def test_a_page_lists_the_properties_of_what_is_written_inside_a_property(name: str) -> None:
    schema = loaded(CONSTRUCTS[name].schema(inside()))
    (found,) = _objects(schema.definitions["Holder"].type)
    assert [member.name for member in members(found) if isinstance(member, Field)] == ["g"]
