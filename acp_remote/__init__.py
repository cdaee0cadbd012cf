"""Networking for generated packages: HTTP and WebSocket, server and client, event streams, reconnection.

It imports no generated package. A package passes its classes and errors as one object, `Runtime` (see `interface`).

    interface          the parts of a generated package that networking uses, and the check of its version
    asgi               Endpoint, the ASGI application: one path for HTTP and WebSocket
    hosting            an endpoint at an address, under hypercorn
    uvicorn_server     uvicorn on a listening socket of this package
    manager            the table of open connections: limits, idle and dead clients, graceful shutdown
    security           host and origin checks, the identity of a caller
    server             one HTTP request: POST, GET of an event stream, DELETE
    server_transport   HTTP on the server: frames arrive as POSTs, and leave on event streams
    responses          ASGI types, request bodies, complete responses, and hooks for requests and queued bytes
    routing            the session of a message
    numbering          frame numbers, which both ends negotiate: the order across streams, and retransmission
    sse                the event queue of a stream, and the parser of a stream
    websocket          WebSocket transports, and their queues
    keepalive          detection of disconnected WebSocket clients on the server
    address            a URL with the options of a client
    client             dial, and HTTP on the client
    client_websocket   WebSocket on the client, by websockets
    event_streams      the event streams that a client reads
    backend            the interface of HTTP libraries, and cookies
    backend_httptools  the backend on httptools: HTTP/1.1 without TLS
    backend_httpx      the backend on httpx: TLS, proxies, HTTP/2
    reconnecting       a transport that reconnects to the peer while the client's end stays open
    request_ids        request id mapping across successive peers

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
