"""Handles on what a peer holds, and entries of a session's state that this side creates.

An ``Entry`` is created, updated and ended by this side. A ``Handle`` is created by the peer when a block is entered, and
released when the block is left. Whatever was created is released, however the block is left and whenever it is cancelled, even before its creator has answered.
Who leaves by an exception or a cancellation has it killed first, unless its end was awaited, and does not wait for a peer that does not answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, ClassVar, Generic, Self, TypeVar

from msgspec import UNSET, Struct
from msgspec.structs import fields

from ..connection.connection import Connection
from ..errors import ConnectionClosed
from ..tasks import Once, background

__all__ = ["Entry", "Handle"]

Created = TypeVar("Created")
Subject = TypeVar("Subject", bound=Struct)
logger = logging.getLogger(__name__)
_PATIENCE = 1.0
"""Seconds that who leaves by an exception waits for the answers of the peer."""


class Entry:
    """``async with`` sends the update that creates the entry; leaving sends how it has ended, unless an update said so.

    Ended well, or failed where the block was left by an exception, a cancelled turn among them.
    """

    _stage: ClassVar[str] = ""
    _done: ClassVar[str] = ""
    _failed: ClassVar[str] = ""

    def __init__(self, send: Callable[[Any], Awaitable[None]], first: Any, key: Any) -> None:
        self._send = send
        self._first = first
        self.key = key
        """What names the entry."""
        self.ended = False
        """Whether an update has said that the entry is done, or has failed."""

    async def __aenter__(self) -> Self:
        await self._send(self._first)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.ended or not self._stage:
            return
        # What left the block says more than that nobody is there to be told.
        with contextlib.nullcontext() if kind is None else contextlib.suppress(ConnectionClosed):
            await self._tell(self._patch(**{self._stage: self._done if kind is None else self._failed}))

    def about(self, kind: type[Subject]) -> Subject:
        """Another record about the entry, with the attributes that both have but the stage."""
        first, names = self._first, [field.name for field in fields(kind) if field.name != self._stage]
        return kind(**{name: getattr(first, name) for name in names if getattr(first, name, UNSET) is not UNSET})

    async def _tell(self, patch: Any) -> None:
        self.ended = self.ended or getattr(patch, self._stage, None) in (self._done, self._failed)
        await self._send(patch)

    def _patch(self, **changes: Any) -> Any:
        """The update that patches the entry."""
        raise NotImplementedError


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
        self._left = Once()
        """Set when the peer has answered that, or there was nothing to release."""
        self._unhold: Callable[[], None] = lambda: None

    @property
    def response(self) -> Created:
        """What the peer answered when it was created. RuntimeError before."""
        if self._response is None:
            raise RuntimeError("it is not created yet: enter it with `async with`")
        return self._response

    async def __aenter__(self) -> Self:
        if self._entered:
            raise RuntimeError("it can be entered only once: create a new one for each block")
        self._entered = True
        self._unhold = self._connection.open_sessions.hold(self._of, self._let_go)
        creating = background(_outcome(self._create()))
        try:
            self._response = await asyncio.shield(creating)
        except asyncio.CancelledError:
            background(self._undo(creating))
            raise
        except BaseException:
            self._has_left()
            raise
        return self

    async def _let_go(self) -> None:
        """Release it, for its session is being closed."""
        if self._response is not None and not self.released:
            await self._leave(kill=not self.ended)
        await self._left.wait()

    def _has_left(self) -> None:
        self._left.set()
        self._unhold()

    async def _undo(self, creating: asyncio.Task[Created]) -> None:
        """Release what is still being created for somebody who is gone."""
        await asyncio.wait({creating})
        if not creating.cancelled() and creating.exception() is None:
            self._response = creating.result()
            await self._leave(kill=True)
        self._has_left()

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
        try:
            await self._call(self._calls[0])
        finally:
            self._has_left()

    async def _leave(self, *, kill: bool) -> None:
        """Kill and release it, without waiting for the one before the other; what fails is logged."""
        self.released = True
        calls = [self._call(self._calls[1])] if kill else []
        for outcome in await asyncio.gather(*calls, self._call(self._calls[0]), return_exceptions=True):
            if isinstance(outcome, BaseException) and not isinstance(outcome, ConnectionClosed):
                logger.warning("%s could not be released: %s", type(self).__name__, outcome)
        self._has_left()

    async def _call(self, name: str) -> Any:
        identity = {self._session: self._of, self._key: getattr(self.response, self._key)}
        return await getattr(self._connection, name)(**identity)


async def _outcome(create: Awaitable[Created]) -> Created:
    return await create
