"""Serving an endpoint at an address, with hypercorn: the listening socket, TLS, and how the server is shut down gracefully."""

# The types of hypercorn are partly unknown.
# pyright: reportUnknownVariableType=false, reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from .asgi import Endpoint, application
from .interface import Connect, Host, Runtime, check_interface

__all__ = ["host_agent", "serve_endpoint"]


async def serve_endpoint(
    endpoint: Endpoint,
    address: str,
    *,
    certificate: str | os.PathLike[str] | None = None,
    private_key: str | os.PathLike[str] | None = None,
    on_ready: Callable[[str], object] | None = None,
) -> None:
    """Serve an endpoint at ``http://host:port`` or ``https://host:port`` until a signal arrives. Options: as those of `serve`."""
    options = {"certificate": certificate, "private_key": private_key, "on_ready": on_ready}
    await endpoint.runtime.serve_host(_host(endpoint, address, options), address, options)


def host_agent(
    runtime: Runtime, side: str, connect: Connect, address: str, options: Mapping[str, Any]
) -> contextlib.AbstractAsyncContextManager[Host]:
    """A server at an address that serves a connection of the package to each client: `connect` makes it."""
    check_interface(runtime)
    known = {name: value for name, value in options.items() if name in (*runtime.endpoint_options, "limits")}
    return _host(application(runtime, side, connect, **{**_at_address(address), **known}), address, options)


def _at_address(address: str) -> dict[str, Any]:
    """Options that an address implies: the path, and on a loopback address the accepted host names."""
    url = urlsplit(address)
    host = url.hostname or "127.0.0.1"
    path = {"path": url.path} if url.path.rstrip("/") else {}
    return {**path, "hosts": {host, "localhost", "127.0.0.1", "::1"}} if _is_loopback(host) else path


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


@contextlib.asynccontextmanager
async def _host(app: Endpoint, address: str, options: Mapping[str, Any]) -> AsyncGenerator[Host, None]:
    try:
        from hypercorn.asyncio import serve as run  # noqa: PLC0415  # imported when it is used
        from hypercorn.config import Config  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to serve over HTTP, install hypercorn: pip install acp-remote") from error
    url = urlsplit(address)
    secure = url.scheme in ("https", "wss")
    host, port = url.hostname or "127.0.0.1", url.port if url.port is not None else (443 if secure else 80)
    config: Any = Config()
    if secure:
        certificate = options.get("certificate")
        if certificate is None:
            raise ValueError(f"{address!r} needs a certificate: serve(..., certificate=FILE, private_key=FILE)")
        files: tuple[str, str] = (os.fspath(certificate), os.fspath(options.get("private_key") or certificate))
        _check_tls(*files)
        config.certfile, config.keyfile = files
    listening = _listening_socket(host, port)
    config.bind = [f"fd://{listening.fileno()}"]
    config.accesslog = config.errorlog = None
    config.graceful_timeout = 1.0
    config.h2_max_concurrent_streams = 4096
    config.keep_alive_max_requests = 1 << 62  # it closes network connections after 1,000 requests
    config.websocket_max_message_size = app.frame_limit
    app.pings = app.options.get("ping", 15.0)
    over = asyncio.Event()

    async def end() -> None:
        await app.drain()
        over.set()

    shown = f"[{host}]" if ":" in host else host
    bound = f"{url.scheme}://{shown}:{listening.getsockname()[1]}{app.path}"
    listening.detach()  # hypercorn closes it
    served: Any = app
    yield app.runtime.host(bound, run(served, config, shutdown_trigger=over.wait), end)


def _listening_socket(host: str, port: int) -> socket.socket:
    """A TCP socket that takes connections."""
    family, kind, number, _, place = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    listening = socket.socket(family, kind, number)
    # On Windows, SO_REUSEADDR lets another program take over a port that is in use.
    try:
        listening.setsockopt(socket.SOL_SOCKET, getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR), 1)
        listening.bind(place)
        _keep_alive(listening)
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    listening.setblocking(False)
    return listening


def _keep_alive(listening: socket.socket) -> None:
    """Have the system find out about peers that are gone without a word: what is accepted inherits this."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    # The last is for what was sent and is never taken, in milliseconds: keep-alive is silent meanwhile.
    for name, value in (("TCP_KEEPIDLE", 30), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", 60_000)):
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)


def _check_tls(certificate: str, key: str) -> None:
    """Say in a line what is wrong with the files, before a server starts that refuses everyone."""
    try:
        ssl.create_default_context(ssl.Purpose.CLIENT_AUTH).load_cert_chain(certificate, key)
    except (OSError, ssl.SSLError) as error:
        raise ValueError(f"the certificate {certificate} with the key {key} cannot be used: {error}") from None
