"""What a page of `session/list` costs among a million sessions. Run: python benchmarks/sessions.py [COUNT] [FILE]

Pages are asked for over stdio, of an agent in a process of its own: the first page, and the last ones, whose cursors
are made here, since walking there would take ten thousand requests. Beside them the same pages from the store alone,
and what a list by offset would cost.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.model import Opener, Probe, Row, Setting, Target  # noqa: E402
from examples import acp  # noqa: E402
from examples.acp.stores import Position, SQLiteStore  # noqa: E402
from generated._runtime.stores.listing import Cursors, clock  # noqa: E402

PAGE = 100
RUNS = 51
COMMAND = (sys.executable, "-m", "examples.session_agent", "--page-size", str(PAGE), "--store")
HERE = "/srv/project-3"
"""One directory of ten."""


def fill(path: str, count: int) -> None:
    """A store with so many sessions, a microsecond apart; a tenth of them in each of ten directories."""
    asyncio.run(_made(path))
    database = sqlite3.connect(path)
    with database:
        database.execute(
            """INSERT INTO sessions (session_key, identity, place, fields, data, title, listed, changed_at)
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
            SELECT printf('sess_%032x', i), '', '/srv/project-' || (i % 10),
            json_object('cwd', '/srv/project-' || (i % 10)), '{}', 'Session ' || i, 1, i FROM n""",
            (count,),
        )
    database.close()


async def _made(path: str) -> None:
    await (await opened(path)).close()


async def opened(path: str) -> SQLiteStore:
    """An open store."""
    store = SQLiteStore(path)
    await store.open()
    return store


def last(database: sqlite3.Connection, cwd: str | None) -> Position:
    """Where the last page begins: before it stands one more than it holds."""
    where, values = ("WHERE place = ?", (cwd,)) if cwd else ("", ())
    query = (
        f"SELECT changed_at, session_key FROM sessions {where} ORDER BY changed_at, session_key LIMIT 1 OFFSET {PAGE}"
    )
    return Position(*database.execute(query, values).fetchone())


def page_by_offset(database: sqlite3.Connection, offset: int) -> None:
    """Read a page as a list by offset would."""
    query = (
        "SELECT * FROM sessions WHERE deleted_at IS NULL ORDER BY changed_at DESC, session_key DESC LIMIT ? OFFSET ?"
    )
    assert len(database.execute(query, (PAGE, offset)).fetchall()) == PAGE


async def cost(call: Callable[..., Awaitable[Any]], *arguments: Any) -> float:
    """Milliseconds that a call takes, the median of some."""
    taken = []
    for _ in range(RUNS):
        begun = time.perf_counter()
        await call(*arguments)
        taken.append(time.perf_counter() - begun)
    return median(taken) * 1000


async def compare(path: str, count: int) -> None:
    """First page against last pages, with and without a filter."""
    store = await opened(path)
    cursors = Cursors(await store.secret())
    database = sqlite3.connect(path)

    async def kept(cwd: str | None, after: Position | None) -> None:
        assert len((await store.page("", cwd, after, PAGE))[0]) == PAGE

    async def by_offset(offset: int) -> None:
        page_by_offset(database, offset)

    print(f"\n{'milliseconds a page of ' + str(PAGE):<28}{'first':>8}{'last':>8}")
    async with acp.spawn_agent(acp.Client(), *COMMAND, path, cwd=ROOT) as agent:
        await agent.initialize()

        async def page(cwd: str | None, cursor: str | None, more: bool) -> None:
            answer = await agent.list_sessions(cwd=cwd, cursor=cursor)
            assert (len(answer.sessions), bool(answer.next_cursor)) == (PAGE, more)

        for name, cwd in (("over stdio", None), ("over stdio, one cwd", HERE)):
            cursor = cursors.write(last(database, cwd), "", cwd, clock())
            first, end = await cost(page, cwd, None, True), await cost(page, cwd, cursor, False)
            print(f"{name:<28}{first:8.2f}{end:8.2f}")
    for name, cwd in (("store", None), ("store, one cwd", HERE)):
        first, end = await cost(kept, cwd, None), await cost(kept, cwd, last(database, cwd))
        print(f"{name:<28}{first:8.2f}{end:8.2f}")
    first, end = await cost(by_offset, 0), await cost(by_offset, count - PAGE)
    print(f"{'by offset, for comparison':<28}{first:8.2f}{end:8.2f}")
    database.close()
    await store.close()


def _page(read: Callable[[SQLiteStore, sqlite3.Connection], Callable[[], object]]) -> Opener:
    """Seconds that a page takes to read, of a store that the openers of the row share."""

    def open_(setting: Setting) -> Probe:
        path = str(setting.scratch / "sessions.db")
        if not os.path.exists(path):
            fill(path, _MANY)
        page = read(_LOOP.run_until_complete(opened(path)), sqlite3.connect(path))

        def probe() -> float:
            start = time.perf_counter()
            for _ in range(RUNS):
                page()
            return (time.perf_counter() - start) / RUNS

        return probe

    return open_


def _kept(first: bool) -> Callable[[SQLiteStore, sqlite3.Connection], Callable[[], object]]:
    def read(store: SQLiteStore, database: sqlite3.Connection) -> Callable[[], object]:
        after = None if first else last(database, None)
        return lambda: _LOOP.run_until_complete(store.page("", None, after, PAGE))

    return read


_MANY = 100_000
_LOOP = asyncio.new_event_loop()

ROWS = (
    Row(
        "sessions/page",
        f"the last page of {PAGE} sessions, of {_MANY:,} in a store",
        "s",
        {
            "ours": _page(_kept(first=False)),
            "first page": _page(_kept(first=True)),
            "by offset": _page(lambda _, database: lambda: page_by_offset(database, _MANY - PAGE)),
        },
        (Target("first page", "of", 1.5), Target("by offset", "faster")),
        rounds=9,
    ),
)

if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as directory:
        file = sys.argv[2] if len(sys.argv) > 2 else os.path.join(directory, "sessions.db")
        if not os.path.exists(file):
            started = time.perf_counter()
            fill(file, number)
            size = os.path.getsize(file) / 1e6
            print(f"{number:,} sessions in {time.perf_counter() - started:.1f} s, {size:,.0f} MB")
        asyncio.run(compare(file, number))
