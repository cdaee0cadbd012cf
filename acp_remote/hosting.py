"""Serving an endpoint at an address with hypercorn: the listening socket, TLS and graceful shutdown."""

# The types of hypercorn are partly unknown.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from functools import partial
from typing import Any, cast
from urllib.parse import urlsplit

from .asgi import Endpoint, application
from .interface import Connect, Host, Runtime, check_interface
from .responses import counted

logger = logging.getLogger(__name__)

_GRACE = 1.0
"""Seconds for which a stopping server accepts requests, and again for sending responses."""
MAX_REQUESTS = 10_000
"""Maximum number of requests on a network connection. This limits clients that open requests only to reset them."""


_CHUNK = 1 << 15
"""Bytes of a connection that are handled before the others get their turn. With smaller chunks, uploads over HTTP/2
stall: httpcore misses a window update that another stream's reader takes.
"""


class FairReader(asyncio.StreamReader):
    """A reader that yields to other readers before each chunk. Otherwise, a flood on one connection would delay the
    others.
    """

    async def read(self, n: int = -1) -> bytes:
        if self._buffer:  # type: ignore[attr-defined]
            await asyncio.sleep(0)
        return await super().read(n if n < 0 else min(n, _CHUNK))


async def serve_endpoint(
    endpoint: Endpoint,
    address: str,
    *,
    certificate: str | os.PathLike[str] | None = None,
    private_key: str | os.PathLike[str] | None = None,
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Serve an endpoint at ``http://host:port`` or ``https://host:port`` until a signal arrives. Options: see `serve`."""
    options = {"certificate": certificate, "private_key": private_key, "on_ready": on_ready}
    await endpoint.runtime.serve_host(_host(endpoint, address, options), address, options)


def host_agent(
    runtime: Runtime, side: str, connect: Connect, address: str, options: Mapping[str, Any]
) -> contextlib.AbstractAsyncContextManager[Host]:
    """Serve an agent at an address. The server calls `connect` for each client to create the package's connection."""
    check_interface(runtime)
    known = {name: value for name, value in options.items() if name in (*runtime.endpoint_options, "limits")}
    return _host(application(runtime, side, connect, **{**_at_address(address), **known}), address, options)


def _at_address(address: str) -> dict[str, Any]:
    """Options that an address implies: the path, and the accepted host names on a loopback address."""
    url = urlsplit(address)
    host = url.hostname or "127.0.0.1"
    path = {"path": url.path} if url.path.rstrip("/") else {}
    return {**path, "hosts": {host, "localhost", "127.0.0.1", "::1"}} if _is_loopback(host) else path


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


@contextlib.asynccontextmanager
async def _host(app: Endpoint, address: str, options: Mapping[str, Any]) -> AsyncGenerator[Host, None]:
    try:
        from hypercorn.app_wrappers import ASGIWrapper  # noqa: PLC0415  # imported when it is used
        from hypercorn.asyncio.tcp_server import TCPServer  # noqa: PLC0415
        from hypercorn.asyncio.worker_context import WorkerContext  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to serve over HTTP, install hypercorn: pip install acp-remote") from error
    url = urlsplit(address)
    secure = url.scheme in ("https", "wss")
    config = _configuration(app, address, options, secure=secure)
    app.pings = app.options["ping"]
    host, port = url.hostname or "127.0.0.1", url.port if url.port is not None else (443 if secure else 80)
    listening = app.runtime.listening_socket(host, port)
    context, loop = WorkerContext(None), asyncio.get_running_loop()
    tasks: set[asyncio.Task[Any]] = set()

    class Server(TCPServer):
        """A network connection whose responses end with it: hypercorn waits for the HTTP/2 window of a lost client."""

        async def _read_data(self) -> None:
            await super()._read_data()
            for buffer in list(getattr(self.protocol.protocol, "stream_buffers", {}).values()):
                await buffer.close()

    def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = app.runtime.start(Server(wrapped, loop, config, context, {}, reader, writer).run())
        tasks.add(task)
        task.add_done_callback(partial(_left, tasks))

    def factory(_: object) -> asyncio.BaseProtocol:
        return asyncio.StreamReaderProtocol(FairReader(), enter)

    listener = app.runtime.listener(listening, factory, options, config.create_ssl_context() if secure else None)
    wrapped = ASGIWrapper(cast("Any", counted(app, listener.of)))
    over = asyncio.Event()

    async def run() -> None:
        await over.wait()
        await listener.close()
        if tasks:  # a request that is on its way gets a response, which ends its network connection
            await asyncio.wait(tasks, timeout=_GRACE)
        await context.terminated.set()
        if tasks:
            await asyncio.wait(tasks, timeout=_GRACE)
            for task in list(tasks):
                task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def end() -> None:
        await app.drain()
        over.set()

    shown = f"[{host}]" if ":" in host else host
    bound = f"{url.scheme}://{shown}:{listening.getsockname()[1]}{app.path}"
    yield app.runtime.host(bound, run(), end)


def _configuration(app: Endpoint, address: str, options: Mapping[str, Any], *, secure: bool) -> Any:
    """hypercorn's configuration for an endpoint."""
    from hypercorn.config import Config  # noqa: PLC0415

    config: Any = Config()
    if secure:
        certificate = options.get("certificate")
        if certificate is None:
            raise ValueError(f"{address!r} needs a certificate: serve(..., certificate=FILE, private_key=FILE)")
        files: tuple[str, str] = (os.fspath(certificate), os.fspath(options.get("private_key") or certificate))
        _check_tls(*files)
        config.certfile, config.keyfile = files
    config.accesslog = config.errorlog = None
    config.h2_max_concurrent_streams = 4096
    config.keep_alive_max_requests = MAX_REQUESTS
    config.websocket_max_message_size = app.frame_limit
    return config


def _left(tasks: set[asyncio.Task[Any]], task: asyncio.Task[None]) -> None:
    """Handle the end of a network connection. hypercorn raises errors for the rest of a body rejected over HTTP/2."""
    tasks.discard(task)
    if not task.cancelled() and (error := task.exception()) is not None:
        logger.debug("a network connection has ended: %r", error)


def _check_tls(certificate: str, key: str) -> None:
    """Check the TLS files before the server starts, with one-line errors. Otherwise every handshake would fail."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"the certificate {certificate} with the key {key} cannot be used: {error}") from None
