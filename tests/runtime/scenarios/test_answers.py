"""Answers that are not as they should be: every frame that can be tied to an open call ends that call."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
from typing import Any

import msgspec
import pytest
from peers import ROOT, connected, streams, wired_agent, wired_client

from generated import (
    Agent,
    AgentSideConnection,
    Client,
    ClientSideConnection,
    ConnectionClosed,
    InitializeRequest,
    InitializeResponse,
    Limits,
    RequestError,
    SetSessionModeResponse,
    spawn_agent,
)
from generated.errors import FrameTooLong, InvalidResponse
from tests.runtime.connection.test_connection import SESSION, Collects, Opens, answer
from tests.support.waiting import settled, until

LIMIT = 200_000


async def outcome(template: str | bytes, **options: Any) -> Any:
    """What becomes of a call that is answered with such a frame, ID in it standing for the call's; nothing may be sent then."""
    async with wired_client(Client(), **options) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        frame = template if isinstance(template, bytes) else template.encode()
        await wire.send(frame.replace(b"ID", str(id).encode()))
        async with asyncio.timeout(60):
            (result,) = await asyncio.gather(call, return_exceptions=True)
        # The frame was not answered, and the connection lives.
        asking = asyncio.create_task(connection.set_session_mode(session_id="s", mode_id="m"))
        asked = await wire.receive()
        assert asked.get("method") == "session/set_mode", asked
        await wire.send(answer(asked["id"], {}))
        assert isinstance(await asking, SetSessionModeResponse)
        return result


RESULT = '"result":{"sessionId":"s"}'


@pytest.mark.parametrize(
    "frame",
    [
        '{"jsonrpc":"2.0","id":ID.0,' + RESULT + "}",
        '{"id":ID,' + RESULT + "}",
        '{"jsonrpc":"1.0","id":ID,' + RESULT + "}",
        '{"jsonrpc":2.0,"id":"ID",' + RESULT + "}",
        '{"jsonrpc":null,"id":ID,' + RESULT + "}",
        '[{"jsonrpc":"2.0","id":ID,' + RESULT + "}]",
        '[{"id":ID.0,' + RESULT + '},{"jsonrpc":"2.0","id":99,"result":null}]',
        '{"jsonrpc":"2.0","id":ID,"method":null,"params":null,"error":null,' + RESULT + "}",
        '{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"s","title":"\\ud83d"}}',
        '[{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"s","title":"\\ud83d"}}]',
    ],
)
async def test_a_result_that_can_be_read_is_the_result(frame: str) -> None:
    result = await outcome(frame)
    assert getattr(result, "session_id", result) == "s"


async def test_a_frame_that_is_read_all_the_same_is_noted(caplog: pytest.LogCaptureFixture) -> None:
    await outcome('{"jsonrpc":"1.0","id":ID,' + RESULT + "}")
    assert 'session/new violates JSON-RPC 2.0: its version of JSON-RPC is "1.0"' in caplog.text


@pytest.mark.parametrize(
    "frame",
    [
        b'{"jsonrpc":"2.0","id":ID}',
        b'{"id":ID}',
        b'{"jsonrpc":"2.0","id":"ID","data":1}',
        b'{"jsonrpc":"2.0","id":ID,"result":{"sessionId":NaN}}',
        b'{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"\xff"}}',
        b'{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"s"}',
        b'{"jsonrpc":"2.0","id":ID,"result":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"result":{"id":77},"jsonrpc":"2.0","id":ID,"error":nul}',
    ],
)
async def test_an_answer_that_cannot_be_read_is_an_error_that_holds_the_frame(frame: bytes) -> None:
    error = await outcome(frame)
    assert isinstance(error, InvalidResponse)
    assert error.method == "session/new"
    assert error.raw[:20] == frame.replace(b"ID", b"2")[:20]
    assert isinstance(error, msgspec.ValidationError), "as it was before there was an error of our own"


LONG = b"x" * LIMIT


@pytest.mark.parametrize(
    "frame",
    [
        b'{"jsonrpc":"2.0","id":ID,"result":{"sessionId":"%b"}}' % LONG,
        b'{"jsonrpc":"2.0","result":{"sessionId":"%b"},"id":ID}' % LONG,
        b'{"result":{"id":99,"sessionId":"%b"}, "id" : "ID" , "jsonrpc":"2.0" }' % LONG,
        b'{"error":{"code":1,"message":"%b"},"id":ID,"jsonrpc":"2.0"}' % LONG,
    ],
)
async def test_an_answer_beyond_the_limit_ends_its_call_and_tells_the_limit(frame: bytes) -> None:
    error = await outcome(frame, limits=Limits(frame=LIMIT))
    assert isinstance(error, InvalidResponse)
    assert f"more than {LIMIT} bytes" in str(error)
    assert error.raw == frame.replace(b"ID", b"2")[: len(error.raw)]
    assert 1000 < len(error.raw) <= 10_000


@pytest.mark.parametrize(
    "frame",
    [
        b'{"jsonrpc":"2.0","id":ID,"method":"_x","params":{"sessionId":NaN}}',
        b'{"jsonrpc":"2.0","id":ID,"method":"_x"',
        b'{"jsonrpc":"1.0","id":ID,"method":"_x"}',
        b'{"jsonrpc":"2.0","id":ID,"params":{"result":"%b"}}' % LONG,
        b'{"jsonrpc":"2.0","id":ID,"meth',
        b'{"jsonrpc":"2.0","result":{"id":ID}',
        b'[[{"id":ID}],{"id":true,"result":1}]',
    ],
)
async def test_a_frame_that_is_no_answer_ends_no_call(frame: bytes) -> None:
    async with wired_client(Client(), limits=Limits(frame=LIMIT)) as (wire, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        id = (await wire.receive())["id"]
        await wire.send(frame.replace(b"ID", str(id).encode()), answer(id, {"sessionId": SESSION}))
        assert (await call).session_id == SESSION


@pytest.mark.parametrize(
    ("frame", "id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"_x","params":"%b"}' % LONG, 7),
        (b'{"jsonrpc":"2.0","method":"_x","params":"%b","id":"a"}' % LONG, "a"),
        (b'{"jsonrpc":"1.0","id":7,"method":"_x"}', 7),
        (b'{"jsonrpc":"2.0","id":7,"params":{}}', 7),
        (b'{"jsonrpc":"2.0","id":7,"method":"_x","params":{"a":NaN}}', 7),
        (b'{"jsonrpc":"2.0","method":"_x","params":{"a":NaN}}', None),
        (b'{"jsonrpc":"2.0","id":true,"method":"_x"}', None),
    ],
)
async def test_a_request_that_cannot_be_read_is_refused_under_its_id(frame: bytes, id: Any) -> None:
    async with wired_agent(Opens(), limits=Limits(frame=LIMIT)) as wire:
        await wire.send(frame)
        response = await wire.receive()
        assert (response["id"], response["error"]["code"] in (-32600, -32700)) == (id, True)


# What goes back and forth for ever


@pytest.mark.parametrize(
    "frame",
    [
        {"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "result": 1},
        {"error": "no"},
        {"jsonrpc": "1.0", "id": None, "error": {"code": 1, "message": "x"}},
        {"jsonrpc": "2.0", "id": [], "error": {}},
        {"jsonrpc": "2.0", "id": 99, "result": {}},
        {"jsonrpc": "2.0", "id": True, "result": {}},
        [{"jsonrpc": "2.0", "error": {"code": 1, "message": "x"}}],
        [{"jsonrpc": "2.0", "id": 4, "result": None}, {"error": 1}],
        b'{"jsonrpc":"2.0","error":{"code":NaN}}',
        b'{"jsonrpc":"2.0","error":"%b"}' % LONG,
    ],
    ids=lambda frame: str(frame)[:60],
)
async def test_an_answer_is_never_answered(frame: Any) -> None:
    async with wired_agent(Opens(), limits=Limits(frame=LIMIT)) as wire:
        await wire.send(frame)
        assert "result" in await wire.ask(1, "session/new", {"cwd": "/", "mcpServers": []})


async def test_two_peers_that_were_told_of_an_error_fall_silent() -> None:
    frames = 0

    def count(direction: str, frame: bytes) -> None:
        nonlocal frames
        frames += 1

    (ours, first), (theirs, second) = await streams()
    first.write(b'{"jsonrpc":"2.0","error":{"code":1,"message":"x"}}\n{"jsonrpc":"2.0","id":null,"result":1}\n')
    async with AgentSideConnection(Agent(), theirs, second, on_frame=count):
        await until(lambda: frames == 2)
        async with ClientSideConnection(Client(), ours, first, on_frame=count):
            await settled()
    assert frames == 2


# Errors as peers write them


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        ({"code": -32000}, -32000, "Authentication required"),
        ({"code": -32000, "message": None}, -32000, "Authentication required"),
        ({"code": "ENOENT", "message": "file is gone"}, -32603, "file is gone"),
        ({"code": -32000.0, "message": "log in"}, -32000, "log in"),
        ({"code": "-32002", "message": "gone"}, -32002, "gone"),
        ({"message": "gone"}, -32603, "gone"),
        ("it broke", -32603, "it broke"),
        ({"code": True, "message": "x"}, -32603, "x"),
        ({"code": 1.5}, -32603, "Internal error"),
        ([1], -32603, "The peer answered with a malformed error"),
        ({}, -32603, "The peer answered with a malformed error"),
    ],
    ids=repr,
)
async def test_of_an_imperfect_error_what_can_be_read_is_kept(error: Any, code: int, message: str) -> None:
    caught = await outcome(msgspec.json.encode({"jsonrpc": "2.0", "id": "ID", "error": error}))
    assert isinstance(caught, RequestError)
    assert (caught.code, caught.message, caught.data) == (code, message, error)


async def test_an_error_with_numbers_that_no_one_has_room_for_is_still_an_error() -> None:
    caught = await outcome('{"jsonrpc":"2.0","id":ID,"error":{"code":1e400,"message":"big"}}')
    assert isinstance(caught, RequestError)
    assert "big" in caught.message or "big" in str(caught.data)


# Results that do not fit


async def test_a_result_that_does_not_fit_says_which_method_where_and_what_came() -> None:
    error = await outcome('{"jsonrpc":"2.0","id":ID,"result":{"sessionId":5}}')
    assert isinstance(error, InvalidResponse)
    assert (error.method, error.path, error.raw) == ("session/new", "$.sessionId", b'{"sessionId":5}')
    assert str(error) == "the response to session/new cannot be read: Expected `str`, got `int` - at `$.sessionId`"


async def test_a_result_without_a_type_that_is_nested_too_deeply_is_no_recursion_error() -> None:
    async with wired_client(Client()) as (wire, connection):
        call = asyncio.create_task(connection.ext_request("_x"))
        id = (await wire.receive())["id"]
        await wire.send(b'{"jsonrpc":"2.0","id":%d,"result":%b}' % (id, b"[" * 100_000 + b"]" * 100_000))
        with pytest.raises(InvalidResponse, match="_x"):
            await call


# What is not sent for its size


async def test_a_message_beyond_our_own_limit_fails_where_it_is_sent() -> None:
    async with wired_client(Client(), limits=Limits(frame=1_000)) as (wire, connection):
        with pytest.raises(FrameTooLong, match="the frame limit of this side is 1,000") as caught:
            await connection.new_session(cwd="/" + "x" * 2_000, mcp_servers=[])
        assert (caught.value.limit, caught.value.size > 2_000) == (1_000, True)
        with pytest.raises(FrameTooLong):
            await connection.ext_notify("_x", "x" * 2_000)
        assert len(connection._inbound.pending) == 0
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        await wire.send(answer((await wire.receive())["id"], {"sessionId": SESSION}))
        assert (await call).session_id == SESSION


async def test_what_is_beyond_the_limit_of_the_peer_is_not_sent() -> None:
    for agent_limit, client_limit in ((1_000, 5_000), (5_000, 1_000)):
        agent = Opens()
        async with connected(
            agent, Client(), agent_options={"limits": Limits(frame=agent_limit)}, limits=Limits(frame=client_limit)
        ) as connection:
            with pytest.raises(FrameTooLong, match="is 1,000"):
                await connection.new_session(cwd="/" + "x" * 2_000, mcp_servers=[])
            with pytest.raises(FrameTooLong, match="is 1,000"):
                await agent.client.ext_request("_x", "x" * 2_000)
            assert (await connection.new_session(cwd="/", mcp_servers=[])).session_id == SESSION


@pytest.mark.parametrize("told", [None, 0, -1, True, "1", 1.5, [], {}])
async def test_a_limit_that_makes_no_sense_is_none(told: Any) -> None:
    async with wired_agent(Opens(), opened=False) as wire:
        params = {"protocolVersion": 1, "_meta": {"frameLimit": told, "other": 1}}
        assert "_meta" not in (await wire.ask(1, "initialize", params))["result"]
        assert "result" in await wire.ask(2, "session/new", {"cwd": "/", "mcpServers": []})


async def test_a_limit_stands_beside_what_the_program_puts_into_the_handshake() -> None:
    class Says(Opens):
        def initialize(self, params: InitializeRequest) -> InitializeResponse:
            return InitializeResponse(protocol_version=1, meta={"mine": 1})

    async with wired_agent(Says(), opened=False, limits=Limits(frame=9_000)) as wire:
        result = (await wire.ask(1, "initialize", {"protocolVersion": 1}))["result"]
        assert result["_meta"] == {"mine": 1, "frameLimit": 9_000}


async def test_a_request_that_the_peer_found_too_long_fails_and_the_next_one_is_not_sent() -> None:
    (ours, theirs), sent = await streams(), 0

    def count(direction: str, frame: bytes) -> None:
        nonlocal sent
        sent += direction == "client-to-agent"

    async with (
        AgentSideConnection(Opens(), *theirs, limits=Limits(frame=1_000)) as agent,
        ClientSideConnection(Client(), *ours, on_frame=count) as connection,
    ):
        agent._router.frame_limit = None  # as a peer that does not tell
        await connection.initialize()
        with pytest.raises(RequestError, match="more than 1000 bytes"):
            await connection.new_session(cwd="/" + "x" * 2_000, mcp_servers=[])
        before = sent
        with pytest.raises(FrameTooLong, match="the frame limit of the agent is 1,000"):
            await connection.new_session(cwd="/" + "x" * 2_000, mcp_servers=[])
        assert sent == before


async def test_an_answer_beyond_the_limit_is_an_error_that_says_so(caplog: pytest.LogCaptureFixture) -> None:
    class Big(Agent):
        def ext_method(self, method: str, params: Any) -> Any:
            return "x" * 2_000

    async with wired_agent(Big(), limits=Limits(frame=1_000)) as wire:
        error = (await wire.ask(1, "_big", {}))["error"]
        assert error["code"] == -32603
        assert "frame limit of this side is 1,000" in error["data"]["reason"]
    assert "the response to request 1" in caplog.text


# The last line of a peer


@pytest.mark.parametrize("end", ["", "\\n"])
async def test_the_last_line_of_a_process_counts_whether_it_ends_or_not(end: str) -> None:
    program = (
        "import sys, json; id = json.loads(sys.stdin.readline())['id'];"
        f"sys.stdout.write(json.dumps({{'jsonrpc': '2.0', 'id': id, 'result': {{'protocolVersion': 1}}}}) + '{end}')"
    )
    async with spawn_agent(Client(), sys.executable, "-c", program) as connection:
        assert (await connection.initialize()).protocol_version == 1
        with pytest.raises(ConnectionClosed, match="exited with code 0"):
            await connection.ext_request("_x")


async def test_half_a_frame_at_the_end_leaves_its_call_to_the_end_of_the_connection(
    caplog: pytest.LogCaptureFixture,
) -> None:
    program = (
        'import sys; sys.stdin.readline(); sys.stdout.write(\'{"jsonrpc":"2.0","id":1,"result":{"prot\'); sys.exit(3)'
    )
    async with spawn_agent(Client(), sys.executable, "-c", program) as connection:
        with pytest.raises(ConnectionClosed, match="exited with code 3"):
            await connection.initialize()
    assert "prot" in caplog.text


async def test_a_call_to_a_process_that_listens_no_more_ends_though_it_lives() -> None:
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "last"}}
    program = f"""
import os, sys, time
def say(text): print(text, flush=True)
sys.stdin.readline()
say('{{"jsonrpc":"2.0","id":1,"result":{{"protocolVersion":1}}}}')
sys.stdin.readline()
os.close(0)
say('{{"jsonrpc":"2.0","id":2,"error":{{"code":5,"message":"closing"}}}}')
time.sleep(0.1)
say({json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})!r})
time.sleep(60)
"""
    client = Collects()
    async with spawn_agent(client, sys.executable, "-c", program, grace=0.1) as connection:
        await connection.initialize()
        with pytest.raises(RequestError, match="closing"):
            await connection.ext_request("_x")
        for _ in range(2):
            with pytest.raises(ConnectionClosed, match="the agent no longer reads"):
                await connection.ext_request("_x")
        await until(lambda: client.texts == ["last"])


async def test_a_call_that_is_never_read_ends_when_the_process_has_closed_its_stdin() -> None:
    program = (
        "import os, sys, time; os.read(0, 1 << 16); "
        'print(\'{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1}}\', flush=True); '
        "time.sleep(0.2); os.close(0); time.sleep(60)"
    )
    async with spawn_agent(Client(), sys.executable, "-c", program, grace=0.1) as connection:
        await connection.initialize()
        with pytest.raises(ConnectionClosed, match="the agent no longer reads"):
            await connection.ext_request("_x")


STREAMS = """
import asyncio, generated as acp

class Streams(acp.Agent):
    async def prompt(self, params):
        try:
            while True:
                chunk = acp.AgentMessageChunk(content=acp.TextContent(text="x" * 100_000))
                await self.client.session_update(session_id="s", update=chunk)
        except acp.ConnectionClosed as error:
            asyncio.get_running_loop().call_later(0.05, print, error)
            raise

asyncio.run(acp.run_agent(Streams()))
"""


def test_that_its_client_listens_no_more_is_no_failure_of_a_handler() -> None:
    pipe = subprocess.PIPE
    agent = subprocess.Popen([sys.executable, "-c", STREAMS], cwd=ROOT, stdin=pipe, stdout=pipe, stderr=pipe)
    assert agent.stdin
    assert agent.stdout
    assert agent.stderr
    with agent:
        agent.stdin.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}\n')
        agent.stdin.write(
            b'{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}\n'
        )
        agent.stdin.flush()
        agent.stdout.read(200_000)
        agent.stdout.close()
        assert agent.stderr.readline().startswith(b"the client no longer reads"), "and no traceback before it"
        agent.stdin.close()
        assert agent.stderr.read() == b""
    assert agent.returncode == 0


async def test_giving_up_a_call_on_a_broken_pipe_is_a_cancellation_all_the_same() -> None:
    async with wired_client(Client()) as (_, connection):
        call = asyncio.create_task(connection.new_session(cwd="/", mcp_servers=[]))
        await until(lambda: len(connection._inbound.pending) == 1)
        connection._channel.broken = ConnectionClosed("the pipe broke")
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        connection._channel.broken = None
    assert logging.getLogger("generated").name == "generated"
