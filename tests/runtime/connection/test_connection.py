"""A connection, seen from the wire: handshake, dispatch, errors, order, cancellation, flow, its end."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from typing import Any, ClassVar

import msgspec
import pytest
from peers import connected, streams, wired, wired_agent, wired_client

from generated import (
    Agent,
    AgentMessageChunk,
    CancelNotification,
    Client,
    ClientSideConnection,
    ConnectionClosed,
    Implementation,
    InitializeRequest,
    InitializeResponse,
    Limits,
    NewSessionRequest,
    NewSessionResponse,
    PromptRequest,
    PromptResponse,
    RequestError,
    SessionNotification,
    TextContent,
    decode,
)
from generated._runtime.errors import QueueOverflow, VersionError
from generated.methods import AGENT_METHODS
from tests.support.waiting import settled, still, until

SESSION = "s"


def update(session: str, text: str) -> dict[str, Any]:
    chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": text}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": session, "update": chunk}}


def text_of(params: SessionNotification) -> str:
    assert isinstance(params.update, AgentMessageChunk)
    assert isinstance(params.update.content, TextContent)
    return params.update.content.text


def answer(id: Any, result: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id, "result": result}


class Opens(Agent):
    """Opens sessions, and nothing else."""

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
        return NewSessionResponse(session_id=SESSION)


class Prompted(Opens):
    """Ends a turn when it is reported to."""

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self.prompted = asyncio.Event()
        self.given_up = False

    async def prompt(self, params: PromptRequest) -> PromptResponse:
        self.prompted.set()
        try:
            await self.go_on.wait()
        except asyncio.CancelledError:
            self.given_up = True
            raise
        return PromptResponse(stop_reason="end_turn")

    def cancel(self, params: CancelNotification) -> None:
        self.go_on.set()


class Collects(Client):
    """Keeps the texts of updates, handled as slowly as it is reported."""

    def __init__(self, gate: asyncio.Event | None = None) -> None:
        self.texts: list[str] = []
        self.started: list[str] = []
        self.gate = gate

    async def session_update(self, params: SessionNotification) -> None:
        text = text_of(params)
        self.started.append(text)
        await (self.gate.wait() if self.gate is not None else asyncio.sleep(0.001))
        self.texts.append(text)


# The handshake


@pytest.mark.parametrize("asked", [1, 0, 2, 65535])
async def test_an_agent_answers_with_a_version_it_speaks(asked: int) -> None:
    async with wired_agent(Agent(), opened=False) as wire:
        response = await wire.ask(1, "initialize", {"protocolVersion": asked})
        assert response["result"]["protocolVersion"] == 1


async def test_a_handler_that_echoes_the_version_is_corrected() -> None:
    class Echoes(Agent):
        def initialize(self, params: InitializeRequest) -> InitializeResponse:
            return InitializeResponse(protocol_version=params.protocol_version)

    async with wired_agent(Echoes(), opened=False) as wire:
        response = await wire.ask(1, "initialize", {"protocolVersion": 65535})
        assert response["result"]["protocolVersion"] == 1


@pytest.mark.parametrize("answered", [0, 2, 65535])
async def test_a_client_closes_on_a_version_it_does_not_speak(answered: int) -> None:
    async with wired(ClientSideConnection, Client()) as (wire, connection):
        opening = asyncio.create_task(connection.initialize())
        request = await wire.receive()
        await wire.send(answer(request["id"], {"protocolVersion": answered}))
        with pytest.raises(VersionError, match=f"speaks version {answered}"):
            await opening
        with pytest.raises(ConnectionClosed):
            await connection.new_session(cwd="/", mcp_servers=[])


async def test_both_sides_know_what_was_agreed() -> None:
    agent = Agent()
    async with connected(agent, Client()) as connection:
        assert connection.protocol_version == agent.client.protocol_version == 1


async def test_program_and_capabilities_are_filled_in_on_both_sides() -> None:
    class Editor(Client):
        program = {"name": "editor", "title": "The Editor", "version": "2.0"}  # noqa: RUF012

        def write_text_file(self, params: Any) -> None:
            return None

    async with wired(ClientSideConnection, Editor()) as (wire, connection):
        opening = asyncio.create_task(connection.initialize())
        request = await wire.receive()
        assert request["params"] == {
            "protocolVersion": 1,
            "clientCapabilities": {"fs": {"writeTextFile": True}},
            "clientInfo": {"name": "editor", "title": "The Editor", "version": "2.0"},
        }
        await wire.send(answer(request["id"], {"protocolVersion": 1}))
        await opening


async def test_any_sequence_will_do_for_an_array() -> None:
    asked: list[NewSessionRequest | PromptRequest] = []

    class Asked(Agent):
        def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
            asked.append(params)
            return NewSessionResponse(session_id=SESSION)

        def prompt(self, params: PromptRequest) -> PromptResponse:
            asked.append(params)
            return PromptResponse(stop_reason="end_turn")

    texts = deque([TextContent(text="a")])
    async with connected(Asked(), Client(), check_capabilities=False) as connection:
        await connection.new_session(cwd="/", mcp_servers=(), additional_directories=("/a", "/b"))
        await connection.prompt(session_id=SESSION, prompt=texts)
    assert asked == [
        NewSessionRequest(cwd="/", mcp_servers=[], additional_directories=["/a", "/b"]),
        PromptRequest(session_id=SESSION, prompt=[TextContent(text="a")]),
    ]


async def test_what_the_caller_gives_is_sent() -> None:
    async with wired(ClientSideConnection, Client()) as (wire, connection):
        info = Implementation(name="mine", version="3")
        opening = asyncio.create_task(connection.initialize(protocol_version=7, client_info=info, meta={"a": 1}))
        request = await wire.receive()
        assert request["params"] == {
            "protocolVersion": 7,
            "clientCapabilities": {},
            "clientInfo": {"name": "mine", "version": "3"},
            "_meta": {"a": 1},
        }
        await wire.send(answer(request["id"], {"protocolVersion": 1}))
        await opening


async def test_a_request_after_a_failed_handshake_is_refused() -> None:
    async with wired_agent(Opens(), opened=False) as wire:
        assert (await wire.ask(1, "initialize", {"protocolVersion": "1"}))["error"]["code"] == -32602
        assert (await wire.ask(2, "session/new", {"cwd": "/", "mcpServers": []}))["error"]["code"] == -32600


async def test_an_extension_request_needs_no_handshake() -> None:
    class Extended(Agent):
        async def ext_method(self, method: str, params: Any) -> Any:
            return {"method": method, "params": params}

    async with wired_agent(Extended(), opened=False) as wire:
        response = await wire.ask(1, "_vendor/x", [1])
        assert response["result"] == {"method": "_vendor/x", "params": [1]}


async def test_a_request_sent_right_behind_the_handshake_waits_for_it() -> None:
    class Slow(Opens):
        async def initialize(self, params: InitializeRequest) -> None:  # type: ignore[override]
            await settled()

    async with wired_agent(Slow(), opened=False) as wire:
        await wire.send(
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}},
            {"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}},
        )
        assert [(await wire.receive())["id"] for _ in range(2)] == [1, 2]


# Requests and their answers


@pytest.mark.parametrize("id", [0, -1, 2**60, "a", "", None])
async def test_an_answer_carries_the_id_of_its_request(id: Any) -> None:
    async with wired_agent(Opens()) as wire:
        response = await wire.ask(id, "session/new", {"cwd": "/", "mcpServers": []})
        assert response == answer(id, {"sessionId": SESSION})


@pytest.mark.parametrize("frame", [b"[]", b"1", b"{}", b'{"jsonrpc":"2.0","id":1}', b"[[[", b"\xff", b"\0"])
async def test_a_bad_frame_gets_one_error_with_id_null_and_the_connection_lives(frame: bytes) -> None:
    async with wired_agent(Opens()) as wire:
        await wire.send(frame)
        response = await wire.receive()
        assert response["id"] is None
        assert response["error"]["code"] in (-32600, -32700)
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


async def test_a_frame_over_the_limit_is_skipped_and_the_connection_lives() -> None:
    async with wired_agent(Opens(), limits=Limits(frame=200_000)) as wire:
        await wire.send(b"x" * 300_000)
        assert (await wire.receive())["error"]["code"] == -32600
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


async def test_a_frame_of_a_megabyte_is_nothing_special() -> None:
    async with wired_agent(Opens()) as wire:
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/" + "x" * 2**20, "mcpServers": []})


async def test_the_answer_to_our_own_bad_frame_is_not_answered() -> None:
    async with wired_agent(Opens()) as wire:
        await wire.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
        await wire.send(answer(99, {}))
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


@pytest.mark.parametrize("method", ["session/list", "no/such", "session/update", "session/cancel", "$/nothing"])
async def test_what_is_unknown_or_not_implemented_is_not_found(method: str) -> None:
    async with wired_agent(Opens()) as wire:
        response = await wire.ask(1, method, {})
        assert response["error"] == {"code": -32601, "message": "Method not found", "data": {"method": method}}


async def test_bad_params_are_answered_with_their_path() -> None:
    async with wired_agent(Opens()) as wire:
        params = {"cwd": "/", "mcpServers": [{"name": "a", "command": "b", "args": [1], "env": []}]}
        error = (await wire.ask(1, "session/new", params))["error"]
        assert (error["code"], error["data"]["path"]) == (-32602, "$.mcpServers[0].args[0]")


def implements_everything() -> Agent:
    """An agent with a handler for each of its methods, none of which may be reached."""

    def fails(self: Agent, params: Any) -> Any:
        raise AssertionError("the handler was called")

    handlers = {row.python_name: fails for row in AGENT_METHODS.values() if row.method != "initialize"}
    agent: Agent = type("Everything", (Agent,), handlers)()
    return agent


REQUESTS = [row for row in AGENT_METHODS.values() if row.kind == "request"]


@pytest.mark.parametrize("row", REQUESTS, ids=lambda row: row.method)
async def test_malformed_params_are_invalid_for_every_method(row: Any) -> None:
    async with wired_agent(implements_everything(), opened=row.method != "initialize") as wire:
        for params in (5, "x", [1], [], True, *([None, {}] if required(row) else [])):
            error = (await wire.ask(1, row.method, params))["error"]
            assert (error["code"], error["data"]["path"][0]) == (-32602, "$"), params


def required(row: Any) -> bool:
    """Whether the params of a method have required members."""
    try:
        decode(row.params, b"{}")
    except msgspec.ValidationError:
        return True
    return False


@pytest.mark.parametrize("row", [row for row in REQUESTS if required(row)], ids=lambda row: row.method)
async def test_missing_params_are_invalid_for_every_method(row: Any) -> None:
    async with wired_agent(implements_everything(), opened=row.method != "initialize") as wire:
        await wire.send({"jsonrpc": "2.0", "id": 1, "method": row.method})
        assert (await wire.receive())["error"]["code"] == -32602


async def test_malformed_params_of_notifications_are_ignored() -> None:
    async with wired_agent(implements_everything()) as wire:
        rows = [row for row in AGENT_METHODS.values() if row.kind == "notification"]
        await wire.send(*({"jsonrpc": "2.0", "method": row.method, "params": [1]} for row in rows))
        assert (await wire.ask(1, "no/such", {}))["error"]["code"] == -32601


@pytest.mark.parametrize(
    ("code", "logged"), [(-32601, []), (-32000, ["client-to-agent: session/cancel ignored: busy (-32000)"])]
)
async def test_an_error_of_a_notification_is_logged_unless_nobody_handles_it(
    code: int, logged: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    class Refusing(Prompted):
        def cancel(self, params: CancelNotification) -> None:
            raise RequestError(code, "busy")

    async with wired_agent(Refusing()) as wire:
        await wire.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}})
        await wire.ask(1, "session/close", {"sessionId": "s"})  # of the same session: answered after the notification
    assert [record.getMessage() for record in caplog.records if "ignored" in record.getMessage()] == logged


@pytest.mark.parametrize("row", [row for row in REQUESTS if row.method != "initialize"], ids=lambda row: row.method)
async def test_every_request_before_the_handshake_is_refused(row: Any) -> None:
    async with wired_agent(implements_everything(), opened=False) as wire:
        assert (await wire.ask(1, row.method, {}))["error"]["code"] == -32600


async def test_two_turns_of_a_session_run_at_once() -> None:
    agent = Prompted()
    async with wired_agent(agent) as wire:
        params: dict[str, Any] = {"sessionId": "s", "prompt": []}
        await wire.send(*({"jsonrpc": "2.0", "id": id, "method": "session/prompt", "params": params} for id in (1, 2)))
        await wire.send({"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}})
        assert {(await wire.receive())["id"] for _ in range(2)} == {1, 2}


async def test_an_error_of_a_handler_is_the_answer() -> None:
    class Locked(Agent):
        def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
            raise RequestError.auth_required({"hint": "log in"})

    async with connected(Locked(), Client()) as connection:
        with pytest.raises(RequestError) as caught:
            await connection.new_session(cwd="/", mcp_servers=[])
        error = caught.value
        assert (error.code, error.message, error.data) == (-32000, "Authentication required", {"hint": "log in"})


async def test_a_handler_that_fails_tells_the_peer_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Broken(Agent):
        def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
            raise KeyError("secret")

    async with wired_agent(Broken()) as wire:
        response = await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})
        id = response["error"]["data"]["errorId"]
        assert response["error"] == {"code": -32603, "message": "Internal error", "data": {"errorId": id}}
    assert "secret" in caplog.text


class Outcome(BaseException):
    """What some test frameworks raise to end a test."""


UNUSUAL = [Outcome("over"), BaseExceptionGroup("over", [Outcome("over")])]


@pytest.mark.parametrize("failure", UNUSUAL, ids=lambda failure: type(failure).__name__)
async def test_whatever_a_handler_raises_its_request_is_answered_and_the_log_says_why(
    failure: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    class Broken(Agent):
        async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:
            await asyncio.sleep(0)
            raise failure

    async with wired_agent(Broken()) as wire:
        response = await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})
        assert response["error"]["code"] == -32603
    assert "over" in caplog.text


@pytest.mark.parametrize("failure", UNUSUAL, ids=lambda failure: type(failure).__name__)
async def test_whatever_the_handler_of_a_notification_raises_the_next_one_is_handled(failure: BaseException) -> None:
    class Breaks(Collects):
        async def session_update(self, params: SessionNotification) -> None:
            await super().session_update(params)
            if text_of(params) == "1":
                raise failure

    client = Breaks()
    async with wired_client(client) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(update("s", "1"), update("s", "2"), answer(id, {"stopReason": "end_turn"}))
        assert (await turn).stop_reason == "end_turn"
    assert client.texts == ["1", "2"]


@pytest.mark.parametrize(
    "outcome",
    [
        *(
            RequestError(code, message)
            for code, message in [(5, None), (True, "odd"), (1.5, "odd"), ("5", "odd"), (None, "odd")]
        ),
        RequestError(1, "odd", object()),
        *({"x": odd} for odd in (float("nan"), object(), "\ud83d")),
    ],
)
async def test_an_outcome_that_no_peer_could_read_is_an_internal_error(outcome: Any) -> None:
    class Odd(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            if isinstance(outcome, RequestError):
                raise outcome
            return outcome

    async with wired_agent(Odd()) as wire:
        assert (await wire.ask(1, "_x", {}))["error"]["code"] == -32603


async def test_none_stands_for_a_result_that_requires_nothing() -> None:
    class Closes(Agent):
        def close_session(self, params: Any) -> None:
            return None

    async with wired_agent(Closes()) as wire:
        assert (await wire.ask(1, "session/close", {"sessionId": "s"}))["result"] == {}


async def test_none_for_a_result_with_required_members_is_an_internal_error() -> None:
    class Forgets(Agent):
        def new_session(self, params: Any) -> Any:
            return None

    async with wired_agent(Forgets()) as wire:
        response = await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})
        assert response["error"]["code"] == -32603


async def test_a_frame_that_cannot_be_read_is_quoted_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with wired_client(Client()) as (wire, _):
        await wire.send(b"Welcome to the agent!")
        assert (await wire.receive())["error"]["code"] == -32700
    assert "in 'Welcome to the agent!'" in caplog.text


async def test_a_connection_says_why_it_is_closed() -> None:
    async with connected(Agent(), Client()) as connection:
        assert connection.closed is None
    assert str(connection.closed) == "the connection was closed on this side"


async def test_a_connection_whose_peer_left_says_so_once_it_is_closed() -> None:
    async with wired_client(Client()) as (wire, connection):
        wire.hang_up()
        await connection.wait_closed()
        assert str(connection.closed) == "the agent closed the connection"


def test_a_code_can_be_matched_by_its_name() -> None:
    match RequestError.auth_required():
        case RequestError(code=RequestError.AUTH_REQUIRED):
            pass
        case _:
            pytest.fail("another code")


@pytest.mark.parametrize(
    ("error", "data"),
    [
        (RequestError.resource_not_found(), None),
        (RequestError.resource_not_found(uri="file:///a"), {"uri": "file:///a"}),
        (RequestError.resource_not_found(data={"sessionId": "s"}), {"sessionId": "s"}),
    ],
)
def test_data_of_an_error_is_given_whole_or_by_its_members(error: RequestError, data: Any) -> None:
    assert (error.code, error.data) == (-32002, data)


async def test_an_answer_that_echoes_the_id_as_a_string_counts_and_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await wire.send(answer(str(id), {"sessionId": SESSION}))
        assert (await call).session_id == SESSION
    assert f"was matched to the request {id}" in caplog.text


@pytest.mark.parametrize("id", ["", "x", "-1", "99", "9" * 10_000, "\u0662", " 2", None, 99])
async def test_an_answer_to_no_request_is_ignored(id: Any) -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        asked = await wire.receive()
        await wire.send(answer(id, {"sessionId": "wrong"}), answer(asked["id"], {"sessionId": SESSION}))
        assert (await call).session_id == SESSION


async def test_null_from_the_peer_is_an_empty_result() -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.set_session_mode(session_id="s", mode_id="m"))
        await wire.send(answer((await wire.receive())["id"], None))
        assert type(await call).__name__ == "SetSessionModeResponse"


async def test_a_result_that_does_not_fit_fails_its_call_alone() -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        await wire.send(answer((await wire.receive())["id"], {"sessionId": 5}))
        with pytest.raises(msgspec.ValidationError, match=r"session/new.*\$\.sessionId"):
            await call
        assert (await wire.ask(1, "_x", {}))["error"]["code"] == -32601


async def test_an_error_of_the_peer_arrives_whole() -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await wire.send({"jsonrpc": "2.0", "id": id, "error": {"code": 7, "message": "no", "data": {"why": [1]}}})
        with pytest.raises(RequestError) as caught:
            await call
        assert (caught.value.code, caught.value.message, caught.value.data) == (7, "no", {"why": [1]})


async def test_extension_methods_go_both_ways_under_their_own_names() -> None:
    class Both(Agent):
        notes: ClassVar[list[Any]] = []

        def ext_method(self, method: str, params: Any) -> Any:
            return [method, params]

        async def ext_notification(self, method: str, params: Any) -> None:
            self.notes.append((method, params))

    agent = Both()
    async with connected(agent, Client()) as connection:
        assert await connection.ext_request("_a/b", {"_meta": 1}) == ["_a/b", {"_meta": 1}]
        assert await connection.ext_request("_a/b") == ["_a/b", {}]
        await connection.ext_notify("_note", [1])
        await until(lambda: agent.notes)
        assert agent.notes == [("_note", [1])]
        with pytest.raises(ValueError, match="underscore"):
            await connection.ext_request("session/new", {})


@pytest.mark.parametrize("method", ["$/anything", "no/such", "_vendor/x", "session/cancel"])
async def test_notifications_that_nobody_handles_are_ignored(method: str) -> None:
    async with wired_agent(Opens()) as wire:
        await wire.send({"jsonrpc": "2.0", "method": method, "params": {"sessionId": "s"}})
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


async def test_an_unknown_kind_of_update_reaches_its_handler() -> None:
    seen: list[Any] = []

    class Sees(Client):
        def session_update(self, params: SessionNotification) -> None:
            seen.append(params.update)

    async with wired_client(Sees()) as (wire, _):
        raw = {"sessionUpdate": "brand_new", "value": 1}
        await wire.send({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": raw}})
        await until(lambda: seen)
        assert (seen[0].tag, seen[0].raw) == ("brand_new", raw)


# Order


async def test_notifications_of_a_session_are_handled_one_after_the_other() -> None:
    client = Collects()
    async with wired_client(client) as (wire, _):
        await wire.send(*(update("s", str(number)) for number in range(50)))
        await until(lambda: len(client.texts) == 50)
        assert client.texts == [str(number) for number in range(50)]


async def test_sessions_do_not_wait_for_each_other() -> None:
    client = Collects(asyncio.Event())
    async with wired_client(client) as (wire, _):
        await wire.send(update("a", "1"), update("a", "2"), update("b", "3"))
        await until(lambda: client.started == ["1", "3"])


async def test_a_response_waits_for_the_updates_before_it() -> None:
    gate = asyncio.Event()
    client = Collects(gate)
    async with wired_client(client) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(update("s", "1"), update("s", "2"), answer(id, {"stopReason": "end_turn"}), update("s", "3"))
        await until(lambda: client.started)
        await settled()
        assert not turn.done()
        gate.set()
        await turn
        assert client.texts[:2] == ["1", "2"]


async def test_updates_of_a_new_session_wait_for_the_response_that_names_it() -> None:
    gate = asyncio.Event()
    gate.set()
    client = Collects(gate)
    known: list[str] = []
    async with wired_client(client) as (wire, connection):

        async def open_session() -> None:
            session = await connection.new_session(cwd="/", mcp_servers=[])
            assert not client.started
            known.append(session.session_id)

        call = asyncio.create_task(open_session())
        id = (await wire.receive())["id"]
        await wire.send(update("fresh", "1"), update("other", "0"))
        await settled()
        assert not client.started
        await wire.send(answer(id, {"sessionId": "fresh"}), update("fresh", "2"))
        await until(lambda: len(client.started) == 3)
        await call
        assert known == ["fresh"]
        assert [each for each in client.started if each != "0"] == ["1", "2"]


async def test_a_handler_may_await_a_request_of_its_own_session() -> None:
    class Asks(Client):
        done: ClassVar[list[str]] = []

        async def session_update(self, params: SessionNotification) -> None:
            await self.agent.set_session_mode(session_id=params.session_id, mode_id="m")
            self.done.append(text_of(params))

    client = Asks()
    async with wired_client(client) as (wire, _):
        await wire.send(update("s", "1"), update("s", "2"))
        for _ in range(2):
            await wire.send(answer((await wire.receive())["id"], {}))
        await until(lambda: client.done == ["1", "2"])


async def test_handlers_of_two_sessions_may_await_each_others_requests() -> None:
    class Crosses(Client):
        done: ClassVar[list[str]] = []

        async def session_update(self, params: SessionNotification) -> None:
            other = {"a": "b", "b": "a"}[params.session_id]
            await self.agent.set_session_mode(session_id=other, mode_id="m")
            self.done.append(params.session_id)

    client = Crosses()
    async with wired_client(client) as (wire, _):
        await wire.send(update("a", "1"), update("b", "2"))
        ids = [(await wire.receive())["id"] for _ in range(2)]
        await wire.send(*(answer(id, {}) for id in ids))
        await until(lambda: len(client.done) == 2)


async def test_a_cancellation_arrives_while_the_prompt_runs() -> None:
    agent = Prompted()
    async with connected(agent, Client()) as connection:
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await agent.prompted.wait()
        await connection.cancel(session_id="s")
        assert (await turn).stop_reason == "end_turn"


async def test_a_notification_handler_that_fails_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    class Fails(Client):
        seen: ClassVar[list[str]] = []

        def session_update(self, params: SessionNotification) -> None:
            self.seen.append(text_of(params))
            raise RuntimeError("oops")

    client = Fails()
    async with wired_client(client) as (wire, _):
        await wire.send(update("s", "1"), update("s", "2"))
        await until(lambda: client.seen == ["1", "2"])
    assert "oops" in caplog.text


# Cancellation


async def test_giving_up_a_call_tells_the_peer() -> None:
    agent = Prompted()
    async with connected(agent, Client()) as connection:
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await agent.prompted.wait()
        turn.cancel()
        await until(lambda: agent.given_up)
        assert (await asyncio.gather(turn, return_exceptions=True))[0].__class__ is asyncio.CancelledError


async def test_a_request_that_was_given_up_is_answered_so() -> None:
    async with wired_agent(Prompted()) as wire:
        await wire.send(
            {"jsonrpc": "2.0", "id": "p", "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}},
            {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": "p"}},
        )
        response = await wire.receive()
        assert (response["id"], response["error"]["code"]) == ("p", -32800)


@pytest.mark.parametrize("id", [99, True, 1.0, None, [], "1"])
async def test_giving_up_what_does_not_run_does_nothing(id: Any) -> None:
    agent = Prompted()
    async with wired_agent(agent) as wire:
        await wire.send(
            {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}},
            {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": id}},
            {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}},
        )
        assert (await wire.receive())["result"] == {"stopReason": "end_turn"}


async def test_a_handler_may_answer_a_cancellation_with_a_result() -> None:
    class Finishes(Prompted):
        async def prompt(self, params: PromptRequest) -> PromptResponse:
            try:
                return await super().prompt(params)
            except asyncio.CancelledError:
                return PromptResponse(stop_reason="cancelled")

    async with wired_agent(Finishes()) as wire:
        await wire.send(
            {"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": {"sessionId": "s", "prompt": []}},
            {"jsonrpc": "2.0", "method": "$/cancel_request", "params": {"requestId": 1}},
        )
        assert (await wire.receive())["result"] == {"stopReason": "cancelled"}


# Flow


async def test_reading_pauses_when_handlers_lag() -> None:
    gate = asyncio.Event()
    client = Collects(gate)
    seen = 0

    def count(direction: str, frame: bytes) -> None:
        nonlocal seen
        seen += direction == "agent-to-client"

    async with wired_client(client, limits=Limits(queue=10), on_frame=count) as (wire, _):
        await wire.send(*(update("s", str(number)) for number in range(100)))
        await until(lambda: seen == 1 + 10)
        await still(lambda: seen)
        assert seen == 1 + 10
        gate.set()
        await until(lambda: len(client.texts) == 100)


async def test_reading_goes_on_while_a_handler_awaits_the_peer() -> None:
    class Asks(Client):
        handled = 0

        async def session_update(self, params: SessionNotification) -> None:
            if self.handled == 0:
                await self.agent.set_session_mode(session_id=params.session_id, mode_id="m")
            self.handled += 1

    client = Asks()
    async with wired_client(client, limits=Limits(queue=5)) as (wire, _):
        await wire.send(update("s", "0"))
        id = (await wire.receive())["id"]
        await wire.send(*(update("s", str(number)) for number in range(1, 50)), answer(id, {}))
        await until(lambda: client.handled == 50)


async def test_a_pause_ends_when_a_handler_starts_to_await_the_peer() -> None:
    class AsksLate(Client):
        handled = 0
        ask = asyncio.Event()

        async def session_update(self, params: SessionNotification) -> None:
            if self.handled == 0:
                await self.ask.wait()
                await self.agent.set_session_mode(session_id=params.session_id, mode_id="m")
            self.handled += 1

    client = AsksLate()
    async with wired_client(client, limits=Limits(queue=5)) as (wire, _):
        await wire.send(*(update("s", str(number)) for number in range(50)))
        await settled()
        client.ask.set()
        await wire.send(answer((await wire.receive())["id"], {}))
        await until(lambda: client.handled == 50)


async def test_beyond_the_hard_limit_the_connection_closes_with_its_name() -> None:
    class Waits(Client):
        async def session_update(self, params: SessionNotification) -> None:
            await self.agent.set_session_mode(session_id=params.session_id, mode_id="m")

    async with wired_client(Waits(), limits=Limits(queue=5, hard_queue=50)) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        await wire.receive()
        await wire.send(*(update("s", str(number)) for number in range(100)))
        with pytest.raises(QueueOverflow, match="more than 50"):
            await call
        await connection.wait_closed()


async def test_writing_waits_for_the_pipe() -> None:
    async with wired_agent(Prompted()) as wire:
        agent_writes = 0

        class Floods(Agent):
            async def ext_method(self, method: str, params: Any) -> Any:
                nonlocal agent_writes
                for _ in range(500):
                    await self.client.ext_notify("_flood", "x" * 100_000)
                    agent_writes += 1

        async with wired_agent(Floods()) as slow:
            await slow.send({"jsonrpc": "2.0", "id": 1, "method": "_flood"})
            await still(lambda: agent_writes)
            assert agent_writes < 100
    assert wire


# The end


async def test_the_peers_death_fails_every_open_call_at_once() -> None:
    async with wired_client(Client()) as (wire, connection):
        calls = [asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[])) for _ in range(5)]
        for _ in calls:
            await wire.receive()
        wire.hang_up()
        outcomes = await asyncio.gather(*calls, return_exceptions=True)
        assert {type(outcome) for outcome in outcomes} == {ConnectionClosed}
        with pytest.raises(ConnectionClosed, match="agent closed"):
            await connection.new_session(cwd="/", mcp_servers=[])


async def test_what_came_before_the_death_is_still_handled() -> None:
    client = Collects()
    async with wired_client(client) as (wire, connection):
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        id = (await wire.receive())["id"]
        await wire.send(*(update("s", str(number)) for number in range(20)), answer(id, {"stopReason": "end_turn"}))
        wire.hang_up()
        assert (await turn).stop_reason == "end_turn"
        assert len(client.texts) == 20


async def test_requests_are_answered_after_the_peer_closed_its_half() -> None:
    class Slow(Opens):
        async def new_session(self, params: NewSessionRequest) -> NewSessionResponse:  # type: ignore[override]
            await settled()
            return super().new_session(params)

    async with wired_agent(Slow()) as wire:
        await wire.send({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}})
        wire._writer.write_eof()
        assert (await wire.receive())["result"] == {"sessionId": SESSION}


async def test_closing_cancels_handlers_and_fails_calls() -> None:
    agent = Prompted()
    async with connected(agent, Client()) as connection:
        turn = asyncio.create_task(connection.prompt(session_id="s", prompt=[]))
        await agent.prompted.wait()
        await agent.client.close()
        assert agent.given_up
        with pytest.raises(ConnectionClosed):
            await turn


async def test_a_handler_may_close_its_connection() -> None:
    class Leaves(Client):
        async def session_update(self, params: SessionNotification) -> None:
            await self.agent.close()

    async with wired_client(Leaves()) as (wire, connection):
        await wire.send(update("s", "1"))
        await connection.wait_closed()


async def test_a_call_on_a_connection_that_does_not_run_is_an_error() -> None:
    _, (reader, writer) = await streams()
    connection = ClientSideConnection(Client(), reader, writer)
    with pytest.raises(RuntimeError, match="async with"):
        await connection.initialize()
    writer.close()
    _[1].close()


async def test_only_a_peer_of_ours_is_served() -> None:
    with pytest.raises(TypeError, match="Peer"):
        ClientSideConnection(object(), None, None)  # type: ignore[arg-type]


async def test_nothing_is_logged_above_debug_when_all_goes_well(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with connected(Opens(), Client()) as connection:
            await connection.new_session(cwd="/", mcp_servers=[])
    assert [record for record in caplog.records if record.levelno > logging.DEBUG] == []
