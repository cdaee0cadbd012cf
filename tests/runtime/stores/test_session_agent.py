"""An agent whose author implements the prompt alone has the whole life of sessions, on every store."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from peers import wired_agent

import generated as acp
from generated.errors import RequestError
from generated.stores import MemoryStore, OpenSession, PostgresStore, SQLiteStore, Store, StoreFailed

from .agents import Author, Wrapped, client, until

KINDS = ["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.environment)]


@pytest.fixture(params=KINDS)
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    """Makes a store; each one is at the same place, but for memory, of which there is one."""
    if request.param == "memory":
        memory = MemoryStore()
        yield lambda: memory
    elif request.param == "sqlite":
        yield lambda: SQLiteStore(tmp_path / "store.db")
    else:
        server = request.getfixturevalue("postgres")
        address = server.lend()
        yield lambda: PostgresStore(address)
        server.take_back(address)


@pytest.fixture
def store(place: Any) -> Any:
    return place()


async def fails(code: int, work: Any) -> RequestError:
    with pytest.raises(RequestError) as caught:
        await work
    assert caught.value.code == code, caught.value
    return caught.value


def unknown(work: Any) -> Any:
    return fails(-32002, work)


def running(work: Any) -> asyncio.Task[Any]:
    return asyncio.create_task(work)


# --- what the author gets --------------------------------------------------------------------------------------------


async def test_every_method_of_a_sessions_life_is_advertised(store: Store) -> None:
    async with client(store) as me:
        offered = me.agent.capabilities
        sessions = offered.session_capabilities
        assert offered.load_session
        assert all((sessions.list, sessions.resume, sessions.fork, sessions.close, sessions.delete))


async def test_a_load_shows_what_was_shown_before(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        assert await me.prompt(session, "say 3") == "end_turn"
        assert await me.prompt(session, "hello") == "end_turn"
    async with client(store) as other:
        await other.load(session)
        assert other.said(session) == ["> say 3", "0 ", "1 ", "2 ", "> hello"]
        await other.agent.resume_session(session_id=session, cwd="/work", mcp_servers=[])
        assert len(other.said(session)) == 5


async def test_a_list_has_cwd_title_and_time_and_keeps_to_its_filter(store: Store) -> None:
    async with client(store) as me:
        first = await me.new("/a")
        await me.new("/b")
        await me.prompt(first, "A title\nand more")
        [entry] = (await me.agent.list_sessions(cwd="/a/")).sessions
        assert (entry.session_id, entry.cwd, entry.title) == (first, "/a", "A title and more")
        assert str(entry.updated_at).endswith("Z")
        assert len(await me.listed()) == 2


class Short(Author):
    page_size = 2


async def test_pages_have_every_session_once_and_cursors_belong_to_their_list(store: Store) -> None:
    async with client(store, Short) as me:
        made = {await me.new() for _ in range(5)}
        found: list[str] = []
        page = await me.agent.list_sessions()
        while page.next_cursor:
            cursor = page.next_cursor
            found += [each.session_id for each in page.sessions]
            page = await me.agent.list_sessions(cursor=cursor)
        found += [each.session_id for each in page.sessions]
        assert (len(found), set(found)) == (5, made)
        assert page.next_cursor is acp.UNSET
        for bad in (cursor[:-1] + ("A" if cursor[-1] != "A" else "B"), "x", ""):
            await fails(-32602, me.agent.list_sessions(cursor=bad))
        await fails(-32602, me.agent.list_sessions(cursor=cursor, cwd="/work"))


class Guest(Author):
    def identity(self) -> str:
        return "guest"


async def test_a_session_of_another_identity_is_as_unknown_as_one_that_never_was(store: Store) -> None:
    async with client(store) as me, client(store, Guest) as guest:
        session = await me.new()
        assert await guest.listed() == []
        errors = [
            await unknown(guest.load(session)),
            await unknown(guest.prompt(session, "x")),
            await unknown(guest.agent.fork_session(session_id=session, cwd="/work")),
            await unknown(guest.agent.close_session(session_id=session)),
        ]
        assert all(error.data == {"sessionId": session} for error in errors)
        await guest.agent.delete_session(session_id=session)
        assert await me.listed() == [session]


# --- turns -----------------------------------------------------------------------------------------------------------


async def test_a_second_client_sees_the_turn_that_runs_from_its_beginning(store: Store) -> None:
    async with client(store) as me, client(store) as other:
        session = await me.new()
        await me.prompt(session, "say 2")
        turn = running(me.prompt(session, "wait 100"))
        await me.until(session, "7 ")
        await other.load(session)
        await other.until(session, "99 ")
        await me.agent.cancel(session_id=session)
        assert await turn == "cancelled"
        assert other.said(session) == ["> say 2", "0 ", "1 ", "> wait 100", *(f"{n} " for n in range(100))]


async def test_a_client_that_watches_sees_the_next_prompt_and_its_answer(store: Store) -> None:
    async with client(store) as me, client(store) as other:
        session = await me.new()
        await other.load(session)
        await me.prompt(session, "say 2")
        await other.until(session, "1 ")
        assert other.said(session) == ["> say 2", "0 ", "1 "]
        await other.prompt(session, "say 1")
        await me.until(session, "> say 1")


async def test_any_client_of_the_session_cancels_its_turn(store: Store) -> None:
    async with client(store) as me, client(store) as other:
        session = await me.new()
        await other.load(session)
        turn = running(me.prompt(session, "wait 1"))
        await me.until(session, "0 ")
        await other.agent.cancel(session_id=session)
        assert await turn == "cancelled"


async def test_one_prompt_runs_at_a_time(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        turn = running(me.prompt(session, "wait 1"))
        await me.until(session, "0 ")
        error = await fails(-32600, me.prompt(session, "say 1"))
        assert error.data == {"sessionId": session, "reason": "a prompt is running in this session"}
        await fails(-32600, me.load(session))
        await me.agent.cancel(session_id=session)
        assert await turn == "cancelled"


async def test_a_tool_call_that_a_cancelled_turn_left_open_has_failed(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        turn = running(me.prompt(session, "tool 1"))
        await me.until(session, "0 ")
        await me.agent.cancel(session_id=session)
        assert await turn == "cancelled"
        assert me.calls(session) == ["in_progress", "failed"]
    async with client(store) as other:
        await other.load(session)
        assert other.calls(session) == ["in_progress", "failed"]


async def test_a_handler_that_fails_leaves_a_session_that_goes_on(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        await fails(-32603, me.prompt(session, "fail 1"))
        assert await me.prompt(session, "say 1") == "end_turn"
    async with client(store) as other:
        await other.load(session)
        assert other.said(session) == ["> fail 1", "0 ", "> say 1", "0 "]


async def test_a_session_is_prompted_after_it_was_opened(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
    async with client(store) as other:
        error = await unknown(other.prompt(session, "x"))
        assert error.data["reason"].startswith("not open")
        await unknown(other.prompt("never existed", "x"))


# --- close, delete, fork ---------------------------------------------------------------------------------------------


async def test_closing_a_session_ends_the_turn_of_every_client(store: Store) -> None:
    async with client(store) as me, client(store) as other:
        session = await me.new()
        await other.load(session)
        for number, closing in ((2, other), (3, me)):
            await me.load(session)
            turn = running(me.prompt(session, f"wait {number}"))
            await me.until(session, f"{number - 1} ")
            await closing.agent.close_session(session_id=session)
            assert await turn == "cancelled"
            await unknown(me.prompt(session, "x"))
            await other.agent.resume_session(session_id=session, cwd="/work", mcp_servers=[])


async def test_closing_twice_succeeds_and_closing_what_never_was_does_not(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        await asyncio.gather(*(me.agent.close_session(session_id=session) for _ in range(2)))
        await me.agent.close_session(session_id=session)
        await unknown(me.agent.close_session(session_id="never existed"))
        assert await me.listed() == [session]
        await me.load(session)


async def test_a_deleted_session_is_gone_and_deleting_is_idempotent(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        turn = running(me.prompt(session, "wait 1"))
        await me.until(session, "0 ")
        for id in (session, session, "never existed"):
            await me.agent.delete_session(session_id=id)
        assert await turn == "cancelled"
        assert await me.listed() == []
        await unknown(me.load(session))
        await unknown(me.agent.close_session(session_id=session))


async def test_a_fork_has_the_title_of_its_source_and_a_history_of_its_own(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        await me.prompt(session, "say 1")
        turn = running(me.prompt(session, "tool 1"))
        await until(lambda: me.calls(session) == ["in_progress"] and len(me.said(session)) == 2)
        fork = (await me.agent.fork_session(session_id=session, cwd="/work")).session_id
        await me.prompt(fork, "say 2")
        await me.agent.cancel(session_id=session)
        assert await turn == "cancelled"
        assert [each.title for each in (await me.agent.list_sessions()).sessions] == ["say 1", "say 1"]
        await me.load(fork)
        assert me.calls(fork) == ["in_progress", "failed"]
        assert "> say 2" not in me.said(session)


async def test_an_ephemeral_fork_is_in_no_list_and_gone_when_it_is_closed(store: Store) -> None:
    async with client(store) as me:
        session = await me.new()
        await me.prompt(session, "say 1")
        made = await me.agent.fork_session(session_id=session, cwd="/work", meta={"ephemeral": True})
        await me.prompt(made.session_id, "summarise")
        assert await me.listed() == [session]
        await me.agent.close_session(session_id=made.session_id)
        await unknown(me.load(made.session_id))
        await unknown(me.agent.fork_session(session_id=made.session_id, cwd="/work"))


async def test_deleting_during_a_fork_leaves_the_fork_whole_or_unmade(store: Store) -> None:
    async with client(store) as me:
        for _ in range(5):
            session = await me.new()
            await me.prompt(session, "say 1")
            fork, _ = await asyncio.gather(
                me.agent.fork_session(session_id=session, cwd="/work"),
                me.agent.delete_session(session_id=session),
                return_exceptions=True,
            )
            if isinstance(fork, RequestError):
                assert fork.code == -32002
            else:
                assert isinstance(fork, acp.ForkSessionResponse)
                await me.load(fork.session_id)
                assert me.said(fork.session_id) == ["> say 1", "0 "]


async def test_a_client_that_leaves_closes_what_nobody_else_watches(place: Any) -> None:
    store = Wrapped(place())
    async with client(store) as other:
        async with client(store) as me:
            alone, shared = await me.new(), await me.new()
            await other.load(shared)
            running(me.prompt(alone, "wait 1"))
            await me.until(alone, "0 ")
        await until(lambda: "release" in store.calls)
        assert await other.prompt(shared, "say 1") == "end_turn"
        await other.load(alone)
        assert other.said(alone) == ["> wait 1", "0 "]


# --- what the author adds --------------------------------------------------------------------------------------------


class Counting(Author):
    """Keeps data with a session, and adds to a handler."""

    seen: list[str]

    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        response = await super().new_session(params)
        mode = acp.SessionMode(id="ask", name="Ask")
        response.modes = acp.SessionModeState(current_mode_id="ask", available_modes=[mode])
        return response

    async def on_open(self, session: OpenSession) -> None:
        session.data["opened"] = session.data.get("opened", 0) + 1
        await self.save(session)

    async def on_close(self, session: OpenSession) -> None:
        Counting.seen.append(f"closed {session.data['opened']}")


async def test_an_author_keeps_data_with_a_session_and_frees_it_once(store: Store) -> None:
    Counting.seen = []
    async with client(store, Counting) as me, client(store, Counting) as other:
        made = await me.agent.new_session(cwd="/work", mcp_servers=[])
        assert acp.given(made.modes)
        await other.load(made.session_id)
        await me.agent.close_session(session_id=made.session_id)
    assert Counting.seen == ["closed 2"]


class Broken(Author):
    """Raises in every hook that is named."""

    hooks: frozenset[str] = frozenset()

    def _fail(self, hook: str) -> None:
        if hook in self.hooks:
            raise ValueError(f"{hook} fails")

    async def on_open(self, session: OpenSession) -> None:
        self._fail("on_open")

    async def on_close(self, session: OpenSession) -> None:
        self._fail("on_close")

    async def on_ended(self, session: OpenSession, ended: dict[str, Any] | None) -> None:
        self._fail("on_ended")

    def check_session(self, params: Any) -> None:
        self._fail("check_session")

    def title_of(self, content: Any) -> str | None:
        self._fail("title_of")
        return None

    def is_listed(self, params: Any) -> bool:
        self._fail("is_listed")
        return True


@pytest.mark.parametrize("hook", ["on_open", "check_session", "is_listed"])
async def test_a_hook_that_raises_opens_nothing(store: Store, hook: str) -> None:
    broken = type("Broken1", (Broken,), {"hooks": frozenset({hook})})
    async with client(store, broken) as me:
        await fails(-32603, me.new())
        broken.hooks = frozenset()
        assert await me.listed() == []
        session = await me.new()
        assert await me.prompt(session, "say 1") == "end_turn"


@pytest.mark.parametrize("hook", ["on_close", "on_ended"])
async def test_a_session_closes_though_a_hook_raises(store: Store, hook: str) -> None:
    broken = type("Broken2", (Broken,), {"hooks": frozenset({hook})})
    async with client(store, broken) as me, client(store, broken) as other:
        session = await me.new()
        await other.load(session)
        await me.agent.close_session(session_id=session)
        await unknown(me.prompt(session, "x"))
        await me.load(session)


async def test_a_title_that_raises_fails_the_prompt_and_the_next_one_runs(store: Store) -> None:
    broken = type("Broken3", (Broken,), {"hooks": frozenset({"title_of"})})
    async with client(store, broken) as me:
        session = await me.new()
        await fails(-32603, me.prompt(session, "say 1"))
        broken.hooks = frozenset()
        assert await me.prompt(session, "say 1") == "end_turn"


# --- the store ---------------------------------------------------------------------------------------------------


async def test_the_answer_of_a_prompt_waits_until_the_turn_is_written(place: Any) -> None:
    store = Wrapped(place())
    store.held["finish_turn"] = asyncio.Event()
    async with client(store) as me:
        session = await me.new()
        turn = running(me.prompt(session, "say 3"))
        await me.until(session, "2 ")
        await until(lambda: "finish_turn" in store.calls)
        assert not turn.done()
        store.held["finish_turn"].set()
        assert await turn == "end_turn"


async def test_updates_are_written_in_batches(place: Any) -> None:
    store = Wrapped(place())
    async with client(store) as me:
        session = await me.new()
        await me.prompt(session, "say 1000")
        assert 1 <= store.calls.count("append") <= 1000 // 64
        await me.load(session)
        assert me.said(session)[-1001:] == ["> say 1000", *(f"{n} " for n in range(1000))]


async def test_an_update_waits_for_others_as_long_as_the_author_says(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(Author):
        write_delay = 1234.5

    loop = asyncio.get_running_loop()
    delays: list[float] = []
    later = loop.call_later
    monkeypatch.setattr(
        loop, "call_later", lambda delay, *more, **named: delays.append(delay) or later(delay, *more, **named)
    )
    async with client(place(), Slow) as me:
        await me.prompt(await me.new(), "say 1")
    assert 1234.5 in delays


@pytest.mark.parametrize("operation", ["create", "hold", "begin_turn", "append", "finish_turn", "page", "find", "fork"])
async def test_a_store_that_fails_gives_a_clear_error_and_the_agent_goes_on(place: Any, operation: str) -> None:
    store = Wrapped(place())
    async with client(store) as me:
        session = await me.new()
        store.broken[operation] = StoreFailed("the disk is full: make room")
        works = {
            "page": me.listed,
            "find": lambda: me.agent.close_session(session_id="never existed"),
            "fork": lambda: me.agent.fork_session(session_id=session, cwd="/work"),
            "create": me.new,
            "hold": me.new,
        }
        error = await fails(-32603, works.get(operation, lambda: me.prompt(session, "say 100"))())
        assert error.data["reason"] == "the disk is full: make room"
        del store.broken[operation]
        assert await me.prompt(session, "say 1") == "end_turn"
        assert await me.listed() == [session]


async def test_a_turn_that_cannot_be_written_is_cut_short(place: Any) -> None:
    store = Wrapped(place())
    store.broken["append"] = StoreFailed("the disk is full: make room")
    async with client(store) as me:
        session = await me.new()
        error = await fails(-32603, me.prompt(session, "wait 100"))
        assert error.data == {"sessionId": session, "reason": "the disk is full: make room"}


async def test_a_store_that_cannot_be_opened_says_why(tmp_path: Path) -> None:
    (tmp_path / "store.db").write_text("not a database, but a text that is long enough to be taken for one" * 20)
    async with client(SQLiteStore(tmp_path / "store.db")) as me:
        error = await fails(-32603, me.new())
        assert "file is not a database" in error.data["reason"]


@pytest.mark.parametrize("step", range(0, 60, 3))
async def test_a_prompt_that_is_cancelled_at_any_moment_leaves_a_session_that_goes_on(step: int) -> None:
    store = Slow()
    async with client(store) as me:
        session = await me.new()
        turn = running(me.prompt(session, "tool 3"))
        for _ in range(step):
            await asyncio.sleep(0)
        await me.agent.cancel(session_id=session)
        await asyncio.sleep(0.01)
        await me.agent.cancel(session_id=session)  # the first one may have come before the prompt
        assert await turn == "cancelled"
        assert await me.prompt(session, "say 1") == "end_turn"
        history = [payload for entry in await store.history("", session) for payload in entry.payloads]
        kinds = [json.loads(payload) for payload in history]
        stages = [each["status"] for each in kinds if "status" in each]
        assert stages in ([], ["in_progress", "failed"])
        await me.load(session)
        assert me.said(session)[-2:] == ["> say 1", "0 "]


@pytest.mark.parametrize("step", range(0, 24, 2))
async def test_a_request_that_is_given_up_at_any_moment_leaves_no_session_half_open(step: int) -> None:
    store = Slow()
    async with client(store) as me:
        task = running(me.new())
        for _ in range(step):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        await asyncio.sleep(0.02)
        listed = await me.listed()
        for session in listed:
            await me.load(session)
        assert len(listed) <= 1


class Slow(Wrapped):
    """A store whose operations take several rounds of the event loop."""

    def __init__(self) -> None:
        super().__init__(MemoryStore())

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        if not callable(found):
            return found

        async def call(*arguments: Any, **named: Any) -> Any:
            await asyncio.sleep(0)
            result = await found(*arguments, **named)
            await asyncio.sleep(0)
            return result

        return call


# --- clients that watch ----------------------------------------------------------------------------------------------


async def test_a_client_that_watches_and_does_not_read_is_disconnected() -> None:
    store = MemoryStore()
    async with (
        client(store) as me,
        wired_agent(Author(store), limits=acp.Limits(backlog=1 << 12), linger=0.1) as wire,
    ):
        session = await me.new()
        await wire.ask(1, "session/load", {"sessionId": session, "cwd": "/work", "mcpServers": []})
        assert await me.prompt(session, "say 20000") == "end_turn"
        assert me.said(session)[-1] == "19999 "
        frames = 0
        with contextlib.suppress(asyncio.IncompleteReadError):
            while True:
                await wire.receive()
                frames += 1
        assert frames < 20_000


# --- lists -----------------------------------------------------------------------------------------------------------


class Filters(Author):
    """Its lists are filtered by a property that no store knows."""

    page_size = 2
    _plan = msgspec.structs.replace(
        Author._plan, list=msgspec.structs.replace(Author._plan.list, place=None, equal=(("cwd", "cwd"),))
    )


async def test_pages_are_full_where_a_list_is_filtered_by_what_no_store_knows(store: Store) -> None:
    async with client(store, Filters) as me:
        here = [await me.new("/here" if number % 3 else "/there") for number in range(9)]
        wanted = [session for number, session in enumerate(here) if number % 3]
        found: list[str] = []
        cursor = None
        while True:
            page = await me.agent.list_sessions(cwd="/here", **({} if cursor is None else {"cursor": cursor}))
            found += [each.session_id for each in page.sessions]
            if (cursor := acp.given(page.next_cursor)) is None:
                break
            assert len(page.sessions) == 2
        assert sorted(found) == sorted(wanted)
