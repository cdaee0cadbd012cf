"""The interface of a store of sessions, its records, and what can go wrong with it.

Invariants of every store, which `contract` tests:

- A session belongs to an identity. To every other identity it is as unknown as one that never existed.
- A deleted session is unknown from the moment `delete` returns, to every process that shares the store.
- A turn begins with the user's message and ends with its stop reason. When `finish_turn` returns, all of the turn is
  durable.
- A session has one turn at a time. Whoever opens the session after the process of its turn has died ends that turn as
  `INTERRUPTED`. The process that began it gets `Fenced` if it writes to the turn after all.
- A turn that begins with a key is remembered with its answer: for `REMEMBERED` microseconds, and until the session has had
  `TURNS_REMEMBERED` later turns. The same key begins no second turn in that time.
- An operation that raises has changed nothing. An operation that is repeated with the same arguments, since nobody
  knows whether it went well, has the effect of one.

Times are microseconds since 1970, UTC. Payloads are JSON without line ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from msgspec import Struct

__all__ = [
    "INTERRUPTED",
    "REMEMBERED",
    "TURNS_REMEMBERED",
    "Busy",
    "Entry",
    "Fenced",
    "KeyReused",
    "Keyed",
    "Position",
    "Repeated",
    "Settle",
    "Store",
    "StoreError",
    "StoreFailed",
    "StoredSession",
    "TurnKey",
    "UnknownSession",
    "Unreadable",
    "Wish",
]

INTERRUPTED: Final = "interrupted"
"""The stop reason of a turn whose process died."""

REMEMBERED: Final = 86_400_000_000
"""Microseconds for which the key of a turn is remembered."""
TURNS_REMEMBERED: Final = 64
"""The turns of a session whose keys are remembered, the last ones."""

Settle = Callable[[Sequence[bytes]], Iterable[bytes]]
"""From the payloads of a turn that was cut short, those that end it, for instance tool calls that have failed."""

Wish = Literal["close", "terminate"]
"""What one process asks another to do with a session."""


class UnknownSession(Exception):
    """The identity has no such session."""


class Busy(Exception):
    """A turn of the session is running, here or in another process."""


class Fenced(Exception):
    """Another process ended this turn because it presumed this process dead."""


class Repeated(Exception):
    """The key has already begun a turn. `answer`: the result of that turn, None if it was interrupted or still runs."""

    def __init__(self, turn: int, answer: bytes | None, runs: bool) -> None:
        super().__init__(turn)
        self.turn = turn
        self.answer = answer
        self.runs = runs
        """Whether another process runs it."""


class KeyReused(Exception):
    """The key has begun a turn with other params."""


class Unreadable(Exception):
    """A stored session cannot be read; the message says why."""


class StoreError(Exception):
    """The store cannot be opened; the message says why, in one line."""


class StoreFailed(Exception):
    """An operation failed and changed nothing; the message says what is wrong with the store, and what to do."""


class StoredSession(Struct, frozen=True, kw_only=True):
    """A session as a store keeps it."""

    session_key: str
    identity: str
    """Whose session it is."""
    place: str = ""
    """The value by which a list is filtered, for instance the working directory."""
    fields: str = "{}"
    """JSON object: fields for lists in addition to id, title and time."""
    data: str = "{}"
    """JSON object: the agent's own data of the session."""
    title: str | None = None
    listed: bool = True
    """False for a session that no list shows."""
    changed_at: int
    ended: str | None = None
    """JSON object: why and by whom the session was ended; None while it may go on."""
    turn: int = 0
    """The number of the last turn, 0 before the first."""
    outcome: str | None = ""
    """The stop reason of the last turn; None while it runs."""


class Position(NamedTuple):
    """A place in a list that begins with the newest: behind the session that was changed then."""

    changed_at: int
    session_key: str


class TurnKey(NamedTuple):
    """A turn: its number in the session, and a token of the process that runs it.

    A token is `owner/number`: the store's name for the process, and a number that the process uses once.
    """

    number: int
    token: str


class Keyed(NamedTuple):
    """The idempotency key of a request that begins a turn, and a digest of its params."""

    key: str
    digest: str


class Entry(NamedTuple):
    """Updates that were written together: the turn, the number of the first of them in it, and their payloads."""

    turn: int
    first: int
    payloads: tuple[bytes, ...]


class Store(Protocol):
    """A place where sessions are kept.

    Every operation on a session raises UnknownSession if the identity has no such session, and StoreFailed if the store
    is full, locked, damaged or unreachable.
    """

    @property
    def owner(self) -> str:
        """The name of this process in the store, without a slash. No other process has it, now or later."""
        ...

    async def open(self) -> None:
        """Open the store. Nothing, if it is open. StoreError if it cannot be used."""
        ...

    async def close(self) -> None:
        """Close the store, and release the leases of this process."""
        ...

    async def secret(self) -> bytes:
        """A random key of 32 bytes that stays the same; it signs the cursors of lists."""
        ...

    # Sessions

    async def create(self, session: StoredSession) -> None:
        """Add a session. Its id is the caller's choice."""
        ...

    async def find(self, identity: str, session_key: str) -> StoredSession:
        """One session. Unreadable if something else has written to it."""
        ...

    async def page(
        self, identity: str, place: str | None, after: Position | None, size: int
    ) -> tuple[list[StoredSession], Position | None]:
        """Up to `size` listed sessions behind a position, newest first, and the position behind them if there are more.

        `place` limits the list to sessions of that place. A session that cannot be read is left out.
        """
        ...

    async def reopen(self, identity: str, session_key: str, place: str, fields: str, settle: Settle) -> StoredSession:
        """Take up a session again, with another place and other fields. Ends the turn of a process that died."""
        ...

    async def fork(self, identity: str, session_key: str, copy: StoredSession, settle: Settle) -> StoredSession:
        """Add a session with the current history of another one. A running turn ends in the copy.

        If title and data of `copy` are None and `{}`, they come from the source.
        """
        ...

    async def save(self, identity: str, session_key: str, data: str) -> None:
        """Replace the agent's data of a session."""
        ...

    async def end(self, identity: str, session_key: str, ended: str | None) -> None:
        """Record why and by whom a session was ended."""
        ...

    async def ended(self, identity: str, session_key: str) -> StoredSession:
        """Like `find`, but also for deleted sessions that are still stored."""
        ...

    async def delete(self, identity: str, session_key: str, now: int) -> None:
        """Take a session out of every list. Nothing, if the identity has no such session."""
        ...

    async def remove(self, identity: str, session_key: str) -> None:
        """Remove a session and its history. Nothing, if the identity has no such session."""
        ...

    # Turns

    async def begin_turn(
        self,
        identity: str,
        session_key: str,
        token: str,
        title: str | None,
        message: Sequence[bytes],
        now: int,
        settle: Settle,
        keyed: Keyed | None = None,
    ) -> tuple[StoredSession, TurnKey]:
        """Begin a turn with the user's message; return the session and the turn. Busy while another turn runs.

        A session without a title gets this one. Repeated, or KeyReused, if the key has begun a turn before.
        """
        ...

    async def append(
        self, identity: str, session_key: str, turn: TurnKey, first: int, payloads: Sequence[bytes]
    ) -> None:
        """Add updates to a turn. `first`: the number of the first of them in the turn, the message included. Fenced."""
        ...

    async def finish_turn(
        self,
        identity: str,
        session_key: str,
        turn: TurnKey,
        first: int,
        payloads: Sequence[bytes],
        outcome: str,
        now: int,
        answer: bytes = b"",
    ) -> None:
        """End a turn with its last updates, durably. Fenced. Nothing, if the session was deleted meanwhile.

        `answer`: what is remembered for the key of the turn, if it has one.
        """
        ...

    async def history(
        self, identity: str, session_key: str, after: tuple[int, int] = (-1, 0), limit: int = 32
    ) -> list[Entry]:
        """Return the entries after a position (turn, first), in order; empty at the end, or if the session does not exist."""
        ...

    # Ownership: which processes have a session open

    async def hold(self, identity: str, session_key: str) -> None:
        """Record that this process has a session open."""
        ...

    async def release(self, identity: str, session_key: str) -> None:
        """Record that this process has closed the session."""
        ...

    async def held(self, keys: Sequence[tuple[str, str]]) -> None:
        """Record the open sessions of this process again, if another process presumed it dead."""
        ...

    async def ask_others(self, identity: str, session_key: str, wish: Wish) -> bool:
        """Ask the other processes that have a session open to end it; return whether there are any."""
        ...

    async def wishes(self) -> Mapping[tuple[str, str], Wish]:
        """Requests of other processes for the open sessions of this process. A deleted session is to be closed."""
        ...

    # Cleaning up, in steps, so that other processes never wait for long

    async def expire(self, before: int, now: int, limit: int = 500) -> int:
        """Delete sessions that were not changed since then and that no process has open; return their number."""
        ...

    async def purge(self, before: int, limit: int = 500) -> int:
        """Remove deleted sessions that were deleted before then, with their history; how many."""
        ...
