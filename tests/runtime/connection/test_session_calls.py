"""A client whose sessions begin and end: by its calls, by notifications that say so, and with the connection."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from peers import Wire, wired

from examples import acp
from generated._runtime.errors import SessionEnded
from generated._runtime.transport.limits import Limits
from tests.support.waiting import advance, settled, until

ENDED = "_sandboxagent/session/ended"
WHOLE = {"reason": "terminated", "terminatedBy": "daemon"}


class Watches(acp.Client):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.reasons: list[Any] = []

    def session_update(self, params: acp.SessionNotification) -> None:
        self.heard.append(params.session_id)

    def session_ended(self, params: acp.SessionEndedNotification) -> None:
        self.reasons.append(params.reason)


def update(session: str) -> dict[str, Any]:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "text"}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": chunk}}


def ended(session: str, **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": ENDED, "params": {"sessionId": session, **members}}


def answer(id: Any, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


@asynccontextmanager
async def client(watches: acp.Client, **options: Any) -> AsyncGenerator[tuple[Wire, acp.ClientSideConnection], None]:
    """A client of ours, its handshake done, with an agent of raw bytes that offers everything."""
    async with wired(acp.ClientSideConnection, watches, check_capabilities=False, **options) as (wire, connection):
        opening = asyncio.create_task(connection.initialize())
        await wire.send(answer((await wire.receive())["id"], {"protocolVersion": 1}))
        await opening
        yield wire, connection


async def opened(wire: Wire, connection: acp.ClientSideConnection, session: str = "s") -> None:
    call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
    await wire.send(answer((await wire.receive())["id"], {"sessionId": session}))
    await call


async def test_a_session_is_open_from_the_answer_that_names_it_to_the_answer_that_closes_it() -> None:
    async with client(Watches()) as (wire, connection):
        begun: list[Any] = []
        connection.open_sessions.on_begin(begun.append)
        await opened(wire, connection)
        assert (begun, connection.open_sessions.phase("s")) == (["s"], "open")
        call = asyncio.create_task(connection.close_session(session_id="s"))
        id = (await wire.receive())["id"]
        assert connection.open_sessions.phase("s") == "closing"
        await wire.send(answer(id, {}))
        await call
        assert connection.open_sessions.phase("s") == "ended"


async def test_a_close_that_is_refused_leaves_the_session_open() -> None:
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        call = asyncio.create_task(connection.close_session(session_id="s"))
        id = (await wire.receive())["id"]
        await wire.send({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no"}})
        with pytest.raises(acp.RequestError):
            await call
        assert connection.open_sessions.phase("s") == "open"


async def test_a_session_that_is_loaded_again_is_open_again() -> None:
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        await wire.send(ended("s", **WHOLE))
        await until(lambda: connection.open_sessions.phase("s") == "ended")
        call = asyncio.create_task(connection.load_session(session_id="s", cwd="/", mcp_servers=[]))
        await wire.send(answer((await wire.receive())["id"], {}))
        await call
        assert connection.open_sessions.phase("s") == "open"


@pytest.mark.parametrize(
    ("members", "reasons"),
    [
        (WHOLE, ["terminated"]),
        ({**WHOLE, "reason": "evicted"}, ["evicted"]),
        ({**WHOLE, "message": None, "stderr": None, "exitCode": None}, ["terminated"]),
        ({**WHOLE, "stderr": "all of it", "exitCode": "many"}, ["terminated"]),
        ({}, []),
    ],
    ids=["whole", "unknown reason", "null members", "bad optional members", "unreadable"],
)
async def test_the_news_that_a_session_has_ended_ends_it(members: dict[str, Any], reasons: list[Any]) -> None:
    watches = Watches()
    async with client(watches) as (wire, connection):
        await opened(wire, connection)
        endings: list[Any] = []
        connection.open_sessions.on_end("s", endings.append)
        await wire.send(update("s"), ended("s", **members))
        await until(lambda: endings)
        assert (watches.heard, watches.reasons) == (["s"], reasons)
        assert (endings[0].cause, endings[0].method) == ("ended", ENDED)
        assert connection.open_sessions.phase("s") == "ended"


async def test_who_asks_after_the_end_is_told_at_once() -> None:
    async with client(acp.Client()) as (wire, connection):
        await opened(wire, connection)
        await wire.send(ended("s", **WHOLE))
        await until(lambda: "s" not in connection.open_sessions)
        endings: list[Any] = []
        connection.open_sessions.on_end("s", endings.append)
        assert [each.cause for each in endings] == ["ended"]


async def test_a_turn_may_be_answered_behind_the_news() -> None:
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(ended("s", **WHOLE))
        await until(lambda: "s" not in connection.open_sessions)
        await wire.send(answer(id, {"stopReason": "cancelled"}))
        assert (await turn).stop_reason == "cancelled"


async def test_a_turn_that_is_not_answered_behind_the_news_fails() -> None:
    async with client(Watches()) as (wire, connection):
        advance(0)
        await opened(wire, connection)
        seen: list[Any] = []
        stream = connection.prompt_stream(session_id="s", prompt=[])

        async def follow() -> None:
            async for each in stream:
                seen.append(each)  # noqa: PERF401  # what came before it failed counts

        following = asyncio.create_task(follow())
        await wire.receive()
        await wire.send(update("s"), ended("s", **WHOLE))
        await until(lambda: "s" not in connection.open_sessions)
        advance(2)
        with pytest.raises(SessionEnded, match=f"the peer sent {ENDED}"):
            await following
        assert len(seen) == 1


async def test_a_turn_that_an_agent_leaves_unanswered_after_a_close_is_cancelled() -> None:
    async with client(Watches()) as (wire, connection):
        advance(0)
        await opened(wire, connection)
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await wire.receive()
        close = asyncio.create_task(connection.close_session(session_id="s"))
        await wire.send(answer((await wire.receive())["id"], {}))
        await close
        advance(2)
        assert (await turn).stop_reason == "cancelled"


async def test_sessions_that_are_open_when_the_connection_ends_are_lost() -> None:
    endings: list[Any] = []
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        connection.open_sessions.on_end("s", endings.append)
        wire.hang_up()
        await connection.wait_closed()
    assert [each.cause for each in endings] == ["lost"]


async def test_a_callback_that_raises_is_logged_and_the_others_are_called(caplog: pytest.LogCaptureFixture) -> None:
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        endings: list[Any] = []

        def fails(_: Any) -> None:
            raise ValueError("of the program")

        connection.open_sessions.on_end("s", fails)
        connection.open_sessions.on_end("s", endings.append)
        await wire.send(ended("s", **WHOLE))
        await until(lambda: endings)
    assert "of the program" in caplog.text


# Idle and drained


async def test_a_session_is_drained_when_its_updates_were_handled_and_idle_when_its_turn_has_ended_too() -> None:
    gate = asyncio.Event()

    class Slow(Watches):
        async def session_update(self, params: acp.SessionNotification) -> None:  # type: ignore[override]
            await gate.wait()
            super().session_update(params)

    watches = Slow()
    async with client(watches) as (wire, connection):
        await opened(wire, connection)
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(update("s"), update("s"))
        await settled()
        drained = asyncio.create_task(connection.open_sessions.drained("s"))
        idle = asyncio.create_task(connection.open_sessions.idle("s"))
        await settled()
        assert (drained.done(), idle.done()) == (False, False)
        gate.set()
        await drained
        assert (watches.heard, idle.done()) == (["s", "s"], False)
        await wire.send(answer(id, {"stopReason": "end_turn"}))
        await turn
        await idle
        await connection.open_sessions.idle("of which nothing is known")


async def test_a_session_that_ends_in_a_turn_is_idle() -> None:
    async with client(Watches()) as (wire, connection):
        await opened(wire, connection)
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await wire.receive()
        idle = asyncio.create_task(connection.open_sessions.idle("s"))
        await wire.send(ended("s", **WHOLE))
        await idle
        turn.cancel()


async def test_a_handler_may_wait_for_the_updates_before_its_own() -> None:
    class Waits(Watches):
        async def session_update(self, params: acp.SessionNotification) -> None:  # type: ignore[override]
            await self.agent.open_sessions.drained(params.session_id)
            super().session_update(params)

    watches = Waits()
    async with client(watches) as (wire, connection):
        await opened(wire, connection)
        await wire.send(update("s"), update("s"))
        await until(lambda: len(watches.heard) == 2)


# Updates that come before the response that names their session


async def test_updates_of_two_sessions_that_are_opened_at_once_reach_each_its_own() -> None:
    watches = Watches()
    async with client(watches) as (wire, connection):
        calls = [asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[])) for _ in range(2)]
        ids = [(await wire.receive())["id"] for _ in calls]
        await wire.send(update("a"), update("b"), answer(ids[0], {"sessionId": "a"}))
        await calls[0]
        await until(lambda: watches.heard)
        await settled()
        assert watches.heard == ["a"]
        await wire.send(answer(ids[1], {"sessionId": "b"}))
        await until(lambda: watches.heard == ["a", "b"])


async def test_updates_are_not_held_for_a_session_that_is_loaded() -> None:
    watches = Watches()
    async with client(watches) as (wire, connection):
        call = asyncio.create_task(connection.load_session(session_id="s", cwd="/", mcp_servers=[]))
        other = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        ids = [(await wire.receive())["id"] for _ in range(2)]
        await wire.send(update("s"))
        await until(lambda: watches.heard == ["s"])
        await wire.send(answer(ids[0], {}), answer(ids[1], {"sessionId": "t"}))
        await asyncio.gather(call, other)


@pytest.mark.parametrize("how", ["refused", "given up"])
async def test_updates_that_no_response_names_are_handed_on_all_the_same(how: str) -> None:
    watches = Watches()
    async with client(watches) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await wire.send(update("stray"))
        await settled()
        if how == "refused":
            await wire.send({"jsonrpc": "2.0", "id": id, "error": {"code": -32603, "message": "no"}})
        else:
            call.cancel()
        await asyncio.wait([call])
        await until(lambda: watches.heard == ["stray"])


async def test_no_more_updates_are_held_than_the_limits_allow(caplog: pytest.LogCaptureFixture) -> None:
    watches = Watches()
    caplog.set_level(logging.WARNING)
    async with client(watches, limits=Limits(queue=3)) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await wire.send(*(update("s") for _ in range(4)))
        await until(lambda: len(watches.heard) == 4)
        await wire.send(answer(id, {"sessionId": "s"}))
        await call
    assert "3 notifications of unknown sessions were not held back" in caplog.text


async def test_strange_sessions_take_no_memory() -> None:
    async with client(Watches()) as (wire, connection):
        for number in range(10):
            turn = asyncio.create_task(connection.prompt(session_id=f"strange-{number}", prompt=[]))
            await wire.send(answer((await wire.receive())["id"], {"stopReason": "end_turn"}))
            await turn
        assert len(connection.open_sessions) == 0


async def test_a_relative_path_in_a_list_fails_the_call_before_anything_is_sent() -> None:
    async with client(Watches()) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[], additional_directories=["b/c"]))
        sent = asyncio.create_task(wire.receive())
        done, _ = await asyncio.wait({call, sent}, return_when=asyncio.FIRST_COMPLETED)
        sent.cancel()
        assert done == {call}
        assert isinstance(call.exception(), acp.errors.InvalidMessage)


@pytest.mark.parametrize(
    ("members", "place"),
    [
        ({"cwd": "work"}, "cwd: 'work'"),
        ({"cwd": ""}, "cwd: ''"),
        ({"cwd": "/work", "additional_directories": ["/a", "b/c"]}, r"additional_directories\[1\]: 'b/c'"),
    ],
)
async def test_a_relative_path_where_a_session_works_is_not_sent(members: dict[str, Any], place: str) -> None:
    async with client(Watches()) as (wire, connection):
        with pytest.raises(acp.errors.InvalidMessage, match=f"session/new was not sent: {place} is a relative path"):
            await connection.new_session(mcp_servers=[], **members)
        with pytest.raises(acp.errors.InvalidMessage):
            await connection.load_session(session_id="s", mcp_servers=[], **members)
        call = asyncio.create_task(connection.new_session(cwd=r"C:\work", mcp_servers=[]))
        await wire.send(answer((await wire.receive())["id"], {"sessionId": "s"}))
        await call
