"""Sessions in PostgreSQL on its bad days: agents taken for dead, servers that go and come back, commits nobody heard of."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_tools.relay.chaos import Faults, proxied
from examples.acp.stores import PostgresStore, StoredSession, StoreError, StoreFailed, using
from generated._runtime.stores import postgres_schema, pulse
from generated._runtime.stores.postgres_schema import MIGRATIONS, Migration
from tests.support.cluster import Cluster, cluster, name_of

from .test_process import run
from .wire import house, said, started

pytestmark = pytest.mark.environment


@pytest.fixture
def address(postgres: Cluster) -> Iterator[str]:
    place = postgres.create()
    yield place
    postgres.drop(place)


def silence(store: Any) -> None:
    """An agent is not heard of any more, as if its machine had stopped."""
    beat: Any = store.lanes.engine._pulse
    beat._over.set()
    beat._thread.join()
    if beat._connection is not None:
        beat._connection.close()
        beat._connection = None


async def execute(store: Any, statement: str, *arguments: object) -> list[Any]:
    """Run a statement: its rows."""

    def run() -> list[Any]:
        done = store.lanes.engine.execute(statement, arguments)
        return list(done.fetchall()) if statement.startswith("SELECT") else []

    return list(await store.lanes.run(None, run))


# Who runs a session, and who does not any more


async def test_the_client_of_a_turn_that_was_taken_over_is_told_to_load(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pulse, "GONE", 0.2)
    async with (
        house(address, pace=0.01) as one,
        house(address) as two,
        one.connected() as wire,
        two.connected() as other,
    ):
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await asyncio.to_thread(silence, one.store)
        await other.load(session)
        assert await other.prompt(session, "/echo on") == "end_turn"
        error = (await turn)["error"]
        assert (error["code"], error["data"]["sessionId"]) == (-32603, session)
        assert "another process has taken over this session: load it" in error["data"]["reason"]
        assert one.host.sessions == {}
        assert (await wire.refused("session/set_mode", sessionId=session, modeId="auto")).code == -32002


async def test_an_agent_that_was_taken_for_dead_has_its_leases_again(address: str) -> None:
    async with house(address) as one, house(address) as two, one.connected() as wire, two.connected() as other:
        session = await wire.new()
        await execute(two.store, "DELETE FROM leases")
        await execute(two.store, "DELETE FROM agents WHERE owner = ?", one.store.owner)
        while not await execute(two.store, "SELECT 1 FROM leases"):  # noqa: ASYNC110  # the database rings no bell
            await asyncio.sleep(0.02)
        await other.call("session/close", sessionId=session)
        assert one.host.sessions == {}


# A server that goes, and comes back


WORDS = " ".join(f"word{number}" for number in range(120))


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_turn_goes_on_when_the_database_is_back(address: str, postgres: Cluster, mode: str) -> None:
    async with house(address, pace=0.005) as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, f"/echo {WORDS}")
        await wire.until_update("agent_message_chunk")
        await asyncio.to_thread(postgres.stop, mode)
        await asyncio.sleep(0.2)
        await asyncio.to_thread(postgres.start)
        answer = await turn
        if "result" in answer:
            assert said(wire.updates()) == WORDS
            assert said(await wire.history(session)) == WORDS
        else:  # a crash lost what was shown and not written: the turn is not committed, and that is said
            assert mode == "immediate"
            assert "lost" in answer["error"]["data"]["reason"]
        assert await wire.prompt(session, "/echo on") == "end_turn"


async def test_a_database_that_does_not_come_back_is_told(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with house(address, pace=0.005) as home, home.connected() as wire:
        monkeypatch.setattr(home.store.lanes, "_patience", 0.3)  # type: ignore[attr-defined]
        session = await wire.new()
        turn = wire.prompting(session, f"/echo {WORDS}")
        await wire.until_update("agent_message_chunk")
        await asyncio.to_thread(postgres.stop, "fast")
        try:
            error = (await turn)["error"]
            assert error["code"] == -32603
            assert "the database cannot be reached: check that it runs" in error["data"]["reason"]
            assert "cannot be reached" in (await wire.refused("session/list")).data["reason"]
        finally:
            await asyncio.to_thread(postgres.start)
        monkeypatch.setattr(home.store.lanes, "_patience", 10.0)  # type: ignore[attr-defined]
        assert await wire.prompt(session, "/echo on") == "end_turn"
        assert said(await wire.history(session)).endswith("on")
    assert [record for record in caplog.records if record.exc_info] == []


def test_a_database_that_is_not_there_is_an_error_in_a_line(tmp_path: Path) -> None:
    done = run("--store", f"postgresql://me:secret@/none?host={tmp_path}")
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)
    assert b"session_agent: postgresql://" in done.stderr
    assert b"secret" not in done.stderr


def test_an_address_that_is_none_is_an_error_in_a_line() -> None:
    done = run("--store", "postgresql://user:secret@host:noport/x")
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)


# Commits whose outcome nobody heard of


@pytest.mark.parametrize("side", ["client", "server"], ids=["before", "after"])
async def test_what_a_lost_commit_did_is_found_out_and_done_once(
    address: str, postgres: Cluster, tmp_path: Path, side: str
) -> None:
    socket = ".s.PGSQL.5432"
    behind = proxied(
        f"unix:{postgres.folder / socket}", at=f"unix:{tmp_path / socket}", only=lambda asked: b"COMMIT\0" in asked
    )
    async with (
        behind as proxy,
        house(address.replace(str(postgres.folder), str(tmp_path))) as home,
        home.connected() as wire,
    ):
        session = await wire.new()
        proxy.faults = Faults(cut=0, times=2, side=side)  # where a turn begins, and where it ends
        assert await wire.prompt(session, "/echo once") == "end_turn"
        assert proxy.struck == 2
        proxy.faults = Faults(cut=0, times=3, side=side)
        fork = await wire.fork(session)
        assert await wire.listed() == [fork, session]
        assert said(await wire.history(fork)) == "once"
        assert await execute(home.store, "SELECT turn, outcome FROM sessions") == [(1, "end_turn")] * 2
        assert proxy.struck == 3


@pytest.fixture
def crashing() -> Iterator[Cluster]:
    """A server of our own, which may crash."""
    with cluster() as server:
        yield server


async def test_what_was_acknowledged_survives_crashes_amid_commits_and_nothing_is_there_twice(
    crashing: Cluster,
) -> None:
    kept, doubted, refused = set[str](), set[str](), set[str]()
    over = False
    async with using(PostgresStore(crashing.create())) as store:
        await store.open()

        async def create(lane: int) -> None:
            number = 0
            while not over:
                number += 1
                place = f"/{lane}/{number}"
                try:
                    await store.create(
                        StoredSession(session_key=place, identity=f"me {lane}", place=place, changed_at=1)
                    )
                    kept.add(place)
                except StoreFailed as error:
                    (doubted if "is not known" in str(error) else refused).add(place)

        working = [asyncio.ensure_future(create(lane)) for lane in range(8)]
        for _ in range(6):
            before = len(kept)
            while len(kept) < before + 50:  # noqa: ASYNC110  # the crash is to come amid commits
                await asyncio.sleep(0.001)
            await asyncio.to_thread(crashing.stop)
            await asyncio.to_thread(crashing.start)
        over = True
        await asyncio.gather(*working)
        rows = await execute(store, "SELECT place, count(*) FROM sessions GROUP BY place")
    found = dict(rows)
    assert set(found.values()) == {1}
    assert kept <= found.keys() <= kept | doubted
    assert not refused & found.keys()


# What the database refuses


def obstruct(postgres: Cluster, address: str, table: str, code: str, times: int) -> None:
    """The first changes of a table fail with a code, as far as the agent sees for the database's own reasons."""
    with postgres.keeper(name_of(address)) as keeper:
        keeper.execute("CREATE SEQUENCE session_store.attempts")
        keeper.execute("GRANT ALL ON session_store.attempts TO PUBLIC")
        keeper.execute(
            "CREATE FUNCTION session_store.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF nextval('session_store.attempts') <= {times} THEN "
            f"RAISE EXCEPTION 'could not' USING ERRCODE = '{code}'; END IF; RETURN NEW; END $$"
        )
        keeper.execute(
            f"CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON session_store.{table} "
            "FOR EACH ROW EXECUTE FUNCTION session_store.fail()"
        )


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03"], ids=["serialization", "deadlock", "lock"])
@pytest.mark.parametrize("table", ["entries", "sessions"])
async def test_what_may_succeed_in_a_moment_is_tried_again(
    address: str, postgres: Cluster, code: str, table: str
) -> None:
    async with house(address) as home, home.connected() as wire:
        session = await wire.new()
        obstruct(postgres, address, table, code, 2)
        assert await wire.prompt(session, "/echo once only") == "end_turn"
        assert said(wire.updates()) == said(await wire.history(session)) == "once only"


async def test_a_full_disk_of_the_database_fails_the_turn_and_the_next_one_goes_on(
    address: str, postgres: Cluster
) -> None:
    async with house(address) as home, home.connected() as wire:
        session = await wire.new()
        obstruct(postgres, address, "entries", "53100", 1)
        error = (await wire.prompting(session, "/echo lost"))["error"]
        assert error["code"] == -32603
        assert "the database's disk is full: free some space and try again" in error["data"]["reason"]
        assert await wire.prompt(session, "/echo on") == "end_turn"
        assert said(await wire.history(session)) == "on"


async def test_order_that_cannot_be_had_is_told(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(address) as home, home.connected() as wire:
        monkeypatch.setattr(home.store.lanes, "_patience", 0.1)  # type: ignore[attr-defined]
        session = await wire.new()
        obstruct(postgres, address, "entries", "40001", 1_000_000)
        error = (await wire.prompting(session, "hello"))["error"]
        assert error["data"]["reason"].startswith("the database could not serialize this")


async def test_a_server_without_a_free_connection_is_told_and_one_that_frees_some_is_used(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(address) as home, home.connected() as wire:
        session = await wire.new()
        with postgres.keeper() as keeper:
            keeper.execute("ALTER ROLE agent CONNECTION LIMIT 0")
            try:
                keeper.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'agent'")
                with pytest.raises(StoreError, match="too many connections"):
                    await PostgresStore(address).open()
                with monkeypatch.context() as hasty:
                    hasty.setattr(home.store.lanes, "_patience", 0.3)  # type: ignore[attr-defined]
                    refusal = await wire.refused("session/list")
                assert refusal.code == -32603
                waiting = wire.start("session/list", {})
                await asyncio.sleep(0.3)
            finally:
                keeper.execute("ALTER ROLE agent CONNECTION LIMIT -1")
        assert [entry["sessionId"] for entry in (await waiting)["result"]["sessions"]] == [session]


async def test_more_turns_at_once_than_connections_wait_for_each_other(address: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(PostgresStore.__init__, "__defaults__", (1,))
    async with house(address) as home, home.connected() as wire:
        sessions = [await wire.new() for _ in range(20)]
        turns = [wire.prompting(session, f"/echo all of {session}") for session in sessions]
        assert all("result" in answer for answer in await asyncio.gather(*turns))
        for session in sessions:
            assert said(await wire.history(session)) == f"all of {session}"


# Several at once


async def test_agents_that_start_at_once_create_one_store(address: str) -> None:
    stores = [PostgresStore(address) for _ in range(6)]
    await asyncio.gather(*(store.open() for store in stores))
    assert len({await store.secret() for store in stores}) == 1
    assert len({store.owner for store in stores}) == 6
    for store in stores:
        await store.close()


# Versions

COLOUR = ("ALTER TABLE sessions ADD COLUMN colour TEXT NOT NULL DEFAULT 'red'", "CREATE TABLE colours (name TEXT)")


async def test_an_agent_works_on_while_a_newer_one_migrates(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with house(address, pace=0.005) as old, old.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, f"/echo {WORDS}")
        await wire.until_update("agent_message_chunk")
        monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, Migration(COLOUR)))
        async with house(address) as new, new.connected() as other:
            assert (await turn)["result"] == {"stopReason": "end_turn"}
            assert said(await other.history(session)) == WORDS
            await wire.fork(session)
            assert await wire.listed() == await other.listed()
            colours = await execute(new.store, "SELECT DISTINCT colour FROM sessions")
            assert colours == [("red",)]


async def test_a_migration_that_breaks_older_agents_waits_until_they_are_gone(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with house(address) as old, old.connected() as wire:
        session = await wire.new()
        breaking = Migration(("ALTER TABLE sessions RENAME COLUMN title TO name",), breaking=True)
        monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, breaking))
        with pytest.raises(StoreError, match=r"1 processes of an older, incompatible version use it: end them first"):
            await PostgresStore(address).open()
        assert await wire.listed() == [session], "nothing has changed for it"
    async with using(PostgresStore(address)) as new:
        assert await execute(new, "SELECT name FROM sessions") == [(None,)]


async def test_a_migration_that_fails_leaves_the_store_as_it_was(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with using(PostgresStore(address)):
        pass
    with monkeypatch.context() as patched:
        patched.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, Migration((*COLOUR, "NONSENSE"))))
        with pytest.raises(StoreError, match="NONSENSE"):
            await PostgresStore(address).open()
    async with using(PostgresStore(address)) as store:
        assert await execute(store, "SELECT to_regclass('colours')") == [(None,)]


async def test_a_store_of_a_newer_agent_is_refused(address: str) -> None:
    async with using(PostgresStore(address)) as store:
        await execute(store, "UPDATE version SET version = ?", len(MIGRATIONS) + 1)
    with pytest.raises(StoreError, match="written by a newer version"):
        await PostgresStore(address).open()


async def test_a_schema_of_another_program_is_refused_and_left_alone(address: str, postgres: Cluster) -> None:
    with postgres.keeper(name_of(address)) as keeper:
        keeper.execute("CREATE SCHEMA session_store AUTHORIZATION agent")
        keeper.execute("CREATE TABLE session_store.sessions (x INTEGER)")
        with pytest.raises(StoreError, match="belongs to another program"):
            await PostgresStore(address).open()
        tables = keeper.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'session_store'").fetchall()
    assert tables == [("sessions",)]


async def test_an_agent_that_ends_leaves_neither_row_nor_connection(address: str, postgres: Cluster) -> None:
    async with started("--store", address) as wire:
        await wire.new()
        assert await wire.leave() == 0
    with postgres.keeper(name_of(address)) as keeper:
        assert keeper.execute("SELECT count(*) FROM session_store.agents").fetchone() == (0,)
        assert keeper.execute("SELECT count(*) FROM session_store.leases").fetchone() == (0,)
