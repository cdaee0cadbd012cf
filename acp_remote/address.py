"""Server addresses: connection parameters from a URL and a client's options, and the opener for each scheme.

A function tries an address once. Its errors are one line with the address. One jar stores the cookies of the server.
"""

from __future__ import annotations

import re
import ssl
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from .interface import Runtime

SCHEMES = ("http", "https", "ws", "wss")
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_OTHER_PROFILE = {"http": "ws", "https": "wss", "ws": "http", "wss": "https"}


class Address:
    """A URL with its connection parameters."""

    def __init__(self, runtime: Runtime, url: str, options: Mapping[str, Any]) -> None:
        self.runtime = runtime
        parts = urlsplit(url)
        scheme = parts.scheme.lower()
        remote = runtime.table.remote
        if scheme not in SCHEMES:
            raise ValueError(f"cannot connect to {scheme!r} addresses: expected one of {', '.join(SCHEMES)}")
        self.given = options
        self.options = options = {**runtime.dial_options, **options}
        profile = options["profile"]
        if profile not in (None, "http", "websocket"):
            raise ValueError(f"profile is {profile!r}, expected 'http', 'websocket' or None")
        if profile is not None and (profile == "websocket") != scheme.startswith("ws"):
            scheme = _OTHER_PROFILE[scheme]
        if remote is None:
            raise ValueError("the schema of this package lacks `x-remote`, which HTTP needs")
        path = parts.path if parts.path.rstrip("/") else remote.path
        self.scheme = scheme
        self.url = urlunsplit((scheme, parts.netloc, path, parts.query, ""))
        self.host, self.port = parts.hostname, parts.port
        self.frame_limit: int = options["limits"].frame
        jar = options["cookies"]
        self.jar: CookieJar = CookieJar() if jar is None else jar  # an empty one is false
        token = options["bearer"]
        if token is not None and parts.username is not None:
            raise ValueError("give the user in the address or `bearer`, not both: a request carries only one of them")
        own = {"Authorization": f"Bearer {token}"} if token is not None else {}
        self.headers: dict[str, str] = {**own, **options["headers"]}
        for name, value in self.headers.items():
            if not _TOKEN.fullmatch(name) or not (value.isascii() and value.isprintable()):
                raise ValueError(
                    f"the header {name!r} is invalid: names consist of letters, digits and hyphens, values of "
                    "printable ASCII characters"
                )
        self.shown = urlunsplit((scheme, parts.netloc.rpartition("@")[2], path, "", ""))
        """The address without its secrets, for messages."""


def reason(error: BaseException) -> str:
    """The reason of a failed connection, in one line."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return f"its certificate is not trusted: {cause.verify_message}. Give `tls` a context that trusts its authority"
        if isinstance(cause, ssl.SSLError):
            return f"the TLS connection failed: {cause.reason or cause}"
        cause = cause.__cause__ or cause.__context__
    return one_line(str(error)) or type(error).__name__


def one_line(text: str) -> str:
    """A text of the peer in one line, without control characters."""
    return " ".join("".join([char if char.isprintable() else " " for char in text]).split())
