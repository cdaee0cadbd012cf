"""`{path: text}` to disk: all of it or nothing, only what changed, and never a file that is not ours."""

from __future__ import annotations

import contextlib
import difflib
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ..errors import InputError
from .manifest import NAME, digest, is_manifest, read_manifest


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
        elif path in known or (path == NAME and is_manifest(current)):
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
    created = [path for path in (out, *out.parents) if not path.exists()]
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".codegen-", dir=out) as staging:
            new, old = Path(staging, "new"), Path(staging, "old")
            for change in found:
                _stage(new / change.path, old / change.path, out / change.path, change)
            _replace_all(out, new, old, found)
    except BaseException as error:
        for path in created:
            with contextlib.suppress(OSError):
                path.rmdir()
        if isinstance(error, OSError):
            raise InputError(str(out), f"cannot be written: {error.strerror or error}") from None
        raise


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
        if path.is_symlink():
            raise InputError(str(path), "is a link that leads nowhere; move it or choose --out") from None
        return None
    except OSError as error:
        raise InputError(str(path), f"cannot be read: {error.strerror}") from None


def _stage(new: Path, old: Path, path: Path, change: Change) -> None:
    """Lay a file ready, and what it replaces aside: undoing must not need room on the disk."""
    if change.text is not None:
        new.parent.mkdir(parents=True, exist_ok=True)
        with new.open("w", encoding="utf-8", newline="\n") as file:
            file.write(change.text)
            file.flush()
            os.fsync(file.fileno())
    if change.current is not None:
        old.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, old, follow_symlinks=False)


def _replace_all(out: Path, new: Path, old: Path, found: list[Change]) -> None:
    done: list[Change] = []
    folders = sorted({(out / change.path).parent for change in found} - {out})
    created = [folder for folder in folders if not folder.exists()]
    try:
        # The manifest goes last: until it is there, the directory counts as stale.
        for change in sorted(found, key=lambda change: change.path == NAME):
            path = out / change.path
            done.append(change)
            if change.text is None:
                path.unlink()
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                (new / change.path).replace(path)
    except BaseException:  # an interrupt, too, leaves the directory as it was
        for change in reversed(done):
            with contextlib.suppress(OSError):
                if change.current is None:
                    (out / change.path).unlink()
                else:
                    (old / change.path).replace(out / change.path)
        _remove_empty(created)
        raise
    _remove_empty(folders)


def _remove_empty(folders: list[Path]) -> None:
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # something is in it still
            folder.rmdir()
