"""Hostile frames over every transport, to agents and to clients: each call ends, each reply is the same, and others are served."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import tracemalloc
from typing import Any

import pytest
from remote_hostile import (
    ANSWERED,
    ERROR,
    FRAMES,
    NO_TEXT,
    OPTIONS,
    REFUSED,
    RESULT,
    SIDES,
    STAYS,
    UNREAD,
    Hostile,
    Peer,
    ProbedAgent,
)
from remote_hosts import served
from remote_raw import INITIALIZE, connections, socketed, text_frame

from tests.support.waiting import settled

OWN = {"n": 1}
"""The result of the response that follows a hostile frame."""


def message(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


async def ask(peer: Peer) -> Any:
    """Have the side call its peer; the id of that call."""
    await peer.send(message(id="ask", method="_ask"))
    call = await peer.receive()
    assert call["method"] == "_call"
    return call["id"]


async def outcome(peer: Peer, hostile: bytes) -> tuple[str, list[Any]] | None:
    """How the open call of the side ended, and its replies to the frame; None if the connection ended."""
    call_id = await ask(peer)
    try:
        await peer.send(hostile.replace(b"ID", json.dumps(call_id).encode()))
        await peer.send(message(id=call_id, result=OWN))
        await peer.send(message(id="probe", method="_probe"))
    except ConnectionError:
        return None
    waiting: dict[str, Any] = {"ask": None, "probe": None}
    replies: list[Any] = []
    while None in waiting.values():
        came = await peer.receive()
        if came is None:
            return None
        if came.get("id") in waiting:
            waiting[came["id"]] = came
        else:
            replies.append(came)
    ended = waiting["ask"]["result"]
    return STAYS if ended.get("value") == OWN else ended["ended"].partition(" ")[0], replies


def matches(expected: int | str | None, replies: list[Any], refusals: bool) -> bool:
    """Whether the replies are the expected one. `refusals`: a POST may be refused where nothing is said on other transports."""
    codes = [reply["error"]["code"] if "error" in reply else ANSWERED for reply in replies]
    if refusals and codes and codes[0] != ANSWERED:
        return len(codes) == 1 and expected != ANSWERED
    if expected == REFUSED:
        return len(codes) == 1 and codes[0] in (-32601, -32602)
    return codes == ([] if expected is None else [expected])


def expected_at(side: str, name: str) -> tuple[Hostile, bool]:
    """What a frame does at a side, and whether it may end the connection."""
    hostile = FRAMES[name]
    ends = name in UNREAD if "WebSocket" in side or "responses" in side else False
    if side == "an agent over HTTP" and (name in UNREAD or hostile.frame[:1] == b"["):
        hostile = Hostile(hostile.frame, STAYS, hostile.reply)
    if "responses" in side and (
        hostile.call == ERROR or hostile.reply == -32700 or hostile.frame[:1] not in (b"{", b"")
    ):
        hostile = Hostile(hostile.frame, ERROR)
    return hostile, ends or (side == "an agent on WebSockets" and name in NO_TEXT)


@pytest.mark.parametrize("side", SIDES)
async def test_each_call_ends_and_the_next_peer_is_served(side: str) -> None:
    async with SIDES[side]() as meet:
        names = list(FRAMES)
        wrong: dict[str, Any] = {}
        while names:
            async with meet() as peer:
                while names:
                    name = names.pop(0)
                    expected, ends = expected_at(side, name)
                    found = await outcome(peer, expected.frame)
                    if found is None:
                        if not ends:
                            wrong[name] = "the connection ended"
                        break
                    call, replies = found
                    if call != expected.call or not matches(expected.reply, replies, "an agent over HTTP" in side):
                        wrong[name] = found
                else:
                    # The next peer is served while this one is connected.
                    async with meet() as other:
                        assert await outcome(other, message(id="ID", result={})) == (RESULT, [])
        assert wrong == {}


FLOODS = {
    "notifications": b'{"jsonrpc":"2.0","method":"_x","params":["%b"]}' % (b"x" * 15_000),
    "notifications of a session": b'{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"%b"}}'
    % (b"x" * 15_000),
    "requests": b'{"jsonrpc":"2.0","id":"h","method":"no/such","params":["%b"]}' % (b"x" * 15_000),
    "responses to nothing": b'{"jsonrpc":"2.0","id":"h","result":["%b"]}' % (b"x" * 15_000),
    "no messages": b"x" * 15_000,
}
MEBIBYTE = 1 << 20


async def held_after(peer: Peer, flood: str, times: int) -> int:
    """The memory that a flood has taken and that is not free again, while its peer is still there."""
    tracemalloc.start()
    try:
        with contextlib.suppress(ConnectionError):
            if flood == ENDLESS:
                await peer.send_endlessly(b"x" * 15_000, times)
                await settled()
            else:
                for _ in range(times):
                    await peer.send(FLOODS[flood])
                await peer.send(message(id="probe", method="_probe"))
                while (await peer.receive() or {"id": "probe"})["id"] != "probe":
                    pass
        gc.collect()
        return tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()


ENDLESS = "a frame without an end"
FLOODED = [
    (side, flood)
    for side in SIDES
    for flood in (*FLOODS, ENDLESS)
    if "stdio" not in side and "responses" not in side and (side, flood) != ("an agent on WebSockets", ENDLESS)
]


@pytest.mark.parametrize(("side", "flood"), FLOODED)
async def test_memory_stays_flat(side: str, flood: str) -> None:
    """Over stdio, tests/runtime/scenarios/test_flood.py floods an agent on stdio, in a process with a limit of memory."""
    async with SIDES[side]() as meet:
        held: list[int] = []
        for times in (5, 15, 55):  # the first makes what is made once, the last sends 0.6 million bytes more
            async with meet() as peer:
                held.append(await held_after(peer, flood, times))
        assert held[2] < held[1] + MEBIBYTE // 4, held
        async with meet() as other:
            assert await outcome(other, message(id="ID", result={})) == (RESULT, [])


async def test_a_websocket_whose_message_does_not_end_is_closed() -> None:
    async with served(ProbedAgent, **OPTIONS) as url:
        async with socketed(url) as (reader, writer):
            writer.write(text_frame(INITIALIZE))
            await reader.readuntil(b"protocolVersion")
            piece = text_frame(b"x" * 15_000, kind=0)
            writer.write(b"\x01" + piece[1:])  # a text whose last piece is still to come
            with contextlib.suppress(ConnectionError):
                async with asyncio.timeout(60):
                    while True:
                        writer.write(b"\x00" + piece[1:])
                        await writer.drain()
        await connections(0)


def test_the_table_has_enough_frames() -> None:
    assert len(FRAMES) >= 40
    assert len({hostile.frame for hostile in FRAMES.values()}) == len(FRAMES)
