# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""An open session, and the clients that watch it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, Protocol

from .base import StoredSession

__all__ = ["NOWHERE", "Key", "NotOpen", "OpenElsewhere", "OpenSession", "Place", "Watcher"]

Key = tuple[str, str]
"""Identity and session id."""


Place = tuple[int, int]
"""Where an update is in its session: the number of its turn, and its own number in that."""
NOWHERE: Final = (1 << 62, 0)
"""The place of an update that belongs to no turn: behind all others."""


class NotOpen(Exception):
    """The session exists, and this client has not opened it."""


class OpenElsewhere(Exception):
    """Another process has the session open, and did not end it when it was asked to."""


class Watcher(Protocol):
    """A client of a session, as the agent object of its connection."""

    write_delay: float

    @property
    def gone(self) -> bool:
        """Whether its connection has ended."""
        ...

    def show(self, update: Any, place: Place) -> object:
        """Send the client an update that another client's turn has made; never waits."""
        ...

    async def show_payloads(self, session_key: str, payloads: Sequence[bytes], place: Place) -> None:
        """Send the client stored updates; `place`: of the first."""
        ...

    def take_over(self, watcher: Any) -> None:
        """Answer from now on what the handlers of another watcher ask their client."""
        ...

    async def on_open(self, session: OpenSession) -> None: ...
    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None: ...
    async def on_close(self, session: OpenSession) -> None: ...


class OpenSession:
    """An open session. `data` is the author's: a JSON object that `save` writes to the store."""

    def __init__(self, key: Key, stored: StoredSession) -> None:
        self.key = key
        self.stored = stored
        self.data: dict[str, Any] = json.loads(stored.data)
        self.watchers: dict[Watcher, list[tuple[Place, Any]] | None] = {}
        """The clients; for one to which the history is being replayed, the updates that wait for the end of that."""
        self.author: Any = None
        """Whatever the author's hooks keep of the session."""

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.key[1]

    @property
    def fields(self) -> dict[str, Any]:
        """The client's parameters for opening the session, by their names on the wire."""
        found: dict[str, Any] = json.loads(self.stored.fields)
        return found
