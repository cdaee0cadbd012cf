"""The client of a session's process: passes on what the process shows and asks, to the client of the session, in order.

Requests run at once while updates queue, so a request says how many updates were sent before it, and waits for those.
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec

from .. import acp
from .journal import JournalStage
from .stage import META

__all__ = ["Relay"]


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
        client = await self._client(params.meta)
        return await client.request_permission(**_fields(params))

    async def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        client = await self._client(params.meta)
        return await client.create_terminal(**_fields(params))

    async def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        client = await self._client(params.meta)
        return await client.terminal_output(**_fields(params))

    async def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        client = await self._client(params.meta)
        return await client.wait_for_terminal_exit(**_fields(params))

    async def kill_terminal(self, params: acp.KillTerminalRequest) -> acp.KillTerminalResponse:
        client = await self._client(params.meta)
        return await client.kill_terminal(**_fields(params))

    async def release_terminal(self, params: acp.ReleaseTerminalRequest) -> acp.ReleaseTerminalResponse:
        client = await self._client(params.meta)
        return await client.release_terminal(**_fields(params))

    async def _client(self, meta: dict[str, Any] | acp.UnsetType | None) -> acp.AgentSideConnection:
        """The client to ask, once it has seen what the process showed before."""
        before = (meta or {}).get(META, 0)
        async with self._moved:
            await self._moved.wait_for(lambda: self._passed >= before)
        if self._stage is None:
            raise acp.RequestError.invalid_request({"reason": "no prompt is under way"})
        return self._stage.client


def _fields(params: msgspec.Struct) -> dict[str, Any]:
    """Params as keywords, without what only we understand."""
    return {name: getattr(params, name) for name in params.__struct_fields__ if name != "meta"}
