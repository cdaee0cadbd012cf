"""The page context: a schema, loaded and shaped, its examples, earlier releases, and the documents beside it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from ...catalogue import RULES
from ...check.parts.schemas import Example
from ...contracts import Encoding, locate
from ...document.read import Document
from ...emit.package import plain_title
from ...model.algebra.normal_form import WireForms
from ...model.nodes.capabilities import advertised, fields, resolve_gate
from ...model.nodes.root import Rfd
from ...model.nodes.types import Boolean, Field, Map, Method, Object, Schema, Type
from ...model.nodes.walk import plain
from ...shape.method_table import RUNTIME_SIDE, Row, rows
from ...shape.public import PEERS
from ...shape.shapes import Shapes
from .blocks import Badge, Span, Text, code, said
from .releases import Has, History
from .urls import Addresses, methods_placed, placed

_DUTY = re.compile(r"\b(MUST NOT|MUST|SHOULD NOT|SHOULD|MAY|REQUIRED|RECOMMENDED|OPTIONAL|SHALL NOT|SHALL)\b")


class Capability:
    """Something that a side can advertise: its path, the property that carries it, and how it says yes (None: it only groups)."""

    def __init__(self, side: str, path: str, field: Field, encoding: Encoding | None) -> None:
        self.side, self.path, self.field, self.encoding = side, path, field, encoding


class Book:
    """What the pages of one site are made from, each thing worked out once."""

    def __init__(
        self,
        document: Document,
        schema: Schema,
        shapes: Shapes,
        *,
        examples: Sequence[Example] = (),
        guides: Mapping[str, str] | None = None,
        history: History | None = None,
    ) -> None:
        self.document, self.schema, self.shapes = document, schema, shapes
        self.title = str(plain_title(schema))
        self.forms = WireForms(schema)
        self.table = rows(schema, shapes)
        self.guides = guides or {}
        self.history = history or History()
        self.capabilities = {(each.side, each.path): each for each in _capabilities(schema)}
        self.examples: dict[str, list[tuple[str, Any]]] = {}
        for example in examples:
            self.examples.setdefault(example.definition, []).append((example.name, example.value))
        self.at = Addresses(
            methods=methods_placed(method.key for method in schema.methods),
            types=placed("types", schema.definitions),
            capabilities=_by_capability(self.capabilities),
            rfds=placed("rfds", schema.rfds or {}),
            rules=placed("rules", RULES),
            versions=placed("versions", [step.new for step in self.history.steps]),
            guides=placed("guides", self.guides),
        )

    @property
    def rfds(self) -> Mapping[str, Rfd]:
        """The RFDs of the schema."""
        return self.schema.rfds or {}

    @cached_property
    def named(self) -> Mapping[str, str]:
        """What a piece of code in a description leads to: the first of these names that it is."""
        found: dict[str, str] = {}
        for names in (
            {path: at for (_, path, _), at in reversed(tuple(self.at.methods.items()))},
            self.at.types,
            {path: at for (_, path), at in self.at.capabilities.items()},
            {f"{side}:{path}": at for (side, path), at in self.at.capabilities.items()},
            self.at.rules,
        ):
            found = {**names, **found}
        return found

    def prose(self, text: str | None) -> Text:
        """A description: code between backticks, linked where it names something here, and the words that oblige."""
        pieces = " ".join((text or "").split()).split("`")
        if not len(pieces) % 2:
            return (Span("`".join(pieces)),)
        found: list[Span] = []
        for index, piece in enumerate(pieces):
            if index % 2:
                found.append(Span(piece, code=True, to=self.named.get(piece, "")))
            else:
                parts = _DUTY.split(piece)
                found += [Span(part, strong=bool(n % 2)) for n, part in enumerate(parts) if part]
        return tuple(found)

    def gate(self, receiver: str, gate: str) -> Text:
        """A gate as written for a receiver, linked."""
        resolved = resolve_gate(self.schema, receiver, gate)
        to = self.at.capabilities.get(resolved[:2], "") if resolved is not None else ""
        return code(gate, to)

    def gate_of_anyone(self, gate: str) -> Text:
        """A gate of a part that either side may receive, linked."""
        return next((found for side in PEERS if (found := self.gate(side, gate))[0].to), code(gate))

    def side_of(self, gate: str, receiver: str) -> str:
        """Who advertises a gate."""
        return locate(gate, receiver)[0]

    def rfd_badges(self, rfd: str | None) -> tuple[Badge, ...]:
        """The RFD that brought a part, where it is still in progress."""
        found = self.rfds.get(rfd or "")
        if found is None or found.stable:
            return ()
        return (Badge(f"{found.stage}: {found.name}", "draft", self.at.rfds[found.name]),)

    def rfd_fact(self, name: str | None) -> Iterator[tuple[str, Text]]:
        """The RFD that brought a part, as a fact of its page, where the schema lists it."""
        if name in self.rfds:
            rfd = self.rfds[name or ""]
            yield "RFD", said(code(rfd.name, self.at.rfds[rfd.name]), f" {rfd.title} ({rfd.stage})")

    def since_badges(self, has: Has) -> list[Badge]:
        """The release that brought a part, where one did since the first."""
        added = self.history.added(has)
        return [Badge(f"since {added}", "release", self.at.versions.get(added, ""))] if added else []

    def method(self, key: tuple[str, str, str]) -> Text:
        """A method, linked."""
        return code(key[1], self.at.methods[key])

    def row(self, method: Method) -> Row:
        """The first row of a method in the table."""
        return next(row for row in self.table if row.method is method)

    def senders(self, method: Method) -> str:
        """Who sends a method, in words."""
        match method.side:
            case "agent" | "client":
                return opposite(method.side)
            case "both" | "protocol":
                return "either side"
            case _:
                return "its peer"

    def receivers(self, method: Method) -> str:
        """Who implements a method, in words."""
        return "either side" if method.side in ("both", "protocol") else method.side


def implementers(side: str) -> str:
    """Who implements the methods of a side, as a heading."""
    return "Of either side" if side in ("both", RUNTIME_SIDE) else f"Implemented by the {side}"


def opposite(side: str) -> str:
    """The other peer."""
    return PEERS[1 - PEERS.index(side)] if side in PEERS else "peer"


def _by_capability(known: Mapping[tuple[str, str], Capability]) -> dict[tuple[str, str], str]:
    names = {key: f"{key[0]}-{key[1]}" for key in known}
    at = placed("capabilities", names.values())
    return {key: at[name] for key, name in names.items()}


def _capabilities(schema: Schema) -> Iterator[Capability]:
    """What each side can advertise, in the order of the schema."""
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
        inner = f"{path}.{_step(field.name)}" if path else _step(field.name)
        held = plain(field.type, schema.resolve)
        if isinstance(held, (Boolean, Object, Map)):
            resolved = resolve_gate(schema, side, inner)
            yield Capability(side, inner, field, resolved[2] if resolved is not None else None)
            yield from _within(schema, side, inner, field.type, seen | {id(here)})


def _step(name: str) -> str:
    """A step of a gate's path, quoted where its name needs that."""
    return name if re.fullmatch(r"""[^."'\[\]:/]+""", name) else f'"{name}"'
