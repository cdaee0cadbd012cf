"""A package made from the published schema of version 2: what its annotations fill in works between an agent and a client."""

from __future__ import annotations

import asyncio
import base64
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest
from peers import streams

from tests.upstream import HERE as UPSTREAM

if TYPE_CHECKING:
    from tests.conftest import Package


@pytest.fixture(scope="module")
def acp(package: Package) -> ModuleType:
    return package(UPSTREAM / "current-v2" / "schema.json", bare=False)


class Pair:
    """An agent of version 2 that opens sessions, and a client that keeps what it is reported."""

    def __init__(self, acp: ModuleType, **more: Any) -> None:
        self.acp, self.prompted, self.given_up = acp, asyncio.Event(), False
        self.seen: list[tuple[str, str]] = []
        pair = self

        async def prompt(agent: Any, params: Any) -> Any:
            pair.prompted.set()
            text = params.prompt[0].text
            if text == "wait":
                try:
                    await asyncio.sleep(60)
                finally:
                    pair.given_up = True
            for number in range(5):
                content = acp.TextContent(text=str(number))
                update = acp.AgentMessageChunk(message_id="m", content=content)
                await agent.client.update_session(session_id=params.session_id, update=update)
            return acp.PromptResponse(message_id="m")

        handlers = {
            "new_session": lambda _, params: acp.NewSessionResponse(session_id="s"),
            "list_sessions": lambda _, params: acp.ListSessionsResponse(sessions=[]),
            "resume_session": lambda _, params: acp.ResumeSessionResponse(),
            "close_session": lambda _, params: acp.CloseSessionResponse(),
            "cancel_session": lambda _, params: None,
            "prompt": prompt,
        }
        self.agent = type("SomeAgent", (acp.Agent,), {**handlers, **more})()

        async def update_session(_: Any, params: Any) -> None:
            text = params.update.content.text
            await asyncio.sleep(0.002 if text == "0" else 0)
            pair.seen.append((params.session_id, text))

        self.client = type("SomeClient", (acp.Client,), {"update_session": update_session})()

    async def __aenter__(self) -> Any:
        ours, theirs = await streams()
        self.ends = (
            self.acp.AgentSideConnection(self.agent, *theirs),
            self.acp.ClientSideConnection(self.client, *ours),
        )
        for end in self.ends:
            await end.__aenter__()
        return self.ends[1]

    async def __aexit__(self, *_: object) -> None:
        for end in reversed(self.ends):
            await end.__aexit__(None, None, None)


def said(acp: ModuleType, text: str) -> list[Any]:
    return [acp.TextContent(text=text)]


async def test_the_two_agree_on_version_2_and_on_capabilities(acp: ModuleType) -> None:
    async with Pair(acp) as connection:
        answer = await connection.initialize()
        assert (answer.protocol_version, acp.PROTOCOL_VERSION) == (2, 2)
        assert acp.to_dict(answer.capabilities) == {"session": {}}
        assert connection.protocol_version == 2


async def test_a_call_that_the_agent_did_not_offer_is_refused_before_it_is_sent(acp: ModuleType) -> None:
    async with Pair(acp) as connection:
        await connection.initialize()
        assert (await connection.new_session(cwd="/srv")).session_id == "s"
        with pytest.raises(acp.CapabilityError, match=r"session\.delete"):
            await connection.delete_session(session_id="s")


async def test_an_agent_that_overrides_a_gated_method_advertises_it(acp: ModuleType) -> None:
    pair = Pair(acp, delete_session=lambda _, params: acp.DeleteSessionResponse())
    async with pair as connection:
        assert acp.to_dict((await connection.initialize()).capabilities) == {"session": {"delete": {}}}
        await connection.delete_session(session_id="s")


def test_an_agent_serves_the_methods_of_a_gate_together(acp: ModuleType) -> None:
    with pytest.raises(TypeError, match="session"):
        acp.AgentSideConnection(type("Half", (acp.Agent,), {"prompt": lambda _, params: None})(), None, None)


async def test_updates_of_a_session_arrive_in_order_and_before_the_answer(acp: ModuleType) -> None:
    pair = Pair(acp)
    async with pair as connection:
        await connection.initialize()
        await asyncio.gather(*(connection.prompt(session_id=name, prompt=said(acp, "go")) for name in "ab"))
        numbers = [str(number) for number in range(5)]
        assert {name: [text for other, text in pair.seen if other == name] for name in "ab"} == {
            "a": numbers,
            "b": numbers,
        }


async def test_giving_up_a_call_cancels_it_at_the_agent(acp: ModuleType) -> None:
    pair = Pair(acp)
    async with pair as connection:
        await connection.initialize()
        turn = asyncio.create_task(connection.prompt(session_id="a", prompt=said(acp, "wait")))
        await pair.prompted.wait()
        turn.cancel()
        with pytest.raises(asyncio.CancelledError):
            await turn
        # What is asked next finds the agent free of it.
        await connection.prompt(session_id="a", prompt=said(acp, "go"))
        assert pair.given_up


def terminal(acp: ModuleType, *pieces: bytes, **more: Any) -> list[Any]:
    """A terminal, then pieces of its output."""
    chunks = [acp.TerminalOutputChunk(terminal_id="t", data=base64.b64encode(piece).decode()) for piece in pieces]
    return [acp.TerminalUpdate(terminal_id="t", command="make", **more), *chunks]


def state_after(acp: ModuleType, updates: list[Any]) -> Any:
    state = acp.SessionState()
    for update in updates:
        state.apply(update)
    return state


@pytest.mark.parametrize("pieces", [[b"a"], [b"a", b"bc", b"def", b"g"], ["ü".encode()[:1], "ü".encode()[1:]], []])
def test_the_pieces_of_a_terminals_output_are_its_output(acp: ModuleType, pieces: list[bytes]) -> None:
    state = state_after(acp, terminal(acp, *pieces))
    entry = state.terminals["t"]
    assert (entry.data, entry.text, entry.command) == (b"".join(pieces), b"".join(pieces).decode(), "make")
    again = state.replay()
    assert len(again) == 1
    assert state_after(acp, again) == state
    if pieces:
        assert base64.b64decode(again[0].output.data) == b"".join(pieces)
    else:
        assert again[0].output is acp.UNSET


def test_a_whole_output_replaces_the_pieces_and_null_clears_them(acp: ModuleType) -> None:
    whole = acp.TerminalOutput(data=base64.b64encode(b"new ").decode())
    state = state_after(acp, [*terminal(acp, b"old"), acp.TerminalUpdate(terminal_id="t", output=whole)])
    assert state.terminals["t"].data == b"new "
    state.apply(acp.TerminalOutputChunk(terminal_id="t", data=base64.b64encode(b"er").decode()))
    assert state.terminals["t"].text == "new er"
    assert whole.data == base64.b64encode(b"new ").decode(), "what was applied is not changed"
    state.apply(acp.TerminalUpdate(terminal_id="t", output=None))
    assert (state.terminals["t"].data, state.terminals["t"].command) == (b"", "make")


def test_a_piece_that_is_not_base64_counts_as_none(acp: ModuleType) -> None:
    broken = acp.TerminalOutputChunk(terminal_id="t", data="a")
    state = state_after(acp, [*terminal(acp, b"x"), broken, *terminal(acp, b"y")[1:]])
    assert state.terminals["t"].data == b"xy"
    assert state_after(acp, state.replay()) == state


class TestTurns:
    """A prompt is answered when it is accepted; the turn ends with the update that says that the session is idle."""

    @staticmethod
    def working(acp: ModuleType, *, answers_last: bool) -> tuple[Any, asyncio.Event]:
        """An agent that says three words, and waits where it is told to; it answers at the beginning or at the end."""
        stopped = asyncio.Event()
        tasks = set[asyncio.Task[None]]()

        async def work(session: Any, text: str) -> None:
            await session.state_update_state("running")
            for number in range(3):
                content = acp.TextContent(text=str(number))
                await session.send(acp.AgentMessageChunk(message_id="m", content=content))
            if text.startswith("wait"):
                await stopped.wait()
            if text != "wait and say nothing":
                await session.idle_state_update_stop_reason("cancelled" if stopped.is_set() else "end_turn")

        async def prompt(agent: Any, params: Any) -> Any:
            working = work(agent.session, params.prompt[0].text)
            if answers_last:
                await working
            else:
                tasks.add(asyncio.create_task(working))
            return acp.PromptResponse(message_id="u")

        async def close(agent: Any, params: Any) -> Any:
            stopped.set()
            await asyncio.gather(*tasks)

        pair = Pair(acp, prompt=prompt, cancel_session=lambda *_: stopped.set(), close_session=close)
        pair.client = acp.Client()
        return pair, stopped

    @pytest.mark.parametrize("answers_last", [False, True])
    async def test_a_turn_is_awaited_and_iterated(self, acp: ModuleType, answers_last: bool) -> None:
        pair, _ = self.working(acp, answers_last=answers_last)
        async with pair as connection:
            await connection.initialize()
            async with connection.session(cwd="/w") as session:
                assert (await session.prompt("go")).stop_reason == "end_turn"
                turn = session.prompt("go")
                texts = [u.content.text async for u in turn if isinstance(u, acp.AgentMessageChunk)]
                assert texts == ["0", "1", "2"]
                assert (await turn).stop_reason == turn.response.stop_reason == "end_turn"
                assert session.idle

    @pytest.mark.parametrize("answers_last", [False, True])
    async def test_a_cancelled_turn_ends_with_the_update_of_its_agent(
        self,
        acp: ModuleType,
        answers_last: bool,
    ) -> None:
        pair, stopped = self.working(acp, answers_last=answers_last)
        async with pair as connection:
            await connection.initialize()
            async with connection.session(cwd="/w") as session:
                turn = session.prompt("wait")
                async for update in turn:
                    if isinstance(update, acp.AgentMessageChunk) and update.content.text == "2":
                        assert not session.idle
                        await turn.cancel()
                assert stopped.is_set()
                assert (await turn).stop_reason == "cancelled"

    async def test_a_session_that_is_closed_ends_its_turn(self, acp: ModuleType) -> None:
        pair, _ = self.working(acp, answers_last=False)
        async with pair as connection:
            await connection.initialize()
            session = await connection.session(cwd="/w")
            turn = session.prompt("wait and say nothing")

            async def followed() -> None:
                async for update in turn:
                    if isinstance(update, acp.AgentMessageChunk) and update.content.text == "2":
                        await session.close()

            with pytest.raises(acp.errors.SessionEnded, match="session/close"):
                await followed()
