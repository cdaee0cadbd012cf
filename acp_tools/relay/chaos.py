"""A proxy that injects network faults: it delays, limits, silences, cuts, resets, duplicates or reorders the traffic.

It passes bytes and knows no protocol. The same seed has the same effect on the same connections.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import os
import random
import shutil
import signal
import socket
import ssl
import stat
import struct
import subprocess
import threading
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from types import FrameType
from typing import Any, Literal
from urllib.parse import urlsplit

from ..codegen_api import console

Side = Literal["client", "server"]
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Piece = tuple[float, bytes | OSError]
"""Bytes (none at the end) or a read error, with the time at which they are delivered."""
_PIECE = 4096
_PIECES = 64
"""Number of buffered pieces in each direction, after which the sender waits."""


@dataclass(frozen=True, kw_only=True)
class Faults:
    """The faults to inject. `half_open`, `cut` and `reset` happen after a number of bytes from one side."""

    latency: float = 0.0
    """Delay of all bytes in seconds."""
    jitter: float = 0.0
    """Maximum additional random delay in seconds. The order of bytes is kept."""
    bandwidth: float = math.inf
    """Bytes per second."""
    half_open: int | None = None
    """Silence the connection, but keep it open."""
    cut: int | None = None
    """Close the connection, possibly in the middle of a frame."""
    reset: int | None = None
    """Like `cut`, but with a TCP reset on TCP."""
    duplicate: bool = False
    """The server gets the client's bytes on a second connection, too."""
    reorder: float = 0.0
    """Hold a connection for up to this many seconds, so that later ones overtake it."""
    side: Side | None = None
    """The side whose bytes are affected; None for both."""
    share: float = 1.0
    """The share of affected connections."""
    times: int | None = None
    """Maximum number of half-open, cut, reset, duplicate and reorder faults."""
    seed: int = 0


NONE = Faults()
Only = Callable[[bytes], bool]
Log = Callable[[str], object]


class FaultProxy:
    """A proxy in front of a server, with the address `url`. `target` and `faults` may be changed while it runs."""

    def __init__(
        self, target: str, faults: Faults = NONE, only: Only = lambda _: True, log: Log = lambda _: None
    ) -> None:
        self.target = target
        self.faults = faults
        self.only = only
        """Decides whether a connection is affected, from the client's latest bytes."""
        self.log = log
        self.url = ""
        self.struck = 0
        """Number of half-open, cut, reset, duplicate and reorder faults so far."""
        self._accepted = 0
        self._links: dict[asyncio.Task[None], _Link] = {}

    async def listen(self, at: str) -> asyncio.Server:
        """Listen at `tcp://HOST:PORT` or `unix:PATH`."""
        place, target = urlsplit(at), urlsplit(self.target)
        if place.scheme == "unix":
            before = os.umask(0o177)  # for its owner alone, as a server's
            try:
                server = await asyncio.start_unix_server(self._accept, place.path)
            finally:
                os.umask(before)
            self.url = at
        else:
            server = await asyncio.start_server(self._accept, place.hostname, place.port or 0)
            host, port = server.sockets[0].getsockname()[:2]
            scheme = {"https": "http", "wss": "ws", "unix": "tcp"}.get(target.scheme, target.scheme)
            path = "" if target.scheme == "unix" else target.path
            self.url = f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}{path}"
        return server

    async def close(self) -> None:
        """End every connection."""
        links = list(self._links)
        for task in links:
            task.cancel()
        await asyncio.gather(*links, return_exceptions=True)

    def reset_all(self) -> None:
        """Reset every connection."""
        for link in self._links.values():
            link.end(reset=True)

    def strike(self, link: _Link, what: str) -> bool:
        """Decide whether a fault happens to a connection. Faults are counted and logged."""
        if not link.suffers or (self.faults.times is not None and self.struck >= self.faults.times):
            return False
        self.struck += 1
        self.log(f"connection {link.number}: {what}")
        return True

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._accepted += 1
        link = _Link(self, self._accepted, (reader, writer))
        task = asyncio.ensure_future(self._serve(link))
        self._links[task] = link
        task.add_done_callback(self._links.pop)

    async def _serve(self, link: _Link) -> None:
        faults, reset = self.faults, False
        try:
            hold = link.random.random() * faults.reorder
            if hold and self.strike(link, f"held for {hold:.3f} s"):
                await asyncio.sleep(hold)
            for _ in range(2 if faults.duplicate and self.strike(link, "duplicated") else 1):
                link.servers.append(await _connect(self.target))
            reset = await link.run()
        except OSError as error:
            self.log(f"connection {link.number}: {error or type(error).__name__}")
            reset = True
        finally:
            link.end(reset=reset)


class _StruckError(Exception):
    """The proxy cut or reset the connection."""


class _Link:
    """A client's connection with its connections to the server."""

    def __init__(self, proxy: FaultProxy, number: int, client: Streams) -> None:
        self.number = number
        self.random = random.Random(f"{proxy.faults.seed}/{number}")  # noqa: S311  # no secret
        self.suffers = self.random.random() < proxy.faults.share
        self.servers: list[Streams] = []
        self._proxy = proxy
        self._client = client
        self._asked = b""
        self._silent: set[Side] = set()

    async def run(self) -> bool:
        """Relay bytes until both sides have ended. Returns whether to reset the connection."""
        reader, writer = self._client
        ways = [self._pass("client", reader, [to for _, to in self.servers])]
        ways += [
            self._pass("server", back, [] if number else [writer]) for number, (back, _) in enumerate(self.servers)
        ]
        tasks = [asyncio.ensure_future(way) for way in ways]
        try:
            ended, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
            if self._silent and not any(task.exception() for task in ended):
                await asyncio.Event().wait()  # nobody is to hear that the other side has left
        finally:
            for task in tasks:
                task.cancel()
            errors = await asyncio.gather(*tasks, return_exceptions=True)
        return any(isinstance(each, OSError) or (isinstance(each, _StruckError) and each.args[0]) for each in errors)

    def end(self, *, reset: bool = False) -> None:
        """Close the connections."""
        for _, writer in (self._client, *self.servers):
            raw = writer.get_extra_info("socket")
            if reset and raw is not None and raw.family in (socket.AF_INET, socket.AF_INET6):
                with contextlib.suppress(OSError):
                    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort() if reset else writer.close()

    async def _pass(self, side: Side, reader: asyncio.StreamReader, writers: list[asyncio.StreamWriter]) -> None:
        """Relay the bytes of one side."""
        pieces: asyncio.Queue[Piece] = asyncio.Queue(_PIECES)
        taking = asyncio.ensure_future(self._take(side, reader, pieces))
        passed = 0
        try:
            while True:
                due, data = await pieces.get()
                await asyncio.sleep(due - asyncio.get_running_loop().time())
                if isinstance(data, OSError):
                    raise data
                if not data:
                    break
                left, struck = self._strike(side, passed, len(data)) if self._hits(side) else (len(data), None)
                passed = passed + len(data) if self._hits(side) else 0
                for writer in writers if side not in self._silent else ():
                    writer.write(data[:left])
                    await writer.drain()
                if struck == "half_open":
                    self._silent |= {self._proxy.faults.side or "client", self._proxy.faults.side or "server"}
                elif struck:
                    raise _StruckError(struck == "reset")
            if side in self._silent and not self._proxy.url:
                raise _StruckError(False)  # standard streams: who has left them comes back no more
            for writer in writers if side not in self._silent else ():
                if writer.can_write_eof():
                    writer.write_eof()
        finally:
            taking.cancel()
            await asyncio.gather(taking, return_exceptions=True)

    async def _take(self, side: Side, reader: asyncio.StreamReader, pieces: asyncio.Queue[Piece]) -> None:
        """Read pieces and compute their arrival times on the other side."""
        due, loop = 0.0, asyncio.get_running_loop()
        data = b"-"
        while data:
            try:
                data = await reader.read(max(1, int(min(_PIECE, self._proxy.faults.bandwidth / 10))))
            except OSError as error:
                await pieces.put((due, error))
                return
            if side == "client" and data:
                self._asked = data
            if self._hits(side):
                faults = self._proxy.faults
                late = faults.latency + faults.jitter * self.random.random()
                due = max(due, loop.time() + late) + len(data) / faults.bandwidth
            await pieces.put((due, data))

    def _hits(self, side: Side) -> bool:
        """Return whether the bytes of a side are affected."""
        return self.suffers and self._proxy.faults.side in (None, side) and self._proxy.only(self._asked)

    def _strike(self, side: Side, passed: int, size: int) -> tuple[int, str | None]:
        """The number of bytes of a piece that still pass, and the fault that follows."""
        for kind in ("half_open", "cut", "reset"):
            after: int | None = getattr(self._proxy.faults, kind)
            if after is not None and passed <= after < passed + size and side not in self._silent:
                what = kind.replace("_", "-")
                if self._proxy.strike(self, f"{what} after {after:,} bytes of the {side}"):
                    return after - passed, kind
        return size, None


async def _connect(target: str) -> Streams:
    url = urlsplit(target)
    if url.scheme == "unix":
        return await asyncio.open_unix_connection(url.path)
    tls = url.scheme in ("https", "wss")
    return await asyncio.open_connection(
        url.hostname, url.port or (443 if tls else 80), ssl=ssl.create_default_context() if tls else None
    )


@contextlib.asynccontextmanager
async def proxied(target: str, faults: Faults = NONE, at: str = "", **options: Any) -> AsyncGenerator[FaultProxy]:
    """Run a proxy in front of a server until the block ends. For `unix:PATH`, it listens at `unix:PATH.chaos`."""
    unix = urlsplit(target).scheme == "unix"
    proxy = FaultProxy(target, faults, **options)
    server = await proxy.listen(at or (f"{target}.chaos" if unix else "tcp://127.0.0.1:0"))
    try:
        yield proxy
    finally:
        server.close()
        await proxy.close()
        if unix:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(urlsplit(proxy.url).path)


async def chaos(target: str, faults: Faults) -> int:
    """Run a proxy until a signal arrives."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(ended.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, end)
    async with proxied(target, faults, log=console.note) as proxy:
        console.say(proxy.url)
        console.flush()
        await ended.wait()
    return 0


def _piped(stream: int) -> int:
    """A pipe in place of a standard stream, which may be a file or a device that asyncio cannot wait for."""
    own = os.dup(stream)
    if stat.S_ISFIFO(mode := os.fstat(own).st_mode) or stat.S_ISSOCK(mode):
        return own
    reads, writes = os.pipe()
    if stream == 0:
        threading.Thread(target=_copy, args=(own, writes), daemon=True).start()
        return reads
    threading.Thread(target=_copy, args=(reads, own)).start()  # what is written arrives before the process ends
    return writes


def _copy(source: int, to: int) -> None:
    with contextlib.suppress(BrokenPipeError), open(source, "rb", 0) as one, open(to, "wb", 0) as other:
        shutil.copyfileobj(one, other)


async def wrap(command: Sequence[str], faults: Faults) -> int:
    """Start an agent and relay it to this process's standard streams until both sides have ended."""
    agent = await asyncio.create_subprocess_exec(*command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert agent.stdin is not None
    assert agent.stdout is not None
    source, sink = os.fdopen(_piped(0), "rb", 0), os.fdopen(_piped(1), "wb", 0)
    os.dup2(2, 1)  # so that the client sees the end when `sink` is closed
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), source)
    out = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(asyncio.StreamReader()), sink)
    client = asyncio.StreamWriter(*out, None, loop)
    link = _Link(FaultProxy("", faults, log=console.note), 1, (reader, client))
    link.servers = [(agent.stdout, agent.stdin)]
    link.end(reset=await link.run())
    await agent.wait()
    client.close()
    with contextlib.suppress(OSError):  # the client may have left
        await client.wait_closed()  # or what it has not read yet would be lost
    return 0
