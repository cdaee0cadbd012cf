# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The order of messages: notifications as on the wire, responses behind them. It keeps records and needs no asyncio.

Every value of the ordering property (and its absence) is a *lane*:

    a notification          takes a turn in its lane; a lane serves its turns one after the other
    a request               waits for nothing
    a response              waits for the turns that its lane holds when it arrives, unless waiting would close a
                            circle: the handler of a turn awaits this very response, straight or through other lanes

A lane is served by one worker, so what waits for a lane waits for the turn at its head, and a circle of waits is a
circle of lanes: ``Lane.head.waits_for`` are its edges. Lanes know nothing of connections, so a circle that runs
through two of them (a proxy) is seen too. What no bookkeeping can see is a handler that waits for another *task*,
which in turn waits for a response of the same lane.

The answer to a call that opens a session may come behind the first notifications of it. They are held (``EarlyNotes``) until the
call has returned, so that its caller knows the session. Notifications of a session that the call itself names are not held: a
replay comes before the answer.
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

__all__ = ["EarlyNotes", "Lane", "Order", "Turn", "current_turn"]

logger = logging.getLogger(__name__)
_SHARE = 8
"""Notifications that are held may take one part in so many of a connection's memory."""


class Turn(Struct, eq=False):
    """One notification on its way to its handler."""

    lane: Lane
    notification: Any
    """Whatever its handler is called with; nobody here looks at it."""
    weight: int = 0
    done: bool = False
    awaited: int = 0
    """Calls that its handler made and the peer did not answer yet."""
    waits_for: list[Lane] | None = None
    """Lanes behind which responses to its handler are held."""
    then: list[tuple[Callable[[], None], Turn | None]] | None = None
    """Responses that are held until this turn is done, each with the turn whose handler called."""


class Lane:
    """The turns of one session that are not done: the one being served, then those that wait."""

    __slots__ = ("head", "key", "order", "waiting")

    def __init__(self, order: Order, key: Hashable) -> None:
        self.order = order
        self.key = key
        self.head: Turn | None = None
        self.waiting: deque[Turn] = deque()

    def leads_to(self, goal: Lane) -> bool:
        """Whether this lane waits for the goal, straight or through others, or is the goal."""
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
"""The turn in whose handler the running code was started."""


class Order:
    """The lanes of a connection. ``changed`` is called when fewer notifications wait, or a handler awaits its peer."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self.watched = True
        """Whether anyone wants to know that fewer notifications wait."""
        self.queued = 0
        """Notifications that wait for their turn."""
        self.weight = 0
        """Bytes of memory that notifications take which wait, or are being handled."""
        self.awaiting = 0
        """Calls of notification handlers that their peer did not answer yet."""
        self.lanes: dict[Hashable, Lane] = {}
        """Those that are not at rest. Without any, a response waits for nothing."""

    @property
    def held(self) -> int:
        """Responses that have come and wait for the turns before them."""
        turns = (turn for lane in self.lanes.values() for turn in (lane.head, *lane.waiting) if turn is not None)
        return sum(len(turn.then or ()) for turn in turns)

    def enter(self, key: Hashable, notification: Any, weight: int = 0) -> Lane | None:
        """Queue a notification of some weight; the lane, if it was at rest and needs a worker now."""
        self.queued += 1
        self.weight += weight
        if (lane := self.lanes.get(key)) is not None:
            lane.waiting.append(Turn(lane, notification, weight))
            return None
        lane = self.lanes[key] = Lane(self, key)
        lane.waiting.append(Turn(lane, notification, weight))
        return lane

    def begin(self, lane: Lane) -> Turn | None:
        """The next turn of a lane; None when it is at rest again, and gone."""
        if not lane.waiting:
            del self.lanes[lane.key]
            return None
        self.queued -= 1
        if self.watched:
            self._changed()
        turn = lane.head = lane.waiting.popleft()
        return turn

    def end(self, turn: Turn) -> None:
        """A turn is done: what waited for it goes on, and its open calls are nobody's any more."""
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
        """No handler will run any more: nothing waits for one."""
        for lane in list(self.lanes.values()):
            turns = [*([lane.head] if lane.head else []), *lane.waiting]
            self.queued -= len(lane.waiting)
            lane.waiting.clear()
            for turn in turns:
                self.end(turn)

    def hold(self, key: Hashable, caller: Turn | None, release: Callable[[], None]) -> None:
        """A response has arrived in the lane ``key`` for a call made in ``caller``: release it when it may resolve."""
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
        """The handler of a turn calls its peer."""
        if not turn.done:
            turn.awaited += 1
            turn.lane.order.awaiting += 1
            turn.lane.order._changed()

    def answered(self, turn: Turn) -> None:
        """A call of a handler has its answer, or was given up."""
        if not turn.done:
            turn.awaited -= 1
            turn.lane.order.awaiting -= 1


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
