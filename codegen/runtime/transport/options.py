"""Who may come in: the options of an endpoint, what it knows of a caller, and the answers to those that it turns away.

The law: a browser's page (a request with ``Origin``) is refused unless it is listed, so that no page that a user happens to visit
reaches an agent on their machine. A connection belongs to the identity that opened it; to any other it does not exist.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Collection, Mapping
from inspect import isawaitable
from typing import Any, TypedDict

from msgspec import Struct

__all__ = ["Caller", "Doors", "EndpointOptions", "Identify", "Refusal", "bearer"]


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
    """The path that says how it is: 200, or 503 while it drains. Default: ``/health``."""
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


class Refusal(Exception):
    """A request that is not served, and its answer."""

    def __init__(self, status: int, reason: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason
        self.headers = headers


class Doors:
    """The checks before anything of a request is read."""

    def __init__(self, options: EndpointOptions) -> None:
        self._identify = options.get("identify")
        self.origins = frozenset(options.get("origins", ()))
        hosts = options.get("hosts")
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    async def admit(self, scope: Mapping[str, Any]) -> Caller:
        """The caller of a request; Refusal where it may not come in."""
        headers = _headers(scope)
        if self._hosts is not None and _host(headers.get("host", "")) not in self._hosts:
            raise Refusal(403, "this server does not go by the name in Host: list it in `hosts`")
        origin = headers.get("origin")
        if origin is not None and not self.knows(origin):
            raise Refusal(403, "pages of this origin may not connect: list it in `origins`")
        client: Any = scope.get("client")
        caller = Caller(
            headers=headers,
            address=client[0] if client else None,
            query=bytes(scope.get("query_string", b"")).decode("latin-1"),
        )
        if self._identify is None:
            return caller
        try:
            identity = self._identify(caller)
            if isawaitable(identity):
                identity = await identity
        except PermissionError as error:
            raise Refusal(403, str(error) or "this caller may not connect") from None
        if identity is None:
            raise Refusal(401, "the caller is not known", (b"www-authenticate", b"Bearer"))
        return Caller(headers=headers, address=caller.address, query=caller.query, identity=str(identity))

    def knows(self, origin: str) -> bool:
        """Whether pages of an origin may connect."""
        return self.lists(origin) or "*" in self.origins

    def lists(self, origin: str) -> bool:
        """Whether it is listed by name: its pages may then send cookies as well."""
        return origin in self.origins


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


def _headers(scope: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    pairs: list[tuple[bytes, bytes]] = list(scope["headers"])
    for name, value in pairs:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _host(header: str) -> str:
    """A name or an address without its port."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()
