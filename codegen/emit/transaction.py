"""Transactions on a directory: one run at a time writes it, and writes everything or nothing, even if it is killed.

    .codegen-staging/       inside the directory while a run writes
        new-N, old-N        the N-th file's new and old content
        guard               replaces __init__.py meanwhile, so that an import fails with a reason and never sees a mixture
        journal.json        exists from the first change to the last and lists what was there before

A run stages everything, puts the journal in place, changes the files one by one and removes the journal. If nobody holds
the lock, a journal comes from a run that was killed: the next run first restores what was there before. It can repeat
every step of that, so it may be killed as well. Without a journal either nothing or everything has changed, and the next
run deletes what is left in the staging directory.
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
    """One file: its old digest (None: it did not exist), and the digests of everything the run puts in its place."""

    path: str
    old: str | None
    ours: tuple[str, ...]


class Journal(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a run changes; `folders` are those it creates, outermost first."""

    steps: tuple[Step, ...]
    folders: tuple[str, ...] = ()


# --- one at a time -------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(out: Path, note: Say) -> Generator[Folder, None, None]:
    """The directory, locked for this run, created where it is missing and restored if a killed run left it half written.

    If the block fails, a directory that was created for it is removed. Raises InputError.
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
    """Keep others from writing a directory while it is read; False where a run that wrote there was killed."""
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
            # The previous run created the directory, failed and removed it.


def _is_still(out: Path, fd: int) -> bool:
    try:
        return os.path.samestat(out.stat(), os.fstat(fd))
    except FileNotFoundError:
        return False


if sys.platform != "win32":
    import fcntl

    @contextlib.contextmanager
    def _lock(folder: Folder, note: Say, *, shared: bool = False) -> Generator[None, None, None]:
        """Lock the directory itself: no file stays behind, and the lock ends with the process."""
        fd = folder.fd
        if fd is None:  # a system that cannot open paths relative to a directory
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
        """Lock a file in the user's temporary directory that represents this directory, which cannot be locked itself."""
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
    """Make the changes in a locked directory. If anything fails or interrupts them, the directory is restored."""
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
    fresh: dict[str, bytes] = {}
    steps = [_stage(folder, number, change, fresh, guarded=guarded) for number, change in enumerate(changes)]
    folder.write_all(fresh)
    journal = Journal(tuple(steps), tuple(path for path in _folders(changes) if not folder.exists(path)))
    folder.write(_DRAFT, msgspec.json.encode(journal))
    folder.move(_DRAFT, JOURNAL)
    # The power may go at any moment, and a disk may keep the names in each directory at its own time. So they are flushed in
    # between: the journal before the guard, the guard before the changes, the changes before what ends the guard, and so on.
    folder.sync(STAGING)
    folder.sync()
    for path in journal.folders:
        folder.make(path)
    if guarded:
        folder.move(_GUARD, _INIT)
        folder.sync()
    for number, change in enumerate(changes):
        if guarded and change.path == _INIT:
            _sync(folder, changes)
        if change.text is None:
            folder.remove(change.path)
        else:
            folder.move(_new(number), change.path)
    _sync(folder, changes)
    folder.remove(JOURNAL)
    folder.sync(STAGING)
    for path in reversed(_folders([change for change in changes if change.text is None])):
        with contextlib.suppress(OSError):  # not empty yet
            folder.drop(path)


def _sync(folder: Folder, changes: Sequence[Change]) -> None:
    """Flush the names in all directories that changes are in."""
    for path in ("", *_folders(changes)):
        folder.sync(path)


def _needs_guard(folder: Folder, found: Sequence[Change]) -> bool:
    """Whether an import between two changes could see a mixture of old and new files."""
    modules = [change.path for change in found if change.path.endswith(".py")]
    return len(modules) > 1 and (_INIT in modules or folder.exists(_INIT))


def _in_order(folder: Folder, found: Sequence[Change], *, guarded: bool) -> list[Change]:
    """The changes in the order they are made: what makes the package importable comes last, except for non-modules."""
    changes = list(found)
    if guarded and all(change.path != _INIT for change in changes):
        current = folder.read(_INIT)
        if current is not None:
            text = current.decode("utf-8", "surrogateescape")
            changes.append(Change(_INIT, "unchanged", text, text))
    return sorted(changes, key=lambda change: (not change.path.endswith(".py"), change.path == _INIT, change.path))


def _stage(folder: Folder, number: int, change: Change, fresh: dict[str, bytes], *, guarded: bool) -> Step:
    """Set aside what a file replaces, because restoring that must not need space on the disk; what is to be written joins `fresh`."""
    before = None if change.current is None else change.current.encode("utf-8", "surrogateescape")
    after = None if change.text is None else change.text.encode("utf-8", "surrogateescape")
    if before is not None:
        folder.keep(change.path, _old(number))
    if after is not None and after == before:
        folder.keep(change.path, _new(number))
    elif after is not None:
        fresh[_new(number)] = after
    ours: tuple[str, ...] = () if after is None else (digest(after),)
    if guarded and change.path == _INIT:
        ours += (digest(_GUARD_TEXT),)
    return Step(change.path, None if before is None else digest(before), ours)


def _folders(changes: Sequence[Change]) -> list[str]:
    found = {"/".join(parts[:n]) for c in changes for parts in [c.path.split("/")] for n in range(1, len(parts))}
    return sorted(found)


def recover(folder: Folder) -> None:
    """Undo the changes of a run that did not finish; raises InputError where that is impossible."""
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
            continue  # restored already, or edited since: edits are kept
        if step.old is None:
            folder.remove(step.path)
        elif folder.exists(_old(number)):
            folder.move(_old(number), step.path)
    for path in reversed(journal.folders):
        with contextlib.suppress(OSError):
            folder.drop(path)
    for path in ("", *{step.path.rpartition("/")[0] for step in journal.steps}):
        with contextlib.suppress(FileNotFoundError):
            folder.sync(path)
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
