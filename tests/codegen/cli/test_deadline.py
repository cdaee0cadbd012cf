"""Commands that only look end in time, with a line that says where; whoever runs them may allow more, and no document can."""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen import limits
from codegen.errors import InputError
from codegen.formatting.format import Formatter
from codegen.limits import LIMITS, set_limits
from codegen.time_limit import OutOfTime, within_time

if TYPE_CHECKING:
    from tests.conftest import RunCli

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer")

SHORT: Any = 0.02
LINE = f"{SHORT} seconds of work (limit `seconds`, see docs/limits.md); check fewer files at once, or raise the limit"
SWALLOWS = """
from codegen import limits, time_limit
limits._set["seconds"] = 0.02
with time_limit.within_time():
    time_limit.working_at("big.json")
    while True:
        try:
            while True:
                sum(range(1000))
        except BaseException:
            continue
"""


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Makes a step of a command work without an end, and gives the command little time.

    Without the collector: what the signal raises in Hypothesis's callback of it would be lost, and reported.
    """

    def set_short(_: str) -> None:
        monkeypatch.setattr(limits, "_set", {"seconds": SHORT})

    def endless(*_: Any, **__: Any) -> None:
        while True:
            """Work."""

    def make(step: str) -> None:
        monkeypatch.setattr("codegen.cli.main.set_limits", set_short)
        monkeypatch.setattr(step, endless)

    gc.disable()
    yield make
    gc.enable()


COMMANDS = {
    "codegen.check.command.lint": ["check", "--no-compare", "--schema"],
    "codegen.publish.published_schema.publish": ["schema", "--schema"],
    "codegen.pipeline.load_shapes": ["generate", "--check", "--out", "out", "--schema"],
    "codegen.vendor.generate": ["vendor", "--check", "out", "--schema"],
    "codegen.annotate.annotate_file": ["annotate"],
    "codegen.migrate.files.move": ["migrate"],
}


@pytest.mark.parametrize("step", COMMANDS)
def test_a_command_that_only_looks_ends_in_one_line(run_cli: RunCli, tmp_path: Path, short: Any, step: str) -> None:
    (tmp_path / "schema.json").write_text('{"$defs": {"A": {}}}')
    run_cli(*COMMANDS[step], tmp_path / "schema.json")  # what it imports is there
    short(step)
    ran = run_cli(*COMMANDS[step], tmp_path / "schema.json")
    assert (ran.code, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"error: more than {LINE}" in ran.err


def test_a_program_that_asked_for_a_document_gets_one(run_cli: RunCli, root: Path, short: Any) -> None:
    command = ["check", "--no-compare", "--format", "json", "--schema", root / "schema.json"]
    run_cli(*command)
    short("codegen.check.command.lint")
    ran = run_cli(*command)
    assert (ran.code, "(limit `seconds`" in json.dumps(json.loads(ran.out))) == (2, True)


def test_a_line_of_a_transcript_is_named(
    run_cli: RunCli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object) -> None:
        raise OutOfTime

    (tmp_path / "t.ndjson").write_text("1\n2\n")
    monkeypatch.setattr("codegen.validate.sources.transcripts.Reader.line", late)
    ran = run_cli("validate", "--schema", root / "schema.json", tmp_path / "t.ndjson")
    assert (ran.code, f"t.ndjson:1: error: {limits.SECONDS.problem}" in ran.err) == (2, True)


def test_waiting_counts(root: Path, tmp_path: Path) -> None:
    """The other end of the pipe is open and stays silent: processor time would never run out."""
    os.mkfifo(tmp_path / "silent.ndjson")
    held = os.open(tmp_path / "silent.ndjson", os.O_RDWR)
    command = [sys.executable, "-m", "codegen", "validate", "--schema", "schema.json", tmp_path / "silent.ndjson"]
    environment = os.environ | {"ACP_CODEGEN_LIMITS": "elapsed=1"}
    ran = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)
    os.close(held)
    assert (ran.returncode, "more than 1 seconds from start to end (limit `elapsed`" in ran.stderr) == (2, True)


def test_the_clock_of_a_caller_goes_on() -> None:
    def heard(*_: object) -> None:
        """Takes the signal of the caller's clock."""

    handler, clock = signal.signal(signal.SIGALRM, heard), signal.setitimer(signal.ITIMER_REAL, 100)
    with within_time(), within_time():
        assert signal.getsignal(signal.SIGALRM) is not heard
    left = signal.setitimer(signal.ITIMER_REAL, *clock)[0]
    assert (signal.signal(signal.SIGALRM, handler), 0 < left <= 100) == (heard, True)


def test_a_command_that_writes_is_not_ended(run_cli: RunCli, tmp_path: Path) -> None:
    (tmp_path / "schema.json").write_text('{"$defs": {"A": {"type": "object"}}}')
    ran = run_cli("generate", "--schema", tmp_path / "schema.json", "--out", tmp_path / "out")
    assert (ran.code, (tmp_path / "out" / "models.py").exists()) == (0, True)


@pytest.mark.parametrize("check", [True, False])
def test_no_other_process_works_for_what_has_to_end(
    run_cli: RunCli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, check: bool
) -> None:
    helped: list[bool] = []

    class Recording(Formatter):
        def __init__(self, *, helped: bool) -> None:
            record(helped)
            raise InputError("models.py", "is not written")

    record = helped.append
    monkeypatch.setattr("codegen.emit.package.MANY", 1)
    monkeypatch.setattr("codegen.emit.package.Formatter", Recording)
    run_cli("generate", *(["--check"] if check else []), "--schema", root / "schema.json", "--out", tmp_path / "out")
    assert helped == [not check]


def test_what_catches_everything_ends_with_the_process(root: Path) -> None:
    ran = subprocess.run([sys.executable, "-c", SWALLOWS], cwd=root, capture_output=True, text=True, check=False)
    line = f"big.json: error: {limits.SECONDS._replace(usual=SHORT).problem}; {limits.SECONDS.instead}\n"
    assert (ran.returncode, ran.stderr) == (2, line)


# --- other limits ----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def usual(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of the next test are the usual ones."""
    monkeypatch.setattr(limits, "_set", {})


def test_whoever_runs_a_command_sets_limits(
    run_cli: RunCli, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "schema.json").write_text('{"$defs": {"A": {}, "B": {}}}')
    command = ["check", "--no-compare", "--schema", tmp_path / "schema.json"]
    assert "limit-exceeded" not in run_cli(*command).out
    monkeypatch.setenv("ACP_CODEGEN_LIMITS", "definitions=1")
    assert "more than 1 definitions (limit `definitions`, see docs/limits.md)" in run_cli(*command).out
    monkeypatch.delenv("ACP_CODEGEN_LIMITS")
    assert "limit-exceeded" not in run_cli(*command).out


def test_numbers_may_be_of_mebibytes() -> None:
    set_limits("file-size=2MiB, values=7")
    assert (limits.FILE.most, limits.FILE.shown, limits.VALUES.most) == (2 * 2**20, "2 MiB", 7)


@pytest.mark.parametrize("text", ["definitions", "definitions=", "definitions=0", "definitions=-1", "size=5", "\x1b=1"])
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^ACP_CODEGEN_LIMITS: error: .* is not a limit; expected NAME=NUMBER"):
        set_limits(text)


@pytest.mark.parametrize("limit", [limit for limit in LIMITS if limit.fixed], ids=lambda limit: limit.name)
def test_what_the_stack_holds_cannot_be_set(limit: limits.Limit) -> None:
    with pytest.raises(InputError, match=f"the limit `{limit.name}` cannot be changed"):
        set_limits(f"{limit.name}=1")
