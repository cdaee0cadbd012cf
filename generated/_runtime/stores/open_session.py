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

Key = tuple[str, str]
"""Identity and session id."""


Place = tuple[int, int]
"""The position of an update in its session: the number of its turn, and its own number in the turn."""
NOWHERE: Final = (1 << 62, 0)
"""The position of an update outside of turns: after all others."""


class NotOpen(Exception):
    """The session exists, but this client has not opened it."""


class OpenElsewhere(Exception):
    """Another process has the session open and did not end it when asked."""


class Watcher(Protocol):
    """A client of a session, represented by the agent object of its connection."""

    write_delay: float

    @property
    def gone(self) -> bool:
        """True if its connection has ended."""
        ...

    def show(self, update: Any, place: Place) -> object:
        """Send the client an update from another client's turn, without waiting."""
        ...

    async def show_payloads(self, session_key: str, payloads: Sequence[bytes], place: Place) -> None:
        """Send the client stored updates. `place`: the position of the first."""
        ...

    def take_over(self, watcher: Any) -> None:
        """Answer requests that another watcher's handlers send to their client from now on."""
        ...

    async def on_open(self, session: OpenSession) -> None: ...
    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None: ...
    async def on_close(self, session: OpenSession) -> None: ...


class OpenSession:
    """An open session. `data` is a JSON object of the author, which `save` stores."""

    def __init__(self, key: Key, stored: StoredSession) -> None:
        self.key = key
        self.stored = stored
        self.data: dict[str, Any] = json.loads(stored.data)
        self.watchers: dict[Watcher, list[tuple[Place, Any]] | None] = {}
        """The clients. During a replay to a client, its list holds the updates to send afterwards."""
        self.author: Any = None
        """Data of the author's hooks about the session."""

    @property
    def id(self) -> str:
        """The id of the session."""
        return self.key[1]

    @property
    def fields(self) -> dict[str, Any]:
        """The client's parameters for opening the session, by their names on the wire."""
        found: dict[str, Any] = json.loads(self.stored.fields)
        return found
