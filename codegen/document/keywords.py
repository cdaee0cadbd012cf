"""The tables of schema keywords and their allowed places. A keyword in none of these tables is an error."""

from __future__ import annotations

from typing import Final, Literal

from ..errors import meant

Place = Literal["definition", "property", "variant", "value", "inner"]

ANNOTATIONS: Final = frozenset(
    "title description examples deprecated readOnly writeOnly $comment discriminator".split()
)
"""OpenAPI's hint `discriminator` is ignored, because the variants themselves determine their discriminator."""

BY_TYPE: Final[dict[str, frozenset[str]]] = {
    "integer": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}),
    "number": frozenset({"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "format"}),
    "string": frozenset({"minLength", "maxLength", "pattern", "format", "contentEncoding", "contentMediaType"}),
    "array": frozenset({"items", "prefixItems", "minItems", "maxItems"}),
    "object": frozenset({"properties", "required", "additionalProperties", "unevaluatedProperties"}),
    "boolean": frozenset(),
    "null": frozenset(),
}

TYPED: Final = frozenset[str]().union(*BY_TYPE.values())

GENERAL: Final = frozenset({"type", "enum", "const", "$ref", "allOf", "anyOf", "oneOf", "not", "default"})

ROOT: Final = ANNOTATIONS | {"$id", "$schema", "$defs", "anyOf", "oneOf"}
"""`$id` and `$schema` are only allowed at the root. Inside, they would make validators read another document."""

DEFAULT_ON_ERROR: Final = "x-deserialize-default-on-error"
DEFAULT_ON_NULL: Final = "x-deserialize-default-on-null"
SKIP_INVALID: Final = "x-deserialize-skip-invalid-items"

# Extension keywords, and the places where they mean something.
EXTENSIONS: Final[dict[str, frozenset[str]]] = {
    "x-method": frozenset({"definition"}),
    "x-side": frozenset({"definition"}),
    "x-docs-ignore": frozenset({"definition", "variant"}),
    "x-idempotent": frozenset({"definition"}),
    "x-was": frozenset({"definition"}),
    "x-capability": frozenset({"definition", "property", "variant", "value"}),
    "x-rfd": frozenset({"definition", "property", "variant", "value"}),
    "x-deprecated": frozenset({"definition", "property", "variant", "value"}),
    "x-name": frozenset({"variant", "value"}),
    "x-update": frozenset({"property", "variant"}),
    "x-call": frozenset({"variant", "value"}),
    DEFAULT_ON_ERROR: frozenset({"property"}),
    DEFAULT_ON_NULL: frozenset({"property"}),
    SKIP_INVALID: frozenset({"property"}),
}

# Keywords of other dialects, and what to write here instead.
_ELSEWHERE: Final[dict[str, str]] = {
    "nullable": 'write "type": ["...", "null"], or anyOf with {"type": "null"}',
    "optional": "leave the property out of `required`",
    "definitions": "write `$defs`",
    **{name: f"write `${name}`" for name in ("comment", "ref", "defs", "id", "schema")},
    **dict.fromkeys(("$id", "$schema"), "remove it: only the root has one"),
    **dict.fromkeys(("values", "options"), "write `enum`"),
    **dict.fromkeys(
        ("dependentRequired", "dependentSchemas", "if", "then", "else"), "write variants in `oneOf` instead"
    ),
    **dict.fromkeys(("uniqueItems", "contains"), "remove it, and describe it in `description`"),
    "example": "write `examples`, a list",
    "patternProperties": "give all values one type with `additionalProperties`",
    "propertyNames": "a map takes any key",
    "additionalItems": "write `prefixItems` and `items`",
    "$defs": "move it to `$defs` at the root",
    "$anchor": "name a definition",
    "minProperties": "remove it, or list the required properties in `required`",
    "maxProperties": "remove it, or close the object with `additionalProperties: false`",
    "unevaluatedItems": "bound the array with `maxItems`",
    "min": "write `minimum`, `minLength` or `minItems`",
    "max": "write `maximum`, `maxLength` or `maxItems`",
}


def advice(keyword: str, value: object, known: frozenset[str]) -> str:
    """The suggestion for an unknown keyword with its value; empty if nothing is similar."""
    if keyword in _ELSEWHERE:
        return _ELSEWHERE[keyword]
    near = meant(keyword, sorted(known), 0.8, "did you mean `{}`?")
    return near or ("if it is a property, move it into `properties`" if isinstance(value, dict) else "")


def misspelt_extension(keyword: str) -> str:
    """The extension keyword that is most similar to an unknown one; empty if none is similar."""
    return meant(keyword, sorted(EXTENSIONS), 0.8)


ROOT_EXTENSIONS: Final = frozenset(
    """
    x-rfds x-requirements x-handshake x-cancel x-handles x-interrupt x-ordering x-permission x-remote x-reserved x-sessions x-lists
    x-trace x-tunnel x-updates
    """.split()
)

OURS: Final = ROOT_EXTENSIONS | {
    "x-call",
    "x-capability",
    "x-deprecated",
    "x-idempotent",
    "x-name",
    "x-rfd",
    "x-update",
    "x-was",
}
"""The keywords that this project adds to the published schema."""

RFD_TEXTS: Final = ("motivation", "champion", "document", "pullRequest")
"""Text properties of an RFD beside its title and stage."""
STAGES: Final = ("to-be-removed", "draft", "active", "preview", "completed")
"""The stages of an RFD in order. Only RFDs at the last stage are stable."""

LEVELS: Final = ("may", "should", "must")
"""The levels of requirements, the weakest first."""

BOUND: Final = ("agent", "client", "both")
"""The peers that a requirement may bind."""

COVERAGE: Final = ("examples", "rules", "tests", "probes")
"""Kinds of tests for a requirement: example messages, rules of `check` and `validate`, tests, cases of a probe."""
