"""Transactions on a directory: one run at a time writes it, and writes everything or nothing, even if it is killed.

    .codegen-staging/       inside the directory while a run writes
        new-N, old-N        the N-th file's new and old content
        guard-new, -old     replaces __init__.py meanwhile, so that an import fails with a reason and never sees a mixture
        journal.json        exists from the first change to the last and lists each file with its two digests

A run stages everything, puts the journal in place, switches the files one by one to the new side and removes the
journal. A journal without a lock comes from a run that was killed: the next run first switches the files back to the
old side. Both directions use the same repeatable steps, so a run may be killed in either. Without a journal, nothing or
everything has changed, and the next run deletes the staging directory.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from ..errors import InputError
from .diff import Change
from .directory import Directory, check_place, is_inside, opened
from .manifest import digest

Say = Callable[[str], None]
Side = Literal["old", "new"]
Journal = dict[str, tuple[str | None, str | None]]
"""The files of a run: the digests of the old and new content; None for no file."""

STAGING = ".codegen-staging"
JOURNAL = f"{STAGING}/journal.json"
_INIT = "__init__.py"
_MESSAGE = "this package is being written, or its last update was interrupted: run the command that writes it again"
_GUARD = f'raise ImportError("{_MESSAGE}", name=__name__)\n'.encode()


# --- one at a time -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(out: Path, note: Say) -> Generator[Directory, None, None]:
    """Lock the directory for this run. Create it if it is missing, and restore it if a killed run left it incomplete.

    If the block fails, a directory that was created for it is removed. Raises InputError, also for an OSError in the
    block.
    """
    check_place(out)
    created = [path for path in (out, *out.parents) if not path.exists()]
    try:
        with _locked(out, created, note) as directory, _removed_on_failure(created):
            recover(directory)
            yield directory
    except OSError as error:
        raise InputError(str(out), f"cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def settled(out: Path, note: Say) -> Generator[bool, None, None]:
    """Prevent other runs from writing a directory while it is read. False if a run that wrote there was killed."""
    with opened(out) as directory, _lock(directory, note, shared=True):
        yield directory.read(JOURNAL) is None


@contextlib.contextmanager
def _locked(out: Path, created: Sequence[Path], note: Say) -> Generator[Directory, None, None]:
    while True:
        with _removed_on_failure(created):
            out.mkdir(parents=True, exist_ok=True)
        with opened(out) as directory, _lock(directory, note):
            if directory.exists and _is_still_there(directory):
                yield directory
                return
            # The previous run created the directory, failed and removed it.


@contextlib.contextmanager
def _removed_on_failure(created: Sequence[Path]) -> Generator[None, None, None]:
    try:
        yield
    except BaseException:
        for path in created:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


def _is_still_there(directory: Directory) -> bool:
    try:
        return directory.fd is None or os.path.samestat(directory.path.stat(), os.fstat(directory.fd))
    except FileNotFoundError:
        return False


@contextlib.contextmanager
def _lock(directory: Directory, note: Say, *, shared: bool = False) -> Generator[None, None, None]:
    """Lock the directory itself: no file stays behind, and the lock ends with the process.

    Where a directory cannot be opened, a file in the user's temporary directory represents it.
    """
    if not directory.exists:
        yield
        return
    with contextlib.ExitStack() as stack:
        fd = directory.fd
        if fd is None:
            name = digest(str(directory.path.resolve()).encode())
            path = Path(tempfile.gettempdir(), f"codegen-{name}.lock")
            fd = stack.enter_context(path.open("a+b")).fileno()
        try:
            _acquire(fd, shared=shared, wait=False)
        except (BlockingIOError, PermissionError):  # elsewhere; on Windows
            note(f"{directory.path}: waiting for another run that writes to it")
            _acquire(fd, shared=shared, wait=True)
        except OSError:  # a network share without locks
            note(f"{directory.path}: cannot be locked: do not run this command twice at the same time")
        yield


if sys.platform != "win32":
    import fcntl

    def _acquire(fd: int, *, shared: bool, wait: bool) -> None:
        fcntl.flock(fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | (0 if wait else fcntl.LOCK_NB))

else:
    import msvcrt

    def _acquire(fd: int, *, shared: bool, wait: bool) -> None:  # noqa: ARG001  # there is one kind
        msvcrt.locking(fd, msvcrt.LK_LOCK if wait else msvcrt.LK_NBLCK, 1)


# --- all or nothing ------------------------------------------------------------------------------------------------------


def apply(directory: Directory, found: Sequence[Change]) -> None:
    """Make the changes in a locked directory. If anything fails or interrupts them, the directory is restored."""
    if not found:
        return
    try:
        _switch(directory, _staged(directory, found), "new")
    except BaseException:
        recover(directory)
        raise
    _sweep(directory)


def recover(directory: Directory) -> None:
    """Undo the changes of a run that did not finish; raises InputError where that is impossible."""
    data = directory.read(JOURNAL)
    if data is not None:
        _switch(directory, _parsed(directory, data), "old")
    _sweep(directory)


def _staged(directory: Directory, found: Sequence[Change]) -> Journal:
    """Stage both sides of the changes, so that later steps need no disk space."""
    sides = {change.path: (_bytes(change.current), _bytes(change.text)) for change in found}
    if sum(path.endswith(".py") for path in sides) > 1 and _INIT not in sides:
        init = directory.read(_INIT)
        if init is not None:
            sides[_INIT] = (init, init)  # the guard takes its place for a while
    fresh = {".gitignore": b"*\n"}
    if _INIT in sides:
        fresh |= {"guard-new": _GUARD, "guard-old": _GUARD}
    directory.make(STAGING)
    for number, (path, (old, new)) in enumerate(sides.items()):
        if old is not None:
            directory.keep(path, f"{STAGING}/old-{number}")
        if new is not None and new == old:
            directory.keep(path, f"{STAGING}/new-{number}")
        elif new is not None:
            fresh[f"new-{number}"] = new
    journal = {path: (_digest(old), _digest(new)) for path, (old, new) in sides.items()}
    fresh["draft"] = msgspec.json.encode(journal)
    directory.write_all({f"{STAGING}/{name}": data for name, data in fresh.items()})
    directory.move(f"{STAGING}/draft", JOURNAL)
    directory.sync(STAGING)
    directory.sync()
    return journal


def _switch(directory: Directory, journal: Journal, side: Side) -> None:
    """Switch every file to one side. A file that matches neither side was edited since and is kept.

    The power may fail at any moment, and a disk may write the names of each directory at any time. Therefore each step
    is flushed before the next: the guard, the changes, the removal of the guard, the removal of the journal.
    """
    now = {path: _digest(directory.read(path)) for path in journal}
    wanted = {path: old if side == "old" else new for path, (old, new) in journal.items()}
    staged = {path: f"{STAGING}/{side}-{number}" if wanted[path] else None for number, path in enumerate(journal)}
    ours = [path for path in journal if now[path] in (*journal[path], _digest(_GUARD))]
    pending = {path: staged[path] for path in ours if now[path] != wanted[path]}
    folders = sorted({path[:end] for path in journal for end, char in enumerate(path) if char == "/"})
    for folder in folders:
        directory.make(folder)
    if _INIT in ours and any(path.endswith(".py") and path != _INIT for path in pending):
        if now[_INIT] != _digest(_GUARD):
            directory.move(f"{STAGING}/guard-{side}", _INIT)
            directory.sync()
        pending[_INIT] = staged[_INIT]
    last = {path: pending.pop(path) for path in [_INIT] if path in pending}
    for files in (pending, last):
        for path, source in files.items():
            if source is None:
                directory.remove(path)
            else:
                directory.move(source, path)
        for folder in (".", *folders):
            directory.sync(folder)
    for folder in reversed(folders):
        with contextlib.suppress(OSError):  # it is not empty
            directory.drop(folder)
    directory.remove(JOURNAL)
    directory.sync(STAGING)


def _parsed(directory: Directory, data: bytes) -> Journal:
    with contextlib.suppress(msgspec.DecodeError, RecursionError):
        journal = msgspec.json.decode(data, type=Journal)
        if all(is_inside(path) and path.split("/")[0] != STAGING for path in journal):
            return journal
    problem = f"was not written by this tool; inspect {STAGING}, then remove it"
    raise InputError(str(directory.path / JOURNAL), problem)


def _sweep(directory: Directory) -> None:
    """Remove the staging directory if it exists."""
    try:
        for name in directory.names(STAGING):
            directory.remove(f"{STAGING}/{name}")
        with contextlib.suppress(FileNotFoundError):
            directory.drop(STAGING)
    except OSError as error:
        problem = f"cannot be removed: {error.strerror}; inspect it, then remove it"
        raise InputError(str(directory.path / STAGING), problem) from None


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode("utf-8", "surrogateescape")


def _digest(data: bytes | None) -> str | None:
    return None if data is None else digest(data)
