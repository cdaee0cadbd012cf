# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Connections for programs without an event loop: a thread runs one, and calls wait for it.

The law: a call blocks the thread that makes it, and no other. Interrupted, by ^C above all, it ends what it has asked for before
it raises. The loop ends with its block, whatever still runs on it; nothing waits for a thread that does not end.
"""
# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import functools
from collections.abc import Callable, Coroutine, Generator
from concurrent.futures import CancelledError, Future
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, cast, overload

from ._base import Method
from .connection import Connection
from .errors import ConnectionClosed
from .loopthread import PATIENCE, LoopThread, wait_for
from .payloads import session_attribute
from .stream import Stream

__all__ = ["Blocking", "BlockingStream", "Call", "Streaming", "view"]

P = ParamSpec("P")
R = TypeVar("R")
Update = TypeVar("Update")
Answer = TypeVar("Answer")
BlockingT = TypeVar("BlockingT", bound="Blocking")


class Blocking:
    """A connection whose calls block. `opener` gives the context of the connection that they go to; it is opened by `with`.

    ^C in a call ends it: a request that a session handles one at a time is interrupted as the protocol has it, any other is cancelled.
    """

    def __init__(self, opener: Callable[[], AbstractAsyncContextManager[Connection]]) -> None:
        self._thread = LoopThread(opener)
        self._connection: Connection | None = None

    @property
    def connection(self) -> Connection:
        """The connection itself, for what runs on its event loop. RuntimeError outside of the block."""
        if self._connection is None:
            raise RuntimeError("the connection does not run: enter it with `with`")
        return self._connection

    def __enter__(self) -> Self:
        self._connection = self._thread.open()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._thread.close()

    def close(self) -> None:
        """Close the connection: open calls, those of other threads too, raise ConnectionClosed."""
        if self._connection is not None:
            with contextlib.suppress(ConnectionClosed):
                self._thread.run(self._connection.close)

    def __getattr__(self, name: str) -> Any:
        """What the connection knows without asking its peer: `capabilities`, `offers`, `process` and the like."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.connection, name)

    def _stop(self, row: Method, session: Any, result: Future[Any]) -> None:
        """Interrupt a request as the protocol has it, and wait until it has ended, but not for long."""
        connection = self.connection
        with contextlib.suppress(ConnectionClosed, TimeoutError, CancelledError):
            if self._thread.run(functools.partial(_told, connection, row, session)):
                wait_for(result, PATIENCE)


async def _told(connection: Connection, row: Method, session: Any) -> bool:
    return await connection._interrupted(row, session)


def view(kind: type[BlockingT], connection: Connection) -> BlockingT | None:
    """The blocking form of a connection that is being made on a thread of ours; None elsewhere."""
    thread = LoopThread.current()
    if thread is None:
        return None
    found = kind.__new__(kind)
    found._thread, found._connection = thread, connection
    return found


class Call(Generic[P, R]):
    """A call of the connection, in its blocking form."""

    def __init__(self, call: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> None:
        self._call = call
        self.__doc__ = call.__doc__

    @overload
    def __get__(self, facade: None, owner: type[Blocking]) -> Self: ...
    @overload
    def __get__(self, facade: Blocking, owner: type[Blocking]) -> Callable[P, R]: ...
    def __get__(self, facade: Blocking | None, owner: type[Blocking]) -> Self | Callable[P, R]:
        if facade is None:
            return self
        name = self._call.__name__

        def blocking(*args: P.args, **kwargs: P.kwargs) -> R:
            connection = facade.connection
            row = _interruptible(connection, name)
            session = None if row is None else _session(row, connection, kwargs)
            made: Callable[[], Coroutine[Any, Any, R]] = functools.partial(getattr(connection, name), *args, **kwargs)
            stop = None if row is None else functools.partial(facade._stop, row, session)
            return facade._thread.run(made, stop)

        return functools.update_wrapper(blocking, self._call)


def _interruptible(connection: Connection, name: str) -> Method | None:
    """The row of a request that the protocol has a word to end."""
    interrupt = connection._protocol.interrupt
    rows = connection._protocol.methods.values()
    return next(
        (row for row in rows if row.python_name == name and interrupt and row.method in interrupt.requests), None
    )


def _session(row: Method, connection: Connection, given: dict[str, Any]) -> Any:
    return given.get(session_attribute(row.params, connection._protocol.ordering) or "")


class BlockingStream(Generic[Update, Answer]):
    """The updates of one request: ``for update in stream``, then ``response``. Who leaves the loop ends the request.

    ``with stream`` waits for the request to end. ^C ends it, too.
    """

    def __init__(self, thread: LoopThread, stream: Stream[Update, Answer]) -> None:
        self._thread = thread
        self._stream = stream

    @property
    def response(self) -> Answer:
        """The answer. RuntimeError while there is none."""
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
        """End the request, if it goes on, and wait for its answer."""
        self._thread.run(self._stream.aclose)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with contextlib.suppress(ConnectionClosed):
            self.close()


class Streaming(Generic[P, Update, Answer]):
    """A request with its updates, in its blocking form."""

    def __init__(self, call: Callable[Concatenate[Any, P], Stream[Update, Answer]]) -> None:
        self._call = call
        self.__doc__ = call.__doc__

    @overload
    def __get__(self, facade: None, owner: type[Blocking]) -> Self: ...
    @overload
    def __get__(self, facade: Blocking, owner: type[Blocking]) -> Callable[P, BlockingStream[Update, Answer]]: ...
    def __get__(
        self, facade: Blocking | None, owner: type[Blocking]
    ) -> Self | Callable[P, BlockingStream[Update, Answer]]:
        if facade is None:
            return self
        name = self._call.__name__

        def blocking(*args: P.args, **kwargs: P.kwargs) -> BlockingStream[Update, Answer]:
            stream = cast("Stream[Update, Answer]", getattr(facade.connection, name)(*args, **kwargs))
            return BlockingStream(facade._thread, stream)

        return functools.update_wrapper(blocking, self._call)
