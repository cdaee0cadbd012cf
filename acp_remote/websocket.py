"""WebSocket transports: a queue of text frames and the task that sends them in order, and the ASGI server's
WebSocket.
"""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from msgspec import UNSET

from .interface import Runtime, Transport
from .keepalive import KeepaliveMonitor
from .responses import Receive, Send, uncounted
from .routing import request_id

_ROOM = 1 << 16
RESTARTS = 1012
"""The close code of a restarting server that has answered all requests. Otherwise, the code is 1001."""
DRAINED = "acp-remote: all requests that were read have been answered"
"""The close reason that accompanies `RESTARTS`. It tells our clients that they may resend unanswered requests."""
_INTERNAL_ERROR = -32603


class WebSocketTransport(Transport):
    """A transport of text frames. A subclass sends, receives and closes."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime
        self._queue: list[bytes] = []
        self._held = 0
        self._writer: asyncio.Task[None] | None = None
        self._room = runtime.waiters()
        self._broken: OSError | None = None
        self._closing = False
        self._deaf = False
        self.queued: Callable[[int], None] = uncounted
        """Called with the size of each queued frame."""
        self.progress = 0.0
        """The time when a frame was last sent, by the clock of the event loop."""

    def send_now(self, frame: bytes) -> bool:
        """Send a frame without waiting; False if that is impossible. This avoids the cost of a task for each frame."""
        del frame
        return False

    @abstractmethod
    async def send_text(self, text: str) -> None:
        """Send a frame, waiting for space. Any exception breaks the transport."""

    @abstractmethod
    async def send_close(self) -> None:
        """Close the socket."""

    def write(self, frame: bytes) -> None:
        if self._closing or self._broken is not None or (self._writer is None and self.send_now(frame)):
            return
        self._queue.append(frame)
        self._held += len(frame)
        self.queued(len(frame))
        if self._writer is None:
            self.progress = asyncio.get_running_loop().time()
            self._writer = self._runtime.start(self._write_out())

    def full(self) -> bool:
        return self._held > _ROOM

    @property
    def held(self) -> int:
        """Bytes of queued frames."""
        return self._held

    @property
    def neglected(self) -> bool:
        """Return whether it is full. Its client reads only one stream."""
        return self.full()

    async def drain(self) -> None:
        while self._held > _ROOM:
            await self._room.wait()
        if self._broken is not None:
            raise self._broken

    def close(self) -> None:
        if not self._closing:
            self._closing = True
            if self._writer is None:
                self._writer = self._runtime.start(self._write_out())

    finish = close

    async def wait_closed(self) -> None:
        if self._writer is not None:
            await asyncio.wait([self._writer])

    def abort(self) -> None:
        self._closing = True
        self._broken = self._broken or self._runtime.connection_closed("the connection was abandoned")
        if self._writer is not None:
            self._writer.cancel()
        self._drop()

    def left(self) -> None:
        """Stop sending, because the peer has disconnected."""
        self._closing = self._deaf = True
        self._broken = self._broken or self._runtime.connection_closed("the peer has left")
        self._drop()

    def hung_up(self) -> bool:
        return self._deaf

    async def _write_out(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._queue:
                frames, self._queue = self._queue, []
                for frame in frames:
                    if self._broken is not None:
                        break
                    await self.send_text(frame.decode(errors="replace"))
                    self._held = max(0, self._held - len(frame))
                    self.progress = loop.time()
                    if self._held <= _ROOM:
                        self._room.wake()
            if self._closing and not self._deaf:
                await self.send_close()
        except Exception as error:  # noqa: BLE001  # each library has errors of its own for a peer that is gone
            self._broken = (
                error if isinstance(error, OSError) else self._runtime.connection_closed(f"the socket broke: {error}")
            )
            self._drop()
        finally:
            self._writer = None

    def _drop(self) -> None:
        self._queue.clear()
        self._held = 0
        self._room.wake()


class ServerWebSocket(WebSocketTransport):
    """A WebSocket of an ASGI server. `pings`: seconds between pings that this transport sends; None for none.

    While `draining` is true, requests are rejected: the client may send them again, to another server.
    """

    def __init__(
        self,
        runtime: Runtime,
        receive: Receive,
        send: Send,
        pings: float | None = None,
        draining: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(runtime)
        self._draining = draining
        self.drained = False
        """True if it was closed after all requests that it had read were answered."""
        self._receive = receive
        self._send = send
        self.heard = False
        """True if its client has sent anything."""
        self.keepalive = KeepaliveMonitor(runtime, send, pings)

    async def receive(self) -> tuple[bytes, ...]:
        while True:
            event = await self._receive()
            if event["type"] == "websocket.disconnect":
                self.left()
                return ()
            text = event.get("text")
            if text is not None:  # binary frames are ignored
                self.heard = True
                frame = text.encode()
                if not self._draining() or not self._rejects(frame):
                    return (frame,)

    def _rejects(self, frame: bytes) -> bool:
        """Reject a request before any handler gets it."""
        id = request_id(frame)
        if id is UNSET:
            return False
        data = b'{"reason":"the server is shutting down","mayRepeat":true}'
        self.write(self._runtime.error_frame(id, _INTERNAL_ERROR, "The server did not read the request", data))
        return True

    async def send_text(self, text: str) -> None:
        await self._send({"type": "websocket.send", "text": text})

    async def send_close(self) -> None:
        ends: dict[str, Any] = {"code": RESTARTS, "reason": DRAINED} if self.drained else {"code": 1001}
        await self._send({"type": "websocket.close", **ends})
