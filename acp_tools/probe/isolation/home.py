"""A clean home: new folders for all standard locations, and an environment that refers only to these. A unique
inherited variable identifies every process that the program starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import shutil
import signal
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from ..codegen_api import InputError

_MARK = "ACP_PROBE_RUN"
_KEPT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "SYSTEMROOT", "PATHEXT")
_FOLDERS = {
    "HOME": "home",
    "USERPROFILE": "home",
    "XDG_CONFIG_HOME": "home/.config",
    "XDG_DATA_HOME": "home/.local/share",
    "XDG_STATE_HOME": "home/.local/state",
    "XDG_CACHE_HOME": "home/.cache",
    "XDG_RUNTIME_DIR": "run",
    "TMPDIR": "tmp",
    "TEMP": "tmp",
    "TMP": "tmp",
}
_DARK = {
    "CI": "1",
    "NO_COLOR": "1",
    "DO_NOT_TRACK": "1",
    # Nothing that asks for the way gets out of this machine.
    **dict.fromkeys(
        ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"), "http://127.0.0.1:9"
    ),
    **dict.fromkeys(("NO_PROXY", "no_proxy"), "localhost,127.0.0.1,::1"),
}


_PROGRAM = "isolation/namespace.py"
"""Marks a helper process of the probe, which does not belong to the peer."""


class Home:
    """A temporary folder with all files that a peer may access. It is removed at the end. `keep`: names of our
    environment variables to pass on. `room`: the number of bytes that the peer may write before it is killed.
    """

    def __init__(self, keep: Sequence[str] = (), *, room: int = 2 << 30) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="acp-probe-"))
        self.work = self.root / "work"
        self.scratch = self.root / "scratch"
        """An empty folder for the root of a namespace."""
        self._mark = secrets.token_hex(8)
        self.room = room
        for name in {*_FOLDERS.values(), "work", "scratch"}:
            (self.root / name).mkdir(parents=True, exist_ok=True)
        (self.root / "run").chmod(0o700)
        unknown = [name for name in keep if name not in os.environ]
        if unknown:
            shutil.rmtree(self.root)
            raise InputError(unknown[0], "--keep-env names a variable that is not set")
        self.environment = {
            **{name: os.environ[name] for name in _KEPT if name in os.environ},
            **_DARK,
            **{name: str(self.root / folder) for name, folder in _FOLDERS.items()},
            **{name: os.environ[name] for name in keep},
            _MARK: self._mark,
        }

    def used(self) -> int:
        """The total size of its files in bytes."""
        total = 0
        for folder, _, files in os.walk(self.root):
            for name in files:
                with contextlib.suppress(OSError):
                    total += os.lstat(os.path.join(folder, name)).st_blocks * 512
        return total

    def processes(self) -> dict[int, str]:
        """The running processes that were started in this home, by id (Linux only)."""
        wanted = f"{_MARK}={self._mark}".encode()
        found: dict[int, str] = {}
        for entry in Path("/proc").glob("[0-9]*") if Path("/proc/self/environ").exists() else ():
            with contextlib.suppress(OSError, ValueError):
                if wanted in (entry / "environ").read_bytes().split(b"\0"):
                    name = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode("utf-8", "replace").strip()
                    found[int(entry.name)] = name
        return found

    async def sweep(self, wait: float = 1.0) -> tuple[str, ...]:
        """End the remaining processes of the peer after a grace period, and return their command lines."""
        deadline = asyncio.get_running_loop().time() + wait
        left = self.processes()
        while left and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(0.05)
            left = self.processes()
        again = left
        for _ in range(20):  # one that forks while it is being killed has a child more
            for number in again:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(number, signal.SIGKILL)
            await asyncio.sleep(0.01)
            again = self.processes()
            if not again:
                break
        return tuple(name for name in left.values() if _PROGRAM not in name)

    def peak_memory(self) -> int:
        """The peak memory in bytes of the peer's largest running process; 0 if unknown."""
        peak = 0
        for number in self.processes():
            with contextlib.suppress(OSError, ValueError, IndexError):
                for row in Path(f"/proc/{number}/status").read_text().splitlines():
                    if row.startswith("VmHWM:"):
                        peak = max(peak, int(row.split()[1]) * 1024)
        return peak

    def remove(self) -> None:
        """Remove the folder."""
        for folder, _, _ in os.walk(self.root):  # a peer may have locked itself out
            with contextlib.suppress(OSError):
                os.chmod(folder, 0o700)
        shutil.rmtree(self.root, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.remove()
