# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Synchronous connections: a thread calls into an event loop that runs in another thread.

A call blocks only its own thread. If a call is interrupted, for instance by ^C, it cancels its request before it
raises. The loop ends with its block, even if tasks still run on it. The program does not wait for threads that do not
end.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, ClassVar, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from .codec.payloads import attribute_of
from .connection.connection import Connection
from .connection.update_stream import Stream
from .errors import ConnectionClosed
from .schema.definitions import Method

R = TypeVar("R")

PATIENCE = 2.0
"""Seconds that an interrupted call waits for its request to end."""
_TICK = 0.2 if os.name == "nt" else None
"""Seconds between checks of a waiting thread. On Windows no signal wakes it."""

P = ParamSpec("P")
Update = TypeVar("Update")
Answer = TypeVar("Answer")
BlockingT = TypeVar("BlockingT", bound="Blocking")


class LoopThread:
    """A thread with an event loop, on which one connection lives."""

    _running: ClassVar[dict[asyncio.AbstractEventLoop, LoopThread]] = {}

    def __init__(self, opener: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._opener = opener
        self._opened: Future[Connection] = Future()
        self._leave: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._ended = False
        self._leaving = False
        self._failure: BaseException | None = None
        self._main: asyncio.Task[None] | None = None
        self._thread = threading.Thread(target=self._work, name="connection", daemon=True)

    @classmethod
    def current(cls) -> LoopThread | None:
        """The LoopThread of the current thread; None on other threads."""
        try:
            return cls._running.get(asyncio.get_running_loop())
        except RuntimeError:
            return None

    def open(self) -> Connection:
        """Start the thread and open the connection. Raises the error if the connection cannot be opened."""
        try:
            self._thread.start()  # waits for the thread, so it may be interrupted, too
            return wait_for(self._opened)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Close the connection and end the loop. Raises the error if closing fails."""
        self._leaving = True
        self.soon(self._stop)
        while self._thread.is_alive():
            self._thread.join(_TICK)
        if self._failure is not None and self._opened.done() and self._opened.exception() is None:
            failure, self._failure = self._failure, None
            raise failure

    def _stop(self) -> None:
        if self._leave is not None:
            self._leave.set()
        if self._main is not None and not self._opened.done():
            self._main.cancel()

    def soon(self, call: Callable[[], object]) -> bool:
        """Schedule a call on the loop; False if the loop has ended."""
        with self._lock:
            if self._loop is None or self._ended:
                return False
            self._loop.call_soon_threadsafe(call)
            return True

    def run(self, make: Callable[[], Awaitable[R]], stop: Callable[[Future[Any]], None] | None = None) -> R:
        """Run a coroutine on the loop and return its result. If this thread is interrupted, `stop` ends the coroutine
        cleanly.
        """
        if threading.current_thread() is self._thread:
            raise RuntimeError(
                "a blocking call would deadlock here: in an `async def` handler, await a call of the connection instead"
            )
        result: Future[R] = Future()
        task: list[asyncio.Task[None]] = []

        async def work() -> None:
            try:
                result.set_result(await make())
            except asyncio.CancelledError:
                result.cancel()
                result.set_running_or_notify_cancel()
                raise
            except BaseException as error:  # noqa: BLE001  # it is raised where it is waited for
                result.set_exception(error)

        try:
            if not self.soon(lambda: task.append(asyncio.ensure_future(work()))):
                result.cancel()
            return wait_for(result)
        except CancelledError:
            raise ConnectionClosed("the connection was closed on this side") from None
        except BaseException:
            if not result.done():
                try:
                    if stop is not None:
                        stop(result)
                finally:
                    self.soon(lambda: [each.cancel() for each in task])
            raise

    # On the thread

    def _work(self) -> None:
        loop = asyncio.new_event_loop()
        self._running[loop] = self
        try:
            asyncio.set_event_loop(loop)
            with self._lock:
                self._loop = loop
            loop.run_until_complete(self._live())
        except BaseException as error:  # noqa: BLE001  # raised where the block is entered or left
            self._failure = error
            if not self._opened.done():
                self._opened.set_exception(error)
        finally:
            with self._lock:
                self._ended = True
            with contextlib.suppress(Exception):
                loop.run_until_complete(_end_tasks())
                loop.run_until_complete(loop.shutdown_asyncgens())
            del self._running[loop]
            loop.close()

    async def _live(self) -> None:
        self._leave = asyncio.Event()
        self._main = asyncio.current_task()
        if self._leaving:  # who wanted the connection was interrupted before there was a loop to tell
            raise asyncio.CancelledError
        async with self._opener() as connection:
            self._opened.set_result(connection)
            await self._leave.wait()


async def _end_tasks() -> None:
    await asyncio.sleep(0)  # what was asked for last begins, to be cancelled
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=PATIENCE)


def wait_for(result: Future[R], seconds: float | None = None) -> R:
    """Wait for the result of a future. Raises TimeoutError after the given seconds."""
    if seconds is not None or _TICK is None:
        return result.result(seconds)
    while True:
        with contextlib.suppress(TimeoutError):
            return result.result(_TICK)
        if result.done():
            return result.result()


class Blocking:
    """A connection with blocking calls. `opener` returns the context manager of the connection, which `with` opens.

    ^C ends a call: it interrupts a request that a session handles one at a time, and cancels any other.
    """

    def __init__(self, opener: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._thread = LoopThread(opener)
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The connection itself, for code on its event loop. Raises RuntimeError outside of the block."""
        if self._connection is None:
            raise RuntimeError("the connection is not open: enter it with `with`")
        return self._connection

    def __enter__(self) -> Self:
        self._connection = self._thread.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.close()

    def close(self) -> None:
        """Close the connection. Pending calls of all threads raise ConnectionClosed."""
        if self._connection is not None:
            with contextlib.suppress(ConnectionClosed):
                self._thread.run(self._connection.close)

    def __getattr__(self, name: str) -> Any:
        """Pass on attributes that need no event loop, such as `capabilities`, `offers` and `process`."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.connection, name)

    def _stop(self, row: Method, session: Any, result: Future[Any]) -> None:
        """Interrupt a request as the protocol defines it, and wait briefly for it to end."""
        connection = self.connection
        with contextlib.suppress(ConnectionClosed, TimeoutError, CancelledError):
            if self._thread.run(functools.partial(connection._interrupted, row, session)):
                wait_for(result, PATIENCE)


def view(kind: type[BlockingT], connection: Connection) -> BlockingT | None:
    """The blocking form of a connection that is being created on a LoopThread; None on any other thread."""
    thread = LoopThread.current()
    return None if thread is None else _on(thread, kind, connection)


def with_connection(kind: type[BlockingT], blocking: Blocking, connection: Connection) -> BlockingT:
    """Create the blocking form of a connection on the thread of another connection."""
    return _on(blocking._thread, kind, connection)


def _on(thread: LoopThread, kind: type[BlockingT], connection: Connection) -> BlockingT:
    found = kind.__new__(kind)
    found._thread, found._connection = thread, connection
    return found


class _Forwarded(Generic[P, R]):
    """The blocking form of a method of the connection."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.__doc__ = call.__doc__

    @overload
    def __get__(self, facade: None, owner: type[Blocking]) -> Self: ...
    @overload
    def __get__(self, facade: Blocking, owner: type[Blocking]) -> Callable[P, R]: ...
    def __get__(self, facade: Blocking | None, owner: type[Blocking]) -> Self | Callable[P, R]:
        if facade is None:
            return self

        def blocking(*args: P.args, **kwargs: P.kwargs) -> R:
            return self._run(
                facade, functools.partial(getattr(facade.connection, self._call.__name__), *args, **kwargs)
            )

        return functools.update_wrapper(blocking, self._call)

    def _run(self, facade: Blocking, call: functools.partial[Any]) -> R:
        raise NotImplementedError


class Call(_Forwarded[P, R]):
    """The blocking form of a call."""

    def __init__(self, call: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> None:
        super().__init__(call)

    def _run(self, facade: Blocking, call: functools.partial[Coroutine[Any, Any, R]]) -> R:
        connection = facade.connection
        row = _interruptible(connection, self._call.__name__)
        if row is None:
            return facade._thread.run(call)
        session = call.keywords.get(attribute_of(row.params, connection._protocol.ordering) or "")
        return facade._thread.run(call, functools.partial(facade._stop, row, session))


def _interruptible(connection: Connection, name: str) -> Method | None:
    """The method table's row of a request that the protocol can interrupt; None for other requests."""
    interrupt = connection._protocol.interrupt
    rows = connection._protocol.methods.values()
    return next(
        (row for row in rows if row.python_name == name and interrupt and row.method in interrupt.requests), None
    )


class BlockingStream(Generic[Update, Answer]):
    """The updates of one request: ``for update in stream``, then ``response``. A `break` ends the request.

    ``with stream`` waits for the request to end. ^C ends it, too.
    """

    def __init__(self, thread: LoopThread, stream: Stream[Update, Answer]) -> None:
        self._thread = thread
        self._stream = stream

    @property
    def response(self) -> Answer:
        """The response. Raises RuntimeError until it has arrived."""
        return self._stream.response

    def __iter__(self) -> Generator[Update, None, None]:
        try:
            while (found := self._next()) is not None:
                yield found[0]
        finally:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                self._stream.abandon()

    def __next__(self) -> Update:
        if (found := self._next()) is None:
            raise StopIteration
        return found[0]

    def _next(self) -> tuple[Update] | None:
        async def taken() -> tuple[Update] | None:
            try:
                return (await anext(stream),)
            except StopAsyncIteration:
                return None

        stream = self._stream
        return self._thread.run(taken, self._stop)

    def _stop(self, _: Future[Any]) -> None:
        ending: Future[None] = Future()

        async def end() -> None:
            try:
                await self._stream.aclose()
            finally:
                ending.set_result(None)

        held: list[asyncio.Task[None]] = []
        if self._thread.soon(lambda: held.append(asyncio.ensure_future(end()))):
            with contextlib.suppress(TimeoutError):
                wait_for(ending, PATIENCE)

    def close(self) -> None:
        """End the request if it is pending, and wait for its response."""
        self._thread.run(self._stream.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ConnectionClosed):
            self.close()


class Streaming(_Forwarded[P, BlockingStream[Update, Answer]], Generic[P, Update, Answer]):
    """The blocking form of a call that streams updates."""

    def __init__(self, call: Callable[Concatenate[Any, P], Stream[Update, Answer]]) -> None:
        super().__init__(call)

    def _run(self, facade: Blocking, call: functools.partial[Stream[Update, Answer]]) -> BlockingStream[Update, Answer]:
        return BlockingStream(facade._thread, call())
