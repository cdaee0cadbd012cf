"""The constructs that hold a type, each with a value: whatever walks through types has to reach what each of them holds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

TEXT = {"type": "string"}
NOTE = {"type": "object", "properties": {"n": TEXT}, "required": ["n"]}


def tagged(kind: str, **properties: Any) -> dict[str, Any]:
    """A variant of a union that `kind` tells apart."""
    return {
        "title": kind,
        "type": "object",
        "properties": {"kind": {"type": "string", "const": kind}, **properties},
        "required": ["kind", *properties],
    }


class Construct(NamedTuple):
    """A schema around a type, a JSON value around a value of that type, and the place of that value."""

    schema: Callable[[Any], Any]
    value: Callable[[Any], Any]
    place: str


CONSTRUCTS: dict[str, Construct] = {
    "required property": Construct(
        lambda held: {"type": "object", "properties": {"a": held}, "required": ["a"]}, lambda held: {"a": held}, ".a"
    ),
    "optional property": Construct(
        lambda held: {"type": "object", "properties": {"a": held}}, lambda held: {"a": held}, ".a"
    ),
    "property with a default": Construct(
        lambda held: {
            "type": "object",
            "properties": {
                "a": {"anyOf": [held, {"type": "null"}], "default": None, "x-deserialize-default-on-error": True}
            },
        },
        lambda held: {"a": held},
        ".a",
    ),
    "property of a base": Construct(
        lambda held: {
            "allOf": [{"type": "object", "properties": {"a": held}, "required": ["a"]}],
            "type": "object",
            "properties": {"b": TEXT},
        },
        lambda held: {"a": held},
        ".a",
    ),
    "items": Construct(lambda held: {"type": "array", "items": held}, lambda held: [held], "[0]"),
    "prefixItems": Construct(
        lambda held: {"type": "array", "prefixItems": [TEXT, held], "items": TEXT, "minItems": 2},
        lambda held: ["s", held, "s"],
        "[1]",
    ),
    "items after prefixItems": Construct(
        lambda held: {"type": "array", "prefixItems": [TEXT], "items": held, "minItems": 2},
        lambda held: ["s", held],
        "[1]",
    ),
    "values of a map": Construct(
        lambda held: {"type": "object", "additionalProperties": held}, lambda held: {"k": held}, "['k']"
    ),
    "additionalProperties beside properties": Construct(
        lambda held: {**NOTE, "additionalProperties": held}, lambda held: {"n": "s", "k": held}, ".extra['k']"
    ),
    "unevaluatedProperties beside a base": Construct(
        lambda held: {"allOf": [NOTE], "type": "object", "unevaluatedProperties": held},
        lambda held: {"n": "s", "k": held},
        ".extra['k']",
    ),
    "nullable": Construct(lambda held: {"anyOf": [held, {"type": "null"}]}, lambda held: held, ""),
    "variant of an untagged union": Construct(lambda held: {"anyOf": [TEXT, held]}, lambda held: held, ""),
    "variant of an exclusive union": Construct(lambda held: {"oneOf": [TEXT, held]}, lambda held: held, ""),
    "variant of a tagged union": Construct(
        lambda held: {"oneOf": [tagged("first", a=held), tagged("second")]},
        lambda held: {"kind": "first", "a": held},
        ".a",
    ),
    "unknown variant of an open union": Construct(
        lambda held: {
            "anyOf": [
                tagged("first"),
                {
                    "title": "other",
                    "type": "object",
                    "properties": {"kind": TEXT, "a": held},
                    "required": ["kind", "a"],
                    "not": {"properties": {"kind": {"const": "first"}}, "required": ["kind"]},
                },
            ]
        },
        lambda held: {"kind": "new", "a": held},
        ".a",
    ),
}
"""By what a schema calls them."""

CONSTRUCTS |= {
    f"items, then {name}": Construct(
        lambda held, c=construct: {"type": "array", "items": c.schema(held)},  # type: ignore[misc]
        lambda held, c=construct: [c.value(held)],  # type: ignore[misc]
        f"[0]{construct.place}",
    )
    for name, construct in CONSTRUCTS.items()
}
