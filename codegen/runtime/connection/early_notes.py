"""Notifications of sessions that no answer has named yet.

The answer to a call that opens a session may come behind the first notifications of it. They are held until the call has
returned, so that its caller knows the session. Notifications of a session that the call itself names are not held: a replay
comes before the answer.
"""

from __future__ import annotations

import logging
from collections.abc import Callable

from ..jsonrpc.parser import Id, Notification
from ..transport.limits import Limits
from .open_sessions import OpenSessions

__all__ = ["EarlyNotes"]

logger = logging.getLogger(__name__)
_SHARE = 8
"""Notifications that are held may take one part in so many of a connection's memory."""


class EarlyNotes:
    """Notifications of sessions that no answer has named yet. `enter` takes them when that is over."""

    def __init__(self, limits: Limits, sessions: OpenSessions, enter: Callable[[Id, Notification, int], None]) -> None:
        self.expected = 0
        """Calls under way whose answers name a session that nobody knows yet."""
        self._most = limits.queue
        self._heaviest = limits.memory // _SHARE
        self._sessions = sessions
        self._enter = enter
        self.held: dict[Id, list[tuple[Notification, int]]] = {}
        """Those that wait, by session, each with its weight."""
        self._count = 0
        self._weight = 0

    def keep(self, session: Id, note: Notification, weight: int) -> bool:
        """Whether a notification is held; what is too much is not, nor is anything then."""
        if session not in self.held and (session is None or self._sessions.knows(session)):
            return False
        if self._count >= self._most or self._weight + weight > self._heaviest:
            logger.warning("%d notifications of sessions that no answer has named yet: they are not held", self._count)
            self.release()
            return False
        self.held.setdefault(session, []).append((note, weight))
        self._count += 1
        self._weight += weight
        return True

    def release(self, session: Id = None) -> None:
        """Hand on what is held of a session; without one, all."""
        for key in [*self.held] if session is None else [session]:
            for note, weight in self.held.pop(key, ()):
                self._count -= 1
                self._weight -= weight
                self._enter(key, note, weight)
