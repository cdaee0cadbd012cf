# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A transport whose peer speaks another version of the protocol, and a handler that serves such peers."""

# ruff: noqa: SLF001
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Any

import msgspec

from ..tasks import start
from ..transport.base import Transport
from .convert import Problem
from .frames import LOCAL, Bridge, Report, other
from .plan import Plan

_LOG = logging.getLogger(__name__)


def log(method: str, problems: list[Problem], rejected: bool) -> None:
    """Log what the other version cannot express: warnings for rejected messages."""
    level = logging.WARNING if rejected else logging.INFO
    for each in problems:
        _LOG.log(level, "%s %s: %s", method, "was rejected" if rejected else "lost information", each)


class Bridged:
    """A handler of one version for peers of another: one of the ``versions`` of a server.

    `plan`: the output of ``acp-codegen bridge OLD NEW --plan``. `report`: called with the method, the problems, and
    whether the message was rejected, for everything that the other version cannot express; by default it is logged.
    `local`: for an agent of the old version, a client's handler, or a function that creates one, that serves requests
    of the agent that the new version lacks. It serves them on this machine.
    """

    def __init__(self, handler: Any, plan: bytes | str, report: Report = log, local: Any = None) -> None:
        self.handler = handler
        self._local = local
        self._plan = msgspec.json.decode(plan, type=Plan)
        self._report = report

    def number(self, own: int) -> int:
        """The version of the peers, if the handler has a version. Raises ValueError if the plan has no such version."""
        if own not in (self._plan.old, self._plan.new):
            raise ValueError(f"the plan bridges versions {self._plan.old} and {self._plan.new}, not {own}")
        return self._plan.new if own == self._plan.old else self._plan.old

    def transport(self, inner: Transport, here: str, own: int) -> Transport:
        """A transport to a peer of the other version, for the side that is here and its own version."""
        agent = own if here == "agent" else self.number(own)
        made: Any = self._local() if callable(self._local) else self._local
        bridge = Bridge(self._plan, agent=agent, has_local=made is not None, report=self._report)
        return BridgedTransport(inner, bridge, here, made)


class BridgedTransport:
    """Translates the frames of another transport. `here`: the side that uses this transport. `local`: see `Bridged`."""

    def __init__(self, inner: Transport, bridge: Bridge, here: str, local: Any = None) -> None:
        self._inner, self._bridge, self._here = inner, bridge, here
        self._received: list[bytes] = []
        self._answered = asyncio.Event()
        self._reading: asyncio.Future[Sequence[bytes]] | None = None
        self.ordered = getattr(inner, "ordered", True)
        self.crowded = inner.crowded
        self.full = inner.full
        self.drain = inner.drain
        self.drain_session = inner.drain_session
        self._local = None if local is None else _Local(local, self)
        self.wait_closed = inner.wait_closed
        self.hung_up = inner.hung_up
        self.when_deaf = inner.when_deaf

    async def receive(self) -> Sequence[bytes]:
        """The translated frames of the peer, and the answers to frames that the peer does not get."""
        while not self._received:
            self._answered.clear()
            if self._reading is None:
                self._reading = asyncio.ensure_future(self._inner.receive())
            answered = asyncio.ensure_future(self._answered.wait())
            ended: list[asyncio.Future[Any]] = [self._reading, answered]
            try:
                await asyncio.wait(ended, return_when=asyncio.FIRST_COMPLETED)
            finally:
                answered.cancel()
            if self._reading.done():
                frames = self._reading.result()
                if not frames:
                    break
                self._reading = None
                for frame in frames:
                    self.translate(other(self._here), frame)
        received, self._received = self._received, []
        return received

    def write(self, frame: bytes) -> None:
        """Send the frames that a frame becomes."""
        self.translate(self._here, frame)

    def close(self) -> None:
        """Close the transport, and end the local handler."""
        if self._local is not None:
            self._local.close()
        self._inner.close()

    def abort(self) -> None:
        """Close immediately, and end the local handler."""
        if self._local is not None:
            self._local.close()
        self._inner.abort()

    def translate(self, sender: str, frame: bytes) -> None:
        """Pass on the frames that a frame of one side becomes."""
        for to, translated in self._bridge.translate(sender, frame):
            if to == LOCAL and self._local is not None:
                self._local.hear(translated)
            elif to == self._here:
                self._received.append(translated)
                self._answered.set()
            else:
                self._inner.write(translated)


class _Local(Transport):
    """The connection of a local handler: the bridge is its peer."""

    def __init__(self, handler: Any, bridged: BridgedTransport) -> None:
        self._bridged = bridged
        self._frames: asyncio.Queue[bytes] = asyncio.Queue()
        self._serving = start(self._serve(handler.connection_class(handler, self)))

    @staticmethod
    async def _serve(connection: Any) -> None:
        opening = connection._protocol.handshake.method
        async with connection:
            await connection._open(connection._protocol.methods[connection._peer_side, opening, "request"], {})
            await connection.wait_closed()

    def hear(self, frame: bytes) -> None:
        """Take a request to the handler."""
        self._frames.put_nowait(frame)

    async def receive(self) -> Sequence[bytes]:
        frame = await self._frames.get()
        return [frame] if frame else []

    def write(self, frame: bytes) -> None:
        self._bridged.translate(LOCAL, frame)

    def full(self) -> bool:
        return False

    async def drain(self) -> None: ...

    def close(self) -> None:
        self._frames.put_nowait(b"")

    async def wait_closed(self) -> None: ...

    def abort(self) -> None:
        self.close()
