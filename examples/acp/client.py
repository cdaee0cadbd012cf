# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base class of a client, and its typed calls to the agent."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, TYPE_CHECKING, Unpack, overload

from msgspec import UNSET, UnsetType

from generated._runtime.codec.codec import listed as _listed
from generated._runtime.connection.handlers import Peer
from generated.client import Client as _Base
from generated.client import ClientSideConnection as _Connection
from generated.models import (
    LoadSessionRequest, McpServer, NewSessionRequest, ResumeSessionRequest, SessionId, SystemPrompt,
)  # fmt: skip
from .methods import METHODS, PROTOCOL
from .models import SessionEndedNotification, TerminateSessionRequest, TerminateSessionResponse

if TYPE_CHECKING:
    from generated._runtime.session.client_session import Opening
    from .sessions import ClientSession

if TYPE_CHECKING:
    from generated._runtime.entrypoints.connect import ConnectOptions
    from generated._runtime.entrypoints.process import SpawnOptions


class ClientMixin(Peer):
    """The handlers that this package adds. A class may inherit the handlers of several packages, followed by their base class."""

    def session_ended(self, params: SessionEndedNotification) -> None | Awaitable[None]:
        """Tells every client that watches a session that it has ended.

        Method: `_sandboxagent/session/ended`.
        """
        return self._unimplemented("_sandboxagent/session/ended")


class Client(ClientMixin, _Base):
    """Base of a client: override the methods that it supports. Other requests get a method-not-found error."""

    agent: ClientSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]
    """The connection to the agent, set before the first handler runs."""


class ClientSideConnection(_Connection):
    """The typed calls of a client to its agent."""

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

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: TerminateSessionResponse = await self._request(
            METHODS["agent", "_sandboxagent/session/terminate", "request"],
            TerminateSessionRequest(session_id=session_id, meta=meta),
        )
        return response

    def session(
        self,
        *,
        cwd: str,
        mcp_servers: Sequence[McpServer] = (),
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        mcp: Sequence[Any] = (),
    ) -> Opening[ClientSession]:
        """A new session: `async with` opens it, and closes it at the end if the agent supports that; `await` only opens it.

        `mcp`: servers of the package `mcp` in this process, which the agent reaches through the connection.
        """
        from generated._runtime.session.client_session import opened
        from .sessions import ClientSession

        if mcp:
            from generated._runtime.session.tunnel import opened_with

            return opened_with(
                ClientSession,
                self,
                METHODS["agent", "session/new", "request"],
                NewSessionRequest(
                    cwd=cwd,
                    mcp_servers=_listed(mcp_servers),
                    additional_directories=_listed(additional_directories),
                    system_prompt=system_prompt,
                    meta=meta,
                ),
                mcp,
            )
        return opened(
            ClientSession,
            self,
            METHODS["agent", "session/new", "request"],
            NewSessionRequest(
                cwd=cwd,
                mcp_servers=_listed(mcp_servers),
                additional_directories=_listed(additional_directories),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )

    def open(
        self,
        session_id: SessionId,
        *,
        cwd: str,
        mcp_servers: Sequence[McpServer] = (),
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        replay: bool = True,
    ) -> Opening[ClientSession]:
        """A known session as an object, opened by `session/load`, else `session/resume`: the first method that the agent supports. With `replay=False`, the first is tried last.

        `opened_by` and `opened_because` of the session name the method and the reason. Raises CapabilityError if the agent offers none.
        """
        from generated._runtime.session.client_session import reopened
        from .sessions import ClientSession

        ways = (
            (
                METHODS["agent", "session/load", "request"],
                LoadSessionRequest(
                    session_id=session_id,
                    cwd=cwd,
                    mcp_servers=_listed(mcp_servers),
                    additional_directories=_listed(additional_directories),
                    system_prompt=system_prompt,
                    meta=meta,
                ),
            ),
            (
                METHODS["agent", "session/resume", "request"],
                ResumeSessionRequest(
                    session_id=session_id,
                    cwd=cwd,
                    mcp_servers=_listed(mcp_servers),
                    additional_directories=_listed(additional_directories),
                    system_prompt=system_prompt,
                    meta=meta,
                ),
            ),
        )
        return reopened(ClientSession, self, session_id, ways if replay else ways[::-1])


Client.connection_class = ClientSideConnection


@overload
def spawn_agent(
    client: Client, *command: str, **options: Unpack[SpawnOptions]
) -> AbstractAsyncContextManager[ClientSideConnection]: ...
@overload
def spawn_agent(
    client: Client, *command: str, versions: Sequence[Any], **options: Unpack[SpawnOptions]
) -> AbstractAsyncContextManager[Any]: ...
def spawn_agent(
    client: Client, *command: str, versions: Sequence[Any] = (), **options: Unpack[SpawnOptions]
) -> AbstractAsyncContextManager[Any]:
    """Start an agent as a subprocess and connect to it. The end of the block ends it. Options: see `SpawnOptions`.

    `versions`: clients for other protocol versions, each with its own package. The agent selects one. The handshake is then
    complete, and the connection belongs to the package of that client.
    """
    from generated._runtime.entrypoints.process import spawn

    return spawn(ClientSideConnection, client, *command, versions=versions, **options)


@overload
def connect(
    url: str, client: Client | None = None, **options: Unpack[ConnectOptions]
) -> AbstractAsyncContextManager[ClientSideConnection]: ...
@overload
def connect(
    url: str, client: Client | None = None, *, versions: Sequence[Any], **options: Unpack[ConnectOptions]
) -> AbstractAsyncContextManager[Any]: ...
def connect(
    url: str, client: Client | None = None, *, versions: Sequence[Any] = (), **options: Unpack[ConnectOptions]
) -> AbstractAsyncContextManager[Any]:
    """Connect to an agent at `https://`, `http://`, `wss://`, `ws://`, `tcp://` or `unix:`. The end of the block closes the connection.

    Raises ConnectionClosed if the agent cannot be reached. Options: see `ConnectOptions`. All addresses except `tcp://` and
    `unix:` need the distribution `acp-remote`. `versions`: as for `spawn_agent`.
    """
    from generated._runtime.entrypoints.connect import connect as dial

    return dial(ClientSideConnection, client or Client(), url, versions, **options)
