"""The supervisor: opens a connection, and reopens it with growing delays when it is lost.

    the first connection cannot be opened          the supervisor ends with that error
    a connection is lost or cannot be reopened     the next attempt follows after a delay, which doubles each time
    more than ``attempts`` losses in a row         the supervisor ends. An answered call, or a connection that outlived
                                                   every delay, resets the count
    the versions differ                            the supervisor ends

One task opens, prepares and closes all connections.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AsyncExitStack
from typing import Any, Generic, TypeVar

from ..connection.connection import Connection
from ..connection.ordering import current_turn
from ..errors import ConnectionClosed, VersionError
from ..tasks import start
from .backoff import Backoff

logger = logging.getLogger(__name__)
News = TypeVar("News")
Opener = Callable[[], AbstractAsyncContextManager[Connection]]


class Supervisor(Generic[News]):
    """Keeps a connection open. `prepare` prepares a new connection, `begin` makes it the current one, and `end` is
    called when the supervisor gives up.
    """

    def __init__(
        self,
        peer_side: str,
        opener: Opener,
        prepare: Callable[[Connection, Connection | None], Awaitable[News]],
        begin: Callable[[Connection, News], None],
        end: Callable[[ConnectionClosed], None],
        *,
        attempts: int,
        delay: float,
        longest_delay: float,
        patience: float,
    ) -> None:
        self._backoff = Backoff(attempts, delay, longest_delay)
        if patience <= 0:
            raise ValueError("expected patience > 0 seconds")
        self._peer_side = peer_side
        self._opener = opener
        self._prepare = prepare
        self._begin = begin
        self._end = end
        self._patience = patience
        self.current: Connection | None = None
        """The current or latest connection."""
        self.answered = False
        """True if the current connection has answered a call."""
        self.over: Exception | None = None
        """The reason why no further connection is opened."""
        self.closing = False
        """True if the program closed it."""
        self._changed = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._attending: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Start a task that opens the first connection."""
        context = contextvars.copy_context()
        context.run(current_turn.set, None)
        self._task = start(self._run(), context)

    def attend(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work beside the connections. It is cancelled when they end."""
        task = start(work)
        self._attending.add(task)
        task.add_done_callback(self._attending.discard)

    async def living(self) -> Connection:
        """Wait for a connection. Raises the reason if there will be none."""
        while True:
            if self.over is not None:
                raise self.over.again() if isinstance(self.over, ConnectionClosed) else self.over
            current = self.current
            if current is not None and current.closed is None:
                return current
            self._changed.clear()
            await self._changed.wait()

    async def close(self, *, inside: bool) -> None:
        """Close permanently; may be called twice. `inside`: the caller is a handler of the current connection and is
        not awaited.
        """
        self.closing = True
        self._conclude()
        self._changed.set()
        if self.current is not None and inside:
            await self.current.close()  # lets this handler run on
        if self._task is not None:
            self._task.cancel()
            if not inside:
                await asyncio.wait({self._task, *self._attending} - {asyncio.current_task()})

    async def wait_closed(self) -> None:
        """Wait until it has ended permanently."""
        if self._task is not None:
            await asyncio.wait({self._task})

    @property
    def finished(self) -> bool:
        """True if it has ended permanently."""
        return self._task is not None and self._task.done()

    def _conclude(self) -> None:
        if self.over is None:
            self.over = ConnectionClosed("the connection was closed on this side")

    async def _run(self) -> None:
        clock = asyncio.get_running_loop().time
        try:
            while self.over is None:
                began, self.answered = clock(), False
                reason = await self._live()
                if self.current is None or isinstance(reason, VersionError):
                    self.over = reason
                    return
                pause = self._backoff.lost(answered=self.answered, lived=clock() - began)
                if pause is None:
                    self.over = ConnectionClosed(
                        f"the {self._peer_side} was lost {self._backoff.failed} times in a row and will not be "
                        f"restarted: {reason}"
                    )
                    return
                logger.info("%s lost (%s): opening it again", self._peer_side, reason)
                await asyncio.sleep(pause)
        finally:
            self._conclude()
            for task in self._attending:
                task.cancel()
            self._changed.set()
            self._end(ConnectionClosed(str(self.over)))

    async def _live(self) -> Exception:
        """Open a connection and run it; returns the reason of its end."""
        before = self.current
        try:
            async with AsyncExitStack() as stack:
                async with asyncio.timeout(self._patience):
                    connection = await stack.enter_async_context(self._opener())
                    news = await self._prepare(connection, before)
                self.current = connection
                self._begin(connection, news)
                self._changed.set()
                await connection.wait_closed()
                return connection.closed or ConnectionClosed("the connection is closed")
        except TimeoutError as error:
            return TimeoutError(str(error) or f"the {self._peer_side} was not ready within {self._patience:g} seconds")
        except Exception as error:  # noqa: BLE001  # whatever opening it raises is a failed attempt
            return error
