"""Clients that misbehave: each is answered as it deserves, and the agent goes on."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from examples import acp
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.connection.handlers import is_overridden

from .wire import CWD, Json, agent, house

SERVED = [
    row.method
    for (side, _, kind), row in acp.methods.METHODS.items()
    if side == "agent" and kind == "request" and is_overridden(ReferenceAgent(), row)
]


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
