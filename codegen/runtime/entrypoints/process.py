"""Processes: serve on the standard streams, spawn an agent, and handle signals.

A signal ends a serving program gracefully, including the ``finally`` blocks of its handlers, and its child processes.
The first SIGTERM, SIGINT or SIGHUP shuts the program down, the second kills it. If the program handles or ignores a
signal itself (as under `nohup`), this stays so.

A spawned process ends gracefully with its connection (``child``). If it dies by itself, every pending call fails
immediately, with an error that describes the process's end. A serving process ends when the peer disconnects or at a
signal.

``process_transport`` and ``stdio_transport`` are for programs that relay frames: to a command that they start, or on
their own standard streams.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator, Iterable, Mapping, Sequence
from types import FrameType
from typing import IO, Any, TypedDict, TypeVar, Unpack

from ..connection.connection import Connection, Options
from ..connection.handlers import Peer
from ..connection.options import check_options, part
from ..jsonrpc.parser import FRAME_LIMIT
from ..tasks import start
from ..transport.base import NdjsonTransport, Transport
from ..transport.child import StderrHook, start_child
from ..transport.limits import Limits
from ..transport.stdio import stdio

_ENDING = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGINT", "SIGHUP") if hasattr(signal, name))
_GRACE = 0.3
"""Seconds for child processes to end after SIGTERM."""
_PATIENCE = 2.0
"""Seconds for a program to end if a task ignores cancellation."""

logger = logging.getLogger(__name__)
ConnectionT = TypeVar("ConnectionT", bound=Connection)
_WINDOWS = os.name == "nt"
_INHERITED = (
    ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
    if not _WINDOWS
    else (
        *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *("PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERNAME", "USERPROFILE"),
        "WINDIR",
    )
)
"""The environment variables that a process needs to run. None of them contains a secret."""


@contextlib.contextmanager
def signalled(close: Callable[[], object]) -> Generator[list[int], None, None]:
    """Call ``close`` on the running event loop at the first signal. The list then contains the signal's number."""
    loop = asyncio.get_running_loop()
    came: list[int] = []
    usual: dict[int, Any] = {}

    def take_signal(number: int, _: FrameType | None) -> None:
        came.append(number)
        for each in usual:
            signal.signal(each, signal.SIG_DFL)
        loop.call_soon_threadsafe(close)

    try:
        for number in _ENDING:
            if _is_free(number):
                with contextlib.suppress(ValueError):  # not the main thread: signals are another's business
                    usual[number] = signal.signal(number, take_signal)
        yield came
    finally:
        if not came:
            for each, handler in usual.items():
                if signal.getsignal(each) is take_signal:  # the program may have set another since
                    signal.signal(each, handler)


def _is_free(number: int) -> bool:
    """Return whether only Python itself handles a signal. `asyncio.run` handles SIGINT with a partial of its own."""
    handler = signal.getsignal(number)
    return handler in (signal.SIG_DFL, signal.default_int_handler) or isinstance(handler, functools.partial)


def end_children() -> None:
    """End the remaining child processes: our whole process session if we lead it, otherwise our children."""
    if os.name != "posix":
        return
    if os.getsid(0) == os.getpid():
        usual = signal.signal(signal.SIGTERM, signal.SIG_IGN)
        os.killpg(0, signal.SIGTERM)
        signal.signal(signal.SIGTERM, usual)
    else:
        _send(signal.SIGTERM, _children())
    deadline = time.monotonic() + _GRACE
    while (left := list(_children())) and time.monotonic() < deadline:
        time.sleep(0.01)
    _send(signal.SIGKILL, left)


def _send(number: int, processes: Iterable[int]) -> None:
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def _children() -> Generator[int, None, None]:
    """Our running children in our process group (Linux only). A child with a group of its own is meant to live on."""
    with contextlib.suppress(OSError):
        for task in os.listdir("/proc/self/task"):
            for child in map(int, _read(f"/proc/self/task/{task}/children").split()):
                with contextlib.suppress(OSError):
                    runs = _read(f"/proc/{child}/stat").rpartition(")")[2].split()[0] != "Z"
                    if runs and os.getpgid(child) == os.getpgrp():
                        yield child


def _read(file: str) -> str:
    # Not by pathlib, which takes longer to import than half of this package.
    with open(file, encoding="utf-8", errors="replace") as text:
        return text.read()


def end_soon(code: int) -> None:
    """Ensure that the program ends even if a task ignores cancellation, for which asyncio would wait forever."""
    timer = threading.Timer(_PATIENCE, os._exit, (code,))
    timer.daemon = True
    timer.start()


def maker(kind: type[Connection], handler: Any, versions: Sequence[Any]) -> Callable[..., Any]:
    """A function that creates a server's connection from two streams, or from a transport, and options. `versions`:
    handlers of other protocol versions, one of which the client may select.
    """
    if not versions:
        return functools.partial(kind, handler)
    several = part("entrypoints.versions", "versions")
    return functools.partial(several.SelectingConnection, several.versions_of(kind, handler, versions))


class SpawnOptions(Options, TypedDict, total=False):
    """Options of a spawned process and of the connection to it."""

    cwd: str | os.PathLike[str] | None
    """The working directory. Default: the current one."""
    env: Mapping[str, str] | None
    """Environment variables in addition to the inherited ones."""
    inherit_env: bool
    """Inherit the whole environment, including keys and tokens. Default: False, which passes on HOME, LOGNAME, PATH,
    SHELL, TERM and USER, or their Windows counterparts.
    """
    stderr: int | IO[Any] | StderrHook | None
    """A file, a constant of subprocess, or a function called with each chunk. Default: None, which passes stderr
    through.
    """
    start_new_session: bool
    """Start the process in its own session (POSIX). Default: True.

    ^C in the terminal then does not reach the process, and its child processes end with it. Use False for a program
    that needs the terminal, for example to ask for a password.
    """
    grace: float
    """Seconds to exit after stdin was closed, and again after SIGTERM. Default: 3."""


async def serve_stdio(
    kind: type[Connection], handler: Peer, versions: Sequence[Any] = (), **options: Unpack[Options]
) -> None:
    """Serve on stdin and stdout until the peer disconnects. `versions`: handlers of other versions of the protocol.

    SIGTERM, SIGINT and SIGHUP close the connection: handlers are cancelled, and then SystemExit is raised, with 128
    plus the number of the signal.
    """
    if sys.stdin is not None and sys.stdin.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        logger.warning("waiting for a client on standard input. Usually a client starts this program")
    async with stdio() as (source, sink):
        connection = maker(kind, handler, versions)(source, sink, **options)
        closing: list[asyncio.Task[None]] = []
        with signalled(lambda: closing.append(start(connection.close()))) as came:
            await connection.serve()
    if came:
        code = 128 + came[0]
        end_children()
        if connection.unending:
            end_soon(code)
        raise SystemExit(code)


@contextlib.asynccontextmanager
async def spawn(
    kind: type[ConnectionT],
    handler: Peer,
    *command: str,
    versions: Sequence[Any] = (),
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    inherit_env: bool = False,
    stderr: int | IO[Any] | StderrHook | None = None,
    start_new_session: bool = True,
    grace: float = 3.0,
    **options: Unpack[Options],
) -> AsyncGenerator[ConnectionT, None]:
    """Start a process and connect to its standard streams; it ends when the block does.

    With handlers of other protocol `versions`, the connection uses the version that the process selects.
    """
    check_options({**options, "grace": grace}, SpawnOptions.__annotations__)
    if not isinstance(handler, Peer) and not callable(handler):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{type(handler).__name__} is not a Peer: the client comes first, then the command")
    if not command:
        raise TypeError("the command is missing: spawn_agent(client, program, *arguments)")
    process = await start_child(command, cwd, environment(env or {}, inherit_env), stderr, start_new_session)
    try:
        if versions:
            several = part("entrypoints.versions", "versions")
            limits = options.get("limits", Limits())
            transport = NdjsonTransport(process, process.stdin, limits.frame)
            opened: Any = several.negotiated(several.versions_of(kind, handler, versions), transport, options, process)
        else:
            opened = kind(handler, process, process.stdin, **options)
            opened.process = process
        async with opened as connection:
            yield connection
    finally:
        await process.end(grace)


def environment(given: Mapping[str, str], whole: bool) -> dict[str, str]:
    """The environment of a spawned process: the given variables, and all inherited variables or only the necessary
    ones.
    """
    ours = os.environ
    # A shell may have put functions of its own among them.
    inherited = (
        ours if whole else {name: ours[name] for name in _INHERITED if not ours.get(name, "()").startswith("()")}
    )
    if not _WINDOWS:
        return {**inherited, **given}
    # There, `Path` and `PATH` are one variable, and a process that gets both sees either.
    upper = {name.upper(): value for name, value in given.items()}
    return {**{name.upper(): value for name, value in inherited.items()}, **upper}


@contextlib.asynccontextmanager
async def process_transport(
    *command: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    inherit_env: bool = False,
    stderr: int | IO[Any] | StderrHook | None = None,
    grace: float = 3.0,
    frame_limit: int = FRAME_LIMIT,
    started: Callable[[int], object] | None = None,
) -> AsyncGenerator[Transport, None]:
    """Start a command and open a transport to it; the block ends it. Raises OSError if it cannot be started.

    `started` is called with the process id, which on POSIX is also the id of its process group.
    """
    child = await start_child(command, cwd, environment(env or {}, inherit_env), stderr, True)
    try:
        if started is not None:
            started(child.pid)
        yield NdjsonTransport(child, child.stdin, frame_limit)
    finally:
        await child.end(grace)


@contextlib.asynccontextmanager
async def stdio_transport(frame_limit: int = FRAME_LIMIT) -> AsyncGenerator[Transport, None]:
    """A transport on the standard streams of this process. Nothing else may read or write them meanwhile."""
    async with stdio() as (source, sink):
        yield NdjsonTransport(source, sink, frame_limit)
