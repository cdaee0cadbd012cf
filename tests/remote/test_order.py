"""Order, cancellation, and who waits for room: the same over every profile."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import msgspec
import pytest
from remote_agents import RUNTIME, Agent, Client, LoadingAgent, begin_session, prompt
from remote_hosts import browsing, served, under_hypercorn
from remote_raw import (
    CONNECTION,
    EVENTS,
    SESSION,
    Stream,
    connections,
    opened,
    post,
    request,
    socketed,
    streaming,
    text_frame,
)

import generated as acp
from acp_remote.routing import Routes
from acp_remote.server_transport import HttpServerTransport
from acp_remote.sse import EventQueue
from tests.support.waiting import advance, settled, still


async def test_updates_come_in_order_and_before_the_answer(way: dict[str, Any]) -> None:
    client = Client()
    async with served(Agent) as url, acp.connect(url, client, **way) as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 500"))
        assert client.said[session] == [str(number) for number in range(500)]


async def test_sessions_work_at_the_same_time(way: dict[str, Any]) -> None:
    client = Client()
    async with served(Agent) as url, acp.connect(url, client, **way) as agent:
        await agent.initialize()
        sessions = [(await agent.new_session(cwd="/", mcp_servers=[])).session_id for _ in range(8)]
        waiting = asyncio.ensure_future(agent.prompt(session_id=sessions[0], prompt=prompt("wait")))
        turns = (agent.prompt(session_id=session, prompt=prompt("say 20")) for session in sessions[1:])
        async with asyncio.timeout(60):
            await asyncio.gather(*turns)
            assert all(client.said[session] == [str(n) for n in range(20)] for session in sessions[1:])
            await agent.cancel(session_id=sessions[0])
            assert (await waiting).stop_reason == "cancelled"


async def test_a_call_that_is_given_up_is_cancelled_at_the_other_end(way: dict[str, Any]) -> None:
    begun, cancelled = asyncio.Event(), asyncio.Event()

    class Waiting(Agent):
        async def do_wait(self, session: str) -> None:
            begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.set()

    async with served(Waiting) as url, acp.connect(url, Client(), **way) as agent:
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("wait")))
        await begun.wait()
        turn.cancel()
        async with asyncio.timeout(60):
            await cancelled.wait()


async def test_what_is_sent_in_order_arrives_in_order(way: dict[str, Any]) -> None:
    came: list[int] = []

    class Noting(Agent):
        async def ext_notification(self, method: str, params: Any) -> None:
            came.append(params["number"])

    async with served(Noting) as url, acp.connect(url, Client(), **way) as agent:
        await agent.initialize()
        for number in range(100):
            await agent.ext_notify("_note", {"number": number, "sessionId": "s1"})
        assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"
        async with asyncio.timeout(60):
            while len(came) < 100:  # noqa: ASYNC110  # another session's messages may be answered before
                await asyncio.sleep(0.01)
    assert came == list(range(100))


async def test_what_is_replayed_comes_before_the_answer_of_the_load(way: dict[str, Any]) -> None:
    client = Client()
    async with served(LoadingAgent) as url, acp.connect(url, client, **way) as agent:
        await agent.initialize()
        for name in ("a", "b"):
            await agent.load_session(session_id=name, cwd="/", mcp_servers=[])
            assert client.said[name] == ["replayed 0", "replayed 1", "replayed 2"]
            await agent.prompt(session_id=name, prompt=prompt("say 1"))
            assert client.said[name][-1] == "0"


async def test_it_does_though_the_server_tells_of_the_load_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """The RFD has the answer on another stream, and no order between streams."""
    client = Client()
    monkeypatch.setattr(EventQueue, "after", lambda self, call: call())
    async with served(LoadingAgent) as url, acp.connect(url, client, http2=True) as agent:
        await agent.initialize()
        for name in "abcde":
            await agent.load_session(session_id=name, cwd="/", mcp_servers=[])
            assert client.said[name] == ["replayed 0", "replayed 1", "replayed 2"]


class Delaying:
    """An application that takes every other message late, as a balancer with several ways may."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.count = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            self.count += 1
            await asyncio.sleep(0.03 * (self.count % 2))
        await self.app(scope, receive, send)


async def test_messages_of_a_session_arrive_in_order_though_one_takes_longer() -> None:
    came: list[int] = []

    class Noting(Agent):
        async def ext_notification(self, method: str, params: Any) -> None:
            came.append(params["number"])

    async with under_hypercorn(Delaying(acp.asgi(Noting))) as url, acp.connect(url, Client()) as agent:
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
        for number in range(8):
            await agent.ext_notify("_note", {"number": number, "sessionId": "s1"})
        await agent.prompt(session_id="s1", prompt=prompt("nothing"))
    assert came == list(range(8))


async def test_an_update_that_was_sent_before_its_session_was_told_arrives(way: dict[str, Any]) -> None:
    class Eager(Agent):
        async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
            await self.say("s1", "early")
            return super().new_session(params)

    client = Client()
    async with served(Eager) as url, acp.connect(url, client, **way) as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 1"))
        assert client.said == {"s1": ["early", "0"]}


async def test_large_messages_pass(way: dict[str, Any]) -> None:
    client = Client()
    async with served(Agent) as url, acp.connect(url, client, **way) as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt(f"say 2 {3 << 20}"))
        assert [len(text) for text in client.said[session]] == [3 << 20] * 2
        # One as long the other way, of which the agent reads no more than it has to.
        await agent.prompt(session_id=session, prompt=prompt("nothing " + " " * (3 << 20)))


async def test_a_message_beyond_the_limit_is_refused_and_the_connection_goes_on(profile: dict[str, Any]) -> None:
    async with served(Agent, limits=acp.Limits(frame=10_000)) as url, acp.connect(url, Client(), **profile) as agent:
        session = await begin_session(agent)
        with pytest.raises(acp.errors.FrameTooLong):
            await agent.prompt(session_id=session, prompt=prompt("nothing " + "x" * 20_000))
        assert (await agent.prompt(session_id=session, prompt=prompt("nothing"))).stop_reason == "end_turn"


async def test_who_sends_waits_for_a_stream_that_nobody_reads() -> None:
    sent: list[int] = []

    class Counting(Agent):
        async def do_flood(self, session: str) -> None:
            for number in range(100_000):
                await self.say(session, "x" * 1000)
                sent.append(number)

    async with served(Counting) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/new", cwd="/", mcpServers=[]), connection)
            await main.next()
            turn = request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "flood"}])
            await post(client, turn, connection, session="s1")
            await still(lambda: len(sent))
            assert 500 < len(sent) < 3000, "a megabyte waits, not more"
            # Answers of what is the connection's wait for nobody.
            async with streaming(client, connection, "s1") as stream:
                assert (await stream.next())["method"] == "session/update"
                before = len(sent)
                for _ in range(before):
                    await stream.next()
                assert len(sent) > before


class Flooding(Agent):
    """Counts what it sent in each flood."""

    sent: list[int]

    async def do_flood(self, session: str) -> None:
        for number in range(100_000):
            await self.say(session, "x" * 1000)
            self.sent.append(number)


@contextlib.asynccontextmanager
async def neglecting(**options: Any) -> AsyncGenerator[tuple[httpx.AsyncClient, str, Stream, Stream]]:
    """A connection with its stream and that of its second session; its first one floods, and nobody reads that stream."""
    sent = Flooding.sent = []
    async with served(Flooding, **options) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            for number in (1, 2):
                await post(client, request(number, "session/new", cwd="/", mcpServers=[]), connection)
                await main.next()
            flood = request(3, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "flood"}])
            await post(client, flood, connection, session="s1")
            await still(lambda: len(sent))
            assert 500 < len(sent) < 3000, "a megabyte waits, not more"
            async with streaming(client, connection, "s2") as other:
                yield client, connection, main, other


async def test_a_stream_that_nobody_reads_holds_up_its_session_and_no_other() -> None:
    async with neglecting() as (client, connection, main, other):
        before = len(Flooding.sent)
        turn = request(4, "session/prompt", sessionId="s2", prompt=[{"type": "text", "text": "say 3000 1000"}])
        await post(client, turn, connection, session="s2")
        for _ in range(3000):
            assert (await other.next())["method"] == "session/update"
        assert (await other.next())["id"] == 4
        await post(client, request(5, "session/new", cwd="/", mcpServers=[]), connection)
        assert (await main.next())["result"] == {"sessionId": "s3"}
        assert len(Flooding.sent) == before
        cancel = {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s1"}}
        await post(client, cancel, connection, session="s1")
        async with streaming(client, connection, "s1") as stream:
            while "id" not in (message := await stream.next()):
                pass
            assert message["id"] == 3


async def test_a_connection_of_which_one_stream_is_not_read_goes_on_as_long_as_others_are() -> None:
    async with neglecting(unread_timeout=0.1) as (client, connection, _, other):
        turn = request(4, "session/prompt", sessionId="s2", prompt=[{"type": "text", "text": "sleep 0.5"}])
        await post(client, turn, connection, session="s2")
        assert (await other.next())["id"] == 4
        assert (await post(client, request(5, "session/new", cwd="/", mcpServers=[]), connection)).status_code == 202


async def test_sessions_that_nobody_reads_share_what_a_connection_may_hold() -> None:
    wire = HttpServerTransport(RUNTIME, Routes(RUNTIME))
    names = [f"s{number}" for number in range(200)]
    for name in names:
        wire.expect(name)
    for name in names:
        params = {"sessionId": name, "update": {"text": "x" * 10_000}}
        frame = msgspec.json.encode({"jsonrpc": "2.0", "method": "session/update", "params": params})
        while name not in wire.crowded:
            wire.write(frame)
        assert not wire.full()
    assert sum(box.size for box in wire.sessions.values()) < 1 << 25
    waiting = asyncio.ensure_future(wire.drain_session("s7"))
    box = wire.sessions["s7"]
    reader = box.attach()
    await box.take(reader, 1)
    await waiting
    assert "s7" not in wire.crowded
    waiting = asyncio.ensure_future(wire.drain_session("s8"))
    await asyncio.sleep(0)
    wire.close()
    with pytest.raises(BrokenPipeError):
        await waiting


async def test_an_agent_waits_for_a_client_that_is_slow(profile: dict[str, Any]) -> None:
    sent: list[int] = []
    goes_on = asyncio.Event()

    class Counting(Agent):
        async def do_flood(self, session: str) -> None:
            for number in range(1_500):
                await self.say(session, "x" * 20_000)
                sent.append(number)

    class Slow(Client):
        async def session_update(self, params: acp.SessionNotification) -> None:  # type: ignore[override]
            await goes_on.wait()

    async with (
        served(Counting) as url,
        acp.connect(url, Slow(), limits=acp.Limits(hard_queue=30_000, queue=100), **profile) as agent,
    ):
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("flood")))
        await still(lambda: len(sent))
        assert len(sent) < 1_350
        goes_on.set()
        async with asyncio.timeout(60):
            await turn
        assert len(sent) == 1_500


async def test_a_connection_whose_client_takes_nothing_ends(caplog: pytest.LogCaptureFixture) -> None:
    async with served(Agent, unread_timeout=30) as url, browsing(url) as client:
        connection = await opened(client)
        await post(client, request(1, "session/new", cwd="/", mcpServers=[]), connection)
        async with streaming(client, connection) as main:
            await main.next()
        turn = request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "say 5000 1000"}])
        await post(client, turn, connection, session="s1")
        await settled()
        advance(31)
        await connections(0, client)
        answer = await client.get("/acp", headers={**EVENTS, CONNECTION: connection, SESSION: "s1"})
        assert answer.status_code == 404
    assert "closing a connection whose client read nothing for 30 seconds" in caplog.text


async def test_a_websocket_that_is_not_read_makes_its_agent_wait_and_ends() -> None:
    sent: list[int] = []

    class Counting(Agent):
        async def do_flood(self, session: str) -> None:
            for number in range(100_000):
                await self.say(session, "x" * 1000)
                sent.append(number)

    messages = (
        request(0, "initialize", protocolVersion=1, clientCapabilities={}),
        request(1, "session/new", cwd="/", mcpServers=[]),
        request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "flood"}]),
    )
    async with (
        served(Counting, unread_timeout=30) as url,
        browsing(url),
        socketed(url) as (_, writer),
    ):
        writer.writelines(map(text_frame, messages))
        await still(lambda: len(sent))
        assert len(sent) < 50_000
        advance(31)
        await connections(0)
