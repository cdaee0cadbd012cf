# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The stubs for whoever writes a client: what it implements, and its calls to the agent."""

from __future__ import annotations

from collections.abc import Awaitable
from contextlib import AbstractAsyncContextManager
from typing import Any, TYPE_CHECKING, Unpack

from msgspec import UNSET, UnsetType

from generated._runtime.process import SpawnOptions, spawn
from generated.client import Client as _Base
from generated.client import ClientSideConnection as _Connection
from generated.models import SessionId
from .methods import METHODS, PROTOCOL
from .models import SessionEndedNotification, TerminateSessionRequest, TerminateSessionResponse

if TYPE_CHECKING:
    from generated._runtime.dial import ConnectOptions


class Client(_Base):
    """Base of a client: override what it implements; the rest answers method-not-found."""

    agent: ClientSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]
    """The connection to the agent; set before anything is dispatched."""

    def session_ended(self, params: SessionEndedNotification) -> None | Awaitable[None]:
        """Tells every client that watches a session that it has ended.

        Method: `_sandboxagent/session/ended`.
        """
        return self._unimplemented("_sandboxagent/session/ended")


class ClientSideConnection(_Connection):
    """What a client holds to call its agent."""

    _protocol = PROTOCOL
    _side = "client"
    _peer_side = "agent"

    async def terminate_session(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> TerminateSessionResponse:
        """Asks the runtime to end a session: its agent process is stopped, and what the runtime holds of it is
        freed. The conversation that the agent has stored stays until it is deleted. Ending a session that has
        ended already succeeds and changes nothing.

        Method: `_sandboxagent/session/terminate`. Gate: `_meta.sandboxagent.terminate`.

        Arguments:

        - `session_id`: Session to end.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls the method only if the agent advertised it.

        Raises CapabilityError where the peer did not advertise what this needs; RequestError where the peer
        answers with an error; InvalidResponse where its answer does not fit; ConnectionClosed where the
        connection is gone.
        """
        response: TerminateSessionResponse = await self._request(
            METHODS["agent", "_sandboxagent/session/terminate", "request"],
            TerminateSessionRequest(session_id=session_id, meta=meta),
        )
        return response


def spawn_agent(
    client: Client, *command: str, **options: Unpack[SpawnOptions]
) -> AbstractAsyncContextManager[ClientSideConnection]:
    """Start an agent as a subprocess and connect to it; leaving the context ends it. Options: see `SpawnOptions`."""
    return spawn(ClientSideConnection, client, *command, **options)


def connect(
    url: str, client: Client | None = None, **options: Unpack[ConnectOptions]
) -> AbstractAsyncContextManager[ClientSideConnection]:
    """Connect to an agent at `https://`, `http://`, `wss://`, `ws://`, `tcp://` or `unix:`; leaving the context ends the connection.

    ConnectionClosed, in a line, where there is no getting through. Options: see `ConnectOptions`.
    """
    from generated._runtime.dial import connect as dial

    return dial(ClientSideConnection, client or Client(), url, **options)
