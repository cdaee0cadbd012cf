"""Losses that an edit causes for each released program, live release and SDK, and the recorded messages that show them.

A transcript contains the messages that its two programs sent. To check what they can receive, the module uses the
witnesses of findings, which are messages of new peers. A program is affected if it received messages of the same
method. An SDK reads the witnesses itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from ...errors import InputError
from ...findings.audience import PEERS, Peer, affected
from ...findings.finding import Category, Finding, Level
from ...findings.traffic import Refused, Row, Traffic
from ...findings.verdict import Gap
from ...model.nodes.types import Method, Schema
from ..compare.flow import directions
from ..impact.replay import Judge
from ..parts.side import Side
from .packages import Package, Question

ENDINGS = (".jsonl", ".ndjson")
_OTHER: dict[Peer, Peer] = {"client": "agent", "agent": "client"}


def fleet(
    places: Sequence[Path], packages: Sequence[Package], old: Side, new: Side, findings: Sequence[Finding]
) -> tuple[Traffic, list[Gap]]:
    """The traffic in transcripts or folders of them, with a row for each loss, and gaps for parts that could not be
    checked. Raises InputError for a folder without transcripts, or a package that cannot be installed.
    """
    judge, whole = Judge(old, new), Judge(old, new)
    rows: list[Row] = []
    gaps: list[Gap] = []
    unaffected: list[str] = []
    for file in _transcripts(places):
        judge.anew()
        gaps += judge.file(file)
        whole.file(file)
        for peer in PEERS:
            name = judge.names.get(peer) or f"{file.stem} (the {peer})"
            lost = [*_sent(name, peer, judge), *_received(name, peer, judge, findings)]
            rows += lost
            unaffected += [] if lost or not judge.totals[peer] else [name]
    excused = {carrier for finding in findings if finding.accepted for carrier in finding.via}
    for (_, carrier), refused in whole.found.items():
        refused.accepted = carrier in excused
    traffic = whole.traffic()
    rows = sorted([*_releases(findings, whole), *_merged(rows)], key=lambda row: (row.release, row.side))
    questions = list(_questions(findings, new.schema))
    for package in packages if questions else ():
        answers = package.answers(questions)
        rows += answers
        unaffected += [] if answers else [package.name]
    hit = {row.release for row in rows}
    unaffected = [name for name in dict.fromkeys(unaffected) if name not in hit]
    return replace(traffic, fleet=rows, unaffected=unaffected), gaps


def _transcripts(places: Sequence[Path]) -> Iterator[Path]:
    """The transcripts that arguments name: files, and all in a folder."""
    for place in places:
        if not place.is_dir():
            yield place
            continue
        found = sorted(each for each in place.iterdir() if each.suffix in ENDINGS and each.is_file())
        if not found:
            raise InputError(str(place), f"contains no transcript; expected files that end with {' or '.join(ENDINGS)}")
        yield from found


def _sent(name: str, peer: Peer, judge: Judge) -> Iterator[Row]:
    """The recorded messages of a program that a new receiver rejects."""
    for (sender, carrier), each in judge.found.items():
        for says, count in each.reasons.items() if sender == peer else ():
            breaks = f"sends {carrier}: {says}"
            yield Row(release=name, side=peer, breaks=breaks, count=count, total=each.total, first=each.first)


def _received(name: str, peer: Peer, judge: Judge, findings: Sequence[Finding]) -> Iterator[Row]:
    """Messages of new senders that a program would not understand. Only methods of which it received messages count."""
    for finding in _breaking(findings):
        if finding.example is None or finding.example.sender == "old" or peer not in affected(finding):
            continue
        there = _carried(finding, judge, _OTHER[peer])
        if there:
            total = sum(each.total for each in there)
            breaks = f"receives {', '.join(each.carrier for each in there)}: {finding.message}"
            yield Row(release=name, side=peer, breaks=breaks, count=0, total=total, first=finding.place)


def _carried(finding: Finding, judge: Judge, sender: Peer) -> list[Refused]:
    """Recorded messages that contain a change."""
    carriers = {*finding.via, *([finding.example.carrier] if finding.example is not None else [])}
    return [each for (peer, carrier), each in judge.found.items() if peer == sender and carrier in carriers]


def _releases(findings: Sequence[Finding], whole: Judge) -> Iterator[Row]:
    """The breaks for peers of each live release, and the recorded messages that a new receiver would reject."""
    for finding in _breaking(findings):
        for side in affected(finding):
            receives = finding.example is not None and finding.example.sender == "new"
            there = _carried(finding, whole, _OTHER[side] if receives else side)
            count, total = 0 if receives else sum(each.count for each in there), sum(each.total for each in there)
            total = total if count or receives else 0
            first = next((each.first for each in there if count and each.first is not None), finding.place)
            for release in finding.releases:
                breaks = f"{finding.id}: {finding.message}"
                yield Row(release=release, side=side, breaks=breaks, count=count, total=total, first=first)


def _breaking(findings: Sequence[Finding]) -> list[Finding]:
    return [f for f in findings if f.category is Category.WIRE and f.level > Level.info and not f.accepted]


def _merged(rows: Sequence[Row]) -> list[Row]:
    """Merge the rows of several transcripts of one program."""
    found: dict[tuple[str, str, str], Row] = {}
    for row in rows:
        key = row.release, row.side, row.breaks
        known = found.get(key)
        found[key] = (
            row if known is None else replace(known, count=known.count + row.count, total=known.total + row.total)
        )
    return list(found.values())


def _content(envelope: Mapping[str, Any] | None) -> Any:
    return None if envelope is None else envelope.get("params", envelope.get("result"))


def _questions(findings: Sequence[Finding], schema: Schema) -> Iterator[Question]:
    """The distinct messages of new peers for an SDK to read."""
    asked: set[str] = set()
    ends: dict[tuple[str, str], tuple[Method, str]] = {(m.path, m.kind): (m, m.params) for m in schema.methods}
    ends |= {(m.path, "response"): (m, m.result) for m in schema.methods if m.result is not None}
    for finding in findings:
        example, wire = finding.example, finding.wire
        if example is not None and example.sender == "new":
            carrier, message = example.carrier, example.message
        elif wire is not None and wire.after is not None:
            carrier, message = wire.carrier, _content(wire.after)
        else:
            continue
        key = f"{carrier}: {json.dumps(message)}"
        if key in asked:
            continue
        asked.add(key)
        path, _, role = carrier.removesuffix(")").rpartition(" (")
        if (path, role) in ends:
            method, definition = ends[path, role]
            readers = {direction.rpartition("-to-")[2] for direction in directions(method.side, role)}
        else:
            definition, readers = path, set(affected(finding))
        yield Question(
            definition=definition,
            carrier=carrier,
            message=message,
            before=_content(wire.before) if wire is not None else None,
            receiver=readers.pop() if len(readers) == 1 else "both",
            about=finding.message,
            place=finding.place,
        )
