"""A disk that loses power: what a run asks of the system is recorded, and what of it a disk may have kept is laid out anew.

File systems differ in what they keep of what was not flushed. Here a file has the bytes it had when it was last flushed, and a
directory has the names of some moment since it was last flushed. A file is moved as a whole or not at all.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

Names = dict[str, "File | Names"]
State = dict[str, bytes | None]
"""The files by their paths; None is an empty directory."""


class File:
    """A file, whatever it is called: its bytes, and those that were flushed."""

    def __init__(self, data: bytes = b"") -> None:
        self.data = self.flushed = data


class Disk:
    """Records what is done below a directory, as steps: what it was, the directory that it changes, how to do it."""

    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home = home
        self.steps: list[tuple[str, Any]] = []
        self.files: dict[int, int] = {}
        self.lock = threading.Lock()
        for name in ("open", "write", "fsync", "link", "replace", "unlink", "mkdir", "rmdir", "close"):
            monkeypatch.setattr(os, name, getattr(self, f"_{name}")(getattr(os, name)))

    def _path(self, name: Any, fd: int | None) -> str:
        whole = Path(os.readlink(f"/proc/self/fd/{fd}"), name) if fd is not None else Path(name)
        return whole.relative_to(self.home).as_posix() if whole.is_relative_to(self.home) else ""

    def _open(self, system: Any) -> Any:
        def call(name: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
            fd: int = system(name, flags, mode, dir_fd=dir_fd)
            path = self._path(name, dir_fd)
            if flags & os.O_CREAT and path:
                with self.lock:  # several files are written at the same time
                    self.files[fd] = len(self.steps)
                    self.steps.append(("create", path))
            return fd

        return call

    def _write(self, system: Any) -> Any:
        def call(fd: int, data: bytes) -> int:
            if fd in self.files:
                self.steps.append(("write", (self.files[fd], bytes(data))))
            return int(system(fd, data))

        return call

    def _fsync(self, _: Any) -> Any:
        def call(fd: int) -> None:
            path = self._path(".", fd) if fd not in self.files else ""
            self.steps.append(("flush", self.files[fd]) if fd in self.files else ("sync", path))

        return call

    def _close(self, system: Any) -> Any:
        def call(fd: int) -> None:
            self.files.pop(fd, None)
            system(fd)

        return call

    def _link(self, system: Any) -> Any:
        def call(name: Any, other: Any, **options: Any) -> None:
            system(name, other, **options)
            self.steps.append(
                ("link", (self._path(name, options["src_dir_fd"]), self._path(other, options["dst_dir_fd"])))
            )

        return call

    def _replace(self, system: Any) -> Any:
        def call(name: Any, other: Any, **options: Any) -> None:
            system(name, other, **options)
            self.steps.append(
                ("move", (self._path(name, options["src_dir_fd"]), self._path(other, options["dst_dir_fd"])))
            )

        return call

    def _changing(self, kind: str, system: Any) -> Any:
        def call(name: Any, *arguments: Any, dir_fd: int | None = None) -> None:
            system(name, *arguments, dir_fd=dir_fd)
            self.steps.append((kind, self._path(name, dir_fd)))

        return call

    def _unlink(self, system: Any) -> Any:
        return self._changing("remove", system)

    def _mkdir(self, system: Any) -> Any:
        return self._changing("make", system)

    def _rmdir(self, system: Any) -> Any:
        return self._changing("remove", system)


def after_cuts(before: State, steps: list[tuple[str, Any]]) -> Iterator[tuple[int, State]]:
    """What may be on the disk after the power went: the step before which it went, and the files."""
    seen: set[Any] = set()
    for cut in range(len(steps) + 1):
        folders = sorted({_folder(path) for kind, at in steps[:cut] for path in _changed(kind, at)})
        choices = [frozenset[str](), frozenset(folders), *(frozenset([f]) for f in folders)]
        choices += [frozenset(folders) - {f} for f in folders]
        for choice in choices:
            state = _kept(before, steps[:cut], choice)
            key = frozenset(state.items())
            if key not in seen:
                seen.add(key)
                yield cut, state


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def _changed(kind: str, at: Any) -> list[str]:
    match kind:
        case "create" | "remove" | "make":
            return [at]
        case "link" | "move":
            return [at[1]]
        case _:
            return []


def _kept(before: State, steps: list[tuple[str, Any]], whole: frozenset[str]) -> State:
    """The disk where the directories in `whole` have all their names, the others those of when they were flushed."""
    flushed = {at for kind, at in steps if kind == "flush"}
    synced = {("" if at == "." else at): number for number, (kind, at) in enumerate(steps) if kind == "sync"}
    data: dict[Any, bytes] = {path: text for path, text in before.items() if text is not None}
    names: dict[str, Any] = {path: path for path, text in before.items() if text is not None}
    folders = {_folder(path) for path in before} | {path for path, text in before.items() if text is None}
    for number, (kind, at) in enumerate(steps):
        if kind == "write":
            file, text = at
            data[file] = data.get(file, b"") + text
        kept = all(_folder(path) in whole or number < synced.get(_folder(path), -1) for path in _changed(kind, at))
        if not kept:
            continue
        match kind:
            case "create":
                names[at] = number
            case "link":
                if at[0] in names:
                    names[at[1]] = names[at[0]]
            case "move":
                if at[0] in names:
                    names[at[1]] = names.pop(at[0])
            case "remove":
                names.pop(at, None)
                folders.discard(at)
            case "make":
                folders.add(at)
            case _:
                pass
    there = {
        path: data.get(file, b"") if isinstance(file, str) or file in flushed else b""
        for path, file in names.items()
        if _reachable(path, folders)
    }
    return {**there, **{folder: None for folder in folders if folder and _reachable(folder, folders)}}


def _reachable(path: str, folders: set[str]) -> bool:
    """Whether the directories on the way to a path are there."""
    parts = path.split("/")[:-1]
    return all("/".join(parts[:depth]) in folders for depth in range(1, len(parts) + 1))
