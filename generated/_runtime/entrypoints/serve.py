# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Agents for whoever connects: the same call on standard streams, a Unix socket, TCP and HTTP with WebSocket.

The law: each connection has an object of its own, made by the factory. SIGTERM, SIGINT and SIGHUP end it in order: no more connections
are taken, open requests end, then the connections do. What is served beyond this machine's own programs wants authentication and TLS.
"""

# Its library is an extra: where it is not installed, type checkers know nothing of its types.
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUnknownLambdaType=false

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncGenerator, Callable, Coroutine, Mapping
from typing import Any, TypedDict, Unpack, cast
from urllib.parse import urlsplit

from .connection import Connection, Options
from .doors import EndpointOptions
from .endpoint import Endpoint, Visit
from .firstword import FirstWord
from .listening import check_tls, clear_socket, listening_socket
from .options import check_options
from .peer import Peer
from .process import serve_stdio
from .signals import signalled
from .streams import HAS_UNIX, NO_UNIX
from .tasks import start

__all__ = ["HostOptions", "ServeOptions", "asgi", "serve", "serve_endpoint"]

Factory = Callable[[], Peer]

_WEB = ("http", "https", "ws", "wss")
_HEEDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(EndpointOptions.__annotations__, _WEB),
    **dict.fromkeys(("connections", "drain_timeout"), (*_WEB, "tcp", "unix")),
    **dict.fromkeys(("certificate", "private_key"), ("https", "wss")),
    "mode": ("unix",),
}
"""Where an option has an effect: elsewhere a server does not start with it, for it would be without what the option is for."""


class HostOptions(Options, EndpointOptions, TypedDict, total=False):
    """What can be set on an endpoint, and on each of its connections."""


class ServeOptions(HostOptions, Options, EndpointOptions, TypedDict, total=False):  # pdoc wants them all
    """What can be set on a server, on its endpoint, and on each connection."""

    certificate: str | os.PathLike[str] | None
    """A file with the certificates of an https or wss server, its own first."""
    private_key: str | os.PathLike[str] | None
    """The file with its key, where that is another one."""
    on_ready: Callable[[str], object] | None
    """Called with the address, its port filled in, once connections are taken."""
    mode: int
    """The permissions of a Unix socket. Default: 0o600, its owner alone."""


def asgi(kind: type[Connection], factory: Factory, **options: Unpack[HostOptions]) -> Endpoint:
    """An ASGI application that serves an object of the factory on each connection."""
    check_options(options, HostOptions.__annotations__)
    _check_factory(factory)
    ours, theirs = _split(options)

    async def accept(visit: Visit) -> None:
        connection = kind(factory(), visit.wire, **ours)
        connection.caller = visit.caller
        visit.busy = lambda: connection.busy
        await connection.serve()

    limit = options.get("frame_limit")
    own = {} if limit is None else {"frame_limit": limit}
    return Endpoint(kind._protocol, kind._side, accept, **own, **theirs)  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]


async def serve(
    kind: type[Connection], factory: Factory, address: str | None = None, **options: Unpack[ServeOptions]
) -> None:
    """Serve until a signal comes, or on standard streams until the peer leaves. Addresses: see the emitted function."""
    check_options(options, ServeOptions.__annotations__)
    _check_factory(factory)
    if address is None:
        _check_heeded("standard input and output", "", options)
        ours, _ = _split(cast("HostOptions", options))
        await serve_stdio(kind, factory(), **ours)
        return
    scheme = address.partition(":")[0].lower()
    served: Mapping[str, Callable[..., contextlib.AbstractAsyncContextManager[_Host]]] = {
        "unix": _on_unix,
        "tcp": _on_tcp,
        **dict.fromkeys(("http", "https", "ws", "wss"), _on_http),
    }
    if scheme not in served:
        raise ValueError(
            f"{address!r} is no address to serve at: write one of {', '.join(f'{name}:...' for name in served)}"
        )
    _check_heeded(repr(address), scheme, options)
    await _run(served[scheme](kind, factory, address, options), options)


async def serve_endpoint(endpoint: Endpoint, address: str, **options: Unpack[ServeOptions]) -> None:
    """Serve an endpoint at ``http://host:port`` or ``https://host:port`` until a signal comes. Options: those of the server alone."""
    _check_heeded(repr(address), address.partition(":")[0].lower(), options)
    await _run(_http_host(endpoint, address, options), options)


async def _run(host_: contextlib.AbstractAsyncContextManager[_Host], options: ServeOptions) -> None:
    """Serve until a signal comes, then end in order."""
    ended = asyncio.Event()
    with signalled(ended.set) as came:
        async with host_ as host:
            if (ready := options.get("on_ready")) is not None:
                ready(host.address)
            stop = start(ended.wait())
            try:
                await asyncio.wait([stop, host.task], return_when=asyncio.FIRST_COMPLETED)
            finally:  # whoever cancels this wants an end in order, too
                stop.cancel()
                await host.end()
    if came:
        raise SystemExit(128 + came[0])


class _Host:
    """What serves, and how it is ended in order."""

    def __init__(
        self, address: str, run: Coroutine[Any, Any, Any], end: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self.address = address
        self.task = start(run)
        self._end = end

    async def end(self) -> None:
        await self._end()
        await self.task


def _on_http(
    kind: type[Connection], factory: Factory, address: str, options: ServeOptions
) -> contextlib.AbstractAsyncContextManager[_Host]:
    given: dict[str, Any] = {name: value for name, value in options.items() if name in HostOptions.__annotations__}
    return _http_host(asgi(kind, factory, **{**_at_address(address), **given}), address, options)


def _at_address(address: str) -> dict[str, Any]:
    """What an address says of the endpoint that is served there: its path, and on a loopback address whom it answers to."""
    url = urlsplit(address)
    host = url.hostname or "127.0.0.1"
    path = {"path": url.path} if url.path.rstrip("/") else {}
    return {**path, "hosts": {host, "localhost", "127.0.0.1", "::1"}} if _is_loopback(host) else path


@contextlib.asynccontextmanager
async def _http_host(app: Endpoint, address: str, options: ServeOptions) -> AsyncGenerator[_Host, None]:
    try:
        from hypercorn.asyncio import serve as run  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
        from hypercorn.config import Config  # type: ignore[import-not-found,unused-ignore]  # noqa: PLC0415
    except ImportError as error:
        raise ImportError("to serve over HTTP, install hypercorn: the extra `remote`") from error
    url = urlsplit(address)
    secure = url.scheme in ("https", "wss")
    host, port = url.hostname or "127.0.0.1", url.port if url.port is not None else (443 if secure else 80)
    config = Config()
    if secure:
        certificate = options.get("certificate")
        if certificate is None:
            raise ValueError(f"{address!r} needs a certificate: serve(..., certificate=FILE, private_key=FILE)")
        config.certfile = os.fspath(certificate)
        config.keyfile = os.fspath(options.get("private_key") or config.certfile)
        check_tls(config.certfile, config.keyfile)
    listening = listening_socket(host, port)
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
    application: Any = app
    yield _Host(bound, run(application, config, shutdown_trigger=over.wait), end)


@contextlib.asynccontextmanager
async def _on_tcp(
    kind: type[Connection], factory: Factory, address: str, options: ServeOptions
) -> AsyncGenerator[_Host, None]:
    url = urlsplit(address)
    if url.port is None:
        raise ValueError(f"{address!r} has no port: write tcp://127.0.0.1:PORT")
    door = _Door(kind, factory, options)
    server = await asyncio.start_server(door.enter, url.hostname or "127.0.0.1", url.port)
    port = server.sockets[0].getsockname()[1]
    host = url.hostname or "127.0.0.1"
    yield door.host(server, f"tcp://{f'[{host}]' if ':' in host else host}:{port}")


@contextlib.asynccontextmanager
async def _on_unix(
    kind: type[Connection], factory: Factory, address: str, options: ServeOptions
) -> AsyncGenerator[_Host, None]:
    path = address.partition(":")[2]
    path = path.removeprefix("//") if path.startswith("///") else path
    if not path:
        raise ValueError("a Unix socket has a path: write unix:/run/agent.sock")
    if not HAS_UNIX:
        raise OSError(f"{address}: {NO_UNIX}")
    await clear_socket(path)
    door = _Door(kind, factory, options)
    before = os.umask(0o777 & ~options.get("mode", 0o600))
    try:
        server = await asyncio.start_unix_server(door.enter, path)
    finally:
        os.umask(before)
    try:
        yield door.host(server, f"unix:{path}")
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


class _Door:
    """Connections of a listening socket, a line for each frame."""

    def __init__(self, kind: type[Connection], factory: Factory, options: ServeOptions) -> None:
        self._kind = kind
        self._factory = factory
        self._limit = options.get("connections", 20_000)
        self._patience = options.get("drain_timeout", 20.0)
        self._ours, _ = _split(cast("HostOptions", options))
        self._open: dict[Connection, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()

    def host(self, server: asyncio.AbstractServer, address: str) -> _Host:
        async def end() -> None:
            server.close()
            await self._drain()
            self._ended.set()

        return _Host(address, self._ended.wait(), end)

    def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A client has connected."""
        if len(self._open) >= self._limit:
            writer.transport.abort()
            return
        connection = self._kind(self._factory(), FirstWord(reader, writer), writer, **self._ours)
        task = self._open[connection] = start(_serve_quietly(connection))
        task.add_done_callback(lambda _: self._open.pop(connection, None))

    async def _drain(self) -> None:
        loop = asyncio.get_running_loop()
        deadline = loop.time() + self._patience
        # What ends a request is nobody's event, and this is done once.
        while any(connection.busy for connection in self._open) and loop.time() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(0.02)
        for connection in list(self._open):
            await connection.close()
        if self._open:
            await asyncio.wait(list(self._open.values()), timeout=3)


async def _serve_quietly(connection: Connection) -> None:
    with contextlib.suppress(ConnectionError):  # one client's end is nobody else's business
        await connection.serve()


def _split(options: HostOptions) -> tuple[Options, EndpointOptions]:
    """The options of a connection, and those of an endpoint."""
    ours = {name: value for name, value in options.items() if name in Options.__annotations__}
    theirs = {name: value for name, value in options.items() if name in EndpointOptions.__annotations__}
    return cast("Options", ours), cast("EndpointOptions", theirs)


def _check_factory(factory: object) -> None:
    if isinstance(factory, Peer) or not callable(factory):
        raise TypeError(
            f"a server needs a function that makes one for each connection: lambda: {type(factory).__name__}()"
        )


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


def _check_heeded(place: str, scheme: str, options: Mapping[str, Any]) -> None:
    for name, schemes in _HEEDED.items():
        if options.get(name) is not None and scheme not in schemes:
            listed = " and ".join([", ".join(schemes[:-1]), schemes[-1]][len(schemes) == 1 :])
            raise ValueError(f"{place} would be served without it: `{name}` is for {listed}")
