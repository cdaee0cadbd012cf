"""Kills runs that write a directory, one at each thing that they ask of the system, and prints what is then there.

A program of its own, because it forks: `python killed.py DIRECTORY STEP`. Prints one JSON object a case.
"""

from __future__ import annotations

import functools
import itertools
import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from codegen.write import transaction
from codegen.write.diff import Change
from codegen.write.transaction import apply, locked

OLD = {"__init__.py": "v = 1\n", "a.py": "a = 1\n", "b.py": "b = 1\n", "old/gone.py": "g = 1\n", "manifest.json": "1"}
NEW = {"__init__.py": "v = 2\n", "a.py": "a = 2\n", "b.py": "b = 2\n", "sub/c.py": "c = 2\n", "manifest.json": "2"}
KEPT = {**NEW, "__init__.py": OLD["__init__.py"]}
"""Like NEW, but that `__init__.py` stays what it is."""

MINE = {"mine.py": "mine", "data/mine.txt": "mine"}


def main(home: Path, step: int) -> None:
    """Every case: from nothing and from OLD, killed at the first request and each STEP later, until a run survives."""
    setattr(os, "fsync", counted("fsync", lambda _: None, lambda _: None))  # noqa: B010  # the machine stays on
    for name, before, after in (("first", {}, NEW), ("update", OLD, NEW), ("kept", OLD, KEPT)):
        for k in range(1, 1000, step):
            out = home / f"{name}-{k}"
            fill(out, before)
            killed = run(k, functools.partial(bring, out, after))
            seen = [texts(out)]
            while name != "first" and k % 3 == 0 and run(3 * len(seen) - 2, functools.partial(bring, out, None)):
                seen.append(texts(out))
            bring(out, None)
            restored = texts(out)
            bring(out, after)
            print(json.dumps([name, k, killed, before, after, seen, restored, texts(out)]))
            shutil.rmtree(out)
            if not killed:
                break


def bring(out: Path, files: dict[str, str] | None) -> None:
    """What the command does; None: it finds nothing to do, but for what was left by another run."""
    with locked(out, fail) as folder:
        if files is None:
            return
        now = {path: text for path, text in texts(out).items() if path not in MINE}
        apply(
            folder,
            [
                Change(path, "stale", files.get(path), now.get(path))
                for path in sorted({*files, *now})
                if files.get(path) != now.get(path)
            ],
        )


def run(k: int, work: Callable[[], None]) -> bool:
    """Whether a process that does the work was killed at its k-th request."""
    child = os.fork()
    if child == 0:
        kill_at(k)
        work()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if not os.WIFSIGNALED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"the work failed: {status}")
    return os.WIFSIGNALED(status)


def kill_at(k: int) -> None:
    """Count what is asked of the system, and end before the k-th; half of a text may be written by then."""
    calls = itertools.count(1)

    def count(event: str, _: Any = None) -> None:
        asks = event.startswith(("os.", "open", "fcntl.", "shutil.", "write", "fsync", "close"))
        if asks and next(calls) == k:
            os.kill(os.getpid(), signal.SIGKILL)

    real_write = os.write

    def write(fd: int, data: Any) -> int:
        half = real_write(fd, data[: len(data) // 2])
        count("write")
        return half + real_write(fd, data[half:])

    os.write = write
    os.close = counted("close", os.close, count)
    os.fsync = counted("fsync", os.fsync, count)
    sys.addaudithook(count)


def counted(name: str, real: Callable[..., Any], count: Callable[[str], None]) -> Callable[..., Any]:
    """A function that counts before it does its work."""

    def call(*arguments: Any) -> Any:
        count(name)
        return real(*arguments)

    return call


def fill(out: Path, files: dict[str, str]) -> None:
    """The directory as it is before."""
    for path, text in {**files, **MINE}.items():
        (out / path).parent.mkdir(parents=True, exist_ok=True)
        (out / path).write_text(text)


def texts(out: Path) -> dict[str, str]:
    """Every file, but those of a run that is not over."""
    found = {str(path.relative_to(out)): path for path in sorted(out.rglob("*")) if path.is_file()}
    return {name: path.read_text() for name, path in found.items() if not name.startswith(transaction.STAGING)}


def fail(text: str) -> None:
    """Nobody is to be waited for."""
    raise SystemExit(text)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
