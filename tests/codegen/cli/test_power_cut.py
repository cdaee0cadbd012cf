"""The power goes while a package is written: what the disk has kept becomes the old package or the new one."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

from codegen.write.diff import Change
from codegen.write.transaction import STAGING, apply, locked
from tests.codegen.cli.disk import Disk, State, after_cuts

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names of open files are read from /proc")

Texts = dict[str, str]
OLD = {"__init__.py": "v = 1\n", "a.py": "a = 1\n", "old/gone.py": "g = 1\n", "sub/b.py": "b = 1\n", "m.json": "1"}
NEW = {"__init__.py": "v = 2\n", "a.py": "a = 2\n", "new/c.py": "c = 2\n", "sub/b.py": "b = 2\n", "m.json": "2"}
NO_MODULES = {"m.json": "1", "sub/n.json": "1"}
CASES = {
    "no modules": (NO_MODULES, dict.fromkeys(NO_MODULES, "2")),
    "first": ({}, NEW),
    "update": (OLD, NEW),
    "kept": (OLD, {**NEW, "__init__.py": OLD["__init__.py"]}),
}


def refuse(text: str) -> NoReturn:
    raise AssertionError(text)


def lay(home: Path, state: State) -> None:
    home.mkdir(parents=True)
    for path, data in state.items():
        (home / path).parent.mkdir(parents=True, exist_ok=True)
        if data is None:
            (home / path).mkdir(exist_ok=True)
        else:
            (home / path).write_bytes(data)


def state_of(texts: Texts) -> State:
    return {path: text.encode() for path, text in texts.items()}


def texts(home: Path) -> Texts:
    return {path.relative_to(home).as_posix(): path.read_text() for path in home.rglob("*") if path.is_file()}


def modules(there: Texts) -> Texts:
    return {path: text for path, text in there.items() if path.endswith(".py")}


def write(home: Path, before: Texts, after: Texts) -> None:
    paths = sorted({*before, *after})
    changes = [Change(p, "stale", after.get(p), before.get(p)) for p in paths if before.get(p) != after.get(p)]
    with locked(home, refuse) as folder:
        apply(folder, changes)


def recovered(home: Path) -> Texts:
    """What is there when the next run has put right what was left."""
    with locked(home, refuse):
        return texts(home)


@pytest.mark.parametrize("case", CASES)
def test_the_disk_has_kept_the_old_package_or_the_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    before, after = CASES[case]
    lay(tmp_path / "out", state_of(before))
    with monkeypatch.context() as recording:
        disk = Disk(tmp_path / "out", recording)
        write(tmp_path / "out", before, after)
    assert texts(tmp_path / "out") == after
    found = list(after_cuts(state_of(before), disk.steps))
    assert len(found) > 15
    ended = set[bool]()
    for number, (cut, state) in enumerate(found):
        home = tmp_path / str(number)
        lay(home, state)
        there = texts(home)
        left = recovered(home)
        assert left in (before, after), (cut, disk.steps[:cut], state)
        ended.add(left == after)
        whole = modules(there) in (modules(before), modules(after))
        assert whole or there["__init__.py"].startswith("raise ImportError("), (cut, there)
        shutil.rmtree(home)
    assert ended == {False, True}


def test_the_power_goes_again_while_it_is_put_right(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = OLD, NEW
    lay(tmp_path / "out", state_of(before))
    with monkeypatch.context() as recording:
        disk = Disk(tmp_path / "out", recording)
        write(tmp_path / "out", before, after)
    halves = [state for _, state in after_cuts(state_of(before), disk.steps) if f"{STAGING}/journal.json" in state]
    assert len(halves) > 10
    for number, half in enumerate(halves[::4]):
        home = tmp_path / f"half{number}"
        lay(home, half)
        with monkeypatch.context() as recording:
            again = Disk(home, recording)
            recovered(home)
        for second, (cut, state) in enumerate(after_cuts(half, again.steps)):
            there = tmp_path / f"half{number}-{second}"
            lay(there, state)
            found = texts(there)
            whole = modules(found) in (modules(before), modules(after))
            assert whole or found["__init__.py"].startswith("raise ImportError("), (cut, found)
            assert recovered(there) == before, (cut, again.steps[:cut], half, state)
            shutil.rmtree(there)
