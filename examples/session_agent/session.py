"""An open session: what is held of it, and who watches it."""

from __future__ import annotations

import asyncio
from typing import Protocol

from .. import acp
from .brain import Brain
from .settings import Settings

__all__ = ["Key", "Session", "Watcher"]

Key = tuple[str, str]
"""Identity and session id."""


class Watcher(Protocol):
    """Someone who has a session open: the agent object of a connection."""

    client: acp.AgentSideConnection


class Session:
    """An open session and what it holds."""

    def __init__(self, key: Key, cwd: str, settings: Settings, brain: Brain, fresh: bool) -> None:
        self.key = key
        self.cwd = cwd
        self.settings = settings
        self.brain = brain
        self.fresh = fresh
        """Announce its commands once more: before the answer that told its id, the client may have missed them."""
        self.watchers: set[Watcher] = set()
        self.ending = False
        """It is being terminated, or its process has died: its last prompt is answered once the watchers were told."""
        self.told = asyncio.Event()
