# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Options of clients and servers over HTTP and WebSocket, the caller of a request, and its identity by a bearer token.

They are declared here, so that type checkers know the signatures of a package without networking, which is another distribution.
"""

from __future__ import annotations

import hmac
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping
from http.cookiejar import CookieJar
from typing import Literal, TypedDict

from msgspec import Struct

from .limits import Limits


class Caller(Struct, frozen=True, kw_only=True):
    """Who made a request."""

    headers: Mapping[str, str]
    """By their names in lower case; of one that came twice, both values, a comma between."""
    address: str | None
    """The address of its network peer: that of the proxy, where there is one."""
    query: str = ""
    identity: str = ""
    """What ``identify`` called it; empty where nobody is asked who they are."""


Identify = Callable[[Caller], "str | Awaitable[str | None] | None"]
"""The identity of a caller; None where it has none: it is answered 401. PermissionError: it is answered 403."""


class EndpointOptions(TypedDict, total=False):
    """What can be set on an endpoint."""

    path: str
    """The path of the endpoint below the place where it is mounted. Default: the protocol's."""
    health: str | None
    """The path that answers 200 for as long as the server runs. Default: ``/health``."""
    ready: str | None
    """The path that answers 200 while new connections are taken, 503 while the server drains. Default: ``/ready``."""
    identify: Identify | None
    """Tells who a caller is. Default: None, anyone may come in."""
    origins: Collection[str]
    """Web pages that may connect, as ``https://example.com``; ``*`` for all. Default: none."""
    hosts: Collection[str] | None
    """Names that a request may call this host by, without a port. Default: None, any; ``serve`` on a loopback address lists its own."""
    connections: int
    """Connections that may be open; further ones are answered 503. Default: 20,000."""
    connections_each: int | None
    """Connections that one identity may have open; further ones are answered 429. Default: None, as many as there may be."""
    sockets: int | None
    """Network connections that `serve` takes; then the oldest one without a request gives way to the next. Default: what the limit of the
    process on open files leaves, less a quarter."""
    sockets_each: int | None
    """Network connections that one address may have; behind a proxy all have its address. Default: None, as many as there may be."""
    memory: int
    """Bytes that all connections may hold together, and again all requests that are being received: then requests are answered 503, and
    the connections that hold most end. Default: 256 MiB."""
    request_timeout: float
    """Seconds that a network connection to `serve` may be without a request: from its begin, TLS included, to the first request, frame or
    message, and from one request to the next. Default: 20."""
    sessions: int
    """Streams that a connection may have for its sessions. Default: 1,000."""
    idle_timeout: float
    """Seconds after which an HTTP connection ends that neither posts nor has a stream open. Default: 300."""
    unread_timeout: float
    """Seconds after which a connection ends whose client takes nothing of what waits for it, though no more has room. Default: 60.
    As long as it reads other streams, one that it does not read makes who sends there wait, and ends nothing."""
    body_timeout: float
    """Seconds that the body of a request may take to arrive; then it is answered 408. Default: 30."""
    opening_timeout: float
    """Seconds that the opening request may take to be answered; then its POST is answered 504. Default: 60."""
    ping: float
    """Seconds of silence on an event stream after which a comment is sent, which proxies and clients take for life; and, where
    `serve` serves, between pings of a WebSocket, whose client is gone if it is silent for three of them. Default: 15."""
    drain_timeout: float
    """Seconds that open requests have to end when the server shuts down. Default: 20."""


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
    """Seconds until the connection is open: TCP, TLS, the upgrade to WebSocket; over HTTP, once more, the answer to the first request.
    Default: 20, for that answer 75, because the server waits for the agent."""
    answer_timeout: float
    """Seconds that a POST may take until all of its response is there. Default: 90. Calls have `call_timeout` of the connection."""
    close_timeout: float
    """Seconds for the end: what was not sent leaves, and the server learns that the connection is over. Default: 2."""
    ping: float | None
    """Seconds between pings of a WebSocket; a server that answers none for as long is gone. Default: 20."""
    quiet: float
    """Seconds without an event after which a load is taken for complete, where the server does not number frames. Default: 0.1."""
    silence: float
    """Seconds after which an event stream without a sign of life is opened anew. Default: 90."""
    limits: Limits
    """Their ``frame``: the bytes that a frame may have. Default: 32 MiB. The others have no effect on a transport."""


def bearer(tokens: Mapping[str, str]) -> Identify:
    """Callers with ``Authorization: Bearer TOKEN``; the mapping gives the identity of each token."""
    known = [(token.encode(), identity) for token, identity in tokens.items()]

    def identify(caller: Caller) -> str | None:
        scheme, _, given = caller.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        # All are compared, each in the same time, so that nobody learns how much of a token was right.
        found = [identity for token, identity in known if hmac.compare_digest(token, given.strip().encode())]
        return found[0] if found else None

    return identify
