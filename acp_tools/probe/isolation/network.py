"""Network isolation of a peer, and a record of its attempts to reach other machines.

Where the kernel allows it, a peer starts in a network namespace that has only loopback (`namespace`). Elsewhere only the proxy
variables of its home restrict it. A peer that tries to reach other machines violates nothing: the attempt is reported as information.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from ..results import Sheet
from .home import Home

_PROGRAM = str(Path(__file__).with_name("namespace.py"))
_MOST = 20
"""Hosts that are named."""
_KEPT, _LONGEST = 1_000, 200
_FORBIDDEN = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
_ROOM = 1 << 20


class Network:
    """What the peers of one run may reach, and tried to. `shared`: they are left in the network of this machine."""

    def __init__(self, *, shared: bool = False) -> None:
        self.shared = shared or not sys.platform.startswith("linux")
        self.text = (
            "the network of this machine (--share-network)"
            if shared
            else "the network of this machine, with closed proxies"
        )
        """In which network the peer runs, in words."""
        self.hosts: Counter[str] = Counter()
        """Hosts that the proxy was asked for."""
        self.unreached = 0
        """Packets to other machines that had no way."""
        self.names = 0
        """Packets to ports of loopback where nobody listens: questions to a name server of this machine."""

    async def start(self, command: tuple[str, ...], home: Home) -> tuple[asyncio.subprocess.Process, Watch]:
        """Start a command in its home. OSError where it cannot be run."""
        if self.shared:
            return await _spawned(command, home), Watch(self)
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with ours:
            with theirs:
                program = (sys.executable, "-I", "-S", _PROGRAM, str(theirs.fileno()), *command)
                process = await _spawned(program, home, theirs.fileno())
            said, files, error = await asyncio.to_thread(_told, ours)
        if error:
            await process.wait()
            for file in files:
                os.close(file)
            raise OSError(error, os.strerror(error), command[0])
        self._note(said)
        return process, Watch(self, files)

    def _note(self, said: str) -> None:
        where, _, reason = said.partition(" ")
        if where == "apart":
            self.text = "only loopback, in a separate namespace"
        else:
            self.text = f"the network of this machine, with closed proxies: no namespace ({reason or 'not said'})"

    def asked(self, host: str) -> None:
        """The proxy was asked for a host. A peer may invent any number of them: so many are kept."""
        host = host[:_LONGEST]
        if host in self.hosts or len(self.hosts) < _KEPT:
            self.hosts[host] += 1

    @property
    def tried(self) -> str:
        """What a peer tried, in words; empty where it tried nothing."""
        told = [f"{host} through the proxy" for host in sorted(self.hosts)[:_MOST]]
        if len(self.hosts) > _MOST:
            told.append(f"{len(self.hosts) - _MOST} more hosts through the proxy")
        if self.unreached:
            told.append(f"{_counted(self.unreached, 'packet')} to other machines, without a proxy")
        if self.names:
            told.append(f"{_counted(self.names, 'question')} to a name server")
        return ", ".join(told)


def tell(launcher: object, sheet: Sheet) -> None:
    """Put on the sheet what a launcher's peers tried."""
    network = getattr(launcher, "network", None)
    if isinstance(network, Network) and network.tried:
        sheet.notice("network/reached", f"reached for other machines: {network.tried}")


class Watch:
    """Looks at the namespace of one start, as long as it runs; `files`: counters of IPv4 and IPv6, and a listening socket."""

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
        """Note the host of a request to the proxy, and refuse it."""
        with contextlib.suppress(OSError, ValueError, TimeoutError, asyncio.IncompleteReadError):
            async with asyncio.timeout(2):
                line = (await reader.readline()).decode("ascii", "replace")
                _, target, *_ = line.split()
                host = urlsplit(target if "://" in target else f"//{target}").netloc.rpartition("@")[2]
                self._network.asked(host)
                writer.write(_FORBIDDEN)
                await writer.drain()
        writer.close()

    async def close(self) -> None:
        """The peer has ended: read the counters."""
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


async def _spawned(command: tuple[str, ...], home: Home, *passed: int) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *command,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=home.work,
        env=home.environment,
        start_new_session=True,
        limit=_ROOM,
        pass_fds=passed,
    )


def _told(ours: socket.socket) -> tuple[str, list[int], int]:
    """What `apart` says, the files it sends, and the number of the error if the command cannot be run."""
    said, files, _, _ = socket.recv_fds(ours, 1000, 8)
    error = ours.recv(100)  # empty: the socket closed when the command began
    return said.decode("utf-8", "replace"), files, int(error) if error.isdigit() else 0


def _counts(text: str) -> dict[str, int]:
    """The counters of a file in /proc/net: pairs of lines, of names and of numbers, or a name and a number on each line."""
    found: dict[str, int] = {}
    rows = [line.split() for line in text.splitlines()]
    for names, numbers in pairwise(rows):
        if names and names[0].endswith(":") and names[0] == numbers[0] and not names[1].lstrip("-").isdigit():
            pairs = zip(names[1:], numbers[1:], strict=False)
            found |= {f"{names[0][:-1]} {name}": int(number) for name, number in pairs}
    return found | {row[0]: int(row[1]) for row in rows if len(row) == 2 and row[1].isdigit()}


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
