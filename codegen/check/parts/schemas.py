"""The arguments of lints: a schema as JSON, and the same schema loaded."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from ...document.json_types import is_json_object
from ...document.read import Document
from ...document.walk import JsonNode, references, schemas
from ...model.algebra.normal_form import WireForms
from ...model.nodes.capabilities import advertised
from ...model.nodes.types import Definition, Enumeration, Field, Object, Schema, Type, Union, Value, Variant
from ...model.nodes.walk import inner


class Raw(Struct, eq=False):
    """A schema document as JSON, without envelopes."""

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
        """Return whether a part is in the schema itself instead of an extension."""
        return self.document.place(pointer)[0] == self.document.name


class Example(NamedTuple):
    """An example message: params or result of a method."""

    path: str
    definition: str
    value: Any

    @property
    def name(self) -> str:
        """The name of the example, without its folder and kind."""
        return self.path.rpartition("/")[2].removesuffix(".json").rpartition(".")[0]


class Loaded(Struct, eq=False, dict=True):
    """A loaded schema with data for lints. `annotated`: it states its own gates."""

    raw: Raw
    schema: Schema
    forms: WireForms
    annotated: bool
    base: Schema | None = None
    examples: list[Example] | None = None
    unknown_examples: list[str] = []
    folders: list[Path] = []
    """The folders of the tests that the schema names: beside it, and beside its extensions."""
    texts: Mapping[str, str] = {}
    """The texts of RFDs beside the schema, by name."""
    rules: Collection[str] = ()
    """The ids of all rules."""

    def definitions(self) -> Iterator[Definition]:
        """All named types."""
        yield from self.schema.definitions.values()

    @cached_property
    def types(self) -> Sequence[Type]:
        """Every type, including inner ones. References are not followed."""
        return [type_ for definition in self.definitions() for type_ in inner(definition.type)]

    def fields(self) -> Iterator[Field]:
        """Every property with its own schema."""
        for type_ in self.types:
            if isinstance(type_, Object):
                yield from (field for field in type_.fields if _is_declared(field))

    def capabilities(self) -> Iterator[Field]:
        """Every property of advertised capabilities, without those for implementations."""
        handshake = self.schema.handshake
        waiting = [advertised(self.schema, side) for side in (handshake.capabilities if handshake is not None else ())]
        seen: set[str] = set()
        while waiting:
            type_ = waiting.pop(0)
            core = self.forms.core(type_) if type_ is not None else None
            for field in (
                self.forms.form(core).fields.values() if core is not None and self.forms.is_object(core) else ()
            ):
                if field.pointer not in seen and not field.name.startswith("_"):
                    seen.add(field.pointer)
                    waiting.append(field.type)
                    yield field

    def values(self) -> Iterator[Value]:
        """Every constant of enumerations with several."""
        for type_ in self.types:
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


def enveloped(document: Document) -> Iterator[str]:
    """The definitions that the JSON-RPC envelopes of a published file refer to."""
    for node in document.value.get("$defs", {}).values():
        if is_json_object(node) and node.get("x-docs-ignore") is True:
            yield from references(node)


def _is_declared(field: Field) -> bool:
    """Return whether a property has a schema, and is not only named in `required`."""
    return field.pointer.rpartition("/")[0].endswith("/properties")
