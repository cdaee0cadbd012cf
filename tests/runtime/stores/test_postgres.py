"""Sessions in PostgreSQL on its bad days: processes taken for dead, servers that go and come back, lost commits."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
import time
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from generated._runtime.stores.base import Busy, Fenced, StoreError, TurnKey
from generated._runtime.stores.engine import Undecided
from generated.stores import PostgresStore
from tests.support.cluster import Cluster, cluster, name_of

from .agents import client, until
from .contract_parts import ME, nothing, stored
from .test_failures import reason_of

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


# A server that goes, and comes back


@pytest.mark.parametrize("mode", ["fast", "immediate"])
async def test_a_turn_goes_on_when_the_database_is_back(address: str, postgres: Cluster, mode: str) -> None:
    async with client(PostgresStore(address)) as me:
        session = await me.new()
        turn = asyncio.create_task(me.prompt(session, "say 3000"))
        await until(lambda: len(me.said(session)) > 70)
        await asyncio.to_thread(postgres.stop, mode)
        await asyncio.to_thread(postgres.start)
        assert await turn == "end_turn"
        assert await me.prompt(session, "say 1") == "end_turn"
    async with client(PostgresStore(address)) as me:
        await me.load(session)
        assert me.said(session) == ["> say 3000", *(f"{n} " for n in range(3000)), "> say 1", "0 "]


async def test_a_database_that_does_not_come_back_is_reported(
    address: str, postgres: Cluster, caplog: pytest.LogCaptureFixture
) -> None:
    store = PostgresStore(address)
    async with client(store) as me:
        session = await me.new()
        store.lanes._patience = 0.3
        await asyncio.to_thread(postgres.stop, "fast")
        try:
            assert "the database cannot be reached" in await reason_of(me.prompt(session, "say 1"))
            assert "the database cannot be reached" in await reason_of(me.listed())
        finally:
            await asyncio.to_thread(postgres.start)
        store.lanes._patience = 30
        assert await me.prompt(session, "say 1") == "end_turn"
    assert [record for record in caplog.records if record.exc_info] == []


async def test_the_error_of_an_unreachable_database_hides_the_password(tmp_path: Path) -> None:
    with pytest.raises(StoreError) as caught:
        await PostgresStore(f"postgresql://me:secret@/none?host={tmp_path}").open()
    assert "secret" not in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


async def test_without_the_driver_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "generated._runtime.stores.postgres_engine", raising=False)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(StoreError, match=r"pip install 'psycopg\[binary,pool\]'"):
        await PostgresStore("postgresql:///x").open()


# Commits of which nobody heard whether they went well


class Cut:
    """A proxy for one server that loses connections at a COMMIT: before it is passed on, or after it was answered."""

    def __init__(self, folder: Path, server: str) -> None:
        self.cuts: list[str] = []
        """Where the next COMMITs are cut: `before`, `after`."""
        self._server = server
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(folder / ".s.PGSQL.5432"))
        self._listener.listen()
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for each in self._threads:
            each.join(60)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(self._server)
                self._threads.append(threading.Thread(target=self._up, args=(client, server), daemon=True))
                self._threads[-1].start()

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        answered = threading.Event()
        muted = threading.Event()
        down = threading.Thread(target=self._down, args=(server, client, muted, answered), daemon=True)
        down.start()
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if b"COMMIT\0" in data and self.cuts:
                    if self.cuts.pop(0) == "after":
                        muted.set()
                        server.sendall(data)
                        answered.wait(60)
                    break
                server.sendall(data)
        for end in (server, client):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        down.join(60)
        server.close()
        client.close()

    @staticmethod
    def _down(server: socket.socket, client: socket.socket, muted: threading.Event, answered: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                if muted.is_set():
                    answered.set()
                else:
                    client.sendall(data)


@pytest.fixture
def cut(address: str, postgres: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cut, str]]:
    folder = tmp_path_factory.mktemp("cut")
    proxy = Cut(folder, str(postgres.folder / ".s.PGSQL.5432"))
    yield proxy, address.replace(str(postgres.folder), str(folder))
    proxy.close()


@pytest.mark.parametrize("where", ["before", "after"])
async def test_what_a_lost_commit_did_is_done_once(cut: tuple[Cut, str], where: str) -> None:
    proxy, address = cut
    async with client(PostgresStore(address)) as me:
        session = await me.new()
        proxy.cuts = [where, where]  # where a turn begins, and where it ends
        assert await me.prompt(session, "say 1") == "end_turn"
        assert proxy.cuts == []
        proxy.cuts = [where]
        fork = (await me.agent.fork_session(session_id=session, cwd="/work")).session_id
        assert proxy.cuts == []
        assert sorted(await me.listed()) == sorted([fork, session])
        for each in (session, fork):
            await me.agent.close_session(session_id=each)
            me.shown.updates.clear()
            await me.load(each)
            assert me.said(each) == ["> say 1", "0 "]


async def test_what_was_acknowledged_survives_crashes_amid_commits() -> None:
    with cluster() as server:  # of its own, since it crashes
        store = PostgresStore(server.create(), connections=8)
        store.lanes._patience = 60
        await store.open()
        kept: set[str] = set()
        over = False

        async def create(lane: int) -> None:
            number = 0
            while not over:
                number += 1
                await store.create(stored(f"{lane}-{number}"))
                kept.add(f"{lane}-{number}")

        working = [asyncio.create_task(create(lane)) for lane in range(8)]
        for _ in range(3):
            before = len(kept)
            await until(lambda before=before: len(kept) >= before + 50)
            await asyncio.to_thread(server.stop)
            await asyncio.to_thread(server.start)
        over = True
        await asyncio.gather(*working)
        engine: Any = store.lanes.engine
        rows = await asyncio.to_thread(lambda: engine.execute("SELECT session_key FROM sessions").fetchall())
        assert {key for (key,) in rows} == kept
        await store.close()


# What the database refuses


def obstruct(postgres: Cluster, address: str, table: str, code: str, times: int) -> None:
    """The first changes of a table fail with a code, as if the database had reasons of its own."""
    with postgres.keeper(name_of(address)) as keeper:
        keeper.execute("SET search_path = session_store")
        keeper.execute("CREATE SEQUENCE attempts")
        keeper.execute("GRANT ALL ON attempts TO PUBLIC")
        keeper.execute(
            "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF nextval('session_store.attempts') <= {times} THEN "
            f"RAISE EXCEPTION 'could not' USING ERRCODE = '{code}'; END IF; RETURN NEW; END $$".encode()
        )
        keeper.execute(
            f"CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION fail()".encode()
        )


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03"], ids=["serialization", "deadlock", "locked"])
@pytest.mark.parametrize("table", ["entries", "sessions"])
async def test_what_may_succeed_in_a_moment_is_tried_again(
    address: str, postgres: Cluster, code: str, table: str
) -> None:
    async with client(PostgresStore(address)) as me:
        session = await me.new()
        obstruct(postgres, address, table, code, 2)
        assert await me.prompt(session, "say 2") == "end_turn"
        await me.agent.close_session(session_id=session)
        me.shown.updates.clear()
        await me.load(session)
        assert me.said(session) == ["> say 2", "0 ", "1 "]


@pytest.mark.parametrize(
    ("code", "says"),
    [("53100", "the database's disk is full: make room"), ("40001", "the database could not put this in order")],
    ids=["full", "order"],
)
async def test_what_the_database_refuses_for_good_is_reported(
    address: str, postgres: Cluster, code: str, says: str
) -> None:
    store = PostgresStore(address)
    async with client(store) as me:
        session = await me.new()
        store.lanes._patience = 0.1
        obstruct(postgres, address, "entries", code, 1 if code == "53100" else 1_000_000)
        assert says in await reason_of(me.prompt(session, "say 1"))


async def test_a_server_without_a_free_connection_is_reported_and_one_that_frees_some_is_used(
    address: str, postgres: Cluster
) -> None:
    store = PostgresStore(address)
    async with client(store) as me:
        session = await me.new()
        with postgres.keeper() as keeper:
            keeper.execute("ALTER ROLE agent CONNECTION LIMIT 0")
            try:
                keeper.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'agent'")
                with pytest.raises(StoreError, match="too many connections"):
                    await PostgresStore(address).open()
                store.lanes._patience = 0.3
                await reason_of(me.listed())
                store.lanes._patience = 30
                waiting = asyncio.create_task(me.listed())
            finally:
                keeper.execute("ALTER ROLE agent CONNECTION LIMIT -1")
        assert await waiting == [session]
