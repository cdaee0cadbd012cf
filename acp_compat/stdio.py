"""Agents and clients as subprocesses, and the streams of this process."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from .core import AgentSideConnection, ClientSideConnection

_INHERITED = ("HOME", "LOGNAME", "PATH", "SHELL", "SYSTEMROOT", "TEMP", "TERM", "USER", "USERPROFILE")


def default_environment() -> dict[str, str]:
    """The variables that a subprocess gets."""
    return {name: os.environ[name] for name in _INHERITED if name in os.environ}


async def stdio_streams(limit: int | None = None) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """Standard input and output as streams."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=limit or 2**16)
    protocol = asyncio.StreamReaderProtocol(reader)
    await loop.connect_read_pipe(lambda: protocol, sys.stdin)
    transport, written = await loop.connect_write_pipe(lambda: asyncio.streams.FlowControlMixin(loop=loop), sys.stdout)
    return reader, asyncio.StreamWriter(transport, written, reader, loop)


@contextlib.asynccontextmanager
async def spawn_stdio_transport(
    command: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    stderr: int | None = asyncio.subprocess.PIPE,
    limit: int | None = None,
    shutdown_timeout: float = 2.0,
) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter, asyncio.subprocess.Process]]:
    """Start a program and give its streams. The end of the block ends the program."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        command,
        *args,
        stdin=pipe,
        stdout=pipe,
        stderr=stderr,
        env=default_environment() | dict(env or {}),
        cwd=cwd,
        limit=limit or 2**16,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process.stdout, process.stdin, process
    finally:
        with contextlib.suppress(OSError):
            process.stdin.close()
        for end in (process.terminate, process.kill):
            try:
                await asyncio.wait_for(process.wait(), shutdown_timeout)
            except TimeoutError:
                end()
        await process.wait()


@contextlib.asynccontextmanager
async def spawn_agent_process(
    to_client: Any,
    command: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    transport_kwargs: Mapping[str, Any] | None = None,
    **connection_kwargs: Any,
) -> AsyncIterator[tuple[ClientSideConnection, asyncio.subprocess.Process]]:
    """Start an agent and connect a client to it."""
    options = dict(transport_kwargs or {})
    async with (
        spawn_stdio_transport(command, *args, env=env, cwd=cwd, **options) as (reader, writer, process),
        ClientSideConnection(to_client, writer, reader, **connection_kwargs) as connection,
    ):
        yield connection, process


@contextlib.asynccontextmanager
async def spawn_client_process(
    to_agent: Any,
    command: str,
    *args: str,
    env: Mapping[str, str] | None = None,
    cwd: str | Path | None = None,
    transport_kwargs: Mapping[str, Any] | None = None,
    **connection_kwargs: Any,
) -> AsyncIterator[tuple[AgentSideConnection, asyncio.subprocess.Process]]:
    """Start a client and connect an agent to it."""
    options = dict(transport_kwargs or {})
    async with (
        spawn_stdio_transport(command, *args, env=env, cwd=cwd, **options) as (reader, writer, process),
        AgentSideConnection(to_agent, writer, reader, **connection_kwargs) as connection,
    ):
        yield connection, process
