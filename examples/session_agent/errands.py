"""Sessions that several agents share: what one agent is asked to end, and another one runs.

The one that is asked writes its wish into the store and waits. Every agent looks there for what is wished of the
sessions that it has open, as long as there are any, and does it as if its own client had asked: the session's turn is
cancelled, its process ends, its watchers are reported.
"""

from __future__ import annotations

import asyncio
import logging
import time
from dataclasses import dataclass
from typing import Final

from . import leases
from .engine import StoreFailed
from .errors import OpenElsewhere
from .host import Host
from .leases import Wish
from .session import Key
from .store import UnknownSession

__all__ = ["Errands", "end_elsewhere"]

logger = logging.getLogger(__name__)

EVERY: Final = 0.25
"""Seconds between two looks."""
PATIENCE: Final = 15.0
"""Seconds for which the other agents are waited for: two graces, and some."""


async def end_elsewhere(host: Host, key: Key, wish: Wish, patience: float = PATIENCE) -> bool:
    """End a session in every other agent that has it open; whether there was one. OpenElsewhere if one does not."""
    deadline = time.monotonic() + patience
    pause, asked = 0.01, False
    while await host.store(leases.wish, *key, host.owner, wish):
        if time.monotonic() > deadline or host.over:
            raise OpenElsewhere
        asked = True
        await asyncio.sleep(pause)
        pause = min(pause * 1.5, EVERY)
    return asked


@dataclass(frozen=True, slots=True)
class Errands:
    """What the other agents wish of the sessions of a host."""

    host: Host
    every: float = EVERY

    async def run(self) -> None:
        """Look now and then, until cancelled."""
        while True:
            await asyncio.sleep(self.every)
            if self.host.sessions:
                try:
                    await self.round()
                except StoreFailed as error:
                    logger.warning("the wishes of other agents cannot be read: %s", error)

    async def round(self) -> None:
        """Look once, and do what is found. Leases that were taken from us come first: so that wishes find us again."""
        if self.host.store.lapsed():
            logger.warning("other agents took this one for dead; it goes on with %d sessions", len(self.host.sessions))
            await asyncio.gather(*(self._hold(key) for key in list(self.host.sessions)))
        found = await self.host.store(leases.errands, self.host.owner)
        await asyncio.gather(*(self.host.undertakings.begin(self._end(key, wish)) for key, wish in found))

    async def _end(self, key: Key, wish: Wish) -> None:
        async with self.host.gate(key):
            await (self.host.terminate(key) if wish == "terminate" else self.host.close(key))
            await self.host.let_go(key)

    async def _hold(self, key: Key) -> None:
        try:
            await self.host.store(leases.hold, *key, self.host.owner)
        except UnknownSession:
            await self.host.undertakings.begin(self._end(key, "close"))
