"""What can never be sent: which required properties count as declared, and which chains of them never end."""

from __future__ import annotations

import pytest

from codegen.check.command import _load
from codegen.check.lint.lint import lint
from codegen.document.read import parse

from .demo import Node, document

NAME: Node = {"name": {"type": "string"}}


def tripped(rule: str, definitions: Node) -> list[str]:
    """The pointers at which a rule finds something."""
    read = parse(document(definitions), "schema.json")
    return [finding.pointer for finding in lint(read, _load(read)) if finding.id == rule]


def record(properties: Node | None = None, **more: object) -> Node:
    return {"type": "object", "properties": properties or {}, **more}


DECLARED = {
    "by the definition that a reference names": {
        "A": record(NAME),
        "B": {"$ref": "#/$defs/A", "type": "object", "required": ["name"]},
    },
    "by another part of the whole": {"B": {"allOf": [record(NAME), record(required=["name"])]}},
    "by the object around a variant": {
        "B": {**record(NAME), "anyOf": [{"title": "x", **record(required=["name"])}, {"title": "y", **record()}]}
    },
    "by every variant of a union beside it": {
        "B": {
            "type": "object",
            "required": ["name"],
            "oneOf": [{"title": "x", **record(NAME)}, {"title": "y", **record(NAME)}],
        }
    },
    "by whoever builds on the definition": {
        "A": record(required=["name"]),
        "B": {"allOf": [{"$ref": "#/$defs/A"}], **record(NAME)},
    },
}


@pytest.mark.parametrize("definitions", DECLARED.values(), ids=DECLARED.keys())
def test_a_required_property_may_be_declared(definitions: Node) -> None:
    assert tripped("required-undeclared", definitions) == []


UNDECLARED = {
    "in another variant only": (
        {"B": {"oneOf": [{"title": "x", **record(NAME)}, {"title": "y", **record(required=["name"])}]}},
        "/$defs/B/oneOf/1/required/0",
    ),
    "in a property of that object only": (
        {"B": record({"inside": record(NAME)}, required=["name"])},
        "/$defs/B/required/0",
    ),
    "in what holds the object only": (
        {"B": record({**NAME, "inside": record(required=["name"])})},
        "/$defs/B/properties/inside/required/0",
    ),
}


@pytest.mark.parametrize(("definitions", "pointer"), UNDECLARED.values(), ids=UNDECLARED.keys())
def test_a_required_property_is_not_declared_elsewhere(definitions: Node, pointer: str) -> None:
    assert tripped("required-undeclared", definitions) == [pointer]


A: Node = {"$ref": "#/$defs/A"}
ENDLESS = {
    "through itself": {"A": record({"a": A}, required=["a"])},
    "through another": {
        "A": record({"b": {"$ref": "#/$defs/B"}}, required=["b"]),
        "B": record({"a": A}, required=["a"]),
    },
    "through an array that is never empty": {
        "A": record({"a": {"type": "array", "items": A, "minItems": 1}}, required=["a"])
    },
    "through every variant": {
        "A": record(
            {"a": {"oneOf": [{"title": "x", **A}, {"title": "y", **record({"b": A}, required=["b"])}]}}, required=["a"]
        )
    },
}


@pytest.mark.parametrize("definitions", ENDLESS.values(), ids=ENDLESS.keys())
def test_required_properties_without_end_are_told_once(definitions: Node) -> None:
    assert len(tripped("required-endless", definitions)) == 1


FINITE = {
    "through null": {"A": record({"a": {"anyOf": [A, {"type": "null"}]}}, required=["a"])},
    "through an empty array": {"A": record({"a": {"type": "array", "items": A}}, required=["a"])},
    "through an empty map": {"A": record({"a": {"type": "object", "additionalProperties": A}}, required=["a"])},
    "through absence": {"A": record({"a": A})},
    "through another variant": {
        "A": record({"a": {"oneOf": [{"title": "x", **A}, {"title": "y", "type": "string"}]}}, required=["a"])
    },
}


@pytest.mark.parametrize("definitions", FINITE.values(), ids=FINITE.keys())
def test_required_properties_may_end(definitions: Node) -> None:
    assert tripped("required-endless", definitions) == []
