"""Wires for programs that stand between two ends and pass frames on: of a command that they start, of their own standard streams."""

from __future__ import annotations

import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import IO, Any

from .child import StderrHook, start_child
from .limits import FRAME_LIMIT
from .lines import LineWire
from .process import environment
from .streams import stdio
from .wire import Wire

__all__ = ["process_wire", "stdio_wire"]


@contextlib.asynccontextmanager
async def process_wire(
    *command: str,
    cwd: str | os.PathLike[str] | None = None,
    env: Mapping[str, str] | None = None,
    inherit_env: bool = False,
    stderr: int | IO[Any] | StderrHook | None = None,
    grace: float = 3.0,
    frame_limit: int = FRAME_LIMIT,
    started: Callable[[int], object] | None = None,
) -> AsyncGenerator[Wire, None]:
    """A wire to a command that is started; it ends with the block. OSError where it does not start. Options: see `SpawnOptions`.

    `started` is called with the number of the process, which on POSIX is that of its group as well.
    """
    child = await start_child(command, cwd, environment(env or {}, inherit_env), stderr, True)
    try:
        if started is not None:
            started(child.pid)
        yield LineWire(child, child.stdin, frame_limit)
    finally:
        await child.end(grace)


@contextlib.asynccontextmanager
async def stdio_wire(frame_limit: int = FRAME_LIMIT) -> AsyncGenerator[Wire, None]:
    """A wire on the standard streams of this process, which meanwhile nothing else reads or writes."""
    async with stdio() as (source, sink):
        yield LineWire(source, sink, frame_limit)
