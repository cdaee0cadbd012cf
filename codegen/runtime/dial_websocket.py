"""The wire of a WebSocket, on the client."""

# Its library is an extra: where it is not installed, type checkers know nothing of its types.
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

import contextlib
from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from .cookies import cookies_for, keep_cookies
from .dial import Address, reason
from .errors import ConnectionClosed
from .sockets import SocketWire

if TYPE_CHECKING:
    from .socket_frames import FrameSocket

__all__ = ["dial_websocket"]


@contextlib.asynccontextmanager
async def dial_websocket(address: Address) -> AsyncGenerator[SocketWire, None]:
    """A WebSocket to an address. ConnectionClosed where there is no getting through."""
    try:
        from websockets.asyncio.client import connect  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
        from websockets.exceptions import InvalidStatus, WebSocketException  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

        from .socket_frames import FrameSocket  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to connect by WebSocket, install websockets: the extra `remote`") from error
    ping = address.options.get("ping", 20.0)
    given: dict[str, Any] = {}
    if address.scheme == "wss" and (tls := address.options.get("tls")) is not None:
        given["ssl"] = tls
    cookies = cookies_for(address.jar, address.url)
    try:
        socket = await connect(
            address.url,
            additional_headers={**address.headers, **({"Cookie": cookies} if cookies else {})},
            max_size=address.frame_limit,
            open_timeout=address.options.get("open_timeout", 20.0),
            ping_interval=ping,
            ping_timeout=ping,
            compression=None,
            create_connection=FrameSocket,
            **given,
        )
    except InvalidStatus as error:
        keep_cookies(address.jar, address.url, error.response.headers.raw_items())
        body = bytes(error.response.body or b"")[:200].decode(errors="replace")
        raise ConnectionClosed(
            f"{address.shown}: the server refused with {error.response.status_code} {' '.join(body.split())}".rstrip()
        ) from None
    except TimeoutError:
        raise ConnectionClosed(f"{address.shown}: nobody answers") from None
    except (OSError, UnicodeError, WebSocketException) as error:  # a host may be too long to be one
        raise ConnectionClosed(f"{address.shown}: {reason(error)}") from None
    if socket.response is not None:
        keep_cookies(address.jar, address.url, socket.response.headers.raw_items())
    assert isinstance(socket, FrameSocket)
    wire = _ClientSocket(socket, address)
    try:
        yield wire
    finally:
        wire.close()
        await wire.wait_closed()
        await socket.close()


class _ClientSocket(SocketWire):
    """A WebSocket of the client."""

    def __init__(self, socket: FrameSocket, address: Address) -> None:
        super().__init__()
        self._socket = socket
        self._address = address

    async def receive(self) -> Sequence[bytes]:
        if frames := await self._socket.frames():
            return frames
        self.left()
        said = self._socket.protocol.close_exc
        if said.rcvd is None:
            raise ConnectionClosed(f"{self._address.shown}: the connection broke")
        if not _in_order(said):
            why = f"{said.rcvd.code} {said.rcvd.reason}".rstrip()
            raise ConnectionClosed(f"{self._address.shown}: the server closed the connection: {why}")
        return ()

    def send_now(self, frame: bytes) -> bool:
        return self._socket.send_now(frame if frame.isascii() else frame.decode(errors="replace").encode())

    async def send_text(self, text: str) -> None:
        await self._socket.send(text)

    async def send_close(self) -> None:
        await self._socket.close()


def _in_order(said: Any) -> bool:
    from websockets.exceptions import ConnectionClosedOK  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415

    return isinstance(said, ConnectionClosedOK)
