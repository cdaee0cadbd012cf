"""The HTTP client backend: requests, responses, responses that stream, and cookies. Each HTTP library has a module that implements it.

Errors are TimeoutError, whose text says what was awaited and for how long, or another OSError whose text is one line.
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

__all__ = [
    "NO_STREAM",
    "PLAIN",
    "SILENT",
    "HttpBackend",
    "Response",
    "StreamingResponse",
    "check_encoding",
    "cookies_for",
    "keep_cookies",
]

PLAIN = {"Accept-Encoding": "identity"}
"""The header that asks for a response without compression."""
SILENT = "nothing came on the event stream for {:g} s"
NO_STREAM = "no response to the GET of the event stream within {:g} s"


class Response(Struct, frozen=True):
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    """By their names in lower case."""
    content: bytes

    @property
    def refusal(self) -> str:
        """The message for the caller whose connection was refused."""
        return f"the server rejected the request with {self.status} {self.shown}".rstrip()

    @property
    def shown(self) -> str:
        """The beginning of its body, in a line."""
        return " ".join(self.content[:200].decode(errors="replace").split())


class StreamingResponse(ABC):
    """A response whose body is still arriving."""

    status: int
    headers: Mapping[str, str]

    @abstractmethod
    async def more(self) -> bytes:
        """The part of the body that arrived since the last call; empty at the end."""

    async def whole(self, limit: int) -> Response:
        """The response with all of its body; ConnectionError if that has more bytes than the limit, or is compressed."""
        parts: list[bytes] = []
        size = 0
        while part := await self.more():
            parts.append(part)
            if (size := size + len(part)) > limit:
                raise ConnectionError(f"the answer has more than {limit} bytes")
        return Response(self.status, self.headers, b"".join(parts))


def check_encoding(headers: Mapping[str, str]) -> None:
    """Raise ConnectionError for a compressed response. A few bytes of one can become gigabytes, and none was asked for."""
    if (encoding := headers.get("content-encoding", "identity").strip().lower()) != "identity":
        raise ConnectionError(
            f"the server compressed its answer ({encoding[:40]!r}), although the request accepts only identity"
        )


class HttpBackend(ABC):
    """Network connections to a server: for one request after the other, and a streaming response beside them."""

    @abstractmethod
    async def request(self, method: str, headers: Mapping[str, str], content: bytes = b"") -> Response:
        """Make a request; waits for the response as long as that takes."""

    @abstractmethod
    def stream(self, headers: Mapping[str, str], silence: float) -> AbstractAsyncContextManager[StreamingResponse]:
        """Make a GET whose response streams until the block ends; TimeoutError after so many seconds without a byte."""

    @abstractmethod
    async def close(self) -> None:
        """Close them."""


# Cookies, in a jar of the standard library


class _ResponseHeaders:
    """The headers of a response, as a jar takes them."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._headers = Message()
        for name, value in headers:
            self._headers[name] = value

    def info(self) -> Message:
        return self._headers


def cookies_for(jar: CookieJar, url: str) -> str | None:
    """The cookies of a request to an address; None where there are none."""
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
