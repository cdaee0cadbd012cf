# Generated from Agent Client Protocol, version 1, sha256 434aaf22f28f5593, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
"""Frames over two streams: messages in, frames out, and one hook that sees every one of them.

The law: a frame is written whole or not at all, whatever becomes of the task that sends it; who sends waits for the
stream, who reads never does. Nothing in here knows what a message means.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator

from .errors import ConnectionClosed
from .jsonrpc import Message, Reader
from .streams import Input, Output

__all__ = ["Channel", "FrameHook"]

logger = logging.getLogger(__name__)

FrameHook = Callable[[str, bytes], object]
"""Called with the direction, ``<side>-to-<side>``, and the bytes of a frame without its line end.

It sees every frame but those that were skipped for their size. What it raises is logged.
"""

_CHUNK = 1 << 18


class Channel:
    """The two streams of a connection between ``side`` (this one) and ``peer_side``."""

    def __init__(
        self, side: str, peer_side: str, source: Input, sink: Output, frame_limit: int, hook: FrameHook | None
    ) -> None:
        self.incoming = f"{peer_side}-to-{side}"
        self.outgoing = f"{side}-to-{peer_side}"
        self.closed: ConnectionClosed | None = None
        """Why nothing can be sent any more."""
        self._peer_side = peer_side
        self._source = source
        self._sink = sink
        self._reader = Reader(frame_limit)
        self._hook = hook

    async def messages(self) -> AsyncGenerator[Message, None]:
        """What the peer sends, up to the end of its stream; ConnectionClosed where the stream breaks."""
        try:
            while data := await self._source.read(_CHUNK):
                for message in self._observed(self._reader.feed(data)):
                    yield message
        except ConnectionClosed:
            raise
        except OSError as error:
            raise ConnectionClosed(f"the connection to the {self._peer_side} broke: {error}") from error
        for message in self._observed(self._reader.end()):
            yield message

    def write(self, frame: bytes) -> None:
        """Hand a frame to the stream without waiting for room."""
        if self.closed is not None:
            raise self.closed.again()
        self._observe(self.outgoing, frame[:-1])
        self._sink.write(frame)

    async def send(self, frame: bytes) -> None:
        """Write a frame and wait until the stream has room for more."""
        self.write(frame)
        try:
            await self._sink.drain()
        except OSError as error:
            raise ConnectionClosed(f"the {self._peer_side} does not listen any more: {error}") from error

    async def close(self, timeout: float) -> None:
        """Let what was written leave, then close; after the timeout what is left is dropped."""
        self._sink.close()
        try:
            async with asyncio.timeout(timeout):
                await self._sink.wait_closed()
        except TimeoutError:
            if transport := getattr(self._sink, "transport", None):
                transport.abort()
        except OSError:
            logger.debug("%s: what was left to write was lost", self.outgoing)

    def _observed(self, messages: Iterable[tuple[bytes, Message]]) -> Iterator[Message]:
        for frame, message in messages:
            if frame:
                self._observe(self.incoming, frame)
            yield message

    def _observe(self, direction: str, frame: bytes) -> None:
        if self._hook is not None:
            try:
                self._hook(direction, frame)
            except Exception:
                logger.exception("the frame hook failed")
