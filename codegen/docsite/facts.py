"""Facts about methods, capabilities and RFDs that their pages show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from markupsafe import Markup

from ..check.completion import Completion
from ..contracts import MESSAGES, split
from ..errors import SchemaError
from ..findings.cascades import grouped
from ..findings.finding import Finding
from ..model.nodes.capabilities import resolve_gate
from ..model.nodes.root import Requirement
from ..model.nodes.types import Definition, Enumeration, Field, Method, Reference, Value, Variant
from ..model.nodes.walk import inner, members
from ..shape.error_codes import error_codes
from .book import Book, Capability
from .text import code, said
from .urls import anchor_of

_CODE = re.compile(r"-3[0-9]{4}\b")
_CANNOT, _TOO_DEEP = "The comparison failed: ", "its types refer to each other too deeply."
Key = tuple[str, str]
Part = tuple[str, Field | Variant | Value, int]
"""A property, variant or constant with its definition and position."""


class Facts:
    """Cross-references between the parts of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.codes = {**MESSAGES, **{each.code: each.message for each in error_codes(book.schema)}}

    # --- methods ------------------------------------------------------------------------------------------------------

    def has(self, definition: str, name: str) -> bool:
        """Return whether an object has a property."""
        forms, type_ = self.book.forms, Reference(definition)
        return forms.is_object(type_) and name in forms.form(type_).fields

    def errors(self, method: Method) -> list[tuple[Markup, str, str]]:
        """The error codes of a request, each linked, with its message and its cause."""
        gate = f", or does not advertise {method.capability}" if method.capability is not None else ""
        told = {-32601: f"The {self.book.receiver(method)} does not implement it{gate}."}
        told[-32602] = "The params do not conform to their type."
        if (cancel := self.book.schema.cancel) is not None:
            told[cancel.error_code] = f"The request was cancelled ({cancel.method})."
        told[-32603] = "The handler failed."
        ends = [self.book.schema.definitions[name] for name in (method.params, method.result) if name]
        named = {
            int(each): "Its description says when." for end in ends for each in _CODE.findall(end.description or "")
        }
        return [(self._error(number), self.codes.get(number, ""), when) for number, when in (named | told).items()]

    def _error(self, number: int) -> Markup:
        """A link from an error code to its place in the schema."""
        for name, definition in self.book.schema.definitions.items():
            type_ = definition.type
            if isinstance(type_, Enumeration) and MESSAGES.keys() <= (known := {v.constant for v in type_.values}):
                at = f"{self.book.types_at[name]}#{anchor_of('value', str(number))}"
                return code(str(number), at if number in known else "")
        return code(str(number))

    def tests(self, requirement: Requirement) -> list[Markup]:
        """The tests of a requirement."""
        covered = requirement.covered
        names = (name.partition("::")[2] or name for name in (*covered.tests, *covered.probes))
        return [*map(self.book.rule, covered.rules), *map(code, (*names, *covered.examples))]

    # --- capabilities -------------------------------------------------------------------------------------------------

    @cached_property
    def opens(self) -> dict[Key, dict[Markup, None]]:
        """The parts that each capability enables: methods, properties, variants and values."""
        schema, found = self.book.schema, dict[Key, dict[Markup, None]]()
        for method in schema.methods:
            if method.capability is not None and (resolved := resolve_gate(schema, method.side, method.capability)):
                found.setdefault(resolved[:2], {})[said(self.book.method(method), f" ({method.kind})")] = None
        for owner, part, index in self._all_parts():
            for side in schema.handshake.capabilities if schema.handshake and part.capability else ():
                if (resolved := resolve_gate(schema, side, part.capability or "")) and resolved[0] == side:
                    found.setdefault(resolved[:2], {})[_named(self.book, owner, part, index)] = None
        return found

    def advertisement(self, capability: Capability) -> Any:
        """The part of the handshake that advertises a capability."""
        value: Any = True if capability.encoding == "boolean" else {}
        for step in reversed(split(capability.path)):
            value = {step: value}
        handshake = self.book.schema.handshake
        return {handshake.capabilities[capability.side]: value} if handshake is not None else value

    # --- RFDs ---------------------------------------------------------------------------------------------------------

    def added(self, rfd: str) -> dict[str, list[Markup]]:
        """The parts that an RFD adds, by kind."""
        book, found = self.book, dict[str, list[Markup]]()
        carriers = {each.field.pointer: each for each in book.capabilities.values()}
        methods = [method for method in book.schema.methods if method.rfd == rfd]
        found["Methods"] = [
            said(book.method(m), f" ({m.kind}, implemented by the {book.receiver(m)})") for m in methods
        ]
        ends = {end for method in book.schema.methods for end in (method.params, method.result)}
        types = [each.name for each in book.schema.definitions.values() if each.rfd == rfd and each.name not in ends]
        found["Types"] = list(map(book.type, types))
        for owner, part, index in self._all_parts():
            if part.rfd == rfd and (carrier := carriers.get(part.pointer) if isinstance(part, Field) else None):
                shown = said(book.capability((carrier.side, carrier.path)), f" of the {carrier.side}")
                found.setdefault("Capabilities", []).append(shown)
            elif part.rfd == rfd:
                found.setdefault("Parts of types", []).append(_named(book, owner, part, index))
        return {title: items for title, items in found.items() if items}

    def completing(self, rfd: str) -> list[Finding] | str:
        """The effects of completing an RFD, the most severe first; or the reason why they are unknown."""
        try:
            return sorted(grouped(self._completion.of(rfd)), key=lambda finding: -finding.level)
        except (SchemaError, RecursionError) as error:
            return _CANNOT + (f"{error.problem}." if isinstance(error, SchemaError) else _TOO_DEEP)

    @cached_property
    def _completion(self) -> Completion:
        return Completion(self.book.document)

    def _all_parts(self) -> Iterator[Part]:
        for definition in self.book.schema.definitions.values():
            yield from _parts(definition)


def _parts(definition: Definition) -> Iterator[Part]:
    for type_ in inner(definition.type):
        for index, part in enumerate(members(type_)):
            yield definition.name, part, index


def _named(book: Book, owner: str, part: Field | Variant | Value, index: int) -> Markup:
    return said(
        f"the {'property' if isinstance(part, Field) else type(part).__name__.lower()} ", book.part(owner, part, index)
    )
