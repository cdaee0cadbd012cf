"""PostgreSQL: sessions in a database that the agents of many machines share. Needs `psycopg[binary,pool]`.

A commit is on the server's disk when it is answered; an update that is shown is not (`Store.finish_turn` finds out if a
server that crashed has lost one). An operation whose connection is lost is tried again by `thread.py`: where that
happened to a COMMIT, the server is asked first what became of it. Its answer is by the number of the transaction:

    the server did not crash meanwhile          what it says
    it crashed, and the number is not known,    not committed: what was committed is in its log
    aborted, or in use
    it crashed, and the number is committed     not known: a number of which the log has nothing may have been given again
"""

from __future__ import annotations

import contextlib
import functools
import logging
import threading
import time
import weakref
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import conninfo, errors
from psycopg_pool import ConnectionPool, PoolTimeout

from .engine import Rows, StoreError, Undecided
from .postgres_schema import SCHEMA, prepare
from .pulse import Pulse, Watch

__all__ = ["Postgres"]

# What the pool and the driver warn of, the answer to the client says.
logging.getLogger("psycopg.pool").setLevel(logging.CRITICAL)

Connection = psycopg.Connection[tuple[Any, ...]]

_DEFAULTS: Final[dict[str, str | int]] = {
    "application_name": "session_agent",
    "connect_timeout": 3,
    # A server's machine that is gone without a word is noticed within seconds.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}
_SETTINGS: Final = f"""
    SET search_path = {SCHEMA};
    SET synchronous_commit = off;
    SET lock_timeout = '2s';
    SET statement_timeout = '30s';
    SET idle_in_transaction_session_timeout = '10s'
"""
"""An agent that is stopped in the middle of a transaction holds up the others no longer than the last of these."""
_LIFE: Final = "SELECT stats_reset::text FROM pg_stat_bgwriter"
"""Tells one life of a server from the next: what it counts is lost when it crashes, and kept when it is stopped."""
_BEGIN: Final = "BEGIN; SET LOCAL synchronous_commit = on; SELECT pg_current_xact_id()::text"

_WAIT: Final = 1.0
"""Seconds that an attempt waits for a connection."""
_RECONNECT: Final = 0.5
"""Seconds after which the pool gives up a connection; the next attempt of an operation asks for another one."""
_PATIENCE: Final = 10.0
"""Seconds for which the server is asked what became of a commit."""


class Postgres:
    """A pool of connections. The rows of a session are locked by whoever changes them."""

    error: type[Exception] = psycopg.Error
    held = " FOR NO KEY UPDATE"
    shared = " FOR SHARE OF turns"

    def __init__(self, address: str, connections: int) -> None:
        self.lanes = connections
        self._own = threading.local()
        self._lives: weakref.WeakKeyDictionary[Connection, str | None] = weakref.WeakKeyDictionary()
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
            configure=self._prepare,
            min_size=1,
            max_size=connections,
            timeout=_WAIT,
            reconnect_timeout=_RECONNECT,
            open=True,
        )

    def _prepare(self, connection: Connection) -> None:
        _configure(connection)
        self._lives[connection] = _life(connection)

    def execute(self, statement: str, arguments: Sequence[object] = (), /) -> Rows:
        connection: Connection | None = getattr(self._own, "connection", None)
        if connection is not None:
            return connection.execute(_translated(statement), arguments)
        with self._pool.connection() as connection:
            return connection.execute(_translated(statement), arguments)

    @contextmanager
    def transaction(self, durable: bool = False) -> Generator[None, None, None]:
        with self._pool.connection() as connection:
            begun = connection.execute(_BEGIN, prepare=False)
            while begun.nextset():
                pass
            (number,) = begun.fetchone() or ("0",)
            self._own.connection = connection
            try:
                yield
            except BaseException:
                with contextlib.suppress(psycopg.Error):
                    connection.execute("ROLLBACK", prepare=False)
                raise
            finally:
                self._own.connection = None
            self._commit(connection, number)

    def _commit(self, connection: Connection, number: str) -> None:
        try:
            connection.execute("COMMIT", prepare=False)
        except psycopg.OperationalError as error:
            if not connection.broken or not self._was_committed(number, self._lives.get(connection), error):
                raise

    def _was_committed(self, number: str, life: str | None, lost: psycopg.OperationalError) -> bool:
        """What became of a transaction, of that life of the server, whose connection was lost while it was committed."""
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            try:
                with self._pool.connection() as connection:
                    crashed = self._lives.get(connection) != life
                    found = connection.execute("SELECT pg_xact_status(%s::xid8)", (number,)).fetchone()
            except errors.InvalidParameterValue:
                return False  # the server does not know this number: it crashed before it wrote anything
            except psycopg.OperationalError:
                time.sleep(0.05)
                continue
            status = found[0] if found is not None else None
            if crashed and status == "committed":
                break
            if crashed or status != "in progress":
                return bool(status == "committed")
            time.sleep(0.05)
        raise _InDoubt(str(lost)) from lost

    def newest(self, columns: str, where: str, arguments: Sequence[object], limit: int) -> list[Any]:
        return self.execute(
            f"SELECT updated_at, id, {columns} FROM sessions WHERE {where} ORDER BY updated_at DESC, id DESC LIMIT ?",
            (*arguments, limit),
        ).fetchall()

    def is_alive(self, owner: str) -> bool:
        return self._watch.is_alive(owner, self.execute)

    def forget(self, owner: str) -> None:
        self.execute("DELETE FROM agents WHERE owner = ?", (owner,))

    def lapsed(self) -> bool:
        return self._pulse.lapsed()

    def is_passing(self, error: Exception) -> bool:
        return not isinstance(error, _InDoubt) and (
            isinstance(error, (PoolTimeout, *_PASSING))
            # Without a code it comes from this side of a connection that is lost or was not made.
            or (isinstance(error, psycopg.OperationalError) and error.sqlstate is None)
        )

    def complaint(self, error: Exception) -> str:
        for kind, text in _COMPLAINTS:
            if isinstance(error, kind):
                return f"{text} ({_line(error)})"
        return f"the session store: {_line(error)}"

    def close(self) -> None:
        self._pulse.stop()
        self._pool.close()


class _InDoubt(psycopg.OperationalError):
    """A transaction that may have been committed, or not."""


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
    (_InDoubt, "the database was lost while it kept this, and whether it did is not known: load the session and look"),
    (errors.DiskFull, "the session store cannot grow, since the database's disk is full: make room and try again"),
    (errors.ReadOnlySqlTransaction, "the database takes no changes: see whether it is a replica, and try again"),
    (errors.InsufficientPrivilege, "the database does not let the agent do this: see to the rights of its user"),
    (errors.QueryCanceled, "the database took too long: see what it is busy with, and try again"),
    (errors.TooManyConnections, "the database has no connection left: raise max_connections, or lower --connections"),
    (errors.LockNotAvailable, "others keep the session locked in the database: try again later"),
    (errors.SerializationFailure, "the database could not put this in order with what others did: try again"),
    (errors.DeadlockDetected, "the database could not put this in order with what others did: try again"),
    (errors.DataCorrupted, "the database is damaged: restore it"),
    (errors.IndexCorrupted, "an index of the database is damaged: REINDEX it"),
    (Undecided, "whether another agent still runs this session is not known yet: try again"),
    (psycopg.OperationalError, "the database cannot be reached: see to it that it runs, and try again"),
)


def _configure(connection: Connection) -> None:
    connection.execute(_SETTINGS)


def _life(connection: Connection) -> str | None:
    (life,) = connection.execute(_LIFE).fetchone() or (None,)
    return None if life is None else str(life)


@functools.lru_cache(maxsize=256)
def _translated(statement: str) -> bytes:
    """A statement of the store's, whose parameters are `?`: no text that it holds has one."""
    return statement.replace("?", "%s").encode()


def _missing(address: str) -> dict[str, str | int]:
    given = conninfo.conninfo_to_dict(address)
    return {name: value for name, value in _DEFAULTS.items() if name not in given}


def _named(address: str) -> str:
    """A server's address without what is nobody's to read."""
    try:
        given = conninfo.conninfo_to_dict(address)
    except psycopg.Error:
        return "postgresql://..."
    return f"postgresql://{given.get('host') or given.get('hostaddr') or ''}/{given.get('dbname') or ''}"


def _line(error: Exception) -> str:
    """What the driver says, in a line."""
    return " ".join(str(error).split()) or type(error).__name__
