"""Networking for generated packages: HTTP and WebSocket, server and client, event streams, reconnection.

It imports no generated package. A package passes its classes and errors as one object, `Runtime` (see `interface`).

    interface          the parts of a package that networking uses (`Runtime`), and the check of its version
    asgi               the ASGI application `Endpoint`: paths, HTTP or WebSocket, the frame limit of an endpoint,
                       hypercorn's WebSocket buffer
    hosting            hypercorn's settings: TLS, shutdown, WebSocket pings and message limit; which hosts a local
                       address accepts
    uvicorn_server     the same limits on network connections for a server under uvicorn, which a program starts itself
    manager            limits on connections and memory, which end first; when idle, unread or vanished clients end;
                       graceful shutdown (drain)
    security           which hosts, origins and callers are rejected, and with which status
    tokens             identities by JSON Web Tokens: which keys of an issuer count, when they are read again
    server             one HTTP request: checks, status, frame limit of a POST, time limits; headers of every response,
                       also while the server drains
    server_transport   HTTP on the server: which stream a frame leaves on, queues of sessions, when senders wait
    responses          ASGI types, reading of request bodies, complete responses, counts of requests in progress
    routing            the session of a message, for both ends
    numbering          header and `_meta` names of numbered frames, their negotiation, and how numbers are read
    sse                form of an event, `EventQueue` (order, waiting bytes, what an earlier reader loses),
                       `EventParser`
    websocket          the queue of a WebSocket, sending in order, and closing codes on the server
    keepalive          when a WebSocket client counts as lost on the server (three pings without an answer)
    address            schemes of a URL, headers and cookies of a client, and its limit of a frame
    client             HTTP on the client: order of POSTs, time limits, errors for rejected requests; `dial` by profile
    client_websocket   WebSocket on the client: limit of a message, pings and when the server counts as lost, closing
    event_streams      when an event stream is opened, reopened or given up on the client; acknowledgements; end of a
                       load
    backend            the interface of HTTP libraries, rejected encodings, cookies
    backend_httptools  the fast HTTP/1.1 client without TLS: which addresses it serves, reuse of connections
    backend_httpx      the client with TLS, proxies and HTTP/2: pool and time limits
    reconnecting       `ReconnectingTransport`, used by `acp-codegen connect`: its defaults, which requests are sent
                       again, errors for the others, malformed answers
    request_ids        `RequestIdMap`: which ids change for later peers, and which responses are dropped

A module imports only later modules of this order: hosting; asgi; server; manager; server_transport, websocket; others.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .interface import INTERFACE_VERSION as INTERFACE_VERSION
from .interface import InterfaceError as InterfaceError
from .interface import Runtime as Runtime
from .interface import Transport as Transport
from .interface import check_interface as check_interface

if TYPE_CHECKING:
    from .asgi import Endpoint as Endpoint
    from .asgi import application as application
    from .client import dial as dial
    from .hosting import host_agent as host_agent
    from .hosting import serve_endpoint as serve_endpoint
    from .manager import ServerConnection as ServerConnection
    from .reconnecting import ReconnectingTransport as ReconnectingTransport

__all__ = [
    "INTERFACE_VERSION",
    "Endpoint",
    "InterfaceError",
    "ReconnectingTransport",
    "Runtime",
    "ServerConnection",
    "Transport",
    "application",
    "check_interface",
    "dial",
    "host_agent",
    "serve_endpoint",
]

_HOME = {
    "Endpoint": "asgi",
    "ReconnectingTransport": "reconnecting",
    "ServerConnection": "manager",
    "application": "asgi",
    "dial": "client",
    "host_agent": "hosting",
    "serve_endpoint": "hosting",
}
"""Names that are imported on first use, so that a client does not import the server."""


if not TYPE_CHECKING:  # type checkers know the names from above, and must not take any other for one

    def __getattr__(name: str) -> Any:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(f".{_HOME[name]}", __name__), name)
        globals()[name] = value
        return value
