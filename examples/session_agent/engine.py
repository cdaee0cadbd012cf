"""What a store stands on: a database, and what differs between one and another.

`Store` and `leases` are written once, in the SQL that SQLite and PostgreSQL share, with `?` for a parameter. What they
do not share stands in the two engines, and nowhere else:

    sqlite.py      a file, or memory: one connection, one lane; owners are processes of this machine
    postgres.py    a database server: a pool of connections, a lane for each; owners have a pulse there
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["MEMORY", "POSTGRES", "Engine", "Rows", "StoreError", "StoreFailed", "Undecided", "open_engine"]

MEMORY = ":memory:"
POSTGRES = ("postgresql://", "postgres://")
"""How the address of a database server begins; everything else is the path of a file."""


class StoreError(Exception):
    """The store cannot be used; the message says why, in a line."""


class StoreFailed(Exception):
    """An operation failed, and changed nothing; the message says what is wrong with the store, and what to do."""


class Undecided(Exception):
    """Whether an owner lives will be known in a moment: try again."""


class Rows(Protocol):
    """What a statement found, or how many rows it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Engine(Protocol):
    """A database that is open and up to date. Of one lane at a time, in one thread."""

    owner: str
    """Our name in the leases."""
    lanes: int
    """How many operations may be under way at once."""
    error: type[Exception]
    """What statements raise."""
    held: str
    """The end of a SELECT in a transaction whose row nobody else may change until that ends."""
    shared: str
    """The same for rows of `turns` that others may read so, too."""

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> Rows:
        """Carry out a statement: in the transaction of this thread, or on its own."""
        ...

    def transaction(self, durable: bool = False) -> AbstractContextManager[None]:
        """All that is done inside has happened in the end, or nothing has. `durable`: even if the machine dies then."""
        ...

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        """Time, id and columns of sessions, newest first; what cannot be read is left out where the rest can be."""
        ...

    def is_alive(self, owner: str) -> bool:
        """Whether an agent still runs. Undecided where that is not known yet."""
        ...

    def forget(self, owner: str) -> None:
        """An agent is gone; should it come back, it will find that it was taken for dead (`lapsed`)."""
        ...

    def lapsed(self) -> bool:
        """Whether we were taken for dead since the last time this was asked: our leases are gone."""
        ...

    def is_passing(self, error: Exception) -> bool:
        """Whether the same operation may succeed in a moment."""
        ...

    def complaint(self, error: Exception) -> str:
        """What is wrong, and what to do about it, in a line."""
        ...

    def close(self) -> None: ...


def open_engine(address: str, connections: int) -> Engine:
    """The database at an address, created or brought up to date. StoreError where it cannot be used."""
    if address.startswith(POSTGRES):
        try:
            from .postgres import Postgres
        except ImportError as error:
            raise StoreError(
                f"{error.name} is missing, which a store at postgresql:// needs: "
                "pip install 'acp-codegen[postgres]', or psycopg[binary,pool]"
            ) from error
        return Postgres(address, connections)
    from .sqlite import SQLite

    return SQLite(address)
