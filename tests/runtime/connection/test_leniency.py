"""Bad values that the schema lets receivers drop: the message is handled, and the log says once what is missing."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from peers import Wire, wired

from examples import acp
from generated._runtime.codec.codec import decode_as
from generated._runtime.codec.values import Fault, Reading, once

TEXT = "agent-to-client: dropped a bad value in {}, as the schema allows: {}. Logged once for this place"


@asynccontextmanager
async def client() -> AsyncGenerator[tuple[Wire, acp.ClientSideConnection], None]:
    """A client of ours, its handshake done, with an agent of raw bytes that offers everything."""
    async with wired(acp.ClientSideConnection, acp.Client(), check_capabilities=False) as (wire, connection):
        opening = asyncio.create_task(connection.initialize())
        await wire.send({"jsonrpc": "2.0", "id": (await wire.receive())["id"], "result": {"protocolVersion": 1}})
        await opening
        yield wire, connection


async def listed(wire: Wire, connection: acp.ClientSideConnection, result: Any) -> acp.ListSessionsResponse:
    call = asyncio.create_task(connection.list_sessions())
    await wire.send({"jsonrpc": "2.0", "id": (await wire.receive())["id"], "result": result})
    return await call


def info(session: str) -> dict[str, Any]:
    return {"sessionId": session, "cwd": "/"}


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


async def test_a_bad_cursor_is_logged_once_with_its_path_and_reason(caplog: pytest.LogCaptureFixture) -> None:
    async with client() as (wire, connection):
        for _ in range(2):
            assert not (await listed(wire, connection, {"sessions": [info("s")], "nextCursor": 5})).next_cursor
    assert warnings(caplog) == [TEXT.format("session/list", "Expected `str`, got `int` - at `$.nextCursor`")]


async def test_bad_entries_of_a_list_are_one_place(caplog: pytest.LogCaptureFixture) -> None:
    async with client() as (wire, connection):
        page = await listed(wire, connection, {"sessions": [info("s"), {"cwd": "/"}, 5, info("t")]})
        assert [each.session_id for each in page.sessions] == ["s", "t"]
        await listed(wire, connection, {"sessions": [7]})
    reason = "Object missing required field `sessionId` - at `$.sessions[1]`"
    assert warnings(caplog) == [TEXT.format("session/list", reason)]


async def test_each_connection_logs_for_itself(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(2):
        async with client() as (wire, connection):
            await listed(wire, connection, {"sessions": [], "nextCursor": []})
    assert len(warnings(caplog)) == 2


async def test_what_fits_and_what_is_null_is_not_logged(caplog: pytest.LogCaptureFixture) -> None:
    async with client() as (wire, connection):
        await listed(wire, connection, {"sessions": [info("s")], "nextCursor": None, "_meta": {"a.b/c": 1}})
        await listed(wire, connection, {"sessions": None})
    assert warnings(caplog) == []


async def test_the_log_remembers_a_limited_number_of_places(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    from generated._runtime.connection import leniency

    log = leniency.DroppedValues("agent-to-client")
    monkeypatch.setattr(leniency, "_PLACES", 3)
    for number in range(5):
        log.faults.append(Fault("bad", f"member-{number}"))
        log.log("method")
    assert (len(warnings(caplog)), log.faults) == (3, [])


def test_values_that_an_alternative_dropped_count_only_if_it_is_taken() -> None:
    """The first variant that is tried for an update drops its bad list and then fails; the second fits."""
    dropped: list[Fault] = []
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "t", "content": [{"type": "content"}], "kind": 5}
    text = acp.encode({"sessionId": "s", "update": update})
    decode_as(acp.SessionNotification, text, Reading(dropped=dropped))
    assert sorted({str(each).partition(" - at ")[2] for each in dropped}) == [
        "`$.update.content[0]`",
        "`$.update.kind`",
    ]
    assert len(dropped) == 2


def test_a_message_that_is_refused_leaves_nothing_to_log() -> None:
    dropped: list[Fault] = []
    update = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "annotations": 5, "text": 5}}
    with pytest.raises(msgspec.ValidationError, match="text"):
        decode_as(acp.SessionNotification, acp.encode({"sessionId": "s", "update": update}), Reading(dropped=dropped))
    assert dropped == []


def test_a_value_that_was_read_for_an_alternative_before_has_dropped_the_same() -> None:
    value = ["read once"]

    def read(_: Any, how: Reading) -> Any:
        assert how.dropped is not None
        how.dropped.append(Fault("bad", "inside"))
        return "result"

    reader = once(read)
    dropped: list[Fault] = []
    how = Reading(dropped=dropped, seen={})
    for step in ("first", "second"):
        assert reader(value, how) == "result"
        dropped[-1].path.append(step)
    assert [each.path for each in dropped] == [["inside", "first"], ["inside", "second"]]
