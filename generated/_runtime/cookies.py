# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The cookies of a client: in a jar of the standard library, whatever carries its requests."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterable
from email.message import Message
from http.cookiejar import CookieJar
from typing import Any

__all__ = ["cookies_for", "keep_cookies"]


class _Answer:
    """The headers of an answer, as a jar wants them."""

    def __init__(self, headers: Iterable[tuple[str, str]]) -> None:
        self._headers = Message()
        for name, value in headers:
            self._headers[name] = value

    def info(self) -> Message:
        return self._headers


def cookies_for(jar: CookieJar, url: str) -> str | None:
    """What a request to an address sends back; None where there is nothing."""
    asked = _asked(url)
    jar.add_cookie_header(asked)
    return asked.get_header("Cookie")


def keep_cookies(jar: CookieJar, url: str, headers: Iterable[tuple[str, str]]) -> None:
    """Take in what an answer sets."""
    answer: Any = _Answer(headers)
    jar.extract_cookies(answer, _asked(url))


def _asked(url: str) -> urllib.request.Request:
    # A jar knows no address of a WebSocket.
    return urllib.request.Request(url.replace("ws", "http", 1) if url.startswith("ws") else url)  # noqa: S310  # never opened
