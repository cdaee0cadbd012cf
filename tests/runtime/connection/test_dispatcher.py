"""Faults found in an existing SDK, each with what happens here instead."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import msgspec
import pytest
from peers import connected, wired, wired_agent, wired_client

from generated import (
    Agent,
    AgentCapabilities,
    Client,
    ClientCapabilities,
    ClientSideConnection,
    FileSystemCapabilities,
    InitializeRequest,
    ListSessionsResponse,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    SessionInfoUpdate,
    SessionNotification,
    UnknownVariant,
    decode,
    encode,
    to_dict,
)


class Keeps(Agent):
    """Keeps the params of what it is asked."""

    def __init__(self) -> None:
        self.asked: list[Any] = []

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        self.asked.append(params)
        return NewSessionResponse(session_id="s")


async def test_keys_of_meta_do_not_overwrite_arguments() -> None:
    agent = Keeps()
    async with wired_agent(agent) as wire:
        params = {"cwd": "/right", "mcpServers": [], "_meta": {"cwd": "/wrong", "mcp_servers": 1}}
        await wire.ask(1, "session/new", params)
    assert agent.asked[0].cwd == "/right"
    assert agent.asked[0].meta == {"cwd": "/wrong", "mcp_servers": 1}


async def test_an_array_on_the_wire_does_not_kill_the_connection() -> None:
    async with wired_agent(Keeps()) as wire:
        await wire.send([{"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {}}])
        error = await wire.receive()
        assert (error["id"], error["error"]["code"]) == (None, -32600)
        assert "result" in await wire.ask(2, "session/new", {"cwd": "/", "mcpServers": []})


async def test_a_malformed_capability_is_no_plain_dict_and_no_capability() -> None:
    async with wired_client(Client(), capabilities={"sessionCapabilities": {"delete": "yes"}, "loadSession": 1}) as (
        _,
        connection,
    ):
        assert isinstance(connection.capabilities, AgentCapabilities)
        assert not connection.capabilities.load_session
        assert "delete" not in to_dict(connection.capabilities).get("sessionCapabilities", {})


async def test_a_title_of_null_is_sent() -> None:
    class Clears(Keeps):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            await self.client.session_update(session_id="s", update=SessionInfoUpdate(title=None))
            return PromptResponse(stop_reason="end_turn")

    async with wired_agent(Clears()) as wire:
        await wire.send(
            {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}}
        )
        update = (await wire.receive())["params"]["update"]
        assert update == {"sessionUpdate": "session_info_update", "title": None}


async def test_an_explicit_false_is_sent() -> None:
    async with wired(ClientSideConnection, Client()) as (wire, connection):
        fs = FileSystemCapabilities(read_text_file=False)
        call = asyncio.create_task(connection.initialize(client_capabilities=ClientCapabilities(fs=fs, terminal=False)))
        request = await wire.receive()
        assert request["params"]["clientCapabilities"] == {"fs": {"readTextFile": False}, "terminal": False}
        call.cancel()
        await asyncio.wait([call])


async def test_sessions_of_null_are_an_empty_list() -> None:
    async with wired_client(Client(), capabilities={"sessionCapabilities": {"list": {}}}) as (wire, connection):
        call = asyncio.create_task(connection.list_sessions())
        request = await wire.receive()
        await wire.send({"jsonrpc": "2.0", "id": request["id"], "result": {"sessions": None}})
        assert (await call) == ListSessionsResponse(sessions=[])


@pytest.mark.parametrize("version", ["1", True, 1.0, None, -1, 65536])
async def test_a_version_that_is_no_integer_in_range_is_refused(version: Any) -> None:
    async with wired_agent(Keeps(), opened=False) as wire:
        error = (await wire.ask(1, "initialize", {"protocolVersion": version}))["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "$.protocolVersion")


def test_yes_is_no_boolean() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode(FileSystemCapabilities, b'{"readTextFile":"yes"}', strict=True)


async def test_yes_is_no_capability() -> None:
    class Notes(Agent):
        def initialize(self, params: InitializeRequest) -> None:  # type: ignore[override]
            assert isinstance(params.client_capabilities, ClientCapabilities)
            self.terminal = params.client_capabilities.terminal

    agent = Notes()
    async with wired_agent(agent, opened=False) as wire:
        await wire.open({"terminal": "yes"})
    assert agent.terminal is not True


async def test_a_server_that_fits_neither_its_type_nor_the_default_is_refused() -> None:
    async with wired_agent(Keeps()) as wire:
        params = {"cwd": "/", "mcpServers": [{"type": "carrier-pigeon", "name": "p"}]}
        error = (await wire.ask(1, "session/new", params))["error"]
        assert error["code"] == -32602
        assert error["data"]["path"].startswith("$.mcpServers[0]")


async def test_a_method_that_is_not_implemented_does_not_answer_null() -> None:
    async with wired_agent(Keeps()) as wire:
        response = await wire.ask(1, "session/load", {"sessionId": "s", "cwd": "/", "mcpServers": []})
        assert "result" not in response
        assert response["error"]["code"] == -32601


async def test_an_unknown_kind_of_update_does_not_fail_the_turn() -> None:
    class Sees(Client):
        seen: ClassVar[list[Any]] = []

        def session_update(self, params: SessionNotification) -> None:
            self.seen.append(params.update)

    client = Sees()
    raw = {"sessionUpdate": "hologram", "depth": 3}
    async with wired_client(client) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(
            {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": raw}},
            {"jsonrpc": "2.0", "id": id, "result": {"stopReason": "end_turn"}},
        )
        assert (await turn).stop_reason == "end_turn"
    assert client.seen == [UnknownVariant("hologram", raw)]
    assert msgspec.json.decode(encode(client.seen[0])) == raw


async def test_a_response_does_not_overtake_the_updates_before_it() -> None:
    class Streams(Keeps):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            for number in range(20):
                await self.client.session_update(session_id="s", update=SessionInfoUpdate(title=str(number)))
            return PromptResponse(stop_reason="end_turn")

    class Slow(Client):
        titles: ClassVar[list[Any]] = []

        async def session_update(self, params: SessionNotification) -> None:
            await asyncio.sleep(0.001)
            assert isinstance(params.update, SessionInfoUpdate)
            self.titles.append(params.update.title)

    client = Slow()
    async with connected(Streams(), client) as connection:
        await connection.prompt(session_id="s", prompt=[])
        assert client.titles == [str(number) for number in range(20)]
