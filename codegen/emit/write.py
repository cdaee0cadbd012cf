"""`{path: text}` to disk: all of it or nothing, only what changed, and never a file that is not ours."""

from __future__ import annotations

import contextlib
import difflib
import os
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ..errors import InputError
from .manifest import NAME, digest, read_manifest


class Change(Struct, frozen=True):
    """One file that differs. `text` is what it should hold; None: it should not be there."""

    path: str
    state: str
    text: str | None
    current: str | None


def changes(out: Path, files: Mapping[str, str]) -> list[Change]:
    """What would have to change in a directory; raises InputError where a foreign file is in the way."""
    known: dict[str, str] = read_manifest(out).get("files", {})
    if out.exists() and not out.is_dir():
        raise InputError(str(out), "is not a directory")
    found: list[Change] = []
    for path, text in files.items():
        current = _current(out / path)
        if current == text:
            continue
        if current is None:
            state = "missing"
        elif path == NAME or path in known:
            edited = path != NAME and digest(current.encode("utf-8", "surrogateescape")) != known[path]
            state = "edited by hand" if edited else "stale"
        else:
            raise InputError(str(out / path), "is in the way and was not written by this tool; move it or choose --out")
        found.append(Change(path, state, text, current))
    for path, known_digest in known.items():
        current = None if path in files else _current(out / path)
        if current is not None and digest(current.encode("utf-8", "surrogateescape")) == known_digest:
            found.append(Change(path, "no longer emitted", None, current))
    return sorted(found, key=lambda change: change.path)


def apply(out: Path, found: list[Change]) -> None:
    """Make the changes. Everything is written beside its place first; if a replacement fails, those before it are undone."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".codegen-", dir=out) as staging:
            staged = {change.path: _stage(Path(staging), change) for change in found if change.text is not None}
            # The manifest goes last: until it is there, the directory counts as stale.
            ordered = sorted(found, key=lambda change: change.path == NAME)
            done: list[Change] = []
            try:
                for change in ordered:
                    _replace(out / change.path, staged.get(change.path))
                    done.append(change)
            except OSError:
                _undo(out, done)
                raise
    except OSError as error:
        raise InputError(error.filename or str(out), f"cannot be written: {error.strerror or error}") from None


def diff(found: list[Change]) -> Iterator[str]:
    """The changes as a unified diff."""
    for change in found:
        before = (change.current or "").splitlines(keepends=True)
        after = (change.text or "").splitlines(keepends=True)
        old = f"a/{change.path}" if change.current is not None else "/dev/null"
        new = f"b/{change.path}" if change.text is not None else "/dev/null"
        for line in difflib.unified_diff(before, after, old, new):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _current(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8", "surrogateescape")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from None


def _stage(staging: Path, change: Change) -> Path:
    path = staging / change.path
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(change.text or "")
        file.flush()
        os.fsync(file.fileno())
    return path


def _replace(path: Path, staged: Path | None) -> None:
    if staged is None:
        path.unlink()
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        staged.replace(path)


def _undo(out: Path, done: list[Change]) -> None:
    for change in reversed(done):
        with contextlib.suppress(OSError):
            if change.current is None:
                (out / change.path).unlink()
            else:
                (out / change.path).write_bytes(change.current.encode("utf-8", "surrogateescape"))
