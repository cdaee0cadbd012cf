"""A connection that is judged while it goes on is judged as its transcript is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.findings.finding import Finding
from codegen.validate.live import Live

from .support import RULES, of_file, protocol

TRANSCRIPTS = [
    path
    for path in sorted(RULES.rglob("*.ndjson"))
    if all(line.startswith('{"t"') for line in path.read_text(encoding="utf-8", errors="replace").splitlines())
    and path.read_text(encoding="utf-8", errors="replace").endswith("}\n")
]


def frames(path: Path) -> list[tuple[str, bytes]]:
    """The frames of a transcript."""
    lines = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
    return [
        (line.get("dir"), line["raw"].encode() if "raw" in line else json.dumps(line["msg"]).encode()) for line in lines
    ]


def told(findings: list[Finding]) -> list[tuple[str, int, str]]:
    return sorted((finding.id, finding.place.line, finding.path) for finding in findings)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_frame_by_frame_it_says_what_it_says_of_the_file(path: Path) -> None:
    judge = Live(protocol())
    found = [finding for direction, data in frames(path) for finding in judge.frame(direction, data)]
    assert told([*found, *judge.end()]) == told(of_file(path))


def test_there_are_transcripts_to_compare() -> None:
    assert len(TRANSCRIPTS) > 15
    assert sum(bool(of_file(path)) for path in TRANSCRIPTS) > 5


def test_a_finding_comes_with_the_frame_that_makes_it_certain() -> None:
    judge = Live(protocol())
    early = json.dumps({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}).encode()
    opening = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}
    assert judge.frame("client-to-agent", early) == []
    assert judge.frame("client-to-agent", json.dumps(opening).encode()) == []
    answer = {"jsonrpc": "2.0", "id": 0, "result": {"protocolVersion": 1}}
    found = judge.frame("agent-to-client", json.dumps(answer).encode())
    assert [(finding.id, finding.place.line) for finding in found] == [("before-handshake", 1)]


def test_what_is_no_message_is_told_and_the_rest_is_judged_all_the_same() -> None:
    judge = Live(protocol())
    bad = (b"", b"\xff\xfe", b"{", b"[1]", b"null", b"[" * 100_000)
    assert all(judge.frame("agent-to-client", data) for data in bad)
    answer = json.dumps({"jsonrpc": "2.0", "id": 7, "result": {}}).encode()
    assert [finding.id for finding in judge.frame("agent-to-client", answer)] == ["answer-unasked"]


def test_the_findings_of_a_batch_stand_at_the_messages_in_it() -> None:
    unasked, unknown = {"jsonrpc": "2.0", "id": 7, "result": {}}, {"jsonrpc": "2.0", "method": "x"}
    data = json.dumps([unasked, unknown]).encode()
    found = [(finding.id, finding.place.column) for finding in Live(protocol()).frame("agent-to-client", data)]
    assert found == [
        ("batch", 1),
        ("answer-unasked", data.index(b"7") + 1),
        ("method-unknown", data.index(b'"x"') + 1),
    ]
