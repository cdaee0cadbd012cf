# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Options of clients and servers over HTTP and WebSocket, and identities of callers by their tokens.

They are declared here, so that type checkers know the signatures of a package without networking, which is another
distribution.
"""

from __future__ import annotations

import hmac
import ssl
from collections.abc import Awaitable, Callable, Collection, Mapping
from http.cookiejar import CookieJar
from importlib import import_module
from types import MappingProxyType
from typing import Any, Literal, TypedDict, cast

from .base import Caller
from .limits import Limits

Identify = Callable[[Caller], "str | Awaitable[str | None] | None"]
"""A function that returns the identity of a caller.

If it returns None, the status is 401; PermissionError gives 403.
"""


class EndpointOptions(TypedDict, total=False):
    """Options of an endpoint."""

    path: str
    """The path of the endpoint, relative to its mount point. Default: the protocol's."""
    health: str | None
    """The path that answers 200 while the server runs. Default: ``/health``."""
    ready: str | None
    """The path that answers 200, or 503 while the server drains. Default: ``/ready``."""
    identify: Identify | None
    """Returns the identity of a caller. Default: None, which accepts every caller."""
    origins: Collection[str]
    """Web pages that may connect, as ``https://example.com``; ``*`` for all. Default: none."""
    hosts: Collection[str] | None
    """Accepted values of ``Host``, without a port. Default: None, any; on a loopback address ``serve`` accepts only
    loopback names.
    """
    connections: int
    """The maximum number of connections. Further ones get status 503. Default: 20,000."""
    connections_each: int | None
    """The maximum number of connections per identity. Further ones get status 429. Default: None, no limit."""
    sockets: int | None
    """The maximum number of network connections of `serve`. Above it, the oldest one without a request is closed.
    Default: three quarters of the process's limit on open files.
    """
    sockets_each: int | None
    """The maximum number of network connections per client address; behind a proxy, all clients share its address.
    Default: None.
    """
    memory: int
    """Bytes queued on all connections, and again bytes of requests being received. Above it, requests get status 503,
    and the largest connections end. Default: 256 MiB.
    """
    request_timeout: float
    """Seconds that a network connection to `serve` may be without a request, including TLS: before the first request,
    frame or message, and between requests. Default: 20.
    """
    sessions: int
    """The maximum number of session streams per connection. Default: 1,000."""
    idle_timeout: float
    """Seconds after which an HTTP connection without requests and streams ends. Default: 300."""
    unread_timeout: float
    """Seconds after which a connection ends if its buffers are full and its client reads no stream. Default: 60. If the
    client reads other streams, senders to the unread stream wait instead.
    """
    body_timeout: float
    """Seconds that the body of a request may take; then the response is 408. Default: 30."""
    opening_timeout: float
    """Seconds until the agent has answered the opening request; then the response is 504. Default: 60."""
    ping: float
    """Seconds of silence on an event stream after which a comment is sent as keepalive. With `serve`, also the seconds
    between pings of a WebSocket, which ends after three missing answers. Default: 15.
    """
    drain_timeout: float
    """Seconds that pending requests have to end when the server stops. Default: 20."""


ENDPOINT_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "path": None,
        "health": "/health",
        "ready": "/ready",
        "identify": None,
        "origins": (),
        "hosts": None,
        "connections": 20_000,
        "connections_each": None,
        "sockets": None,
        "sockets_each": None,
        "memory": 256 << 20,
        "request_timeout": 20.0,
        "sessions": 1_000,
        "idle_timeout": 300.0,
        "unread_timeout": 60.0,
        "body_timeout": 30.0,
        "opening_timeout": 60.0,
        "ping": 15.0,
        "drain_timeout": 20.0,
    }
)
"""The value of every option of an endpoint that is not given."""


class DialOptions(TypedDict, total=False):
    """Options of a connection to an address."""

    profile: Literal["http", "websocket"] | None
    """The transport. Default: by the scheme, WebSocket for ``ws`` and ``wss``, HTTP for ``http`` and ``https``."""
    http2: bool
    """Use HTTP/2 without TLS (h2c). Default: negotiated with TLS, HTTP/1.1 without TLS."""
    bearer: str | None
    """A token, sent as ``Authorization: Bearer TOKEN``."""
    headers: Mapping[str, str]
    """Headers of every request."""
    cookies: CookieJar
    """The cookie jar. Pass the same jar to each connection of a client, so that a load balancer finds the server again.
    """
    tls: ssl.SSLContext | None
    """The TLS context, with trusted certificates and a client certificate. Default: the system's trust store."""
    open_timeout: float
    """Seconds until the connection is open (TCP, TLS, WebSocket upgrade), and over HTTP again until the response to the
    first request. Default: 20, and 75 for that response, because the server waits for the agent.
    """
    answer_timeout: float
    """Seconds until the complete response to a POST. Default: 90. `call_timeout` of the connection limits calls."""
    close_timeout: float
    """Seconds to send remaining messages and to close the connection. Default: 2."""
    ping: float | None
    """Seconds between pings of a WebSocket. A server that answers none for that long counts as lost. Default: 20."""
    quiet: float
    """Seconds without an event after which a load counts as complete, if the server does not number frames. Default:
    0.1.
    """
    silence: float
    """Seconds after which a silent event stream is reopened. Default: 90."""
    limits: Limits
    """Only ``frame`` has an effect on a transport: the bytes of the longest frame. Default: 32 MiB."""


DIAL_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "profile": None,
        "http2": False,
        "bearer": None,
        "headers": MappingProxyType({}),
        "cookies": None,
        "tls": None,
        "open_timeout": 20.0,
        "answer_timeout": 90.0,
        "close_timeout": 2.0,
        "ping": 20.0,
        "quiet": 0.1,
        "silence": 90.0,
        "limits": Limits(),
    }
)
"""The value of every option of a connection to an address that is not given."""


def bearer(tokens: Mapping[str, str]) -> Identify:
    """Identify callers by ``Authorization: Bearer TOKEN``. The mapping contains the identity of each token."""
    known = [(token.encode(), identity) for token, identity in tokens.items()]

    def identify(caller: Caller) -> str | None:
        scheme, _, given = caller.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        # All are compared, each in the same time, so that nobody learns how much of a token was right.
        found = [identity for token, identity in known if hmac.compare_digest(token, given.strip().encode())]
        return found[0] if found else None

    return identify


def jwt(
    issuer: str,
    audience: str,
    *,
    keys: str,
    claim: str = "sub",
    algorithms: Collection[str] = ("RS256", "PS256", "ES256", "EdDSA"),
) -> Identify:
    """Identify callers by JSON Web Tokens, ``Authorization: Bearer TOKEN``.

    A token must name the issuer and the audience, have an expiry date, and be signed with one of the keys of the JSON
    Web Key Set at the URL `keys`. `claim` is the identity. Keys are kept for five minutes; a token with an unknown key
    id makes the server read them again. If they cannot be read, the status is 503.

    Raises ImportError if acp-remote or PyJWT is not installed.
    """
    try:
        module: Any = import_module("acp_remote.tokens")
    except ModuleNotFoundError as error:
        raise ImportError("acp.jwt needs acp-remote: pip install 'acp-remote[jwt]'") from error
    return cast("Identify", module.jwt(issuer, audience, keys, claim, algorithms))
