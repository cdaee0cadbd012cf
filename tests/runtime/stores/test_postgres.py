"""Processes that share a database in PostgreSQL: who runs a session, by whose clock, and what a list shows meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import time
from collections.abc import AsyncGenerator, Iterator
from typing import Any

import pytest

from generated._runtime.stores.base import Busy, Fenced, StoreError, TurnKey
from generated._runtime.stores.engine import Undecided
from generated.stores import PostgresStore
from tests.support.cluster import Cluster

from .contract_parts import ME, nothing, stored

pytestmark = pytest.mark.environment


@pytest.fixture
def address(postgres: Cluster) -> Iterator[str]:
    place = postgres.create()
    yield place
    postgres.drop(place)


@contextlib.asynccontextmanager
async def two_processes(address: str) -> AsyncGenerator[tuple[PostgresStore, PostgresStore], None]:
    """Two stores on one database; as far as it can tell, they belong to two processes."""
    stores = PostgresStore(address), PostgresStore(address)
    for store in stores:
        await store.open()
    try:
        yield stores
    finally:
        for store in stores:
            await store.close()


async def begun(store: PostgresStore, session: str, number: int = 1) -> TurnKey:
    return (await store.begin_turn(ME, session, f"{store.owner}/{number}", None, [b"{}"], 5, nothing))[1]


async def silence(store: PostgresStore) -> None:
    """The process is not heard of any more, as if its machine had stopped."""
    pulse: Any = store.lanes.engine._pulse  # type: ignore[attr-defined]
    pulse._over.set()
    await asyncio.to_thread(pulse._thread.join)
    pulse._connection.close()
    pulse._connection = None


# Who runs a session, and who does not any more


async def test_a_process_that_lost_its_turn_commits_nothing_of_it(address: str) -> None:
    async with two_processes(address) as (lost, heir):
        await lost.create(stored("a"))
        turn = await begun(lost, "a")
        await lost.append(ME, "a", turn, 1, [b"{}"])
        await silence(lost)
        await begun(heir, "a")
        history = await heir.history(ME, "a")
        with pytest.raises(Fenced):
            await lost.append(ME, "a", turn, 2, [b'{"late":1}'])
        with pytest.raises(Fenced):
            await lost.finish_turn(ME, "a", turn, 2, [b'{"late":1}'], "end_turn", 9)
        assert await heir.history(ME, "a") == history


async def test_the_clock_is_that_of_the_database(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with two_processes(address) as (owner, other):
        await owner.create(stored("a"))
        turn = await begun(owner, "a")
        monkeypatch.setattr(time, "time", lambda: 4e9)
        monkeypatch.setattr(time, "time_ns", lambda: 4 * 10**18)
        with pytest.raises(Busy):
            await begun(other, "a")
        await owner.finish_turn(ME, "a", turn, 1, [], "end_turn", 9)


async def test_a_process_whose_connections_were_cut_keeps_its_turn(address: str, postgres: Cluster) -> None:
    async with two_processes(address) as (owner, other):
        await owner.create(stored("a"))
        turn = await begun(owner, "a")
        with postgres.keeper() as keeper:
            keeper.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'agent'")
        with pytest.raises(Busy):
            await begun(other, "a")
        await owner.finish_turn(ME, "a", turn, 1, [], "end_turn", 9)
        assert (await other.find(ME, "a")).outcome == "end_turn"


async def test_after_an_absence_of_the_server_nobody_is_dead_at_once(address: str, postgres: Cluster) -> None:
    async with two_processes(address) as (owner, other):
        engine: Any = other.lanes.engine
        await silence(owner)
        await asyncio.to_thread(
            engine.execute, "UPDATE agents SET seen_at = seen_at - interval '1 minute' WHERE owner = ?", (owner.owner,)
        )
        await asyncio.to_thread(postgres.stop, "fast")
        await asyncio.to_thread(postgres.start)
        await other.page(ME, None, None, 1)  # repeated until the server answers
        with pytest.raises(Undecided):
            await asyncio.to_thread(engine.is_alive, owner.owner)
        await other.create(stored("a"))
        assert await begun(other, "a") == (1, f"{other.owner}/1")


async def test_processes_of_equal_number_and_host_have_names_of_their_own(address: str) -> None:
    async with two_processes(address) as (one, two):
        assert one.owner.partition("#")[0] == two.owner.partition("#")[0]
        assert one.owner != two.owner


async def test_lists_are_whole_while_others_write(address: str) -> None:
    async with two_processes(address) as (reader, writer):
        engine: Any = writer.lanes.engine
        many = 10_000
        await asyncio.to_thread(
            engine.execute,
            "INSERT INTO sessions (session_key, identity, place, fields, data, title, listed, changed_at) "
            f"SELECT 'old-' || n, '{ME}', '', '{{}}', '{{}}', NULL, 1, n FROM generate_series(1, {many}) n",
        )
        over = asyncio.Event()

        async def write() -> int:
            number = 0
            while not over.is_set():
                number += 1
                await writer.create(stored(f"new-{number}", updated_at=many + number))
            return number

        writing = asyncio.create_task(write())
        seen: list[str] = []
        after = None
        while True:
            found, after = await reader.page(ME, None, after, 500)
            seen += [session.session_key for session in found]
            if after is None:
                break
        over.set()
        assert await writing > 1
        assert len(seen) == len(set(seen))
        assert {f"old-{n}" for n in range(1, many + 1)} <= set(seen)


async def test_without_the_driver_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "generated._runtime.stores.postgres_engine", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'psycopg\[binary,pool\]'"):
        await PostgresStore("postgresql:///x").open()
