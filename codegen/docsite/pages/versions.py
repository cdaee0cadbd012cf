"""Pages of releases: the changes from each to the next, as in a reviewer's report, and the methods of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from ...findings.finding import Finding
from ...findings.review import label, way_out
from ...findings.templates import changed, refused
from ...model.nodes.types import Field, Reference
from ..book.blocks import Block, Entries, Entry, Heading, Listing, Page, Prose, Span, Table, Text, code, said
from ..book.context import Book, implementers
from ..book.releases import Release, Step, is_shown
from ..book.urls import VERSIONS, anchor_of

_ROOM = 25_000
"""How many characters of changes a page shows; further ones are on a page of their own."""


_COUNTED = {
    "error": ("change breaks peers", "changes break peers"),
    "warning": ("change needs a look", "changes need a look"),
    "change": ("change to follow", "changes to follow"),
    "accepted": ("accepted break", "accepted breaks"),
    "info": ("change breaks nobody", "changes break nobody"),
}


class Versions:
    """The pages of the releases of one book; none where only one is known."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def pages(self) -> Iterator[Page]:
        """A page for each release but the first, and the matrix of methods."""
        history = self.book.history
        if not history.releases:
            return
        for step in history.steps:
            yield from self._step(step)
        yield self._index()

    def _index(self) -> Page:
        history = self.book.history
        blocks: list[Block] = []
        if history.steps:
            blocks.append(Heading("Releases", "releases"))
            rows = tuple(
                (
                    self._name(step.new),
                    said(f"compared with {step.old}"),
                    said(
                        f"{_sentence(step.review.version or 'no change on the wire')} {_sentence(_counted(step)[:-1])}"
                    ),
                )
                for step in reversed(history.steps)
            )
            blocks.append(Listing("Releases", rows))
        blocks += [Heading("Methods by release", "methods"), *self._matrix(history.releases)]
        names = tuple(release.name for release in history.releases)
        also = (*names, "releases", "matrix of methods")
        return Page(at=f"{VERSIONS}/index", title="Versions", kind="list", blocks=tuple(blocks), also=also)

    def _name(self, name: str) -> Text:
        at = self.book.at.versions.get(name, "")
        return (code(name, at)[0],) if at else said(name)

    def _matrix(self, releases: Sequence[Release]) -> Iterator[Block]:
        keys = dict.fromkeys(key for release in reversed(releases) for key in release.methods)
        both = {key[:2] for key in keys if (*key[:2], "request") in keys and (*key[:2], "notification") in keys}
        rows: dict[str, list[tuple[Text, ...]]] = {}
        for key in sorted(keys):
            page = self.book.at.methods.get(key, "")
            name = said(code(key[1], page), f" ({key[2]})" if key[:2] in both else "")
            rows.setdefault(key[0], []).append((name, *((_cell(release, key),) for release in releases)))
        yield Prose(
            said("`stable`: part of the stable protocol; a stage: brought by an RFD in progress; a dash: not there.")
        )
        for side, found in rows.items():
            title = implementers(side)
            yield Heading(title, f"methods-{side}", 3)
            yield Table(f"{title}, by release", ("Method", *(release.name for release in releases)), tuple(found))

    def _step(self, step: Step) -> Iterator[Page]:
        at = self.book.at.versions[step.new]
        asks = _sentence(step.review.version or "no change on the wire")
        lead = said(f"{asks} Compared with ", self._name(step.old), f": {_counted(step)}")
        parts = list(_paged(tuple(self._blocks(step))))
        for number, blocks in enumerate(parts, 1):
            more = (
                (Prose((Span(f"More changes of {step.new}", to=f"{at}~{number + 1}"),)),) if number < len(parts) else ()
            )
            yield Page(
                at=at if number == 1 else f"{at}~{number}",
                title=step.new if number == 1 else f"{step.new} ({number})",
                kind="release",
                lead=lead if number == 1 else (),
                blocks=(*blocks, *more),
            )

    def _blocks(self, step: Step) -> Iterator[Block]:
        for gap in step.review.outcome.gaps:
            yield Prose(said("Not compared: ", self.book.prose(f"{gap.what}: {gap.why}")))
        if not step.review.groups:
            yield Prose(said("Nothing changed."))
        for number, group in enumerate(step.review.groups, 1):
            yield Heading(group.title, f"group-{number}")
            for section in group.sections:
                yield Heading(section.title, f"group-{number}-{section.title.replace(' ', '-').lower()}", 3)
                yield Entries(tuple(self._entry(step, finding) for finding in section.findings))
            quiet = [finding for finding in group.quiet if is_shown(finding)]
            if quiet:
                yield Heading("Breaks nobody", f"group-{number}-quiet", 3)
                yield Entries(tuple(self._entry(step, finding, short=True) for finding in quiet))

    def _message(self, finding: Finding) -> Text:
        """The words of a finding; the part that they begin with is linked."""
        subject, rest = finding.subject, finding.message.removeprefix(finding.subject)
        owner, _, member = subject.partition(".")
        at = self.book.at.types.get(owner)
        if not subject or rest == finding.message or at is None:
            return self.book.prose(finding.message)
        has = bool(member) and any(field.name == member for field in self._fields(owner))
        return said(
            code(subject, f"{at}#{anchor_of('field', member)}" if has else at),
            ": " if rest.startswith(":") else " ",
            self.book.prose(rest.removeprefix(":")),
        )

    def _fields(self, name: str) -> Iterable[Field]:
        forms, type_ = self.book.forms, Reference(name)
        return forms.form(type_).fields.values() if forms.is_object(type_) else ()

    def _entry(self, step: Step, finding: Finding, *, short: bool = False) -> Entry:
        full = not short
        return Entry(
            anchor=step.anchors[id(finding)],
            label=label(step.review, finding),
            message=self._message(finding),
            rule=finding.id,
            breaks="; ".join(finding.breaks),
            carrier=finding.wire.carrier if full and finding.wire is not None else "",
            wire=changed(finding.wire) if full and finding.wire is not None else "",
            refused=said(f"{refused(finding)}.") if full and finding.example is not None else (),
            instead=self.book.prose(way_out(step.review, finding)) if full else (),
        )


def _cell(release: Release, key: tuple[str, str, str]) -> Span:
    stage = release.methods.get(key)
    if stage is None:
        return Span("\N{EN DASH}", tone="absent")
    return Span("stable", tone="stable") if stage in ("", "completed") else Span(stage, tone="draft")


def _counted(step: Step) -> str:
    """How many changes there are, by how bad they are."""
    counts = Counter(label(step.review, finding) for finding in step.review.outcome.findings if is_shown(finding))
    told = [
        f"{counts[kind]} {many if counts[kind] > 1 else one}" for kind, (one, many) in _COUNTED.items() if counts[kind]
    ]
    return f"{', '.join(told)}." if told else "nothing changed."


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."


def _size(block: Block) -> int:
    return sum(300 + len(e.wire) + 40 * len(e.message) for e in block.entries) if isinstance(block, Entries) else 100


def _paged(blocks: tuple[Block, ...]) -> Iterator[tuple[Block, ...]]:
    """Blocks in portions that a page can hold."""
    found: list[Block] = []
    size = 0
    for block in (part for whole in blocks for part in _portions(whole)):
        if found and size + _size(block) > _ROOM:
            yield tuple(found)
            found, size = [], 0
        found.append(block)
        size += _size(block)
    yield tuple(found)


def _portions(block: Block) -> Iterator[Block]:
    if not isinstance(block, Entries):
        yield block
        return
    for start in range(0, len(block.entries), 20):
        yield Entries(block.entries[start : start + 20])
