"""Writing, while others write, kill, or look: a package is the old one, the new one, or says that it is neither."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from codegen.errors import InputError
from codegen.write.diff import Change
from codegen.write.transaction import JOURNAL, STAGING, apply, locked
from tests.support.sampling import exhaustive

Texts = dict[str, str]
MINE = {"mine.py": "mine", "data/mine.txt": "mine"}


class Case(NamedTuple):
    """A run that was killed at its k-th request to the system, unless it survived; and what was there afterwards.

    `seen`: what was there after it, and after each recovery that was killed as well.
    """

    name: str
    k: int
    killed: bool
    before: Texts
    after: Texts
    seen: list[Texts]
    restored: Texts
    finished: Texts


@pytest.fixture(scope="module", params=exhaustive([7, 1], stay=[7]))
def step(request: pytest.FixtureRequest) -> int:
    """How many requests further the next run is killed."""
    found: int = request.param
    return found


@pytest.fixture(scope="module")
def cases(tmp_path_factory: pytest.TempPathFactory, step: int) -> list[Case]:
    program = Path(__file__).with_name("killed.py")
    command = [sys.executable, str(program), str(tmp_path_factory.mktemp("killed")), str(step)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    return [Case(*json.loads(line)) for line in ran.stdout.splitlines()]


def modules(texts: Texts) -> Texts:
    return {path: text for path, text in texts.items() if path.endswith(".py")}


def test_runs_were_killed_everywhere_until_one_survived(cases: list[Case], step: int) -> None:
    for name in ("first", "update", "kept"):
        found = [case for case in cases if case.name == name]
        assert [case.killed for case in found] == [True] * (len(found) - 1) + [False]
        assert len(found) * step > 60
    assert sum(len(case.seen) - 1 for case in cases) * step > 300


def test_the_next_run_finds_the_old_package_or_the_new_one(cases: list[Case]) -> None:
    for case in cases:
        assert case.restored in ({**case.before, **MINE}, {**case.after, **MINE}), (case.name, case.k)


def test_whoever_imports_before_that_gets_the_old_one_the_new_one_or_a_reason(cases: list[Case], step: int) -> None:
    refused = 0
    for case in cases:
        whole = (modules({**case.before, **MINE}), modules({**case.after, **MINE}))
        for number, seen in enumerate(case.seen):
            if modules(seen) not in whole:
                assert seen["__init__.py"].startswith("raise ImportError("), (case.name, case.k, number)
                refused += 1
    assert refused * step > 10


def test_the_next_run_goes_to_the_end(cases: list[Case]) -> None:
    for case in cases:
        assert case.finished == {**case.after, **MINE}, (case.name, case.k)


# --- two at once ---------------------------------------------------------------------------------------------------------


def put(out: Path, version: int, notes: list[str]) -> None:
    """Bring ten files to a version."""
    files = {f"m{n}.py": f"v = {version}\n" for n in range(10)}
    with locked(out, notes.append) as folder:
        found = [(path, text, folder.read(path)) for path, text in files.items()]
        changes = [Change(path, "stale", text, now.decode() if now else None) for path, text, now in found]
        apply(folder, [change for change in changes if change.text != change.current])


def test_runs_at_once_never_mix(tmp_path: Path) -> None:
    out, mixed = tmp_path / "out", []

    def write(version: int) -> None:
        for _ in range(5):
            put(out, version, [])
            with locked(out, print):
                found = {path.read_text() for path in out.glob("m*.py")}
            if len(found) != 1:
                mixed.append(found)

    threads = [threading.Thread(target=write, args=(version,)) for version in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert mixed == []
    assert sorted(path.name for path in out.iterdir()) == [f"m{n}.py" for n in range(10)]


def test_a_run_that_waits_says_so(tmp_path: Path) -> None:
    notes: list[str] = []
    with locked(tmp_path, notes.append) as folder:
        other = threading.Thread(target=put, args=(tmp_path, 1, notes))
        other.start()
        while not notes:
            other.join(0.01)
        assert folder.read("m0.py") is None
    other.join()
    assert notes == [f"{tmp_path}: waiting for another run that writes to it"]
    assert (tmp_path / "m0.py").exists()


def test_a_directory_that_the_run_before_removed_is_made_again(tmp_path: Path) -> None:
    out, notes = tmp_path / "new", list[str]()
    with contextlib.suppress(ZeroDivisionError), locked(out, notes.append):
        other = threading.Thread(target=put, args=(out, 1, notes))
        other.start()
        while not notes:
            other.join(0.01)
        raise ZeroDivisionError
    other.join()
    assert (out / "m0.py").exists()


def test_a_directory_is_removed_again_before_others_get_its_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rmdir, held = Path.rmdir, list[Path]()

    def look(path: Path) -> None:
        fd = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            held.append(path)
        os.close(fd)
        rmdir(path)

    monkeypatch.setattr(Path, "rmdir", look)
    with contextlib.suppress(ZeroDivisionError), locked(tmp_path / "new", print):
        raise ZeroDivisionError
    assert (held, list(tmp_path.iterdir())) == ([tmp_path / "new"], [])


# --- what lies there may be anybody's ------------------------------------------------------------------------------------


def test_what_somebody_wrote_after_the_kill_is_kept(tmp_path: Path) -> None:
    (tmp_path / STAGING).mkdir()
    (tmp_path / JOURNAL).write_text(json.dumps({"a.py": [None, "0" * 16]}))
    (tmp_path / "a.py").write_text("mine")
    with locked(tmp_path, print):
        pass
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.py", "mine")]


@pytest.mark.parametrize(
    "journal",
    [
        *([], 5, "[" * 100_000, {"a": 1}, {"a": ["0"]}, {"a": ["0", 1]}, {"\ud800": [None, "0"]}),
        *({path: [None, "0"]} for path in ("../a", "/a", "", "a//b", STAGING, f"{STAGING}/x", "a\nb", "../outside")),
    ],
    ids=lambda journal: json.dumps(journal)[:50],
)
def test_a_journal_that_is_not_ours_is_an_error(tmp_path: Path, journal: Any) -> None:
    (tmp_path / "out" / STAGING).mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "out" / JOURNAL).write_text(journal if isinstance(journal, str) else json.dumps(journal))
    with pytest.raises(InputError, match="was not written by this tool"), locked(tmp_path / "out", print):
        pass
    assert (tmp_path / "outside").exists()


def test_a_staging_directory_that_is_a_link_is_refused(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    out.mkdir()
    outside.mkdir()
    (outside / "keep.txt").touch()
    (out / STAGING).symlink_to(outside)
    with pytest.raises(InputError, match="is a link"), locked(out, print):
        pass
    assert (outside / "keep.txt").exists()


def test_a_staging_directory_with_more_in_it_is_left(tmp_path: Path) -> None:
    (tmp_path / STAGING / "mine").mkdir(parents=True)
    with pytest.raises(InputError, match="inspect it"), locked(tmp_path, print):
        pass
    assert (tmp_path / STAGING / "mine").exists()
