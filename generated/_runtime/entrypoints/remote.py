# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The interface to `acp-remote`, the distribution with HTTP and WebSocket. It imports no generated package.

Only this module depends on `acp-remote`. `runtime` builds the object that gives networking the method table, the errors
and the connections of this package; `acp_remote.interface.Runtime` documents each attribute. Several packages can use
networking in one process, because each passes its own object. An incompatible change of the attributes increments
`INTERFACE_VERSION` on both sides.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import Any
from typing import Protocol as Structural

import msgspec
from msgspec import UNSET

from ..codec.codec import decode, encode, repair_surrogates
from ..connection.idempotency import KEY, OFFER, PLACE
from ..connection.negotiation import NegotiatedTerms
from ..connection.options import check_options
from ..errors import CallLost, ConnectionClosed, RequestError
from ..jsonrpc.encoder import write_error, write_notification, write_request
from ..jsonrpc.parser import FRAME_LIMIT, Fault, parse, peek
from ..reconnect.backoff import Backoff
from ..reconnect.sessions import SessionRestorer
from ..schema.definitions import Protocol
from ..session.state import State
from ..tasks import Deadline, Waiters, start
from ..transport.base import Caller
from ..transport.options import DIAL_DEFAULTS, ENDPOINT_DEFAULTS
from .host import Host, serve_host
from .listening import Listener, listening_socket

INTERFACE_VERSION = 5
"""The version of the interface that this module implements."""
REQUIREMENT = "acp-remote>=0.1,<0.2"
"""The releases of networking that implement this version."""


class Application(Structural):
    """An ASGI application that serves connections."""

    @property
    def draining(self) -> bool:
        """True if it accepts no more connections."""
        ...

    async def __call__(
        self,
        scope: Mapping[str, Any],
        receive: Callable[[], Awaitable[Mapping[str, Any]]],
        send: Callable[[dict[str, Any]], Awaitable[None]],
    ) -> None:
        """Serve a request, a WebSocket or the lifespan of the server."""
        ...

    async def drain(self, timeout: float | None = None) -> None:
        """Shut down: accept no more connections, wait for pending requests, then end every connection. After the
        timeout, end immediately.
        """
        ...


class Runtime:
    """The attributes of this package that networking uses, for one protocol."""

    interface_version = INTERFACE_VERSION
    requirement = REQUIREMENT
    package = __name__.partition("._runtime")[0]

    frame_limit = FRAME_LIMIT
    idempotency = (OFFER, KEY, PLACE)
    dial_options = DIAL_DEFAULTS
    endpoint_options = ENDPOINT_DEFAULTS

    caller = Caller
    connection_closed = ConnectionClosed
    request_error = RequestError
    call_lost = CallLost
    check_options = staticmethod(check_options)
    encode = staticmethod(encode)
    decode = staticmethod(decode)
    member_reader = staticmethod(peek)
    repair_surrogates = staticmethod(repair_surrogates)
    backoff = Backoff
    waiters = Waiters
    deadline = Deadline
    start = staticmethod(start)
    host = Host
    listener = Listener
    listening_socket = staticmethod(listening_socket)

    def __init__(self, table: Protocol) -> None:
        self.table = table
        self.cache: dict[str, Any] = {}
        """Cache of data that networking derives from the table."""

    @staticmethod
    def request_frame(id: Any, method: str, params: bytes) -> bytes:
        """Encode a request, without a line end."""
        return write_request(id, method, params)[:-1]

    @staticmethod
    def notification_frame(method: str, params: bytes) -> bytes:
        """Encode a notification, without a line end."""
        return write_notification(method, params)[:-1]

    @staticmethod
    def error_frame(id: Any, code: int, message: str, data: bytes | None = None) -> bytes:
        """Encode an error response, without a line end."""
        return write_error(id, code, message, data)[:-1]

    @staticmethod
    def malformed_frame(frame: bytes) -> bytes | None:
        """The error response to a malformed frame; None if the frame is a response."""
        message = parse(frame)
        if not isinstance(message, Fault) or message.outline.ends is not UNSET:
            return None
        error = message.error
        return write_error(message.asker, error.code, error.message, msgspec.json.encode(error.data))[:-1]

    def negotiated_terms(self, side: str) -> NegotiatedTerms:
        """The capabilities of a connection on which `side` serves the other side."""
        return NegotiatedTerms(self.table, (side, "client" if side == "agent" else "agent"), negotiated=True)

    def session_restorer(self, peer: str) -> SessionRestorer:
        """An object that restores the sessions of a side."""
        return SessionRestorer(self.table, peer, State, None, "")

    @staticmethod
    async def serve_host(host: AbstractAsyncContextManager[Host], address: str, options: Mapping[str, Any]) -> None:
        """Run a server until a signal arrives, then shut it down gracefully."""
        await serve_host(host, repr(address), address.partition(":")[0].lower(), options)


_runtimes: dict[int, Runtime] = {}
"""Interfaces by the identity of their method table. A package has one table, which the interface keeps alive."""


def runtime(table: Protocol) -> Runtime:
    """Return this package's interface for the functions of `acp_remote`."""
    if id(table) not in _runtimes:
        _runtimes[id(table)] = Runtime(table)
    return _runtimes[id(table)]


def networking(runtime: Runtime) -> Any:
    """Import `acp_remote`. Raises ImportError with the install command if it is missing or incompatible."""
    try:
        module: Any = import_module("acp_remote")
    except ModuleNotFoundError as error:
        if error.name != "acp_remote":
            raise
        raise ImportError("HTTP and WebSocket need the distribution acp-remote: pip install acp-remote") from None
    module.check_interface(runtime)
    return module
