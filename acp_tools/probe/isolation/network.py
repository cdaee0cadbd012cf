"""Isolation of a peer, and a record of its attempts to reach other machines.

If the kernel allows it, a peer starts in its own namespaces (`namespace`). It sees its home, the files that it needs,
allowed paths and the loopback network, but no other process. Otherwise, only the proxy variables of its home restrict
it. A peer that tries to reach other machines violates no requirement: the attempt is reported as information.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import socket
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from ..results import Sheet
from .home import Home
from .needs import readable

_PROGRAM = str(Path(__file__).with_name("namespace.py"))
_MOST = 20
"""Maximum number of listed hosts."""
_KEPT, _LONGEST = 1_000, 200
_FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_ROOM = 1 << 20


class Network:
    """The network access of the peers of one run: allowed and attempted. `shared`: they use this machine's network.
    `reads`, `writes`: allowed paths, in addition to a command's home and the files it needs. `hosts`: hosts that the
    proxy allows. `stay`: processes that a peer leaves behind survive, so that they can be found. `tell`: called with
    each host that a peer requests from the proxy.
    """

    def __init__(
        self,
        *,
        shared: bool = False,
        reads: Sequence[Path] = (),
        writes: Sequence[Path] = (),
        hosts: Sequence[str] = (),
        stay: bool = True,
        tell: Callable[[str, bool], None] = lambda _host, _allowed: None,
    ) -> None:
        self.shared, self._reads, self._writes = shared, tuple(reads), tuple(writes)
        self.allowed, self._stay, self.tell = frozenset(hosts), stay, tell
        self.files = "all of this machine's"
        """A description of the files that the peer can see."""
        self.text = (
            "the network of this machine (--share-network)"
            if shared
            else "the network of this machine, with closed proxies"
        )
        """A description of the network in which the peer runs."""
        self.hosts: Counter[str] = Counter()
        """Hosts that were requested from the proxy."""
        self.unreached = 0
        """Number of packets to other machines without a route."""
        self.names = 0
        """Packets to loopback ports without a listener: DNS queries to a name server on this machine."""

    async def start(
        self, command: tuple[str, ...], home: Home, *, ours: bool = False
    ) -> tuple[asyncio.subprocess.Process, Watch]:
        """Start a command in its home. Raises OSError if it cannot be run. `ours`: it gets our own standard streams. In
        this case, it raises PermissionError if no sandbox is available.
        """
        if ours and not sys.platform.startswith("linux"):
            raise PermissionError(errno.EPERM, "there are no namespaces on this system")
        if not sys.platform.startswith("linux"):
            return await _spawned(command, home), Watch(self)
        reads = readable(command, home.environment.get("PATH"), self._reads)
        plan = {
            "reads": reads,
            "writes": [str(home.root), *map(str, self._writes)],
            "network": self.shared,
            "scratch": str(home.scratch),
            "stay": self._stay,
            "required": ours,
        }
        door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with door:
            with theirs:
                program = (sys.executable, "-I", "-S", _PROGRAM, str(theirs.fileno()), json.dumps(plan), *command)
                process = await _spawned(program, home, theirs.fileno(), ours=ours)
            said, files, error = await asyncio.to_thread(_told, door)
        if error:
            await process.wait()
            for file in files:
                os.close(file)
            if ours and error == errno.EPERM:
                raise PermissionError(error, json.loads(said)["missing"], command[0])
            raise OSError(error, os.strerror(error), command[0])
        self._note(
            json.loads(said), [path for path in reads if not path.startswith(("/usr", "/bin", "/sbin", "/lib", "/etc"))]
        )
        return process, Watch(self, files)

    def _note(self, said: dict[str, Any], reads: list[str]) -> None:
        if "network" in said["applied"]:
            self.text = "only loopback, in a separate namespace"
            if self.allowed:
                self.text += f", and a proxy to {', '.join(sorted(self.allowed))}"
        elif not self.shared:
            self.text = (
                f"the network of this machine, with closed proxies: no namespace ({said['missing'] or 'not said'})"
            )
        if "files" in said["applied"]:
            writes = "".join(f", {path}" for path in self._writes)
            self.files = f"its own home{writes}; read-only: the system's programs, {', '.join(reads)}; no other process or socket"
        else:
            self.files = f"all of this machine's: no namespaces ({said['missing']})"

    def asked(self, host: str) -> None:
        """Record a host that was requested from the proxy. The number of recorded hosts is bounded."""
        host = host[:_LONGEST]
        if host in self.hosts or len(self.hosts) < _KEPT:
            self.hosts[host] += 1

    @property
    def tried(self) -> str:
        """Describe the network accesses that a peer tried; empty if there were none."""
        told = [f"{host} through the proxy" for host in sorted(self.hosts)[:_MOST]]
        if len(self.hosts) > _MOST:
            told.append(f"{len(self.hosts) - _MOST} more hosts through the proxy")
        if self.unreached:
            told.append(f"{_counted(self.unreached, 'packet')} to other machines, without a proxy")
        if self.names:
            told.append(f"{_counted(self.names, 'question')} to a name server")
        return ", ".join(told)


def tell(launcher: object, sheet: Sheet) -> None:
    """Report the network accesses that the peers of a launcher attempted."""
    network = getattr(launcher, "network", None)
    if isinstance(network, Network) and network.tried:
        sheet.notice("network/reached", f"the agent tried to reach other machines: {network.tried}")


class Watch:
    """Watches the namespace of one start. `files`: counters of IPv4 and IPv6, and a listening socket."""

    def __init__(self, network: Network, files: list[int] | None = None) -> None:
        self._network, self._counters = network, (files or [])[:2]
        self._serving: asyncio.Task[None] | None = None
        if files and len(files) > 2:
            self._serving = asyncio.ensure_future(self._serve(socket.socket(fileno=files[2])))

    async def _serve(self, proxy: socket.socket) -> None:
        with contextlib.suppress(OSError):
            async with await asyncio.start_server(self._asked, sock=proxy, limit=1 << 14) as server:
                await server.serve_forever()

    async def _asked(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Record the host of a proxy request and reject it."""
        with contextlib.suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(2):
                line = (await reader.readline()).decode("ascii", "replace")
                _, target, *_ = line.split()
                host = urlsplit(target if "://" in target else f"//{target}").netloc.rpartition("@")[2]
                self._network.asked(host)
                allowed = host.rpartition(":")[0] in self._network.allowed or host in self._network.allowed
                self._network.tell(host, allowed)
                if not allowed:
                    writer.write(_FORBIDDEN)
                    await writer.drain()
            if allowed:
                await _tunnel(host, reader, writer)
        writer.close()

    async def close(self) -> None:
        """Read the counters at the end of the peer."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.gather(self._serving, return_exceptions=True)
        counts: Counter[str] = Counter()
        for file in self._counters:
            counts.update(_counts(os.pread(file, _ROOM, 0).decode("ascii", "replace")))
            os.close(file)
        self._counters = []
        self._network.unreached += counts["Ip OutNoRoutes"] + counts["Ip6OutNoRoutes"]
        self._network.names += counts["Udp NoPorts"] + counts["Udp6NoPorts"]


async def _tunnel(host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Relay bytes between a peer that sent CONNECT and an allowed host."""
    while (await reader.readline()).strip():
        pass
    name, _, port = host.rpartition(":")
    theirs, ours = await asyncio.open_connection(name, int(port))
    writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")

    async def pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(1 << 16):
            sink.write(data)
            await sink.drain()
        sink.close()

    await asyncio.gather(pass_on(reader, ours), pass_on(theirs, writer), return_exceptions=True)


async def _spawned(
    command: tuple[str, ...], home: Home, *passed: int, ours: bool = False
) -> asyncio.subprocess.Process:
    streams = None if ours else asyncio.subprocess.PIPE
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=streams,
        stdout=streams,
        stderr=streams,
        cwd=home.work,
        env=home.environment,
        start_new_session=True,
        limit=_ROOM,
        pass_fds=passed,
    )


def _told(door: socket.socket) -> tuple[str, list[int], int]:
    """Receive the messages of `namespace`: its text, its files, and the error number if the command cannot run."""
    said, files, _, _ = socket.recv_fds(door, 1000, 8)
    error = door.recv(100)  # empty: the socket closed when the command began
    return said.decode("utf-8", "replace"), files, int(error) if error.isdigit() else 0


def _counts(text: str) -> dict[str, int]:
    """The counters of a file in /proc/net. The file has pairs of lines (names, then numbers), or a name and a number on
    each line.
    """
    found: dict[str, int] = {}
    rows = [line.split() for line in text.splitlines()]
    for names, numbers in pairwise(rows):
        if names and names[0].endswith(":") and names[0] == numbers[0] and not names[1].lstrip("-").isdigit():
            pairs = zip(names[1:], numbers[1:], strict=False)
            found |= {f"{names[0][:-1]} {name}": int(number) for name, number in pairs}
    return found | {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
