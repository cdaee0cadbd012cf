"""A client that survives its agent: one object, whatever becomes of the agent behind it."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

import generated as acp
from generated._runtime.testing import MemoryStream, memory
from tests.support.waiting import settled

SAID = acp.AgentMessageChunk(content=acp.TextContent(text="an answer"))
QUESTION = [acp.TextContent(text="a question")]


class Store:
    """What outlives an agent: the updates of its sessions."""

    def __init__(self) -> None:
        self.sessions: dict[str, list[Any]] = {}
        self.loaded: list[Any] = []
        self.resumed: list[Any] = []


class Forgetful(acp.Agent):
    """Has sessions that end with it. A prompt `wait` is never answered; its updates come all the same."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def new_session(self, params: acp.NewSessionRequest) -> Any:
        name = f"s{len(self.store.sessions) + 1}"
        self.store.sessions[name] = []
        return acp.NewSessionResponse(session_id=name)

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        update = acp.UserMessageChunk(content=params.prompt[0])
        self.store.sessions[params.session_id] += [update, SAID]
        await self.client.session_update(session_id=params.session_id, update=SAID)
        if params.prompt == [acp.TextContent(text="wait")]:
            await asyncio.Event().wait()
        return acp.PromptResponse(stop_reason="end_turn")

    def set_session_mode(self, params: acp.SetSessionModeRequest) -> Any:
        return asyncio.Event().wait()


class Resuming(Forgetful):
    def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        self.store.resumed.append(params)
        if params.session_id not in self.store.sessions:
            raise acp.RequestError.resource_not_found()
        return acp.ResumeSessionResponse()


class Loading(Resuming):
    async def load_session(self, params: acp.LoadSessionRequest) -> acp.LoadSessionResponse:
        self.store.loaded.append(params)
        if params.session_id not in self.store.sessions:
            raise acp.RequestError.resource_not_found()
        for update in self.store.sessions[params.session_id]:
            await self.client.session_update(session_id=params.session_id, update=update)
        return acp.LoadSessionResponse()


class Hearing(acp.Client):
    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.told = asyncio.Event()

    def session_update(self, params: acp.SessionNotification) -> None:
        self.heard.append(params.update)
        self.told.set()


class World:
    """Opens connections to agents of a kind, and kills the one that runs."""

    def __init__(self, kind: Callable[[Store], acp.Agent], client: acp.Client | None = None, **options: Any) -> None:
        self.kind, self.client, self.options = kind, client or Hearing(), options
        self.store = Store()
        self.opened = 0
        self.refused = 0
        """How many of the next openings fail."""
        self.left = 0
        self.wire: MemoryStream | None = None

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[acp.ClientSideConnection, None]:
        self.opened += 1
        if self.refused:
            self.refused -= 1
            raise OSError("no agent today")
        ours, theirs = memory()
        self.wire = theirs
        try:
            async with (
                acp.AgentSideConnection(self.kind(self.store), theirs, theirs, linger=0.0),
                acp.ClientSideConnection(self.client, ours, ours, **self.options) as connection,
            ):
                yield connection
        finally:
            self.left += 1

    def kill(self) -> None:
        assert self.wire is not None
        self.wire.close()

    async def die(self, agent: acp.ReconnectingAgent) -> None:
        """Kill the agent, and wait until the client has noticed."""
        before: Any = getattr(agent, "_current")  # noqa: B009
        self.kill()
        await before.wait_closed()

    def agent(self, **options: Any) -> acp.ReconnectingAgent:
        how: dict[str, Any] = {"delay": 0.0, **options}
        return acp.ReconnectingAgent(self.open, **how)


async def started(agent: acp.ReconnectingAgent) -> str:
    await agent.initialize()
    return (await agent.new_session(cwd="/", mcp_servers=[])).session_id


def texts(state: acp.SessionState) -> list[str]:
    return [entry.text for entry in state.timeline]


@pytest.mark.parametrize("kind", [Resuming, Loading])
async def test_the_same_object_serves_after_the_agents_death(kind: Callable[[Store], acp.Agent]) -> None:
    world = World(kind)
    async with world.agent() as agent:
        session = await started(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
        for count in range(1, 4):
            await world.die(agent)
            assert (await agent.prompt(session_id=session, prompt=QUESTION)).stop_reason == "end_turn"
            assert agent.reconnections == count
            assert texts(agent.states[session]) == ["a question", "an answer"] * (count + 1)
        assert world.client.agent is agent
    assert world.opened == world.left == 4


async def test_what_a_replay_says_is_not_there_twice_and_no_handler_hears_it_again() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
        state = agent.states[session]
        await world.die(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
        assert agent.states[session] is state
        assert texts(state) == ["a question", "an answer"] * 2
    assert world.client.heard == [SAID, SAID]  # type: ignore[attr-defined]
    assert [params.cwd for params in world.store.loaded] == ["/"]


async def test_a_state_takes_from_a_replay_what_died_on_the_way() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        world.store.sessions[session].append(SAID)
        await world.die(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
        assert texts(agent.states[session]) == ["an answer", "a question", "an answer"]


async def test_without_replay_sessions_are_resumed_where_the_agent_offers_both() -> None:
    world = World(Loading)
    async with world.agent(replay=False) as agent:
        session = await started(agent)
        await world.die(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
    assert not world.store.loaded
    assert [params.session_id for params in world.store.resumed] == [session]


async def test_a_session_that_the_agent_cannot_open_again_is_lost_and_others_go_on() -> None:
    world = World(Forgetful)
    async with world.agent() as agent:
        session = await started(agent)
        await world.die(agent)
        with pytest.raises(acp.errors.SessionLost, match="neither session/load nor session/resume") as lost:
            await agent.prompt(session_id=session, prompt=QUESTION)
        assert lost.value.session == session
        assert [*agent.lost_sessions] == [session]
        another = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        assert (await agent.prompt(session_id=another, prompt=QUESTION)).stop_reason == "end_turn"


async def test_a_session_that_the_agent_refuses_to_open_says_why() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session, other = await started(agent), (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        del world.store.sessions[session]
        await world.die(agent)
        with pytest.raises(acp.errors.SessionLost, match="Resource not found") as lost:
            await agent.prompt(session_id=session, prompt=QUESTION)
        assert isinstance(agent.lost_sessions[session].__cause__, acp.RequestError)
        assert "s1" in str(lost.value)
        await agent.prompt(session_id=other, prompt=QUESTION)
        world.store.sessions[session] = [SAID]
        await agent.load_session(session_id=session, cwd="/", mcp_servers=[])  # the program may try again
        await agent.prompt(session_id=session, prompt=QUESTION)
        assert texts(agent.states[session]) == ["an answer", "a question", "an answer"]


@pytest.mark.parametrize(("call", "may_repeat"), [("prompt", False), ("set_session_mode", True)])
async def test_a_call_that_is_lost_says_whether_it_may_be_sent_again(call: str, may_repeat: bool) -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        more: Any = {"prompt": [acp.TextContent(text="wait")]} if call == "prompt" else {"mode_id": "m"}
        lost = asyncio.create_task(getattr(agent, call)(session_id=session, **more))
        await settled()
        world.kill()
        with pytest.raises(acp.errors.CallLost) as error:
            await lost
        assert error.value.may_repeat is may_repeat
        assert ("may be sent again" in str(error.value)) is may_repeat
        assert (await agent.prompt(session_id=session, prompt=QUESTION)).stop_reason == "end_turn"


async def test_a_stream_gives_what_has_come_then_says_that_the_turn_is_lost() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        seen: list[Any] = []
        stream = agent.prompt_stream(session_id=session, prompt=[acp.TextContent(text="wait")])
        seen.append(await anext(stream))
        world.kill()
        with pytest.raises(acp.errors.CallLost):
            await anext(stream)
        stream = agent.prompt_stream(session_id=session, prompt=QUESTION)
        seen += [update async for update in stream]
        assert stream.response.stop_reason == "end_turn"
        async with agent.prompt_stream(session_id=session, prompt=[acp.TextContent(text="wait")]) as stream:
            await anext(stream)
        assert stream.response.stop_reason == "cancelled"
    assert seen == [SAID, SAID]


async def test_calls_wait_while_the_agent_is_away_and_go_in_order_when_it_is_back() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        world.refused = 3
        await world.die(agent)
        await asyncio.sleep(0)
        answers = await asyncio.gather(*(agent.prompt(session_id=session, prompt=QUESTION) for _ in range(3)))
        assert [answer.stop_reason for answer in answers] == ["end_turn"] * 3
    assert world.opened == 5


async def test_an_agent_that_does_not_come_back_is_given_up() -> None:
    world = World(Loading)
    async with world.agent(attempts=3) as agent:
        session = await started(agent)
        world.refused = 99
        await world.die(agent)
        with pytest.raises(acp.ConnectionClosed, match=r"lost 4 times in a row.*no agent today"):
            await agent.prompt(session_id=session, prompt=QUESTION)
        with pytest.raises(acp.ConnectionClosed, match="no agent today"):
            await agent.logout()
        assert agent.closed is not None
        await agent.wait_closed()
    assert world.opened == 4


async def test_an_agent_that_dies_whenever_it_is_opened_is_given_up() -> None:
    class Dying(Loading):
        def load_session(self, params: acp.LoadSessionRequest) -> Any:
            world.kill()
            return asyncio.Event().wait()

    world = World(Dying)
    async with world.agent(attempts=2) as agent:
        session = await started(agent)
        await world.die(agent)
        with pytest.raises(acp.ConnectionClosed, match="3 times in a row"):
            await agent.prompt(session_id=session, prompt=QUESTION)


async def test_the_first_connection_raises_what_keeps_it_from_opening() -> None:
    world = World(Loading)
    world.refused = 1
    agent = world.agent()
    with pytest.raises(OSError, match="no agent today"):
        async with agent:
            pass
    assert world.opened == 1
    assert isinstance(agent.closed, acp.ConnectionClosed)
    with pytest.raises(FileNotFoundError):
        async with acp.ReconnectingAgent(lambda: acp.spawn_agent(acp.Client(), "/no/such/agent")):
            pass


async def test_an_agent_that_hangs_while_it_is_opened_again_counts_as_gone() -> None:
    class Hanging(Loading):
        def load_session(self, params: acp.LoadSessionRequest) -> Any:
            return asyncio.Event().wait() if world.opened < 3 else super().load_session(params)

    world = World(Hanging)
    async with world.agent(patience=1) as agent:
        session = await started(agent)
        await world.die(agent)
        assert (await agent.prompt(session_id=session, prompt=QUESTION)).stop_reason == "end_turn"
    assert world.opened == world.left == 3


async def test_hooks_are_told_of_each_connection_and_of_what_was_lost() -> None:
    world = World(Forgetful)
    opened: list[Any] = []
    news: list[acp.connection.Reconnected] = []

    async def again(what: acp.connection.Reconnected) -> None:
        news.append(what)
        await agent.new_session(cwd="/", mcp_servers=[])  # calls go through by then
        raise ValueError("a hook that fails ends nothing")

    async with world.agent(on_open=opened.append, on_reconnect=again) as agent:
        session = await started(agent)
        await world.die(agent)
        another = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        await agent.prompt(session_id=another, prompt=QUESTION)
        assert len(opened) == 2
    assert [(each.sessions, [*each.lost]) for each in news] == [((), [session])]
    assert "agent" in news[0].reason


async def test_leaving_the_block_ends_calls_and_the_wait_for_an_agent() -> None:
    world = World(Loading)
    async with world.agent(delay=3600.0, longest_delay=3600.0) as agent:
        session = await started(agent)
        waiting = asyncio.create_task(agent.prompt(session_id=session, prompt=[acp.TextContent(text="wait")]))
        await settled()
    with pytest.raises(acp.ConnectionClosed, match="closed on this side"):
        await waiting
    async with world.agent(delay=3600.0, longest_delay=3600.0) as agent:
        session = await started(agent)
        await world.die(agent)
        waiting = asyncio.create_task(agent.prompt(session_id=session, prompt=QUESTION))
        await settled()
    with pytest.raises(acp.ConnectionClosed, match="closed on this side"):
        await waiting
    assert agent.finished
    assert world.opened == world.left == 2


async def test_a_handler_may_close_the_connection() -> None:
    class Closing(acp.Client):
        async def session_update(self, params: acp.SessionNotification) -> None:
            await self.agent.close()
            closed.set()

    closed = asyncio.Event()
    world = World(Loading, Closing())
    async with world.agent() as agent:
        session = await started(agent)
        with pytest.raises(acp.ConnectionClosed):
            await agent.prompt(session_id=session, prompt=QUESTION)
        async with asyncio.timeout(60):
            await closed.wait()
            await agent.wait_closed()


async def test_a_client_in_use_is_refused_and_free_afterwards() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        await started(agent)
        with pytest.raises(RuntimeError, match="already serves another connection"):
            async with world.agent():
                pass
    async with world.agent() as agent:
        await agent.initialize()


async def test_a_closed_session_is_not_opened_again_and_a_strange_one_takes_no_memory() -> None:
    class Spamming(Loading):
        def close_session(self, params: acp.CloseSessionRequest) -> None:
            pass

        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            for number in range(100):
                await self.client.session_update(session_id=f"strange-{number}", update=SAID)
            return acp.PromptResponse(stop_reason="end_turn")

        async def new_session(self, params: acp.NewSessionRequest) -> Any:
            await self.client.session_update(session_id="s1", update=SAID)  # before its answer
            await self.client.session_update(session_id="strange", update=SAID)
            return super().new_session(params)

    world = World(Spamming)
    async with world.agent() as agent:
        session = await started(agent)
        await settled()
        assert [*agent.states] == ["s1"]
        assert texts(agent.states[session]) == ["an answer"]
        await agent.prompt(session_id=session, prompt=QUESTION)
        assert [*agent.states] == ["s1"]
        await agent.close_session(session_id=session)
        await world.die(agent)
        await agent.new_session(cwd="/", mcp_servers=[])
        assert not world.store.loaded
        assert [*agent.states] == ["s2"]


async def test_an_agent_that_speaks_another_version_now_is_not_started_again() -> None:
    class Newer(Loading):
        def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            return acp.InitializeResponse(protocol_version=1 if world.opened == 1 else 0)

    world = World(Newer)
    async with world.agent() as agent:
        session = await started(agent)
        await world.die(agent)
        with pytest.raises(acp.errors.VersionError, match="version 0"):
            await agent.prompt(session_id=session, prompt=QUESTION)
    assert world.opened == 2


async def test_a_hook_that_does_not_end_is_cancelled_with_the_connection() -> None:
    cancelled = False

    async def forever(_: acp.connection.Reconnected) -> None:
        nonlocal cancelled
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            cancelled = True
            raise

    world = World(Loading)
    async with world.agent(on_reconnect=forever) as agent:
        session = await started(agent)
        await world.die(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
    assert cancelled


async def test_who_cancels_a_turn_while_the_agent_is_away_need_not_wait() -> None:
    world = World(Loading)
    async with world.agent(delay=3600.0, longest_delay=3600.0) as agent:
        session = await started(agent)
        await world.die(agent)
        async with asyncio.timeout(60):
            await agent.cancel(session_id=session)


async def test_a_session_that_was_resumed_without_a_list_is_loaded_with_an_empty_one() -> None:
    world = World(Loading)
    world.store.sessions["s"] = []
    async with world.agent() as agent:
        await agent.initialize()
        await agent.resume_session(session_id="s", cwd="/home")
        await world.die(agent)
        await agent.prompt(session_id="s", prompt=QUESTION)
    assert [(params.cwd, params.mcp_servers) for params in world.store.loaded] == [("/home", [])]


async def test_streams_that_are_over_hear_nothing_more() -> None:
    world = World(Loading)
    async with world.agent() as agent:
        session = await started(agent)
        for _ in range(3):
            assert len([update async for update in agent.prompt_stream(session_id=session, prompt=QUESTION)]) == 1
        current: Any = getattr(agent, "_current")  # noqa: B009
        assert not any(current._router.notes.ears.values())


async def test_killed_at_every_frame_the_program_gets_its_work_done() -> None:
    """Whatever frame the agent dies behind, a program that repeats what it may gets to its end, and its state is whole."""
    frames = 1
    while await killed_at(frames):
        frames += 1
    assert frames > 15


async def killed_at(frame: int) -> bool:
    """Run a program whose agent is killed at a frame; whether there was such a frame."""
    count = 0

    def kill(_: Any, __: bytes) -> None:
        nonlocal count
        count += 1
        if count == frame:
            world.kill()

    world = World(Loading, on_frame=kill)
    async with asyncio.timeout(60), world.agent() as agent:
        await again(agent.initialize)
        session = (await again(lambda: agent.new_session(cwd="/", mcp_servers=[]))).session_id
        for _ in range(2):
            await again(lambda: agent.prompt(session_id=session, prompt=QUESTION))
        world.kill()
        await again(lambda: agent.prompt(session_id=session, prompt=QUESTION))
        await world.die(agent)
        await again(lambda: agent.prompt(session_id=session, prompt=QUESTION))
        stored = acp.SessionState()
        for update in world.store.sessions[session]:
            stored.apply(update)
        assert texts(agent.states[session]) == texts(stored)
    assert world.opened == world.left
    return count >= frame


async def again(call: Callable[[], Any]) -> Any:
    """What a program does: it repeats by itself what may be repeated; here, it is asked and says yes to the rest."""
    while True:
        try:
            return await call()
        except acp.errors.CallLost:
            continue


async def test_cancelled_at_every_step_nothing_is_left_behind() -> None:
    async def program(world: World) -> None:
        async with world.agent() as agent:
            session = await started(agent)
            await agent.prompt(session_id=session, prompt=QUESTION)
            world.kill()
            async for _ in agent.prompt_stream(session_id=session, prompt=QUESTION):
                pass

    steps = 0
    while True:
        world = World(Loading)
        before = asyncio.all_tasks()
        running = asyncio.create_task(program(world))
        for _ in range(steps):
            await asyncio.sleep(0)
        done = running.done()
        running.cancel()
        async with asyncio.timeout(60):
            await asyncio.wait({running})
        assert done or running.cancelled(), running.exception()
        for _ in range(50):
            await asyncio.sleep(0)
        assert world.opened == world.left, steps
        assert asyncio.all_tasks() == before
        if done:
            break
        steps += 1
    assert steps > 20


async def test_a_process_that_is_killed_is_started_again(tmp_path: Path) -> None:
    program = tmp_path / "agent.py"
    program.write_text(
        "import asyncio, generated as acp\n"
        "class A(acp.Agent):\n"
        "    def new_session(self, params): return acp.NewSessionResponse(session_id='s')\n"
        "    def load_session(self, params): return acp.LoadSessionResponse()\n"
        "    def prompt(self, params): return acp.PromptResponse(stop_reason='end_turn')\n"
        "asyncio.run(acp.run_agent(A()))\n"
    )
    env = {"PYTHONPATH": str(Path(acp.__file__).parents[1])}
    opener = lambda: acp.spawn_agent(acp.Client(), sys.executable, str(program), env=env)  # noqa: E731
    async with acp.ReconnectingAgent(opener, delay=0.0) as agent:
        session = await started(agent)
        assert agent.process is not None
        first = agent.process.pid
        agent.process.kill()
        answer = await again(lambda: agent.prompt(session_id=session, prompt=[]))
        assert answer.stop_reason == "end_turn"
        while agent.process.pid == first:  # the call may have come through before the kill did
            await asyncio.sleep(0.01)
            await again(lambda: agent.prompt(session_id=session, prompt=[]))


@pytest.mark.parametrize(
    "options",
    [{"attempts": 0}, {"delay": -1}, {"delay": 20.0}, {"patience": 0}],
    ids=lambda options: next(iter(options)),
)
def test_an_option_that_makes_no_sense_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"expected (attempts >= 1|patience > 0)"):
        World(Loading).agent(**options)


# The registry of sessions


async def test_a_session_that_is_opened_again_was_never_lost() -> None:
    world = World(Resuming)
    async with world.agent() as agent:
        session = await started(agent)
        sessions, endings = agent.open_sessions, list[Any]()
        sessions.on_end(session, endings.append)
        await world.die(agent)
        await agent.prompt(session_id=session, prompt=QUESTION)
        assert (sessions.phase(session), agent.open_sessions.phase(session), endings) == ("open", "open", [])
        await sessions.idle(session)
    assert [each.cause for each in endings] == ["lost"]
    assert len(sessions) == 0


async def test_a_session_that_is_not_opened_again_is_lost() -> None:
    world = World(Resuming)
    async with world.agent() as agent:
        session, other = await started(agent), (await agent.new_session(cwd="/", mcp_servers=[])).session_id
        endings: list[Any] = []
        for each in (session, other):
            agent.open_sessions.on_end(each, endings.append)
        del world.store.sessions[session]
        await world.die(agent)
        await agent.prompt(session_id=other, prompt=QUESTION)
        assert [(each.session, each.cause) for each in endings] == [(session, "lost")]
        assert [*agent.open_sessions] == [other]


async def test_a_session_is_lost_when_no_connection_is_opened_any_more() -> None:
    world = World(Resuming)
    async with world.agent(attempts=1) as agent:
        endings: list[Any] = []
        agent.open_sessions.on_end(await started(agent), endings.append)
        world.refused = 5
        world.kill()
        await agent.wait_closed()
        assert [each.cause for each in endings] == ["lost"]
