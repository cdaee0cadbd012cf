"""A client's WebSocket: what a server may do with frames, against the library's own server."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.frames import Frame, Opcode

import generated as acp
from generated import transports
from tests.support.waiting import still

Behave = Callable[[ServerConnection], Awaitable[None]]


@contextlib.asynccontextmanager
async def reached(behave: Behave, **options: Any) -> AsyncGenerator[transports.Transport]:
    """The wire of a client whose server behaves so, once it has heard of it, and then waits for its end."""

    async def handle(socket: ServerConnection) -> None:
        await socket.recv()
        await behave(socket)
        await socket.wait_closed()

    async with asyncio.timeout(60), serve(handle, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with transports.dial(acp.methods.PROTOCOL, f"ws://127.0.0.1:{port}", **options) as wire:
            wire.write(b"[]")
            yield wire


async def received(wire: transports.Transport, count: int) -> list[bytes]:
    found: list[bytes] = []
    while len(found) < count:
        found += await wire.receive()
    return found


def raw(socket: ServerConnection, *frames: Frame) -> None:
    """Send frames in one write."""
    socket.transport.write(b"".join(frame.serialize(mask=False) for frame in frames))


async def test_frames_that_came_in_one_read_are_taken_together() -> None:
    async def behave(socket: ServerConnection) -> None:
        raw(socket, *(Frame(Opcode.TEXT, b"%d" % number) for number in range(50)))

    async with reached(behave) as wire:
        assert await wire.receive() == [b"%d" % number for number in range(50)]


async def test_a_message_in_parts_is_one_frame_and_what_is_not_text_is_ignored() -> None:
    async def behave(socket: ServerConnection) -> None:
        raw(
            socket,
            Frame(Opcode.BINARY, b"binary"),
            Frame(Opcode.TEXT, b"a", fin=False),
            Frame(Opcode.PING, b"amid"),
            Frame(Opcode.CONT, b"b", fin=False),
            Frame(Opcode.CONT, b"c"),
            Frame(Opcode.BINARY, b"binary", fin=False),
            Frame(Opcode.CONT, b"binary"),
            Frame(Opcode.TEXT, "\u20ac".encode()),
        )

    async with reached(behave) as wire:
        assert await received(wire, 2) == [b"abc", "\u20ac".encode()]


async def test_what_is_sent_arrives_in_order_however_much_it_is() -> None:
    frames = [b"%d" % number + b"x" * (200_000 if number % 7 == 3 else 3) for number in range(100)]
    came: list[bytes] = []
    whole = asyncio.Event()

    async def behave(socket: ServerConnection) -> None:
        while len(came) < len(frames):
            came.append(str(await socket.recv()).encode())
        whole.set()

    async with reached(behave) as wire:
        for frame in frames:
            wire.write(frame)
            if wire.full():
                await wire.drain()
        await whole.wait()
    assert came == frames


async def test_bytes_that_are_no_text_are_sent_as_text() -> None:
    came: asyncio.Future[object] = asyncio.get_running_loop().create_future()

    async def behave(socket: ServerConnection) -> None:
        came.set_result(await socket.recv())

    async with reached(behave) as wire:
        wire.write(b'"\xff"')
        assert await came == '"\ufffd"'


async def test_a_server_that_sends_much_waits_for_whoever_takes_it() -> None:
    sent = 0

    async def behave(socket: ServerConnection) -> None:
        nonlocal sent
        for _ in range(400):
            await socket.send("x" * 0x40000)
            sent += 1

    async with reached(behave) as wire:
        await still(lambda: sent)
        assert sent < 250
        assert sum(map(len, await received(wire, 400))) == 400 * 0x40000


@pytest.mark.parametrize(("code", "said"), [(1011, "1011 oops"), (1008, "1008 oops")])
async def test_why_the_server_closes_is_told_behind_what_it_sent(code: int, said: str) -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.send("last")
        await socket.close(code, "oops")

    async with reached(behave) as wire:
        assert await wire.receive() == [b"last"]
        with pytest.raises(acp.ConnectionClosed, match=f"the server closed the connection: {said}"):
            await wire.receive()


async def test_a_server_that_closes_in_order_ends_the_wire() -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.close()

    async with reached(behave) as wire:
        assert list(await wire.receive()) == []


async def test_a_connection_that_breaks_is_told() -> None:
    async def behave(socket: ServerConnection) -> None:
        socket.transport.abort()

    async with reached(behave) as wire:
        with pytest.raises(acp.ConnectionClosed, match="the connection broke"):
            await wire.receive()


async def test_a_message_beyond_the_limit_ends_the_connection() -> None:
    async def behave(socket: ServerConnection) -> None:
        raw(socket, Frame(Opcode.TEXT, b"x" * 600, fin=False), Frame(Opcode.CONT, b"x" * 600))

    async with reached(behave, limits=acp.Limits(frame=1000)) as wire:
        with pytest.raises(acp.ConnectionClosed):
            await wire.receive()
