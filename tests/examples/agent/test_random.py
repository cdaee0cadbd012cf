"""Clients that do everything at once and in any order: each request has one answer, and nothing is left in the end."""

from __future__ import annotations

import asyncio
import logging
import random

import pytest

from .wire import CWD, UNKNOWN, Json, Policy, Wire, allow, house

METHODS = (
    "session/prompt", "session/prompt", "session/prompt", "session/load", "session/resume", "session/fork",
    "session/close", "session/delete", "session/set_mode", "session/set_config_option", "session/new", "session/list",
    "authenticate",
    "_sandboxagent/session/terminate", "session/cancel", "session/cancel", "initialize",
)  # fmt: skip
PARAMS: Json = {"cwd": CWD, "mcpServers": [], "configId": "model", "value": "owl", "protocolVersion": 1}
ALLOWED = {None, -32002, -32600, -32602}


async def riot(wire: Wire, rng: random.Random, known: list[str]) -> None:
    """Send a few hundred messages, and wait for all the answers."""
    calls = []
    for _ in range(200):
        method = rng.choice(METHODS)
        session = rng.choice([*known[-6:], UNKNOWN])
        text = rng.choice(["/echo x", "hello", "/wait 1", "/wait"])
        params = {
            **PARAMS,
            "sessionId": session,
            "modeId": rng.choice(["ask", "auto", "plan"]),
            "methodId": rng.choice(["os-user", "guest"]),
            "prompt": [{"type": "text", "text": text}],
        }
        if method == "session/cancel":
            wire.notify(method, **params)
        else:
            calls.append(wire.start(method, params))
        if rng.random() < 0.2:
            await asyncio.sleep(rng.choice([0, 0, 0.001, 0.01]))
        known += {
            frame["result"]["sessionId"] for frame in wire.frames if "sessionId" in frame.get("result", {})
        } - set(known)
    while not all(call.done() for call in calls):
        for session in known:
            wire.notify("session/cancel", sessionId=session)
        await wire.call("authenticate", methodId="os-user")
        await asyncio.sleep(0.01)
    codes = {call.result().get("error", {}).get("code") for call in calls}
    assert codes <= ALLOWED, codes
    answered = [frame["id"] for frame in wire.frames if "method" not in frame]
    assert len(answered) == len(set(answered)), "a request was answered twice"


def fickle(rng: random.Random) -> Policy:
    """Allows, refuses, fails, or keeps silent."""

    def answer(request: Json) -> Json | None:
        return rng.choice([allow(request), {"error": {"code": -32603, "message": "no"}}, {"result": {}}, None])

    return answer


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
async def test_whatever_clients_do_each_request_has_one_answer_and_nothing_is_left(
    seed: int, caplog: pytest.LogCaptureFixture
) -> None:
    rng = random.Random(seed)
    known: list[str] = []
    async with house(keys=True) as home:
        async with (
            home.connected(fickle(rng)) as one,
            home.connected(fickle(rng), terminal=True) as two,
            home.connected(fickle(rng)) as three,
        ):
            await asyncio.gather(*(riot(wire, rng, known) for wire in (one, two, three)))
        assert (home.host.sessions, home.host.turns, len(home.host._gates)) == ({}, {}, 0)
        open_turns = await home.host.store(
            lambda store: store._db.execute(
                "SELECT count(*) FROM turns JOIN sessions ON session = id "
                "WHERE stop_reason IS NULL AND deleted_at IS NULL"
            ).fetchone()
        )
        assert open_turns == (0,)
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
