"""When frames leave: the first at once, those behind it together, whoever sends too much at a stretch a turn later."""

from __future__ import annotations

import asyncio
import os
from typing import Any, cast

import pytest

from generated._runtime.transport.base import StreamTransport, TwoStreams
from generated._runtime.transport.channel import Channel

FRAME = b'{"jsonrpc":"2.0","method":"_note"}\n'


class Written:
    """The writing end of a pipe as asyncio has it, and each piece that was written to it."""

    def __init__(self, transport: asyncio.WriteTransport) -> None:
        self.transport = transport
        self.pieces: list[bytes] = []

    def write(self, data: bytes, /) -> None:
        self.pieces.append(data)
        self.transport.write(data)

    async def drain(self) -> None:
        while self.transport.get_write_buffer_size():  # noqa: ASYNC110  asyncio tells only its own protocols
            await asyncio.sleep(0.001)

    def close(self) -> None:
        self.transport.close()

    async def wait_closed(self) -> None:
        pass


async def channel_to_a_pipe() -> tuple[Channel, Written, asyncio.StreamReader]:
    """A channel that writes into a pipe, what it wrote, and the other end; what is fed to the reader is read by it."""
    read_end, write_end = os.pipe()
    loop = asyncio.get_running_loop()
    far = asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(far), os.fdopen(read_end, "rb", buffering=0))
    transport, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, os.fdopen(write_end, "wb", buffering=0))
    sink = Written(transport)
    return (
        Channel("agent", "client", StreamTransport(asyncio.StreamReader(), sink, 1 << 20, False), 1 << 20, None),
        sink,
        far,
    )


pytestmark = pytest.mark.skipif(os.name == "nt", reason="asyncio has no pipes of this kind on Windows")


async def test_the_first_frame_is_written_at_once() -> None:
    channel, sink, _ = await channel_to_a_pipe()
    channel.write(FRAME)
    assert sink.pieces == [FRAME]
    await channel.close(1)


async def test_frames_behind_it_are_written_together_when_the_turn_is_over() -> None:
    channel, sink, _ = await channel_to_a_pipe()
    for _ in range(5):
        channel.write(FRAME)
    assert sink.pieces == [FRAME]
    await asyncio.sleep(0)
    assert sink.pieces == [FRAME, 4 * FRAME]
    await channel.close(1)


async def test_a_frame_alone_in_its_turn_is_written_in_that_turn() -> None:
    channel, sink, _ = await channel_to_a_pipe()
    for number in range(1, 6):
        channel.write(FRAME)
        await asyncio.sleep(0)
        assert b"".join(sink.pieces) == number * FRAME
    await channel.close(1)


async def test_who_sends_too_much_at_a_stretch_goes_on_when_it_has_left() -> None:
    channel, _, far = await channel_to_a_pipe()
    frame = b'"' + b"x" * 99_997 + b'"\n'
    async with asyncio.timeout(60):
        await asyncio.gather(*(channel.send(frame) for _ in range(5)), far.readexactly(5 * len(frame)))
    assert channel.backlog == 0
    await channel.close(1)


def test_what_is_given_up_closes_where_bytes_go_also_without_a_transport() -> None:
    class Sink:
        closed = False

        def close(self) -> None:
            self.closed = True

    sink = Sink()
    TwoStreams(cast("Any", None), cast("Any", sink)).abort()
    assert sink.closed
