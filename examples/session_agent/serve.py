"""Where clients come from: the standard streams, one client, or a socket that many share.

On a socket every client has an agent of its own, and all of them one host: sessions that several clients watch, news
for each of them. Only the user who runs the agent can connect.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable
from typing import Final

from .. import acp
from .agent import SessionAgent

__all__ = ["serve_socket", "serve_stdio"]

LINGER: Final = 0.2
"""Seconds that handlers have to finish when the client is gone. The end takes no more than three of these."""


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

    server = await asyncio.start_unix_server(accept, sock=_listening(path))
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
            os.unlink(path)


def _listening(path: str) -> socket.socket:
    """A socket at a path that this user alone may connect to; one that nobody listens on any more is replaced."""
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as probe:
        try:
            probe.connect(path)
        except ConnectionRefusedError:
            os.unlink(path)
        except FileNotFoundError:
            pass
        else:
            raise OSError(f"{path}: another agent listens there")
    listener = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        listener.bind(path)
    except OSError:
        listener.close()
        raise
    finally:
        os.umask(before)
    return listener
