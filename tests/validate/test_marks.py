"""What tells variants apart is the same for `validate`, which reads JSON, and for the model that the codec is made from."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from codegen.document.read import Document, parse, pointer_parts
from codegen.load.schema import load
from codegen.model.apart import marks_by_pointer
from codegen.validate.lenient import constants
from codegen.validate.protocol import Protocol

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


@pytest.mark.parametrize("document", [ours, several], ids=lambda made: made.__name__)
def test_the_constants_of_a_variant_are_those_of_the_model(document: Any) -> None:
    found, expected = {}, {}
    for pointer, marks in marks_by_pointer(load(document())[0]).items():
        node: Any = document().value
        for step in pointer_parts(pointer):
            node = node[int(step) if isinstance(node, list) else step]
        found[pointer] = constants(node, document().value["$defs"])
        expected[pointer] = dict(marks.constants)
    assert expected
    assert found == expected


def test_a_tag_of_a_variant_with_several_is_expected_beside_the_others() -> None:
    protocol = Protocol(several(), load(several())[0])
    assert protocol.valid("First", {"kind": "c"})
    (fault,) = protocol.faults("First", {"kind": "d"})
    assert fault.expected == '"a", "b" or "c"'


def test_a_lenient_reader_takes_a_tag_that_no_variant_has_where_one_has_several() -> None:
    protocol = Protocol(several(), load(several())[0], tolerant=True)
    assert protocol.valid("First", {"kind": "d"})
    assert not protocol.valid("First", {"kind": 5})
