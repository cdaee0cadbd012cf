"""Numbered frames: a load is complete when it returns, and streams that break off are resumed, without a timer."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from remote_agents import Agent, Client, begin_session, prompt
from remote_hosts import served, under_hypercorn

import generated as acp
from acp_remote import client as client_module
from acp_remote.numbering import offer, take_offer
from acp_remote.sse import EventQueue
from acp_tools.relay.chaos import Faults, proxied

COUNT = 400
HISTORY = [f"replayed {number}" + "." * 100 for number in range(COUNT)]
SLOW = Faults(bandwidth=68_000, side="server")


def of_session(method: bytes) -> Callable[[bytes], bool]:
    """Whether a request is of a session."""
    return lambda asked: asked.startswith(method) and b"acp-session-id" in asked.lower()


STREAMS, POSTS = of_session(b"GET"), of_session(b"POST")


class Replaying(Agent):
    """Has a long history."""

    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        for text in HISTORY:
            await self.say(params.session_id, text)
        return acp.LoadSessionResponse()


async def test_a_load_returns_behind_its_history_though_the_stream_of_the_session_is_slow() -> None:
    client = Client()
    async with (
        served(Replaying) as url,
        proxied(url, SLOW, only=STREAMS) as proxy,
        acp.connect(proxy.url, client) as agent,
    ):
        await agent.initialize()
        await agent.load_session(session_id="a", cwd="/", mcp_servers=[])
        assert client.said == {"a": HISTORY}


async def test_a_reconnected_session_hears_no_history_though_its_stream_is_slow() -> None:
    client = Client()
    async with served(Replaying) as url, served(Replaying) as other, proxied(url, SLOW, only=STREAMS) as proxy:
        reconnected = asyncio.Event()
        async with acp.ReconnectingAgent(
            lambda: acp.connect(proxy.url, client), delay=0, on_reconnect=lambda _: reconnected.set()
        ) as agent:
            session = await begin_session(agent)
            proxy.target = other
            proxy.reset_all()
            await reconnected.wait()
            await agent.prompt(session_id=session, prompt=prompt("say 1"))
            assert client.said == {session: ["0"]}


async def test_a_stream_that_is_cut_goes_on_where_it_was_cut() -> None:
    client = Client()
    cut = Faults(cut=20_000, times=1, side="server")
    async with (
        served(Replaying) as url,
        proxied(url, cut, only=STREAMS) as proxy,
        acp.connect(proxy.url, client) as agent,
    ):
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 1000 100"))
        assert [text.strip(".") for text in client.said[session]] == [str(number) for number in range(1000)]
    assert proxy.struck == 1


async def test_a_message_whose_response_is_lost_is_sent_once_more_and_taken_once() -> None:
    client, came = Client(), list[str]()

    class Noting(Replaying):
        async def do_note(self, session: str, what: str) -> None:
            came.append(what)
            await self.say(session, what)

    async with served(Noting) as url, proxied(url, only=POSTS) as proxy, acp.connect(proxy.url, client) as agent:
        session = await begin_session(agent)
        proxy.faults = Faults(cut=0, times=1, side="server")
        await agent.prompt(session_id=session, prompt=prompt("note a"))
        await agent.prompt(session_id=session, prompt=prompt("note b"))
    assert (proxy.struck, came, client.said) == (1, ["a", "b"], {session: ["a", "b"]})


async def test_what_is_on_the_way_to_a_client_is_bounded_and_goes_on_when_it_has_come() -> None:
    box = EventQueue(lambda: None, itertools.count(1))
    reader = box.attach()
    for _ in range(30):
        box.put(b"x" * 10_000)
    assert len(await box.take(reader, 60) or b"") == box.unacknowledged < 80_000
    waiting = asyncio.ensure_future(box.take(reader, 60))
    await asyncio.sleep(0)
    assert not waiting.done()
    box.acknowledge(5)
    assert (await waiting or b"").startswith(b"id: 8.0\n")
    again = box.attach()
    assert (await box.take(again, 60) or b"").startswith(b"id: 6.0\n"), "what was not acknowledged is sent again"


@pytest.mark.parametrize("meta", [None, {}, {"vendor.example/a": 1}])
def test_the_offer_is_between_the_ends_of_a_transport(meta: Any) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}
    if meta is not None:
        message["params"] = {"protocolVersion": 1, "_meta": meta}
    frame = msgspec.json.encode(message)
    assert take_offer(frame, "params") == (frame, False)
    taken, offered = take_offer(offer(frame, "params"), "params")
    assert offered
    assert msgspec.json.decode(taken)["params"] == ({"protocolVersion": 1} if not meta else message["params"])


# --- peers that do not number frames ----------------------------------------------------------------------------------


@pytest.fixture
def unnumbered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our client does not offer numbers, as a peer of another make would not take them."""

    def offers_nothing(frame: bytes, half: str) -> bytes:
        del half
        return frame

    monkeypatch.setattr(client_module, "offer", offers_nothing)


class Held(Client):
    """Tells when the last of a history was handled."""

    def __init__(self) -> None:
        super().__init__()
        self.last = asyncio.Event()

    def session_update(self, params: acp.SessionNotification) -> None:
        super().session_update(params)
        if self.said[params.session_id][-1] == HISTORY[-1]:
            self.last.set()


@pytest.mark.usefixtures("unnumbered")
async def test_without_numbers_a_load_says_that_it_may_be_incomplete_and_what_comes_late_is_history() -> None:
    client = Held()
    async with (
        served(Replaying) as url,
        proxied(url, SLOW, only=STREAMS) as proxy,
        acp.connect(proxy.url, client, quiet=0.001) as agent,
    ):
        await agent.initialize()
        session = await agent.open("a", cwd="/")
        assert not session.history_complete
        heard = session.updates(turns=True)
        assert client.said.get("a", []) != HISTORY, "the rest is on its way"
        async with asyncio.timeout(60):
            await client.last.wait()
            await session.prompt("say 1")
            update: Any = await anext(aiter(heard))
        assert update.content.text == "0"


@pytest.mark.usefixtures("unnumbered")
async def test_without_numbers_a_reconnected_session_hears_no_history_before_its_next_prompt() -> None:
    client = Client()
    async with served(Replaying) as url, served(Replaying) as other, proxied(url, only=STREAMS) as proxy:
        reconnected = asyncio.Event()
        async with acp.ReconnectingAgent(
            lambda: acp.connect(proxy.url, client, quiet=0.001), delay=0, on_reconnect=lambda _: reconnected.set()
        ) as agent:
            session = await begin_session(agent)
            proxy.faults, proxy.target = SLOW, other
            proxy.reset_all()
            await reconnected.wait()
            state = agent.states[session]
            async with asyncio.timeout(60):
                while HISTORY[-1] not in str(state.to_json()):  # noqa: ASYNC110
                    await asyncio.sleep(0.01)
            await agent.prompt(session_id=session, prompt=prompt("say 1"))
            assert client.said == {session: ["0"]}


# --- requests that were not read --------------------------------------------------------------------------------------


class Ledger(Agent):
    """Notes each turn before it ends; its sessions are known to every server."""

    turns: list[str]
    sessions = itertools.count(1)

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=f"s{next(self.sessions)}")

    def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        return acp.ResumeSessionResponse()

    async def do_note(self, session: str, what: str) -> None:
        await asyncio.sleep(0.01)
        self.turns.append(what)
        await self.say(session, what)


@pytest.mark.parametrize("profile", ["http", "websocket"])
async def test_a_rolling_restart_under_load_loses_and_repeats_no_turn(profile: Any) -> None:
    turns = Ledger.turns = []
    clients = [Client() for _ in range(8)]
    done = asyncio.Event()
    finished = 0

    async def work(number: int, url: Callable[[], str]) -> None:
        nonlocal finished
        async with acp.ReconnectingAgent(
            lambda: acp.connect(url(), clients[number], profile=profile), delay=0.01, attempts=1000
        ) as agent:
            session = await begin_session(agent)
            for turn in itertools.count():
                if done.is_set() and turn > 30:
                    break
                await agent.prompt(session_id=session, prompt=prompt(f"note {number}.{turn}"))
                finished += 1

    apps = [acp.asgi(Ledger)]
    async with contextlib.AsyncExitStack() as servers:
        proxy = await servers.enter_async_context(proxied(await servers.enter_async_context(under_hypercorn(apps[0]))))
        async with asyncio.TaskGroup() as group:
            for number in range(len(clients)):
                group.create_task(work(number, lambda: proxy.url))
            for _ in range(4):
                before = finished
                async with asyncio.timeout(60):
                    while finished < before + 40:  # noqa: ASYNC110
                        await asyncio.sleep(0.01)
                apps.append(acp.asgi(Ledger))
                proxy.target = await servers.enter_async_context(under_hypercorn(apps[-1]))
                await apps[-2].drain(60)
            done.set()
    assert len(turns) == len(set(turns)) == finished
    assert sorted(text for client in clients for said in client.said.values() for text in said) == sorted(turns)


class Forgetful:
    """An application that forgets its connections: streams end, and the stream of the connection hears it before the POST does."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.forgets, self.told = asyncio.Event(), asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or (scope["method"] == "POST" and not self.forgets.is_set()):
            return await self.app(scope, receive, send)
        if not self.forgets.is_set():  # a stream
            serving = asyncio.ensure_future(self.app(scope, receive, send))
            forgets = asyncio.ensure_future(self.forgets.wait())
            await asyncio.wait([serving, forgets], return_when=asyncio.FIRST_COMPLETED)
            serving.cancel()
            return None
        if scope["method"] == "POST":
            await self.told.wait()
            await asyncio.sleep(0.1)  # time for the client to hear of it, and to give up too early
        await send({"type": "http.response.start", "status": 404, "headers": []})
        await send({"type": "http.response.body", "body": b""})
        if scope["method"] == "GET":
            self.told.set()
        return None


async def test_a_prompt_that_a_server_without_the_connection_rejects_may_be_repeated() -> None:
    app = Forgetful(acp.asgi(Agent))
    async with under_hypercorn(app) as url, acp.connect(url, Client(), profile="http") as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 1"))
        app.forgets.set()
        with pytest.raises(acp.errors.CallLost) as caught:
            await agent.prompt(session_id=session, prompt=prompt("say 2"))
        assert caught.value.may_repeat
