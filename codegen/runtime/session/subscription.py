"""The updates of a session on its client: those of a turn, and a subscription to all."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from collections import deque
from collections.abc import Callable, Generator
from typing import Any, Generic, Self, TypeVar

from ..connection.open_sessions import Ending
from ..connection.update_stream import Stream
from ..errors import ConnectionClosed

Update = TypeVar("Update")
Answer = TypeVar("Answer")

_ROOM = 64
"""Number of updates that a subscription buffers before it delays the session."""
_LOOK = 0.02
"""Seconds between checks of a full subscription for pending calls of this side."""


class Subscription(Generic[Update]):
    """``async for update in subscription``, until the session ends. Raises ConnectionClosed if the connection is lost.

    A slow consumer delays the session, except while this side waits for a response of the peer.
    """

    def __init__(
        self, busy: Callable[[], bool], leave: Callable[[Subscription[Any]], None], *, turns: bool = False
    ) -> None:
        self.turns = turns
        """True if it includes the updates of turns."""
        self._busy = busy
        self._leave = leave
        self._waiting: deque[Update] = deque()
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._over = False
        self._ending: Ending | None = None

    @property
    def drained(self) -> bool:
        """True if all received updates were taken."""
        return not self._waiting

    def close(self) -> None:
        """End the subscription and drop queued updates."""
        self._waiting.clear()
        self.end(None)
        self._leave(self)

    def end(self, ending: Ending | None) -> None:
        """End the loop after the queued updates."""
        self._over, self._ending = True, ending
        self._changed.set()
        self._room.set()

    async def hear(self, update: Update) -> None:
        """Queue an update."""
        if self._over:
            return
        self._waiting.append(update)
        self._changed.set()
        while len(self._waiting) > _ROOM and not self._over and not self._busy():
            self._room.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._room.wait(), _LOOK)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        while not self._waiting:
            if self._over:
                if self._ending is not None and self._ending.cause == "lost":
                    raise ConnectionClosed("the connection was lost, so the session has no more updates")
                raise StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        update = self._waiting.popleft()
        self._room.set()
        return update


class Turn(Stream[Update, Answer]):
    """A turn: ``async for update in turn`` yields its updates, and ``await turn`` returns its result.

    The request is sent when the turn is awaited or iterated. A task that is cancelled while it awaits the turn ends the
    request.
    """

    def __await__(self) -> Generator[Any, Any, Answer]:
        answer: Answer = yield from self._held.whole().__await__()  # a generator, so that the turn lives as long as this
        return answer

    async def cancel(self) -> None:
        """Ask the agent to end the turn. It then responds: take the remaining updates, or await the turn."""
        with contextlib.suppress(ConnectionClosed):  # whoever awaits the turn is told
            await self._held.cancel()

    def __del__(self) -> None:
        if not self._held.used:
            warnings.warn("a turn was neither awaited nor iterated: nothing was sent", RuntimeWarning, stacklevel=2)
        super().__del__()
