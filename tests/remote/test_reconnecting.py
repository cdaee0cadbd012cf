"""A client's end that stays open though the peer behind it is lost: what is answered, opened again, and never mixed up."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any

import msgspec
import pytest
from remote_agents import RUNTIME, Agent, Client, LoadingAgent, begin_session, prompt

import generated as acp
from acp_remote import ReconnectingTransport
from generated import transports
from generated._runtime.reconnect.backoff import Backoff
from generated.stores import MemoryStore, SessionAgent, using


class Pipe(transports.Transport):
    """One end of two; ``cut`` breaks both."""

    def __init__(self) -> None:
        self.other = self
        self._came: asyncio.Queue[bytes | None] = asyncio.Queue()
        self._why = ""
        self._unread = False

    async def receive(self) -> Sequence[bytes]:
        frame = None if self._why else await self._came.get()
        if frame is None and self._why:
            lost = acp.ConnectionClosed(self._why)
            lost.unread = self._unread
            raise lost
        return () if frame is None else (frame,)

    def write(self, frame: bytes) -> None:
        if not self._why:
            self.other._came.put_nowait(frame)

    def full(self) -> bool:
        return False

    async def drain(self) -> None:
        if self._why:
            raise acp.ConnectionClosed(self._why)

    def close(self) -> None:
        self.other._came.put_nowait(None)

    async def wait_closed(self) -> None:
        pass

    def cut(self, why: str, *, unread: bool = False) -> None:
        for end in (self, self.other):
            end._why = why
            end._unread = unread
            end._came.put_nowait(None)


def pipes() -> tuple[Pipe, Pipe]:
    one, other = Pipe(), Pipe()
    one.other, other.other = other, one
    return one, other


class Answered(msgspec.Struct):
    """An answer, as far as it can be read whatever it holds."""

    id: int


class Service:
    """Agents of a factory, one after the other; it can be away."""

    def __init__(self, factory: Callable[[], acp.Agent]) -> None:
        self.factory = factory
        self.agents: list[Any] = []
        self.dialled = 0
        self.away = self.unread = False
        self._wire = pipes()[0]
        self._ended = asyncio.Event()

    @contextlib.asynccontextmanager
    async def open(self) -> AsyncGenerator[transports.Transport]:
        self.dialled += 1
        if self.away:
            raise acp.ConnectionClosed("nobody answers")
        ours, theirs = pipes()
        self._wire = ours
        agent = self.factory()
        self.agents.append(agent)
        self._ended.clear()
        try:
            async with acp.AgentSideConnection(agent, theirs):
                yield ours
        finally:
            self._ended.set()

    async def crash(self) -> None:
        """Cut the wire; it is known on the other end then."""
        self._wire.cut("the wire was cut", unread=self.unread)
        await self._ended.wait()


@contextlib.asynccontextmanager
async def lasting(service: Service, client: acp.Client, **options: Any) -> AsyncGenerator[acp.ClientSideConnection]:
    """A client whose agent is reached again; its connection is initialized, and has not ended at the end."""
    ours, theirs = pipes()
    running = asyncio.ensure_future(ReconnectingTransport(RUNTIME, theirs, service.open, delay=0, **options).run())
    async with asyncio.timeout(60), acp.ClientSideConnection(client, ours) as agent:
        await agent.initialize()
        yield agent
        assert not running.done()
    await asyncio.wait_for(running, 60)


class Remembering(Agent):
    """Opens any session again, without its updates."""

    def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        return acp.ResumeSessionResponse()

    async def do_begin(self, session: str) -> None:
        await self.say(session, "begun")
        await asyncio.Event().wait()


class Hearing(Client):
    """Says when it has heard something."""

    def __init__(self) -> None:
        super().__init__()
        self.heard = asyncio.Event()

    def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk):
            super().session_update(params)
            self.heard.set()


async def test_a_call_under_way_has_an_error_and_the_session_goes_on() -> None:
    service, client = Service(Remembering), Hearing()
    async with lasting(service, client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("begin")))
        await client.heard.wait()
        await service.crash()
        with pytest.raises(acp.RequestError, match="The connection to the agent was lost") as failed:
            await turn
        assert failed.value.data == {
            "reason": "session/prompt has no answer: the wire was cut; it may have been executed, so check before you send it again",
            "mayRepeat": False,
        }
        assert (await agent.prompt(session_id=session, prompt=prompt("say 1"))).stop_reason == "end_turn"
        assert client.said[session] == ["begun", "0".ljust(1)]
        assert len(service.agents) == 2


async def test_what_is_replayed_when_a_session_is_opened_again_is_not_shown_twice() -> None:
    service, client = Service(LoadingAgent), Client()
    async with lasting(service, client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        await service.crash()
        await agent.prompt(session_id=session, prompt=prompt("say 1"))
        assert client.said[session] == ["0"]
        await agent.load_session(session_id=session, cwd="/", mcp_servers=[])
        assert client.said[session] == ["0", "replayed 0", "replayed 1", "replayed 2"]


async def test_a_session_that_was_closed_is_not_opened_again() -> None:
    resumed: list[str] = []

    class Resuming(Agent):
        def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
            resumed.append(params.session_id)
            return acp.ResumeSessionResponse()

    service = Service(Resuming)
    async with lasting(service, Client()) as agent:
        kept, closed = [(await agent.new_session(cwd="/", mcp_servers=[])).session_id for _ in range(2)]
        await agent.close_session(session_id=closed)
        await service.crash()
        await agent.prompt(session_id=kept, prompt=prompt("nothing"))
    assert resumed == [kept]


async def test_a_session_that_cannot_be_opened_again_is_lost_and_others_can_be_opened() -> None:
    service, told = Service(Agent), list[str]()
    async with lasting(service, Client(), tell=told.append) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        await service.crash()
        with pytest.raises(acp.RequestError, match="The session was lost") as failed:
            await agent.prompt(session_id=session, prompt=prompt("nothing"))
        assert "supports neither session/resume nor session/load" in failed.value.data["reason"]
        await agent.cancel(session_id=session)
        assert told[0] == "lost, reconnecting: the wire was cut"
        assert told[1].startswith("reconnected, with 0 sessions; ")
        fresh = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        assert fresh == session, "this agent counts"
        assert (await agent.prompt(session_id=fresh, prompt=prompt("nothing"))).stop_reason == "end_turn"


async def test_requests_of_the_lost_agent_are_cancelled_and_their_answers_go_to_no_other() -> None:
    class Slow(Client):
        def __init__(self) -> None:
            super().__init__()
            self.cancelled: list[str] = []
            self.asked, self.asked_again, self.late = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:  # type: ignore[override]
            if self.asked.is_set():
                self.asked_again.set()
                await self.late.wait()
                return acp.ReadTextFileResponse(content="of the right one")
            self.asked.set()
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.cancelled.append(params.path)
            await self.asked_again.wait()
            self.late.set()
            return acp.ReadTextFileResponse(content="of the wrong one")

    service, client = Service(Remembering), Slow()
    async with lasting(service, client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("ask")))
        await client.asked.wait()
        await service.crash()
        with pytest.raises(acp.RequestError, match="was lost"):
            await turn
        await agent.prompt(session_id=session, prompt=prompt("ask"))
        assert client.cancelled == ["/a"]
        assert client.said[session] == ["of the right one"]


async def test_a_later_agent_can_give_up_what_it_asked() -> None:
    class Patient(Client):
        asked, given_up = asyncio.Event(), asyncio.Event()

        async def read_text_file(self, params: acp.ReadTextFileRequest) -> acp.ReadTextFileResponse:  # type: ignore[override]
            self.asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.given_up.set()
            raise AssertionError

    class Hasty(Remembering):
        async def do_hurry(self, session: str) -> None:
            asking = asyncio.ensure_future(self.client.read_text_file(session_id=session, path="/a"))
            await Patient.asked.wait()
            asking.cancel()
            await asyncio.wait([asking])

    service, client = Service(Hasty), Patient()
    async with lasting(service, client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        await service.crash()
        await agent.prompt(session_id=session, prompt=prompt("hurry"))
        await client.given_up.wait()


async def test_a_request_that_was_not_read_is_sent_to_the_next_agent_when_the_others_have_ended() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    class Leaving(Remembering):
        async def do_hold(self, session: str) -> None:
            begun.set()
            await go_on.wait()

        async def do_refuse(self, session: str) -> None:
            if len(service.agents) == 1:
                raise acp.RequestError.internal_error({"reason": "about to end", "mayRepeat": True})

    service = Service(Leaving)
    async with lasting(service, Client()) as agent:
        sessions = [(await agent.new_session(cwd="/", mcp_servers=[])).session_id for _ in range(2)]
        held = asyncio.ensure_future(agent.prompt(session_id=sessions[0], prompt=prompt("hold")))
        await begun.wait()
        refused = asyncio.ensure_future(agent.prompt(session_id=sessions[1], prompt=prompt("refuse")))
        go_on.set()
        assert [(await turn).stop_reason for turn in (held, refused)] == ["end_turn", "end_turn"]
        assert len(service.agents) == 2


async def test_a_prompt_whose_key_the_agent_remembers_is_joined_and_shown_once() -> None:
    go_on, ran = asyncio.Event(), list[str]()

    class Storing(SessionAgent):
        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            ran.append(params.session_id)
            for text in ("one", "two"):
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text=text))
                await self.client.session_update(session_id=params.session_id, update=chunk)
                await go_on.wait()
            return acp.PromptResponse(stop_reason="end_turn")

    client = Hearing()
    async with using(MemoryStore()) as store, lasting(service := Service(lambda: Storing(store)), client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("x")))
        await client.heard.wait()
        await service.crash()
        go_on.set()
        assert (await turn).stop_reason == "end_turn"
        assert (len(ran), len(service.agents)) == (1, 2)
        assert client.said[session] == ["one", "two"]


async def test_a_prompt_is_not_sent_again_to_an_agent_that_remembers_no_keys() -> None:
    class Storing(SessionAgent):
        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            chunk = acp.AgentMessageChunk(content=acp.TextContent(text="begun"))
            await self.client.session_update(session_id=params.session_id, update=chunk)
            await asyncio.Event().wait()
            raise AssertionError

    client = Hearing()
    async with using(MemoryStore()) as store, lasting(service := Service(lambda: Storing(store)), client) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("x")))
        await client.heard.wait()
        service.factory = Remembering
        await service.crash()
        with pytest.raises(acp.RequestError, match="The connection to the agent was lost"):
            await turn


async def test_what_a_peer_did_not_read_before_it_left_is_sent_to_the_next_one() -> None:
    class Silent(Remembering):
        async def do_refuse(self, session: str) -> None:
            reached.set()
            if len(service.agents) == 1:
                await asyncio.Event().wait()

    reached, service = asyncio.Event(), Service(Silent)
    async with lasting(service, Client()) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("refuse")))
        await reached.wait()
        service.unread = True
        await service.crash()
        assert (await turn).stop_reason == "end_turn"


async def test_an_agent_that_does_not_come_back_is_given_up_and_every_call_has_an_answer() -> None:
    service = Service(Remembering)
    ours, theirs = pipes()
    running = asyncio.ensure_future(
        ReconnectingTransport(RUNTIME, theirs, service.open, delay=0, longest_delay=60, attempts=3).run()
    )
    async with asyncio.timeout(60), acp.ClientSideConnection(Hearing(), ours) as agent:
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("wait")))
        service.away = True
        await service.crash()
        with pytest.raises(acp.RequestError, match="was lost"):
            await turn
        with pytest.raises(acp.ConnectionClosed, match="lost 4 times in a row: nobody answers"):
            await running
        assert service.dialled == 4


async def test_what_is_sent_while_it_is_away_waits() -> None:
    service = Service(Remembering)
    tried = asyncio.Event()

    def tell(what: str) -> None:
        if "nobody answers" in what:
            tried.set()

    async with lasting(service, Client(), attempts=10_000, tell=tell) as agent:
        session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        service.away = True
        await service.crash()
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("nothing")))
        await tried.wait()
        assert not turn.done()
        service.away = False
        assert (await turn).stop_reason == "end_turn"


async def test_an_agent_that_was_never_reached_is_an_error() -> None:
    service = Service(Agent)
    service.away = True
    with pytest.raises(acp.ConnectionClosed, match=r"^nobody answers$"):
        await ReconnectingTransport(RUNTIME, pipes()[0], service.open).run()
    assert service.dialled == 1


async def test_a_client_that_leaves_while_it_is_away_is_not_kept() -> None:
    service = Service(Agent)
    ours, theirs = pipes()
    running = asyncio.ensure_future(
        ReconnectingTransport(RUNTIME, theirs, service.open, delay=600, longest_delay=600).run()
    )
    async with acp.ClientSideConnection(Client(), ours) as agent:
        await agent.initialize()
        await service.crash()
    await asyncio.wait_for(running, 60)


async def test_an_agent_that_comes_back_with_another_version_ends_it() -> None:
    class Newer(Agent):
        def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:  # type: ignore[override]
            return acp.InitializeResponse(protocol_version=0)

    service = Service(Agent)
    ours, theirs = pipes()
    running = asyncio.ensure_future(ReconnectingTransport(RUNTIME, theirs, service.open, delay=0).run())
    async with acp.ClientSideConnection(Client(), ours) as agent:
        await agent.initialize()
        service.factory = Newer
        await service.crash()
        with pytest.raises(ValueError, match="another version"):
            await asyncio.wait_for(running, 60)


def test_pauses_grow_until_there_are_no_more_and_begin_anew_after_success() -> None:
    backoff = Backoff(attempts=3, delay=1, longest=3)
    assert [backoff.lost(answered=False, lived=0) for _ in range(4)] == [1, 2, 3, None]
    assert backoff.lost(answered=True, lived=0) == 1
    assert backoff.lost(answered=False, lived=4) == 1


ODD = {
    "a handshake without a result": (b'"result":null', b'"result":{}'),
    "a handshake with a list": (b'"result":[]', b'"result":{}'),
    "a handshake with a number that no double holds": (b'"result":{"_meta":{"a":1e999}}', b'"result":{}'),
    "an offer that is no text": (b'"result":{"_meta":{"acp-remote/idempotency":"\xff"}}', b'"result":{}'),
    "an offer that is an object": (b'"result":{"_meta":{"acp-remote/idempotency":{}}}', b'"result":{}'),
    "an error that is a number": (b'"result":{"protocolVersion":1}', b'"error":5'),
    "an error with a number that no double holds": (
        b'"result":{"protocolVersion":1}',
        b'"error":{"code":1,"message":"","data":1e999}',
    ),
}


@pytest.mark.parametrize(("greeting", "answer"), ODD.values(), ids=ODD)
async def test_odd_answers_of_a_peer_end_neither_it_nor_the_client(greeting: bytes, answer: bytes) -> None:
    peer, (client, theirs) = pipes(), pipes()

    @contextlib.asynccontextmanager
    async def open_() -> AsyncGenerator[transports.Transport]:
        yield peer[0]

    running = asyncio.ensure_future(ReconnectingTransport(RUNTIME, theirs, open_, delay=0).run())
    said: list[bytes] = []
    async with asyncio.timeout(60):
        for number, (method, member) in enumerate(((b"initialize", greeting), (b"session/list", answer))):
            request = b'{"jsonrpc":"2.0","id":%d,"method":"%b","params":{"protocolVersion":1}}' % (number, method)
            client.write(request)
            (asked,) = await peer[1].receive()
            assert method in asked
            peer[1].write(b'{"jsonrpc":"2.0","id":%d,%b}' % (number, member))
            said += await client.receive()
        client.close()
        await running
    assert [msgspec.json.decode(frame, type=Answered).id for frame in said] == [0, 1]
