"""The sign of life that an agent gives the database: whether others may take over what it runs.

A row of `agents` says when the database last heard of an agent, by the database's clock, and over which connection. The
law:

    heard of lately                    it lives
    not for `GONE`, its connection     it is dead: a process that is killed loses its connection at once, so others
    is gone as well                    take over within a second or two
    not for `SILENT`                   it is dead, whatever its connection looks like: its machine may have lost power
    the server was away                nobody could be heard: the times count from its start

An agent that was taken for dead and lives may find its turns closed; what it goes on to write of them is refused
(`Store.append`, `Store.finish_turn`), for whoever closed them wrote so in the same row that it would have to lock.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final

import psycopg

from .engine import Rows, Undecided
from .postgres_schema import MIGRATIONS

__all__ = ["Pulse", "Watch"]

BEAT: Final = 0.3
"""Seconds between two signs of life."""
MOMENT: Final = 0.1
"""Seconds after which the server has noticed that a process is gone whose connection it had."""
GONE: Final = 1.2
SILENT: Final = 10.0

_LOOK: Final = """
    SELECT
        seen_at,
        extract(epoch FROM clock_timestamp() - greatest(seen_at, pg_postmaster_start_time()))::float8,
        EXISTS (SELECT FROM pg_stat_get_activity(backend) WHERE backend_start = backend_since)
    FROM agents WHERE owner = ?
"""

_BEAT: Final = """
    INSERT INTO agents (owner, version, backend, backend_since, seen_at)
    SELECT %s, %s, pid, backend_start, clock_timestamp() FROM pg_stat_get_activity(pg_backend_pid())
    ON CONFLICT (owner) DO UPDATE SET
        backend = excluded.backend, backend_since = excluded.backend_since, seen_at = excluded.seen_at
    RETURNING xmax = 0
"""

Execute = Callable[[str, tuple[str, ...]], Rows]
Configure = Callable[[psycopg.Connection[Any]], None]


class Watch:
    """Whether other agents live. Who asks is told in a moment, not at once."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[float, object]] = {}
        """Owner to when we first asked, by our own clock, and when the database had heard of it then."""

    def is_alive(self, owner: str, execute: Execute) -> bool:
        """Undecided at first."""
        now = time.monotonic()
        found = execute(_LOOK, (owner,)).fetchone()
        if found is None:
            return self._decided(owner, False)
        seen_at, silent, is_connected = found
        since, before = self._asked.get(owner, (now, seen_at))
        if now - since > GONE * 2:
            since, before = now, seen_at
        if silent > SILENT or (silent > GONE and not is_connected):
            return self._decided(owner, False)
        if seen_at != before or (is_connected and now - since > MOMENT):
            return self._decided(owner, True)
        self._asked[owner] = since, before
        raise Undecided

    def _decided(self, owner: str, lives: bool) -> bool:
        self._asked.pop(owner, None)
        return lives


class Pulse:
    """Registers an agent and keeps it so, from a thread and a connection of its own."""

    def __init__(self, url: str, configure: Configure) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}#{secrets.token_hex(8)}"
        self._url = url
        self._configure = configure
        self._over = threading.Event()
        self._lapsed = False
        self._connection: psycopg.Connection[Any] | None = None
        self._beat()
        self._lapsed = False  # the first time one is always new
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def lapsed(self) -> bool:
        """Whether the row was gone since the last time this was asked: somebody took us for dead."""
        lapsed, self._lapsed = self._lapsed, False
        return lapsed

    def stop(self) -> None:
        """Take the row back."""
        self._over.set()
        self._thread.join()
        if self._connection is not None:
            with contextlib.suppress(psycopg.Error):
                self._connection.execute("DELETE FROM agents WHERE owner = %s", (self.owner,))
            self._connection.close()

    def _run(self) -> None:
        while not self._over.wait(BEAT):
            try:
                self._beat()
            except psycopg.Error:
                if self._connection is not None:
                    self._connection.close()
                self._connection = None

    def _beat(self) -> None:
        if self._connection is None:
            connection = psycopg.connect(self._url, autocommit=True)
            try:
                self._configure(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        (new,) = self._connection.execute(_BEAT, (self.owner, len(MIGRATIONS))).fetchone() or (False,)
        self._lapsed |= new
