# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Connections of whole processes: serve on the standard streams, or start a peer and talk to its.

The law of a started process: it ends with its connection, in order (``child``). When it dies by itself, every open call
fails at once, and the error says how it died. The law of one that serves: it ends when the peer leaves, or by a signal,
in order too (``signals``).
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import sys
from collections.abc import AsyncGenerator, Mapping
from typing import IO, Any, TypedDict, TypeVar, Unpack

from .child import StderrHook, start_child
from .connection import Connection, Options
from .options import check_options
from .peer import Peer
from .signals import end_children, end_soon, signalled
from .streams import stdio
from .tasks import start

__all__ = ["SpawnOptions", "environment", "serve_stdio", "spawn"]

logger = logging.getLogger(__name__)

ConnectionT = TypeVar("ConnectionT", bound=Connection)

_WINDOWS = os.name == "nt"
_INHERITED = (
    ("HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER")
    if not _WINDOWS
    else (
        *("APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE"),
        *(
            "PROGRAMDATA",
            "PROGRAMFILES",
            "SYSTEMDRIVE",
            "SYSTEMROOT",
            "TEMP",
            "TMP",
            "USERNAME",
            "USERPROFILE",
            "WINDIR",
        ),
    )
)
"""What a process needs to find its way, and no secret is kept in."""


class SpawnOptions(Options, TypedDict, total=False):
    """What can be set on a process that is started, and on the connection to it."""

    cwd: str | os.PathLike[str] | None
    """Its working directory. Default: ours."""
    env: Mapping[str, str] | None
    """Variables that it gets besides those that it inherits."""
    inherit_env: bool
    """Whether it inherits all of our environment, keys and tokens among it. Default: no, but for what it needs to find its
    way: HOME, LOGNAME, PATH, SHELL, TERM and USER, or what stands for them on Windows."""
    stderr: int | IO[Any] | StderrHook | None
    """Its stderr: passed through (None, the default), a file or a constant of subprocess, or called with each piece."""
    start_new_session: bool
    """Whether it gets a session of its own (POSIX). Default: yes.

    Then a key of our terminal, ^C above all, is ours alone, and does not end the peer before we close its stdin; and
    the processes that it started end with it. Say no to what must have the terminal to itself, to ask for a password.
    """
    grace: float
    """Seconds it has to end after its stdin was closed, and again after it was terminated. Default: 3."""


async def serve_stdio(kind: type[Connection], handler: Peer, **options: Unpack[Options]) -> None:
    """Serve on stdin and stdout until the peer leaves.

    SIGTERM, SIGINT and SIGHUP close the connection: handlers are cancelled, and SystemExit is raised when they are done, with
    128 and the number of the signal.
    """
    if sys.stdin is not None and sys.stdin.isatty():  # pyright: ignore[reportUnnecessaryComparison]
        logger.warning("waiting for messages on standard input: a client starts this program, people do not type to it")
    async with stdio() as (source, sink):
        connection = kind(handler, source, sink, **options)
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
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    inherit_env: bool = False,
    stderr: int | IO[Any] | StderrHook | None = None,
    start_new_session: bool = True,
    grace: float = 3.0,
    **options: Unpack[Options],
) -> AsyncGenerator[ConnectionT, None]:
    """Start a process and connect to its standard streams; it ends when the block does."""
    check_options({**options, "grace": grace}, SpawnOptions.__annotations__)
    if not isinstance(handler, Peer) and not callable(handler):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{type(handler).__name__} is not a Peer: the client comes first, then the command")
    if not command:
        raise TypeError("there is no command: spawn_agent(client, program, *arguments)")
    process = await start_child(command, cwd, environment(env or {}, inherit_env), stderr, start_new_session)
    try:
        connection = kind(handler, process, process.stdin, **options)
        connection.process = process
        async with connection:
            yield connection
    finally:
        await process.end(grace)


def environment(given: Mapping[str, str], whole: bool) -> dict[str, str]:
    """What a process that is started inherits: what is given, and of ours all or what it needs to find its way."""
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
