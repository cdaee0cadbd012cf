"""`acp-codegen probe`, as it is run: a real agent, a clean home, every format."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

RunCli = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[3]
ECHO = (sys.executable, str(ROOT / "examples" / "echo_agent.py"))


@pytest.mark.slow
def test_the_echo_agent_breaks_nothing_in_any_format(run_cli: RunCli, tmp_path: Path) -> None:
    record = tmp_path / "echo.ndjson"
    ran = run_cli(
        "probe",
        "--patience",
        "30",
        "--bound",
        "600",
        "--depth",
        "0",
        "--format",
        "json",
        "--record",
        record,
        "--",
        *ECHO,
    )
    assert ran.code == 0, ran.out
    report = json.loads(ran.out)
    assert [row["id"] for row in report["requirements"] if row["status"] == "fail"] == []
    told = {row["id"]: row["text"] for row in report["information"]}
    assert told["unknown-session/session/prompt"] == "`session/prompt` for an unknown session succeeded"
    assert report["counts"]["pass"] > 100
    assert run_cli("validate", record).out.count("initialize") > 0


@pytest.mark.parametrize("option", ["--schema", "--extend"])
def test_a_document_that_cannot_be_read_is_told_before_anything_starts(
    option: str, run_cli: RunCli, tmp_path: Path
) -> None:
    mark = tmp_path / "started"
    ran = run_cli("probe", option, tmp_path / "none.json", "--", "touch", str(mark))
    assert (ran.code, mark.exists()) == (2, False)
    assert "none.json" in ran.err


@pytest.mark.environment
@pytest.mark.slow
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_record_on_a_full_disk_ends_and_the_run_goes_on(run_cli: RunCli) -> None:
    ran = run_cli("probe", "--record", "/dev/full", "--format", "json", "--generated", "0", "--depth", "0", "--", *ECHO)
    assert ran.code == 0, ran.err
    assert json.loads(ran.out)["counts"]["pass"] > 100
    assert "/dev/full: the record ends early: No space left on device" in ran.err


def test_a_command_that_is_empty_is_wrong_usage(run_cli: RunCli) -> None:
    ran = run_cli("probe", "--", "")
    assert ran.code == 2
    assert "COMMAND: error: is empty" in ran.err


def test_an_address_where_nobody_is_is_told_as_that(run_cli: RunCli, tmp_path: Path) -> None:
    ran = run_cli("probe", "--", f"unix:{tmp_path}/none")
    assert ran.code == 2
    assert "cannot connect" in ran.err


@pytest.mark.parametrize("count", ["-1", "x", "1e3", "100000"])
def test_a_number_of_messages_that_cannot_be_is_wrong_usage(count: str, run_cli: RunCli) -> None:
    ran = run_cli("probe", f"--generated={count}", "--", "agent")
    assert ran.code == 2
    assert "Invalid value for '--generated'" in ran.err
