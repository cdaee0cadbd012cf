# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The interface of a session store, its records, and its errors.

Invariants of every store, which `contract` tests:

- A session belongs to an identity. For any other identity, it does not exist.
- As soon as `delete` returns, the session is unknown to every process that shares the store.
- A turn begins with the user's message and ends with its stop reason. When `finish_turn` returns, the whole turn is
  durable.
- A session has one turn at a time. If the process of a turn dies, the next process that opens the session ends the turn
  as `INTERRUPTED`. If the first process still runs and writes to the turn, it gets `Fenced`.
- A store remembers a turn that begins with a key, with its answer, for `REMEMBERED` microseconds and up to
  `TURNS_REMEMBERED` later turns of the session. During that time, the key begins no second turn.
- An operation that raises an error has changed nothing. Repeating an operation with the same arguments has no further
  effect, so a caller can retry when the outcome is unknown.

Times are microseconds since 1970, UTC. Payloads are JSON without line ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, Protocol

from msgspec import Struct

INTERRUPTED: Final = "interrupted"
"""The stop reason of a turn whose process died."""

REMEMBERED: Final = 86_400_000_000
"""Microseconds for which the key of a turn is remembered."""
TURNS_REMEMBERED: Final = 64
"""Number of latest turns of a session whose keys are remembered."""

Settle = Callable[[Sequence[bytes]], Iterable[bytes]]
"""Maps the payloads of an interrupted turn to payloads that complete it, for instance failed tool calls."""

Wish = Literal["close", "terminate"]
"""The request of one process to another about a session."""


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
        """True if another process runs the turn."""


class KeyReused(Exception):
    """The key has begun a turn with other params."""


class Unreadable(Exception):
    """A stored session cannot be read; the message says why."""


class StoreError(Exception):
    """The store cannot be opened. The message gives the reason in one line."""


class StoreFailed(Exception):
    """An operation failed and changed nothing. The message describes the problem of the store and the remedy."""


class StoredSession(Struct, frozen=True, kw_only=True):
    """A stored session."""

    session_key: str
    identity: str
    """The owner of the session."""
    place: str = ""
    """The value by which a list is filtered, for instance the working directory."""
    fields: str = "{}"
    """JSON object: fields for lists in addition to id, title and time."""
    data: str = "{}"
    """JSON object: the agent's own data of the session."""
    title: str | None = None
    listed: bool = True
    """False if lists omit the session."""
    changed_at: int
    ended: str | None = None
    """JSON object: why and by whom the session was ended; None if it has not ended."""
    turn: int = 0
    """The number of the last turn, 0 before the first."""
    outcome: str | None = ""
    """The stop reason of the last turn; None while it runs."""


class Position(NamedTuple):
    """A position in a list sorted from newest to oldest: after the session that was changed at that time."""

    changed_at: int
    session_key: str


class TurnKey(NamedTuple):
    """A turn: its number in the session, and a token of its process.

    A token is `owner/number`: the store's name for the process, and a number that the process uses once.
    """

    number: int
    token: str


class Keyed(NamedTuple):
    """The idempotency key of a request that begins a turn, and a digest of its params."""

    key: str
    digest: str


class Entry(NamedTuple):
    """Updates that were written together: the turn, the number of the first update in it, and their payloads."""

    turn: int
    first: int
    payloads: tuple[bytes, ...]


class Store(Protocol):
    """A place where sessions are stored.

    An operation on a session raises UnknownSession if the identity has no such session, and StoreFailed if the store is
    full, locked, damaged or unreachable.
    """

    @property
    def owner(self) -> str:
        """The name of this process in the store, without a slash. It is unique forever."""
        ...

    async def open(self) -> None:
        """Open the store. Does nothing if it is open. Raises StoreError if it cannot be used."""
        ...

    async def close(self) -> None:
        """Close the store, and release the leases of this process."""
        ...

    async def secret(self) -> bytes:
        """A permanent random key of 32 bytes, which signs the cursors of lists."""
        ...

    # Sessions

    async def create(self, session: StoredSession) -> None:
        """Add a session. The caller chooses its id."""
        ...

    async def find(self, identity: str, session_key: str) -> StoredSession:
        """Return a session. Raises Unreadable if another program has damaged it."""
        ...

    async def page(
        self, identity: str, place: str | None, after: Position | None, size: int
    ) -> tuple[list[StoredSession], Position | None]:
        """Up to `size` listed sessions after a position, newest first, and the next position if there are more.

        `place` limits the list to sessions of that place. A session that cannot be read is left out.
        """
        ...

    async def reopen(self, identity: str, session_key: str, place: str, fields: str, settle: Settle) -> StoredSession:
        """Reopen a session with another place and other fields. Ends the turn of a dead process."""
        ...

    async def fork(self, identity: str, session_key: str, copy: StoredSession, settle: Settle) -> StoredSession:
        """Copy a session with its current history. A running turn ends in the copy.

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
        """Remove a session from every list. Does nothing if the identity has no such session."""
        ...

    async def remove(self, identity: str, session_key: str) -> None:
        """Remove a session and its history. Does nothing if the identity has no such session."""
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
        """Begin a turn with the user's message. Returns the session and the turn; raises Busy while another turn runs.

        A session without a title gets this one. Repeated, or KeyReused, if the key has begun a turn before.
        """
        ...

    async def append(
        self, identity: str, session_key: str, turn: TurnKey, first: int, payloads: Sequence[bytes]
    ) -> None:
        """Add updates to a turn. `first`: the number of the first update in the turn, including the message. Raises
        Fenced.
        """
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
        """End a turn and store its last updates. Does nothing if the session was deleted. Raises Fenced.

        `answer`: the result to remember for the key of the turn, if it has one.
        """
        ...

    async def history(
        self, identity: str, session_key: str, after: tuple[int, int] = (-1, 0), limit: int = 32
    ) -> list[Entry]:
        """The entries after a position (turn, first), in order. Empty at the end, or if the session does not exist."""
        ...

    # Ownership: which processes have a session open

    async def hold(self, identity: str, session_key: str) -> None:
        """Record that this process has a session open."""
        ...

    async def release(self, identity: str, session_key: str) -> None:
        """Record that this process has closed the session."""
        ...

    async def held(self, keys: Sequence[tuple[str, str]]) -> None:
        """Record the open sessions of this process again, after another process presumed it dead."""
        ...

    async def ask_others(self, identity: str, session_key: str, wish: Wish) -> bool:
        """Ask the other processes that have a session open to end it; return whether there are any."""
        ...

    async def wishes(self) -> Mapping[tuple[str, str], Wish]:
        """Requests of other processes about the open sessions of this process. A deleted session must be closed."""
        ...

    # Cleaning up, in steps, so that other processes never wait for long

    async def expire(self, before: int, now: int, limit: int = 500) -> int:
        """Delete sessions that were not changed since a time and that no process has open. Returns their number."""
        ...

    async def purge(self, before: int, limit: int = 500) -> int:
        """Remove the data of sessions that were deleted before a time. Returns their number."""
        ...
