"""An agent that serves requests which close a session: what is under way ends first, and nothing follows the answer."""

from __future__ import annotations

import asyncio
import logging
from typing import Any

import pytest
from peers import Wire, connected, wired_agent

from generated import (
    Agent,
    AgentMessageChunk,
    AgentSideConnection,
    CancelNotification,
    Client,
    CloseSessionRequest,
    DeleteSessionRequest,
    ForkSessionRequest,
    ForkSessionResponse,
    LoadSessionRequest,
    NewSessionRequest,
    NewSessionResponse,
    PermissionOption,
    PromptRequest,
    PromptResponse,
    RequestError,
    RequestPermissionRequest,
    RequestPermissionResponse,
    SessionNotification,
    TextContent,
    ToolCallUpdate,
)
from generated._runtime.connection import session_work
from generated._runtime.errors import SessionEnded
from tests.support.waiting import settled, until

CANCELLED = {"stopReason": "cancelled"}
GONE = -32002
"""What x-sessions of the schema says of requests in a session that was closed."""


def request(id: Any, method: str, session: str, **members: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "method": method, "params": {"sessionId": session, **members}}


def prompt(id: Any, session: str = "s") -> dict[str, Any]:
    return request(id, "session/prompt", session, prompt=[])


def close(id: Any, session: str = "s") -> dict[str, Any]:
    return request(id, "session/close", session)


def load(id: Any, session: str = "s") -> dict[str, Any]:
    return request(id, "session/load", session, cwd="/", mcpServers=[])


def give_up(id: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}}


async def answers(wire: Wire, count: int) -> dict[Any, Any]:
    """The next answers by id, in the order in which they come; requests and notifications between them are passed over."""
    found: dict[Any, Any] = {}
    while len(found) < count:
        frame = await wire.receive()
        if "method" not in frame:
            found[frame["id"]] = frame.get("result", frame.get("error"))
    return found


class Minimal(Agent):
    """Overrides three handlers. Its turns send an update and wait; what they do when they are cancelled is `leave`."""

    client: AgentSideConnection

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.closed: list[str] = []
        self.late: list[asyncio.Task[None]] = []

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id="s")

    async def say(self, session: str, text: str) -> None:
        chunk = AgentMessageChunk(content=TextContent(text=text))
        await self.client.session_update(session_id=session, update=chunk)

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        self.running.add(params.session_id)
        try:
            await self.say(params.session_id, "begun")
            await self.wait(params.session_id)
        finally:
            self.running.discard(params.session_id)
        raise AssertionError("nothing sets the event")

    async def wait(self, session: str) -> None:
        await asyncio.Event().wait()

    async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
        assert params.session_id not in self.running, "the turn runs on"
        self.closed.append(params.session_id)


async def begun(wire: Wire, *frames: dict[str, Any]) -> None:
    """Send prompts, and wait until each has sent its first update."""
    await wire.send(*frames)
    for _ in frames:
        assert (await wire.receive())["method"] == "session/update"


async def test_a_close_ends_the_turn_before_it_is_answered() -> None:
    agent = Minimal()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2))
        assert [*(await answers(wire, 2)).items()] == [(1, CANCELLED), (2, {})]
    assert agent.closed == ["s"]


async def test_turns_of_other_sessions_go_on() -> None:
    agent = Minimal()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1, "s"), prompt(2, "t"))
        assert "result" in await answered(wire, close(3))
        assert agent.running == {"t"}


async def answered(wire: Wire, frame: dict[str, Any]) -> dict[str, Any]:
    """The answer to a request, whatever comes before it."""
    await wire.send(frame)
    while (got := await wire.receive()).get("id") != frame["id"] or "method" in got:
        pass
    return dict(got)


async def test_no_update_follows_the_answer_and_it_is_logged_at_debug_level(caplog: pytest.LogCaptureFixture) -> None:
    agent = Minimal()
    caplog.set_level(logging.DEBUG)
    async with wired_agent(agent) as wire:
        await answered(wire, close(1))
        await agent.say("s", "late")
        await agent.say("t", "of another session")
        assert (await wire.receive())["params"]["sessionId"] == "t"
    assert [record.levelname for record in caplog.records if "is dropped" in record.message] == ["DEBUG"]


async def test_a_request_in_a_closed_session_is_not_sent() -> None:
    agent = Minimal()
    async with wired_agent(agent) as wire:
        await answered(wire, close(1))
        with pytest.raises(SessionEnded, match="'s' has ended: it was closed"):
            await ask(agent, "s")


async def ask(agent: Minimal, session: str) -> RequestPermissionResponse:
    option = PermissionOption(option_id="o", name="Yes", kind="allow_once")
    call = ToolCallUpdate(tool_call_id="t")
    return await agent.client.request_permission(session_id=session, options=[option], tool_call=call)


@pytest.mark.parametrize("by_turn", [True, False], ids=["the turn asks", "a task asks"])
async def test_open_questions_of_the_session_are_settled(by_turn: bool) -> None:
    answered_with: list[Any] = []

    class Asks(Minimal):
        async def wait(self, session: str) -> None:
            if by_turn:
                await ask(self, session)
            task = asyncio.create_task(self.ask_aside(session))
            self.late.append(task)
            await super().wait(session)

        async def ask_aside(self, session: str) -> None:
            answered_with.append(await ask(self, session))

    agent = Asks()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        question = await wire.receive()
        assert question["method"] == "session/request_permission"
        await wire.send(close(2))
        frames = [await wire.receive() for _ in range(3)]
        assert give_up(question["id"]) in frames
        assert [frame["id"] for frame in frames if "id" in frame] == [1, 2]
        await asyncio.gather(*agent.late)
    assert [each.outcome.__class__.__name__ for each in answered_with] == (
        [] if by_turn else ["RequestPermissionOutcomeCancelled"]
    )


async def test_an_agent_with_a_cancel_handler_of_its_own_is_told_by_it() -> None:
    class Own(Minimal):
        def __init__(self) -> None:
            super().__init__()
            self.stop = asyncio.Event()

        def cancel(self, params: CancelNotification) -> None:
            self.stop.set()

        async def prompt(self, params: PromptRequest) -> PromptResponse:
            await self.say(params.session_id, "begun")
            await self.stop.wait()
            return PromptResponse(stop_reason="refusal")

    async with wired_agent(Own()) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2))
        assert [*(await answers(wire, 2)).items()] == [(1, {"stopReason": "refusal"}), (2, {})]


async def test_a_handler_that_does_not_end_is_detached(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(session_work, "PATIENCE", 0.01)

    class Stubborn(Minimal):
        def __init__(self) -> None:
            super().__init__()
            self.go_on = asyncio.Event()
            self.ended = asyncio.Event()

        async def prompt(self, params: PromptRequest) -> PromptResponse:
            await self.say(params.session_id, "begun")
            while not self.go_on.is_set():
                try:
                    await self.go_on.wait()
                except asyncio.CancelledError:
                    continue
            await self.say(params.session_id, "late")
            self.ended.set()
            return PromptResponse(stop_reason="end_turn")

        async def load_session(self, params: LoadSessionRequest) -> None:  # type: ignore[override]
            await self.say(params.session_id, "replayed")

    agent = Stubborn()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2))
        assert [*(await answers(wire, 2)).items()] == [(1, CANCELLED), (2, {})]
        # Opened again, the session speaks, but not by the handler of its former life.
        await wire.send(load(3))
        assert (await wire.receive())["params"]["update"]["content"]["text"] == "replayed"
        assert (await wire.receive())["id"] == 3
        agent.go_on.set()
        await agent.ended.wait()
        await settled()
        assert not agent.client.open_sessions.quiet
        await agent.say("s", "now")
        assert (await wire.receive())["params"]["update"]["content"]["text"] == "now"
    assert "still runs" in caplog.text


async def test_a_close_handler_that_fails_leaves_the_session_open() -> None:
    class Refuses(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            raise RequestError.invalid_params({"reason": "not now"})

    agent = Refuses()
    async with wired_agent(agent) as wire:
        await wire.ask(0, "session/new", {"cwd": "/", "mcpServers": []})
        assert (await answered(wire, close(1)))["error"]["data"] == {"reason": "not now"}
        assert agent.client.open_sessions.phase("s") == "open"
        await begun(wire, prompt(2))


async def test_params_that_do_not_fit_end_nothing() -> None:
    agent = Minimal()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        assert "error" in await answered(wire, request(2, "session/close", 5))  # type: ignore[arg-type]
        assert agent.running == {"s"}


async def test_a_prompt_is_refused_while_its_session_is_being_closed_and_afterwards() -> None:
    gate = asyncio.Event()

    class Slow(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await gate.wait()

    async with wired_agent(Slow()) as wire:
        await wire.send(close(1), prompt(2))
        error = await wire.receive()
        assert (error["id"], error["error"]["code"]) == (2, GONE)
        assert error["error"]["data"]["reason"] == "the session 's' is being closed: open it again first"
        gate.set()
        assert (await wire.receive())["id"] == 1
        error = (await answered(wire, prompt(3)))["error"]
        assert (error["code"], error["data"]["reason"]) == (GONE, "the session 's' was closed: open it again first")


async def test_two_closes_at_once_run_one_after_the_other() -> None:
    events: list[str] = []

    class Notes(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            events.append("close begins")
            await settled()
            events.append("close ends")

        async def delete_session(self, params: DeleteSessionRequest) -> None:  # type: ignore[override]
            events.append("delete")

    agent = Notes()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2), request(3, "session/delete", "s"), close(4))
        assert [*await answers(wire, 4)] == [1, 2, 3, 4]
    assert events == ["close begins", "close ends", "delete", "close begins", "close ends"]


@pytest.mark.parametrize("session", ["never", "closed"])
async def test_closing_an_unknown_or_closed_session_is_for_the_handler_to_decide(session: str) -> None:
    class Strict(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            if params.session_id in (*self.closed, "never"):
                raise RequestError.invalid_params({"reason": "no such session"})
            await super().close_session(params)

    async with wired_agent(Strict()) as wire:
        await answered(wire, close(1, "closed"))
        assert (await answered(wire, close(2, session)))["error"]["data"] == {"reason": "no such session"}


async def test_deleting_during_a_fork_leaves_the_fork_open() -> None:
    gate = asyncio.Event()

    class Forks(Minimal):
        async def fork_session(self, params: ForkSessionRequest) -> ForkSessionResponse:
            await gate.wait()
            return ForkSessionResponse(session_id="fork")

        async def delete_session(self, params: DeleteSessionRequest) -> None:  # type: ignore[override]
            gate.set()

    agent = Forks()
    async with wired_agent(agent) as wire:
        await wire.ask(0, "session/new", {"cwd": "/", "mcpServers": []})
        await wire.send(request(1, "session/fork", "s", cwd="/", mcpServers=[]), request(2, "session/delete", "s"))
        found = await answers(wire, 2)
        assert (found[1], found[2]) == ({"sessionId": "fork"}, {})
        assert [*agent.client.open_sessions] == ["fork"]
        await begun(wire, prompt(3, "fork"))


async def test_a_load_that_runs_when_its_session_is_closed_is_told_so() -> None:
    class Loads(Minimal):
        async def load_session(self, params: LoadSessionRequest) -> None:  # type: ignore[override]
            await self.wait(params.session_id)

    agent = Loads()
    async with wired_agent(agent) as wire:
        await wire.send(load(1), close(2))
        found = await answers(wire, 2)
        assert (found[1]["code"], found[2]) == (GONE, {})
        reason = "the session 's' was closed meanwhile: open it again first"
        assert found[1]["data"] == {"sessionId": "s", "reason": reason}
        assert agent.client.open_sessions.phase("s") == "ended"


async def test_a_load_that_comes_during_a_close_waits_for_it() -> None:
    class Loads(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await settled()

        async def load_session(self, params: LoadSessionRequest) -> None:  # type: ignore[override]
            await self.say(params.session_id, "replayed")

    agent = Loads()
    async with wired_agent(agent) as wire:
        await wire.send(close(1), load(2))
        frames = [await wire.receive() for _ in range(3)]
        assert [frame.get("id", frame.get("method")) for frame in frames] == [1, "session/update", 2]
        assert agent.client.open_sessions.phase("s") == "open"


async def test_a_load_that_fails_leaves_the_session_closed_and_silent() -> None:
    class Loads(Minimal):
        async def load_session(self, params: LoadSessionRequest) -> None:  # type: ignore[override]
            raise RequestError.invalid_params()

    agent = Loads()
    async with wired_agent(agent) as wire:
        await answered(wire, close(1))
        await answered(wire, load(2))
        await agent.say("s", "late")
        await agent.say("t", "other")
        assert (await wire.receive())["params"]["sessionId"] == "t"


async def test_a_close_is_carried_out_although_its_request_is_cancelled() -> None:
    gate = asyncio.Event()

    class Slow(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await gate.wait()
            await super().close_session(params)

    agent = Slow()
    async with wired_agent(agent) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2), give_up(2), give_up(2))
        assert (await wire.receive())["result"] == CANCELLED
        await settled()
        gate.set()
        assert (await wire.receive())["result"] == {}
    assert agent.closed == ["s"]


async def test_a_close_is_carried_out_although_the_connection_is_lost() -> None:
    gate = asyncio.Event()

    class Slow(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await gate.wait()
            await super().close_session(params)

    agent = Slow()
    async with wired_agent(agent, linger=0.0) as wire:
        await begun(wire, prompt(1))
        await wire.send(close(2))
        assert (await wire.receive())["result"] == CANCELLED
        wire.hang_up()
        await agent.client.wait_closed()
        gate.set()
        await until(lambda: agent.closed == ["s"])


async def test_what_a_close_handler_raises_after_the_connection_is_lost_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    gate = asyncio.Event()

    class Fails(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await gate.wait()
            raise OSError("the disk is full")

    agent = Fails()
    async with wired_agent(agent, linger=0.0) as wire:
        await wire.send(close(1))
        await settled()
        wire.hang_up()
        await agent.client.wait_closed()
        gate.set()
        await until(lambda: "failed after the connection was lost" in caplog.text)


async def test_a_close_handler_may_close_the_connection() -> None:
    class Leaves(Minimal):
        async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
            await self.client.close()
            self.closed.append(params.session_id)

    agent = Leaves()
    async with wired_agent(agent) as wire:
        await wire.send(close(1))
        await until(lambda: agent.closed == ["s"])
        await agent.client.wait_closed()


async def test_what_is_held_open_in_a_session_is_released_before_the_answer() -> None:
    agent = Minimal()
    released: list[str] = []

    async def release() -> None:
        await settled()
        released.append("terminal")

    async with wired_agent(agent) as wire:
        agent.client.open_sessions.hold("s", release)
        agent.client.open_sessions.hold("t", release)
        await answered(wire, close(1))
        assert released == ["terminal"]


async def test_whoever_waits_for_the_end_of_a_session_is_told_before_the_answer() -> None:
    told: list[tuple[Any, ...]] = []
    agent = Minimal()
    async with wired_agent(agent) as wire:
        sessions = agent.client.open_sessions
        for session in ("s", "t"):
            sessions.on_end(session, lambda ending: told.append((ending.session, ending.cause, ending.method)))
        sessions.on_end("s", lambda _: told.append(()))()
        await answered(wire, close(1))
        assert told == [("s", "closed", "session/close")]
    assert told[1:] == [("t", "lost", None)]


async def test_a_hundred_closed_sessions_leave_nothing_but_their_names() -> None:
    agent = Minimal()
    async with wired_agent(agent) as wire:
        for number in range(100):
            await answered(wire, prompt_and_close(wire, number))
        sessions = agent.client.open_sessions
        assert (len(sessions), len(sessions.quiet)) == (0, 100)


def prompt_and_close(_: Wire, number: int) -> dict[str, Any]:
    return close(number, f"s{number}")


async def test_close_of_a_real_client_settles_the_question_that_it_was_asked() -> None:
    class Asks(Minimal):
        async def wait(self, session: str) -> None:
            await ask(self, session)

    class Thinks(Client):
        def __init__(self) -> None:
            self.texts: list[str] = []
            self.asked = asyncio.Event()
            self.withdrawn = False

        async def request_permission(self, params: RequestPermissionRequest) -> RequestPermissionResponse:
            self.asked.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.withdrawn = True
            raise AssertionError

        def session_update(self, params: SessionNotification) -> None:
            self.texts.append(params.session_id)

    client = Thinks()
    async with connected(Asks(), client) as connection:
        session = (await connection.new_session(cwd="/", mcp_servers=[])).session_id
        turn = asyncio.create_task(connection.prompt(session_id=session, prompt=[]))
        await client.asked.wait()
        assert connection.open_sessions.turns(session) == 1
        await connection.close_session(session_id=session)
        assert (await turn).stop_reason == "cancelled"
        assert client.withdrawn
        assert connection.open_sessions.phase(session) == "ended"
