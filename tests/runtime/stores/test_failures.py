"""A store that is full, locked, damaged or killed: a clear error, and no answered turn is lost."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from generated._runtime.stores import engine, sqlite_file
from generated.errors import RequestError
from generated.stores import SQLiteStore, StoreError

from .agents import client
from .contract_parts import ME, nothing, stored

ROOT = Path(__file__).parents[3]


async def reason_of(work: Any) -> str:
    with pytest.raises(RequestError) as caught:
        await work
    assert caught.value.code == -32603
    return str(caught.value.data["reason"])


def life(path: Path, number: int) -> tuple[list[str], bool]:
    """What a process printed that died at a statement, and whether it came to its end."""
    command = [sys.executable, "-m", "tests.runtime.stores.dying_agent", str(path), str(number)]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False, timeout=60)
    lines = done.stdout.splitlines()
    return lines, lines[-1:] == ["done"]


async def check_history(path: Path, lines: list[str]) -> None:
    """Every answered turn is there and whole; what comes after it is a prefix of a turn."""
    async with client(SQLiteStore(path)) as me:
        for line in lines:
            if line.startswith("session"):
                await me.load(line.split()[1])
        for line in lines:
            if line.startswith("answered"):
                _, session, count = line.split()
                said = me.said(session)
                first = said.index(f"> say {count}")
                assert said[first + 1 : first + 1 + int(count)] == [f"{n} " for n in range(int(count))]
        for session in await me.listed():
            await me.load(session)
            assert await me.prompt(session, "say 1") == "end_turn"
            assert me.said(session)[-1:] == ["0 "]


@pytest.mark.parametrize("number", [1, 9, 14, 19, 22, 30])
async def test_no_answered_turn_is_lost_when_the_agent_is_killed(tmp_path: Path, number: int) -> None:
    lines, _ = await asyncio.to_thread(life, tmp_path / "store.db", number)
    await check_history(tmp_path / "store.db", lines)


@pytest.mark.slow
@pytest.mark.environment
async def test_no_answered_turn_is_lost_at_any_statement(tmp_path: Path) -> None:
    number, ended = 0, False
    while not ended:
        path = tmp_path / f"{number}.db"
        lines, ended = await asyncio.to_thread(life, path, number)
        await check_history(path, lines)
        number += 1
    assert number > 60, "fewer statements than two sessions have"


async def test_a_full_disk(tmp_path: Path) -> None:
    async with client(SQLiteStore(tmp_path / "store.db")) as me:
        session = await me.new()
        await me.prompt(session, "say 2")
        store = me.agent_store
        await limit(store, pages=1)
        reason = await reason_of(me.prompt(session, "say 5000"))
        assert "the disk of the session store is full" in reason
        await limit(store, pages=1 << 30)
        assert await me.prompt(session, "say 1") == "end_turn"


async def limit(store: Any, pages: int) -> None:
    """Let the file grow to so many pages."""
    await store.lanes.run(None, lambda: store.lanes.engine.execute(f"PRAGMA max_page_count = {pages}").fetchone())


async def test_a_locked_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SQLiteStore(tmp_path / "store.db")
    monkeypatch.setattr(store.lanes, "_patience", 0.2)
    async with client(store) as me:
        session = await me.new()
        with sqlite3.connect(tmp_path / "store.db", isolation_level=None) as other:
            other.execute("BEGIN IMMEDIATE")
            assert "the session store is locked by other programs" in await reason_of(me.prompt(session, "say 1"))
            assert await me.listed() == [session]  # readers do not wait
            other.execute("ROLLBACK")
        other.close()
        assert await me.prompt(session, "say 1") == "end_turn"


async def test_a_row_that_something_else_has_written_hides_no_other_session(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    async with client(SQLiteStore(path)) as me:
        good, bad = await me.new(), await me.new()
    with sqlite3.connect(path) as other:
        other.execute("UPDATE sessions SET fields = 'not JSON' WHERE session_key = ?", (bad,))
    other.close()
    async with client(SQLiteStore(path)) as me:
        assert await me.listed() == [good]
        assert "cannot be read" in await reason_of(me.agent.close_session(session_id=bad))


async def test_a_damaged_page_hides_no_other_session(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    store = SQLiteStore(path)
    await store.open()
    for number in range(200):
        await store.create(stored(f"session-{number:03}", fields='{"cwd":"' + "x" * 200 + '"}', updated_at=number))
    await store.close()
    size = 4096
    with sqlite3.connect(path) as other:
        [(page,)] = other.execute(
            "SELECT pageno FROM dbstat WHERE name = 'sessions' AND pagetype = 'leaf' LIMIT 1 OFFSET 3"
        ).fetchall() or [(None,)]
    other.close()
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * size)
    await store.open()
    found, _ = await store.page(ME, None, None, 500)
    assert 150 < len(found) < 200
    await store.close()


@pytest.mark.parametrize(("content", "says"), [(b"no database" * 500, "not a database"), (None, "directory")])
async def test_a_file_that_is_no_store(tmp_path: Path, content: bytes | None, says: str) -> None:
    path = tmp_path / "store.db"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(StoreError, match=says):
        await SQLiteStore(path).open()


async def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE theirs (x)")
    other.close()
    with pytest.raises(StoreError, match="a database of another program"):
        await SQLiteStore(path).open()


async def test_a_store_that_was_not_opened_says_so() -> None:
    with pytest.raises(StoreError, match=r"await store.open\(\) first"):
        await SQLiteStore(":memory:").find("", "x")


async def test_an_operation_is_repeated_while_the_file_is_locked(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path / "store.db")
    await store.open()
    other = sqlite3.connect(tmp_path / "store.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    creating = asyncio.create_task(store.create(stored("a")))
    await asyncio.sleep(engine.FIRST_PAUSE * 30)
    assert not creating.done()
    other.execute("ROLLBACK")
    other.close()
    await creating
    await store.begin_turn(ME, "a", f"{store.owner}/1", None, [b"1"], 1, nothing)
    await store.close()


async def test_a_store_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    async with client(SQLiteStore(tmp_path / "store.db")) as me:
        await me.new()
    with sqlite3.connect(tmp_path / "store.db") as newer:
        newer.execute(f"PRAGMA user_version = {len(sqlite_file.MIGRATIONS) + 1}")
    newer.close()
    with pytest.raises(StoreError, match="written by a newer version"):
        await SQLiteStore(tmp_path / "store.db").open()


async def test_a_migration_that_fails_leaves_the_store_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with client(SQLiteStore(tmp_path / "store.db")) as me:
        session = await me.new()
    with monkeypatch.context() as patched:
        broken = (*sqlite_file.MIGRATIONS, ("ALTER TABLE sessions ADD COLUMN colour TEXT", "NONSENSE"))
        patched.setattr(sqlite_file, "MIGRATIONS", broken)
        with pytest.raises(StoreError, match="NONSENSE"):
            await SQLiteStore(tmp_path / "store.db").open()
    async with client(SQLiteStore(tmp_path / "store.db")) as me:
        assert await me.listed() == [session]
