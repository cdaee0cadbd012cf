"""Clients that misbehave: each is answered as it deserves, and the agent goes on."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from examples import acp
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.connection.handlers import is_overridden

from .wire import AGENT, CWD, ROOT, UNKNOWN, Json, agent, house, started

REQUESTS = sorted(
    row.method
    for (side, _, kind), row in acp.methods.METHODS.items()
    if side == "agent" and kind == "request" and row.method != "initialize"
)
SERVED = [
    row.method
    for (side, _, kind), row in acp.methods.METHODS.items()
    if side == "agent" and kind == "request" and is_overridden(ReferenceAgent(), row)
]


async def test_an_initialize_with_version_65535_is_answered_with_ours() -> None:
    async with started(handshake=False) as wire:
        assert (await wire.call("initialize", protocolVersion=65535))["protocolVersion"] == 1


@pytest.mark.parametrize("version", [0, 1, 2])
async def test_the_version_of_the_answer_is_one_that_the_agent_speaks(version: int) -> None:
    async with agent() as wire:
        assert (await wire.call("initialize", protocolVersion=version))["protocolVersion"] == 1


async def test_requests_before_initialize_are_refused_and_initialize_still_works() -> None:
    async with started(handshake=False) as wire:
        for method in REQUESTS:
            assert (await wire.refused(method, sessionId=UNKNOWN)).code == -32600, method
        wire.notify("session/cancel", sessionId="x")
        assert "agentCapabilities" in await wire.initialize()
        assert await wire.prompt(await wire.new()) == "end_turn"


async def test_the_capabilities_are_exactly_what_works() -> None:
    async with agent() as wire:
        assert (await wire.initialize())["agentCapabilities"] == {
            "loadSession": True,
            "promptCapabilities": {"embeddedContext": True},
            "sessionCapabilities": {
                "list": {},
                "delete": {},
                "close": {},
                "fork": {},
                "resume": {},
                "additionalDirectories": {},
            },
            "_meta": {"sandboxagent": {"terminate": True}},
        }


@pytest.mark.parametrize(
    "method", [*sorted(set(REQUESTS) - set(SERVED)), "nope", "session/", "_vendor/nope", "", "session/new "]
)
async def test_unknown_and_unserved_methods_are_not_found(method: str) -> None:
    async with agent() as wire:
        assert (await wire.refused(method, sessionId="x")).code == -32601


@pytest.mark.parametrize("method", ["nope", "_vendor/nope", "$/nope", "session/new", "initialize", ""])
async def test_unknown_notifications_are_ignored(method: str) -> None:
    async with agent() as wire:
        wire.notify(method, sessionId=[])
        sent = len(wire.frames)
        await wire.call("session/list")
        assert len(wire.frames) == sent + 1


MALFORMED: list[Any] = [
    [],
    [1],
    "x",
    7,
    True,
    {"sessionId": 7},
    {"sessionId": None},
    {"sessionId": {}},
    {"cwd": 7, "cursor": 7, "methodId": 7, "protocolVersion": "x"},
]


@pytest.mark.parametrize("method", SERVED)
async def test_malformed_params_are_refused_on_every_method(method: str) -> None:
    async with agent() as wire:
        for params in MALFORMED:
            frame = await wire.start(method, params)
            fits = method == "session/list" and isinstance(params, dict) and "cursor" not in params
            assert fits or frame["error"]["code"] == -32602, params
        if method != "session/list":
            assert (await wire.start(method))["error"]["code"] == -32602, "params left out"
        assert await wire.prompt(await wire.new()) == "end_turn"


REQUIRED: dict[str, Json] = {
    "session/new": {"cwd": CWD, "mcpServers": []},
    "session/load": {"sessionId": "x", "cwd": CWD, "mcpServers": []},
    "session/resume": {"sessionId": "x", "cwd": CWD},
    "session/fork": {"sessionId": "x", "cwd": CWD},
    "session/close": {"sessionId": "x"},
    "session/delete": {"sessionId": "x"},
    "session/prompt": {"sessionId": "x", "prompt": [{"type": "text", "text": "x"}]},
    "session/set_mode": {"sessionId": "x", "modeId": "ask"},
    "_sandboxagent/session/terminate": {"sessionId": "x"},
}


@pytest.mark.parametrize(
    ("method", "missing"), [(method, name) for method, params in REQUIRED.items() for name in params]
)
async def test_each_required_member_that_is_missing_or_of_the_wrong_type_is_refused(method: str, missing: str) -> None:
    params = REQUIRED[method]
    async with agent() as wire:
        without = {name: value for name, value in params.items() if name != missing}
        assert (await wire.refused(method, **without)).code == -32602
        assert (await wire.refused(method, **{**without, missing: {"wrong": 1}})).code == -32602


def test_every_served_method_has_its_required_members_tried() -> None:
    assert set(SERVED) == {*REQUIRED, "initialize", "session/list"}


async def test_malformed_cancels_are_ignored() -> None:
    async with agent() as wire:
        session = await wire.new()
        for params in ({}, {"sessionId": 7}, {"sessionId": None}):
            wire.notify("session/cancel", **params)
        wire.send({"method": "session/cancel"})
        wire.send({"method": "session/cancel", "params": [session]})
        assert await wire.prompt(session) == "end_turn"


async def test_unknown_members_and_meta_are_tolerated_everywhere() -> None:
    more = {"_meta": {"trace": [1, {"a": None}]}, "futureThing": {"x": 1}}
    async with agent() as wire:
        session = await wire.new(**more)
        for method in ("session/load", "session/resume", "session/fork"):
            await wire.call(method, sessionId=session, cwd=CWD, mcpServers=[], **more)
        prompt = [{"type": "text", "text": "/echo x", "_meta": {}, "future": 1}]
        assert await wire.call("session/prompt", sessionId=session, prompt=prompt, **more) == {"stopReason": "end_turn"}
        for method in ("session/close", "session/delete"):
            assert await wire.call(method, sessionId=session, **more) == {}


@pytest.mark.parametrize("number", [0, -1, 77, 2**53, "a", "", "1", None, "ä\n"])
async def test_ids_are_echoed_exactly(number: Any) -> None:
    async with agent() as wire:
        wire.send({"id": number, "method": "session/list"})
        answer = await wire.until(lambda frame: frame["id"] == number and type(frame["id"]) is type(number))
        assert answer == {"jsonrpc": "2.0", "id": number, "result": {"sessions": []}}


@pytest.mark.parametrize(
    ("frame", "code", "id_"),
    [
        (b"{", -32700, None),
        (b"\xff\xfe", -32700, None),
        (b"nonsense", -32700, None),
        (b"[]", -32600, None),
        (b"7", -32600, None),
        (b"{}", -32600, None),
        (b'{"jsonrpc":"1.0","id":1,"method":"session/list"}', -32600, 1),
        (b'{"jsonrpc":"2.0","id":{},"method":"session/list"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600, 1),
        (b"[" * 100_000, -32700, None),
    ],
)
async def test_what_is_no_message_is_answered_once_with_its_id_where_it_has_one(
    frame: bytes, code: int, id_: int | None
) -> None:
    async with agent() as wire:
        wire.writer.write(frame + b"\n")
        answer = await wire.until(lambda frame: "error" in frame)
        assert (answer["id"], answer["error"]["code"]) == (id_, code)
        assert await wire.prompt(await wire.new()) == "end_turn"


async def test_answers_to_nothing_are_ignored() -> None:
    async with agent() as wire:
        for number in (1, 999, "x", None):
            wire.send({"id": number, "result": {}})
            wire.send({"id": number, "error": {"code": 1, "message": "x"}})
        assert await wire.prompt(await wire.new()) == "end_turn"


async def test_a_thousand_requests_at_once_are_all_answered() -> None:
    async with agent() as wire:
        session = await wire.new()
        answers = [wire.start("session/resume", {"sessionId": session, "cwd": CWD}) for _ in range(500)]
        answers += [wire.start("session/list") for _ in range(500)]
        assert all("result" in answer for answer in await asyncio.gather(*answers))


async def test_a_session_that_is_opened_closed_and_deleted_at_once_ends_up_deleted() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        calls = []
        for _ in range(20):
            calls += [
                wire.prompting(session, "/echo x"),
                wire.start("session/load", {"sessionId": session, "cwd": CWD, "mcpServers": []}),
                wire.start("session/close", {"sessionId": session}),
                wire.start("session/fork", {"sessionId": session, "cwd": CWD}),
            ]
        calls.append(wire.start("session/delete", {"sessionId": session}))
        answers = [await call for call in calls]
        assert {answer.get("error", {"code": None})["code"] for answer in answers} <= {None, -32002, -32600}
        assert session not in await wire.listed()
        assert session not in {id_ for _, id_ in home.host.sessions}
        assert home.host.turns == {}


async def test_stdout_holds_nothing_but_frames() -> None:
    process = await asyncio.create_subprocess_exec(
        *(AGENT), stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT
    )
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}},
        {"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": CWD, "mcpServers": []}},
        {"jsonrpc": "2.0", "id": 3, "method": "nope"},
    ]
    out, _ = await process.communicate(b"".join(json.dumps(line).encode() + b"\n" for line in lines) + b"rubbish\n")
    frames = [json.loads(line) for line in out.splitlines()]
    assert all(frame["jsonrpc"] == "2.0" for frame in frames)
    assert {frame["id"] for frame in frames if "method" not in frame} == {1, 2, 3, None}
    assert process.returncode == 0
