"""The blocking form of a client's connection: no event loop in sight, and no call that hangs."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, assert_type

import pytest

import generated as acp
from generated import blocking
from generated._runtime.testing import memory

ROOT = Path(acp.__file__).parents[1]


class Agent(acp.Agent):
    """Counts to what it is told; a prompt `wait` waits, `ask` asks for a permission."""

    def __init__(self) -> None:
        self.ended: list[str] = []
        self.begun = threading.Event()
        self.cancelled = threading.Event()

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        word = params.prompt[0].text if isinstance(params.prompt[0], acp.TextContent) else ""
        try:
            for number in range(3):
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text=str(number)))
                await self.client.session_update(session_id=params.session_id, update=chunk)
            if word == "wait":
                self.begun.set()
                await asyncio.Event().wait()
            if word == "ask":
                call = acp.ToolCallUpdate(tool_call_id="t")
                option = acp.PermissionOption(option_id="yes", name="Yes", kind="allow_once")
                await self.client.request_permission(session_id="s", tool_call=call, options=[option])
        except asyncio.CancelledError:
            self.cancelled.set()
            raise
        return acp.PromptResponse(stop_reason="end_turn")

    async def ext_method(self, method: str, params: Any) -> Any:
        if method == "_example/wait":
            self.begun.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled.set()
        return params


class Client(blocking.Client):
    """Its handlers block, and call the agent."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.names: set[str] = set()

    def session_update(self, params: acp.SessionNotification) -> None:
        assert isinstance(params.update, acp.AgentMessageChunk)
        assert isinstance(params.update.content, acp.TextContent)
        self.names.add(threading.current_thread().name)
        self.seen.append(params.update.content.text)

    def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        assert self.agent.ext_request("_example/echo", {"who": "client"}) == {"who": "client"}
        chosen = acp.SelectedPermissionOutcome(option_id=params.options[0].option_id)
        return acp.RequestPermissionResponse(outcome=chosen)


def connection(
    agent: acp.Agent, client: acp.Client | None = None, closed: list[Any] | None = None
) -> blocking.ClientSideConnection:
    """A blocking connection to an agent in memory, on the thread of the connection."""

    @asynccontextmanager
    async def opener() -> AsyncGenerator[acp.ClientSideConnection, None]:
        ours, theirs = memory()
        async with (
            acp.AgentSideConnection(agent, theirs, theirs),
            acp.ClientSideConnection(client or Client(), ours, ours) as made,
        ):
            try:
                yield made
            finally:
                if closed is not None:
                    closed.append(made)

    return blocking.ClientSideConnection(opener)


def text(word: str) -> list[acp.TextContent]:
    return [acp.TextContent(text=word)]


class Pressing(threading.Thread):
    """Presses ^C once something has happened, and again where Python has lost it: one that hits a finalizer is ignored."""

    def __init__(self, event: threading.Event) -> None:
        super().__init__(daemon=True)
        self._event = event
        self._noticed = threading.Event()

    def run(self) -> None:
        assert self._event.wait(60)
        for _ in range(3):
            os.kill(os.getpid(), signal.SIGINT)
            if self._noticed.wait(6):
                return

    def join(self, timeout: float | None = None) -> None:
        self._noticed.set()
        super().join(timeout)


def interrupt_when(event: threading.Event) -> Pressing:
    """Press ^C once something has happened."""
    thread = Pressing(event)
    thread.start()
    return thread


@pytest.fixture(autouse=True)
def _no_thread_is_left() -> Any:
    yield
    left = [thread for thread in threading.enumerate() if thread.name in ("connection", "handler")]
    for thread in left:
        thread.join(60)
    assert not [thread for thread in left if thread.is_alive()]


def test_calls_have_the_same_names_and_results() -> None:
    client = Client()
    with connection(Agent(), client) as agent:
        assert assert_type(agent.initialize(), acp.InitializeResponse).protocol_version == 1
        assert agent.offers("prompt")
        session = agent.new_session(cwd="/", mcp_servers=[]).session_id
        assert agent.prompt(session_id=session, prompt=text("count")).stop_reason == "end_turn"
        assert client.seen == ["0", "1", "2"]
        assert agent.ext_request("_example/echo", [1]) == [1]
        agent.cancel(session_id=session)


def test_every_call_of_the_connection_is_there() -> None:
    table = {row.python_name for row in acp.methods.METHODS.values() if row.side == "agent"}
    assert {name for name in table if hasattr(acp.ClientSideConnection, name)} <= {*vars(blocking.ClientSideConnection)}
    assert "Asks the agent to work" in (blocking.ClientSideConnection.prompt.__doc__ or "")


def test_updates_are_taken_one_by_one_and_the_answer_after_them() -> None:
    with connection(Agent()) as agent:
        agent.initialize()
        stream = agent.prompt_stream(session_id="s", prompt=text("count"))
        with pytest.raises(RuntimeError, match="no response yet"):
            _ = stream.response
        assert_type(stream, blocking.BlockingStream[acp.SessionUpdate, acp.PromptResponse])
        assert [acp.to_dict(update)["content"]["text"] for update in stream] == ["0", "1", "2"]
        assert stream.response.stop_reason == "end_turn"
        with pytest.raises(StopIteration):
            next(stream)


def test_who_leaves_the_loop_ends_the_turn() -> None:
    served = Agent()
    with connection(served) as agent:
        agent.initialize()
        for _ in agent.prompt_stream(session_id="s", prompt=text("wait")):
            break
        gc.collect()
        assert served.cancelled.wait(60)
        served.cancelled.clear()
        with agent.prompt_stream(session_id="s", prompt=text("wait")) as stream:
            next(stream)
        assert served.cancelled.is_set()
        assert stream.response.stop_reason == "cancelled"


def test_handlers_block_in_threads_in_their_order_and_may_call_the_agent() -> None:
    client = Client()
    with connection(Agent(), client) as agent:
        agent.initialize()
        assert agent.prompt(session_id="s", prompt=text("ask")).stop_reason == "end_turn"
    assert client.names == {"handler"}
    assert client.seen == ["0", "1", "2"]


def test_errors_are_those_of_the_call() -> None:
    with connection(Agent()) as agent:
        with pytest.raises(acp.RequestError, match="handshake comes first"):
            agent.prompt(session_id="s", prompt=[])
        agent.initialize()
        with pytest.raises(acp.CapabilityError):
            agent.load_session(session_id="s", cwd="/", mcp_servers=[])
        with pytest.raises(TypeError):
            agent.prompt(session="s")  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


@pytest.mark.parametrize("way", ["call", "stream"])
def test_interrupting_a_turn_cancels_it_and_leaves_the_connection_usable(way: str) -> None:
    served = Agent()
    with connection(served) as agent:
        agent.initialize()
        pressing = interrupt_when(served.begun)
        given: Any = {"session_id": "s", "prompt": text("wait")}
        with pytest.raises(KeyboardInterrupt):
            agent.prompt(**given) if way == "call" else list(agent.prompt_stream(**given))
        pressing.join()
        if way == "call":
            assert served.cancelled.is_set(), "the turn has ended when the exception is here"
        assert served.cancelled.wait(60)  # a loop may be interrupted between two updates: the stream is dropped then
        assert agent.prompt(session_id="s", prompt=text("count")).stop_reason == "end_turn"


def test_interrupting_another_call_cancels_it() -> None:
    served = Agent()
    with connection(served) as agent:
        agent.initialize()
        pressing = interrupt_when(served.begun)
        with pytest.raises(KeyboardInterrupt):
            agent.ext_request("_example/wait")
        pressing.join()
        assert served.cancelled.wait(60)
        assert agent.ext_request("_example/echo", 1) == 1


def test_an_interrupt_reaches_a_foreign_agent_as_the_protocol_has_it() -> None:
    frames: list[bytes] = []
    served = Agent()

    @asynccontextmanager
    async def opener() -> AsyncGenerator[acp.ClientSideConnection, None]:
        ours, theirs = memory()
        async with (
            acp.AgentSideConnection(served, theirs, theirs),
            acp.ClientSideConnection(acp.Client(), ours, ours, on_frame=lambda _, data: frames.append(data)) as made,
        ):
            yield made

    with blocking.ClientSideConnection(opener) as agent:
        agent.initialize()
        pressing = interrupt_when(served.begun)
        with pytest.raises(KeyboardInterrupt):
            agent.prompt(session_id="s", prompt=text("wait"))
        pressing.join()
    sent = b"".join(frames)
    assert b"session/cancel" in sent
    assert b"$/cancel_request" not in sent


def test_leaving_the_block_ends_the_calls_of_other_threads_and_closes_promptly() -> None:
    served = Agent()
    errors: list[BaseException] = []
    closed: list[Any] = []

    def work() -> None:
        try:
            agent.prompt(session_id="s", prompt=text("wait"))
        except acp.ConnectionClosed as error:
            errors.append(error)

    with connection(served, closed=closed) as agent:
        agent.initialize()
        working = threading.Thread(target=work)
        working.start()
        assert served.begun.wait(60)
    working.join(60)
    assert [str(error) for error in errors] == ["the connection was closed on this side"]
    assert len(closed) == 1
    with pytest.raises(acp.ConnectionClosed, match="closed on this side"):
        agent.prompt(session_id="s", prompt=[])
    with pytest.raises(acp.ConnectionClosed, match="closed on this side"):
        next(agent.prompt_stream(session_id="s", prompt=[]))


def test_a_handler_that_does_not_end_holds_nobody_up() -> None:
    go_on = threading.Event()
    stuck = threading.Event()

    class Stuck(blocking.Client):
        def session_update(self, params: acp.SessionNotification) -> None:
            stuck.set()
            go_on.wait(600)

    def work() -> None:
        with pytest.raises(acp.ConnectionClosed):
            agent.prompt(session_id="s", prompt=text("wait"))

    with connection(Agent(), Stuck()) as agent:
        agent.initialize()
        working = threading.Thread(target=work)
        working.start()
        assert stuck.wait(60)
        agent.close()
    working.join(60)
    assert not working.is_alive()
    go_on.set()


def test_interrupting_what_opens_a_connection_gives_it_up() -> None:
    begun, ended = threading.Event(), threading.Event()

    @asynccontextmanager
    async def opener() -> AsyncGenerator[acp.ClientSideConnection, None]:
        begun.set()
        try:
            await asyncio.Event().wait()
            yield acp.ClientSideConnection(acp.Client(), *memory())
        finally:
            ended.set()

    pressing = interrupt_when(begun)
    with pytest.raises(KeyboardInterrupt), blocking.ClientSideConnection(opener):
        pass
    pressing.join()
    assert ended.is_set()


def test_interrupting_the_start_of_the_thread_leaves_none(monkeypatch: pytest.MonkeyPatch) -> None:
    start = threading.Thread.start

    def interrupted(thread: threading.Thread) -> None:
        start(thread)
        if thread.name == "connection":
            raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt), connection(Agent()):
        pass


def test_what_still_runs_on_the_loop_ends_with_it() -> None:
    ended = threading.Event()
    begun = threading.Event()

    async def forever() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with connection(Agent()) as agent:
        loop_thread: Any = getattr(agent, "_thread")  # noqa: B009
        held: list[Any] = []
        loop_thread.soon(lambda: held.append(asyncio.ensure_future(forever())))
        assert begun.wait(60)
    assert ended.is_set()


def test_several_connections_at_once() -> None:
    with connection(Agent()) as one, connection(Agent()) as other:
        for agent in (one, other):
            agent.initialize()
        pairs = zip(
            one.prompt_stream(session_id="s", prompt=text("count")),
            other.prompt_stream(session_id="s", prompt=text("count")),
            strict=True,
        )
        assert len([*pairs]) == 3


def test_what_cannot_be_opened_raises_and_leaves_no_thread() -> None:
    with pytest.raises(FileNotFoundError), blocking.spawn_agent(Client(), "/no/such/agent"):
        pass
    agent = blocking.spawn_agent(Client(), "/no/such/agent")
    with pytest.raises(RuntimeError, match="enter it with `with`"):
        agent.initialize()
    with pytest.raises(AttributeError, match="no agent"):
        _ = Client().agent


def test_a_call_on_the_loops_own_thread_is_refused_rather_than_waited_for() -> None:
    class Async(blocking.Client):
        async def session_update(self, params: acp.SessionNotification) -> None:
            try:
                self.agent.ext_request("_example/echo")
            except RuntimeError as error:
                said.append(str(error))

    said: list[str] = []
    with connection(Agent(), Async()) as agent:
        agent.initialize()
        agent.prompt(session_id="s", prompt=text("count"))
    assert len(said) == 3
    assert "would deadlock here" in said[0]


def test_a_client_in_use_is_refused() -> None:
    client = Client()
    with connection(Agent(), client) as agent:
        agent.initialize()
        with pytest.raises(RuntimeError, match="already serves another connection"), connection(Agent(), client):
            pass
    with connection(Agent(), client) as agent:
        agent.initialize()


def test_an_agent_that_dies_is_started_again_behind_the_same_object() -> None:
    opened: list[Callable[[], None]] = []

    @asynccontextmanager
    async def opener() -> AsyncGenerator[acp.ClientSideConnection, None]:
        ours, theirs = memory()
        opened.append(theirs.close)
        async with (
            acp.AgentSideConnection(Agent(), theirs, theirs),
            acp.ClientSideConnection(client, ours, ours) as made,
        ):
            yield made

    client = Client()
    with blocking.ClientSideConnection(lambda: acp.ReconnectingAgent(opener, delay=0.0)) as agent:
        agent.initialize()
        for count in (1, 2):
            assert agent.prompt(session_id="s", prompt=text("ask")).stop_reason == "end_turn"
            loop_thread: Any = getattr(agent, "_thread")  # noqa: B009
            loop_thread.soon(opened[-1])
            until_back(agent, count)


def until_back(agent: blocking.ClientSideConnection, count: int) -> None:
    for _ in range(1000):
        with contextlib.suppress(acp.errors.CallLost):
            agent.ext_request("_example/echo")
        if agent.reconnections == count:
            return
    raise AssertionError("the agent was not started again")


PROGRAM = """
import sys
import generated as acp
from generated import blocking

class Client(blocking.Client):
    def session_update(self, params):
        print("update", flush=True)

with blocking.spawn_agent(Client(), sys.executable, "examples/echo_agent.py", env={"PYTHONPATH": "."}) as agent:
    agent.initialize()
    session = agent.new_session(cwd="/", mcp_servers=[]).session_id
    print(agent.prompt(session_id=session, prompt=[acp.TextContent(text="Hello")]).stop_reason)
"""


def test_a_program_with_a_process_ends_by_itself() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (ran.stdout.split(), ran.returncode) == (["update", "end_turn"], 0), ran.stderr
