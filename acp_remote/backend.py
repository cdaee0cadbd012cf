"""The interface of HTTP client backends: requests, complete and streaming responses, and cookies. Each HTTP library
has a module that implements it.

Errors are TimeoutError, whose text names the awaited event and the limit, or another OSError with a one-line text.
"""

from __future__ import annotations

import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from contextlib import AbstractAsyncContextManager
from email.message import Message
from http.cookiejar import CookieJar
from typing import Any

from msgspec import Struct

from .address import one_line

PLAIN = {"Accept-Encoding": "identity"}
"""The header that requests an uncompressed response."""
SILENT = "no data on the event stream for {:g} s"
NO_STREAM = "no response to the GET of the event stream within {:g} s"


class Response(Struct, frozen=True):
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    """Headers by lower-case name."""
    content: bytes

    @property
    def refusal(self) -> str:
        """The error message for a rejected connection."""
        return f"the server rejected the request with {self.status} {self.shown}".rstrip()

    @property
    def shown(self) -> str:
        """The beginning of the body, on one line."""
        return one_line(self.content[:200].decode(errors="replace"))


class StreamingResponse(ABC):
    """A response whose body is still arriving."""

    status: int
    headers: Mapping[str, str]

    @abstractmethod
    async def more(self) -> bytes:
        """The bytes of the body that arrived since the last call; empty at the end."""

    async def whole(self, limit: int) -> Response:
        """The complete response. Raises ConnectionError if its body exceeds the limit or is compressed."""
        parts: list[bytes] = []
        size = 0
        while part := await self.more():
            parts.append(part)
            if (size := size + len(part)) > limit:
                raise ConnectionError(f"the response has more than {limit} bytes")
        return Response(self.status, self.headers, b"".join(parts))


def check_encoding(headers: Mapping[str, str]) -> None:
    """Raise ConnectionError for a compressed response. None was requested, and a few bytes could expand to
    gigabytes.
    """
    if (encoding := headers.get("content-encoding", "identity").strip().lower()) != "identity":
        raise ConnectionError(
            f"the server compressed its response ({encoding[:40]}), although the request accepts only identity"
        )


class HttpBackend(ABC):
    """HTTP connections to a server: for requests one after the other, and for a streaming response beside them."""

    @abstractmethod
    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        """Make a request and wait for the complete response."""

    @abstractmethod
    def stream(self, headers: Mapping[str, str], silence: float) -> AbstractAsyncContextManager[StreamingResponse]:
        """Make a GET request whose response streams until the block ends. Raises TimeoutError after `silence` seconds
        without a byte.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close the connections."""


# Cookies, in a jar of the standard library


class _ResponseHeaders:
    """The headers of a response, in the form that a cookie jar expects."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._headers = Message()
        for name, value in headers:
            self._headers[name] = value

    def info(self) -> Message:
        return self._headers


def cookies_for(jar: CookieJar, url: str) -> str | None:
    """The cookie header for a request; None if there are no cookies."""
    asked = _asked(url)
    jar.add_cookie_header(asked)
    return asked.get_header("Cookie")


def keep_cookies(jar: CookieJar, url: str, headers: Iterable[tuple[str, str]]) -> None:
    """Store the cookies that a response sets."""
    answer: Any = _ResponseHeaders(headers)
    jar.extract_cookies(answer, _asked(url))


def _asked(url: str) -> urllib.request.Request:
    # A jar knows no address of a WebSocket.
    return urllib.request.Request(url.replace("ws", "http", 1) if url.startswith("ws") else url)  # noqa: S310  # never opened
