"""The commands `check` and `diff`, step by step. No argument parsing, no printing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from msgspec.structs import replace

from ..document.annotations import annotated
from ..document.extend import Extended, at_additions
from ..document.json_types import is_json_object
from ..document.read import Document, parse, read_bytes
from ..document.text_edit import rewritten
from ..errors import SchemaError
from ..findings.accepted_breaks import Ledger, read_ledger
from ..findings.cascades import explained, grouped
from ..findings.finding import Finding, Level
from ..findings.rule import Effect
from ..findings.suppressions import Config, read_config
from ..findings.traffic import Traffic
from ..findings.verdict import Gap, Outcome
from ..load.schema import load
from ..model.naming.lock import Lock
from ..model.nodes.types import Schema
from ..pipeline import extended, read_extensions, read_lock
from ..time_limit import working_at
from ..write.directory import replace_file
from .baseline import Baseline, baseline, beside, unread
from .completion import foreseen
from .fixes import FIXES, fix
from .impact.deprecation import Terms, announced, freed
from .impact.details import rfd_titles, with_answers, with_places, with_rfds, with_wires
from .inputs import compared, paired, read_side, tolerated
from .lint.lint import lint, refused
from .live import in_releases
from .parts.reserved import KEYWORD
from .parts.side import Side
from .releases import Releases
from .rules import RULES

EXAMPLES = Path("examples", "messages")
_Read = tuple[Document, Lock]


def compare_files(
    old: Path,
    new: Path,
    *,
    unstable: bool = False,
    accepted: Path | None = None,
    next_version: bool = False,
    wires: bool = False,
    transcripts: Sequence[Path] = (),
) -> Outcome:
    """Compare two files for `diff`. `accepted`: the file of accepted breaks, unless it is beside the new file. `wires`:
    show the message before and after for each finding. `transcripts`: recorded messages of released peers.
    """
    schema = new if new.exists() else Path(str(new).rpartition(":")[2])
    releases = Releases(schema, read_config(None, schema, RULES).policy)
    ledger = read_ledger(accepted, schema, RULES, releases.ended)
    try:
        sides = read_side(old), read_side(new)
    except SchemaError as error:
        return Outcome(gaps=(unread(error),), against=str(old), next_version=next_version)
    working_at(str(new))
    outcome = compare_documents(*sides, ledger, releases, unstable=unstable, next_version=next_version, wires=wires)
    traffic, gaps = _replayed(transcripts, *sides) if transcripts else (None, [])
    return replace(outcome, traffic=traffic, gaps=[*outcome.gaps, *gaps])


def _replayed(transcripts: Sequence[Path], old: _Read, new: _Read) -> tuple[Traffic | None, list[Gap]]:
    """Replay recorded messages. Returns no traffic if a side cannot be loaded; another gap reports that."""
    from .impact.replay import replay  # noqa: PLC0415  # few want it, and it brings `validate`

    try:
        before, after, _ = paired(tolerated(*old), tolerated(*new))
    except SchemaError:
        return None, []
    return replay(transcripts, before, after)


def _fleet(
    transcripts: Sequence[Path], packages: Sequence[str], sides: tuple[Side, Side] | None, found: Sequence[Finding]
) -> tuple[Traffic | None, list[Gap]]:
    """The breaks of an edit for released programs; nothing if there is no edit."""
    from .fleet.fleet import fleet  # noqa: PLC0415  # few want it, and it brings `validate`
    from .fleet.packages import Package  # noqa: PLC0415

    asked = [Package(spec) for spec in packages]
    if sides is None:
        return None, []
    before, after, _ = paired(*sides)
    return fleet(transcripts, asked, before, after, found)


def compare_documents(
    old: _Read,
    new: _Read,
    ledger: Ledger,
    releases: Terms | None = None,
    *,
    unstable: bool = False,
    next_version: bool = False,
    wires: bool = False,
) -> Outcome:
    """Compare two documents, each with its lock of names."""
    try:
        before, after = tolerated(*old), tolerated(*new)
    except SchemaError as error:
        return Outcome(gaps=(unread(error),), against=old[0].name, next_version=next_version)
    findings, gaps = compared(before, after, unstable=unstable)
    judged = ledger.judged(explained(findings))
    judged = announced(judged, old[0], new[0], releases) if releases is not None else judged
    found, numbers = _detailed(judged, before, after, wires=wires)
    return Outcome(
        findings=found,
        gaps=gaps,
        against=old[0].name,
        sources={document.name: document.text for document, _ in (old, new)},
        rfds=rfd_titles(old[0], new[0]),
        next_version=next_version,
        numbers=numbers,
    )


class Earlier:
    """The baseline of a schema, loaded once for one or many checks."""

    def __init__(self, base: Baseline) -> None:
        self.like: Side | None = None
        self.base = replace(base, document=annotated(base.document)) if base.document is not None else base
        self.document = self.base.document

    @cached_property
    def side(self) -> Side | None:
        """The schema, loaded as far as possible. Raises SchemaError if nothing is readable."""
        return tolerated(self.document, self.base.lock, self.like) if self.document is not None else None

    @property
    def schema(self) -> Schema | None:
        """The schema, if it loads as a whole."""
        try:
            side = self.side
        except SchemaError:
            return None
        return side.schema if side is not None and not side.schema.tolerant else None

    def is_like(self, document: Document, lock: Lock) -> bool:
        """Return whether another document with its names lock is the same."""
        own = self.document
        return own is not None and own.text == document.text and own.value == document.value and self.base.lock == lock


def check(
    path: Path,
    *,
    extend: Sequence[Path] = (),
    against: str | None = None,
    compare: bool = True,
    config: Path | None = None,
    accepted: Path | None = None,
    next_version: bool = False,
    unstable: bool = False,
    wires: bool = False,
    text: bytes | None = None,
    earlier: Earlier | None = None,
    quick: bool = False,
    reserving: bool = False,
    transcripts: Sequence[Path] = (),
    sdk: Sequence[str] = (),
) -> Outcome:
    """Check a schema. `compare`: also check its changes since a baseline.

    `accepted`: the file of accepted breaks. `wires`: show the message before and after for each finding. `text`: the
    current or future content of the file. `earlier`: the baseline, if it is already known. `quick`: skip checks that
    generate a package. `reserving`: find the names to reserve. `transcripts`: recorded traffic of released programs,
    files or folders. `sdk`: packages to install and test.
    """
    settings = read_config(config, path, RULES)
    releases = Releases(path, settings.policy)
    ledger = read_ledger(accepted, path, RULES, releases.ended)
    text = read_bytes(path) if text is None else text
    try:
        document = annotated(extended(parse(text, str(path)), read_extensions(extend)))
    except SchemaError as error:
        return Outcome(
            findings=settings.keep(explained(refused(error))),
            sources={str(path): text},
        )
    schema = _load(document)
    earlier = earlier or Earlier(
        baseline(path, extend, against, repository=releases.repository) if compare else Baseline()
    )
    base = earlier.base
    working_at(str(path))
    lock = beside(str(path), read_lock(path))
    side = earlier.like = Side(document, schema, lock) if isinstance(schema, Schema) else None
    found, gaps, sides = _since(earlier, document, side, lock, unstable=unstable)
    if sides is not None:
        if not quick:
            found, more = in_releases(releases, *sides, found, unstable=unstable)
            gaps = [*gaps, *more]
        found = [*found, *_foreseen(base, document, found)]
    old = schema if sides is None and not gaps and isinstance(schema, Schema) else earlier.schema
    old = old if base.document is not None else None
    examples = example_directories(path, extend)
    found = [*lint(document, schema, base=old, examples=examples, side=side, shaped=not quick), *found]
    if base.document is None or gaps:
        # What suppresses a change that was not looked for may still be of use.
        settings.judged = {rule.id for rule in RULES.values() if rule.effect is Effect.LINT}
    whole = isinstance(schema, Schema)
    kept = ledger.judged(settings.keep(explained(found, settings.excuses)))
    numbers, names = None, dict[str, str]()
    if sides is not None and base.document is not None:
        kept = announced(kept, base.document, document, releases)
        names = releases.had(freed(kept, base.document, document)) if reserving else {}
        kept, numbers = _detailed(kept, *sides, wires=wires or bool(sdk), answers=not quick)
    else:
        kept = grouped(kept)
    traffic, more = _fleet(transcripts, sdk, sides, kept) if transcripts or sdk else (None, [])
    kept += _of_settings("suppression-unused", settings) if whole else []
    kept += _of_settings("accepted-break-over", ledger) if compare and base.document is not None and not gaps else []
    texts = {document.name: document.text}
    texts.update({str(each.path): each.text for each in (settings, ledger) if each.path is not None})
    return Outcome(
        findings=sorted(kept, key=Finding.order),
        gaps=[*gaps, *more],
        against=base.name,
        sources=texts,
        rfds=rfd_titles(*(each for each in (base.document, document) if each is not None)),
        next_version=next_version,
        traffic=traffic,
        numbers=numbers,
        unreserved=names,
    )


def mend(path: Path, outcome: Outcome) -> list[str]:
    """Make the safe fixes of findings, and reserve the names that live releases had. Returns a line for each edit."""
    made, text = list[str](), read_bytes(path)
    for finding in reversed(outcome.findings):  # what goes from a list moves only what is behind it
        if finding.id in FIXES and FIXES[finding.id].safe and finding.place.file == str(path):
            found = fix(finding, parse(text, str(path)), None)
            if found is not None:
                text = found[1]
                made.append(f"{finding.place}: {found[0].title} ({finding.id})")
    if outcome.unreserved:
        value = parse(text, str(path)).value
        kept = value.get(KEYWORD)
        names = sorted(outcome.unreserved.items())
        value[KEYWORD] = {**(kept if is_json_object(kept) else {}), **dict(names)}
        text = rewritten(text, value)
        made.append(f"reserved in {path}: {', '.join(name for name, _ in names)}")
    if made:
        replace_file(path.resolve(), text)
    return made


def _since(
    earlier: Earlier, document: Document, side: Side | None, lock: Lock, *, unstable: bool
) -> tuple[list[Finding], list[Gap], tuple[Side, Side] | None]:
    """The changes since a baseline, the gaps of the comparison, and the two sides, if anything was compared."""
    base = earlier.base
    if base.document is None:
        return [], [base.gap] if base.gap is not None else [], None
    if earlier.is_like(document, lock):
        return [], [], None
    try:
        before = earlier.side
        after = side or tolerated(document, lock)
    except SchemaError as error:
        return [], [unread(error)], None
    if before is None:
        return [], [], None
    return *compared(before, after, unstable=unstable), (before, after)


def _foreseen(base: Baseline, document: Document, found: Sequence[Finding]) -> list[Finding]:
    """The breaks that the completion of the edited RFDs will cause."""
    known = {(finding.rule, finding.pointer) for finding in found}
    old = base.document
    return [f for f in foreseen(old, document) if (f.rule, f.pointer) not in known] if old is not None else []


def _detailed(
    findings: Sequence[Finding], old: Side, new: Side, *, wires: bool, answers: bool = True
) -> tuple[list[Finding], tuple[int, int] | None]:
    """The grouped findings with details for reviewers, and both version numbers if they matter. `answers`: include the
    receiver's response to each example.
    """
    documents = old.document, new.document
    found = grouped(with_places(with_rfds(findings, *documents), *documents))
    if not wires and not any(finding.worst is Level.error for finding in found):
        return (with_answers(found, *paired(old, new)[:2]) if answers and _has_examples(found) else found), None
    before, after, _ = paired(old, new)
    found = with_answers(found, before, after) if answers else found
    handshakes = before.schema.handshake, after.schema.handshake
    known = [handshake.version_number for handshake in handshakes if handshake is not None]
    return (with_wires(found, before, after) if wires else found), (known[0], known[1]) if len(known) == 2 else None


def _has_examples(findings: Sequence[Finding]) -> bool:
    return any(finding.example is not None for finding in findings)


def example_directories(path: Path, extend: Sequence[Path]) -> list[Path]:
    """The directories of example messages: one beside the schema, and one beside each extension, named after it."""
    return [path.parent / EXAMPLES, *(extension.with_suffix("") / "messages" for extension in extend)]


def _load(document: Document) -> Schema | SchemaError:
    try:
        schema, _ = load(document)
    except SchemaError as error:
        before = _load(document.base) if isinstance(document, Extended) else None
        return at_additions(document, error, before if isinstance(before, SchemaError) else None)
    return schema


def _of_settings(id_: str, settings: Config | Ledger) -> list[Finding]:
    """Findings of a rule about suppressions or accepted breaks."""
    list_ = "/tool/acp-codegen/check/suppress" if isinstance(settings, Config) else "/break"
    return [
        RULES[id_].finding(f"{list_}/{hit.pointer}", settings.place(int(hit.pointer or 0)), hit.message)
        for hit in RULES[id_].check(settings)
    ]
