"""Where clients come from: the standard streams, one client, or a socket that many share.

On a socket every client has an agent of its own, and all of them one host: sessions that several clients watch, news
for each of them. To a Unix socket only the user who runs the agent can connect. At an address (`http://127.0.0.1:8080`,
`tcp://...`) whoever can reach it is that user: keep it on the loopback interface, behind a balancer that lets in whom it knows.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import stat
import sys
from collections.abc import Callable
from typing import Final

from .. import acp
from .agent import SessionAgent

if os.name == "posix":
    import fcntl

__all__ = ["hold_streams", "is_address", "serve_address", "serve_socket", "serve_stdio"]

LINGER: Final = 0.2
"""Seconds that handlers have to finish when the client is gone. The end takes no more than three of these."""
DRAIN: Final = 5.0
"""Seconds that turns have to end when a signal comes."""


async def serve_stdio(agent: SessionAgent) -> None:
    """Serve one client on stdin and stdout until it closes them."""
    await acp.run_agent(agent, linger=LINGER)


async def serve_socket(path: str, new_agent: Callable[[], SessionAgent], ready: Callable[[], None]) -> None:
    """Serve clients on a Unix socket until cancelled. OSError where something else is there, or listens already."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        agent = new_agent()
        try:
            await acp.AgentSideConnection(agent, reader, writer, linger=LINGER).serve()
        finally:
            await agent.disconnected()

    tasks: set[asyncio.Task[None]] = set()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    listener = _listening(path)
    ours = os.lstat(path)
    server = await asyncio.start_unix_server(accept, sock=listener)
    try:
        async with server:
            ready()
            await server.serve_forever()
    finally:
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.lstat(path), ours):
                os.unlink(path)


def is_address(place: str) -> bool:
    """Whether a place to listen at is an address, not the path of a socket."""
    return "://" in place


async def serve_address(address: str, new_agent: Callable[[], SessionAgent], ready: Callable[[str], None]) -> None:
    """Serve clients over HTTP and WebSocket, or TCP, until a signal comes: turns have a while to end then."""
    tasks: set[asyncio.Task[None]] = set()

    async def attend(agent: SessionAgent) -> None:
        await agent.client.wait_closed()
        await agent.disconnected()

    def begin(agent: SessionAgent) -> None:
        task = asyncio.create_task(attend(agent))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    def enter() -> SessionAgent:
        agent = new_agent()
        asyncio.get_running_loop().call_soon(begin, agent)  # when it has its connection
        return agent

    try:
        with contextlib.suppress(SystemExit):  # a signal is the way to end this
            await acp.serve(enter, address, on_ready=ready, linger=LINGER, drain_timeout=DRAIN)
    finally:
        if tasks:
            await asyncio.wait(tasks, timeout=LINGER * 3)


def _listening(path: str) -> socket.socket:
    """A socket at a path that this user alone may connect to; one that nobody listens on any more is replaced."""
    directory = os.open(os.path.dirname(path) or ".", os.O_RDONLY)
    before = os.umask(0o177)
    listener = socket.socket(socket.AF_UNIX)
    try:
        # From the look at what is there until we listen: two agents must not take each other's sockets for left over.
        fcntl.flock(directory, fcntl.LOCK_EX)
        _make_room(path)
        listener.bind(path)
        listener.listen()
    except BaseException:
        listener.close()
        raise
    finally:
        os.umask(before)
        os.close(directory)
    return listener


def _make_room(path: str) -> None:
    """Remove a socket that nobody listens on; OSError for whatever else is there."""
    try:
        if not stat.S_ISSOCK(os.lstat(path).st_mode):
            raise FileExistsError(f"{path}: there is something that is not a socket; remove it, or name another path")
        with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
            probe.setblocking(False)
            probe.connect(path)
    except FileNotFoundError:
        return
    except ConnectionRefusedError:
        os.unlink(path)
        return
    except BlockingIOError:
        pass  # so many wait for it that we would have to wait, too
    raise OSError(f"{path}: another agent listens there")


def hold_streams(needed: bool) -> None:
    """Fill the places of standard streams that are closed: whatever is opened later would be taken for them.

    OSError where stdin or stdout is not as it has to be, if they are needed.
    """
    faults: list[str] = []
    for number, name, refused in ((0, "stdin", os.O_WRONLY), (1, "stdout", os.O_RDONLY), (2, "stderr", None)):
        fault = _fault(number, refused)
        if fault is not None and refused is not None:
            faults.append(f"{name} {fault}: an ACP client talks to the agent there")
        if fault == _CLOSED:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest number that is free
    if sys.stderr is None:  # pyright: ignore[reportUnnecessaryComparison]
        sys.stderr = os.fdopen(2, "w", closefd=False)  # or what is printed there would go to stdout
    if needed and faults:
        raise OSError(faults[0])


_CLOSED: Final = "is closed"


def _fault(descriptor: int, refused: int | None) -> str | None:
    """What is wrong with a standard stream; `refused` is the one way to open it that does not do."""
    try:
        os.fstat(descriptor)
    except OSError:
        return _CLOSED
    if os.name == "posix" and fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE == refused:
        return "cannot be read" if refused == os.O_WRONLY else "cannot be written"
    return None
