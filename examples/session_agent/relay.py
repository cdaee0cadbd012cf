"""The client of a session's process: passes on what the process shows and asks, to the client of the session, in order.

Requests run at once while updates queue, so a request says how many updates were sent before it, and waits for those.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import msgspec

from .. import acp
from .journal import JournalStage
from .stage import META

__all__ = ["Relay"]

Answer = TypeVar("Answer")


class Relay(acp.Client):
    """Between the process of a session and whatever stage its present turn has."""

    def __init__(self) -> None:
        self._stage: JournalStage | None = None
        self._broken: asyncio.Future[None] | None = None
        self._passed = 0
        self._moved = asyncio.Condition()

    def attach(self, stage: JournalStage) -> asyncio.Future[None]:
        """Begin a turn. The future fails when the stage does: the client left, or the session is deleted."""
        self._stage = stage
        self._broken = asyncio.get_running_loop().create_future()
        return self._broken

    def detach(self) -> None:
        """End the turn; what still comes is dropped."""
        self._stage = None
        if self._broken is not None:
            self._broken.cancel()

    async def session_update(self, params: acp.SessionNotification) -> None:
        try:
            if self._stage is not None:
                await self._stage.update(params.update)
        except Exception as failure:  # noqa: BLE001  whatever it is, the turn is to end with it
            if self._broken is not None and not self._broken.done():
                self._broken.set_exception(failure)
        finally:
            async with self._moved:
                self._passed += 1
                self._moved.notify_all()

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return await self._pass_on(acp.AgentSideConnection.request_permission, params)

    async def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        return await self._pass_on(acp.AgentSideConnection.create_terminal, params)

    async def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        return await self._pass_on(acp.AgentSideConnection.terminal_output, params)

    async def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        return await self._pass_on(acp.AgentSideConnection.wait_for_terminal_exit, params)

    async def kill_terminal(self, params: acp.KillTerminalRequest) -> acp.KillTerminalResponse:
        return await self._pass_on(acp.AgentSideConnection.kill_terminal, params)

    async def release_terminal(self, params: acp.ReleaseTerminalRequest) -> acp.ReleaseTerminalResponse:
        return await self._pass_on(acp.AgentSideConnection.release_terminal, params)

    async def _pass_on(self, ask: Callable[..., Awaitable[Answer]], params: Any) -> Answer:
        """Ask the client, once it has seen what the process showed before."""
        meta: dict[str, Any] = params.meta or {}
        before = meta.get(META, 0)
        async with self._moved:
            await self._moved.wait_for(lambda: self._passed >= before)
        if self._stage is None:
            raise acp.RequestError.invalid_request({"reason": "no prompt is under way"})
        try:
            return await ask(self._stage.client, **_fields(params))
        except ConnectionError:
            raise acp.RequestError.internal_error({"reason": "the client is gone"}) from None


def _fields(params: msgspec.Struct) -> dict[str, Any]:
    """Params as keywords, without what only we understand."""
    return {name: getattr(params, name) for name in params.__struct_fields__ if name != "meta"}
