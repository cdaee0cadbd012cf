"""The updates of one request as an asynchronous iterator, until the response.

The handler of a notification runs first; then the update joins the stream. The response follows all updates that were
sent before it. A slow consumer delays its session and eventually pauses reading. A full stream accepts updates while
this side waits for a response of the peer, because that response may be held behind them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from functools import partial
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from msgspec import Struct

from ..errors import ConnectionClosed
from ..schema.definitions import Method
from ..tasks import background, start

Update = TypeVar("Update")
Answer = TypeVar("Answer")

_ROOM = 64
"""Number of updates that a stream buffers before it delays its session."""
_LOOK = 0.02
"""Seconds between checks of a full stream for pending calls of this side."""


class Stream(Generic[Update, Answer]):
    """The updates of one request: ``async for update in stream``. The first iteration sends the request.

    ``response`` is then the response. Iteration raises the errors of the call. Leaving the loop early interrupts the
    request as the protocol defines it. ``async with stream`` waits for the request to end; otherwise it ends in the
    background.
    """

    def __init__(self, source: Source) -> None:
        self._held = _Held(source)

    @property
    def response(self) -> Answer:
        """The response. Raises RuntimeError until it has arrived."""
        answer: Answer = self._held.answer()
        return answer

    def __aiter__(self) -> AsyncIterator[Update]:
        return _Loop(self._held)

    async def __anext__(self) -> Update:
        update: Update = await self._held.next()
        return update

    async def aclose(self) -> None:
        """End the request if it is pending, and wait for its response."""
        await self._held.close()

    def abandon(self) -> None:
        """End the request if it is pending, without waiting. May be called from any thread."""
        self._held.abandon()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __del__(self) -> None:
        # What the tasks hold is not the stream itself.
        self._held.abandon()


class _Loop(Generic[Update]):
    """The iterator of one loop. Only the loop refers to it, so it is dropped when the loop is left."""

    def __init__(self, held: _Held) -> None:
        self._held = held
        held.loops += 1

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Update:
        update: Update = await self._held.next()
        return update

    def __del__(self) -> None:
        self._held.loops -= 1
        self._held.abandon()


class Source(Struct, frozen=True):
    """The functions of a connection that a stream uses."""

    ask: Callable[[], Coroutine[Any, Any, Any]]
    """Sends the request and returns its response."""
    listen: Callable[[Callable[[Any], Awaitable[None]]], Callable[[], None]]
    """Calls a function with each update of the session, after the handler. The returned function removes it."""
    end: Callable[[], Awaitable[bool]]
    """Asks the peer immediately to end the request; False if the protocol has no means."""
    leave: Callable[[Callable[[], None]], None]
    """Calls a function before the next request is sent."""
    busy: Callable[[], bool]
    """Returns whether this side waits for other responses of the peer."""


def stream_of(connection: Any, method: Method, params: Any, note: Method, part: str) -> Stream[Any, Any]:
    """A typed call whose updates are iterated. `part` is the attribute of a notification with the update."""
    return Stream(source_of(connection, method, params, note, part, partial(connection._request, method, params)))


def source_of(
    connection: Any, method: Method, params: Any, note: Method, part: str, ask: Callable[[], Coroutine[Any, Any, Any]]
) -> Source:
    """The connection functions for a stream. `ask` makes the call."""
    key = connection._session_of(params)
    return Source(
        ask=ask,
        listen=partial(connection._listen, note, key, part, awaits=True),
        end=partial(connection._interrupted, method, key),
        leave=connection._before_next,
        busy=connection._busy,
    )


class _Held:
    """The state behind a stream."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._waiting: deque[Any] = deque()
        self._call: asyncio.Task[Any] | None = None
        self._changed = asyncio.Event()
        self._room = asyncio.Event()
        self._deaf: Callable[[], None] | None = None
        self._closed = False
        self._asked = False
        self._left = False
        self.loops = 0
        """Number of loops that iterate over the updates."""

    def answer(self) -> Any:
        if self._call is None or not self._call.done() or self._call.cancelled():
            raise RuntimeError("the request has no response yet: iterate over all updates first")
        return self._call.result()

    async def next(self) -> Any:
        if self._call is None and self._closed:
            raise StopAsyncIteration
        call = self._call or self._begin(listening=True)
        while not self._waiting:
            if call.done():
                self._stop()
                if call.cancelled() or call.exception() is None:
                    raise StopAsyncIteration
                call.result()
            self._changed.clear()
            await self._changed.wait()
        update = self._waiting.popleft()
        self._room.set()
        return update

    def _begin(self, *, listening: bool) -> asyncio.Task[Any]:
        if listening:
            self._deaf = self._source.listen(self._hear)
        self._call = call = start(self._ask())
        call.add_done_callback(self._ended)
        return call

    async def whole(self) -> Any:
        """Return the response, and drop updates that no loop reads. Cancelling this call ends the request."""
        if self._call is None and self._closed:
            raise RuntimeError("the request was cancelled before it was sent, so it has no response")
        call = self._call or self._begin(listening=False)
        if not self.loops:
            self._stop()
            self._waiting.clear()
        try:
            await asyncio.wait({call})
        except asyncio.CancelledError:
            self._leave()
            raise
        return call.result()

    async def cancel(self) -> None:
        """Ask the peer to end the request. Its response and last updates follow. A request that was not sent is
        dropped.
        """
        if self._call is None:
            self._closed = True
        elif not self._call.done() and not await self._source.end():
            self._call.cancel()

    @property
    def used(self) -> bool:
        """Return whether the request was sent or cancelled, or a loop is about to send it."""
        return self._call is not None or self._closed or self.loops > 0

    async def _ask(self) -> Any:
        self._asked = True
        return await self._source.ask()

    def _ended(self, call: asyncio.Task[Any]) -> None:
        if not call.cancelled():
            call.exception()  # who left the loop does not want to know, and asyncio not to log it
        self._changed.set()

    async def _hear(self, update: Any) -> None:
        if self._deaf is None:
            return
        self._waiting.append(update)
        self._changed.set()
        while len(self._waiting) > _ROOM and self._deaf is not None and not self._source.busy():
            self._room.clear()
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._room.wait(), _LOOK)

    def _stop(self) -> None:
        if self._deaf is not None:
            self._deaf()
            self._deaf = None
        self._room.set()

    async def close(self) -> None:
        self._closed = True
        self._stop()
        self._waiting.clear()
        if self._call is None or self._call.done():
            return
        if self._left:
            await asyncio.wait({self._call})
            return
        await self._end(self._call, self._source.end)

    async def _end(self, call: asyncio.Task[Any], told: Callable[[], Awaitable[bool]]) -> None:
        try:
            if not await told():
                call.cancel()
            await asyncio.wait({call})
        except ConnectionClosed:
            await asyncio.wait({call})
        finally:
            call.cancel()

    def abandon(self) -> None:
        """Cancel the request when its stream is dropped. The garbage collector calls this at any time."""
        call = self._call
        if call is None or call.done() or call.get_loop().is_closed():
            return
        # What the session is asked for next must come after the word that ends this.
        self._source.leave(self._leave)
        call.get_loop().call_soon_threadsafe(self._leave)

    def _leave(self) -> None:
        call = self._call
        if call is None or call.done() or self._left or self._closed:
            return
        self._left = self._closed = True
        self._stop()
        self._waiting.clear()
        if not self._asked:
            call.cancel()
            return
        try:
            told = self._source.end()
        except ConnectionClosed:
            return
        background(self._end(call, lambda: told))
