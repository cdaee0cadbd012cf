"""Notifications that come before the answer which names their session: how many are held, and what becomes of too many."""

from __future__ import annotations

from msgspec import UNSET

from generated._runtime.connection.open_sessions import Ending, OpenSessions
from generated._runtime.connection.ordering import EarlyNotes
from generated._runtime.jsonrpc.parser import Id, Notification
from generated._runtime.transport.limits import Limits


def test_as_many_are_held_as_may_wait_and_one_more_releases_all() -> None:
    handed: list[tuple[Id, int]] = []
    notes = EarlyNotes(Limits(queue=3), OpenSessions(), lambda session, _, weight: handed.append((session, weight)))
    held = [notes.keep("s", Notification("update", UNSET), weight) for weight in range(4)]
    assert held == [True, True, True, False]
    assert handed == [("s", 0), ("s", 1), ("s", 2)]


async def test_nothing_is_held_for_a_session_that_has_ended() -> None:
    sessions = OpenSessions()
    sessions.begin("s")
    sessions.end(Ending("s", "closed"))
    release = sessions.hold("s", lambda: None)
    assert (sessions.phase("s"), "s" in sessions) == ("ended", False)
    release()
