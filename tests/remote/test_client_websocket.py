"""A client's WebSocket: what a server may do with frames, against the library's own server."""

from __future__ import annotations

import asyncio
import contextlib
import tracemalloc
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.frames import Frame, Opcode
from websockets.http11 import Request, Response

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


@pytest.mark.parametrize(
    ("code", "given", "said"),
    [(1011, "oops", "1011 oops"), (1008, "oops", "1008 oops"), (1011, "\x1b[2J\r\nred\0", "1011 [2J red")],
)
async def test_why_the_server_closes_is_told_behind_what_it_sent(code: int, given: str, said: str) -> None:
    async def behave(socket: ServerConnection) -> None:
        await socket.send("last")
        await socket.close(code, given)

    async with reached(behave) as wire:
        assert await wire.receive() == [b"last"]
        with pytest.raises(acp.ConnectionClosed) as raised:
            await wire.receive()
    assert str(raised.value).endswith(f"the server closed the connection: {said}")


@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (Frame(Opcode.TEXT, b"{}").serialize(mask=True), "incorrect masking"),
        (b"\xc1\x02{}", "reserved bits must be 0"),
        (b"\x88\x02\x03\xe7", "invalid status code"),
        (b"\x80\x02{}", "unexpected continuation frame"),
        (b"\x81\x7e\x07\xd1{" + b" " * 2000, "2001 bytes"),
    ],
    ids=["mask", "reserved", "close code", "continuation", "length"],
)
async def test_a_violation_is_named_though_the_server_keeps_the_connection_open(sent: bytes, said: str) -> None:
    async def behave(socket: ServerConnection) -> None:
        socket.transport.pause_reading()  # it sees neither the Close frame nor the end
        socket.transport.write(sent)

    async with reached(behave, close_timeout=3600, limits=acp.Limits(frame=1000)) as wire:
        with pytest.raises(acp.ConnectionClosed, match=f"violated the WebSocket protocol: .*{said}"):
            await wire.receive()


async def test_parts_of_a_message_take_no_memory_of_their_own() -> None:
    parts = 100_000

    async def behave(socket: ServerConnection) -> None:
        raw(socket, Frame(Opcode.TEXT, b"a", fin=False))
        raw(socket, *[Frame(Opcode.CONT, b"", fin=False)] * parts)
        await (await socket.ping())
        held.append(tracemalloc.get_traced_memory()[0])
        raw(socket, Frame(Opcode.CONT, b"b"))

    held: list[int] = []
    async with reached(behave) as wire:
        tracemalloc.start()
        try:
            assert await received(wire, 1) == [b"ab"]
        finally:
            tracemalloc.stop()
    assert held[0] < 4 * parts  # a list of them takes eight bytes for each


async def test_a_redirect_is_not_followed_because_the_headers_are_for_this_server() -> None:
    asked: list[str] = []

    def redirect(socket: ServerConnection, request: Request) -> Response:
        asked.append(request.path)
        return Response(302, "Found", Headers(Location="ws://[/elsewhere" if len(asked) > 1 else "/elsewhere"))

    async with serve(ServerConnection.wait_closed, "127.0.0.1", 0, process_request=redirect) as server:
        url = f"ws://127.0.0.1:{next(iter(server.sockets)).getsockname()[1]}/acp"
        for _ in range(2):
            with pytest.raises(acp.ConnectionClosed, match="the server rejected the request with 302"):
                async with transports.dial(acp.methods.PROTOCOL, url):
                    pass
    assert asked == ["/acp", "/acp"]


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
