"""Sessions in PostgreSQL on its bad days: agents taken for dead, servers that go and come back, commits nobody heard of."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import os
import secrets
import socket
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from examples.session_agent import postgres as postgres_engine
from examples.session_agent import postgres_schema, pulse, thread
from examples.session_agent.engine import StoreError, StoreFailed, Undecided
from examples.session_agent.journal import settle
from examples.session_agent.leases import forget_dead
from examples.session_agent.postgres_schema import MIGRATIONS, Migration
from examples.session_agent.store import Busy, Fenced, Store

from .cluster import Cluster, cluster, name_of
from .test_process import run
from .wire import house, said, started

pytestmark = pytest.mark.environment


@pytest.fixture
def address(postgres: Cluster) -> Iterator[str]:
    place = postgres.create()
    yield place
    postgres.drop(place)


@contextlib.contextmanager
def opened(address: str, **more: Any) -> Generator[Store, None, None]:
    with contextlib.closing(Store(address, **more)) as store:
        yield store


def silence(store: Store) -> None:
    """An agent is not heard of any more, as if its machine had stopped."""
    beat: Any = store.engine._pulse  # type: ignore[attr-defined]
    beat._over.set()
    beat._thread.join()
    if beat._connection is not None:
        beat._connection.close()
        beat._connection = None


def patiently(operation: Callable[[], Any]) -> Any:
    """Try again while nobody knows whether an owner lives, as threads do."""
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with contextlib.suppress(Undecided):
            return operation()
        time.sleep(0.01)
    raise AssertionError("undecided for two minutes")


def begin(store: Store, session: str, *message: bytes) -> int:
    return patiently(lambda: store.begin_turn("me", session, None, message or (b"{}",), store.engine.owner, 5, settle))[
        1
    ]


def reasons(store: Store) -> list[str | None]:
    return [reason for (reason,) in store.rows("SELECT stop_reason FROM turns ORDER BY session, number", ())]


# Who runs a session, and who does not any more


def test_an_agent_that_lost_its_turn_commits_nothing_of_it(address: str) -> None:
    with opened(address) as lost, opened(address) as heir:
        session = lost.create("me", "/", [], "{}", 1).session_id
        turn = begin(lost, session)
        assert lost.append("me", session, turn, lost.engine.owner, 1, [b"{}"]) == 2
        silence(lost)
        begin(heir, session)
        history = heir.history("me", session)
        with pytest.raises(Fenced):
            lost.append("me", session, turn, lost.engine.owner, 2, [b'{"late":1}'])
        with pytest.raises(Fenced):
            lost.finish_turn("me", session, turn, lost.engine.owner, 2, "end_turn", 9)
        assert heir.history("me", session) == history
        assert reasons(heir) == ["interrupted", None]


def test_an_agent_that_lives_keeps_its_turn(address: str) -> None:
    with opened(address) as owner, opened(address) as other:
        session = owner.create("me", "/", [], "{}", 1).session_id
        turn = begin(owner, session)
        with pytest.raises(Busy):
            begin(other, session)
        patiently(lambda: other.open("me", session, "/", [], settle))
        forget_dead(other)
        owner.finish_turn("me", session, turn, owner.engine.owner, 1, "end_turn", 9)
        assert reasons(other) == ["end_turn"]


def test_the_times_are_those_of_the_database(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(address) as owner, opened(address) as other:
        session = owner.create("me", "/", [], "{}", 1).session_id
        begin(owner, session)
        monkeypatch.setattr(time, "time", lambda: 4e9)
        monkeypatch.setattr(time, "time_ns", lambda: 4 * 10**18)
        with pytest.raises(Busy):
            begin(other, session)


def test_an_agent_whose_connection_was_cut_for_a_moment_is_not_taken_for_dead(address: str, postgres: Cluster) -> None:
    with opened(address) as owner, opened(address) as other:
        session = owner.create("me", "/", [], "{}", 1).session_id
        turn = begin(owner, session)
        with postgres.keeper() as keeper:
            keeper.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'agent'")
        with opened(address) as third, pytest.raises(Busy):
            begin(third, session)
        del other
        for _ in range(1200):
            with contextlib.suppress(psycopg.Error):
                owner.finish_turn("me", session, turn, owner.engine.owner, 1, "end_turn", 9)
                break
            time.sleep(0.05)
        assert reasons(owner) == ["end_turn"]


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
        await asyncio.to_thread(silence, one.host.store._opened())
        await other.load(session)
        assert await other.prompt(session, "/echo on") == "end_turn"
        error = (await turn)["error"]
        assert (error["code"], error["data"]["sessionId"]) == (-32603, session)
        assert "another agent has taken this session over: load it" in error["data"]["reason"]
        assert one.host.sessions == {}
        assert (await wire.refused("session/set_mode", sessionId=session, modeId="auto")).code == -32002


async def test_an_agent_that_was_taken_for_dead_has_its_leases_again(address: str) -> None:
    async with house(address) as one, house(address) as two, one.connected() as wire, two.connected() as other:
        session = await wire.new()

        def bury(store: Store) -> None:
            with store.transaction() as engine:
                engine.forget(one.host.owner)
                engine.execute("DELETE FROM leases")

        await two.host.store(bury)
        for _ in range(5000):  # the database rings no bell
            if await two.host.store(lambda store: store.rows("SELECT 1 FROM leases", ())):
                break
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
            assert "the session store lost" in answer["error"]["data"]["reason"]
        assert await wire.prompt(session, "/echo on") == "end_turn"


def test_a_turn_of_which_the_server_lost_a_part_is_not_committed(address: str) -> None:
    with opened(address) as store:
        session = store.create("me", "/", [], "{}", 1).session_id
        turn = begin(store, session)
        store.append("me", session, turn, store.engine.owner, 1, [b"{}", b"[]"])
        store.engine.execute("DELETE FROM entries WHERE number = 2")
        with pytest.raises(StoreFailed, match="lost 1 updates of this turn"):
            store.finish_turn("me", session, turn, store.engine.owner, 3, "end_turn", 9)
        assert reasons(store) == [None]
        begin(store, session)
        assert reasons(store) == ["interrupted", None]


async def test_a_database_that_does_not_come_back_is_told(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(thread, "PATIENCE", 0.3)
    async with house(address, pace=0.005) as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, f"/echo {WORDS}")
        await wire.until_update("agent_message_chunk")
        await asyncio.to_thread(postgres.stop, "fast")
        try:
            error = (await turn)["error"]
            assert error["code"] == -32603
            assert "the database cannot be reached: see to it that it runs" in error["data"]["reason"]
            assert "cannot be reached" in (await wire.refused("session/list")).data["reason"]
        finally:
            await asyncio.to_thread(postgres.start)
        monkeypatch.setattr(thread, "PATIENCE", 10)
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


def test_without_the_driver_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "examples.session_agent.postgres", None)
    with pytest.raises(StoreError, match=r"acp-codegen\[postgres\]"):
        Store("postgresql:///x")


def test_after_an_absence_of_the_server_nobody_is_dead_at_once(address: str, postgres: Cluster) -> None:
    with opened(address) as owner, opened(address) as other:
        silence(owner)
        other.engine.execute("UPDATE agents SET seen_at = seen_at - interval '1 minute'")
        postgres.stop("fast")
        postgres.start()
        for _ in range(3000):
            with contextlib.suppress(psycopg.Error):
                other.engine.execute("SELECT 1")
                break
            time.sleep(0.02)
        with pytest.raises(Undecided):
            other.engine.is_alive(owner.engine.owner)
        assert not patiently(lambda: other.engine.is_alive(owner.engine.owner))


# Commits whose outcome nobody heard of


class Cut:
    """A proxy for one server that loses connections at a COMMIT: before it is passed on, or after it was answered."""

    def __init__(self, folder: Path, server: str) -> None:
        self.path = folder / ".s.PGSQL.5432"
        self._server = server
        self.cuts: list[str] = []
        """Where the next COMMITs are cut: "before", "after"."""
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self.path))
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
                up = threading.Thread(target=self._up, args=(client, server), daemon=True)
                up.start()
                self._threads.append(up)

    def _up(self, client: socket.socket, server: socket.socket) -> None:
        muted = threading.Event()
        down = threading.Thread(target=self._down, args=(server, client, muted), daemon=True)
        down.start()
        with contextlib.suppress(OSError):
            while data := client.recv(65536):
                if b"COMMIT\0" in data and self.cuts:
                    if self.cuts.pop(0) == "after":
                        muted.set()
                        server.sendall(data)
                        time.sleep(0.05)
                    break
                server.sendall(data)
        for end in (server, client):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        down.join(60)
        server.close()
        client.close()

    @staticmethod
    def _down(server: socket.socket, client: socket.socket, muted: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while data := server.recv(65536):
                if not muted.is_set():
                    client.sendall(data)


@pytest.fixture
def cut(address: str, postgres: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cut, str]]:
    folder = tmp_path_factory.mktemp("cut")
    proxy = Cut(folder, str(postgres.folder / ".s.PGSQL.5432"))
    yield proxy, address.replace(str(postgres.folder), str(folder))
    proxy.close()


@pytest.mark.parametrize("where", ["before", "after"])
async def test_what_a_lost_commit_did_is_found_out_and_done_once(cut: tuple[Cut, str], where: str) -> None:
    proxy, address = cut
    async with house(address) as home, home.connected() as wire:
        proxy.cuts = [where]
        session = await wire.new()
        assert proxy.cuts == []
        assert await wire.listed() == [session]
        proxy.cuts = [where, where]  # where a turn begins, and where it ends
        assert await wire.prompt(session, "/echo once") == "end_turn"
        assert proxy.cuts == []
        proxy.cuts = [where]
        fork = await wire.fork(session)
        assert await wire.listed() == [fork, session]
        assert said(await wire.history(fork)) == "once"
        turns = await home.host.store(lambda store: store.rows("SELECT number, stop_reason FROM turns", ()))
        assert turns == [(1, "end_turn")] * 2


@pytest.fixture
def crashing() -> Iterator[Cluster]:
    """A server of our own, which may crash."""
    with cluster() as server:
        yield server


def test_a_transaction_whose_number_was_given_again_after_a_crash_is_not_taken_for_committed(crashing: Cluster) -> None:
    with opened(crashing.create()) as store:
        engine: Any = store.engine
        lost = psycopg.OperationalError("gone")
        with engine._pool.connection() as connection:
            (number,) = connection.execute("SELECT pg_current_xact_id()::text").fetchone()
            life = engine._lives[connection]
        assert engine._was_committed(number, life, lost)
        with contextlib.closing(psycopg.connect(engine._pool.conninfo)) as open_one:
            (number,) = open_one.execute("SELECT pg_current_xact_id()::text").fetchone() or ("",)
            crashing.stop()
        crashing.start()
        assert not engine._was_committed(number, life, lost), "not known to the server, or in use: it was not committed"
        with crashing.keeper() as keeper:
            for _ in range(10_000):
                (last,) = keeper.execute("SELECT pg_current_xact_id()::text").fetchone() or ("0",)
                if int(last) >= int(number):
                    break
            assert keeper.execute("SELECT pg_xact_status(%s::xid8)", (number,)).fetchone() == ("committed",)
        with pytest.raises(psycopg.OperationalError, match="gone"):
            engine._was_committed(number, life, lost)


def test_a_server_that_is_stopped_in_order_lives_on(crashing: Cluster) -> None:
    with opened(crashing.create()) as store:
        engine: Any = store.engine
        with engine._pool.connection() as connection:
            (number,) = connection.execute("SELECT pg_current_xact_id()::text").fetchone()
            life = engine._lives[connection]
        crashing.stop("fast")
        crashing.start()
        assert engine._was_committed(number, life, psycopg.OperationalError("gone"))


async def test_what_was_acknowledged_survives_crashes_amid_commits_and_nothing_is_there_twice(
    crashing: Cluster,
) -> None:
    kept, doubted, refused = set[str](), set[str](), set[str]()
    over = False
    async with thread.StoreThread(crashing.create()) as store:

        async def create(lane: int) -> None:
            number = 0
            while not over:
                number += 1
                place = f"/{lane}/{number}"
                try:
                    await store(Store.create, f"me {lane}", place, [], "{}", 1)
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
        rows = await store(lambda store: store.rows("SELECT cwd, count(*) FROM sessions GROUP BY cwd", ()))
    found = dict(rows)
    assert set(found.values()) == {1}
    assert kept <= found.keys() <= kept | doubted
    assert not refused & found.keys()


def test_an_update_that_is_sent_again_is_kept_once(address: str) -> None:
    with opened(address) as store:
        session = store.create("me", "/", [], "{}", 1).session_id
        turn = begin(store, session)
        add = functools.partial(store.append, "me", session, turn, store.engine.owner)
        assert [add(1, [b"[1]"]), add(1, [b"[1]"]), add(1, [b"[2]"]), add(3, [b"[3]", b"[4]"])] == [2, 2, 3, 5]
        assert [payload for _, payload in store.history("me", session)] == [b"{}", b"[1]", b"[2]", b"[3]", b"[4]"]


# What the database refuses


def obstruct(postgres: Cluster, address: str, table: str, code: str, times: int) -> None:
    """The first changes of a table fail with a code, as far as the agent sees for the database's own reasons."""
    with postgres.keeper(name_of(address)) as keeper:
        keeper.execute("CREATE SEQUENCE session_agent.attempts")
        keeper.execute("GRANT ALL ON session_agent.attempts TO PUBLIC")
        keeper.execute(
            "CREATE FUNCTION session_agent.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
            f"IF nextval('session_agent.attempts') <= {times} THEN "
            f"RAISE EXCEPTION 'could not' USING ERRCODE = '{code}'; END IF; RETURN NEW; END $$"
        )
        keeper.execute(
            f"CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON session_agent.{table} "
            "FOR EACH ROW EXECUTE FUNCTION session_agent.fail()"
        )


@pytest.mark.parametrize("code", ["40001", "40P01", "55P03"], ids=["serialization", "deadlock", "lock"])
@pytest.mark.parametrize("table", ["turns", "entries", "sessions"])
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
        assert "the database's disk is full: make room and try again" in error["data"]["reason"]
        assert await wire.prompt(session, "/echo on") == "end_turn"
        assert said(await wire.history(session)) == "on"


async def test_order_that_cannot_be_had_is_told(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(thread, "PATIENCE", 0.1)
    async with house(address) as home, home.connected() as wire:
        session = await wire.new()
        obstruct(postgres, address, "turns", "40001", 1_000_000)
        error = (await wire.prompting(session, "hello"))["error"]
        assert error["data"]["reason"].startswith("the database could not put this in order")


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
                    await asyncio.to_thread(Store, address)
                with monkeypatch.context() as hasty:
                    hasty.setattr(thread, "PATIENCE", 0.3)
                    refusal = await wire.refused("session/list")
                assert refusal.code == -32603
                waiting = wire.start("session/list", {})
                await asyncio.sleep(0.3)
            finally:
                keeper.execute("ALTER ROLE agent CONNECTION LIMIT -1")
        assert [entry["sessionId"] for entry in (await waiting)["result"]["sessions"]] == [session]


async def test_more_turns_at_once_than_connections_wait_for_each_other(address: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(thread.StoreThread.__init__, "__defaults__", (1,))
    async with house(address) as home, home.connected() as wire:
        sessions = [await wire.new() for _ in range(20)]
        turns = [wire.prompting(session, f"/echo all of {session}") for session in sessions]
        assert all("result" in answer for answer in await asyncio.gather(*turns))
        for session in sessions:
            assert said(await wire.history(session)) == f"all of {session}"


async def test_others_that_lock_a_session_hold_up_that_one_alone(
    address: str, postgres: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever waits for it waits until it is free: a lane that others need would stand still.
    monkeypatch.setattr(
        postgres_engine, "_SETTINGS", postgres_engine._SETTINGS.replace("lock_timeout = '2s'", "lock_timeout = 0")
    )
    async with house(address) as home, home.connected() as wire:
        session, other = await wire.new(), await wire.new()
        me = f"os:{os.getuid()}"
        while hash((me, other)) % 4 == hash((me, session)) % 4:  # of another lane
            other = await wire.new()
        with postgres.keeper(name_of(address)) as keeper, keeper.transaction():
            keeper.execute("SELECT 1 FROM session_agent.sessions WHERE session_id = %s FOR UPDATE", (session,))
            waiting = wire.start("session/delete", {"sessionId": session})
            async with asyncio.timeout(60):
                assert await wire.prompt(other) == "end_turn"
            assert not waiting.done()
        assert (await waiting)["result"] == {}


# Several at once


def test_two_agents_that_draw_the_same_id_make_two_sessions(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(["00", "00", "01"])
    with opened(address) as one, opened(address) as two:
        with monkeypatch.context() as patched:
            patched.setattr(secrets, "token_hex", lambda _: next(drawn))
            made = [store.create("me", "/", [], "{}", 1).session_id for store in (one, two)]
        assert made == ["sess_00", "sess_01"]


def test_agents_that_start_at_once_create_one_store(address: str) -> None:
    stores: list[Store] = []
    starts = [threading.Thread(target=lambda: stores.append(Store(address))) for _ in range(6)]
    for each in starts:
        each.start()
    for each in starts:
        each.join()
    assert len({store.secret("cursors") for store in stores}) == 1
    assert len({store.engine.owner for store in stores}) == 6
    for store in stores:
        store.close()


def test_forks_that_are_made_at_once_are_numbered_one_after_the_other(address: str) -> None:
    with opened(address) as one, opened(address) as two:
        session = one.create("me", "/", [], "{}", 1).session_id
        first = one.fork("me", session, "/", [], 2, settle).session_id
        work = [
            threading.Thread(target=lambda s=store, o=origin: [s.fork("me", o, "/", [], 3, settle) for _ in range(10)])
            for store, origin in ((one, session), (two, first), (one, first), (two, session))
        ]
        for each in work:
            each.start()
        for each in work:
            each.join()
        titles = [row.title for row in one.page("me", None, None, 100)[0] if row.title]
        assert sorted(titles) == sorted(f"Untitled (fork {number})" for number in range(1, 42))


async def test_ten_thousand_sessions_are_listed_while_others_write(address: str) -> None:
    async with house(address, page_size=500) as home, home.connected() as wire, home.connected() as other:
        busy = [await wire.new() for _ in range(3)]

        def fill(store: Store) -> None:
            store.engine.execute(
                "INSERT INTO sessions (session_id, identity, cwd, directories, settings, updated_at) "
                "SELECT 'many' || number, identity, cwd, directories, settings, number "
                "FROM sessions, generate_series(1, 10000) AS number WHERE session_id = ?",
                (busy[0],),
            )

        await home.host.store(fill)
        over = asyncio.Event()

        async def write() -> int:
            count = 0
            while not over.is_set():
                await other.load(busy[count % 3])
                await other.prompt(busy[count % 3], "/echo new")
                await other.new()
                count += 1
            return count

        writing = asyncio.create_task(write())
        await other.until_update("agent_message_chunk")
        listed = await wire.listed()
        over.set()
        assert await writing > 1
        assert [each for each in listed if each.startswith("many")] == [
            f"many{number}" for number in range(10000, 0, -1)
        ]
        assert len(set(listed)) == len(listed), "none twice"


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
            colours = await new.host.store(lambda store: store.rows("SELECT DISTINCT colour FROM sessions", ()))
            assert colours == [("red",)]


def test_a_migration_that_breaks_older_agents_waits_until_they_are_gone(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with opened(address) as old:
        session = old.create("me", "/", [], "{}", 1).session_id
        breaking = Migration(("ALTER TABLE sessions RENAME COLUMN title TO name",), breaking=True)
        monkeypatch.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, breaking))
        with pytest.raises(StoreError, match=r"1 agents of an older version use it.*: end them first"):
            Store(address)
        assert old.find("me", session).title is None, "nothing has changed for it"
    with opened(address) as new:
        assert new.rows("SELECT name FROM sessions", ()) == [(None,)]


def test_a_migration_that_fails_leaves_the_store_as_it_was(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(address) as store:
        session = store.create("me", "/", [], "{}", 1).session_id
    with monkeypatch.context() as patched:
        patched.setattr(postgres_schema, "MIGRATIONS", (*MIGRATIONS, Migration((*COLOUR, "NONSENSE"))))
        with pytest.raises(StoreError, match="NONSENSE"):
            Store(address)
    with opened(address) as store:
        assert store.find("me", session)
        assert store.rows("SELECT to_regclass('colours')", ()) == [(None,)]


def test_a_store_of_a_newer_agent_is_refused(address: str) -> None:
    with opened(address) as store:
        store.engine.execute("UPDATE version SET version = ?", (len(MIGRATIONS) + 1,))
    with pytest.raises(StoreError, match="written by a newer version of this agent"):
        Store(address)


def test_a_schema_of_another_program_is_refused_and_left_alone(address: str, postgres: Cluster) -> None:
    with postgres.keeper(name_of(address)) as keeper:
        keeper.execute("CREATE SCHEMA session_agent AUTHORIZATION agent")
        keeper.execute("CREATE TABLE session_agent.sessions (x INTEGER)")
        with pytest.raises(StoreError, match="another program's"):
            Store(address)
        tables = keeper.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'session_agent'").fetchall()
    assert tables == [("sessions",)]


async def test_an_agent_that_ends_leaves_neither_row_nor_connection(address: str, postgres: Cluster) -> None:
    async with started("--store", address) as wire:
        await wire.new()
        assert await wire.leave() == 0
    with postgres.keeper(name_of(address)) as keeper:
        assert keeper.execute("SELECT count(*) FROM session_agent.agents").fetchone() == (0,)
        assert keeper.execute("SELECT count(*) FROM session_agent.leases").fetchone() == (0,)
