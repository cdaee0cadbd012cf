"""Starts a client in a clean home. `{agent}` in its command becomes a stand-in program that relays bytes between the
client and the probe.

Without `{agent}` the client uses its own standard streams.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ..isolation.home import Home
from ..isolation.needs import ours
from ..isolation.network import Network
from ..peer import Link, Process, Streams

PLACE = "{agent}"
_STAND_IN = """#!{python}
import os, socket, sys, threading
wire = socket.socket(socket.AF_UNIX)
wire.connect({path!r})
def out():
    while data := wire.recv(65536):
        os.write(1, data)
    os._exit(0)
threading.Thread(target=out, daemon=True).start()
while data := os.read(0, 65536):
    wire.sendall(data)
wire.shutdown(socket.SHUT_WR)
"""


class Wire(Streams):
    """A connection over the stand-in's socket."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, process: Process) -> None:
        super().__init__(reader, writer)
        self._process = process

    def said(self) -> str:
        return self._process.said()

    def ended(self) -> str:
        return self._process.ended()


class Client:
    """Starts a client, repeatedly if needed."""

    def __init__(self, command: Sequence[str], home: Home, patience: float, network: Network | None = None) -> None:
        self._command, self.home, self._patience, self.network = (
            tuple(command),
            home,
            patience,
            network or Network(reads=ours()),
        )
        self.cwd, self.outside = str(home.work), str(home.root / "probe-outside.txt")
        Path(self.outside).write_text("outside", encoding="utf-8")

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[Link]:
        """Start the client and wait until it has started its agent. Raises TimeoutError if it does not, and OSError
        if the program does not exist.
        """
        came: asyncio.Queue[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = asyncio.Queue()
        writers: list[asyncio.StreamWriter] = []

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writers.append(writer)
            came.put_nowait((reader, writer))

        path = str(self.home.root / "run" / "agent.sock")
        program = self.home.root / "agent"
        program.write_text(_STAND_IN.format(python=sys.executable, path=path), encoding="utf-8")
        program.chmod(0o755)
        server = await asyncio.start_unix_server(connected, path, limit=1 << 20)
        played = any(PLACE in part for part in self._command)
        command = tuple(part.replace(PLACE, str(program)) for part in self._command)
        client = Process(*await self.network.start(command, self.home), self.home)
        draining = asyncio.ensure_future(_drain(client)) if played else None
        if played:
            client.close()  # no user is there
        try:
            if not played:
                yield client
                return
            async with asyncio.timeout(self._patience):
                reader, writer = await came.get()
            yield Wire(reader, writer, client)
        finally:
            if draining is not None:
                draining.cancel()
                await asyncio.gather(draining, return_exceptions=True)
            server.close()
            await client.stop()
            for writer in writers:
                writer.close()
            await asyncio.gather(*(writer.wait_closed() for writer in writers), return_exceptions=True)


async def _drain(client: Process) -> None:
    """Discard the output of a client that uses another channel."""
    with suppress(OSError):
        while await client.read(1 << 16):
            pass
