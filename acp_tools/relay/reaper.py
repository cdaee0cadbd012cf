"""A helper process that stops the remaining agents after `expose` exits for any reason.

It reads reports from `expose` through a pipe. The operating system closes the pipe when `expose` dies, and the helper
then stops the agents. Their stdin is already closed, so the helper first waits for them to exit. It then terminates and
finally kills the process group of each agent that still runs. The helper ignores signals and runs in its own session,
so a signal that kills `expose` does not reach it.

    ? TOKEN       an agent is about to start, with TOKEN in its environment
    + TOKEN PID   the agent is running and leads process group PID
    - TOKEN       the agent has exited

On Linux, the helper also uses the token to find agents that `expose` had no time to report. As a program, this module
needs only the standard library.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Iterable, Mapping

GRACE = 1.0
"""Seconds for agents to end by themselves, and again after SIGTERM."""
_VARIABLE = "ACP_CODEGEN_EXPOSED"


class Reaper:
    """The interface of `expose` to the process: starts it, reports agents, and restarts it if it has died."""

    def __init__(self) -> None:
        self._agents: dict[str, int | None] = {}
        self._pipe = -1
        self._process: subprocess.Popen[bytes] | None = None

    @contextlib.contextmanager
    def running(self) -> Generator[None, None, None]:
        """Run the reaper during the block. Does nothing without process groups."""
        if os.name != "posix":
            yield
            return
        self._start()
        try:
            yield
        finally:
            os.close(self._pipe)
            if self._process is not None and not self._agents:  # else it has something to do, and we are to end
                self._process.wait()

    @contextlib.contextmanager
    def agent(self) -> Generator[tuple[str, Mapping[str, str]], None, None]:
        """A token for an agent that is about to be started, and the variables for its environment. The block ends
        with the agent.
        """
        token = secrets.token_hex(16)
        self._agents[token] = None
        self._tell(f"? {token}")
        try:
            yield token, {_VARIABLE: token}
        finally:
            del self._agents[token]
            self._tell(f"- {token}")

    def runs(self, token: str, pid: int) -> None:
        """Report the process id of a started agent."""
        self._agents[token] = pid
        self._tell(f"+ {token} {pid}")

    def _tell(self, line: str) -> None:
        if self._process is None:
            return
        try:
            os.write(self._pipe, f"{line}\n".encode())
        except BrokenPipeError:
            os.close(self._pipe)
            self._process.wait()
            self._start()

    def _start(self) -> None:
        theirs, self._pipe = os.pipe()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", __file__],
                stdin=theirs,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
            )
        finally:
            os.close(theirs)
        for token, pid in self._agents.items():
            self._tell(f"? {token}" if pid is None else f"+ {token} {pid}")


# The program


def main() -> None:
    """Wait for the end of stdin, then end the running agents."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    kept: dict[str, tuple[int, str] | None] = {}
    for line in sys.stdin:
        sign, token, *pid = line.split()
        if sign == "-":
            kept.pop(token, None)
        else:
            kept[token] = (int(pid[0]), _since(int(pid[0]))) if pid else None
    if kept:
        _end(kept)


def _end(kept: Mapping[str, tuple[int, str] | None]) -> None:
    untold = {token for token, found in kept.items() if found is None}
    groups = {found[0] for found in kept.values() if found is not None and _since(found[0]) in (found[1], "")}
    for number in (None, signal.SIGTERM, signal.SIGKILL):
        groups |= _marked(untold)
        if number is not None:
            _send(number, groups)
        deadline = time.monotonic() + GRACE
        while (groups := {group for group in groups if _runs(group)} | _marked(untold)) and time.monotonic() < deadline:
            time.sleep(0.02)
        if not groups:
            return


def _send(number: int, groups: Iterable[int]) -> None:
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, number)


def _runs(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _since(pid: int) -> str:
    """The start time of a process; empty if unknown. It distinguishes processes that had the same number."""
    with (
        contextlib.suppress(OSError, IndexError),
        open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file,
    ):
        return file.read().rpartition(")")[2].split()[19]
    return ""


def _marked(tokens: Iterable[str]) -> set[int]:
    """The process groups that were started with one of the tokens in their environment."""
    marks = [f"{_VARIABLE}={token}".encode() for token in tokens]
    found: set[int] = set()
    if not marks:
        return found
    with contextlib.suppress(OSError):
        for name in filter(str.isdecimal, os.listdir("/proc")):
            with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:
                if any(mark in marks for mark in file.read().split(b"\0")) and os.getpgid(int(name)) == int(name):
                    found.add(int(name))
    return found


if __name__ == "__main__":
    main()
