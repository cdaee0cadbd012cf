"""Any agent behind an endpoint. Each connection gets its own process; when one ends, the other ends too.

The processes end however this program ends: it ends them itself if it can, otherwise the `reaper` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

import acp_generated as acp
from acp_generated import transports
from acp_remote import Endpoint, ServerConnection, serve_endpoint

from ..codegen_api import console
from . import service
from .reaper import Reaper

_TURN = "session/prompt"


async def expose(
    command: Sequence[str],
    address: str,
    *,
    identify: Callable[[Any], Any] | None,
    hosts: Collection[str] | None,
    origins: Collection[str],
    connections: int,
    connections_each: int | None,
    idle: float | None,
    certificate: Path | None,
    private_key: Path | None,
    cwd: Path | None,
    inherit_env: bool,
) -> int:
    """Serve until a signal arrives. The stderr of the processes is passed through.

    Raises ConnectionError if the command does not start or answers nothing.
    """
    reaper = Reaper()

    async def accept(opened: ServerConnection) -> None:
        caller = opened.caller
        served = _Served(caller.identity, caller.address)
        try:
            own = service.command_for(command, caller.identity)
            with reaper.agent() as (name, env):
                async with transports.process_transport(
                    *own, cwd=cwd, env=env, inherit_env=inherit_env, started=partial(reaper.runs, name)
                ) as agent:
                    served.log("connected")
                    await _converse(opened, agent, served, idle)
            served.log("disconnected")
        except (acp.ConnectionClosed, PermissionError) as error:
            served.log("disconnected", reason=str(error))
        except OSError as error:
            served.log("disconnected", reason=f"cannot start the agent: {command[0]}: {error.strerror or error}")

    endpoint = Endpoint(
        transports.runtime(acp.methods.PROTOCOL),
        "agent",
        accept,
        identify=identify,
        hosts=hosts,
        origins=origins,
        connections=connections,
        connections_each=connections_each,
    )
    with reaper.running():
        bound: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        serving: asyncio.Future[Any] = asyncio.ensure_future(
            serve_endpoint(
                endpoint, address, certificate=certificate, private_key=private_key, on_ready=bound.set_result
            )
        )
        await asyncio.wait([serving, bound], return_when=asyncio.FIRST_COMPLETED)
        async with _ended(serving):
            if bound.done():
                with reaper.agent() as (_, env):
                    test = service.test(service.command_for(command, "test"), cwd, env, inherit_env=inherit_env)
                    async with _ended(asyncio.ensure_future(test)) as testing:
                        await asyncio.wait([serving, testing], return_when=asyncio.FIRST_COMPLETED)
                        if testing.done():
                            testing.result()
                if not serving.done():
                    console.note(f"serving {command[0]} at {bound.result()}, up to {connections:,} connections")
            await serving
    return 0


@contextlib.asynccontextmanager
async def _ended(task: asyncio.Future[Any]) -> AsyncGenerator[asyncio.Future[Any]]:
    """Cancel a task at the end of the block, and wait for it."""
    try:
        yield task
    finally:
        task.cancel()
        await asyncio.wait([task])


class _Frame(msgspec.Struct):
    id: msgspec.Raw = msgspec.Raw(b"")
    method: str = ""
    result: msgspec.Raw = msgspec.Raw(b"{}")
    error: msgspec.Raw = msgspec.Raw(b"null")


class _Result(msgspec.Struct):
    stopReason: str = "answered"  # noqa: N815  # the protocol's name


class _Error(msgspec.Struct):
    code: int = 0
    message: str = ""


class _Served:
    """A connection: its pending requests, for which a draining server waits, and log lines for it and its turns."""

    def __init__(self, identity: str, address: str | None) -> None:
        self.open: dict[bytes, tuple[str, float]] = {}
        """The method of each pending request, and the time of its arrival."""
        self.active = time.monotonic()
        """The time of the last frame."""
        self._who = {"identity": identity, "address": address or ""}
        self._decode = msgspec.json.Decoder(_Frame).decode

    def log(self, event: str, **fields: Any) -> None:
        """Log an event with the caller."""
        given = {**self._who, **fields}
        text = ", ".join(f"{name} {value}" for name, value in given.items() if value != "")
        service.logger.info("%s: %s", event, text, extra={"fields": {"event": event, **given}})

    def asked(self, frame: bytes) -> None:
        """Note a frame of the client."""
        seen = self._read(frame)
        if seen.method and seen.id:
            self.open[bytes(seen.id)] = (seen.method, self.active)

    def answered(self, frame: bytes) -> None:
        """Note a frame of the agent."""
        seen = self._read(frame)
        method, since = self.open.pop(bytes(seen.id), ("", 0.0)) if seen.id and not seen.method else ("", 0.0)
        if method == _TURN:
            self.log("turn", outcome=_outcome(seen), seconds=round(self.active - since, 3))

    def is_idle(self, seconds: float | None) -> bool:
        """Return whether no request is pending, and the last frame was at least so long ago."""
        return seconds is not None and not self.open and time.monotonic() - self.active >= seconds

    def _read(self, frame: bytes) -> _Frame:
        self.active = time.monotonic()
        try:
            return self._decode(frame)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return _Frame()  # no message; the other end will say so


def _outcome(frame: _Frame) -> str:
    """The stop reason of a turn, or its error."""
    try:
        error = msgspec.json.decode(frame.error, type=_Error | None)
        if error is not None:
            return f"error {error.code}: {error.message}"
        return msgspec.json.decode(frame.result, type=_Result).stopReason
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return "unreadable"


async def _converse(opened: ServerConnection, agent: transports.Transport, served: _Served, idle: float | None) -> None:
    """Relay frames in both directions until either end is done. The agent's last frames are still sent."""
    opened.busy = lambda: bool(served.open)
    asking = asyncio.create_task(transports.relay(opened.transport, agent, served.asked))
    answering = asyncio.create_task(transports.relay(agent, opened.transport, served.answered))
    try:
        ended: set[asyncio.Task[None]] = set()
        while not ended and not served.is_idle(idle):
            left = None if idle is None else idle if served.open else served.active + idle - time.monotonic()
            ended, _ = await asyncio.wait([asking, answering], timeout=left, return_when=asyncio.FIRST_COMPLETED)
        if answering.done():
            answering.result()
    finally:
        for task in (asking, answering):
            task.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await asyncio.gather(asking, answering)
