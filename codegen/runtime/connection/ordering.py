"""The order of messages: notifications in order of arrival, responses after them. This module does not need asyncio.

Each value of the ordering property, and its absence, has a *lane*:

    notification   waits in its lane, which handles one entry after the other
    request        waits for nothing
    response       waits for the entries in its lane when it arrives, unless this would cause a deadlock: the handler of
                   an entry awaits this response, directly or through other lanes

One worker serves a lane, so everything in a lane waits for its first entry. A deadlock is therefore a cycle of lanes
with ``Lane.head.waits_for`` as edges. Lanes are independent of connections, so a cycle through two connections (in a
proxy) is detected, too. A handler that waits for another *task*, which awaits a response of the same lane, is not.

Notifications of a new session may arrive before the response that names the session. ``EarlyNotes`` holds them until
the call has returned, so that the caller knows the session. If the call itself names the session, nothing is held,
because a replay precedes the response.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Hashable
from contextvars import ContextVar
from typing import Any

from msgspec import Struct

from ..jsonrpc.parser import Id, Notification
from ..transport.limits import Limits
from .open_sessions import OpenSessions

logger = logging.getLogger(__name__)
_SHARE = 8
"""Held notifications may use this fraction (1/8) of a connection's memory limit."""


class Turn(Struct, eq=False):
    """One notification in its lane."""

    lane: Lane
    notification: Any
    """The arguments for the handler. This module does not inspect them."""
    weight: int = 0
    done: bool = False
    awaited: int = 0
    """Number of pending calls that its handler made."""
    waits_for: list[Lane] | None = None
    """Lanes that delay responses to its handler."""
    then: list[tuple[Callable[[], None], Turn | None]] | None = None
    """Responses that are held until this turn is done, each with the turn whose handler called."""


class Lane:
    """The unfinished turns of one session: the current one, then the queued ones."""

    __slots__ = ("head", "key", "order", "waiting")

    def __init__(self, order: Order, key: Hashable) -> None:
        self.order = order
        self.key = key
        self.head: Turn | None = None
        self.waiting: deque[Turn] = deque()

    def leads_to(self, goal: Lane) -> bool:
        """Return whether this lane is the goal, or waits for it directly or through other lanes."""
        seen: set[Lane] = set()
        front = [self]
        while front:
            lane = front.pop()
            if lane is goal:
                return True
            if lane not in seen and lane.head is not None:
                seen.add(lane)
                front += lane.head.waits_for or ()
        return False


current_turn: ContextVar[Turn | None] = ContextVar("current_turn", default=None)
"""The queue entry whose handler the current code belongs to."""


class Order:
    """The lanes of a connection."""

    def __init__(self) -> None:
        self.changed: Callable[[], None] | None = None
        """Called when the queue shrinks, a handler awaits its peer or a request is sent; None if nobody waits for that."""
        self.queued = 0
        """Number of queued notifications."""
        self.weight = 0
        """Estimated bytes of notifications that are queued or being handled."""
        self.awaiting = 0
        """Number of pending calls of notification handlers."""
        self.lanes: dict[Hashable, Lane] = {}
        """The lanes with unfinished entries. If there are none, a response waits for nothing."""

    @property
    def held(self) -> int:
        """Number of responses that have arrived and wait for earlier turns."""
        turns = (turn for lane in self.lanes.values() for turn in (lane.head, *lane.waiting) if turn is not None)
        return sum(len(turn.then or ()) for turn in turns)

    def enter(self, key: Hashable, notification: Any, weight: int = 0) -> Lane | None:
        """Queue a notification. Returns the lane if it was idle and needs a worker now."""
        self.queued += 1
        self.weight += weight
        if (lane := self.lanes.get(key)) is not None:
            lane.waiting.append(Turn(lane, notification, weight))
            return None
        lane = self.lanes[key] = Lane(self, key)
        lane.waiting.append(Turn(lane, notification, weight))
        return lane

    def begin(self, lane: Lane) -> Turn | None:
        """Take the next turn of a lane; None if the lane is empty, which removes it."""
        if not lane.waiting:
            del self.lanes[lane.key]
            return None
        self.queued -= 1
        if self.changed is not None:
            self.changed()
        turn = lane.head = lane.waiting.popleft()
        return turn

    def end(self, turn: Turn) -> None:
        """End a turn: release the responses that waited for it, and detach its pending calls."""
        if turn.done:
            return
        turn.done = True
        turn.lane.head = None
        self.weight -= turn.weight
        if turn.awaited:
            self.awaiting -= turn.awaited
        if turn.then is None:
            return
        for release, caller in turn.then:
            if caller is not None and caller.waits_for is not None:
                caller.waits_for.remove(turn.lane)
            release()

    def abandon(self) -> None:
        """Release everything that waits for handlers, because none will run any more."""
        for lane in list(self.lanes.values()):
            turns = [*([lane.head] if lane.head else []), *lane.waiting]
            self.queued -= len(lane.waiting)
            lane.waiting.clear()
            for turn in turns:
                self.end(turn)

    def hold(self, key: Hashable, caller: Turn | None, release: Callable[[], None]) -> None:
        """Hold a response that arrived in lane ``key`` for a call made in ``caller``, and call `release` when its
        turn comes.
        """
        lane = self.lanes.get(key)
        if caller is not None and caller.done:
            caller = None
        if lane is None or (caller is not None and lane.leads_to(caller.lane)):
            release()
            return
        last = lane.waiting[-1] if lane.waiting else lane.head
        if last is None:  # between two turns, with nothing behind
            release()
            return
        if caller is not None:
            if caller.waits_for is None:
                caller.waits_for = []
            caller.waits_for.append(lane)
        if last.then is None:
            last.then = []
        last.then.append((release, caller))

    def called(self, turn: Turn) -> None:
        """Record that the handler of a turn calls its peer."""
        if not turn.done:
            turn.awaited += 1
            turn.lane.order.awaiting += 1
            if (changed := turn.lane.order.changed) is not None:
                changed()

    def answered(self, turn: Turn) -> None:
        """Record that a call of a handler was answered or cancelled."""
        if not turn.done:
            turn.awaited -= 1
            turn.lane.order.awaiting -= 1


class EarlyNotes:
    """Notifications of sessions that are not known yet. `enter` receives them once their session is known."""

    def __init__(self, limits: Limits, sessions: OpenSessions, enter: Callable[[Id, Notification, int], None]) -> None:
        self.expected = 0
        """Number of pending calls whose responses name a new session."""
        self._most = limits.queue
        self._heaviest = limits.memory // _SHARE
        self._sessions = sessions
        self._enter = enter
        self.held: dict[Id, list[tuple[Notification, int]]] = {}
        """Held notifications by session, each with its memory estimate."""
        self._count = 0
        self._weight = 0

    def keep(self, session: Id, note: Notification, weight: int) -> bool:
        """Hold a notification and return True; False if there is no room or nothing is being held."""
        if session not in self.held and (session is None or self._sessions.knows(session)):
            return False
        if self._count >= self._most or self._weight + weight > self._heaviest:
            logger.warning("%d notifications of unknown sessions were not held back for lack of memory", self._count)
            self.release()
            return False
        self.held.setdefault(session, []).append((note, weight))
        self._count += 1
        self._weight += weight
        return True

    def release(self, session: Id = None) -> None:
        """Pass on the held notifications of a session, or of all sessions."""
        for key in [*self.held] if session is None else [session]:
            for note, weight in self.held.pop(key, ()):
                self._count -= 1
                self._weight -= weight
                self._enter(key, note, weight)
