"""Sessions belong to an identity; nobody else can tell that they exist."""

from __future__ import annotations

import pytest

from .wire import CWD, UNKNOWN, Guest, Json, Refusal, Wire, house, said


async def strangers(owner: Wire) -> str:
    """A session of the owner's, with something said in it."""
    session = await owner.new()
    await owner.prompt(session, "/echo mine")
    return session


ABOUT_A_SESSION: list[tuple[str, Json]] = [
    ("session/load", {"cwd": CWD, "mcpServers": []}),
    ("session/resume", {"cwd": CWD}),
    ("session/fork", {"cwd": CWD}),
    ("session/close", {}),
    ("session/delete", {}),
    ("session/prompt", {"prompt": [{"type": "text", "text": "hello"}]}),
    ("session/set_mode", {"modeId": "auto"}),
    ("_sandboxagent/session/terminate", {}),
]


@pytest.mark.parametrize(("method", "params"), ABOUT_A_SESSION, ids=[method for method, _ in ABOUT_A_SESSION])
async def test_anothers_session_is_answered_exactly_like_one_that_never_was(method: str, params: Json) -> None:
    async with house() as home, home.connected() as owner, home.connected(kind=Guest) as guest:
        session = await strangers(owner)
        turn = owner.prompting(session, "/wait")  # even while a turn is under way
        await owner.until_update("agent_message_chunk")

        async def answer(id_: str) -> object:
            try:
                return await guest.call(method, sessionId=id_, **params)
            except Refusal as refusal:
                return refusal.code, str(refusal.data).replace(id_, "ID")

        assert await answer(session) == await answer(UNKNOWN)
        assert not turn.done(), "and nothing happened to it"
        owner.notify("session/cancel", sessionId=session)
        await turn
        assert await owner.listed() == [session]


async def test_nobody_else_can_cancel_the_turn() -> None:
    async with house() as home, home.connected() as owner, home.connected(kind=Guest) as guest:
        session = await strangers(owner)
        turn = owner.prompting(session, "/wait 2")
        guest.notify("session/cancel", sessionId=session)
        await guest.call("session/list")
        assert (await turn)["result"] == {"stopReason": "end_turn"}


async def test_a_cursor_of_another_identity_is_refused() -> None:
    async with house(page_size=1) as home, home.connected() as owner, home.connected(kind=Guest) as guest:
        await strangers(owner)
        await owner.new()
        cursor = (await owner.call("session/list"))["nextCursor"]
        assert (await guest.refused("session/list", cursor=cursor)).code == -32602


async def test_clients_of_one_identity_share_their_sessions() -> None:
    async with house() as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        await one.prompt(session, "/echo shared")
        assert said(await other.history(session)) == "shared"
        turn = one.prompting(session, "/wait 2")
        error = (await other.prompting(session, "hello"))["error"]
        assert error["code"] == -32600, "one turn at a time"
        await turn
