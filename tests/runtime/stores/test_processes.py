"""Agents of several processes that share a store: what one does to a session that another has open."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generated.errors import RequestError
from generated.stores import OpenSession, PostgresStore, SQLiteStore

from .agents import Author, client, until

ROOT = Path(__file__).parents[3]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.environment)])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Makes stores at one place: each is that of another process, as far as the store can tell."""
    if request.param == "sqlite":
        yield lambda: SQLiteStore(tmp_path / "store.db")
    else:
        server = request.getfixturevalue("postgres")
        address = server.lend()
        yield lambda: PostgresStore(address)
        server.take_back(address)


class Told(Author):
    """Keeps what it hears of sessions that others end."""

    heard: list[Any]

    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None:
        Told.heard.append(ended)


async def test_a_session_that_is_closed_elsewhere_ends_its_turn_here(place: Any) -> None:
    Told.heard = []
    async with client(place(), Told) as here, client(place()) as there:
        session = await here.new()
        turn = asyncio.create_task(here.prompt(session, "wait 1"))
        await here.until(session, "0 ")
        await there.agent.close_session(session_id=session)
        assert await turn == "cancelled"
        await until(lambda: Told.heard == [{"wish": "close"}])
        await there.load(session)
        assert there.said(session) == ["> wait 1", "0 "]


async def test_a_session_that_is_deleted_elsewhere_ends_here(place: Any) -> None:
    Told.heard = []
    async with client(place(), Told) as here, client(place()) as there:
        session = await here.new()
        turn = asyncio.create_task(here.prompt(session, "wait 1"))
        await here.until(session, "0 ")
        await there.agent.delete_session(session_id=session)
        assert await turn == "cancelled"
        await until(lambda: len(Told.heard) == 1)
        with pytest.raises(RequestError):
            await here.prompt(session, "x")


async def test_one_prompt_runs_at_a_time_in_all_processes(place: Any) -> None:
    async with client(place()) as here, client(place()) as there:
        session = await here.new()
        await there.load(session)
        turn = asyncio.create_task(here.prompt(session, "wait 1"))
        await here.until(session, "0 ")
        with pytest.raises(RequestError) as caught:
            await there.prompt(session, "say 1")
        assert caught.value.data["reason"] == "a prompt is running in this session"
        await here.agent.cancel(session_id=session)
        assert await turn == "cancelled"
        assert await there.prompt(session, "say 1") == "end_turn"


async def test_the_turn_of_a_killed_process_is_closed_by_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "store.db"
    program = (
        "import asyncio, os, signal\n"
        "from generated.stores import SQLiteStore\n"
        "from tests.runtime.stores.agents import client\n"
        "async def main():\n"
        f"    async with client(SQLiteStore({str(path)!r})) as me:\n"
        "        session = await me.new()\n"
        "        print(session, flush=True)\n"
        "        turn = asyncio.create_task(me.prompt(session, 'tool 100'))\n"
        "        await me.until(session, '99 ')\n"
        "        await asyncio.sleep(1)\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = await asyncio.to_thread(
        subprocess.run, [sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
    )
    session = done.stdout.strip()
    async with client(SQLiteStore(path)) as me:
        await me.load(session)
        assert me.said(session) == ["> tool 100", *(f"{n} " for n in range(100))]
        assert me.calls(session) == ["in_progress", "failed"]
        assert await me.prompt(session, "say 1") == "end_turn"


@pytest.mark.environment
@pytest.mark.parametrize(("updates", "most"), [(10, 12), (200, 20)])
async def test_a_session_with_one_turn_costs_few_statements(postgres: Any, updates: int, most: int) -> None:
    from psycopg import Connection

    address = postgres.lend()
    statements: list[str] = []
    execute = Connection.execute

    def counted(self: Any, query: Any, *arguments: Any, **named: Any) -> Any:
        text = query.decode() if isinstance(query, bytes) else str(query)
        if "agents" not in text and "wish" not in text and "SET " not in text[:40]:
            statements.append(text)
        return execute(self, query, *arguments, **named)

    Connection.execute = counted  # type: ignore[method-assign]
    try:
        async with client(PostgresStore(address)) as me:
            await me.listed()
            statements.clear()
            session = await me.new()
            await me.prompt(session, f"say {updates}")
            assert len(statements) <= most, statements
    finally:
        Connection.execute = execute  # type: ignore[method-assign]
    postgres.take_back(address)
