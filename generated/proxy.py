# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base class of the side `proxy`, and typed calls to it."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any

from msgspec import UNSET, UnsetType

from ._runtime.connection.connection import Connection
from ._runtime.connection.handlers import Peer
from .methods import METHODS, PROTOCOL
from .models import (
    ClientCapabilities, Implementation, InitializeProxyRequest, InitializeProxyResponse, InitializeRequest,
    ProtocolVersion, ProxySuccessorNotification, ProxySuccessorRequest, ProxySuccessorResponse,
)  # fmt: skip


class Proxy(Peer):
    """Base of a proxy: override the methods that it supports. Other requests get a method-not-found error."""

    def initialize_proxy(
        self, params: InitializeProxyRequest
    ) -> InitializeProxyResponse | Awaitable[InitializeProxyResponse]:
        """Tells a component with a successor to run as a proxy; contents as in `initialize`, which the conductor
        sends only to the last agent. The version is the client's, or the conductor's if lower. Before reporting
        success the proxy MUST have sent `initialize` onward via `proxy/successor`.

        Method: `proxy/initialize`. Unstable: RFD proxy-chains (draft).
        """
        return self._unimplemented("proxy/initialize")

    def proxy_successor(
        self, params: ProxySuccessorRequest
    ) -> ProxySuccessorResponse | Awaitable[ProxySuccessorResponse]:
        """Wraps one request: from a proxy, meant for its successor; from the conductor, coming from there. The
        inner result or error returns unaltered; the conductor's own failures are not wrapped.
        `$/cancel_request` with the outer id cancels it, on this connection only and never passed to the next
        hop.

        Method: `proxy/successor`. Unstable: RFD proxy-chains (draft).
        """
        return self._unimplemented("proxy/successor")

    def proxy_successor_notification(self, params: ProxySuccessorNotification) -> None | Awaitable[None]:
        """Wraps one notification: from a proxy, meant for its successor; from the conductor, coming from there.

        Method: `proxy/successor`. Unstable: RFD proxy-chains (draft).
        """
        return self._unimplemented("proxy/successor")


class ProxyConnection(Connection):
    """The typed calls of a peer to a proxy."""

    _protocol = PROTOCOL
    _side = ""
    _peer_side = "proxy"

    async def initialize_proxy(
        self,
        *,
        protocol_version: ProtocolVersion,
        client_capabilities: ClientCapabilities | UnsetType = UNSET,
        client_info: Implementation | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> InitializeProxyResponse:
        """Tells a component with a successor to run as a proxy; contents as in `initialize`, which the conductor
        sends only to the last agent. The version is the client's, or the conductor's if lower. Before reporting
        success the proxy MUST have sent `initialize` onward via `proxy/successor`.

        Method: `proxy/initialize`. Unstable: RFD proxy-chains (draft).

        Arguments:

        - `protocol_version`: Highest protocol version that the client supports.
        - `client_capabilities`: Capabilities of the client. Anything that is not listed is unsupported.
          Default: `{"fs": {"readTextFile": false, "writeTextFile": false}, "terminal": false, "auth":
          {"terminal": false}}`.
        - `client_info`: Name and version of the client program. Later protocol versions will demand it, so
          clients do well to send it now.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises RequestError if the peer responds with an error; InvalidResponse if the response is invalid;
        ConnectionClosed if the connection is lost.
        """
        response: InitializeProxyResponse = await self._request(
            METHODS["proxy", "proxy/initialize", "request"],
            InitializeRequest(
                protocol_version=protocol_version,
                client_capabilities=client_capabilities,
                client_info=client_info,
                meta=meta,
            ),
        )
        return response

    async def proxy_successor(
        self, *, method: str, params: Any = UNSET, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> ProxySuccessorResponse:
        """Wraps one request: from a proxy, meant for its successor; from the conductor, coming from there. The
        inner result or error returns unaltered; the conductor's own failures are not wrapped.
        `$/cancel_request` with the outer id cancels it, on this connection only and never passed to the next
        hop.

        Method: `proxy/successor`. Unstable: RFD proxy-chains (draft).

        Arguments:

        - `method`: Method of the request inside.
        - `params`: Params of the request inside, passed on as they are, its own `_meta` included; a given value
          MUST be an object or an array. `null` is the same as leaving it out: the request has none.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises RequestError if the peer responds with an error; InvalidResponse if the response is invalid;
        ConnectionClosed if the connection is lost.
        """
        response: ProxySuccessorResponse = await self._request(
            METHODS["proxy", "proxy/successor", "request"],
            ProxySuccessorRequest(method=method, params=params, meta=meta),
        )
        return response

    async def proxy_successor_notification(
        self, *, method: str, params: Any = UNSET, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Wraps one notification: from a proxy, meant for its successor; from the conductor, coming from there.

        Method: `proxy/successor`. Unstable: RFD proxy-chains (draft).

        Arguments:

        - `method`: Method of the notification inside.
        - `params`: Params of the notification inside, passed on as they are, its own `_meta` included; a given
          value MUST be an object or an array. `null` is the same as leaving it out: the notification has none.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises ConnectionClosed if the connection is lost.
        """
        await self._notify(
            METHODS["proxy", "proxy/successor", "notification"],
            ProxySuccessorNotification(method=method, params=params, meta=meta),
        )
