"""The classes of a schema: which of them msgspec tags by itself, and which names a side may not take."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.naming.leaves import ShapeError
from codegen.shape.method_table import rows
from codegen.shape.shaping import shape

WORDS = {"$ref": "#/$defs/Words"}
TAGGED = {"type": "object", "properties": {"kind": {"const": "words"}}, "required": ["kind"]}


def test_the_class_of_a_variant_writes_its_tag_by_itself() -> None:
    assert tag_of_words({}) == ("kind", "words")


@pytest.mark.parametrize(
    "used",
    [
        {"type": "object", "properties": {"alone": WORDS}},
        {"type": "array", "items": WORDS},
        {"anyOf": [WORDS, {"type": "null"}]},
        WORDS,
    ],
    ids=json.dumps,
)
def test_a_variant_that_is_also_used_alone_has_its_tag_as_a_field(used: Any) -> None:
    """There msgspec would not notice that the constant is missing."""
    assert tag_of_words({"Used": used}) is None


@pytest.mark.parametrize("used", [{"allOf": [WORDS]}, {"oneOf": [WORDS, {"type": "string"}]}], ids=json.dumps)
def test_neither_a_base_nor_a_variant_is_a_use_alone(used: Any) -> None:
    own = {"type": "object", "properties": {"size": {"type": "integer"}}} if "allOf" in used else {}
    assert tag_of_words({"Used": {**own, **used}}) == ("kind", "words")


@pytest.mark.parametrize(
    ("side", "problem"),
    [("models", "the package already has a module of that name"), ("robot", "the same name as the type Robot")],
)
def test_a_side_has_a_module_and_classes_of_its_own(side: str, problem: str) -> None:
    either = {"type": "object", "x-method": "stop", "x-side": "protocol"}
    ping = {"type": "object", "x-method": "ping", "x-side": side}
    definitions = {"Robot": TAGGED, "StopNotification": either, "PingNotification": ping}
    schema, _ = load(parse(json.dumps({"$defs": definitions}).encode(), "f.json"))
    with pytest.raises(ShapeError, match=problem):
        rows(schema, shape(schema))


def tag_of_words(definitions: dict[str, Any]) -> tuple[str, str] | None:
    """The tag of the class of Words, a variant of Block, in a schema with some more definitions."""
    other = {"type": "object", "properties": {"kind": {"const": "picture"}}, "required": ["kind"]}
    document = {"$defs": {"Words": TAGGED, "Block": {"oneOf": [WORDS, other]}, **definitions}}
    schema, _ = load(parse(json.dumps(document).encode(), "f.json"))
    return shape(schema).records["Words"].tag
