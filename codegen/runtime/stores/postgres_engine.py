"""PostgreSQL: sessions in a database that the processes of many machines share. Needs `psycopg[binary,pool]`.

A commit is on the server's disk before it is answered. If a connection is lost, `Lanes` repeats the operation: every
operation of a store may be repeated.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeAlias

import psycopg  # type: ignore[import-not-found, unused-ignore]
from psycopg import conninfo, errors  # type: ignore[import-not-found, unused-ignore]
from psycopg_pool import ConnectionPool, PoolTimeout  # type: ignore[import-not-found, unused-ignore]

from .base import StoreError
from .engine import Rows, Undecided
from .postgres_schema import SCHEMA, prepare
from .pulse import Pulse, Watch

# What the pool and the driver log is in the answer to the client.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)

Connection: TypeAlias = "psycopg.Connection[tuple[Any, ...]]"

_DEFAULTS: Final[dict[str, str | int]] = {
    "application_name": "session_store",
    "connect_timeout": 3,
    # A server whose machine loses power is noticed within seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SETTINGS: Final = f"""
    SET search_path = {SCHEMA};
    SET lock_timeout = '2s';
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '10s'
"""
"""Session settings. The last ones limit how long a process that is stopped in a transaction blocks others."""
_WAIT: Final = 1.0
"""Seconds that an attempt waits for a connection."""
_RECONNECT: Final = 0.5
"""Seconds after which the pool abandons a connection. The next attempt requests another one."""


class PostgresEngine:
    """A pool of connections, one lane each. Changes of a session lock its row."""

    error: type[Exception] = psycopg.Error
    held = " FOR NO KEY UPDATE"
    shared = " FOR SHARE"

    def __init__(self, address: str, connections: int) -> None:
        self.lanes = connections
        self._own = threading.local()
        self._watch = Watch()
        try:
            url = conninfo.make_conninfo(address, **_missing(address))
            with psycopg.connect(url, autocommit=True) as connection:
                _configure(connection)
                prepare(connection)
                self._pulse = Pulse(url, _configure)
        except psycopg.Error as error:
            raise StoreError(f"{_named(address)}: {_line(error)}") from error
        except StoreError as error:
            raise StoreError(f"{_named(address)}: {error}") from error
        self.owner = self._pulse.owner
        self._pool = ConnectionPool(
            url,
            connection_class=psycopg.Connection,
            kwargs={"autocommit": True},
            configure=_configure,
            min_size=1,
            max_size=connections,
            timeout=_WAIT,
            reconnect_timeout=_RECONNECT,
            open=True,
        )

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> Rows:
        own: Connection | None = getattr(self._own, "connection", None)
        with contextlib.nullcontext(own) if own is not None else self._pool.connection() as connection:
            rows: Rows = connection.execute(_translated(statement), arguments)
            return rows

    @contextmanager
    def transaction(self) -> Generator[None, None, None]:
        with self._pool.connection() as connection:
            connection.execute("BEGIN", prepare=False)
            self._own.connection = connection
            try:
                yield
            except BaseException:
                with contextlib.suppress(psycopg.Error):
                    connection.execute("ROLLBACK", prepare=False)
                raise
            finally:
                self._own.connection = None
            connection.execute("COMMIT", prepare=False)

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        return self.execute(
            f"SELECT {columns} FROM sessions WHERE {where} ORDER BY changed_at DESC, session_key DESC LIMIT ?",
            (*arguments, limit),
        ).fetchall()

    def is_alive(self, owner: str) -> bool:
        return self._watch.is_alive(owner, self.execute)

    def forget(self, owner: str) -> None:
        self.execute("DELETE FROM agents WHERE owner = ?", (owner,))

    def lapsed(self) -> bool:
        return self._pulse.lapsed()

    def is_passing(self, error: Exception) -> bool:
        # Without a code it comes from this side of a connection that is lost or was not made.
        is_lost = isinstance(error, psycopg.OperationalError) and error.sqlstate is None
        return is_lost or isinstance(error, (PoolTimeout, *_PASSING))

    def complaint(self, error: Exception) -> str:
        for kind, text in _COMPLAINTS:
            if isinstance(error, kind):
                return f"{text} ({_line(error)})"
        return f"the session store: {_line(error)}"

    def close(self) -> None:
        self._pulse.stop()
        self._pool.close()


_PASSING: Final = (
    errors.SerializationFailure,
    errors.DeadlockDetected,
    errors.LockNotAvailable,
    errors.TooManyConnections,
    errors.IdleInTransactionSessionTimeout,
    errors.AdminShutdown,
    errors.CrashShutdown,
    errors.CannotConnectNow,
    errors.ConnectionException,
)
_COMPLAINTS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (errors.DiskFull, "the database's disk is full: free some space and try again"),
    (errors.ReadOnlySqlTransaction, "the database is read-only: check whether it is a replica, and try again"),
    (errors.InsufficientPrivilege, "permission denied by the database: check the privileges of the database user"),
    (errors.QueryCanceled, "the database timed out: check its load and try again"),
    (errors.TooManyConnections, "the database has no free connection: raise max_connections, or lower `connections`"),
    (errors.LockNotAvailable, "other processes keep the session locked in the database: try again later"),
    (errors.SerializationFailure, "the database could not serialize this with other transactions: try again"),
    (errors.DeadlockDetected, "the database could not serialize this with other transactions: try again"),
    (errors.DataCorrupted, "the database is corrupted: restore it from a backup"),
    (errors.IndexCorrupted, "an index of the database is corrupted: REINDEX it"),
    (Undecided, "another process may still run this session: try again"),
    (psycopg.OperationalError, "the database cannot be reached: check that it runs, and try again"),
)


def _configure(connection: Connection) -> None:
    connection.execute(_SETTINGS)


@functools.lru_cache(maxsize=256)
def _translated(statement: str) -> bytes:
    """A statement in the driver's syntax. Its parameters are `?`; its strings contain none."""
    return statement.replace("?", "%s").encode()


def _missing(address: str) -> dict[str, str | int]:
    given = conninfo.conninfo_to_dict(address)
    return {name: value for name, value in _DEFAULTS.items() if name not in given}


def _named(address: str) -> str:
    """The address of a server without its password."""
    try:
        given = conninfo.conninfo_to_dict(address)
    except psycopg.Error:
        return "postgresql://..."
    return f"postgresql://{given.get('host') or given.get('hostaddr') or ''}/{given.get('dbname') or ''}"


def _line(error: Exception) -> str:
    """The text of an error, in one line."""
    return " ".join(str(error).split()) or type(error).__name__
