"""Files that a command needs: its program with the surrounding installation, its scripts, and system programs."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_SYSTEM = (
    *("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store"),
    *("/etc/alternatives", "/etc/ca-certificates", "/etc/ssl", "/etc/pki", "/etc/fonts", "/etc/group", "/etc/hosts"),
    *("/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/etc/mime.types"),
    *("/etc/nsswitch.conf", "/etc/passwd", "/etc/resolv.conf"),
)
"""Programs, libraries and public settings."""


def readable(command: Sequence[str], path: str | None = None, more: Sequence[Path] = ()) -> list[str]:
    """Absolute paths that a command may read: `more`, and those that it needs."""
    wanted = [*map(Path, _SYSTEM), *more, *_of_program(command[0], path)]
    for word in command[1:]:
        part = word.partition("=")[2] if word.startswith("-") else word
        if part and Path(part).is_absolute() and Path(part).exists():
            wanted += [Path(part), *_around(Path(part).resolve())]
    found = {str(p) for p in wanted if p.is_symlink() or p.exists()} - {"/"}
    links = [Path(p) for p in found if Path(p).is_symlink()]
    found |= {str(link.resolve()) for link in links if link.resolve().exists()} - {"/"}
    return sorted(p for p in found if not any(str(parent) in found for parent in Path(p).parents))


def _around(file: Path) -> Iterator[Path]:
    """The folder of a file, and the packages that contain it."""
    yield file if file.is_dir() else file.parent
    modules = [parent for parent in file.parents if parent.name == "node_modules"]
    yield from modules[-1:]


def _of_program(name: str, path: str | None) -> Iterator[Path]:
    found = shutil.which(name, path=path)
    if found is None:
        return
    program = Path(found)
    while True:
        yield from _around(program)
        prefix = program.parent.parent
        if program.parent.name == "bin" and prefix != Path("/"):
            yield from _python(prefix)
        if not program.is_symlink():
            return
        program = program.parent / program.readlink()


def _python(prefix: Path) -> Iterator[Path]:
    """A Python environment, its base installation, and projects that are installed in editable mode."""
    if not (prefix / "lib").is_dir():
        return
    yield prefix
    with_settings = prefix / "pyvenv.cfg"
    if with_settings.is_file():
        for line in with_settings.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = (part.strip() for part in line.partition("="))
            if name == "home":
                yield Path(value).resolve().parent
    for file in prefix.glob("lib/python*/site-packages/*.pth"):
        for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("/") and Path(line.strip()).is_dir():
                yield Path(line.strip())


def ours() -> list[Path]:
    """The files of this project's programs, because a peer may start one."""
    return [Path(sys.prefix), Path(sys.base_prefix), *_of_program(sys.executable, None)]
