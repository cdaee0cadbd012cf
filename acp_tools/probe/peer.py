"""A peer's two streams and its launcher: a process in a clean home, or streams of a test or transport."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Protocol

from msgspec import Struct

from .isolation.home import Home
from .isolation.network import Network, Watch

_ROOM = 1 << 20
_SAID = 4_000
_MOMENT = 1.0


class Ending(Struct):
    """The end of a peer. `how`: "by itself", or the necessary action. `left`: child processes that still ran."""

    how: str
    code: int | None
    left: tuple[str, ...] = ()


class Link(Protocol):
    """The streams of a connection. An empty read means its end."""

    async def read(self, n: int, /) -> bytes: ...
    def write(self, data: bytes, /) -> None: ...
    async def drain(self) -> None: ...
    def close(self) -> None:
        """Close the peer's input."""
        ...

    def said(self) -> str:
        """The last lines of the peer's standard error."""
        ...

    def ended(self) -> str:
        """Describe how a peer ended; empty while it runs."""
        ...


class Launcher(Protocol):
    """Starts a peer, repeatedly if needed."""

    cwd: str
    """A directory for the peer's use."""

    def start(self) -> AbstractAsyncContextManager[Link]: ...


class _Reader(Protocol):
    async def read(self, n: int, /) -> bytes: ...


class _Writer(Protocol):
    def write(self, data: bytes, /) -> object: ...
    async def drain(self) -> None: ...
    def close(self) -> None: ...


class Streams:
    """A peer's two streams. Subclasses know its other output and its end."""

    def __init__(self, reader: _Reader, writer: _Writer) -> None:
        self._reader, self._writer = reader, writer

    async def read(self, n: int, /) -> bytes:
        return await self._reader.read(n)

    def write(self, data: bytes, /) -> None:
        self._writer.write(data)

    async def drain(self) -> None:
        await self._writer.drain()

    def close(self) -> None:
        self._writer.close()


class Process(Streams):
    """A process started in its home, with its own process session."""

    def __init__(self, process: asyncio.subprocess.Process, watch: Watch, home: Home) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process, self._home, self._watch = process, home, watch
        super().__init__(process.stdout, process.stdin)
        self._said = bytearray()
        self._listening = asyncio.ensure_future(self._listen())

    async def _listen(self) -> None:
        assert self.process.stderr is not None
        while piece := await self.process.stderr.read(_ROOM):
            self._said = (self._said + piece)[-_SAID:]

    def said(self) -> str:
        return self._said.decode("utf-8", "replace")

    def ended(self) -> str:
        code = self.process.returncode
        if code is None:
            return ""
        return f"exited with code {code}" if code >= 0 else f"was killed by {signal.Signals(-code).name}"

    async def end(self, patience: float) -> Ending:
        """Close its stdin, then terminate and kill it if necessary."""
        self.close()
        how = "was killed: it outlived the end of its input and SIGTERM"
        for way, stop in (("by itself", None), ("when it was terminated (SIGTERM)", signal.SIGTERM)):
            if stop is not None:
                self._signal(stop)
            if await self._exits(patience):
                how = way
                break
        else:
            self._signal(signal.SIGKILL)
            await self._exits(patience)
        return Ending(how, self.process.returncode, await self._home.sweep())

    async def stop(self) -> None:
        """End it and its child processes immediately."""
        if self.process.stdout is not None and self.process.stdout.at_eof():
            await self._exits(_MOMENT)  # it has ended, and what isolates it is about to say how
        self._signal(signal.SIGKILL)
        await self._home.sweep(wait=0)
        await self._exits(5)
        self._listening.cancel()
        with contextlib.suppress(asyncio.CancelledError, OSError):
            await self._listening
        # A process that got away may hold the pipes: they are closed on our side.
        transport = getattr(self.process, "_transport", None)
        if transport is not None:
            transport.close()
        await self._watch.close()

    def _signal(self, number: int) -> None:
        if self.process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, number)

    async def _exits(self, seconds: float) -> bool:
        # asyncio's wait() waits for the pipes as well, which a grandchild can hold.
        deadline = asyncio.get_running_loop().time() + seconds
        while self.process.returncode is None and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        return self.process.returncode is not None


class Command:
    """Starts a command in a clean home. Its files stay for the next start."""

    def __init__(self, command: Sequence[str], home: Home, network: Network | None = None) -> None:
        self._command, self.home, self.network = tuple(command), home, network or Network()
        self.cwd = str(home.work)

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[Process]:
        """Start the command. Raises OSError if the program does not exist."""
        link = Process(*await self.network.start(self._command, self.home), self.home)
        try:
            yield link
        finally:
            await link.stop()


def resolved(command: Sequence[str]) -> tuple[str, ...]:
    """A command with absolute file names, because it runs in another directory."""
    parts = [str(Path(part).absolute()) if _is_file(part) else part for part in command]
    return tuple(parts)


def _is_file(part: str) -> bool:
    return not part.startswith("-") and (os.sep in part or "." in part) and Path(part).is_file()
