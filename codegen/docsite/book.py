"""The shared context of pages: a schema with its examples and releases, the addresses of its parts, and prose with
links.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from markupsafe import Markup
from msgspec import Struct

from ..catalogue import RULES
from ..check.parts.schemas import Example
from ..contracts import Encoding
from ..document.read import Document
from ..emit.package import plain_title
from ..model.algebra.normal_form import WireForms
from ..model.nodes.capabilities import advertised, fields, resolve_gate
from ..model.nodes.root import Rfd
from ..model.nodes.types import Boolean, Field, Map, Method, Object, Schema, Type, Value, Variant
from ..model.nodes.walk import plain
from ..shape.method_table import RUNTIME_SIDE, Row, rows
from ..shape.public import PEERS
from ..shape.shapes import Shapes
from .labels import constant, label_of
from .releases import History
from .text import code, escaped, link, said
from .urls import anchor_of, methods_placed, placed

_DUTY = re.compile(r"\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL|SHALL NOT|SHALL)\b")


class Capability(Struct, frozen=True):
    """A capability: its path, its property, and its advertised form (None for a group)."""

    side: str
    path: str
    field: Field
    encoding: Encoding | None


class Book:
    """The sources of the pages of one site, each computed once."""

    def __init__(
        self, document: Document, schema: Schema, shapes: Shapes, examples: Sequence[Example], history: History
    ) -> None:
        self.document, self.schema, self.shapes, self.history = document, schema, shapes, history
        self.title = str(plain_title(schema))
        self.forms = WireForms(schema)
        self.table = rows(schema, shapes)
        self.capabilities = {(each.side, each.path): each for each in _capabilities(schema)}
        self.examples: dict[str, list[tuple[str, Any]]] = {}
        for example in examples:
            self.examples.setdefault(example.definition, []).append((example.name, example.value))
        self.rfds: Mapping[str, Rfd] = schema.rfds or {}
        self.methods_at = methods_placed(method.key for method in schema.methods)
        self.types_at = placed("types", schema.definitions)
        self.rfds_at = placed("rfds", self.rfds)
        self.rules_at = placed("rules", RULES)
        self.versions_at = placed("versions", [step.new for step in history.steps])
        at = placed("capabilities", (f"{side}-{path}" for side, path in self.capabilities))
        self.capabilities_at = {(side, path): at[f"{side}-{path}"] for side, path in self.capabilities}

    # --- links --------------------------------------------------------------------------------------------------------

    @cached_property
    def _named(self) -> Mapping[str, str]:
        """The link target of code in a description; methods have priority."""
        return {
            **self.rules_at,
            **{f"{side}:{path}": at for (side, path), at in self.capabilities_at.items()},
            **{path: at for (_, path), at in reversed(tuple(self.capabilities_at.items()))},
            **self.types_at,
            **{path: at for (_, path, _), at in reversed(tuple(self.methods_at.items()))},
        }

    def prose(self, text: str | None) -> Markup:
        """A description as Markdown: code is linked if it names a part, and requirement keywords are highlighted."""
        pieces = " ".join((text or "").split()).split("`")
        if not len(pieces) % 2:
            return escaped("`".join(pieces))
        return said(
            *(
                code(piece, self._named.get(piece, "")) if index % 2 else _with_duties(piece)
                for index, piece in enumerate(pieces)
            )
        )

    def method(self, method: Method) -> Markup:
        """A link to a method."""
        return code(method.path, self.methods_at[method.key])

    def type(self, name: str) -> Markup:
        """A link to a definition."""
        return code(name, self.types_at.get(name, ""))

    def rule(self, name: str) -> Markup:
        """A link to a rule."""
        return code(name, self.rules_at.get(name, ""))

    def version(self, name: str) -> Markup:
        """A link to the changes of a release."""
        return link(name, self.versions_at.get(name, ""))

    def capability(self, key: tuple[str, str]) -> Markup:
        """A link to a capability."""
        return code(key[1], self.capabilities_at[key])

    def gate(self, receiver: str, gate: str) -> Markup:
        """A link to a gate as written for a receiver."""
        resolved = resolve_gate(self.schema, receiver, gate)
        return code(gate, self.capabilities_at.get(resolved[:2], "") if resolved is not None else "")

    def gate_of_anyone(self, gate: str) -> Markup:
        """A link to a gate of a part that either side may receive."""
        found = (resolve_gate(self.schema, side, gate) for side in PEERS)
        return code(gate, next((at for r in found if r and (at := self.capabilities_at.get(r[:2]))), ""))

    def part(self, owner: str, part: Field | Variant | Value, index: int) -> Markup:
        """A link to a part of a definition. `index`: the place of a variant in its union."""
        match part:
            case Field():
                return code(f"{owner}.{part.name}", f"{self.types_at[owner]}#{anchor_of('field', part.name)}")
            case Variant():
                label, kind = self.label(part, index), "variant"
            case Value():
                label, kind = constant(part.constant), "value"
        return said(code(label, f"{self.types_at[owner]}#{anchor_of(kind, label)}"), " of ", self.type(owner))

    # --- words --------------------------------------------------------------------------------------------------------

    def label(self, variant: Variant, index: int) -> str:
        """The label of the variant at a place in a union: its tags, title, definition or position."""
        return label_of(self.forms, variant, index)

    def badges(self, rfd: str | None, *more: Any) -> list[Markup]:
        """Badges beside a name: the given ones, and the RFD in progress that added it."""
        found = self.rfds.get(rfd or "")
        draft = [link(f"{found.stage}: {found.name}", self.rfds_at[found.name])] if found and not found.stable else []
        return [*(escaped(each) for each in more if each), *draft]

    def since(self, *what: str) -> Markup | str:
        """The release that added a part; empty for parts of the first release."""
        added = self.history.added(what)
        return said("since ", self.version(added)) if added else ""

    def changes(self, owner: str, part: str) -> Iterator[Markup]:
        """The release that added a part of a definition, and those in which it changed."""
        added = self.history.added((owner, part))
        if added and added != self.history.added((owner,)):
            yield said("since ", self.version(added))
        for name, anchor in self.history.changed.get((owner, part), ()):
            if name != added:
                yield said("changed in ", link(name, f"{self.versions_at[name]}#{anchor}"))

    def row(self, method: Method) -> Row:
        """The first row of a method in the table."""
        return next(row for row in self.table if row.method is method)

    def sender(self, method: Method) -> str:
        """The sender of a method, in words."""
        match method.side:
            case "agent" | "client":
                return opposite(method.side)
            case "both" | "protocol":
                return "either side"
            case _:
                return "its peer"

    def receiver(self, method: Method) -> str:
        """The side that implements a method, in words."""
        return "either side" if method.side in ("both", "protocol") else method.side


def _with_duties(text: str) -> Markup:
    return said(
        *(Markup("<strong>{}</strong>").format(p) if n % 2 else p for n, p in enumerate(_DUTY.split(text)) if p)
    )


def implementers(side: str) -> str:
    """The side that implements the methods, as a heading."""
    return "Of either side" if side in ("both", RUNTIME_SIDE) else f"Implemented by the {side}"


def opposite(side: str) -> str:
    """The other peer."""
    return PEERS[1 - PEERS.index(side)] if side in PEERS else "peer"


def _capabilities(schema: Schema) -> Iterator[Capability]:
    """The capabilities of each side, in the order of the schema."""
    for side in schema.handshake.capabilities if schema.handshake is not None else ():
        type_ = advertised(schema, side)
        if type_ is not None:
            yield from _within(schema, side, "", type_, frozenset())


def _within(schema: Schema, side: str, path: str, type_: Type, seen: frozenset[int]) -> Iterator[Capability]:
    here = schema.resolve(type_)
    if id(here) in seen:
        return
    for field in fields(schema, type_):
        if field.name.startswith("_"):
            continue
        step = field.name if re.fullmatch(r"""[^."'\[\]:/]+""", field.name) else f'"{field.name}"'
        inner = f"{path}.{step}" if path else step
        if isinstance(plain(field.type, schema.resolve), (Boolean, Object, Map)):
            resolved = resolve_gate(schema, side, inner)
            yield Capability(side, inner, field, resolved[2] if resolved is not None else None)
            yield from _within(schema, side, inner, field.type, seen | {id(here)})
