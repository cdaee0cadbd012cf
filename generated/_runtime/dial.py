# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""Connections to agents elsewhere: by the scheme of an address a WebSocket, HTTP, a TCP or a Unix socket.

The law: an address is dialled once, and what is wrong with that is one line that names the address. Cookies that the server sets are
kept in one jar and sent back. What opens connections again is ``reconnecting``, with this as its opener.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
from collections.abc import AsyncGenerator, Callable, Mapping
from http.cookiejar import CookieJar
from typing import Any, Literal, TypedDict, TypeVar, Unpack, cast
from urllib.parse import urlsplit, urlunsplit

from ._base import Protocol
from .connection import Connection, Options
from .errors import ConnectionClosed
from .limits import FRAME_LIMIT
from .lines import LineWire
from .options import check_options
from .peer import Peer
from .streams import HAS_UNIX, NO_UNIX
from .wire import Wire

__all__ = ["ConnectOptions", "DialOptions", "connect", "dial"]

ConnectionT = TypeVar("ConnectionT", bound=Connection)
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_SECURE = {"http": "ws", "https": "wss", "ws": "http", "wss": "https"}


class DialOptions(TypedDict, total=False):
    """What can be set on a connection to an address."""

    profile: Literal["http", "websocket"] | None
    """How an HTTP server is spoken to. Default: by the scheme, ``ws`` and ``wss`` by WebSocket, ``http`` and ``https`` by HTTP."""
    http2: bool
    """Speak HTTP/2 at once, without TLS to agree on it (h2c). Default: what is agreed on with TLS, HTTP/1.1 without."""
    bearer: str | None
    """A token, sent as ``Authorization: Bearer TOKEN``."""
    headers: Mapping[str, str]
    """Headers of every request."""
    cookies: CookieJar
    """Where cookies are kept. Give the same one to each connection of a client, so that a balancer finds its server again."""
    tls: ssl.SSLContext | None
    """Whom to trust, and who we are. Default: what the system trusts."""
    open_timeout: float
    """Seconds that opening may take. Default: 20."""
    ping: float | None
    """Seconds between pings of a WebSocket; a server that answers none for as long is gone. Default: 20."""
    silence: float
    """Seconds after which an event stream without a sign of life is opened anew. Default: 90."""
    frame_limit: int
    """Bytes that a frame may have. Default: 32 MiB."""


class ConnectOptions(DialOptions, Options, TypedDict, total=False):
    """What can be set on a connection to an address, and on what is spoken over it."""


class Address:
    """A URL, and how to go there."""

    def __init__(self, protocol: Protocol, url: str, options: DialOptions) -> None:
        self.protocol = protocol
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        profile = options.get("profile")
        if profile not in (None, "http", "websocket"):
            raise ValueError(f"profile is {profile!r}, expected 'http', 'websocket' or None")
        if profile is not None and scheme in _SECURE and (profile == "websocket") != scheme.startswith("ws"):
            scheme = _SECURE[scheme]
        if protocol.remote is None and scheme in _SECURE:
            raise ValueError("the schema of this package does not say how the protocol is spoken over HTTP: `x-remote`")
        path = parts.path
        if not path.rstrip("/") and protocol.remote is not None:
            path = protocol.remote.path
        self.scheme = scheme
        self.url = urlunsplit((scheme, parts.netloc, path, parts.query, "")) if scheme in _SECURE else url
        self.host, self.port = parts.hostname, parts.port
        self.path = parts.path
        self.options = options
        self.frame_limit = options.get("frame_limit", FRAME_LIMIT)
        jar = options.get("cookies")
        self.jar: CookieJar = CookieJar() if jar is None else jar  # an empty one is false
        token = options.get("bearer")
        own = {"Authorization": f"Bearer {token}"} if token is not None else {}
        self.headers: dict[str, str] = {**own, **options.get("headers", {})}
        for name, value in self.headers.items():
            if not _TOKEN.fullmatch(name) or not (value.isascii() and value.isprintable()):
                raise ValueError(
                    f"the header {name!r} cannot be sent: a name has letters, digits and hyphens, a value printable ASCII characters"
                )
        self.shown = url if scheme == "unix" else urlunsplit((scheme, parts.netloc.rpartition("@")[2], path, "", ""))
        """The address without what is secret in it."""


@contextlib.asynccontextmanager
async def dial(protocol: Protocol, url: str, **options: Unpack[DialOptions]) -> AsyncGenerator[Wire, None]:
    """A wire to an address; it ends with the block. ConnectionClosed, in a line, where there is no getting through."""
    check_options(options, DialOptions.__annotations__)
    async with _way(protocol, url, options) as (address, way), way(address) as wire:
        yield wire


@contextlib.asynccontextmanager
async def connect(
    kind: type[ConnectionT], handler: Peer, url: str, **options: Unpack[ConnectOptions]
) -> AsyncGenerator[ConnectionT, None]:
    """A connection to what is served at an address; it ends with the block."""
    check_options(options, ConnectOptions.__annotations__)
    ours = cast("Options", {name: value for name, value in options.items() if name in Options.__annotations__})
    dialled = cast("DialOptions", {n: v for n, v in options.items() if n in DialOptions.__annotations__})
    async with (
        _way(kind._protocol, url, dialled) as (address, way),  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        way(address) as wire,
        kind(handler, wire, **ours) as connection,
    ):
        yield connection


Way = Callable[[Address], contextlib.AbstractAsyncContextManager[Wire]]


@contextlib.asynccontextmanager
async def _way(protocol: Protocol, url: str, options: DialOptions) -> AsyncGenerator[tuple[Address, Way], None]:
    address = Address(protocol, url, options)
    ways: dict[str, Way] = {
        "tcp": _by_tcp,
        "unix": _by_unix,
        **dict.fromkeys(("ws", "wss"), _by_websocket),
        **dict.fromkeys(("http", "https"), _by_http),
    }
    if address.scheme not in ways:
        raise ValueError(
            f"{address.shown!r} is no address of an agent: write one of {', '.join(f'{name}:...' for name in ways)}"
        )
    yield address, ways[address.scheme]


@contextlib.asynccontextmanager
async def _by_tcp(address: Address) -> AsyncGenerator[Wire, None]:
    if address.host is None or address.port is None:
        raise ValueError(f"{address.shown!r} has no host or no port: write tcp://HOST:PORT")
    opening = asyncio.open_connection(address.host, address.port)
    async with _streams(address, opening) as wire:
        yield wire


@contextlib.asynccontextmanager
async def _by_unix(address: Address) -> AsyncGenerator[Wire, None]:
    if not HAS_UNIX:
        raise ConnectionClosed(f"{address.shown}: {NO_UNIX}")
    async with _streams(address, asyncio.open_unix_connection(address.path)) as wire:
        yield wire


@contextlib.asynccontextmanager
async def _streams(address: Address, opening: Any) -> AsyncGenerator[Wire, None]:
    try:
        async with asyncio.timeout(address.options.get("open_timeout", 20.0)):
            reader, writer = await opening
    except TimeoutError:
        raise ConnectionClosed(f"{address.shown}: nobody answers") from None
    except (OSError, UnicodeError) as error:  # a host may be too long to be one
        raise ConnectionClosed(f"{address.shown}: {reason(error)}") from None
    try:
        yield LineWire(reader, writer, address.frame_limit)
    finally:
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


@contextlib.asynccontextmanager
async def _by_websocket(address: Address) -> AsyncGenerator[Wire, None]:
    from .dial_websocket import dial_websocket  # noqa: PLC0415  # what it needs is not part of every installation

    async with dial_websocket(address) as wire:
        yield wire


@contextlib.asynccontextmanager
async def _by_http(address: Address) -> AsyncGenerator[Wire, None]:
    from .dial_http import dial_http  # noqa: PLC0415

    async with dial_http(address) as wire:
        yield wire


def reason(error: BaseException) -> str:
    """Why a connection could not be made, in a line."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {cause.verify_message}. Give `tls` a context that trusts its authority"
        if isinstance(cause, ssl.SSLError):
            return f"no TLS connection can be made: {cause.reason or cause}"
        cause = cause.__cause__ or cause.__context__
    text = " ".join(str(error).split())
    return text or type(error).__name__
