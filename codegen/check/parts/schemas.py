"""What lints look at: a schema as JSON, and the same schema loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from ..document.jsonvalue import is_json_object
from ..document.read import Document
from ..document.walk import JsonNode, schemas
from ..model.types import (
    Definition,
    Enumeration,
    Field,
    Object,
    Schema,
    Type,
    Union,
    Value,
    Variant,
)
from ..model.walk import inner
from ..model.wireform import WireForms


class Raw(Struct, eq=False):
    """A schema document as JSON, envelopes left out."""

    document: Document
    nodes: list[JsonNode]
    definitions: dict[str, dict[str, Any]]

    @classmethod
    def of(cls, document: Document) -> Raw:
        """All schemas in a document."""
        root: dict[str, Any] = document.value if is_json_object(document.value) else {}
        found: dict[str, Any] = root.get("$defs", {})
        definitions = {
            name: node for name, node in found.items() if is_json_object(node) and node.get("x-docs-ignore") is not True
        }
        return cls(document, list(schemas(definitions, "/$defs", "schemas")), definitions)

    def own(self, pointer: str) -> bool:
        """Whether a part is in the schema itself and not in an extension to it."""
        return self.document.place(pointer)[0] == self.document.name


class Example(NamedTuple):
    """An example message: params or result of a method."""

    path: str
    definition: str
    value: Any

    @property
    def name(self) -> str:
        """What the example is called, without its folder and kind."""
        return self.path.rpartition("/")[2].removesuffix(".json").rpartition(".")[0]


class Loaded(Struct, eq=False):
    """A loaded schema with what lints ask of it. `annotated`: it says itself what gates what."""

    raw: Raw
    schema: Schema
    forms: WireForms
    annotated: bool
    base: Schema | None = None
    examples: list[Example] | None = None
    unknown_examples: list[str] = []
    folders: list[Path] = []
    """Where the tests are that the schema names: beside it, and beside its extensions."""

    def definitions(self) -> Iterator[Definition]:
        """All named types."""
        yield from self.schema.definitions.values()

    def types(self) -> Iterator[Type]:
        """Every type, inner ones too, references not followed."""
        for definition in self.definitions():
            yield from inner(definition.type)

    def fields(self) -> Iterator[Field]:
        """Every property that is declared with a schema of its own."""
        for type_ in self.types():
            if isinstance(type_, Object):
                yield from (field for field in type_.fields if _is_declared(field))

    def values(self) -> Iterator[Value]:
        """Every constant of an enumeration of several."""
        for type_ in self.types():
            if isinstance(type_, Enumeration) and (len(type_.values) > 1 or type_.base is not None):
                yield from type_.values

    def unions(self) -> Iterator[tuple[Definition, Union]]:
        """Every union, with the definition it is in."""
        for definition in self.definitions():
            for type_ in inner(definition.type):
                if isinstance(type_, Union):
                    yield definition, type_

    def variants(self) -> Iterator[Variant]:
        """Every variant of every union."""
        for _, union in self.unions():
            yield from union.variants


def _is_declared(field: Field) -> bool:
    """Whether a property has a schema, and is not only named in `required`."""
    return field.pointer.rpartition("/")[0].endswith("/properties")
