"""Requests that are cancelled, at every await: nothing is left behind, nothing hangs, the agent goes on."""

from __future__ import annotations

import asyncio
import contextlib
import gc
from collections.abc import AsyncGenerator, Callable, Coroutine
from typing import Any

import pytest

from examples import acp
from examples.acp.stores import UnknownSession
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.stores.undertakings import Undertakings, to_the_end

from .cancels import cancelled_at
from .test_termination import TERMINATE
from .wire import CWD, House, Wire, house, started

MOST_AWAITS = 300

Operation = Callable[[ReferenceAgent, str], Coroutine[Any, Any, Any]]

OPERATIONS: dict[str, Operation] = {
    "close": lambda agent, session: agent.close_session(acp.CloseSessionRequest(session_id=session)),
    "delete": lambda agent, session: agent.delete_session(acp.DeleteSessionRequest(session_id=session)),
    "terminate": lambda agent, session: agent.terminate_session(acp.TerminateSessionRequest(session_id=session)),
    "prompt": lambda agent, session: agent.prompt(
        acp.PromptRequest(session_id=session, prompt=[acp.TextContent(text="/echo hello")])
    ),
    "load": lambda agent, session: agent.load_session(
        acp.LoadSessionRequest(session_id=session, cwd=CWD, mcp_servers=[])
    ),
    "resume": lambda agent, session: agent.resume_session(acp.ResumeSessionRequest(session_id=session, cwd=CWD)),
    "mode": lambda agent, session: agent.set_session_mode(
        acp.SetSessionModeRequest(session_id=session, mode_id="auto")
    ),
}


@contextlib.asynccontextmanager
async def nothing_left() -> AsyncGenerator[tuple[House, Wire, ReferenceAgent], None]:
    """A client and its agent; when it has left, nothing of theirs is there, and the agent ends."""
    async with house() as home:
        async with home.connected() as wire:
            yield home, wire, home.agents[-1]
            await wire.call("session/list")  # it goes on
        await home.host.undertakings.wait()
        gc.collect()  # of a lock that an exception's frames hold
        assert (home.host.sessions, home.host.turns, len(home.host._gates)) == ({}, {}, 0)


@pytest.mark.parametrize("state", ["open", "in a turn", "closed"])
@pytest.mark.parametrize("name", OPERATIONS)
async def test_an_operation_that_is_cancelled_at_any_await_leaves_nothing_behind(name: str, state: str) -> None:
    for at in range(1, MOST_AWAITS):
        async with nothing_left() as (_, wire, agent):
            session = await wire.new()
            if state == "in a turn":
                wire.prompting(session, "/wait")
                await wire.until_update("session_info_update")
            if state == "closed":
                await wire.call("session/close", sessionId=session)
            if not await cancelled_at(at, OPERATIONS[name](agent, session)):
                break
            # Whatever became of it: the session can be asked for again, and ended.
            answer = await asyncio.wait_for(wire.start("session/close", {"sessionId": session}), 60)
            assert answer.get("error", {}).get("code") in (None, -32002)
    else:
        raise AssertionError(f"more than {MOST_AWAITS} awaits")
    assert at > 1 or (state == "in a turn" and name in ("load", "prompt")) or name == "mode", (
        "there was something to cancel"
    )


@pytest.mark.parametrize("name", ["new", "fork"])
async def test_a_session_that_is_not_wanted_any_more_when_it_is_made_was_never_there(
    name: str,
) -> None:
    for at in range(1, MOST_AWAITS):
        async with nothing_left() as (home, wire, agent):
            first = await wire.new()
            making = (
                agent.new_session(acp.NewSessionRequest(cwd=CWD, mcp_servers=[]))
                if name == "new"
                else agent.fork_session(acp.ForkSessionRequest(session_id=first, cwd=CWD))
            )
            if not await cancelled_at(at, making):
                break
            await home.host.undertakings.wait()
            assert await wire.listed() == [first]
            assert len(home.host.sessions) == 1
            lanes = home.store.lanes  # type: ignore[attr-defined]
            rows = await lanes.run(None, lambda: lanes.engine.execute("SELECT count(*) FROM sessions").fetchone())  # noqa: B023
            assert [*rows] == [1], "nor is it kept as one that was deleted"
    else:
        raise AssertionError(f"more than {MOST_AWAITS} awaits")


@pytest.mark.parametrize("method", ["session/close", "session/delete", TERMINATE, "session/load", "session/prompt"])
async def test_a_request_and_its_cancellation_in_one_write_do_not_keep_the_agent_from_ending_with_stdin(
    method: str,
) -> None:
    async with started() as wire:
        session = await wire.new()
        wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        text = {"type": "text", "text": "/wait"}
        call = wire.start(method, {"sessionId": session, "cwd": CWD, "mcpServers": [], "prompt": [text]})
        wire.notify("$/cancel_request", requestId=next(wire.ids) - 1)
        await call
        assert await asyncio.wait_for(wire.leave(), 60) == 0
        assert wire.process.stderr is not None
        assert await wire.process.stderr.read() == b""


async def test_what_fails_when_nobody_waits_for_it_any_more_is_no_traceback_unless_it_is_our_fault(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def fail(failure: Exception) -> None:
        await asyncio.sleep(0)
        raise failure

    undertakings = Undertakings((UnknownSession,))
    for failure in (UnknownSession("gone"), ZeroDivisionError("ours")):
        task = asyncio.create_task(undertakings.begin(fail(failure)))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await undertakings.wait()
    gc.collect()  # asyncio tells of what nobody has looked at when it is thrown away
    assert [record.message for record in caplog.records] == ["background work has failed"]


async def test_what_is_to_be_done_to_the_end_is_done_however_often_it_is_cancelled() -> None:
    done, cancels = asyncio.Event(), []

    async def work() -> None:
        for _ in range(5):
            await asyncio.sleep(0)
        done.set()

    task = asyncio.create_task(to_the_end(work(), lambda: cancels.append(1)))
    for _ in range(3):
        await asyncio.sleep(0)
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (done.is_set(), len(cancels)) == (True, 3)
