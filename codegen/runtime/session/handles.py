"""Handles for resources of the peer, and entries of a session's state that this side creates.

This side creates, updates and ends an ``Entry``. The peer creates a ``Handle`` when a block is entered, and releases
it when the block is left. Resources are always released, even if the block is cancelled before the peer has answered.
After an exception or cancellation, the block kills the resource first, unless its end was awaited, and does not wait
for an unresponsive peer.
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

Created = TypeVar("Created")
Subject = TypeVar("Subject", bound=Struct)
logger = logging.getLogger(__name__)
_PATIENCE = 1.0
"""Seconds that a block left by an exception waits for responses of the peer."""


class Entry:
    """An entry of a session. ``async with`` sends the update that creates it; leaving the block sends its end, unless
    an update already did.

    The entry fails if the block is left by an exception, including a cancelled turn.
    """

    _stage: ClassVar[str] = ""
    _done: ClassVar[str] = ""
    _failed: ClassVar[str] = ""

    def __init__(self, send: Callable[[Any], Awaitable[None]], first: Any, key: Any) -> None:
        self._send = send
        self._first = first
        self.key = key
        """The key of the entry."""
        self.ended = False
        """True if an update has reported that the entry is done or has failed."""

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
        """A record of another class about the entry, with the shared attributes except the stage."""
        first, names = self._first, [field.name for field in fields(kind) if field.name != self._stage]
        return kind(**{name: getattr(first, name) for name in names if getattr(first, name, UNSET) is not UNSET})

    async def _tell(self, patch: Any) -> None:
        self.ended = self.ended or getattr(patch, self._stage, None) in (self._done, self._failed)
        await self._send(patch)

    def _patch(self, **changes: Any) -> Any:
        """The update that patches the entry."""
        raise NotImplementedError


class Handle(Generic[Created]):
    """A resource of the peer. ``async with`` creates it; leaving the block releases it."""

    _session: ClassVar[str] = ""
    _key: ClassVar[str] = ""
    _calls: ClassVar[tuple[str, str]] = ("", "")
    """The calls that release and kill the resource."""

    def __init__(self, connection: Connection, session: Any, create: Callable[[], Awaitable[Created]]) -> None:
        self._connection = connection
        self._of = session
        self._create = create
        self._response: Created | None = None
        self._entered = False
        self.ended = False
        """True if its end was awaited."""
        self.released = False
        """True if it was released or is being released."""
        self._left = Once()
        """Set when the release was answered, or nothing had to be released."""
        self._unhold: Callable[[], None] = lambda: None

    @property
    def response(self) -> Created:
        """The peer's response to its creation. Raises RuntimeError before."""
        if self._response is None:
            raise RuntimeError("not created yet: enter it with `async with`")
        return self._response

    async def __aenter__(self) -> Self:
        if self._entered:
            raise RuntimeError("cannot be entered twice: create a new one for each block")
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
        """Release the resource because its session is being closed."""
        if self._response is not None and not self.released:
            await self._leave(kill=not self.ended)
        await self._left.wait()

    def _has_left(self) -> None:
        self._left.set()
        self._unhold()

    async def _undo(self, creating: asyncio.Task[Created]) -> None:
        """Release a resource whose creation was abandoned."""
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
        """Kill and release the resource concurrently. Errors are logged."""
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
