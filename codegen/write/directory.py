"""Safe access to a directory that others may have prepared: follows no links and reads only regular files.

Each step of a path is opened relative to the one before it (`dir_fd`), so nobody can slip in a link between two steps.
Where the system cannot do that (Windows), each step is checked before it is used.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Self

from ..errors import InputError
from ..limits import FILE

STEPWISE = {os.open, os.stat, os.mkdir, os.unlink, os.rmdir, os.rename, os.link, os.utime} <= os.supports_dir_fd
"""Whether the system can open a path relative to an open directory."""


def _flags(*names: str) -> int:
    """Those of the named flags that the system has, combined."""
    return sum(getattr(os, name, 0) for name in names)


_NEW = _flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_CLOEXEC", "O_BINARY")
_READ = _flags("O_RDONLY", "O_CLOEXEC", "O_BINARY", "O_NONBLOCK", "O_NOFOLLOW")
_STEP = _flags("O_RDONLY", "O_CLOEXEC", "O_DIRECTORY")
_MANY, _AT_ONCE = 16, 8


def is_inside(path: str) -> bool:
    """Whether a text can be the path of an emitted file: relative, with slashes, and inside the directory."""
    parts = path.split("/")
    return path.isprintable() and all(
        part not in ("", ".", "..") and not set(part) & set('\\:*?"<>|') for part in parts
    )


def check_place(out: Path) -> None:
    """Refuse a directory below the working directory that a link takes elsewhere: the user did not choose that place."""
    here = Path.cwd()
    if Path(os.path.abspath(out)).is_relative_to(here) and not out.resolve().is_relative_to(here.resolve()):
        problem = "is reached through a link that leaves the working directory; to write there, name the target directory itself"
        raise InputError(str(out), problem)


@contextlib.contextmanager
def opened(out: Path) -> Generator[Folder | None, None, None]:
    """A directory opened for reading, or None where there is none. Raises InputError."""
    check_place(out)
    try:
        folder = Folder(out)
    except FileNotFoundError:
        yield None
        return
    except OSError as error:
        raise InputError(str(out), f"cannot be used: {error.strerror}") from None
    with folder:
        yield folder


class Folder:
    """A directory that stays open during the `with` block. All paths are relative to it, with slashes."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.fd = os.open(path, _STEP) if STEPWISE else None
        if self.fd is None and not path.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.fd is not None:
            os.close(self.fd)
            self.fd = None

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or None where there is none. Raises InputError for anything but a regular file."""
        try:
            with self._parent(path) as (fd, name):
                self._look(path, os.stat(name, dir_fd=fd, follow_symlinks=False))
                file = os.open(name, _READ, dir_fd=fd)
                try:
                    return self._bytes(path, file)
                finally:
                    os.close(file)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(str(self.path / path), f"cannot be read: {error.strerror}") from None

    def exists(self, path: str) -> bool:
        """Whether anything is at a path, even a broken link."""
        try:
            with self._parent(path) as (fd, name):
                os.stat(name, dir_fd=fd, follow_symlinks=False)
        except FileNotFoundError:
            return False
        return True

    def write(self, path: str, data: bytes) -> None:
        """Write a new file and flush it to disk."""
        with self._parent(path) as (fd, name):
            file = os.open(name, _NEW, 0o666, dir_fd=fd)
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file, rest) :]
                os.fsync(file)
            finally:
                os.close(file)

    def write_all(self, files: Mapping[str, bytes]) -> None:
        """Write new files and flush each to disk: at the same time, because a disk flushes many together as fast as one."""
        if len(files) < _MANY:
            for path, data in files.items():
                self.write(path, data)
            return
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            for written in [pool.submit(self.write, path, data) for path, data in files.items()]:
                written.result()

    def keep(self, path: str, beside: str) -> None:
        """Make a file available under a second path: by a hard link, or by a copy where the file system has no hard links."""
        with self._parent(path) as (fd, name), self._parent(beside) as (to, other):
            try:
                os.link(name, other, src_dir_fd=fd, dst_dir_fd=to, follow_symlinks=False)
            except (OSError, NotImplementedError):
                found = os.stat(name, dir_fd=fd, follow_symlinks=False)
                self.write(beside, self.read(path) or b"")
                os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns), dir_fd=to)

    def move(self, path: str, target: str) -> None:
        """Move a file over another one atomically."""
        with self._parent(path) as (fd, name), self._parent(target) as (to, other):
            os.replace(name, other, src_dir_fd=fd, dst_dir_fd=to)

    def remove(self, path: str) -> None:
        """Remove a file or a link."""
        with self._parent(path) as (fd, name):
            os.unlink(name, dir_fd=fd)

    def make(self, path: str) -> bool:
        """Create a directory; False if it already exists."""
        with self._parent(path) as (fd, name):
            try:
                os.mkdir(name, dir_fd=fd)
            except FileExistsError:
                return False
            return True

    def drop(self, path: str) -> None:
        """Remove an empty directory."""
        with self._parent(path) as (fd, name):
            os.rmdir(name, dir_fd=fd)

    def names(self, path: str) -> list[str]:
        """The names in a subdirectory; empty where there is none. Raises InputError if it is a link."""
        try:
            with self._parent(f"{path}/.") as (fd, name):
                return sorted(os.listdir(name if fd is None else fd))
        except FileNotFoundError:
            return []

    def sync(self, path: str = "") -> None:
        """Flush changed names in a directory to disk, where the system supports that."""
        if STEPWISE:
            with self._parent(f"{path}/." if path else ".") as (fd, _), contextlib.suppress(OSError):
                if fd is not None:
                    os.fsync(fd)

    @contextlib.contextmanager
    def _parent(self, path: str) -> Generator[tuple[int | None, str], None, None]:
        """An open directory and the name in it that a path leads to. Without `dir_fd`: None and the whole path."""
        *folders, name = path.split("/")
        if self.fd is None:
            for depth in range(1, len(folders) + 1):
                here = "/".join(folders[:depth])
                self._step(here, os.lstat(self.path / here))
            yield None, str(self.path / path)
            return
        fd = self.fd
        try:
            for depth, part in enumerate(folders, 1):
                self._step("/".join(folders[:depth]), os.stat(part, dir_fd=fd, follow_symlinks=False))
                inner = os.open(part, _STEP | os.O_NOFOLLOW, dir_fd=fd)
                if fd != self.fd:
                    os.close(fd)
                fd = inner
            yield fd, name
        finally:
            if fd != self.fd:
                os.close(fd)

    def _step(self, path: str, found: os.stat_result) -> None:
        if _is_link(found):
            raise InputError(str(self.path / path), "is a link, and no link in this directory is followed; move it")
        if not stat.S_ISDIR(found.st_mode):
            raise InputError(str(self.path / path), "is in the way: a directory was expected; move it")

    def _look(self, path: str, found: os.stat_result) -> None:
        if _is_link(found):
            raise InputError(str(self.path / path), "is a link, and no link in this directory is followed; move it")
        if not stat.S_ISREG(found.st_mode):
            kind = "a directory" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
            raise InputError(str(self.path / path), f"is {kind}, a file was expected; move it")

    def _bytes(self, path: str, file: int) -> bytes:
        self._look(path, os.fstat(file))
        parts: list[bytes] = []
        left = FILE.most + 1
        while left and (part := os.read(file, min(left, 2**20))):
            parts.append(part)
            left -= len(part)
        if not left:
            raise InputError(str(self.path / path), f"{FILE.problem}; move it")
        return b"".join(parts)


def _is_link(found: os.stat_result) -> bool:
    """Whether this is a symbolic link or a Windows junction."""
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) != 0
