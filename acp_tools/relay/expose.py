"""Any agent behind an endpoint. Each connection gets its own process; when one ends, the other ends too.

The processes end however this program ends: it ends them itself if it can, otherwise the `reaper` does.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import msgspec

import acp_generated as acp
from acp_generated import transports
from acp_remote import Endpoint, ServerConnection, serve_endpoint

from ..codegen_api import console
from .reaper import Reaper


async def expose(
    command: Sequence[str],
    address: str,
    *,
    token: str | None,
    hosts: Collection[str] | None,
    origins: Collection[str],
    connections: int,
    certificate: Path | None,
    private_key: Path | None,
    cwd: Path | None,
    inherit_env: bool,
) -> int:
    """Serve until a signal arrives. The stderr of the processes is passed through."""
    reaper = Reaper()

    async def accept(opened: ServerConnection) -> None:
        try:
            with reaper.agent() as (name, env):
                async with transports.process_transport(
                    *command, cwd=cwd, env=env, inherit_env=inherit_env, started=partial(reaper.runs, name)
                ) as agent:
                    await _converse(opened, agent)
        except acp.ConnectionClosed as error:
            console.note(f"{opened.caller.address or 'a client'}: {error}")
        except OSError as error:
            console.note(f"error: cannot start the agent: {command[0]}: {error.strerror or error}")

    endpoint = Endpoint(
        transports.runtime(acp.methods.PROTOCOL),
        "agent",
        accept,
        identify=acp.bearer({token: "client"}) if token is not None else None,
        hosts=hosts,
        origins=origins,
        connections=connections,
    )
    with reaper.running():
        await serve_endpoint(
            endpoint,
            address,
            certificate=certificate,
            private_key=private_key,
            on_ready=lambda at: console.note(f"serving {command[0]} at {at}"),
        )
    return 0


async def _converse(opened: ServerConnection, agent: transports.Transport) -> None:
    """Relay frames in both directions until either end is done. The agent's last frames are still sent."""
    turns = _Turns()
    opened.busy = lambda: bool(turns.open)
    asking = asyncio.create_task(transports.relay(opened.transport, agent, turns.asked))
    answering = asyncio.create_task(transports.relay(agent, opened.transport, turns.answered))
    try:
        await asyncio.wait([asking, answering], return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        for task in (asking, answering):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await asyncio.gather(asking, answering)


class _Frame(msgspec.Struct):
    id: msgspec.Raw = msgspec.Raw(b"")
    method: msgspec.Raw = msgspec.Raw(b"")


class _Turns:
    """The client's pending requests, for which a draining server waits."""

    def __init__(self) -> None:
        self.open: set[bytes] = set()
        self._decode = msgspec.json.Decoder(_Frame).decode

    def asked(self, frame: bytes) -> None:
        seen = self._read(frame)
        if seen.method and seen.id:
            self.open.add(bytes(seen.id))

    def answered(self, frame: bytes) -> None:
        seen = self._read(frame)
        if seen.id and not seen.method:
            self.open.discard(bytes(seen.id))

    def _read(self, frame: bytes) -> _Frame:
        try:
            return self._decode(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _Frame()  # no message; the other end will say so
