"""Agents in this process, started as often as the probe asks."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

from acp_tools.probe.peer import Streams
from generated._runtime.testing import MemoryStream, memory

from .sound import CWD, Sound, Store


class MemoryLink(Streams):
    """Our end of a connection in memory."""

    def __init__(self, stream: MemoryStream, serving: asyncio.Task[None]) -> None:
        super().__init__(stream, stream)
        self._serving = serving

    def said(self) -> str:
        return ""

    def ended(self) -> str:
        return "exited with code 1" if self._serving.done() else ""


class InMemory:
    """Starts sound agents with a fault in them; what they keep outlives them."""

    cwd = CWD

    def __init__(self, plant: Callable[[Any], None] = lambda agent: None, kind: type[Sound] = Sound) -> None:
        self._plant, self._store, self._kind = plant, Store(), kind

    @asynccontextmanager
    async def start(self) -> AsyncGenerator[MemoryLink]:
        here, there = memory()
        agent = self._kind(there, self._store)
        self._plant(agent)
        serving = asyncio.ensure_future(agent.serve())
        try:
            yield MemoryLink(here, serving)
        finally:
            here.close()
            serving.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await serving
            left = [
                task
                for task in asyncio.all_tasks()
                if task is not asyncio.current_task() and task in {*agent.tasks.values()}
            ]
            await asyncio.gather(*left, return_exceptions=True)
