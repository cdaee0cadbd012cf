"""Which keywords a schema may use, and where. What is in none of these tables is an error, never a guess."""

from __future__ import annotations

from typing import Final, Literal

Place = Literal["definition", "property", "variant", "value", "inner"]

ANNOTATIONS: Final = frozenset(
    {
        "title",
        "description",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "$comment",
        "$id",
        "$schema",
        # OpenAPI's hint; what tells variants apart is read off the variants themselves.
        "discriminator",
    }
)

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

ROOT: Final = ANNOTATIONS | {"$defs", "anyOf", "oneOf"}

DEFAULT_ON_ERROR: Final = "x-deserialize-default-on-error"
DEFAULT_ON_NULL: Final = "x-deserialize-default-on-null"
SKIP_INVALID: Final = "x-deserialize-skip-invalid-items"

# Extension keywords, and the places where they mean something.
EXTENSIONS: Final[dict[str, frozenset[str]]] = {
    "x-method": frozenset({"definition"}),
    "x-side": frozenset({"definition"}),
    "x-docs-ignore": frozenset({"definition", "variant"}),
    "x-capability": frozenset({"definition", "property", "variant", "value"}),
    "x-rfd": frozenset({"definition", "property", "variant", "value"}),
    DEFAULT_ON_ERROR: frozenset({"property"}),
    DEFAULT_ON_NULL: frozenset({"property"}),
    SKIP_INVALID: frozenset({"property"}),
}

ROOT_EXTENSIONS: Final = frozenset({"x-rfds", "x-handshake", "x-cancel", "x-ordering"})
