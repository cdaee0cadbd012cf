# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The interface of a database under `SQLStore`: what differs between SQLite and PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

__all__ = ["Engine", "Rows", "Undecided"]


class Undecided(Exception):
    """Whether a process lives is not known yet: try again."""


class Rows(Protocol):
    """What a statement found, or how many rows it changed."""

    @property
    def rowcount(self) -> int: ...
    def fetchone(self) -> Any: ...
    def fetchall(self) -> list[Any]: ...
    def __iter__(self) -> Iterator[Any]: ...


class Engine(Protocol):
    """An open database. Each lane is one thread."""

    owner: str
    """The name of this process in leases and turns."""
    lanes: int
    """How many operations may run at once."""
    error: type[Exception]
    """What statements raise."""
    held: str
    """The end of a SELECT in a transaction whose row nobody else may change until the transaction ends."""
    shared: str
    """The same for a row of `sessions` that others may read in this way, too."""

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> Rows:
        """Run a statement, with `?` for each argument: in the transaction of this thread, or by itself."""
        ...

    def transaction(self) -> AbstractContextManager[None]:
        """All that is done inside is durable when it ends, or nothing has changed."""
        ...

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        """Columns of sessions, newest first. What cannot be read is left out if the rest can be read."""
        ...

    def is_alive(self, owner: str) -> bool:
        """Whether a process runs. Undecided if that is not known yet."""
        ...

    def forget(self, owner: str) -> None:
        """Record that a process has died. If it lives after all, its `lapsed` says so."""
        ...

    def lapsed(self) -> bool:
        """Whether another process took this one for dead since the last call: the leases are lost."""
        ...

    def is_passing(self, error: Exception) -> bool:
        """Whether the same operation may succeed in a moment."""
        ...

    def complaint(self, error: Exception) -> str:
        """What is wrong, and what to do about it, in one line."""
        ...

    def close(self) -> None: ...
