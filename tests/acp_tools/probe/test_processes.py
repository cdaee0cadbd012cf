"""What a peer does as a process: it dies, floods, forks, fills the disk. The probe ends, says so, and leaves nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from acp_tools.probe import conversation as talking
from acp_tools.probe import runner as running
from acp_tools.probe.cases import shutdown
from acp_tools.probe.context import Settings
from acp_tools.probe.isolation.home import Home
from acp_tools.probe.peer import Command
from acp_tools.probe.report import FORMATS, Report
from acp_tools.probe.results import Status
from acp_tools.probe.runner import Outcome, examine

RUDE = Path(__file__).with_name("rude.py")
QUICK = Settings(count=0, patience=60.0, start=60.0, quiet=0.02, bound=120.0)


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the steps only those that are about processes."""
    monkeypatch.setattr(running, "STEPS", shutdown.STEPS)
    monkeypatch.setattr(shutdown, "GRACE", 60.0)


def probed(way: str, how: Settings = QUICK, *, room: int = 1 << 30) -> tuple[Outcome, Home]:
    with Home(room=room) as home:
        outcome = asyncio.run(examine(Command([sys.executable, str(RUDE), way], home), how))
        assert home.processes() == {}, "nothing is left"
    assert not home.root.exists()
    return outcome, home


def failures(outcome: Outcome) -> dict[str, str]:
    return {result.requirement.id: result.findings[0].text for result in outcome.sheet.of(Status.FAIL)}


def test_one_that_behaves_ends_with_its_input() -> None:
    outcome, _ = probed("behaves")
    assert failures(outcome) == {}
    assert outcome.sheet.notices == {}


def test_one_that_never_answers_is_waited_for_and_no_longer() -> None:
    outcome, _ = probed("never answers", Settings(start=0.3))
    assert failures(outcome) == {"handshake/answered": "`initialize` got no response"}


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("number", ["SIGTERM", "SIGHUP", "SIGINT"])
def test_a_probe_that_is_told_to_end_leaves_no_process_and_no_folder(number: str, tmp_path: Path) -> None:
    start = "import sys; from acp_codegen.cli.main import main; sys.exit(main())"
    command = [sys.executable, "-c", start, "probe", "--", sys.executable, str(RUDE), "outlives its input"]
    record = tmp_path / "record"
    command[4:4] = ["--record", str(record)]
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as probe:
        while not (record.exists() and record.stat().st_size):  # the agent runs, and has been spoken to
            assert probe.poll() is None
            time.sleep(0.02)
        probe.send_signal(getattr(signal, number))
        _, errors = probe.communicate()  # the agent has its standard error, through the probe alone
    assert probe.returncode == 2
    assert "interrupted" in errors.decode()
    assert [path.name for path in tmp_path.iterdir()] == ["record"]
    wanted = f"TMPDIR={tmp_path}/".encode()
    left = [entry for entry in Path("/proc").glob("[0-9]*/environ") if _says(entry, wanted)]
    assert left == []


def _says(entry: Path, wanted: bytes) -> bool:
    with contextlib.suppress(OSError):
        return wanted in entry.read_bytes()
    return False


def test_one_that_dies_is_told_by_its_code_and_its_last_words() -> None:
    outcome, _ = probed("dies")
    found = failures(outcome)
    assert "exited with code 3" in found["end/stays"]
    assert "no licence" in found["end/stays"]
    report = Report("rude", (), outcome.sheet, {}, "")
    assert "\x1b" not in FORMATS["text"](report)


def test_one_that_is_killed_is_told_by_the_signal() -> None:
    assert "SIGSEGV" in failures(probed("is killed")[0])["end/stays"]


def test_a_process_that_it_leaves_behind_is_found_and_ended() -> None:
    outcome, _ = probed("leaves a process")
    assert set(failures(outcome)) == {"end/left"}
    assert "time.sleep(600)" in failures(outcome)["end/left"]


def test_one_that_eats_sigterm_is_killed() -> None:
    outcome, _ = probed("eats SIGTERM", Settings(patience=0.2, start=60.0))
    assert set(failures(outcome)) == {"end/terminated"}


def test_one_that_outlives_its_input_needs_sigterm_which_is_its_choice() -> None:
    outcome, _ = probed("outlives its input", Settings(patience=2.0, start=60.0))
    assert failures(outcome) == {}
    assert set(outcome.sheet.notices) == {"end/input"}


@pytest.mark.environment
def test_a_flood_is_read_in_bounded_time_and_memory() -> None:
    outcome, _ = probed("floods")
    assert outcome.log.count > 60_000
    assert len(outcome.log.frames) <= 50_000


def test_a_line_without_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(talking, "LONGEST", 1 << 20)
    outcome, _ = probed("never ends a line")
    assert "wire/line-bounded" in failures(outcome)


@pytest.mark.slow
def test_one_that_fills_the_disk_is_ended() -> None:
    outcome, _ = probed("fills the disk", Settings(start=60.0), room=20 << 20)
    assert "limit/disk" in outcome.sheet.notices


def test_nothing_of_ours_is_in_its_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_TOKEN", "x")
    monkeypatch.setenv("WANTED", "y")
    with Home(["WANTED"]) as home:
        assert "SECRET_TOKEN" not in home.environment
        assert home.environment["WANTED"] == "y"
        folders = [home.environment[name] for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")]
        assert all(Path(folder).is_dir() and Path(folder).is_relative_to(home.root) for folder in folders)
