"""What nobody asks for: sessions that nobody touches are deleted, deleted ones removed for good in time."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from typing import Final

from .engine import StoreFailed
from .host import Host
from .leases import forget_dead
from .store import Store
from .titles import days

__all__ = ["Upkeep"]

logger = logging.getLogger(__name__)

EVERY: Final = 3600.0
"""Seconds between two rounds."""


@dataclass(frozen=True, slots=True)
class Upkeep:
    """How many days an untouched session stays (None: for ever), and how many a deleted one is kept."""

    host: Host
    keep_days: float | None
    retain_days: float

    async def round(self) -> tuple[int, int]:
        """One round: how many sessions were deleted, how many removed. In steps; between them others get the lock."""
        store, now = self.host.store, self.host.clock()
        deleted = removed = 0
        if self.keep_days is not None:
            await store(forget_dead)
            while count := await store(Store.expire, now - days(self.keep_days), now):
                deleted += count
        while count := await store(Store.purge, now - days(self.retain_days) + 1):
            removed += count
        return deleted, removed

    async def run(self) -> None:
        """A round now and then, until cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.round()
            except StoreFailed as error:
                logger.warning("nothing was cleaned up: %s", error)
