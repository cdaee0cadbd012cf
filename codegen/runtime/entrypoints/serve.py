"""Servers on standard streams, Unix sockets and TCP, and with networking (``remote``) over HTTP and WebSocket.

- A factory creates an object for each connection.
- SIGTERM, SIGINT and SIGHUP shut a server down gracefully: it accepts no more connections, waits for pending requests
  and closes the connections.
- Ports, sockets and files of other programs are left alone.
- A web page can make a browser connect to any port and send HTTP or TLS. A socket connection therefore closes without
  a response unless its first non-blank byte opens an object or an array.

Require authentication and TLS unless the server listens on a loopback address or a Unix socket.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import stat
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypedDict, Unpack
from urllib.parse import urlsplit

from ..connection.connection import Connection, Options
from ..connection.handlers import Peer
from ..connection.options import check_options, chosen, protocol_with
from ..tasks import start
from ..transport.base import Caller, Transport
from ..transport.options import ENDPOINT_DEFAULTS, EndpointOptions
from ..transport.stdio import HAS_UNIX, NO_UNIX
from .host import WEB, Host, check_heeded, fastest_loop, serve_host
from .listening import BACKLOG, Listener, Socket, listening_socket, streams
from .process import maker, serve_stdio

if TYPE_CHECKING:
    from .remote import Application

Factory = Callable[[], Peer]
Make = Callable[..., Connection]


class HostOptions(Options, EndpointOptions, TypedDict, total=False):
    """Options of an endpoint and of its connections."""


class ServeOptions(HostOptions, Options, EndpointOptions, TypedDict, total=False):  # pdoc wants them all
    """Options of a server, of its endpoint and of its connections."""

    certificate: str | os.PathLike[str] | None
    """The file with the certificate chain of an https or wss server, its own certificate first."""
    private_key: str | os.PathLike[str] | None
    """The file with the private key, unless `certificate` contains it."""
    on_ready: Callable[[str], object] | None
    """Called with the address, including the port, when the server accepts connections."""
    mode: int
    """The permissions of a Unix socket. Default: 0o600, access only for its owner."""


def asgi(
    kind: type[Connection], factory: Factory, versions: Sequence[Any] = (), **options: Unpack[HostOptions]
) -> Application:
    """Create an ASGI application that serves one object of the factory per connection."""
    from .remote import networking, runtime  # noqa: PLC0415  # most agents never need it

    check_options(options, HostOptions.__annotations__)
    if given := [name for name in ("sockets", "sockets_each") if options.get(name) is not None]:
        raise ValueError(
            f"`{given[0]}` is an option of `serve`: the server that runs your application manages the network "
            "connections"
        )
    _check_factory(factory)
    own = runtime(protocol_with(kind._protocol, options))  # noqa: SLF001
    connector, theirs = _connector(maker(kind, factory, versions), options), chosen(options, EndpointOptions)
    made: Application = networking(own).application(own, kind._side, connector, limits=options.get("limits"), **theirs)  # noqa: SLF001
    return made


async def serve(
    kind: type[Connection],
    factory: Factory,
    address: str | None = None,
    versions: Sequence[Any] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Serve until a signal arrives, or on standard streams until the peer disconnects. Addresses: see the emitted
    function.
    """
    check_options(options, ServeOptions.__annotations__)
    _check_factory(factory)
    if address is None:
        check_heeded("standard input and output", "", options)
        await serve_stdio(kind, factory(), versions, **chosen(options, Options))
        return
    scheme = address.partition(":")[0].lower()
    served: Mapping[str, Callable[..., AbstractAsyncContextManager[Host]]] = {
        "unix": _on_unix,
        "tcp": _on_tcp,
        **dict.fromkeys(WEB, _by_networking),
    }
    if scheme not in served:
        raise ValueError(
            f"{address!r} is not an address to serve at: expected one of {', '.join(f'{name}:...' for name in served)}"
        )
    check_heeded(repr(address), scheme, options)
    make = maker(kind, factory, versions)
    await serve_host(served[scheme](kind, make, address, options), repr(address), scheme, options)


def run_server(
    kind: type[Connection],
    factory: Factory,
    address: str,
    versions: Sequence[Any] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Serve in a new event loop."""
    with asyncio.Runner(loop_factory=fastest_loop()) as runner:
        runner.run(serve(kind, factory, address, versions, **options))


def _by_networking(
    kind: type[Connection], make: Make, address: str, options: ServeOptions
) -> AbstractAsyncContextManager[Host]:
    from .remote import networking, runtime  # noqa: PLC0415

    own = runtime(protocol_with(kind._protocol, options))  # noqa: SLF001
    connector = _connector(make, options)
    host: AbstractAsyncContextManager[Host] = networking(own).host_agent(own, kind._side, connector, address, options)  # noqa: SLF001
    return host


def _connector(make: Make, options: Mapping[str, Any]) -> Callable[[Transport, Caller], Connection]:
    """A function that creates a connection on a transport, with an object of the factory."""
    ours = chosen(options, Options)

    def connect(transport: Transport, caller: Caller) -> Connection:
        connection = make(transport, **ours)
        connection.caller = caller
        return connection

    return connect


@contextlib.asynccontextmanager
async def _on_tcp(_: type[Connection], make: Make, address: str, options: ServeOptions) -> AsyncGenerator[Host, None]:
    url = urlsplit(address)
    if url.port is None:
        raise ValueError(f"{address!r} has no port: expected tcp://127.0.0.1:PORT")
    host = url.hostname or "127.0.0.1"
    listening = listening_socket(host, url.port)
    port = listening.getsockname()[1]
    yield _Door(make, options).host(listening, f"tcp://{f'[{host}]' if ':' in host else host}:{port}")


@contextlib.asynccontextmanager
async def _on_unix(_: type[Connection], make: Make, address: str, options: ServeOptions) -> AsyncGenerator[Host, None]:
    path = address.partition(":")[2]
    path = path.removeprefix("//") if path.startswith("///") else path
    if not path:
        raise ValueError("the Unix socket needs a path: expected unix:/run/agent.sock")
    if not HAS_UNIX:
        raise OSError(f"{address}: {NO_UNIX}")
    await _clear_socket(path)
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o777 & ~options.get("mode", 0o600))
    try:
        listening.bind(path)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise OSError(f"cannot serve at {path}: {error}") from None
    finally:
        os.umask(before)
    try:
        yield _Door(make, options).host(listening, f"unix:{path}")
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)


class _Door:
    """Accepts connections of a listening socket, one line per frame."""

    def __init__(self, make: Make, options: ServeOptions) -> None:
        self._make = make
        self._options = options
        given: dict[str, Any] = {**ENDPOINT_DEFAULTS, **options}
        self._limit = given["connections"]
        self._patience = given["drain_timeout"]
        self._ours = chosen(options, Options)
        self._open: dict[Connection, asyncio.Task[None]] = {}
        self._ended = asyncio.Event()

    def host(self, listening: socket.socket, address: str) -> Host:
        self._listener = Listener(listening, streams(self.enter), self._options)

        async def end() -> None:
            await self._listener.close()
            await self._drain()
            self._ended.set()

        return Host(address, self._ended.wait(), end)

    def enter(self, opened: Socket, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Handle a new connection."""
        if len(self._open) >= self._limit:
            writer.transport.abort()
            return
        check = FirstByteCheck(reader, writer, opened.begin)
        connection = self._make(check, writer, **self._ours)
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


def _check_factory(factory: object) -> None:
    if isinstance(factory, Peer) or not callable(factory):
        raise TypeError(
            f"a server needs a function that creates an object per connection: lambda: {type(factory).__name__}()"
        )


async def _clear_socket(path: str) -> None:
    """Remove the socket of a server that has ended. Raises OSError if a server still listens."""
    if not os.path.exists(path):  # noqa: ASYNC240
        return
    if not stat.S_ISSOCK(os.stat(path).st_mode):  # to connect to a file is refused, too
        raise OSError(f"{path} exists and is not a socket")
    try:
        _, writer = await asyncio.open_unix_connection(path)
    except ConnectionRefusedError:
        os.unlink(path)
        return
    except OSError as error:
        raise OSError(f"{path} exists but cannot be used: {error}") from None
    writer.close()
    raise OSError(f"{path} is in use by another program")


class FirstByteCheck:
    """A reader that ends its connection unless the first byte begins a message."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, framed: Callable[[], None] = lambda: None
    ) -> None:
        self._reader = reader
        self._writer = writer
        self._framed = framed
        """Called when the first message is complete."""
        self._begun = self._complete = False

    async def read(self, n: int, /) -> bytes:
        data = await self._reader.read(n)
        if self._complete:
            return data
        if self._begun:
            self._look(data)
            return data
        said = data.lstrip(b" \t\r\n")
        if not said:
            return data
        if said[:1] not in (b"{", b"["):
            self._writer.transport.abort()
            return b""
        self._begun = True
        self._look(said)
        return data

    def _look(self, data: bytes) -> None:
        if b"\n" in data:
            self._complete = True
            self._framed()
