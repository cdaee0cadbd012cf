"""Pages of capabilities: the methods and types that each enables, and its use on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from ...contracts import split
from ...model.nodes.capabilities import resolve_gate
from ...model.nodes.types import Definition, Field, Method, Reference, Value, Variant
from ...model.nodes.walk import inner, members, without_null
from ...shape.public import side_classes
from ..book.blocks import Badge, Block, Bullets, Code, Facts, Heading, Listing, Page, Prose, Text, code, listed, said
from ..book.context import Book, Capability, opposite
from ..book.labels import constant, label_of
from ..book.urls import CAPABILITIES, anchor_of
from ..content.messages import shown

Key = tuple[str, str]


class Capabilities:
    """The pages of what the peers of one book can advertise."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def pages(self) -> Iterator[Page]:
        """A page for each capability, and the list of all."""
        for capability in self.book.capabilities.values():
            yield self._page(capability)
        if self.book.capabilities:
            yield self._index()

    def _index(self) -> Page:
        blocks: list[Block] = []
        for side in dict.fromkeys(side for side, _ in self.book.capabilities):
            rows = tuple(
                (code(each.path, self.book.at.capabilities[key]), said("yes is ", self._yes(each)), self._opened(key))
                for key, each in self.book.capabilities.items()
                if key[0] == side
            )
            title = f"Advertised by the {side}"
            blocks += [Heading(title, f"side-{side}"), Listing(title, rows)]
        return Page(at=f"{CAPABILITIES}/index", title="Capabilities", kind="list", blocks=tuple(blocks))

    def _opened(self, key: Key) -> Text:
        opens = self._opens.get(key, ())
        return said("Opens ", listed(opens), ".") if opens else ()

    def _yes(self, capability: Capability) -> Text:
        return said(
            {"boolean": "`true`", "object": "`{}` or more"}.get(capability.encoding or "", "its members say it")
        )

    def _page(self, capability: Capability) -> Page:
        return Page(
            at=self.book.at.capabilities[capability.side, capability.path],
            title=capability.path,
            kind="capability",
            code=True,
            lead=self.book.prose(capability.field.description),
            badges=(Badge(f"advertised by the {capability.side}"), *self.book.rfd_badges(capability.field.rfd)),
            blocks=tuple(self._blocks(capability)),
            also=(f"{capability.side}:{capability.path}",),
        )

    def _blocks(self, capability: Capability) -> Iterator[Block]:
        key = (capability.side, capability.path)
        yield Facts(tuple(self._facts(capability)))
        opens = self._opens.get(key, ())
        yield Heading("What it opens", "opens")
        if opens:
            yield Bullets(opens)
        else:
            yield Prose(
                said("No method, property, variant or value is gated by it. Its description says what it promises.")
            )
        inside = [k for k in self.book.capabilities if k[0] == key[0] and k[1].startswith(f"{key[1]}.")]
        if inside:
            yield Heading("Within it", "within")
            yield Bullets(tuple(code(k[1], self.book.at.capabilities[k]) for k in inside))
        yield from self._both_halves(capability, opens=bool(opens))

    def _facts(self, capability: Capability) -> Iterator[tuple[str, Text]]:
        book = self.book
        yield "Advertised by", said(f"the {capability.side}, in the ", self._carrier(capability.side))
        yield "Yes is", self._yes(capability)
        yield "No is", said("absent, null or `false`" if capability.encoding == "boolean" else "absent or null")
        type_ = without_null(capability.field.type)
        if isinstance(type_, Reference):
            yield "Type", code(type_.name, book.at.types[type_.name])
        yield from book.rfd_fact(capability.field.rfd)

    def _opening(self) -> Method | None:
        handshake = self.book.schema.handshake
        return next((m for m in self.book.schema.methods if handshake is not None and m.path == handshake.method), None)

    def _carrier(self, side: str) -> Text:
        """The half of the handshake in which a side advertises."""
        opening = self._opening()
        if opening is None:
            return said("handshake")
        return said("result of " if opening.side == side else "params of ", self.book.method(opening.key))

    def _both_halves(self, capability: Capability, *, opens: bool) -> Iterator[Block]:
        side, other = capability.side, opposite(capability.side)
        yield Heading(f"The {side}'s half", "advertises")
        yield Code(shown(self._message(capability)), "json", said(f"The {side} says yes like this."))
        base = side_classes(side)[0]
        if capability.encoding is not None and self._by_methods(capability):
            yield Prose(said(f"In Python, `acp.{base}` advertises it when your class overrides what it gates."))
        else:
            yield Prose(
                said(
                    "In Python, state it: what you put into `capabilities` is merged over what follows from the methods."
                )
            )
        yield Heading(f"The {other}'s half", "relies")
        if opens:
            yield Prose(
                said(
                    f"The {other} uses what it opens only after a yes. In Python, a call that needs it raises `CapabilityError` otherwise, and nothing is sent."
                )
            )
        else:
            yield Prose(said(f"The {other} reads it from the handshake."))

    def _by_methods(self, capability: Capability) -> bool:
        key = (capability.side, capability.path)
        return any(
            m.side == capability.side and m.capability is not None and self._key(m.side, m.capability) == key
            for m in self.book.schema.methods
        )

    def _message(self, capability: Capability) -> Any:
        value: Any = True if capability.encoding == "boolean" else {}
        for step in reversed(split(capability.path)):
            value = {step: value}
        handshake = self.book.schema.handshake
        return {handshake.capabilities[capability.side]: value} if handshake is not None else value

    def _key(self, receiver: str, gate: str) -> Key | None:
        resolved = resolve_gate(self.book.schema, receiver, gate)
        return resolved[:2] if resolved is not None else None

    # --- what gates what ----------------------------------------------------------------------------------------------

    @cached_property
    def _opens(self) -> dict[Key, tuple[Text, ...]]:
        found: dict[Key, dict[Text, None]] = {}
        for method in self.book.schema.methods:
            if method.capability is not None and (key := self._key(method.side, method.capability)) is not None:
                found.setdefault(key, {})[said(self.book.method(method.key), f" ({method.kind})")] = None
        for definition in self.book.schema.definitions.values():
            for gate, text in self._parts(definition):
                for side in self.book.schema.handshake.capabilities if self.book.schema.handshake else ():
                    if (key := self._key(side, gate)) is not None and key[0] == side:
                        found.setdefault(key, {})[text] = None
        return {key: tuple(texts) for key, texts in found.items()}

    def _parts(self, definition: Definition) -> Iterator[tuple[str, Text]]:
        page = self.book.at.types[definition.name]
        for type_ in inner(definition.type):
            for index, part in enumerate(members(type_)):
                if part.capability is None:
                    continue
                match part:
                    case Field():
                        name = f"{definition.name}.{part.name}"
                        yield (
                            part.capability,
                            said("the property ", code(name, f"{page}#{anchor_of('field', part.name)}")),
                        )
                    case Variant():
                        label = label_of(self.book.forms, part, index)
                        to = f"{page}#{anchor_of('variant', label)}"
                        yield (
                            part.capability,
                            said("the variant ", code(label, to), " of ", code(definition.name, page)),
                        )
                    case Value():
                        text = constant(part.constant)
                        to = f"{page}#{anchor_of('value', text)}"
                        yield part.capability, said("the value ", code(text, to), " of ", code(definition.name, page))
