"""docs/interop.md: each cell and each finding leads to the frames that show it, in transcripts that can be read and replayed."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_tools.probe.frame_log import Frame
from acp_tools.probe.interop.__main__ import PAGE, RESULTS, known
from acp_tools.probe.interop.findings import MOST_OF_A_CONNECTION, MOST_OF_A_FRAME, cut
from acp_tools.probe.interop.page import page
from acp_tools.probe.interop.peers import FOLDER, HOME, peers, without_places
from acp_tools.trace.replay import replay

RunCli = Callable[..., Any]
ROOT = PAGE.parents[1]
TEXT = PAGE.read_text(encoding="utf-8")
TRANSCRIPTS = sorted(FOLDER.glob("*.jsonl"))
COLUMNS = known()
by_name = pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.name)
by_column = pytest.mark.parametrize("name", COLUMNS)


def frames(name: str) -> list[Any]:
    """What the lines of a transcript say, from 1 on."""
    return [None, *(json.loads(row).get("msg") for row in (FOLDER / name).read_text(encoding="utf-8").splitlines())]


def methods_by_line(said: list[Any]) -> dict[int, str]:
    """The method that each line is about: its own, or that of the request it answers."""
    found: dict[int, str] = {}
    asked: dict[Any, str] = {}
    for number, message in enumerate(said):
        if isinstance(message, dict) and "method" in message:
            found[number] = asked[message.get("id")] = message["method"]
        elif isinstance(message, dict):
            found[number] = asked.get(message["id"], "")
    return found


def test_the_page_is_what_the_results_say() -> None:
    assert page(list(COLUMNS.values())) == TEXT, "run: make interop (PEERS=... for a part of it)"


def test_every_peer_is_on_the_page_with_its_date_and_version() -> None:
    assert list(COLUMNS) == [peer.file for peer in peers()]
    assert [(column.name, column.file) for column in COLUMNS.values()] == [(peer.name, peer.file) for peer in peers()]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d", column.date) and column.tool for column in COLUMNS.values())
    versions = [peer.install.rpartition("@")[2].rpartition("=")[2] for peer in peers()]
    assert all(version in peer.name for peer, version in zip(peers(), versions, strict=True) if peer.install)


def test_every_link_of_the_page_leads_somewhere() -> None:
    lengths = {path.name: len(path.read_bytes().splitlines()) for path in FOLDER.iterdir()}
    anchors = set(re.findall(r'<a id="([^"]+)"></a>', TEXT))
    links = re.findall(r"\]\(([^)]+)\)", TEXT)
    assert len(links) > 200
    for link in links:
        path, _, fragment = link.partition("#")
        if not path:
            assert fragment in anchors
            continue
        name = path.removeprefix("interop/")
        assert name in lengths, link
        assert not fragment or 1 <= int(fragment.removeprefix("L")) <= lengths[name], link


@by_column
def test_each_cell_leads_to_the_frame_that_shows_it(name: str) -> None:
    about = methods_by_line(frames(f"{name}.jsonl"))
    assert {method: about[cell.line] for method, cell in COLUMNS[name].cells.items()} == {
        method: method for method in COLUMNS[name].cells
    }


@by_column
def test_each_cell_says_what_its_frame_says(name: str) -> None:
    said = frames(f"{name}.jsonl")
    for method, cell in COLUMNS[name].cells.items():
        message = said[cell.line]
        code = message.get("error", {}).get("code")
        expected = {"-": -32601, "✗ missing": -32601, "login": -32000}.get(cell.word)
        if cell.word.lstrip("-").isdigit():
            expected = int(cell.word)
        assert code == expected, method
        assert ("method" in message) == (cell.word in ("✓ sent", "no answer")), method


@by_column
def test_each_cell_with_blame_for_the_agent_names_a_requirement_or_is_an_error_that_none_forbids(name: str) -> None:
    for cell in COLUMNS[name].cells.values():
        if cell.word.startswith("✗") or cell.word == "no answer":
            assert cell.requirement
            assert cell.blame.startswith("agent")


@by_column
def test_each_finding_has_frames(name: str) -> None:
    rows = COLUMNS[name].found.failed
    assert [row.id for row in rows if not row.lines] == []
    assert all(row.statement and row.source and row.text for row in rows)
    assert not rows or max(max(row.lines) for row in rows) <= len(frames(f"{name}.findings.jsonl")) - 1


@by_name
def test_each_transcript_can_be_validated(path: Path, run_cli: RunCli) -> None:
    ran = run_cli("validate", path)
    assert ran.code in (0, 1), ran.err
    assert "message-not-json" not in ran.out, "every line is one of a transcript"
    assert "initialize" in ran.out


@by_name
def test_each_transcript_can_be_replayed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    hearing = (sys.executable, "-c", "input()")  # it reads what opens the connection, and says nothing
    assert replay(path, hearing, patience=60) == 1
    assert "initialize #1: no answer" in capsys.readouterr().out


@pytest.mark.slow
def test_the_echo_agent_says_again_what_it_said(capsys: pytest.CaptureFixture[str]) -> None:
    agent = (sys.executable, str(ROOT / "examples" / "echo_agent.py"))
    assert replay(FOLDER / "echo.jsonl", agent, patience=30) == 0, capsys.readouterr().out


def test_the_transcripts_are_small_and_say_nothing_of_the_machine_that_they_are_from() -> None:
    files = [*TRANSCRIPTS, RESULTS, PAGE]
    assert sum(path.stat().st_size for path in files) < 1_000_000
    places = re.compile(
        rf"(?:{HOME}-\w|acp-probe-|/root\b|/work/(wt|main)|/home/(?!user)|\.interop|registry\.|pypi\.|npmjs|/opt/)[^\n]*"
    )
    for path in files:
        assert places.findall(path.read_text(encoding="utf-8")) == [], path


def test_places_of_a_machine_become_names() -> None:
    places = {"python": "/x", "root": "/work/tree", "home": "/work/tree/.interop/p"}
    text = without_places(
        '"/tmp/acp-probe-abc/work" /work/tree/.interop/p/a.js /work/tree/x /work/trees',
        Path("/tmp/acp-probe-abc"),
        places,
    )
    assert text == f'"{HOME}/work" /peer/a.js /acp-codegen/x /work/trees'


def recorded(connections: list[list[bytes]]) -> tuple[bytes, list[Frame]]:
    rows, kept = b"", []
    for connection, texts in enumerate(connections, 1):
        for at, text in enumerate(texts):
            rows += b'{"t":%d,"dir":"client-to-agent","msg":"%b"}\n' % (at, text)
            kept.append(Frame(len(kept) + 1, connection, float(at), "client-to-agent", text))
    return rows, kept


def test_what_no_finding_quotes_is_cut_away() -> None:
    record, kept = recorded([[b"a1", b"a2"], [b"b1", b"b2", b"b3", b"b4"], [b"c1"]])
    text, places = cut(record, kept, {5})
    assert [json.loads(row)["msg"] for row in text.splitlines()] == ["b1", "b2", "b3"]
    assert places == {3: 1, 4: 2, 5: 3}


def test_of_a_long_connection_the_longest_frames_go_but_for_the_quoted_ones() -> None:
    long = b"x" * (MOST_OF_A_FRAME - 100)
    count = MOST_OF_A_CONNECTION // MOST_OF_A_FRAME + 2
    record, kept = recorded([[b"hello", b"hi", *(long for _ in range(count)), b"short", long]])
    text, places = cut(record, kept, {len(kept)})
    said = [json.loads(row)["msg"] for row in text.splitlines()]
    assert said[:2] == ["hello", "hi"]
    assert said[-2:] == ["short", long.decode()]
    assert len(text) < MOST_OF_A_CONNECTION + MOST_OF_A_FRAME
    assert places[len(kept)] == len(said)


def test_a_frame_that_is_too_long_is_cut_and_says_so() -> None:
    record, kept = recorded([[b"y" * (2 * MOST_OF_A_FRAME)]])
    text, _ = cut(record, kept, {1})
    row = json.loads(text)
    assert row["raw"].startswith('"yyyy')
    assert row["raw"].endswith(f"(cut: {2 * MOST_OF_A_FRAME + 3:,} bytes)")
