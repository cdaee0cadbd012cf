"""uvicorn for any ASGI application, on a listening socket of this package, which limits network connections and closes
silent ones.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any

import uvicorn

from .interface import Listener, Runtime, check_interface
from .responses import counted

logger = logging.getLogger("uvicorn.error")
_HEAD = 1 << 16
"""Maximum bytes of headers, and of any other data without a part of the body. httptools itself has no limit."""
_OPTIONS = ("request_timeout", "sockets", "sockets_each")


class Server(uvicorn.Server):
    """A `uvicorn.Server` with the options `sockets`, `sockets_each` and `request_timeout` of `serve`.

    ``Server(transports.runtime(PROTOCOL), uvicorn.Config(app, ...), sockets_each=100).run()``. Listening sockets may be
    passed to `run` and `serve`, as to any uvicorn server. It runs in one process.
    """

    def __init__(self, runtime: Runtime, config: uvicorn.Config, **options: Any) -> None:
        check_interface(runtime)
        runtime.check_options(options, _OPTIONS)
        super().__init__(config)
        self._runtime = runtime
        self._options = options
        self._listeners: list[Listener] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        config: Any = self.config  # uvicorn's types of ASGI are not those of this package
        config.loaded_app = counted(config.loaded_app, self._of)
        config.http_protocol_class = _bounded(config.http_protocol_class)
        config.ws_protocol_class = _waiting(config.ws_protocol_class)
        await super().startup(sockets=[])
        if sockets is None and (config.uds is not None or config.fd is not None):
            sockets = [config.bind_socket()]
        listening = sockets or [self._runtime.listening_socket(config.host, config.port)]
        for each in listening:
            each.listen(config.backlog)
            self._listeners.append(self._runtime.listener(each, self._protocol, self._options, config.ssl))
            place = each.getsockname()
            logger.info("Uvicorn running on %s", place if isinstance(place, str) else f"{place[0]}:{place[1]}")
        self.servers = [_Closing(listener) for listener in self._listeners]  # type: ignore[misc]

    def _of(self, peer: object) -> Any:
        """The network connection with a remote address."""
        return next((found for each in self._listeners if (found := each.of(peer)) is not None), None)

    def _protocol(self, _: object) -> asyncio.BaseProtocol:
        """Create a uvicorn protocol for a network connection, as uvicorn's `startup` does."""
        state, loop = self.lifespan.state, asyncio.get_running_loop()
        kind: Any = self.config.http_protocol_class
        made: asyncio.BaseProtocol = kind(
            config=self.config, server_state=self.server_state, app_state=state, _loop=loop
        )
        return made


class _Closing:
    """Closes a listener, with the interface of an `asyncio.Server` that uvicorn expects."""

    def __init__(self, listener: Listener) -> None:
        self._listener = listener
        self._closing: asyncio.Task[None] | None = None

    def close(self) -> None:
        self._closing = asyncio.ensure_future(self._listener.close())

    async def wait_closed(self) -> None:
        if self._closing is not None:
            await self._closing


def _bounded(kind: Any) -> Any:
    """uvicorn's HTTP protocol, which also closes a network connection if its headers are too long."""
    if not hasattr(kind, "on_body"):  # h11 has a limit
        return kind

    class Bounded(kind):  # type: ignore[misc]
        dry = 0

        def data_received(self, data: bytes) -> None:
            self.dry += len(data)
            super().data_received(data)  # pyright: ignore[reportUnknownMemberType]
            if self.dry > _HEAD:
                self.transport.close()

        def on_headers_complete(self) -> None:
            self.dry = 0
            super().on_headers_complete()  # pyright: ignore[reportUnknownMemberType]

        def on_body(self, body: bytes) -> None:
            self.dry = 0
            super().on_body(body)  # pyright: ignore[reportUnknownMemberType]

    return Bounded


def _waiting(kind: Any) -> Any:
    """uvicorn's WebSocket protocol, which stops reading while its client reads nothing. Otherwise, responses to pings
    would accumulate.
    """
    if kind is None:
        return None

    class Waiting(kind):  # type: ignore[misc]
        def data_received(self, data: bytes) -> None:
            super().data_received(data)  # pyright: ignore[reportUnknownMemberType]
            if not self.writable.is_set():
                self.transport.pause_reading()

        def resume_writing(self) -> None:
            super().resume_writing()  # pyright: ignore[reportUnknownMemberType]
            if not self.read_paused:
                self.transport.resume_reading()

    return Waiting if kind.__module__.endswith("sansio_impl") else kind
