"""What tells variants apart is decided by the model; `validate`, which reads JSON, finds it by node."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from codegen.document.read import Document, parse, pointer_parts
from codegen.load.schema import load
from codegen.model.algebra.discriminators import marks_by_pointer
from codegen.validate.values.lenient_schema import NodeMarks, lenient
from codegen.validate.values.schema import Protocol

from .support import ROOT


def variant(title: str, *values: str) -> dict[str, Any]:
    tag = {"type": "string", "const": values[0]} if len(values) == 1 else {"type": "string", "enum": list(values)}
    return {"title": title, "type": "object", "properties": {"kind": tag}, "required": ["kind"]}


FIRST = {"description": "A union.", "oneOf": [variant("One", "a"), variant("Two", "b", "c")]}


@cache
def several() -> Document:
    """A union one variant of which has two tags."""
    return parse(json.dumps({"title": "T", "$defs": {"First": FIRST}}).encode(), "s.json")


@cache
def ours() -> Document:
    return parse((ROOT / "schema.json").read_bytes(), "schema.json")


def at(value: Any, pointer: str) -> Any:
    for step in pointer_parts(pointer):
        value = value[int(step) if isinstance(value, list) else step]
    return value


@pytest.mark.parametrize("document", [ours, several], ids=lambda made: made.__name__)
def test_the_constants_of_a_variant_are_those_of_the_model(document: Any) -> None:
    definitions, marks = document().value["$defs"], marks_by_pointer(load(document())[0])
    nodes = NodeMarks(load(document())[0], definitions)
    assert marks
    assert {pointer: nodes.of(at(document().value, pointer)) for pointer in marks} == marks


def test_a_node_that_a_lenient_reader_sees_has_the_marks_of_the_written_one() -> None:
    definitions = several().value["$defs"]
    nodes = NodeMarks(load(several())[0], definitions)
    variants = lenient(definitions, nodes)["First"]["oneOf"]
    assert [dict(constants) for constants in nodes.all(variants)] == [{"kind": ("a",)}, {"kind": ("b", "c")}, {}]


def test_a_reference_has_the_marks_of_what_it_leads_to_and_a_circle_none() -> None:
    definitions = {
        "One": variant("One", "a"),
        "Ring": {"$ref": "#/$defs/Round"},
        "Round": {"$ref": "#/$defs/Ring"},
    }
    document = parse(json.dumps({"title": "T", "$defs": {"One": definitions["One"]}}).encode(), "s.json")
    nodes = NodeMarks(load(document)[0], definitions)
    assert dict(nodes.of({"$ref": "#/$defs/One"}).constants) == {"kind": ("a",)}
    assert dict(nodes.of(definitions["Ring"]).constants) == {}
    assert dict(nodes.of(True).constants) == {}


def test_a_tag_of_a_variant_with_several_is_expected_beside_the_others() -> None:
    protocol = Protocol(several(), load(several())[0])
    assert protocol.valid("First", {"kind": "c"})
    (fault,) = protocol.faults("First", {"kind": "d"})
    assert fault.expected == '"a", "b" or "c"'


def test_a_string_that_the_fast_validator_has_no_room_for_is_judged_by_the_other() -> None:
    document = parse(b'{"title": "T", "$defs": {"Name": {"type": "string", "maxLength": 3}}}', "s.json")
    protocol = Protocol(document, load(document)[0])
    assert protocol.valid("Name", "\ud800")
    assert not protocol.valid("Name", "\ud800four")


def test_a_lenient_reader_takes_a_tag_that_no_variant_has_where_one_has_several() -> None:
    protocol = Protocol(several(), load(several())[0], tolerant=True)
    assert protocol.valid("First", {"kind": "d"})
    assert not protocol.valid("First", {"kind": 5})
