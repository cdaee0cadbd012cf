"""Pages of RFDs: the additions of each, and the effect of completing it, by affected peer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from ...check.completion import Completion
from ...document.keywords import STAGES
from ...errors import SchemaError
from ...findings.cascades import grouped
from ...findings.finding import Finding, Level
from ...model.nodes.root import Rfd
from ...model.nodes.types import Field, Value, Variant
from ...model.nodes.walk import inner, members
from ..book.blocks import Badge, Block, Bullets, Facts, Heading, Listing, Page, Prose, Table, Text, code, said
from ..book.context import Book
from ..book.labels import constant, label_of
from ..book.urls import RFDS, anchor_of
from ..content.requirements import Requirements

Changes: TypeAlias = tuple[tuple[str, str, str], ...]
Promotion = Callable[[str], "Changes | str"]
"""Takes the name of an RFD and gives what completing it changes: level, rule and words of each change; or why nothing is known."""


class Rfds:
    """The pages of the RFDs of one book. `promotion`: what completing each changes."""

    def __init__(self, book: Book, promotion: Promotion) -> None:
        self.book, self.promotion, self.requirements = book, promotion, Requirements(book)

    def pages(self) -> Iterator[Page]:
        """A page for each RFD, and the list of all."""
        for rfd in self.book.rfds.values():
            yield self._page(rfd)
        if self.book.rfds:
            yield self._index()

    def _index(self) -> Page:
        ordered = sorted(self.book.rfds.values(), key=lambda rfd: (STAGES.index(rfd.stage), rfd.name))
        rows = tuple((code(r.name, self.book.at.rfds[r.name]), said(r.stage), said(r.title)) for r in ordered)
        return Page(at=f"{RFDS}/index", title="RFDs", kind="list", blocks=(Listing("RFDs", rows),))

    def _page(self, rfd: Rfd) -> Page:
        return Page(
            at=self.book.at.rfds[rfd.name],
            title=rfd.title,
            kind="RFD",
            lead=said(code(rfd.name)),
            badges=(Badge(rfd.stage, "stable" if rfd.stable else "draft"),),
            blocks=tuple(self._blocks(rfd)),
            also=(rfd.name, "completed", *(m.path for m in self.book.schema.methods if m.rfd == rfd.name)),
        )

    def _blocks(self, rfd: Rfd) -> Iterator[Block]:
        yield Facts((("Stage", said(self._stages(rfd))),))
        added = self._added(rfd.name)
        for title, items in added.items():
            if items:
                yield Heading(title, anchor_of("adds", title))
                yield Bullets(tuple(items))
        if not any(added.values()):
            yield Prose(said("Nothing in the schema belongs to it."))
        yield from self.requirements.of_rfd(rfd.name)
        yield Heading("What completing it changes", "completing")
        yield from self.requirements.untested(rfd)
        if rfd.stable:
            yield Prose(said("It is completed: all of it is part of the stable protocol."))
            return
        changes = self.promotion(rfd.name)
        if isinstance(changes, str):
            yield Prose(said("It could not be compared: ", self.book.prose(changes)))
            return
        yield Prose(
            said("Compared with the stable protocol without it, once it is completed:" if changes else "Nothing.")
        )
        if changes:
            yield Table(
                "What completing it changes",
                ("Change", "Level", "Rule"),
                tuple(
                    (self.book.prose(text), said(level), code(rule, self.book.at.rules.get(rule, "")))
                    for level, rule, text in changes
                ),
            )

    def _stages(self, rfd: Rfd) -> str:
        return " → ".join(f"`{stage}`" if stage == rfd.stage else stage for stage in STAGES)

    def _added(self, name: str) -> dict[str, list[Text]]:
        """What an RFD adds, by what it is."""
        book = self.book
        found: dict[str, list[Text]] = {
            each: [] for each in ("Methods", "Capabilities", "Types", "Properties", "Variants", "Values")
        }
        ends: set[str] = set()
        carriers = {each.field.pointer: key for key, each in book.capabilities.items()}
        for method in book.schema.methods:
            ends |= {method.params, method.result or ""}
            if method.rfd == name:
                gate = said(", gated by ", book.gate(method.side, method.capability)) if method.capability else ()
                found["Methods"].append(
                    said(
                        book.method(method.key),
                        f" ({method.kind}, implemented by the {book.receivers(method)}",
                        gate,
                        ")",
                    )
                )
        for definition in book.schema.definitions.values():
            page = book.at.types[definition.name]
            if definition.rfd == name and definition.name not in ends:
                found["Types"].append(code(definition.name, page))
            for type_ in inner(definition.type):
                for index, part in enumerate(members(type_)):
                    if part.rfd == name:
                        what, text = self._part(definition.name, part, index, carriers)
                        found[what].append(text)
        return found

    def _part(
        self, owner: str, part: Field | Variant | Value, index: int, carriers: Mapping[str, tuple[str, str]]
    ) -> tuple[str, Text]:
        """What a part of a definition is, and how it is shown. `carriers`: the properties that are capabilities, by pointer."""
        book = self.book
        page = book.at.types[owner]
        match part:
            case Field() if part.pointer in carriers:
                key = carriers[part.pointer]
                return "Capabilities", said(code(key[1], book.at.capabilities[key]), f" of the {key[0]}")
            case Field():
                return "Properties", code(f"{owner}.{part.name}", f"{page}#{anchor_of('field', part.name)}")
            case Variant():
                label = label_of(book.forms, part, index)
                return "Variants", said(code(owner, f"{page}#{anchor_of('variant', label)}"), f": {label}")
            case Value():
                shown = constant(part.constant)
                return "Values", said(code(owner, f"{page}#{anchor_of('value', shown)}"), f": {shown}")


def promotions(book: Book) -> Promotion:
    """What completing each RFD of a book changes, worked out when it is asked for."""
    known: list[Completion] = []

    def of(name: str) -> Changes | str:
        try:
            known.extend([] if known else [Completion(book.document)])
            found = grouped(known[0].of(name))
        except SchemaError as error:
            return f"{error.problem}."
        except RecursionError:
            return "its types refer to each other too deeply."
        return tuple(_row(finding) for finding in sorted(found, key=lambda f: -f.level))

    return of


def _row(finding: Finding) -> tuple[str, str, str]:
    breaks = f" Breaks {'; '.join(finding.breaks)}." if finding.breaks else ""
    return Level(finding.level).name, finding.id, f"{finding.message}.{breaks}"
