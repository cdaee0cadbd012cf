"""Safe access to a directory that others may have prepared: it follows no links and reads only regular files.

Each step of a path is opened relative to the one before it (`dir_fd`), so nobody can slip in a link between two steps.
Where the system cannot do that (Windows), each step is checked before it is used.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Generator, Mapping
from pathlib import Path

from msgspec import Struct

from ..errors import InputError
from ..limits import FILE

STEPWISE = hasattr(os, "link") and (
    {os.open, os.stat, os.mkdir, os.unlink, os.rmdir, os.rename, os.link, os.utime} <= os.supports_dir_fd
)
"""True if the system can open a path relative to an open directory."""


def _flags(*names: str) -> int:
    """Combine the named flags that this system has."""
    return sum(getattr(os, name, 0) for name in names)


_NEW = _flags("O_WRONLY", "O_CREAT", "O_EXCL", "O_CLOEXEC", "O_BINARY")
_READ = _flags("O_RDONLY", "O_CLOEXEC", "O_BINARY", "O_NONBLOCK", "O_NOFOLLOW")
_STEP = _flags("O_RDONLY", "O_CLOEXEC", "O_DIRECTORY")


def replace_file(path: Path, data: bytes) -> None:
    """Replace a file as a whole or not at all. Its mode stays. Raises InputError."""
    replace_files({path: data})


def replace_files(contents: Mapping[Path, bytes]) -> None:
    """Replace several files, all or none. Their modes stay. Raises InputError."""
    partial = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in contents}
    replaced: dict[Path, bytes] = {}
    path = Path()
    try:
        for path, data in contents.items():
            partial[path].write_bytes(data)
            partial[path].chmod(path.stat().st_mode)
        for path, part in partial.items():
            before = path.read_bytes()
            part.replace(path)
            replaced[path] = before
    except OSError as error:
        for done, before in replaced.items():
            done.write_bytes(before)
        raise InputError(str(path), f"cannot be written: {error.strerror}") from None
    finally:
        for part in partial.values():
            part.unlink(missing_ok=True)


def is_inside(path: str) -> bool:
    """Return whether a text can be the path of an emitted file: relative, with slashes, and inside the directory."""
    parts = path.split("/")
    return path.isprintable() and all(
        part not in ("", ".", "..") and not set(part) & set('\\:*?"<>|') for part in parts
    )


def check_place(out: Path) -> None:
    """Reject anything but a directory. Also reject a directory behind a link below the working directory, because the
    user did not choose that place.
    """
    if os.path.lexists(out) and not out.is_dir():
        raise InputError(str(out), "is not a directory; move it, or choose another name")
    here = Path.cwd()
    if Path(os.path.abspath(out)).is_relative_to(here) and not out.resolve().is_relative_to(here.resolve()):
        problem = "is behind a link that leads out of the working directory; to write there, specify the target directory itself"
        raise InputError(str(out), problem)


@contextlib.contextmanager
def opened(out: Path) -> Generator[Directory, None, None]:
    """A directory, open during the block; a missing one has no files. Raises InputError."""
    check_place(out)
    fd = None
    exists = True
    try:
        if STEPWISE:
            fd = os.open(out, _STEP)
        else:
            os.scandir(out).close()
    except FileNotFoundError:
        exists = False
    except OSError as error:
        raise InputError(str(out), f"cannot be used: {error.strerror}") from None
    try:
        yield Directory(out, fd, exists)
    finally:
        if fd is not None:
            os.close(fd)


class Directory(Struct, frozen=True):
    """An open directory. All paths are relative to it, with slashes; `fd` is None if paths cannot be opened
    stepwise.
    """

    path: Path
    fd: int | None
    exists: bool

    def read(self, path: str) -> bytes | None:
        """The bytes of a file, or None if it does not exist. Raises InputError for anything but a regular file."""
        whole = self.path / path
        try:
            with self._at(path) as (fd, name):
                _check_file(whole, os.stat(name, dir_fd=fd, follow_symlinks=False))
                with os.fdopen(os.open(name, _READ, dir_fd=fd), "rb") as file:
                    _check_file(whole, os.fstat(file.fileno()))
                    data = file.read(FILE.most + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise InputError(str(whole), f"cannot be read: {error.strerror}") from None
        if len(data) > FILE.most:
            raise InputError(str(whole), f"{FILE.problem}; move it")
        return data

    def write(self, path: str, data: bytes) -> None:
        """Write a new file and flush it to disk."""
        with self._at(path) as (fd, name):
            file = os.open(name, _NEW, 0o666, dir_fd=fd)
            try:
                rest = memoryview(data)
                while rest:
                    rest = rest[os.write(file, rest) :]
                os.fsync(file)
            finally:
                os.close(file)

    def write_all(self, files: Mapping[str, bytes]) -> None:
        """Write new files and flush them to disk concurrently, because a disk flushes many files as fast as one."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415  # only few commands write

        with ThreadPoolExecutor(8) as pool:
            for _ in pool.map(self.write, files.keys(), files.values()):
                pass

    def keep(self, path: str, beside: str) -> None:
        """Make a file available under a second path: by a hard link, or by a copy on file systems without hard
        links.
        """
        with self._at(path) as (fd, name), self._at(beside) as (to, other):
            try:
                os.link(name, other, src_dir_fd=fd, dst_dir_fd=to, follow_symlinks=False)
            except (OSError, NotImplementedError):
                found = os.stat(name, dir_fd=fd, follow_symlinks=False)
                self.write(beside, self.read(path) or b"")
                os.utime(other, ns=(found.st_atime_ns, found.st_mtime_ns), dir_fd=to)

    def move(self, path: str, target: str) -> None:
        """Move a file over another one atomically."""
        with self._at(path) as (fd, name), self._at(target) as (to, other):
            os.replace(name, other, src_dir_fd=fd, dst_dir_fd=to)

    def remove(self, path: str) -> None:
        """Remove a file or a link."""
        with self._at(path) as (fd, name):
            os.unlink(name, dir_fd=fd)

    def make(self, path: str) -> None:
        """Create a directory, unless it already exists."""
        with self._at(path) as (fd, name), contextlib.suppress(FileExistsError):
            os.mkdir(name, dir_fd=fd)

    def drop(self, path: str) -> None:
        """Remove an empty directory."""
        with self._at(path) as (fd, name):
            os.rmdir(name, dir_fd=fd)

    def names(self, path: str) -> list[str]:
        """The names in a subdirectory; empty if it does not exist. Raises InputError if it is a link."""
        try:
            with self._at(f"{path}/.") as (fd, name):
                return sorted(os.listdir(name if fd is None else fd))
        except FileNotFoundError:
            return []

    def sync(self, path: str = ".") -> None:
        """Flush changed names in a directory to disk, if it exists and the system supports that."""
        with contextlib.suppress(OSError), self._at(f"{path}/.") as (fd, _):
            if fd is not None:
                os.fsync(fd)

    @contextlib.contextmanager
    def _at(self, path: str) -> Generator[tuple[int | None, str], None, None]:
        """The open parent directory of a path, and the name in it. Without `dir_fd`: None and the whole path."""
        *steps, name = path.split("/")
        fd, at = self.fd, self.path
        with contextlib.ExitStack() as stack:
            for step in steps:
                at /= step
                found = os.stat(at if fd is None else step, dir_fd=fd, follow_symlinks=False)
                if not stat.S_ISDIR(found.st_mode) or _is_link(found):
                    raise InputError(str(at), _LINK if _is_link(found) else _IN_THE_WAY)
                if fd is not None:
                    fd = os.open(step, _STEP | os.O_NOFOLLOW, dir_fd=fd)
                    stack.callback(os.close, fd)
            yield fd, str(self.path / path) if fd is None else name


_LINK = "is a link, and links in this directory are not followed; move it"
_IN_THE_WAY = "is not a directory; move it"


def _check_file(at: Path, found: os.stat_result) -> None:
    if _is_link(found):
        raise InputError(str(at), _LINK)
    if not stat.S_ISREG(found.st_mode):
        kind = "a directory" if stat.S_ISDIR(found.st_mode) else "a pipe or a device"
        raise InputError(str(at), f"is {kind}, expected a file; move it")


def _is_link(found: os.stat_result) -> bool:
    """Return whether this is a symbolic link or a Windows junction."""
    return stat.S_ISLNK(found.st_mode) or getattr(found, "st_reparse_tag", 0) != 0
