"""The WebSocket client transport, on the library websockets. All frames of a read are delivered together, and sent
immediately if there is space.

The library handles pings, closing and the message limit. Messages bypass its queue, in which each frame costs an
iteration of the event loop and a conversion to a string and back.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import InvalidStatus, WebSocketException
from websockets.frames import OK_CLOSE_CODES, Opcode
from websockets.protocol import State

from .address import Address, one_line, reason
from .backend import cookies_for, keep_cookies
from .websocket import DRAINED, RESTARTS, WebSocketTransport

_ROOM = 1 << 18
"""Bytes that are buffered before reading pauses."""
_NO_PONG = "keepalive ping timeout"
"""The reason that websockets gives when the server answers no pings."""
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


@contextlib.asynccontextmanager
async def dial_websocket(address: Address) -> AsyncGenerator[WebSocketTransport, None]:
    """Open a WebSocket to an address. Raises ConnectionClosed if the server cannot be reached."""
    closed = address.runtime.connection_closed
    ping = address.options["ping"]
    patience, parting = address.options["open_timeout"], address.options["close_timeout"]
    given: dict[str, Any] = {}
    if address.scheme == "wss" and (tls := address.options["tls"]) is not None:
        given["ssl"] = tls
    cookies = cookies_for(address.jar, address.url)
    try:
        socket = await _Opening(
            address.url,
            additional_headers={**address.headers, **({"Cookie": cookies} if cookies else {})},
            max_size=address.frame_limit,
            open_timeout=patience,
            close_timeout=parting,
            ping_interval=ping,
            ping_timeout=ping,
            compression=None,
            create_connection=FrameSocket,
            **given,
        )
    except InvalidStatus as error:
        keep_cookies(address.jar, address.url, error.response.headers.raw_items())
        body = one_line(bytes(error.response.body or b"")[:200].decode(errors="replace"))
        raise closed(
            f"{address.shown}: the server rejected the request with {error.response.status_code} {body}".rstrip()
        ) from None
    except TimeoutError:
        raise closed(f"{address.shown}: no WebSocket connection within {patience:g} s") from None
    except (OSError, UnicodeError, WebSocketException) as error:  # a host may be too long to be one
        raise closed(f"{address.shown}: {reason(error)}") from None
    if socket.response is not None:
        keep_cookies(address.jar, address.url, socket.response.headers.raw_items())
    assert isinstance(socket, FrameSocket)
    transport = _ClientWebSocket(socket, address)
    try:
        yield transport
    finally:
        transport.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(parting):
                await transport.wait_closed()
                await socket.close()
        socket.transport.abort()


class _Opening(connect):
    """An attempt to connect. Redirects are not followed, as over HTTP: another server would get the headers."""

    def process_redirect(self, exc: Exception) -> Exception:
        return exc


class _ClientWebSocket(WebSocketTransport):
    """A WebSocket of the client."""

    def __init__(self, socket: FrameSocket, address: Address) -> None:
        super().__init__(address.runtime)
        self._socket = socket
        self._address = address

    async def receive(self) -> Sequence[bytes]:
        if frames := await self._socket.frames():
            return frames
        self.left()
        received, sent = self._socket.protocol.close_rcvd, self._socket.protocol.close_sent
        if received is None or self._socket.violation is not None:
            why = "the connection broke"
            if self._socket.violation is not None:
                why = f"the server violated the WebSocket protocol: {reason(self._socket.violation)}"
            elif sent is not None and sent.reason == _NO_PONG:
                why = f"no response to a ping within {self._address.options['ping']:g} s"
            raise self._runtime.connection_closed(f"{self._address.shown}: {why}")
        if received.code not in OK_CLOSE_CODES:
            why = one_line(f"{received.code} {received.reason}")
            lost: Any = self._runtime.connection_closed(
                f"{self._address.shown}: the server closed the connection: {why}"
            )
            lost.unread = (received.code, received.reason) == (RESTARTS, DRAINED)
            raise lost
        return ()

    def send_now(self, frame: bytes) -> bool:
        return self._socket.send_now(frame if frame.isascii() else frame.decode(errors="replace").encode())

    async def send_text(self, text: str) -> None:
        await self._socket.send(text)

    async def send_close(self) -> None:
        await self._socket.close()


class FrameSocket(ClientConnection):
    """A websockets connection whose messages are read by ``frames``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._came: list[bytes] = []
        self._size = 0
        self._waiter: asyncio.Future[None] | None = None
        self._begun: bytearray | None = None
        """The beginning of an incomplete message; None if it is not a text message."""

    @property
    def violation(self) -> Exception | None:
        """The reason why the received bytes are not WebSocket frames."""
        error = self.protocol.parser_exc
        return None if isinstance(error, EOFError) else error

    async def frames(self) -> list[bytes]:
        """The received texts; none after the connection is closed, or a Close frame or a violation has arrived."""
        while not self._came:
            if self.state is State.CLOSED or self.protocol.close_rcvd is not None or self.violation is not None:
                return []
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        came, self._came = self._came, []
        if self._size > _ROOM:
            self.transport.resume_reading()
        self._size = 0
        return came

    def send_now(self, frame: bytes) -> bool:
        """Send a text immediately; False if it would have to wait, or the connection is closed."""
        if self.state is not State.OPEN or self.transport.get_write_buffer_size():
            return False
        self.protocol.send_text(frame)
        self.send_data()
        return True

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.violation is not None:
            self.transport.close()  # a server that violates the protocol might never close it
            self._stir()

    def process_event(self, event: Any) -> None:
        if self.response is None or event.opcode not in _DATA:
            super().process_event(event)
            self._stir()
        elif event.opcode is Opcode.TEXT and event.fin:
            self._take(bytes(event.data))
        else:
            self._gather(event)

    def _gather(self, event: Any) -> None:
        """Collect a part of a message. Messages that are not texts are ignored."""
        if event.opcode is not Opcode.CONT:
            self._begun = bytearray() if event.opcode is Opcode.TEXT else None
        if self._begun is None:
            return
        parts = self._begun
        parts += event.data
        if event.fin:
            self._take(bytes(parts))
            self._begun = None

    def _take(self, frame: bytes) -> None:
        full = self._size > _ROOM
        self._came.append(frame)
        self._size += len(frame)
        if self._size > _ROOM and not full:
            self.transport.pause_reading()
        self._stir()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stir()

    def _stir(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
