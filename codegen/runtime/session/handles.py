"""What a peer creates for this side, and this side must release: created by entering a block, released by leaving it.

The law: whatever was created is released, however the block is left and whenever it is cancelled, even before its creator has answered.
Who leaves by an exception or a cancellation has it killed first, unless its end was awaited, and does not wait for a peer that does not answer.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, ClassVar, Generic, Self, TypeVar

from .connection import Connection
from .errors import ConnectionClosed
from .tasks import background

__all__ = ["Handle"]

Created = TypeVar("Created")

logger = logging.getLogger(__name__)

_PATIENCE = 1.0
"""Seconds that who leaves by an exception waits for the answers of the peer."""


class Handle(Generic[Created]):
    """``async with`` creates it; leaving releases it."""

    _session: ClassVar[str] = ""
    _key: ClassVar[str] = ""
    _calls: ClassVar[tuple[str, str]] = ("", "")
    """The calls that release and kill it."""

    def __init__(self, connection: Connection, session: Any, create: Callable[[], Awaitable[Created]]) -> None:
        self._connection = connection
        self._of = session
        self._create = create
        self._response: Created | None = None
        self._entered = False
        self.ended = False
        """Whether its end was awaited."""
        self.released = False
        """Whether it was released, or is about to be."""

    @property
    def response(self) -> Created:
        """What the peer answered when it was created. RuntimeError before."""
        if self._response is None:
            raise RuntimeError("it is not created yet: enter it with `async with`")
        return self._response

    async def __aenter__(self) -> Self:
        if self._entered:
            raise RuntimeError("it can be entered once: each block needs one of its own")
        self._entered = True
        creating = background(_outcome(self._create()))
        try:
            self._response = await asyncio.shield(creating)
        except asyncio.CancelledError:
            background(self._undo(creating))
            raise
        return self

    async def _undo(self, creating: asyncio.Task[Created]) -> None:
        """Release what is still being created for somebody who is gone."""
        await asyncio.wait({creating})
        if not creating.cancelled() and creating.exception() is None:
            self._response = creating.result()
            await self._leave(kill=True)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.released:
            return
        if kind is None:
            await asyncio.shield(background(self._release()))
            return
        leaving = background(self._leave(kill=not self.ended))
        await asyncio.wait({leaving}, timeout=_PATIENCE)

    async def _release(self) -> None:
        self.released = True
        await self._call(self._calls[0])

    async def _leave(self, *, kill: bool) -> None:
        """Kill and release it, without waiting for the one before the other; what fails is logged."""
        self.released = True
        calls = [self._call(self._calls[1])] if kill else []
        for outcome in await asyncio.gather(*calls, self._call(self._calls[0]), return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, ConnectionClosed):
                logger.warning("%s could not be released: %s", type(self).__name__, outcome)

    async def _call(self, name: str) -> Any:
        identity = {self._session: self._of, self._key: getattr(self.response, self._key)}
        return await getattr(self._connection, name)(**identity)


async def _outcome(create: Awaitable[Created]) -> Created:
    return await create
