"""Requirements as blocks: the statements about a method, a type or an RFD, each with its audience and its tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ...emit.requirements import strongest_first
from ...model.nodes.requirements import about_definition, about_method, of_source, uncovered
from ...model.nodes.root import Requirement, Rfd
from ...model.nodes.types import Method
from ..book.blocks import Badge, Block, Heading, Part, Parts, Prose, Text, code, listed, said
from ..book.context import Book
from ..book.urls import anchor_of

_BINDS = {"both": "agent and client"}


class Requirements:
    """The requirements of one book, as sections of pages."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def of_method(self, method: Method) -> Iterator[Block]:
        """What a method asks of both sides."""
        yield from self._section(about_method(self.book.schema, method), source=True)

    def of_definition(self, name: str) -> Iterator[Block]:
        """What is asked about a definition and its properties."""
        yield from self._section(about_definition(self.book.schema, name), source=True)

    def of_rfd(self, name: str) -> Iterator[Block]:
        """What an RFD asks."""
        yield from self._section(of_source(self.book.schema, name), source=False)

    def untested(self, rfd: Rfd) -> Iterator[Block]:
        """The statements of an RFD that nothing tests, which a completed one should not have."""
        names = uncovered(self.book.schema, rfd.name)
        if names:
            rule = code("requirement-uncovered", self.book.at.rules.get("requirement-uncovered", ""))
            links = (code(each, f"#{anchor_of('requirement', f'{rfd.name}/{each}')}") for each in names)
            when = "" if rfd.stable else " once it is completed"
            yield Prose(said("Nothing tests ", listed(links), f"; `check` warns of that{when} (", rule, ")."))

    def _section(self, found: Iterable[Requirement], *, source: bool) -> Iterator[Block]:
        parts = tuple(self._part(each, source=source) for each in strongest_first(found))
        if parts:
            yield Heading("Requirements", "requirements")
            yield Parts(parts)

    def _part(self, requirement: Requirement, *, source: bool) -> Part:
        level = requirement.level.upper()
        notes: list[tuple[str, Text]] = []
        rfd = self.book.rfds.get(requirement.source)
        if source:
            to = self.book.at.rfds[rfd.name] if rfd is not None else ""
            notes.append(("from", code(requirement.source, to)))
            notes += [("stage", said(rfd.stage))] if rfd is not None and not rfd.stable else []
        notes += [("about", listed(map(self._subject, requirement.on)))] if requirement.on else []
        notes.append(("tested by", self._covered(requirement)))
        return Part(
            name=requirement.id,
            anchor=anchor_of("requirement", requirement.id),
            badges=(
                Badge(level, "required" if level.startswith("MUST") else "plain"),
                Badge(f"binds {_BINDS.get(requirement.binds, requirement.binds)}"),
            ),
            text=self.book.prose(requirement.text),
            notes=tuple(notes),
        )

    def _subject(self, name: str) -> Text:
        at = self.book.at
        owner, _, member = name.rpartition(".")
        to = at.of_path(name) or at.types.get(name, "")
        if not to and owner in at.types:
            to = f"{at.types[owner]}#{anchor_of('field', member)}"
        return code(name, to)

    def _covered(self, requirement: Requirement) -> Text:
        covered = requirement.covered
        texts = [
            *(code(rule, self.book.at.rules.get(rule, "")) for rule in covered.rules),
            *(code(name.partition("::")[2] or name) for name in (*covered.tests, *covered.probes)),
            *(code(name) for name in covered.examples),
        ]
        return listed(texts) if texts else said("nothing yet")
