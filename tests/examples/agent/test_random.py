"""Clients that do everything at once and in any order: each request has one answer, and nothing is left in the end."""

from __future__ import annotations

import asyncio
import gc
import logging
import random

import pytest

from .wire import CWD, UNKNOWN, Json, Policy, Wire, allow, house

METHODS = (
    "session/prompt", "session/prompt", "session/prompt", "session/load", "session/resume", "session/fork",
    "session/close", "session/delete", "session/set_mode", "session/new", "session/list",
    "_sandboxagent/session/terminate", "session/cancel", "session/cancel", "initialize",
)  # fmt: skip
PARAMS: Json = {"cwd": CWD, "mcpServers": [], "protocolVersion": 1}
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
            "prompt": [{"type": "text", "text": text}],
        }
        if method == "session/cancel":
            wire.notify(method, **params)
        else:
            calls.append((method, wire.start(method, params)))
        if rng.random() < 0.2:
            await asyncio.sleep(rng.choice([0, 0, 0.001, 0.01]))
        known += {
            frame["result"]["sessionId"] for frame in wire.frames if "sessionId" in frame.get("result", {})
        } - set(known)
    while not all(call.done() for _, call in calls):
        for session in known:
            wire.notify("session/cancel", sessionId=session)
        await asyncio.sleep(0.01)
    codes = {(method, call.result().get("error", {}).get("code")) for method, call in calls}
    assert {each for each in codes if each[1] not in ALLOWED} == set()
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
    async with house() as home:
        async with (
            home.connected(fickle(rng)) as one,
            home.connected(fickle(rng), terminal=True) as two,
            home.connected(fickle(rng)) as three,
        ):
            await asyncio.gather(*(riot(wire, rng, known) for wire in (one, two, three)))
        await home.host.undertakings.wait()
        gc.collect()  # of a lock that an exception's frames hold
        assert (home.host.sessions, home.host.turns, len(home.host._gates)) == ({}, {}, 0)
        found, _ = await home.store.page("", None, None, 10_000)
        assert [session for session in found if session.outcome is None] == []
    assert [record for record in caplog.records if record.levelno >= logging.ERROR] == []
