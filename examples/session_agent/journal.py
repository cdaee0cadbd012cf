"""A stage that keeps what it shows: written down first, then sent. Whatever was seen, a replay has it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

import msgspec

from .. import acp
from .stage import ClientStage
from .store import Store
from .thread import StoreThread

__all__ = ["JournalStage", "settle"]


class _Seen(msgspec.Struct, rename="camel"):
    """What a payload tells about a tool call, if it is about one."""

    tool_call_id: str | None = None
    status: Literal["pending", "in_progress", "completed", "failed"] | None = None


def settle(payloads: Sequence[bytes]) -> Iterable[bytes]:
    """Payloads that bring a turn to an end: a tool call that is still open in it has failed."""
    still_open: dict[str, None] = {}
    for payload in payloads:
        try:
            seen = msgspec.json.decode(payload, type=_Seen)
        except msgspec.DecodeError:
            continue  # whatever it is, it is not ours
        if seen.tool_call_id is not None and seen.status in ("completed", "failed"):
            still_open.pop(seen.tool_call_id, None)
        elif seen.tool_call_id is not None:
            still_open[seen.tool_call_id] = None
    return [acp.encode(acp.SessionUpdateToolCallUpdate(tool_call_id=call, status="failed")) for call in still_open]


class JournalStage(ClientStage):
    """The client during one turn of a stored session."""

    def __init__(self, client: acp.AgentSideConnection, store: StoreThread, key: tuple[str, str], turn: int) -> None:
        super().__init__(client, key[1])
        self._store = store
        self._key = key
        self._turn = turn
        self._shown: list[bytes] = []
        self._settled: list[bytes] = []

    async def update(self, update: acp.SessionUpdate) -> None:
        """UnknownSession where the session was deleted meanwhile, perhaps by another agent."""
        payload = acp.encode(update)
        await self._store(Store.append, *self._key, self._turn, [payload])
        if b'"toolCallId"' in payload:
            self._shown.append(payload)
        await super().update(update)

    async def settle(self) -> None:
        """Bring to an end what the model left open; for the record first."""
        self._settled = list(settle(self._shown))
        if self._settled:
            await self._store(Store.append, *self._key, self._turn, self._settled)

    async def show_settled(self) -> None:
        """Show the client what was brought to an end."""
        for payload in self._settled:
            await super().update(acp.decode(acp.SessionUpdateToolCallUpdate, payload))
