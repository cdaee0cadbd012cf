# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The standard streams as the transport of one connection.

While an agent uses the standard streams, only its transport has the real ones. File descriptor 1 is redirected to
stderr, so that stray output of this program, a C library or a child process never gets into a frame. Descriptor 0 is
redirected to the null device, so that no other code reads a frame. Both are restored at the end.

asyncio handles pipes and sockets. For other streams (a file, a terminal, any stream on Windows) a thread makes the
blocking calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import select
import socket
import stat
import sys
import threading
import typing
from collections.abc import AsyncGenerator, Callable, Generator
from typing import Any

from ..tasks import settle
from .base import Input, Output

_BUFFER = 1 << 18
_PIPE = 1 << 16
_POSIX = os.name == "posix"
HAS_UNIX = hasattr(asyncio, "open_unix_connection")
NO_UNIX = "this system's Python has no Unix sockets: use tcp://127.0.0.1:PORT"
_HANG_UP: int = getattr(select, "POLLRDHUP", 0)


@contextlib.asynccontextmanager
async def stdio() -> AsyncGenerator[tuple[Input, Output], None]:
    """The standard streams of this process, reserved for one connection."""
    with _guarded() as (source, sink), contextlib.ExitStack() as open_files:
        yield await _input(source, open_files), await _output(sink, open_files)


@contextlib.contextmanager
def _guarded() -> Generator[tuple[int, int], None, None]:
    """Private copies of descriptors 0 and 1. Meanwhile, the originals refer to the null device and to stderr."""
    _flush()
    source, sink = os.dup(0), os.dup(1)
    blocking = [(descriptor, os.get_blocking(descriptor)) for descriptor in (source, sink)] if _POSIX else []
    nowhere = os.open(os.devnull, os.O_RDWR)
    try:
        os.dup2(nowhere, 0)
        os.dup2(_stderr() or nowhere, 1)
        with contextlib.redirect_stdout(sys.stderr):
            yield source, sink
    finally:
        _flush()
        # asyncio made the pipes non-blocking, for everyone who shares them.
        for descriptor, was in blocking:
            os.set_blocking(descriptor, was)
        os.dup2(source, 0)
        os.dup2(sink, 1)
        for descriptor in (source, sink, nowhere):
            os.close(descriptor)


def _flush() -> None:
    """Flush buffered output to its original destination."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        sys.stdout.flush()


def _stderr() -> int | None:
    try:
        os.fstat(2)
    except OSError:
        return None
    return 2


def _is_pipe(descriptor: int) -> bool:
    mode = os.fstat(descriptor).st_mode
    return _POSIX and (stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode))


async def _input(descriptor: int, open_files: contextlib.ExitStack) -> Input:
    if not _is_pipe(descriptor):
        source = _ThreadInput(descriptor)
        open_files.callback(source.close)
        return source
    reader = asyncio.StreamReader(_BUFFER)
    pipe = os.fdopen(os.dup(descriptor), "rb", buffering=0)
    transport, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(reader), pipe
    )
    open_files.callback(transport.close)
    read_little(transport)
    return _PipeInput(reader, descriptor)


def read_little(transport: asyncio.BaseTransport | None) -> None:
    """Make asyncio read at most one pipe buffer at a time. Allocating its default of 256 KiB for each read triples the
    cost of a small frame.
    """
    with contextlib.suppress(AttributeError):  # other loops read in other ways
        transport.max_size = _PIPE  # type: ignore[union-attr]  # pyright: ignore[reportOptionalMemberAccess, reportAttributeAccessIssue]


class _PipeInput:
    """A pipe or socket, read by asyncio."""

    def __init__(self, reader: asyncio.StreamReader, descriptor: int) -> None:
        self.read = reader.read
        self._poll = select.poll()
        # Hang-ups and errors are always reported, and are all that is asked for: data may wait.
        self._poll.register(descriptor, _HANG_UP)

    def hung_up(self) -> bool:
        return bool(self._poll.poll(0))


async def _output(descriptor: int, open_files: contextlib.ExitStack) -> Output:
    if not _is_pipe(descriptor):
        return _ThreadOutput(descriptor)
    loop = asyncio.get_running_loop()
    # Nothing is read here: the reader and its protocol carry the flow control of the writer.
    reader = asyncio.StreamReader()
    transport: asyncio.WriteTransport
    protocol: asyncio.StreamReaderProtocol
    if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
        # What a pipe takes for the end of its reader, input, may well come on a socket: it can be stdin as well.
        written = socket.socket(fileno=os.dup(descriptor))
        transport, protocol = await loop.create_connection(lambda: _Deaf(reader), sock=written)
    else:
        pipe = os.fdopen(os.dup(descriptor), "wb", buffering=0)
        transport, protocol = await loop.connect_write_pipe(lambda: asyncio.StreamReaderProtocol(reader), pipe)
    open_files.callback(_drop, transport)
    return asyncio.StreamWriter(transport, protocol, None, loop)


class _Deaf(asyncio.StreamReaderProtocol):
    """The protocol of a socket that is written here and read elsewhere."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        typing.cast("asyncio.ReadTransport", transport).pause_reading()


def _drop(transport: asyncio.WriteTransport) -> None:
    if not transport.is_closing():
        transport.abort()


class _Worker:
    """A daemon thread that makes blocking calls on a descriptor in order. Threads of asyncio would keep a program
    alive.

    The thread has a copy of the descriptor and closes the copy itself, because on Windows, closing a descriptor waits
    for a thread that reads it.
    """

    def __init__(self, descriptor: int) -> None:
        self.descriptor = os.dup(descriptor)
        self._calls: queue.SimpleQueue[tuple[asyncio.Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        threading.Thread(target=self._work, daemon=True).start()

    def submit(self, call: Callable[[], Any]) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._calls.put((future, call))
        return future

    def stop(self) -> None:
        """End the thread after the queued calls."""
        self._calls.put(None)

    def _work(self) -> None:
        while given := self._calls.get():
            settle(*given)
        os.close(self.descriptor)


class _ThreadInput:
    """An input read by a thread."""

    def __init__(self, descriptor: int) -> None:
        self._worker = _Worker(descriptor)

    async def read(self, n: int, /) -> bytes:
        data: bytes = await self._worker.submit(lambda: os.read(self._worker.descriptor, n))
        return data

    def close(self) -> None:
        self._worker.stop()


class _ThreadOutput:
    """An output written by a thread."""

    def __init__(self, descriptor: int) -> None:
        self._worker = _Worker(descriptor)
        self._backlog = 0
        self._last: asyncio.Future[Any] | None = None
        self._error: BaseException | None = None

    def write(self, data: bytes, /) -> None:
        self._backlog += len(data)
        self._last = self._worker.submit(lambda: self._write_all(data))
        self._last.add_done_callback(lambda written: self._written(len(data), written))

    async def drain(self) -> None:
        while self._error is None and self._last is not None and self._backlog > _BUFFER:
            await asyncio.wait([self._last])
        if self._error is not None:
            raise self._error

    def close(self) -> None:
        self._worker.stop()

    async def wait_closed(self) -> None:
        if self._last is not None:
            await asyncio.wait([self._last])

    def _write_all(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._worker.descriptor, rest) :]

    def _written(self, size: int, written: asyncio.Future[Any]) -> None:
        self._backlog -= size
        self._error = self._error or (None if written.cancelled() else written.exception())
