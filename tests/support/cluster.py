"""PostgreSQL for tests: a cluster of its own in a temporary folder, reached over a Unix socket alone.

It keeps what it has acknowledged when a process dies, and not when the machine does (`fsync = off`): no test cuts the
power. The server refuses to run as root, so there it runs as another user.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import psycopg

USERS = ("postgres", "nobody")
"""Who may run a server where we are root."""
ROLE = "agent"
"""Whom agents log in as: no superuser."""

FAST: Mapping[str, str] = {
    "fsync": "off",
    "full_page_writes": "off",
    "shared_buffers": "32MB",
    "max_connections": "80",
    "autovacuum": "off",
    "max_wal_size": "256MB",
    "logging_collector": "off",
}


@functools.cache
def binaries() -> Path | None:
    """The folder of `initdb` and `postgres`; None where there is no PostgreSQL."""
    debian = Path("/usr/lib/postgresql")
    versions = sorted(debian.glob("*/bin"), key=lambda path: float(path.parent.name)) if debian.is_dir() else []
    for folder in [*reversed(versions), *map(Path, os.environ.get("PATH", "").split(os.pathsep))]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


@functools.cache
def missing() -> str | None:
    """Why there can be no cluster here; None where there can."""
    if binaries() is None:
        return "there is no PostgreSQL: apt-get install postgresql (initdb is looked for in /usr/lib/postgresql and on the PATH)"
    if _is_root() and (_user() is None or shutil.which("setpriv") is None):
        return f"PostgreSQL does not run as root: a user ({' or '.join(USERS)}) and setpriv are needed"
    return None


def _is_root() -> bool:
    return hasattr(os, "geteuid") and os.geteuid() == 0


def _user() -> Any:
    import pwd  # which Windows does not have

    for name in USERS:
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    return None


class Cluster:
    """A server and its folder."""

    def __init__(self, folder: Path, settings: Mapping[str, str] = FAST) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "log"
        self._numbers = itertools.count(1)
        self._free: list[str] = []
        user = _user() if _is_root() else None
        self._as_user: list[str] = []
        if user is not None:
            os.chown(folder, user.pw_uid, user.pw_gid)
            self._as_user = ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]
        self._run("initdb", "-D", self.data, "-U", "keeper", "--auth=trust", "--no-sync", "-E", "UTF8", "--locale=C")
        with (self.data / "postgresql.conf").open("a") as file:
            for name, value in {**settings, "listen_addresses": "", "unix_socket_directories": str(folder)}.items():
                file.write(f"{name} = '{value}'\n")
        self.start()
        with self.keeper() as connection:
            connection.execute(f"CREATE ROLE {ROLE} LOGIN")

    def start(self) -> None:
        self._run("pg_ctl", "-D", self.data, "-l", self.log, "-w", "start")

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is what a crash leaves: nothing is written any more, and the log is replayed at the next start."""
        self._run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    def create(self) -> str:
        """An empty database: its address."""
        name = f"test_{next(self._numbers)}"
        with self.keeper() as connection:
            connection.execute(f"CREATE DATABASE {name} OWNER {ROLE} TEMPLATE template0")
        return f"postgresql://{ROLE}@/{name}?host={self.folder}"

    def lend(self) -> str:
        """A database that is empty, or holds the tables of the store and nothing in them: its address."""
        return self._free.pop() if self._free else self.create()

    def take_back(self, address: str) -> None:
        """Empty it for the next one, which takes a tenth of making another."""
        with self.keeper(name_of(address)) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
            for schema in ("session_store",):
                if connection.execute(f"SELECT to_regclass('{schema}.version')".encode()).fetchone() != (None,):
                    for table in ("sessions", "leases", "agents", "secrets"):
                        connection.execute(f"DELETE FROM {schema}.{table}".encode())
        self._free.append(address)

    def drop(self, address: str) -> None:
        with self.keeper() as connection:
            connection.execute(f"DROP DATABASE IF EXISTS {name_of(address)} WITH (FORCE)")

    @contextlib.contextmanager
    def keeper(self, database: str = "postgres") -> Generator[psycopg.Connection, None, None]:
        """A superuser's connection."""
        with psycopg.connect(f"postgresql://keeper@/{database}?host={self.folder}", autocommit=True) as connection:
            yield connection

    def _run(self, program: str, *arguments: object) -> None:
        folder = binaries()
        assert folder is not None
        done = subprocess.run(
            [*self._as_user, str(folder / program), *map(str, arguments)],
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,  # the server would keep a pipe open
            stderr=subprocess.DEVNULL,
            check=False,
        )
        said = self.log.read_text(errors="replace")[-2000:] if self.log.exists() else ""
        assert done.returncode == 0, f"{program} failed: {said}"


def name_of(address: str) -> str:
    found = re.search(r"/(\w+)\?", address)
    assert found is not None
    return found[1]


@contextlib.contextmanager
def cluster(settings: Mapping[str, str] = FAST) -> Generator[Cluster, None, None]:
    """A cluster that is gone afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="pg", dir="/tmp"))  # short: the path of a socket has 107 bytes at most
    running = None
    try:
        running = Cluster(folder, settings)
        yield running
    finally:
        if running is not None:
            with contextlib.suppress(AssertionError):
                running.stop()
        shutil.rmtree(folder, ignore_errors=True)
