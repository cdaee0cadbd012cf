"""Access control for an endpoint: host and origin checks, the caller's identity, and the error for rejected requests.

Requests from web pages (with ``Origin``) are rejected unless the page is listed. Otherwise any page that a user
visits could reach an agent on their machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import isawaitable
from typing import Any


class Rejected(Exception):
    """A rejected request, with its response."""

    def __init__(self, status: int, reason: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(status, reason)
        self.status = status
        self.reason = reason
        self.headers = headers


class AccessPolicy:
    """The checks before a request is read. `caller`: the class of callers of the package."""

    def __init__(self, caller: Callable[..., Any], options: Mapping[str, Any]) -> None:
        self._caller = caller
        self._identify = options["identify"]
        self.origins = frozenset(options["origins"])
        hosts = options["hosts"]
        self._hosts = None if hosts is None else frozenset(host.lower() for host in hosts)

    def check_host(self, headers: Mapping[str, str]) -> None:
        """Raise Rejected for an unknown host name."""
        if self._hosts is not None and _host(headers.get("host", "")) not in self._hosts:
            raise Rejected(403, "unknown host name in Host: list it in `hosts`")

    async def admit(self, scope: Mapping[str, Any]) -> Any:
        """The caller of a request. Raises Rejected if it may not connect."""
        headers = headers_of(scope)
        self.check_host(headers)
        origin = headers.get("origin")
        if origin is not None and not self.knows(origin):
            raise Rejected(403, "web pages of this origin may not connect: list it in `origins`")
        client: Any = scope.get("client")
        caller = self._caller(
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
            raise Rejected(403, str(error) or "this caller may not connect") from None
        if identity is None:
            raise Rejected(401, "unknown caller", (b"www-authenticate", b"Bearer"))
        return self._caller(headers=headers, address=caller.address, query=caller.query, identity=str(identity))

    def knows(self, origin: str) -> bool:
        """Return whether pages of an origin may connect."""
        return self.lists(origin) or "*" in self.origins

    def lists(self, origin: str) -> bool:
        """Return whether an origin is listed by name. Its pages may then send cookies, too."""
        return origin in self.origins


def headers_of(scope: Mapping[str, Any]) -> dict[str, str]:
    """The headers of a request, by lower-case name."""
    found: dict[str, str] = {}
    pairs: list[tuple[bytes, bytes]] = list(scope["headers"])
    for name, value in pairs:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


def _host(header: str) -> str:
    """A host without its port."""
    if header.startswith("["):
        return header[1:].partition("]")[0].lower()
    return header.partition(":")[0].lower()
