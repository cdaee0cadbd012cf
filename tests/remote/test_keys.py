"""Prompts with a key: a connection that breaks in the middle of a turn loses, repeats and hides nothing of it."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from remote_agents import Agent, Client, begin_session, prompt, text_of
from remote_hosts import served

import generated as acp
from acp_tools.relay.chaos import FaultProxy, proxied
from generated._runtime.stores import registry
from generated._runtime.stores.host import SessionHost
from generated.stores import MemoryStore, SessionAgent, SQLiteStore, Store

WAYS = {"websocket": {"profile": "websocket"}, "http": {"profile": "http"}}


class Author(SessionAgent):
    """Counts, and waits where the test says so. `ran`: the turns that have begun."""

    ran: list[str]
    reached: dict[str, asyncio.Event]
    go_on: dict[str, asyncio.Event]

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        self.ran.append(text_of(params))
        for word in text_of(params).split():
            await self.say(params.session_id, word)
            if word in self.go_on:
                self.reached[word].set()
                await self.go_on[word].wait()
            if word == "fail":
                raise acp.RequestError.invalid_params({"reason": "as it was asked to"})
        return acp.PromptResponse(stop_reason="end_turn")

    async def say(self, session: str, text: str) -> None:
        chunk = acp.AgentMessageChunk(content=acp.TextContent(text=text))
        await self.client.session_update(session_id=session, update=chunk)


@pytest.fixture
def author() -> type[Author]:
    waits = ("wait", "later")
    return type(
        "Here",
        (Author,),
        {"ran": [], "reached": {w: asyncio.Event() for w in waits}, "go_on": {w: asyncio.Event() for w in waits}},
    )


class Shown(Client):
    """Wakes whoever waits for a word."""

    def __init__(self) -> None:
        super().__init__()
        self.changed = asyncio.Event()

    def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk):
            super().session_update(params)
            self.changed.set()

    async def until(self, session: str, word: str) -> None:
        while word not in self.said.get(session, []):
            self.changed.clear()
            await self.changed.wait()


@contextlib.asynccontextmanager
async def serving(author: type[Author], store: Store) -> AsyncGenerator[str]:
    """The address of a server, whose process is as if it had ended at the end."""
    async with served(lambda: author(store)) as url:
        yield url
    await SessionHost.stop_of(store)


@contextlib.asynccontextmanager
async def client(proxy: FaultProxy, way: str, shown: Shown) -> AsyncGenerator[tuple[acp.ReconnectingAgent, str]]:
    """A client that reconnects, and its session, behind a turn."""
    opened = acp.ReconnectingAgent(lambda: acp.connect(proxy.url, shown, **WAYS[way]), delay=0.01, attempts=1000)
    async with asyncio.timeout(60), opened as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("before"))
        yield agent, session


def texts(state: Any) -> list[str]:
    return [block.text for message in state.messages for block in message.items]


@pytest.mark.parametrize("way", WAYS)
async def test_a_turn_goes_on_when_its_client_is_cut_off_and_is_joined(way: str, author: type[Author]) -> None:
    shown = Shown()
    async with serving(author, MemoryStore()) as url, proxied(url) as proxy, client(proxy, way, shown) as (agent, it):
        turn = asyncio.ensure_future(agent.prompt(session_id=it, prompt=prompt("a wait b later c")))
        await shown.until(it, "wait")
        proxy.reset_all()
        author.go_on["wait"].set()
        await author.reached["later"].wait()
        await shown.until(it, "later")
        author.go_on["later"].set()
        assert (await turn).stop_reason == "end_turn"
        assert shown.said[it] == ["before", "a", "wait", "b", "later", "c"]
        assert author.ran == ["before", "a wait b later c"]
        assert "".join(texts(agent.states[it])) == "beforebeforea wait b later cawaitblaterc"
        assert agent.reconnections == (way == "websocket"), "over HTTP the streams are resumed"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("end", ["b", "fail"])
async def test_a_turn_that_ended_meanwhile_has_the_answer_it_had(way: str, end: str, author: type[Author]) -> None:
    shown = Shown()
    async with serving(author, MemoryStore()) as url, proxied(url) as proxy, client(proxy, way, shown) as (agent, it):
        turn = asyncio.ensure_future(agent.prompt(session_id=it, prompt=prompt(f"a wait {end}")))
        await shown.until(it, "wait")
        there, proxy.target = proxy.target, "http://127.0.0.1:1"
        proxy.reset_all()
        author.go_on["wait"].set()
        await ended()
        proxy.target = there
        if end == "fail":
            with pytest.raises(acp.RequestError, match="as it was asked to"):
                await turn
        else:
            assert (await turn).stop_reason == "end_turn"
        assert shown.said[it] == ["before", "a", "wait", end]
        assert author.ran == ["before", f"a wait {end}"]


async def ended() -> Any:
    """The host of the only store that is open, when it runs no turn."""
    (host,) = [each for each in SessionHost._of.values() if each.turns]
    for turn in list(host.turns.values()):
        await turn.over.wait()
    return host


class Late(SQLiteStore):
    """A store whose second process begins no turn before `may`."""

    may: asyncio.Event

    async def begin_turn(self, *arguments: Any) -> Any:
        await self.may.wait()
        return await super().begin_turn(*arguments)


@pytest.mark.parametrize("ended_before", [False, True], ids=["asked while it runs", "asked when it has ended"])
@pytest.mark.parametrize("way", WAYS)
async def test_another_server_of_the_store_waits_for_the_end_of_the_turn(
    way: str, ended_before: bool, author: type[Author], tmp_path: Path
) -> None:
    shown = Shown()
    late = Late(tmp_path / "store.db")
    late.may = asyncio.Event()
    places = [SQLiteStore(tmp_path / "store.db"), late]
    async with (
        serving(author, places[0]) as url,
        serving(author, places[1]) as other,
        proxied(url) as proxy,
        client(proxy, way, shown) as (agent, it),
    ):
        turn = asyncio.ensure_future(agent.prompt(session_id=it, prompt=prompt("a wait b")))
        await shown.until(it, "wait")
        proxy.target = other
        proxy.reset_all()
        while not SessionHost.of(places[1], lambda _: ()).turns:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        first, last = (author.go_on["wait"], late.may) if ended_before else (late.may, author.go_on["wait"])
        first.set()
        while ended_before and SessionHost.of(places[0], lambda _: ()).turns:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        last.set()
        assert (await turn).stop_reason == "end_turn"
        assert shown.said[it] == ["before", "a", "wait", "b"]
        assert author.ran == ["before", "a wait b"]


async def test_a_turn_ends_when_its_client_does_not_come_back(
    author: type[Author], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "REJOIN", 0.05)
    shown = Shown()
    async with serving(author, MemoryStore()) as url, proxied(url) as proxy:
        with contextlib.suppress(acp.ConnectionClosed):
            async with client(proxy, "websocket", shown) as (agent, it):
                turn = asyncio.ensure_future(agent.prompt(session_id=it, prompt=prompt("a wait b")))
                await shown.until(it, "wait")
                proxy.target = "http://127.0.0.1:1"
                proxy.reset_all()
        await asyncio.wait([turn])
        host = await ended()
        assert author.ran == ["before", "a wait b"]
        while host.sessions:  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def test_a_key_with_other_params_is_an_error(author: type[Author]) -> None:
    async with serving(author, MemoryStore()) as url, acp.connect(url, Shown()) as agent:
        agent._router.offers_keys = True
        session = await begin_session(agent)
        meta = {"acp-remote/idempotency-key": "k"}
        for attempt in range(2):
            await agent.prompt(session_id=session, prompt=prompt("a"), meta={**meta, "attempt": attempt})
        with pytest.raises(acp.RequestError, match="used with other params"):
            await agent.prompt(session_id=session, prompt=prompt("b"), meta=meta)
        assert author.ran == ["a"]


async def test_a_prompt_to_an_agent_that_remembers_nothing_is_not_sent_again() -> None:
    class Resuming(Agent):
        async def do_wait(self, session: str) -> None:
            await self.say(session, "wait")
            await asyncio.Event().wait()

        def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
            return acp.ResumeSessionResponse()

        async def do_before(self, session: str) -> None: ...

    shown = Shown()
    async with served(Resuming) as url, proxied(url) as proxy, client(proxy, "websocket", shown) as (agent, it):
        turn = asyncio.ensure_future(agent.prompt(session_id=it, prompt=prompt("wait")))
        await shown.until(it, "wait")
        proxy.reset_all()
        with pytest.raises(acp.errors.CallLost, match="may have been executed"):
            await turn
