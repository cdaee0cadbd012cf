"""What the schema does not declare: members that are kept, values that are let through, methods that are called."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from peers import connected, wired_agent

import generated as acp

CHUNK = {
    "sessionId": "s",
    "depth": 1,
    "update": {
        "sessionUpdate": "agent_message_chunk",
        "content": {"type": "text", "text": "a", "more": [1], "type_": 2},
        "if": {"x": None},
        "__class__": "it",
    },
}


class Proxied(acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s")

    async def prompt(self, params: acp.PromptRequest) -> Any:
        self.seen = params
        return {"stopReason": "out_of_tea", "cups": 3}


# Members


def test_undeclared_members_are_kept_at_every_depth_and_written_back() -> None:
    found = acp.decode(acp.SessionNotification, acp.encode(CHUNK), keep_undeclared=True)
    assert acp.to_dict(found) == CHUNK
    assert acp.decode(Any, acp.encode(found)) == CHUNK  # type: ignore[arg-type]
    assert acp.from_dict(acp.SessionNotification, CHUNK, keep_undeclared=True) == found


def test_a_record_with_undeclared_members_is_still_that_record() -> None:
    match acp.decode(acp.SessionNotification, acp.encode(CHUNK), keep_undeclared=True):
        case acp.SessionNotification(
            update=acp.AgentMessageChunk(content=acp.TextContent(text="a") as content) as update
        ):
            assert acp.codec.undeclared(content) == {"more": [1], "type_": 2}
            assert acp.codec.undeclared(update) == {"if": {"x": None}, "__class__": "it"}
        case other:
            raise AssertionError(other)


def test_without_the_mode_nothing_undeclared_is_kept() -> None:
    found = acp.decode(acp.SessionNotification, acp.encode(CHUNK))
    assert acp.codec.undeclared(found) == {}
    assert acp.to_dict(found) == {
        "sessionId": "s",
        "update": {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "a"}},
    }


def test_a_record_without_any_is_of_the_plain_class() -> None:
    found = acp.decode(acp.TextContent, b'{"type": "text", "text": "a"}', keep_undeclared=True)
    assert type(found) is acp.TextContent


def test_a_kept_record_can_be_copied_and_changed() -> None:
    found = acp.decode(acp.PromptResponse, b'{"stopReason": "end_turn", "cups": 3}', keep_undeclared=True)
    other = copy.copy(found)
    other.stop_reason = "cancelled"
    assert acp.to_dict(other) == {"stopReason": "cancelled", "cups": 3}


def test_a_closed_fault_is_told_with_its_path_in_this_mode_too() -> None:
    with pytest.raises(Exception, match=r"\$\.update\.content\.text"):
        acp.decode(
            acp.SessionNotification,
            b'{"sessionId":"s","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":1}}}',
            keep_undeclared=True,
        )


def test_types_of_others_are_read_as_ever() -> None:
    assert acp.decode(list[int], b"[1]", keep_undeclared=True) == [1]


async def test_a_proxy_passes_on_what_it_does_not_know() -> None:
    agent = Proxied()
    options = {"keep_undeclared": True, "lenient_enums": True}
    async with connected(agent, acp.Client(), agent_options=options, **options) as connection:
        params = acp.decode(
            acp.PromptRequest, b'{"sessionId":"s","prompt":[{"type":"text","text":"a","mood":1}]}', keep_undeclared=True
        )
        result = await connection.prompt(session_id="s", prompt=params.prompt)
    assert acp.codec.undeclared(agent.seen.prompt[0]) == {"mood": 1}
    assert acp.to_dict(result) == {"stopReason": "out_of_tea", "cups": 3}


# Values


def test_an_unknown_value_is_reported_as_it_came() -> None:
    for type_ in (acp.PromptResponse, acp.StopReason):
        data = b'{"stopReason": "out_of_tea"}' if type_ is acp.PromptResponse else b'"out_of_tea"'
        with pytest.raises(Exception, match="'out_of_tea'"):
            acp.decode(type_, data)


async def test_an_answer_with_an_unknown_value_is_reported_with_it_and_whole() -> None:
    async with connected(Proxied(), acp.Client(), agent_options={"check_messages": False}) as connection:
        with pytest.raises(acp.errors.InvalidResponse, match=r"'out_of_tea'.*stopReason") as caught:
            await connection.prompt(session_id="s", prompt=[])
    assert caught.value.raw == b'{"stopReason":"out_of_tea","cups":3}'


def test_lenient_enums_let_an_unknown_value_through() -> None:
    found = acp.decode(acp.PromptResponse, b'{"stopReason": "out_of_tea"}', lenient_enums=True)
    assert acp.to_dict(found) == {"stopReason": "out_of_tea"}
    assert acp.codec.undeclared(found) == {}


@pytest.mark.parametrize("value", [b"1", b"null", b"{}", b"[]"])
def test_lenient_enums_let_no_other_type_through(value: bytes) -> None:
    with pytest.raises(Exception, match=r"\$\.stopReason"):
        acp.decode(acp.PromptResponse, b'{"stopReason": ' + value + b"}", lenient_enums=True)


def test_a_constant_is_no_enumeration() -> None:
    with pytest.raises(Exception, match="'list'"):
        acp.decode(acp.ElicitationSchemaType, b'"list"', lenient_enums=True)


# Methods


class Old(acp.Agent):
    def list_sessions(self, params: acp.ListSessionsRequest) -> acp.ListSessionsResponse:
        return acp.ListSessionsResponse(sessions=[])


async def test_a_method_without_an_underscore_needs_the_flag() -> None:
    async with connected(Old(), acp.Client()) as connection:
        with pytest.raises(ValueError, match="any_name=True"):
            await connection.ext_request("session/list", {})
        with pytest.raises(ValueError, match="any_name=True"):
            await connection.ext_notify("session/list", {})
        assert await connection.ext_request("session/list", {}, any_name=True) == {"sessions": []}
        with pytest.raises(acp.RequestError, match="not found"):
            await connection.ext_request("session/brew", {}, any_name=True)
        await connection.ext_notify("session/brew", {}, any_name=True)


class Brews(acp.Agent):
    """Serves what no table has, and says what it was."""

    def __init__(self) -> None:
        self.noted: list[str] = []

    def ext_method(self, method: str, params: Any) -> Any:
        return [method, params]

    def ext_notification(self, method: str, params: Any) -> None:
        self.noted.append(method)


async def test_a_method_without_an_underscore_is_served_where_that_was_asked_for() -> None:
    agent = Brews()
    async with wired_agent(agent, any_name=True) as wire:
        await wire.send({"jsonrpc": "2.0", "method": "session/steep", "params": {"sessionId": "s"}})
        answer = await wire.ask(1, "session/brew", {"cups": 2})
    assert answer["result"] == ["session/brew", {"cups": 2}]
    assert agent.noted == ["session/steep"]


@pytest.mark.parametrize("method", ["session/brew", "session/list", "$/brew", "fs/read_text_file"])
async def test_unless_asked_for_no_method_without_an_underscore_is_served(method: str) -> None:
    agent = Brews()
    async with wired_agent(agent) as wire:
        await wire.send({"jsonrpc": "2.0", "method": method, "params": {}})
        assert (await wire.ask(1, method, {}))["error"]["code"] == -32601
    assert agent.noted == []


@pytest.mark.parametrize("method", ["session/list", "$/brew"])
async def test_what_the_table_has_and_what_is_the_connections_own_never_gets_to_the_hook(method: str) -> None:
    async with wired_agent(Brews(), any_name=True) as wire:
        assert (await wire.ask(1, method, {}))["error"]["code"] == -32601


async def test_a_method_without_an_underscore_waits_for_the_handshake() -> None:
    async with wired_agent(Brews(), any_name=True, opened=False) as wire:
        assert (await wire.ask(1, "session/brew", {}))["error"]["code"] == -32600
        assert (await wire.ask(2, "_brew", {}))["result"] == ["_brew", {}]


# Unknown variants


def test_an_unknown_variant_gives_its_members_as_the_known_ones_do() -> None:
    raw = {"mode": "hologram", "message": "Look", "toolCallId": "t", "a_b": 1}
    found = acp.UnknownVariant("hologram", raw)
    assert (found.message, found.tool_call_id, found.a_b) == ("Look", "t", 1)
    assert copy.deepcopy(found) == found
    with pytest.raises(AttributeError, match="no field 'depth'"):
        _ = found.depth
