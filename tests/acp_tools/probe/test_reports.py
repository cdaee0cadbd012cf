"""What is printed of a run: every format, with whatever a hostile peer wrote; exit codes, baselines, expected failures."""

from __future__ import annotations

import errno
import io
import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from acp_tools.probe import baseline as accepted
from acp_tools.probe import command
from acp_tools.probe.context import Facts
from acp_tools.probe.frame_log import TO_CLIENT, Frame, Log
from acp_tools.probe.report import FORMATS, Report
from acp_tools.probe.requirements import Level, Requirement
from acp_tools.probe.results import Sheet, Status
from acp_tools.probe.runner import Outcome
from codegen.escape import SINKS

RunCli = Callable[..., Any]
HOSTILE = "\x1b[2J</failure>]]> `x` | **b** ##vso[task] \u202e@someone\n::error::x"
ROWS = tuple(Requirement(f"wire/{level.name.lower()}", level, f"It {level.name}.", "the schema") for level in Level)


def outcome(*failed: str) -> Outcome:
    sheet = Sheet(ROWS)
    for row in ROWS:
        sheet.passed(row.id)
    for id_ in failed:
        sheet.failed(id_, f"it said {HOSTILE}", [Frame(7, 1, 0.0, TO_CLIENT, HOSTILE.encode())], pointer="/$defs/X")
    sheet.notice("choice", HOSTILE)
    return Outcome(sheet, Facts(opened=True, info={"name": HOSTILE}), Log(lambda: 0.0))


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> Callable[..., Any]:
    """Run the command; the probing itself fails these requirements."""

    def run(failed: tuple[str, ...], *arguments: str | Path) -> Any:
        monkeypatch.setattr(command, "examined", lambda words, settings, options, network: (outcome(*failed), ()))
        return run_cli("probe", *arguments, "--", "agent")

    return run


@pytest.mark.parametrize("format_", sorted(FORMATS))
def test_no_format_lets_anything_through_that_a_terminal_or_a_server_obeys(format_: str) -> None:
    result = outcome("wire/must")
    text = SINKS[format_](FORMATS[format_](Report(HOSTILE, (HOSTILE,), result.sheet, {}, "1", True)))
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert "##vso[" not in text
    assert not any(line.startswith("::") for line in text.splitlines())


def test_every_format_names_the_requirement_and_the_frame() -> None:
    report = Report("agent", (), outcome("wire/must").sheet, {}, "1")
    for format_, write in FORMATS.items():
        assert "wire/must" in write(report), format_
        assert "1:7" in write(report) or '"number": 7' in write(report), format_


def test_junit_is_xml_and_counts() -> None:
    tree = ET.fromstring(FORMATS["junit"](Report(HOSTILE, (), outcome("wire/must").sheet, {"wire/may": "x"}, "1")))
    assert (tree.get("tests"), tree.get("failures")) == ("3", "1")


def test_markdown_has_a_row_for_each_family() -> None:
    text = FORMATS["markdown"](Report("agent", (), outcome("wire/must").sheet, {}, "1"))
    assert "| wire | ❌ | 2 | 1 | 0 | 0 |" in text


@pytest.mark.parametrize(
    ("failed", "arguments", "code"),
    [
        ((), (), 0),
        (("wire/must",), (), 1),
        (("wire/should",), (), 0),
        (("wire/should",), ("--fail-on", "should"), 1),
        (("wire/may",), ("--fail-on", "should"), 0),
        (("wire/may",), ("--fail-on", "may"), 1),
    ],
)
def test_the_exit_code_follows_the_level(
    ran: Callable[..., Any], failed: tuple[str, ...], arguments: tuple[str, ...], code: int
) -> None:
    assert ran(failed, *arguments).code == code


def test_an_expected_failure_with_a_reason_does_not_fail(ran: Callable[..., Any], tmp_path: Path) -> None:
    expected = tmp_path / "expected.toml"
    expected.write_text('[[expected]]\nid = "wire/must"\nreason = "issue 7"\n')
    result = ran(("wire/must",), "--expected", expected)
    assert result.code == 0
    assert "expected: issue 7" in result.out


def test_an_expected_failure_that_is_gone_fails_until_it_is_removed(ran: Callable[..., Any], tmp_path: Path) -> None:
    expected = tmp_path / "expected.toml"
    expected.write_text('[[expected]]\nid = "wire/must"\nreason = "issue 7"\n')
    result = ran((), "--expected", expected)
    assert result.code == 1
    assert "wire/must is an expected failure, and does not fail: remove it" in result.err


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('[[expected]]\nid = "wire/must"\n', "must have an id and a reason"),
        ('[[expected]]\nid = "wire/must"\nreason = " "\n', "must have an id and a reason"),
        ('[[expected]]\nid = "wire/ghost"\nreason = "x"\n', "unknown requirement"),
        ("expected = [", "is not valid TOML"),
    ],
)
def test_a_list_that_cannot_be_meant_is_refused(
    ran: Callable[..., Any], tmp_path: Path, text: str, problem: str
) -> None:
    expected = tmp_path / "expected.toml"
    expected.write_text(text)
    result = ran((), "--expected", expected)
    assert (result.code, problem in result.err) == (2, True), result.err


def test_a_baseline_excuses_what_failed_before_and_nothing_else(ran: Callable[..., Any], tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.json"
    assert ran(("wire/must",), "--write-baseline", baseline).code == 1
    assert ran(("wire/must",), "--baseline", baseline).code == 0
    assert ran(("wire/must", "wire/should"), "--baseline", baseline, "--fail-on", "should").code == 1


def test_what_is_no_baseline_is_refused(ran: Callable[..., Any], tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"failures": ["wire/must"]}))
    result = ran((), "--baseline", other)
    assert (result.code, "is not a baseline" in result.err) == (2, True)


def test_a_command_that_is_not_there_is_a_sentence(run_cli: RunCli) -> None:
    result = run_cli("probe", "--", "no-such-agent-anywhere")
    assert result.code == 2
    assert "no-such-agent-anywhere: error: cannot be started" in result.err


def test_a_failure_stays_whatever_passes_later() -> None:
    sheet = Sheet(ROWS)
    sheet.failed("wire/must", "x")
    sheet.passed("wire/must")
    sheet.skipped("wire/must", "x")
    assert sheet.results["wire/must"].status is Status.FAIL
    assert accepted.stale({"wire/must": "x"}, sheet) == []


class FullDisk(io.BytesIO):
    """A file that takes nothing, and counts the attempts."""

    attempts = 0

    def write(self, data: Any) -> int:
        self.attempts += 1
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_record_that_cannot_be_written_ends_and_its_frames_are_kept() -> None:
    record = FullDisk()
    log = Log(lambda: 0.0, record)
    log.connect()
    frames = [log.add("client-to-agent", b"{}") for _ in range(3)]
    assert (record.attempts, log.lost, log.frames) == (1, "No space left on device", frames)
