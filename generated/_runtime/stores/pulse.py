# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Heartbeats in the database. They decide whether other processes may take over a session.

A row of `agents` has the time of a process's last heartbeat, by the database's clock, and the connection that sent it:

    a recent heartbeat                              the process is alive
    none for `GONE`, and its connection is closed   it is dead; a killed process loses its connection immediately
    none for `SILENT`                               it is dead, even with an open connection: its machine may be off
    the server was down                             the times count from the server's start

A process that was wrongly presumed dead may find that another process has ended its turns. Its writes to these turns
then fail, because each write also checks the row that the other process changed.
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

import psycopg  # type: ignore[import-not-found, unused-ignore]

from .engine import Rows, Undecided
from .postgres_schema import MIGRATIONS

BEAT: Final = 0.3
"""Seconds between two heartbeats."""
MOMENT: Final = 0.1
"""Seconds until the server has noticed a closed connection."""
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
    """Decides whether other processes run. The first answer may take a moment."""

    def __init__(self) -> None:
        self._asked: dict[str, tuple[float, object]] = {}
        """For each owner, when this process first asked, by its own clock, and the owner's latest heartbeat."""

    def is_alive(self, owner: str, execute: Execute) -> bool:
        """Return whether a process runs. Raises Undecided at first."""
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
    """Registers a process and sends its heartbeats, from a thread with its own connection."""

    def __init__(self, url: str, configure: Configure) -> None:
        self.owner = f"{socket.gethostname()}:{os.getpid()}#{secrets.token_hex(8)}"
        self._url = url
        self._configure = configure
        self._over = threading.Event()
        self._lapsed = False
        self._connection: psycopg.Connection[Any] | None = None
        self._beat()
        self._lapsed = False  # the first row is always new
        self._thread = threading.Thread(target=self._run, name="pulse", daemon=True)
        self._thread.start()

    def lapsed(self) -> bool:
        """Return whether the row was removed since the last call: another process presumed this one dead."""
        lapsed, self._lapsed = self._lapsed, False
        return lapsed

    def stop(self) -> None:
        """Stop the heartbeats and remove the row."""
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
