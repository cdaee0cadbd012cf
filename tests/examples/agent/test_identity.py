"""Sessions belong to the identity that a login established; nobody else can tell that they exist."""

from __future__ import annotations

from typing import Any

import pytest

from .wire import CWD, UNKNOWN, House, Json, Refusal, Wire, house, said, started

KEY = "correct horse battery staple"


async def test_the_logins_are_offered_in_the_handshake_and_each_works() -> None:
    async with house(keys=True) as home, home.connected() as wire:
        offered = (await wire.initialize())["authMethods"]
        assert [method["id"] for method in offered] == ["os-user", "guest", "key"]
        for method in offered:
            assert await wire.call("authenticate", methodId=method["id"], _meta={"key": KEY}) == {}


async def test_without_a_login_sessions_are_the_system_users() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await wire.call("authenticate", methodId="os-user")
        assert await wire.listed() == [session]
        assert await wire.prompt(session) == "end_turn", "logging in as who one is closes nothing"


@pytest.mark.parametrize("method", ["key", "password", "", "OS-USER"])
async def test_a_login_that_was_not_offered_is_refused(method: str) -> None:
    async with house() as home, home.connected() as wire:
        assert (await wire.refused("authenticate", methodId=method, _meta={"key": KEY})).code == -32602


@pytest.mark.parametrize("meta", [None, {}, {"key": "short"}, {"key": 7}, {"key": ["x" * 20]}])
async def test_a_key_is_a_string_of_some_length(meta: Any) -> None:
    async with house(keys=True) as home, home.connected() as wire:
        assert (await wire.refused("authenticate", methodId="key", _meta=meta)).code == -32602


async def test_whoever_knows_the_key_is_the_same_identity_and_nobody_else_is() -> None:
    async with house(keys=True) as home, home.connected() as one, home.connected() as two, home.connected() as three:
        for wire, key in ((one, KEY), (two, KEY), (three, KEY.upper())):
            await wire.call("authenticate", methodId="key", _meta={"key": key})
        session = await one.new()
        assert (await two.listed(), await three.listed()) == ([session], [])


async def test_a_login_outlives_the_agent(tmp_path: Any) -> None:
    store = str(tmp_path / "store.db")
    for _ in range(2):
        async with started("--store", store, "--keys") as wire:
            await wire.call("authenticate", methodId="key", _meta={"key": KEY})
            await wire.new()
            sessions = await wire.listed()
            await wire.leave()
    assert len(sessions) == 2
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())


async def strangers(home: House, owner: Wire, guest: Wire) -> str:
    """A session of the owner's, with something said in it; the guest is logged in."""
    await guest.call("authenticate", methodId="guest")
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
    ("session/set_config_option", {"configId": "model", "value": "owl"}),
    ("_sandboxagent/session/terminate", {}),
]


@pytest.mark.parametrize(("method", "params"), ABOUT_A_SESSION, ids=[method for method, _ in ABOUT_A_SESSION])
async def test_anothers_session_is_answered_exactly_like_one_that_never_was(method: str, params: Json) -> None:
    async with house() as home, home.connected() as owner, home.connected() as guest:
        session = await strangers(home, owner, guest)
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
    async with house() as home, home.connected() as owner, home.connected() as guest:
        session = await strangers(home, owner, guest)
        turn = owner.prompting(session, "/wait 2")
        guest.notify("session/cancel", sessionId=session)
        await guest.call("session/list")
        assert (await turn)["result"] == {"stopReason": "end_turn"}


async def test_a_cursor_of_another_identity_is_refused() -> None:
    async with house(page_size=1) as home, home.connected() as owner, home.connected() as guest:
        await strangers(home, owner, guest)
        await owner.new()
        cursor = (await owner.call("session/list"))["nextCursor"]
        assert (await guest.refused("session/list", cursor=cursor)).code == -32602


async def test_logging_in_as_someone_else_closes_what_was_open() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/wait")
        await wire.until_update("agent_message_chunk")
        await wire.call("authenticate", methodId="guest")
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert not home.host.sessions


async def test_logging_in_as_someone_else_ends_ones_turn_even_if_others_watch_the_session() -> None:
    async with house() as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        await other.resume(session)
        turn = one.prompting(session, "/wait")
        await one.until_update("agent_message_chunk")
        await one.call("authenticate", methodId="guest")
        assert turn.result()["result"] == {"stopReason": "cancelled"}
        assert await other.prompt(session) == "end_turn"


async def test_a_session_that_is_being_loaded_by_someone_who_logs_in_as_someone_else_is_not_opened() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        load = wire.start("session/load", {"sessionId": session, "cwd": CWD, "mcpServers": []})
        await wire.call("authenticate", methodId="guest")
        assert (await load)["error"]["code"] == -32002
        assert not home.host.sessions


async def test_clients_of_one_identity_share_their_sessions() -> None:
    async with house() as home, home.connected() as one, home.connected() as other:
        session = await one.new()
        await one.prompt(session, "/echo shared")
        assert said(await other.history(session)) == "shared"
        turn = one.prompting(session, "/wait 2")
        error = (await other.prompting(session, "hello"))["error"]
        assert error["code"] == -32600, "one turn at a time"
        await turn
