"""Terminals as blocks: created by entering, released by leaving, however that happens."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import generated as acp
from generated._runtime.session import handles as handle_module
from generated.testing import connected, scripted_client
from tests.support.waiting import advance, until

Work = Callable[[acp.AgentSideConnection], Awaitable[Any]]


class Working(acp.Agent):
    """Does in its turn what a test wants."""

    def __init__(self, work: Work) -> None:
        self.work = work

    async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
        await self.work(self.client)
        return acp.PromptResponse(stop_reason="end_turn")


class Terminals(acp.Client):
    """Keeps the calls in their order, and which terminals are there. `done` ends their commands."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.open: set[str] = set()
        self.done = asyncio.Event()
        self.may_create = asyncio.Event()
        self.may_create.set()

    async def create_terminal(self, params: acp.CreateTerminalRequest) -> acp.CreateTerminalResponse:
        self.calls.append(f"create {params.command}")
        await self.may_create.wait()
        name = f"term_{len(self.calls)}"
        self.open.add(name)
        return acp.CreateTerminalResponse(terminal_id=name)

    async def wait_for_terminal_exit(self, params: acp.WaitForTerminalExitRequest) -> acp.WaitForTerminalExitResponse:
        self._called("wait", params)
        await self.done.wait()
        return acp.WaitForTerminalExitResponse(exit_code=0)

    def terminal_output(self, params: acp.TerminalOutputRequest) -> acp.TerminalOutputResponse:
        self._called("output", params)
        return acp.TerminalOutputResponse(output="built\n", truncated=False)

    def release_terminal(self, params: acp.ReleaseTerminalRequest) -> Any:
        self._called("release", params)
        self.open.remove(params.terminal_id)

    def kill_terminal(self, params: acp.KillTerminalRequest) -> None:
        self._called("kill", params)
        self.done.set()

    def _called(self, call: str, params: Any) -> None:
        assert params.terminal_id in self.open
        assert params.session_id == "s"
        self.calls.append(call)


async def run(work: Work, client: Terminals | None = None, *, cancel_after: str = "") -> Terminals:
    """One turn in which some work is done; cancelled once the client has had a call."""
    client = client or Terminals()
    async with connected(Working(work), client) as (_, agent):
        turn = asyncio.ensure_future(agent.prompt(session_id="s", prompt=[]))
        if cancel_after:
            await until(lambda: any(call.startswith(cancel_after) for call in client.calls))
            await agent.cancel(session_id="s")
        async with asyncio.timeout(60):
            await turn
            client.may_create.set()
            await until(lambda: client.calls.count("release") == sum("create" in call for call in client.calls))
            assert not client.open
    return client


async def test_a_block_creates_and_releases() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        terminal = client.terminal(session_id="s", command="make", args=["build"])
        with pytest.raises(RuntimeError, match="not created yet"):
            _ = terminal.id
        async with terminal:
            assert terminal.id == terminal.response.terminal_id == "term_1"
        with pytest.raises(RuntimeError, match="cannot be entered twice"):
            async with terminal:
                pass

    assert (await run(work)).calls == ["create make", "release"]


async def test_finish_waits_and_gives_the_output() -> None:
    client = Terminals()
    client.done.set()

    async def work(connection: acp.AgentSideConnection) -> None:
        async with connection.terminal(session_id="s", command="make") as terminal:
            assert (await terminal.finish()).output == "built\n"
            assert terminal.ended

    assert (await run(work, client)).calls == ["create make", "wait", "output", "release"]


async def test_a_command_that_takes_too_long_is_killed_and_its_output_read() -> None:
    async def work(connection: acp.AgentSideConnection) -> None:
        async with connection.terminal(session_id="s", command="sleep") as terminal:
            try:
                async with asyncio.timeout(30):
                    waiting = asyncio.ensure_future(terminal.wait())
                    await until(lambda: "wait" in client.calls)
                    advance(31)
                    await waiting
            except TimeoutError:
                await terminal.kill()
            assert (await terminal.finish()).output == "built\n"

    client = Terminals()
    assert (await run(work, client)).calls == ["create sleep", "wait", "kill", "wait", "output", "release"]


async def test_an_exception_kills_and_goes_on() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        with pytest.raises(ValueError, match="no"):
            async with client.terminal(session_id="s", command="make"):
                raise ValueError("no")

    assert (await run(work)).calls == ["create make", "kill", "release"]


async def test_what_has_ended_is_not_killed() -> None:
    client = Terminals()
    client.done.set()

    async def work(connection: acp.AgentSideConnection) -> None:
        async def failing() -> None:
            async with connection.terminal(session_id="s", command="make") as terminal:
                await terminal.wait()
                raise ValueError("no")

        with pytest.raises(ValueError, match="no"):
            await failing()

    assert (await run(work, client)).calls == ["create make", "wait", "release"]


async def test_what_was_released_is_not_released_again() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        async with client.terminal(session_id="s", command="make") as terminal:
            await terminal.release()

    assert (await run(work)).calls == ["create make", "release"]


async def test_a_cancelled_turn_kills_and_releases() -> None:
    async def work(client: acp.AgentSideConnection) -> None:
        async with client.terminal(session_id="s", command="make") as terminal:
            await terminal.wait()

    assert (await run(work, cancel_after="wait")).calls == ["create make", "wait", "kill", "release"]


async def test_a_turn_that_is_cancelled_while_its_terminal_is_created_releases_it() -> None:
    client = Terminals()
    client.may_create.clear()

    async def work(connection: acp.AgentSideConnection) -> None:
        async with connection.terminal(session_id="s", command="make"):
            raise AssertionError("nobody waits for the terminal any more")

    await run(work, client, cancel_after="create")
    assert client.calls == ["create make", "kill", "release"]


async def test_cancelled_at_every_step_no_terminal_is_left() -> None:
    steps = 0
    while True:
        client = Terminals()
        client.done.set()
        async with connected(acp.Agent(), client) as (agent, _):

            async def work(agent: acp.AgentSideConnection = agent) -> None:
                async with agent.terminal(session_id="s", command="make") as terminal:
                    await terminal.finish()

            working = asyncio.create_task(work())
            for _ in range(steps):
                await asyncio.sleep(0)
            done = working.done()
            working.cancel()
            await asyncio.wait({working})
            for _ in range(100):
                await asyncio.sleep(0)
            assert client.calls.count("release") == sum(call.startswith("create") for call in client.calls)
            assert not client.open, steps
        if done:
            break
        steps += 1
    assert steps > 10


async def test_who_is_cancelled_while_a_terminal_is_released_does_not_take_that_back() -> None:
    class Slow(Terminals):
        async def release_terminal(self, params: acp.ReleaseTerminalRequest) -> Any:
            await go_on.wait()
            super().release_terminal(params)

    go_on = asyncio.Event()
    client = Slow()
    async with connected(acp.Agent(), client) as (agent, _):

        async def work() -> None:
            async with agent.terminal(session_id="s", command="make") as terminal:
                left.append(terminal)

        left: list[Any] = []
        working = asyncio.create_task(work())
        await until(lambda: bool(left) and left[0].released)
        working.cancel()
        await asyncio.wait({working})
        go_on.set()
        await until(lambda: not client.open)


async def test_a_release_that_fails_is_told_who_left_well() -> None:
    async with scripted_client(acp.Agent()) as (client, agent):
        await open_by(client)

        async def work(*, fail: bool) -> None:
            async with agent.terminal(session_id="s", command="make"):
                if fail:
                    raise ValueError("the reason")

        working = asyncio.create_task(work(fail=False))
        await client.answer(await client.expect("terminal/create"), {"terminalId": "t"})
        await client.fail(await client.expect("terminal/release", terminalId="t"), -32603, "no")
        with pytest.raises(acp.RequestError):
            await working
        working = asyncio.create_task(work(fail=True))
        await client.answer(await client.expect("terminal/create"), {"terminalId": "t"})
        await client.fail(await client.expect("terminal/kill", terminalId="t"), -32603, "no")
        await client.fail(await client.expect("terminal/release", terminalId="t"), -32603, "no")
        with pytest.raises(ValueError, match="the reason"):
            await working


async def test_who_left_by_an_exception_does_not_wait_for_a_client_that_is_silent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(handle_module, "_PATIENCE", 0.01)
    async with scripted_client(acp.Agent()) as (client, agent):
        await open_by(client)

        async def work() -> None:
            async with agent.terminal(session_id="s", command="make"):
                raise ValueError("the reason")

        working = asyncio.create_task(work())
        await client.answer(await client.expect("terminal/create"), {"terminalId": "t"})
        await client.expect("terminal/kill")
        await client.expect("terminal/release")
        with pytest.raises(ValueError, match="the reason"):
            await asyncio.wait_for(working, 60)


async def test_a_client_that_is_gone_hides_no_exception(caplog: pytest.LogCaptureFixture) -> None:
    async with scripted_client(acp.Agent()) as (client, agent):
        await open_by(client)

        async def work(*, fail: bool) -> None:
            async with agent.terminal(session_id="s", command="make"):
                client.die()
                await agent.wait_closed()
                if fail:
                    raise ValueError("the reason")

        working = asyncio.create_task(work(fail=True))
        await client.answer(await client.expect("terminal/create"), {"terminalId": "t"})
        with pytest.raises(ValueError, match="the reason"):
            await working
    assert "could not be released" not in caplog.text


async def test_a_client_without_terminals_is_asked_for_none() -> None:
    async with connected(acp.Agent(), acp.Client()) as (agent, _):
        with pytest.raises(acp.CapabilityError):
            async with agent.terminal(session_id="s", command="make"):
                pass


async def open_by(client: Any) -> None:
    """Shake hands as a client with terminals."""
    await client.call("initialize", {"protocolVersion": 1, "clientCapabilities": {"terminal": True}})


async def test_a_terminal_that_a_task_holds_is_released_before_a_close_is_answered() -> None:
    held = asyncio.Event()
    tasks: list[asyncio.Task[None]] = []

    class Holds(acp.Agent):
        async def prompt(self, params: acp.PromptRequest) -> acp.PromptResponse:
            async def hold() -> None:
                async with self.client.terminal(session_id=params.session_id, command="make"):
                    held.set()
                    await asyncio.Event().wait()

            tasks.append(asyncio.create_task(hold()))
            await held.wait()
            return acp.PromptResponse(stop_reason="end_turn")

        def close_session(self, params: acp.CloseSessionRequest) -> None:  # type: ignore[override]
            assert not client.open

    client = Terminals()
    async with connected(Holds(), client) as (_, agent):
        await agent.prompt(session_id="s", prompt=[])
        assert client.open
        await agent.close_session(session_id="s")
        assert not client.open
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    assert [call.split()[0] for call in client.calls] == ["create", "kill", "release"]
