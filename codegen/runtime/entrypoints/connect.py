"""Connections to remote agents: TCP and Unix sockets directly, HTTP and WebSocket through networking (``remote``).

A function tries an address once. Its errors are one line with the address. ``reconnecting`` uses this module to reopen
connections.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Any, TypedDict, TypeVar, Unpack
from urllib.parse import urlsplit

from ..connection.connection import Connection, Options
from ..connection.handlers import Peer
from ..connection.options import check_options, chosen, part, protocol_with
from ..errors import ConnectionClosed
from ..schema.definitions import Protocol
from ..transport.base import NdjsonTransport, Transport
from ..transport.options import DIAL_DEFAULTS, DialOptions
from ..transport.stdio import HAS_UNIX, NO_UNIX
from .host import WEB

_KEEPALIVE = 20.0
"""Seconds of silence on a socket before its peer is pinged, as on a WebSocket."""
ConnectionT = TypeVar("ConnectionT", bound=Connection)
Opened = contextlib.AbstractAsyncContextManager[Transport]


class ConnectOptions(DialOptions, Options, TypedDict, total=False):
    """Options of a connection to an address."""


@contextlib.asynccontextmanager
async def dial(protocol: Protocol, url: str, **options: Unpack[DialOptions]) -> AsyncGenerator[Transport, None]:
    """Open a transport to an address; the block closes it. Raises ConnectionClosed if the server cannot be reached."""
    check_options(options, DialOptions.__annotations__)
    async with _opened(protocol, url, options) as transport:
        yield transport


@contextlib.asynccontextmanager
async def connect(
    kind: type[ConnectionT], handler: Peer, url: str, versions: Sequence[Any] = (), **options: Unpack[ConnectOptions]
) -> AsyncGenerator[ConnectionT, None]:
    """A connection to the agent at an address; it ends with the block.

    With handlers of other protocol `versions`, the connection uses the version that the agent selects.
    """
    check_options(options, ConnectOptions.__annotations__)
    ours = chosen(options, Options)
    if urlsplit(url).scheme.lower() not in WEB:
        ours.setdefault("keepalive", _KEEPALIVE)
    async with _opened(protocol_with(kind._protocol, options), url, chosen(options, DialOptions)) as transport:  # noqa: SLF001
        if versions:
            several = part("entrypoints.versions", "versions")
            opened: Any = several.negotiated(several.versions_of(kind, handler, versions), transport, ours)
        else:
            opened = kind(handler, transport, **ours)
        async with opened as connection:
            yield connection


def _opened(protocol: Protocol, url: str, options: DialOptions) -> Opened:
    openers: dict[str, Callable[[Protocol, str, DialOptions], Opened]] = {
        "tcp": _by_tcp,
        "unix": _by_unix,
        **dict.fromkeys(WEB, _by_networking),
    }
    parts = urlsplit(url)
    scheme = parts.scheme.lower()
    if scheme not in openers:
        shown = parts._replace(netloc=parts.netloc.rpartition("@")[2], query="", fragment="").geturl()
        raise ValueError(
            f"{shown!r} is not the address of an agent: expected one of {', '.join(f'{name}:...' for name in openers)}"
        )
    return openers[scheme](protocol, url, options)


def _by_networking(protocol: Protocol, url: str, options: DialOptions) -> Opened:
    from .remote import networking, runtime  # noqa: PLC0415  # most programs need no networking

    ours = runtime(protocol)
    opened: Opened = networking(ours).dial(ours, url, **options)
    return opened


@contextlib.asynccontextmanager
async def _by_tcp(_: Protocol, url: str, options: DialOptions) -> AsyncGenerator[Transport, None]:
    parts = urlsplit(url)
    shown = f"tcp://{parts.netloc.rpartition('@')[2]}{parts.path}"
    if parts.hostname is None or parts.port is None:
        raise ValueError(f"{shown!r} has no host or no port: write tcp://HOST:PORT")
    async with _streams(shown, asyncio.open_connection(parts.hostname, parts.port), options) as wire:
        yield wire


@contextlib.asynccontextmanager
async def _by_unix(_: Protocol, url: str, options: DialOptions) -> AsyncGenerator[Transport, None]:
    if not HAS_UNIX:
        raise ConnectionClosed(f"{url}: {NO_UNIX}")
    async with _streams(url, asyncio.open_unix_connection(urlsplit(url).path), options) as wire:
        yield wire


@contextlib.asynccontextmanager
async def _streams(shown: str, opening: Any, options: DialOptions) -> AsyncGenerator[Transport, None]:
    given: dict[str, Any] = {**DIAL_DEFAULTS, **options}
    patience = given["open_timeout"]
    try:
        async with asyncio.timeout(patience):
            reader, writer = await opening
    except TimeoutError:
        raise ConnectionClosed(f"{shown}: no connection within {patience:g} s") from None
    except (OSError, UnicodeError) as error:  # a host may be too long to be one
        text = " ".join(str(error).split()) or type(error).__name__
        raise ConnectionClosed(f"{shown}: {text}") from None
    try:
        yield NdjsonTransport(reader, writer, given["limits"].frame)
    finally:
        writer.close()
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(given["close_timeout"]):
                await writer.wait_closed()
        writer.transport.abort()
