"""Commands that an agent runs through the client, in the session's directory. Their output is stored and shown.

A terminal is not a tty: stdout and stderr share a pipe, stdin is empty. Killing a command also kills the processes
that it started.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import signal
from collections.abc import Callable, Mapping

import acp_generated as acp

from ..model.session import TerminalView

KEPT = 1024 * 1024
"""Bytes of output that are kept, unless the agent sets a lower limit."""

_PATIENCE = 0.2
"""Seconds between two checks whether a silent command has ended. Its background processes may hold the pipe open."""

_PARTING = 2.0
"""Seconds for the output of killed commands to end."""

Show = Callable[[str, str, TerminalView], object]


class _Terminal:
    def __init__(self, session_id: str, process: asyncio.subprocess.Process, limit: int) -> None:
        self.session_id = session_id
        self.process = process
        self.truncated = False
        self.ended = asyncio.Event()
        self._limit = limit
        self._output = b""
        self._orphans = False
        """True if a process that the command started holds its output open."""

    @property
    def output(self) -> str:
        # What is cut off at the start may leave the rest of a character behind.
        whole = self._output.lstrip(bytes(range(0x80, 0xC0))) if self.truncated else self._output
        return whole.decode(errors="replace")

    @property
    def status(self) -> acp.TerminalExitStatus:
        code = self.process.returncode
        if code is None:
            return acp.TerminalExitStatus()
        if code < 0:
            return acp.TerminalExitStatus(exit_code=None, signal=signal.Signals(-code).name)
        return acp.TerminalExitStatus(exit_code=code, signal=None)

    def view(self) -> TerminalView:
        status = self.status
        state = f"ended by {status.signal}" if status.signal else f"exit code {status.exit_code}"
        return TerminalView(self.output, state if self.ended.is_set() else "running")

    async def follow(self, changed: Callable[[], object]) -> None:
        """Collect the output until the command has ended."""
        source = self.process.stdout
        assert source is not None
        reading = asyncio.ensure_future(source.read(65536))
        while True:
            done, _ = await asyncio.wait((reading,), timeout=_PATIENCE)
            if done and (piece := reading.result()):
                self._keep(piece)
                changed()
                reading = asyncio.ensure_future(source.read(65536))
            elif done:
                await self.process.wait()
                break
            elif self.process.returncode is not None:
                self._orphans = True
                break
        self.ended.set()
        changed()
        if self._orphans:
            # What they say is nobody's output; read it all the same, for the pipe closes only at its end.
            while await reading:
                reading = asyncio.ensure_future(source.read(65536))

    def _keep(self, piece: bytes) -> None:
        output = self._output + piece
        self.truncated = self.truncated or len(output) > self._limit
        self._output = output[max(len(output) - self._limit, 0) :]

    def kill(self) -> None:
        if self.process.returncode is None or self._orphans:
            self._orphans = False
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self.process.pid, signal.SIGKILL)
                else:
                    self.process.kill()


class Terminals:
    """The terminals of agents, by id."""

    def __init__(self, show: Show) -> None:
        self._show = show
        self._ids = itertools.count(1)
        self._open: dict[str, _Terminal] = {}
        self._followers: set[asyncio.Task[None]] = set()

    async def start(self, session_id: str, argv: list[str], cwd: str, env: Mapping[str, str], limit: int | None) -> str:
        """Start a command and return the id of its terminal. Raises RequestError if it cannot be started."""
        try:
            process = await asyncio.create_subprocess_exec(
                *argv,
                cwd=cwd,
                env={**os.environ, **env},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise acp.RequestError.invalid_params({"path": "$.command", "reason": str(error)}) from error
        terminal_id = f"terminal-{next(self._ids)}"
        terminal = _Terminal(session_id, process, KEPT if limit is None else min(limit, KEPT))
        self._open[terminal_id] = terminal
        task = asyncio.create_task(terminal.follow(lambda: self._show(session_id, terminal_id, terminal.view())))
        self._followers.add(task)
        task.add_done_callback(self._followers.discard)
        return terminal_id

    def output(self, session_id: str, terminal_id: str) -> acp.TerminalOutputResponse:
        """The current output of a terminal."""
        terminal = self._find(session_id, terminal_id)
        status = terminal.status if terminal.ended.is_set() else None
        return acp.TerminalOutputResponse(output=terminal.output, truncated=terminal.truncated, exit_status=status)

    async def wait(self, session_id: str, terminal_id: str) -> acp.WaitForTerminalExitResponse:
        """Wait for the end of a command."""
        terminal = self._find(session_id, terminal_id)
        await terminal.ended.wait()
        return acp.WaitForTerminalExitResponse(exit_code=terminal.status.exit_code, signal=terminal.status.signal)

    def kill(self, session_id: str, terminal_id: str) -> None:
        """End a command; its terminal stays."""
        self._find(session_id, terminal_id).kill()

    def release(self, session_id: str, terminal_id: str) -> None:
        """Release a terminal, and end its command."""
        self._find(session_id, terminal_id).kill()
        del self._open[terminal_id]

    async def close(self) -> None:
        """End every command. Processes that have left its process group continue."""
        for terminal in self._open.values():
            terminal.kill()
        if self._followers:
            _, fled = await asyncio.wait(self._followers, timeout=_PARTING)
            for follower in fled:
                follower.cancel()

    def _find(self, session_id: str, terminal_id: str) -> _Terminal:
        terminal = self._open.get(terminal_id)
        if terminal is None or terminal.session_id != session_id:
            raise acp.RequestError.resource_not_found(data={"terminalId": terminal_id})
        return terminal
