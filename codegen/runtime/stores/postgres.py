"""PostgreSQL: sessions in a database that the processes of many machines share."""

from __future__ import annotations

from .base import StoreError
from .engine import Engine, Lanes
from .sql import SQLStore


class PostgresStore(SQLStore):
    """A session store in the PostgreSQL schema `session_store`, for instance at `postgresql://user@host/name`.

    `connections`: how many operations run at once. Needs `psycopg[binary,pool]`, which `open` imports.
    """

    def __init__(self, address: str, connections: int = 4) -> None:
        super().__init__(Lanes(lambda: _engine(address, connections)))


def _engine(address: str, connections: int) -> Engine:
    try:
        from .postgres_engine import PostgresEngine  # noqa: PLC0415  # its driver is needed for this store alone
    except ImportError as error:
        raise StoreError(f"PostgreSQL stores need {error.name}: pip install 'psycopg[binary,pool]'") from error
    return PostgresEngine(address, connections)
