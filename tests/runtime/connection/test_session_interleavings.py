"""Sessions in every order: requests, notifications and the loss of the connection between two real peers.

    each request has one answer                                 none has two, and none is forgotten
    no update follows the answer that closed its session        until a request opens it again
    a turn that was cancelled or closed answers `cancelled`     before the answer to the request that closed it
    a close that has begun is carried out                       whoever gives it up
    nothing is left in the end                                  sessions, requests, lanes, handles, calls

Hypothesis makes the conversations, always the same ones. Faults in the runtime are planted to see each statement fail.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from peers import streams

from generated import (
    Agent,
    AgentMessageChunk,
    AgentSideConnection,
    Client,
    ClientSideConnection,
    CloseSessionRequest,
    DeleteSessionRequest,
    LoadSessionRequest,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
    TextContent,
)
from generated._runtime.connection.session_requests import ServedSessions
from generated._runtime.connection.session_work import SessionWork
from generated._runtime.errors import ConnectionClosed, SessionEnded
from tests.support.waiting import settled, until

SESSIONS = ("a", "b")
GONE = -32002
CLOSES = ("session/close", "session/delete")
Operation = tuple[Any, ...]


class Slow(Agent):
    """Each of its handlers waits for some turns of the event loop; a turn lasts until it is cancelled."""

    client: AgentSideConnection

    def __init__(self, turns: int) -> None:
        self.turns = turns
        self.running = 0
        self.begun: list[str] = []
        self.closed: list[str] = []
        self.held = 0
        self._names = (f"new {number}" for number in itertools.count())

    async def pause(self) -> None:
        for _ in range(self.turns):
            await asyncio.sleep(0)

    async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        await self.pause()
        return NewSessionResponse(session_id=next(self._names))

    async def load_session(self, params: LoadSessionRequest) -> None:  # type: ignore[override]
        await self.say(params.session_id)
        await self.pause()
        await self.say(params.session_id)

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        self.running += 1
        release = self.hold(params.session_id)
        try:
            await self.say(params.session_id)
            await asyncio.Event().wait()
        finally:
            try:
                await self.say(params.session_id)
                await self.pause()
            finally:  # the end of the connection cancels what a close has cancelled before
                self.running -= 1
                release()
        raise AssertionError("nothing sets the event")

    async def close_session(self, params: CloseSessionRequest) -> None:  # type: ignore[override]
        await self.close(params.session_id)

    async def delete_session(self, params: DeleteSessionRequest) -> None:  # type: ignore[override]
        await self.close(params.session_id)

    async def close(self, session: str) -> None:
        self.begun.append(session)
        await self.pause()
        await self.say(session)
        self.closed.append(session)

    async def say(self, session: str) -> None:
        chunk = AgentMessageChunk(content=TextContent(text="text"))
        with contextlib.suppress(ConnectionClosed):
            await self.client.session_update(session_id=session, update=chunk)

    def hold(self, session: str) -> Callable[[], None]:
        """Hold something open in a session; what is returned gives it back."""
        self.held += 1
        left = [1]

        def give_back() -> None:
            if left:
                self.held -= left.pop()

        async def release() -> None:
            await self.pause()
            give_back()

        take_back = self.client.open_sessions.hold(session, release)
        return lambda: (take_back(), give_back())[0]


class Pair:
    """An agent and a client, the frames that the agent saw and sent, and the client's calls."""

    def __init__(self, agent: Slow, ends: tuple[Any, Any]) -> None:
        self.agent = agent
        self.frames: list[tuple[bool, dict[str, Any]]] = []
        """Whether the agent sent it, and the frame."""
        ours, theirs = ends
        self.theirs = AgentSideConnection(agent, *theirs, on_frame=self._see, linger=0.0)
        self.ours = ClientSideConnection(Client(), *ours, check_capabilities=False, linger=0.0)
        self.writer = ours[1]
        self.calls: list[asyncio.Task[Any]] = []
        self.lost = False

    def _see(self, direction: str, frame: bytes) -> None:
        self.frames.append((direction.startswith("agent"), msgspec.json.decode(frame)))

    def start(self, call: Any) -> None:
        self.calls.append(asyncio.ensure_future(call))

    async def do(self, name: str, session: str = "", number: int = 0) -> None:
        """One operation of either side."""
        match name:
            case "new":
                self.start(self.ours.new_session(cwd="/", mcp_servers=[]))
            case "prompt":
                self.start(self.ours.prompt(session_id=session, prompt=[]))
            case "close":
                self.start(self.ours.close_session(session_id=session))
            case "delete":
                self.start(self.ours.delete_session(session_id=session))
            case "load":
                self.start(self.ours.load_session(session_id=session, cwd="/", mcp_servers=[]))
            case "cancel" if not self.lost:
                await self.ours.cancel(session_id=session)
            case "update":
                await self.agent.say(session)
            case "give up" if self.calls:
                self.calls[number % len(self.calls)].cancel()
            case "lose":
                self.lost = True
                self.writer.transport.abort()
            case _:
                for _ in range(number):
                    await asyncio.sleep(0)

    async def finish(self) -> list[Any]:
        """Cancel turns until each call has its outcome."""
        async with asyncio.timeout(20):
            while not all(call.done() for call in self.calls):
                for session in SESSIONS:
                    if self.ours.closed is None:
                        await self.ours.cancel(session_id=session)
                await asyncio.wait(self.calls, timeout=0.001)
        return await asyncio.gather(*self.calls, return_exceptions=True)


async def converse(operations: list[Operation], turns: int) -> None:
    """Have a conversation, and check everything that holds for all of them."""
    agent = Slow(turns)
    pair = Pair(agent, await streams())
    async with pair.theirs, pair.ours:
        await pair.ours.initialize()
        for operation in operations:
            await pair.do(*operation)
        for outcome in await pair.finish():
            check_outcome(outcome)
        if not pair.lost:
            await pair.ours.initialize()  # what was sent before has come
            await until(lambda: not pair.theirs.busy)
    # Handlers that clean up are not waited for when a connection is lost without lingering.
    await until(lambda: not pair.lost or (agent.running == 0 and len(agent.begun) == len(agent.closed)))
    await settled()  # tasks that have ended say so
    check_frames(pair.frames, lost=pair.lost)
    assert sorted(agent.begun) == sorted(agent.closed), "a close that had begun was not carried out"
    assert (agent.running, agent.held) == (0, 0)
    for connection in (pair.ours, pair.theirs):
        assert left_in(connection) == []


def check_outcome(outcome: Any) -> None:
    if isinstance(outcome, PromptResponse):
        assert outcome.stop_reason == "cancelled"
    elif isinstance(outcome, RequestError):
        assert outcome.code == GONE
    elif isinstance(outcome, BaseException):
        assert isinstance(outcome, (asyncio.CancelledError, ConnectionClosed, SessionEnded)), outcome


def named(frame: dict[str, Any]) -> str:
    """The session that a frame names."""
    session: str = frame.get("params", {}).get("sessionId", "")
    return session


def check_frames(frames: list[tuple[bool, dict[str, Any]]], *, lost: bool) -> None:
    asked: dict[Any, dict[str, Any]] = {}
    turns: dict[Any, str] = {}
    closed: set[str] = set()
    for sent, frame in frames:
        method, session = frame.get("method"), named(frame)
        if not sent and "id" in frame:
            asked[frame["id"]] = frame
            if method == "session/load":
                closed.discard(session)
            if method == "session/prompt":
                turns[frame["id"]] = session
        elif sent and method == "session/update":
            assert session not in closed, "an update follows the answer that closed its session"
        elif sent and "id" in frame:
            request = asked.pop(frame["id"], None)
            assert request is not None, f"a second answer: {frame}"
            turns.pop(frame["id"], None)
            if request["method"] in CLOSES and "result" in frame:
                session = named(request)
                earlier = [id for id, of in turns.items() if of == session and id < frame["id"]]
                assert not earlier, "a session was closed before its turns were answered"
                if not any(each["method"] == "session/load" and named(each) == session for each in asked.values()):
                    closed.add(session)
    assert lost or not asked, f"no answer: {asked}"


def left_in(connection: Any) -> list[str]:
    """What a connection that has ended still holds."""
    inbound, sessions = connection._inbound, connection.open_sessions
    held = {
        "sessions": sessions._open,
        "sessions being opened": sessions._reopening,
        "requests": inbound.dispatcher._requests,
        "lanes": inbound.order.lanes,
        "calls": inbound.pending,
        "closes": connection._served._last,
        "notifications": inbound.dispatcher.early.held,
    }
    return [name for name, table in held.items() if len(table)]


in_sessions = st.tuples(
    st.sampled_from(["prompt", "prompt", "close", "delete", "cancel", "load", "update"]), st.sampled_from(SESSIONS)
)
others = st.tuples(st.sampled_from(["new", "give up", "pause", "pause"]), st.just(""), st.integers(0, 12))
conversations = st.tuples(st.lists(in_sessions | others, min_size=3, max_size=20), st.booleans()).map(
    lambda made: [*made[0], *([("lose",)] if made[1] else [])]
)


@settings(
    max_examples=40,
    phases=[Phase.generate],
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(conversations, st.integers(0, 6))
def test_whatever_happens_in_sessions_every_statement_holds(operations: list[Operation], turns: int) -> None:
    asyncio.run(converse(operations, turns))


BUSY: list[Operation] = [("load", "a"), ("pause", "", 30), ("prompt", "a"), ("pause", "", 12)]
CLOSED: list[Operation] = [*BUSY, ("close", "a"), ("pause", "", 60), ("update", "a")]
GIVEN_UP: list[Operation] = [*BUSY, ("close", "a"), ("pause", "", 14), ("give up", "", 2)]


async def _unshielded(self: Any, method: Any, params: Any, run: Any) -> bytes:
    with self._sessions.closing(self._session_of(params)):
        return await self._carry_out(None, method, params, run)  # type: ignore[no-any-return]


async def _at_once(*_: Any) -> None:
    pass


def _never(*_: Any) -> bool:
    return False


FAULTS: list[Any] = [
    (ServedSessions, "_close", _unshielded, GIVEN_UP, "was not carried out"),
    (SessionWork, "end", _at_once, CLOSED, "before its turns were answered"),
    (ServedSessions, "drops", _never, CLOSED, "an update follows"),
]


@pytest.mark.parametrize(
    ("owner", "name", "fault", "operations", "statement"),
    FAULTS,
    ids=["the close is not shielded", "the close is answered before the turn", "late updates are not dropped"],
)
async def test_a_planted_fault_is_found(
    owner: Any, name: str, fault: Any, operations: list[Operation], statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await converse(operations, 6)
    monkeypatch.setattr(owner, name, fault)
    with pytest.raises(AssertionError, match=statement):
        await converse(operations, 6)


# One close, given up or cut off at each of its steps

STEPS = 80
"""More turns of the event loop than a close takes."""


async def close_at(step: int, interfere: Callable[[Pair], None] | None) -> tuple[Pair, int]:
    """Close a session whose turn runs, and interfere after so many turns of the event loop; the turns that the close took."""
    agent = Slow(3)
    pair = Pair(agent, await streams())
    async with pair.theirs, pair.ours:
        await pair.ours.initialize()
        await pair.do("load", "a")
        await asyncio.gather(*pair.calls)
        await pair.do("prompt", "a")
        await until(lambda: agent.running)
        agent.hold("a")
        await pair.do("close", "a")
        taken = 0
        while not pair.calls[-1].done() and taken < STEPS * 10:
            if taken == step and interfere is not None:
                interfere(pair)
            await asyncio.sleep(0)
            taken += 1
        outcomes = await pair.finish()
        if pair.lost:
            await pair.theirs.wait_closed()
        else:
            assert outcomes[1].stop_reason == "cancelled"
    began = len(agent.begun)
    await until(lambda: len(agent.closed) == began and agent.running == 0)
    await settled()  # tasks that have ended say so
    assert left_in(pair.ours) + left_in(pair.theirs) == []
    check_frames(pair.frames, lost=pair.lost)
    return pair, taken


def give_up(pair: Pair) -> None:
    connection: Any = pair.theirs
    for served in connection._inbound.dispatcher._requests.values():
        if served.method == "session/close":
            served.cancel()


def lose(pair: Pair) -> None:
    pair.lost = True
    pair.writer.transport.abort()


async def test_a_close_that_is_cancelled_at_any_step_is_carried_out() -> None:
    _, steps = await close_at(0, None)
    assert 10 < steps < STEPS, "nothing was counted"
    for step in range(steps):
        pair, _ = await close_at(step, give_up)
        assert (pair.agent.closed, pair.agent.held) == (["a"], 0)
        assert not isinstance(pair.calls[-1].exception(), Exception)


async def test_a_close_during_which_the_connection_is_lost_leaves_nothing() -> None:
    _, steps = await close_at(0, None)
    begun = 0
    for step in range(steps):
        pair, _ = await close_at(step, lose)
        begun += len(pair.agent.begun)
        # It was carried out, or its request never came.
        assert pair.agent.held == (0 if pair.agent.closed else 1)
    assert begun > steps / 2
