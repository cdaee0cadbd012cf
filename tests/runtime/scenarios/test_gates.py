"""Gates of properties, variants and values: what the peer did not advertise is refused before anything is sent."""

from __future__ import annotations

import asyncio
import contextlib
import subprocess
import sys
from typing import Any

import pytest
from peers import ROOT, Wire, connected, wired_agent, wired_client

from generated import (
    UNSET,
    Agent,
    AgentMessageChunk,
    AuthMethodTerminal,
    CapabilityError,
    Client,
    ClientSideConnection,
    EmbeddedResource,
    ImageContent,
    InitializeRequest,
    InitializeResponse,
    McpServerHttp,
    McpServerStdio,
    NewSessionRequest,
    NewSessionResponse,
    RequestError,
    SessionConfigOptionBoolean,
    SystemPrompt,
    Terminal,
    TextContent,
    TextResourceContents,
    ToolCall,
    to_dict,
)

OPEN: dict[str, Any] = {
    "mcpCapabilities": {"http": True},
    "promptCapabilities": {"image": True, "embeddedContext": True},
    "sessionCapabilities": {
        "additionalDirectories": {},
        "archive": {},
        "list": {},
        "systemPrompt": {"mode": {"override": {}}},
    },
}
LISTING: dict[str, Any] = {"sessionCapabilities": {"list": {}}}
IMAGE = ImageContent(data="aGk=", mime_type="image/png")
RESOURCE = EmbeddedResource(resource=TextResourceContents(uri="file:///a", text="a"))
OVERRIDE = SystemPrompt(mode="override", content=[TextContent(text="a")])
HTTP = McpServerHttp(name="a", url="http://a", headers=[])

CALLS = [
    ("new_session", {"cwd": "/", "mcp_servers": [], "additional_directories": ["/b"]}, "additional_directories"),
    ("new_session", {"cwd": "/", "mcp_servers": [HTTP]}, "mcp_servers[0]"),
    ("list_sessions", {"archived": "only"}, "archived"),
    ("prompt", {"session_id": "s", "prompt": [TextContent(text="a"), IMAGE]}, "prompt[1]"),
    ("prompt", {"session_id": "s", "prompt": [RESOURCE]}, "prompt[0]"),
    ("new_session", {"cwd": "/", "mcp_servers": [], "system_prompt": OVERRIDE}, "system_prompt"),
    ("prompt", {"session_id": "s", "prompt": [to_dict(IMAGE)]}, "prompt[0]"),
    ("new_session", {"cwd": "/", "mcp_servers": [to_dict(HTTP)]}, "mcp_servers[0]"),
]
NAMES = [f"{call}-{part}-{index}" for index, (call, _, part) in enumerate(CALLS)]


async def sent(wire: Wire, connection: ClientSideConnection, call: str, arguments: dict[str, Any]) -> Any:
    """The params of the frame that a call sends; the call itself is answered with an error."""
    calling = asyncio.create_task(getattr(connection, call)(**arguments))
    request = await wire.receive()
    await wire.send({"jsonrpc": "2.0", "id": request["id"], "error": {"code": 1, "message": "no"}})
    with contextlib.suppress(Exception):
        await calling
    return request["params"]


@pytest.mark.parametrize(("call", "arguments", "part"), CALLS, ids=NAMES)
async def test_a_part_that_the_agent_did_not_advertise_is_refused(call: str, arguments: Any, part: str) -> None:
    async with wired_client(Client(), capabilities=LISTING) as (_, connection):
        with pytest.raises(CapabilityError, match="was not sent: the agent did not advertise") as caught:
            await getattr(connection, call)(**arguments)
        assert caught.value.part == part
        assert str(caught.value).endswith(f", which `{part}` needs")


@pytest.mark.parametrize(("call", "arguments", "part"), CALLS, ids=NAMES)
async def test_a_part_that_the_agent_advertised_is_sent(call: str, arguments: Any, part: str) -> None:
    async with wired_client(Client(), capabilities=OPEN) as (wire, connection):
        assert await sent(wire, connection, call, arguments)


async def test_a_value_that_the_agent_did_not_advertise_is_refused_and_its_neighbour_sent() -> None:
    capabilities = {"sessionCapabilities": {"systemPrompt": {}}}
    arguments: dict[str, Any] = {"cwd": "/", "mcp_servers": []}
    added = SystemPrompt(mode="append", content=OVERRIDE.content)
    async with wired_client(Client(), capabilities=capabilities) as (wire, connection):
        with pytest.raises(CapabilityError) as caught:
            await connection.new_session(**arguments, system_prompt=OVERRIDE)
        assert caught.value.part == "system_prompt.mode"
        assert await sent(wire, connection, "new_session", {**arguments, "system_prompt": added})


async def test_further_directories_that_were_not_advertised_fail_the_call_before_anything_is_sent() -> None:
    arguments: dict[str, Any] = {"cwd": "/", "mcp_servers": [], "additional_directories": ["/b"]}
    async with wired_client(Client(), capabilities=LISTING) as (wire, connection):
        call = asyncio.create_task(connection.new_session(**arguments))
        sent = asyncio.create_task(wire.receive())
        done, _ = await asyncio.wait({call, sent}, return_when=asyncio.FIRST_COMPLETED)
        sent.cancel()
        assert done == {call}
        assert isinstance(call.exception(), CapabilityError)


async def test_what_is_not_said_needs_nothing() -> None:
    arguments = {"cwd": "/", "mcp_servers": [McpServerStdio(name="a", command="a", args=[], env=[])]}
    async with wired_client(Client()) as (wire, connection):
        assert await sent(wire, connection, "new_session", {**arguments, "additional_directories": UNSET})


async def test_a_connection_that_checks_nothing_sends_it() -> None:
    async with wired_client(Client(), check_capabilities=False) as (wire, connection):
        assert await sent(wire, connection, "prompt", {"session_id": "s", "prompt": [IMAGE]})


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("new_session", {"additional_directories": True}),
        ("new_session", {"mcp_servers": [HTTP]}),
        ("list_sessions", {"archived": "only"}),
        ("prompt", {"prompt": [IMAGE]}),
    ],
)
async def test_a_connection_says_beforehand_what_it_would_refuse(call: str, parameters: Any) -> None:
    async with wired_client(Client(), capabilities=LISTING) as (_, connection):
        assert connection.offers(call)
        assert not connection.offers(call, **parameters)
    async with wired_client(Client(), capabilities=OPEN) as (_, connection):
        assert connection.offers(call, **parameters)


async def test_a_parameter_that_a_call_does_not_have_is_an_error() -> None:
    async with wired_client(Client(), capabilities=LISTING) as (_, connection):
        with pytest.raises(TypeError, match=r"new_session\(\) has no parameter 'additional_dirs'"):
            connection.offers("new_session", additional_dirs=True)


async def test_the_agent_keeps_to_what_its_client_advertised() -> None:
    agent = Agent()
    async with connected(agent, Client()):
        client: Any = agent.client  # type: ignore[attr-defined]
        call = ToolCall(tool_call_id="c", title="run", content=[Terminal(terminal_id="t")])
        with pytest.raises(CapabilityError) as caught:
            await client.session_update(session_id="s", update=call)
        assert (caught.value.capability, caught.value.part) == ("terminal", "update.content[0]")


async def test_gates_of_the_other_direction_are_open() -> None:
    agent = Agent()
    async with connected(agent, Client()):
        client: Any = agent.client  # type: ignore[attr-defined]
        await client.session_update(session_id="s", update=AgentMessageChunk(content=IMAGE))


# Answers

OPTION = SessionConfigOptionBoolean(id="o", name="Loud", current_value=True)
LOGIN = AuthMethodTerminal(id="t", name="Terminal")


class Gated(Agent):
    """Answers with what stands behind gates of its client, whatever that advertised."""

    def __init__(self, *, plain: bool = False) -> None:
        self.answers: Any = to_dict if plain else lambda value: value

    def initialize(self, params: InitializeRequest) -> InitializeResponse:
        answer: InitializeResponse = self.answers(InitializeResponse(protocol_version=1, auth_methods=[LOGIN]))
        return answer

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        answer: NewSessionResponse = self.answers(NewSessionResponse(session_id="s", config_options=[OPTION]))
        return answer


TERMINAL = {"auth": {"terminal": True}}
ALL = {**TERMINAL, "session": {"configOptions": {"boolean": {}}}}
NEW = {"cwd": "/", "mcpServers": []}


@pytest.mark.parametrize("plain", [False, True])
async def test_a_part_of_an_answer_that_the_client_did_not_advertise_is_not_sent(
    plain: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with wired_agent(Gated(plain=plain), opened=False) as wire:
        await wire.open(TERMINAL)
        error = (await wire.ask(1, "session/new", NEW))["error"]
    assert error["code"] == RequestError.INTERNAL_ERROR
    assert list(error["data"]) == ["errorId"], "what the client gets tells where the log has more"
    assert (
        "CapabilityError: the response to session/new was not sent: the client did not advertise "
        "session.configOptions.boolean, which `config_options[0]` needs"
    ) in caplog.text


@pytest.mark.parametrize("plain", [False, True])
async def test_a_part_of_an_answer_that_the_client_advertised_is_sent(plain: bool) -> None:
    async with wired_agent(Gated(plain=plain), opened=False) as wire:
        assert (await wire.open(ALL))["authMethods"] == [to_dict(LOGIN)]
        assert (await wire.ask(1, "session/new", NEW))["result"]["configOptions"] == [to_dict(OPTION)]


@pytest.mark.parametrize("plain", [False, True])
async def test_the_answer_that_opens_the_connection_keeps_to_what_its_request_advertised(
    plain: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async with wired_agent(Gated(plain=plain), opened=False) as wire:
        answer = await wire.ask("open", "initialize", {"protocolVersion": 1})
    assert answer["error"]["code"] == RequestError.INTERNAL_ERROR
    assert "the client did not advertise auth.terminal, which `auth_methods[0]` needs" in caplog.text


def test_an_answer_that_holds_nothing_gated_costs_no_import_of_the_tables() -> None:
    program = """
import sys
from generated import Agent
from generated.methods import METHODS, PROTOCOL
from generated._runtime.connection.router import Router

service = Router(PROTOCOL, "agent", "client", Agent())
for held in ({"protocolVersion": 1}, {"protocolVersion": 1, "authMethods": []}):
    service._written(METHODS["agent", "initialize", "request"], held)
    print("generated._nodes" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


async def test_an_agent_that_checks_nothing_answers_with_it() -> None:
    async with wired_agent(Gated(), check_capabilities=False) as wire:
        assert (await wire.ask(1, "session/new", NEW))["result"]["configOptions"] == [to_dict(OPTION)]
