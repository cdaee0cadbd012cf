"""What is sent is what its method's type says: anything else is refused where it was made, and the error names what was meant."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from peers import connected, streams, wired_agent, wired_client

from generated import (
    Agent,
    AgentMessageChunk,
    AgentSideConnection,
    Client,
    ClientCapabilities,
    ClientSideConnection,
    FileSystemCapabilities,
    InitializeRequest,
    InitializeResponse,
    PermissionOption,
    PromptRequest,
    PromptResponse,
    RequestError,
    TextContent,
    ToolCallUpdate,
    UnknownVariant,
)
from generated._runtime.codec.payloads import VARIABLE
from generated.errors import InvalidMessage


def chunk(text: Any) -> AgentMessageChunk:
    return AgentMessageChunk(content=TextContent(text=text))


MISTAKES: dict[str, tuple[str, dict[str, Any], str]] = {
    "wrong twin": (
        "session_update",
        {"update": ToolCallUpdate(tool_call_id="c", title="run")},
        "session/update was not sent: update: found a ToolCallUpdate; expected ToolCallProgress",
    ),
    "text for an object": (
        "session_update",
        {"update": "hello"},
        "session/update was not sent: update: found 'hello'; expected ",
    ),
    "number for a text": (
        "session_update",
        {"update": chunk(5)},
        "session/update was not sent: update.content.text (of TextContent): Expected `str`, got `int`",
    ),
    "nothing for an object": ("session_update", {"update": None}, "update: found None; expected "),
    "content for a chunk": (
        "session_update",
        {"update": TextContent(text="hi")},
        "update: found a TextContent; expected",
    ),
    "text for content": (
        "session_update",
        {"update": AgentMessageChunk(content="hi")},  # type: ignore[arg-type]
        "update.content: found 'hi'; expected TextContent, ImageContent",
    ),
    "text for a list": (
        "request_permission",
        {"tool_call": ToolCallUpdate(tool_call_id="c"), "options": "allow"},
        "session/request_permission was not sent: options (of RequestPermissionRequest): Expected `array`, got `str`",
    ),
    "one object for a list": (
        "request_permission",
        {
            "tool_call": ToolCallUpdate(tool_call_id="c"),
            "options": PermissionOption(option_id="a", name="Allow", kind="allow_once"),
        },
        "session/request_permission was not sent: options (of RequestPermissionRequest): Expected `array`, got `object`",
    ),
    "unlisted value": (
        "request_permission",
        {
            "tool_call": ToolCallUpdate(tool_call_id="c"),
            "options": [PermissionOption(option_id="o", name="Allow", kind="allow")],  # type: ignore[arg-type]
        },
        "options[0].kind (of PermissionOption): 'allow' is not one of 'allow_once', 'allow_always'",
    ),
}


@pytest.mark.parametrize(("call", "arguments", "message"), MISTAKES.values(), ids=MISTAKES)
async def test_a_mistake_is_refused_with_the_class_that_was_meant(call: str, arguments: Any, message: str) -> None:
    agent = Agent()
    async with connected(agent, Client()):
        with pytest.raises(InvalidMessage) as caught:
            await getattr(agent.client, call)(session_id="s", **arguments)  # type: ignore[attr-defined]
    assert message in str(caught.value)


async def test_what_a_handler_returns_is_checked_as_well(caplog: pytest.LogCaptureFixture) -> None:
    class Wrong(Agent):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            return PromptResponse(stop_reason="finished")  # type: ignore[arg-type]

    async with wired_agent(Wrong()) as wire:
        answer = await wire.ask(1, "session/prompt", {"sessionId": "s", "prompt": []})
    assert answer["error"]["code"] == RequestError.INTERNAL_ERROR
    assert (
        "the response to session/prompt was not sent: stop_reason (of PromptResponse): 'finished' is not one of "
        "'end_turn'" in caplog.text
    )


class Misspeaks(Agent):
    """Opens the connection with an answer that is none."""

    def initialize(self, params: InitializeRequest) -> InitializeResponse:
        return InitializeResponse(protocol_version="one", auth_methods=[])  # type: ignore[arg-type]


class MisspeaksPlainly(Agent):
    def initialize(self, params: InitializeRequest) -> Any:
        return {"authMethods": [{"id": 5, "name": "Log in"}]}


@pytest.mark.parametrize(
    ("agent", "message"),
    [
        (Misspeaks(), "the response to initialize was not sent: protocolVersion: Expected `int`, got `str`"),
        (MisspeaksPlainly(), "the response to initialize was not sent: authMethods[0].id: Expected `str`, got `int`"),
    ],
)
async def test_the_answer_that_opens_the_connection_is_checked(
    agent: Agent, message: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with wired_agent(agent, opened=False) as wire:
        answer = await wire.ask(1, "initialize", {"protocolVersion": 1})
    assert answer["error"]["code"] == RequestError.INTERNAL_ERROR
    assert message in caplog.text


async def test_what_opens_a_connection_is_refused_where_it_does_not_fit_and_not_mended() -> None:
    ours, theirs = await streams()
    capabilities = ClientCapabilities(fs=FileSystemCapabilities(read_text_file="yes"))  # type: ignore[arg-type]
    async with AgentSideConnection(Agent(), *theirs), ClientSideConnection(Client(), *ours) as connection:
        with pytest.raises(InvalidMessage, match=r"initialize was not sent: .*: Expected `bool`, got `str`"):
            await connection.initialize(client_capabilities=capabilities)
        await connection.initialize()


async def test_a_variant_that_nobody_here_knows_is_passed_on() -> None:
    seen: asyncio.Queue[Any] = asyncio.Queue()

    class Seeing(Client):
        def session_update(self, params: Any) -> None:
            seen.put_nowait(params.update)

    agent = Agent()
    unknown = UnknownVariant("hologram", {"sessionUpdate": "hologram", "depth": 3})
    async with connected(agent, Seeing()):
        await agent.client.session_update(session_id="s", update=unknown)  # type: ignore[attr-defined]
        assert await seen.get() == unknown


@pytest.mark.parametrize(("options", "environment"), [({"check_messages": False}, "1"), ({}, "0"), ({}, "off")])
async def test_the_check_can_be_turned_off(options: Any, environment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, environment)
    async with wired_client(Client(), **options) as (wire, connection):
        await connection.cancel(session_id=5)  # type: ignore[arg-type]
        assert (await wire.receive())["params"] == {"sessionId": 5}


async def test_the_option_counts_more_than_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, "0")
    async with wired_client(Client(), check_messages=True) as (_, connection):
        with pytest.raises(InvalidMessage):
            await connection.cancel(session_id=5)  # type: ignore[arg-type]
