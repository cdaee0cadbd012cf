"""Who has a session open: one row for each agent that does, for as long as it does.

Agents that share a store see by its leases what the others run. A lease is worth nothing once its owner is gone,
however that went; the engine knows (`Engine.is_alive`). What is wished of a session that another agent runs is written into its lease, where that
agent looks for it (`errands.py`).

Functions of a `Store`, each one transaction.
"""

from __future__ import annotations

import contextlib
from typing import Literal

from .engine import Engine, Undecided
from .store import Store

__all__ = ["Wish", "errands", "forget_dead", "hold", "release", "release_all", "wish"]

Wish = Literal["close", "terminate"]


def hold(store: Store, identity: str, session_id: str, owner: str) -> None:
    """Note that an agent has a session open. UnknownSession where there is none to open."""
    with store.transaction() as database:
        store.find(identity, session_id)
        database.execute(
            "INSERT INTO leases (session_id, owner, identity) VALUES (?, ?, ?) "
            "ON CONFLICT (session_id, owner) DO UPDATE SET wish = NULL",
            (session_id, owner, identity),
        )


def release(store: Store, identity: str, session_id: str, owner: str) -> None:
    """Note that it has not any more."""
    with store.transaction() as database:
        database.execute(
            "DELETE FROM leases WHERE session_id = ? AND identity = ? AND owner = ?", (session_id, identity, owner)
        )


def release_all(store: Store, owner: str) -> None:
    """The same of all that it had open."""
    with store.transaction() as database:
        database.execute("DELETE FROM leases WHERE owner = ?", (owner,))


def forget_dead(store: Store) -> None:
    """Drop the leases of agents that are gone."""
    with store.transaction() as database:
        for (owner,) in database.execute("SELECT DISTINCT owner FROM leases").fetchall():
            with contextlib.suppress(Undecided):  # the next round will know
                if not database.is_alive(owner):
                    _forget(database, owner)


def wish(store: Store, identity: str, session_id: str, owner: str, wish: Wish) -> bool:
    """Ask the other agents that have a session open to end it; whether there are any."""
    with store.transaction() as database:
        others = "FROM leases WHERE session_id = ? AND identity = ? AND owner <> ?"
        for (other,) in database.execute(f"SELECT owner {others}", (session_id, identity, owner)).fetchall():
            if not database.is_alive(other):
                _forget(database, other)
            else:
                # To be terminated is more than to be closed.
                database.execute(
                    "UPDATE leases SET wish = CASE wish WHEN 'terminate' THEN wish ELSE ? END WHERE session_id = ? AND owner = ?",
                    (wish, session_id, other),
                )
        left = database.execute(f"SELECT count(*) {others}", (session_id, identity, owner)).fetchone()[0]
        return bool(left)


def errands(store: Store, owner: str) -> list[tuple[tuple[str, str], Wish]]:
    """What is wished of the sessions that an agent has open. One that was deleted is to be closed."""
    return [
        ((identity, session_id), wish)
        for identity, session_id, wish in store.rows(
            "SELECT leases.identity, leases.session_id, coalesce(wish, 'close') FROM leases "
            "LEFT JOIN sessions ON sessions.session_id = leases.session_id AND deleted_at IS NULL "
            "WHERE owner = ? AND (wish IS NOT NULL OR sessions.id IS NULL)",
            (owner,),
        )
    ]


def _forget(database: Engine, owner: str) -> None:
    database.forget(owner)
    database.execute("DELETE FROM leases WHERE owner = ?", (owner,))
