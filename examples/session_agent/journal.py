"""A stage that keeps what it shows: written down first, then sent. Whatever was seen, a replay has it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Sequence

import msgspec

from .. import acp
from .stage import ClientStage
from .store import Store
from .thread import StoreThread

__all__ = ["JournalStage", "settle"]


def settle(payloads: Sequence[bytes]) -> Iterable[bytes]:
    """Payloads that bring a turn to an end: a tool call that is still open in it has failed."""
    state = acp.SessionState()
    for payload in payloads:
        with contextlib.suppress(msgspec.DecodeError):  # whatever it is, it is not ours
            state.apply(acp.decode(acp.SessionUpdate, payload))
    return map(acp.encode, _failures(state))


def _failures(state: acp.SessionState) -> list[acp.SessionUpdateToolCallUpdate]:
    calls = state.tool_calls.items()
    still_open = [key for key, call in calls if call.status not in ("completed", "failed")]
    return [acp.SessionUpdateToolCallUpdate(tool_call_id=key, status="failed") for key in still_open]


class JournalStage(ClientStage):
    """The client during one turn of a stored session."""

    def __init__(
        self, client: acp.AgentSideConnection, store: StoreThread, key: tuple[str, str], turn: int, entries: int
    ) -> None:
        super().__init__(client, key[1])
        self._store = store
        self._key = key
        self._turn = turn
        self.entries = entries
        """How many entries the turn has, the user's message included."""
        self._calls = acp.SessionState()
        """The tool calls of the turn."""
        self._settled: list[acp.SessionUpdateToolCallUpdate] = []

    async def update(self, update: acp.SessionUpdate) -> None:
        """UnknownSession where the session was deleted meanwhile, perhaps by another agent."""
        await self._write([update])
        if isinstance(update, acp.ToolCall | acp.SessionUpdateToolCallUpdate):
            self._calls.apply(update)
        await super().update(update)

    async def settle(self) -> None:
        """Bring to an end what the model left open; for the record first."""
        self._settled = _failures(self._calls)
        if self._settled:
            await self._write(self._settled)

    async def show_settled(self) -> None:
        """Show the client what was brought to an end."""
        for update in self._settled:
            await super().update(update)

    async def _write(self, updates: Sequence[acp.SessionUpdate]) -> None:
        # Cut short it counts too little, which the store makes up for.
        self.entries = await self._store(
            Store.append, *self._key, self._turn, self._store.owner, self.entries, [*map(acp.encode, updates)]
        )
