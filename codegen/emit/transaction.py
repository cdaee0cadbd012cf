"""One run at a time writes a directory, and what it writes is there as a whole or not at all, even if it is killed.

    .codegen-staging/       in the directory, while a run writes
        new-N, old-N        what the N-th file will hold, and what it held
        guard               stands in for __init__.py meanwhile: an import fails with a reason, it never gets a mixture
        journal.json        from the first change to the last: what was there before

A run stages everything, puts the journal in place, changes file by file, removes the journal. A journal that is there when
nobody holds the lock is that of a run which was killed: the next run puts back what was there before it does anything else.
Every step of that can be repeated, so it may be killed as well. Without a journal nothing has changed yet, or everything:
what is left in the staging directory goes.
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Generator, Sequence
from pathlib import Path

import msgspec

from ..errors import InputError
from .folder import Folder, check_place, is_inside, opened
from .manifest import digest
from .write import Change

Say = Callable[[str], None]

STAGING = ".codegen-staging"
JOURNAL = f"{STAGING}/journal.json"
_DRAFT = f"{STAGING}/journal.new"
_GUARD = f"{STAGING}/guard"
_INIT = "__init__.py"
_MESSAGE = "this package is being written, or writing it was interrupted: run the command that writes it again"
_GUARD_TEXT = f'raise ImportError("{_MESSAGE}", name=__name__)\n'.encode()


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One file: its digest as it was (None: it was not there), and the digests of all that the run puts there."""

    path: str
    old: str | None
    ours: tuple[str, ...]


class Journal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run changes; `folders` are those that it makes, outermost first."""

    steps: tuple[Step, ...]
    folders: tuple[str, ...] = ()


# --- one at a time -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(out: Path, note: Say) -> Generator[Folder, None, None]:
    """The directory, made where it is missing, for this run alone; what a killed run left is put right first.

    Where the block fails and the directory was made for it, it goes again. Raises InputError.
    """
    check_place(out)
    created = [path for path in (out, *out.parents) if not path.exists()]
    try:
        with _as_written(out), _locked(out, note) as folder:
            recover(folder)
            yield folder
    except BaseException:
        for path in created:
            with contextlib.suppress(OSError):
                path.rmdir()
        raise


@contextlib.contextmanager
def settled(out: Path, note: Say) -> Generator[bool, None, None]:
    """Keep others from writing a directory while it is looked at; False where a run that wrote there was killed."""
    with opened(out) as folder:
        if folder is None:
            yield True
            return
        with _lock(folder, note, shared=True):
            yield not folder.exists(JOURNAL)


@contextlib.contextmanager
def _as_written(out: Path) -> Generator[None, None, None]:
    try:
        yield
    except OSError as error:
        raise InputError(str(out), f"cannot be written: {error.strerror or error}") from None


@contextlib.contextmanager
def _locked(out: Path, note: Say) -> Generator[Folder, None, None]:
    while True:
        out.mkdir(parents=True, exist_ok=True)
        with Folder(out) as folder, _lock(folder, note):
            if folder.fd is None or _is_still(out, folder.fd):
                yield folder
                return
            # The run before this one made the directory, failed, and removed it.


def _is_still(out: Path, fd: int) -> bool:
    try:
        return os.path.samestat(out.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False


if sys.platform != "win32":
    import fcntl

    @contextlib.contextmanager
    def _lock(folder: Folder, note: Say, *, shared: bool = False) -> Generator[None, None, None]:
        """The directory itself is locked: no file stays behind, and the lock goes with the process."""
        fd = folder.fd
        if fd is None:  # a system that opens nothing below an open directory
            yield
            return
        kind = fcntl.LOCK_SH if shared else fcntl.LOCK_EX
        try:
            fcntl.flock(fd, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            note(f"{folder.path}: waiting for another run that writes there")
            fcntl.flock(fd, kind)
        except OSError:  # a network share without locks
            note(f"{folder.path}: cannot be locked here: do not run this command twice at once")
        yield

else:
    import msvcrt

    @contextlib.contextmanager
    def _lock(folder: Folder, note: Say, *, shared: bool = False) -> Generator[None, None, None]:  # noqa: ARG001  # there is one kind
        """Directories cannot be locked; a file of the user's temporary directory stands for this one."""
        name = digest(str(folder.path.resolve()).encode())
        with Path(tempfile.gettempdir(), f"codegen-{name}.lock").open("a+b") as file:
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            except OSError:
                note(f"{folder.path}: waiting for another run that writes there")
                msvcrt.locking(file.fileno(), msvcrt.LK_LOCK, 1)
            try:
                yield
            finally:
                file.seek(0)
                msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)


# --- all or nothing ------------------------------------------------------------------------------------------------------


def apply(folder: Folder, found: Sequence[Change]) -> None:
    """Make the changes in a directory that is locked. Whatever fails or interrupts them, the directory is as it was."""
    if not found:
        return
    try:
        with _as_written(folder.path):
            _write(folder, found)
    except BaseException:
        recover(folder)
        raise
    sweep(folder)


def _write(folder: Folder, found: Sequence[Change]) -> None:
    guarded = _needs_guard(folder, found)
    folder.make(STAGING)
    folder.write(f"{STAGING}/.gitignore", b"*\n")
    if guarded:
        folder.write(_GUARD, _GUARD_TEXT)
    changes = _in_order(folder, found, guarded=guarded)
    steps = [_stage(folder, number, change, guarded=guarded) for number, change in enumerate(changes)]
    journal = Journal(tuple(steps), tuple(path for path in _folders(changes) if not folder.exists(path)))
    folder.write(_DRAFT, msgspec.json.encode(journal))
    folder.move(_DRAFT, JOURNAL)
    folder.sync(STAGING)
    for path in journal.folders:
        folder.make(path)
    if guarded:
        folder.move(_GUARD, _INIT)
    for number, change in enumerate(changes):
        if change.text is None:
            folder.remove(change.path)
        else:
            folder.move(_new(number), change.path)
    for path in ("", *_folders(changes)):
        folder.sync(path)
    folder.remove(JOURNAL)
    for path in reversed(_folders([change for change in changes if change.text is None])):
        with contextlib.suppress(OSError):  # something is in it still
            folder.drop(path)


def _needs_guard(folder: Folder, found: Sequence[Change]) -> bool:
    """Whether an import between two changes could get a mixture."""
    modules = [change.path for change in found if change.path.endswith(".py")]
    return len(modules) > 1 and (_INIT in modules or folder.exists(_INIT))


def _in_order(folder: Folder, found: Sequence[Change], *, guarded: bool) -> list[Change]:
    """The changes as they are made: what lets the package be imported comes last, but for files that are not modules."""
    changes = list(found)
    if guarded and all(change.path != _INIT for change in changes):
        current = folder.read(_INIT)
        if current is not None:
            text = current.decode("utf-8", "surrogateescape")
            changes.append(Change(_INIT, "unchanged", text, text))
    return sorted(changes, key=lambda change: (not change.path.endswith(".py"), change.path == _INIT, change.path))


def _stage(folder: Folder, number: int, change: Change, *, guarded: bool) -> Step:
    """Lay a file ready, and what it replaces aside: putting it back must not need room on the disk."""
    before = None if change.current is None else change.current.encode("utf-8", "surrogateescape")
    after = None if change.text is None else change.text.encode("utf-8", "surrogateescape")
    if before is not None:
        folder.keep(change.path, _old(number))
    if after is not None and after == before:
        folder.keep(change.path, _new(number))
    elif after is not None:
        folder.write(_new(number), after)
    ours: tuple[str, ...] = () if after is None else (digest(after),)
    if guarded and change.path == _INIT:
        ours += (digest(_GUARD_TEXT),)
    return Step(change.path, None if before is None else digest(before), ours)


def _folders(changes: Sequence[Change]) -> list[str]:
    found = {"/".join(parts[:n]) for c in changes for parts in [c.path.split("/")] for n in range(1, len(parts))}
    return sorted(found)


def recover(folder: Folder) -> None:
    """Put back what a run that did not come to its end has changed; raises InputError where that is not possible."""
    with _as_written(folder.path):
        data = folder.read(JOURNAL)
        if data is not None:
            _undo(folder, _parsed(folder, data))
    sweep(folder)


def _undo(folder: Folder, journal: Journal) -> None:
    for number, step in reversed(list(enumerate(journal.steps))):
        current = folder.read(step.path)
        found = None if current is None else digest(current)
        if found == step.old or (found is not None and found not in step.ours):
            continue  # put back already; or somebody has worked on it since, and that is kept
        if step.old is None:
            folder.remove(step.path)
        elif folder.exists(_old(number)):
            folder.move(_old(number), step.path)
    for path in reversed(journal.folders):
        with contextlib.suppress(OSError):
            folder.drop(path)
    folder.sync()
    folder.remove(JOURNAL)


def _parsed(folder: Folder, data: bytes) -> Journal:
    try:
        journal = msgspec.json.decode(data, type=Journal)
    except (msgspec.DecodeError, RecursionError):
        journal = None
    paths = [] if journal is None else [*(step.path for step in journal.steps), *journal.folders]
    if journal is None or not all(is_inside(path) and path.split("/")[0] != STAGING for path in paths):
        problem = f"was not written by this tool; look at what is in {STAGING}, then remove it"
        raise InputError(str(folder.path / JOURNAL), problem)
    return journal


def sweep(folder: Folder) -> None:
    """Remove the staging directory."""
    try:
        if folder.exists(STAGING):
            for name in folder.names(STAGING):
                folder.remove(f"{STAGING}/{name}")
            folder.drop(STAGING)
    except OSError as error:
        problem = f"cannot be removed: {error.strerror}; look at what is in it, then remove it"
        raise InputError(str(folder.path / STAGING), problem) from None


def _new(number: int) -> str:
    return f"{STAGING}/new-{number}"


def _old(number: int) -> str:
    return f"{STAGING}/old-{number}"
