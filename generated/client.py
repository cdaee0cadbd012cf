# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base class of a client, and its typed calls to the agent."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial
from typing import Any, Literal, TYPE_CHECKING, Unpack, overload

from msgspec import UNSET, UnsetType

from ._runtime.codec.codec import listed as _listed
from ._runtime.codec.payloads import params_of_variant
from ._runtime.connection.connection import Connection
from ._runtime.connection.handlers import Peer
from ._runtime.connection.update_stream import Stream, stream_of
from .methods import METHODS, PROTOCOL
from .models import (
    ArchiveSessionRequest, ArchiveSessionResponse, AuthMethodId, AuthStatusRequest, AuthStatusResponse,
    AuthStatusUpdateNotification, AuthenticateRequest, AuthenticateResponse, CancelNotification, ClientCapabilities,
    CloseSessionRequest, CloseSessionResponse, CompleteElicitationNotification, ContentBlock, CreateElicitationRequest,
    CreateElicitationResponse, CreateTerminalRequest, CreateTerminalResponse, DeleteSessionRequest,
    DeleteSessionResponse, DisableProviderRequest, DisableProviderResponse, ForkSessionRequest, ForkSessionResponse,
    Implementation, InitializeResponse, KillTerminalRequest, KillTerminalResponse, ListProvidersRequest,
    ListProvidersResponse, ListSessionsRequest, ListSessionsResponse, LlmProtocol, LoadSessionRequest,
    LoadSessionResponse, LogoutRequest, LogoutResponse, McpRequestId, McpServer, McpServerAcpId, MessageMcpNotification,
    MessageMcpRequest, MessageMcpResponse, NewSessionRequest, NewSessionResponse, PromptRequest, PromptResponse,
    ProtocolVersion, ProviderId, ReadTextFileRequest, ReadTextFileResponse, ReleaseTerminalRequest,
    ReleaseTerminalResponse, RequestPermissionRequest, RequestPermissionResponse, ResumeSessionRequest,
    ResumeSessionResponse, SessionArchiveFilter, SessionConfigId, SessionConfigValueId, SessionId, SessionInfo,
    SessionModeId, SessionNotification, SessionStatusRequest, SessionStatusResponse, SessionUpdate, SetProviderRequest,
    SetProviderResponse, SetSessionConfigOptionRequest, SetSessionConfigOptionRequestBoolean,
    SetSessionConfigOptionRequestValueId, SetSessionConfigOptionResponse, SetSessionModeRequest, SetSessionModeResponse,
    SetSessionTitleRequest, SetSessionTitleResponse, SystemPrompt, TerminalOutputRequest, TerminalOutputResponse,
    UnarchiveSessionRequest, UnarchiveSessionResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse,
    WriteTextFileRequest, WriteTextFileResponse,
)  # fmt: skip

if TYPE_CHECKING:
    from ._runtime.session.client_session import Opening
    from .sessions import ClientSession

if TYPE_CHECKING:
    from ._runtime.entrypoints.connect import ConnectOptions
    from ._runtime.entrypoints.process import SpawnOptions


class Client(Peer):
    """Base of a client: override the methods that it supports. Other requests get a method-not-found error."""

    agent: ClientSideConnection
    """The connection to the agent, set before the first handler runs."""

    def auth_status_update(self, params: AuthStatusUpdateNotification) -> None | Awaitable[None]:
        """Announces a changed authentication status, with the fields of the `auth/status` response. An agent that
        advertised `auth.status` MAY send it whenever `initialize` is done, and SHOULD send it only if the
        status is not the one it reported last on this connection.

        Method: `auth/status_update`. Gate: `agent:auth.status`. Unstable: RFD auth-status (draft).
        """
        return self._unimplemented("auth/status_update")

    def session_update(self, params: SessionNotification) -> None | Awaitable[None]:
        """Announces a change of a session, such as output or progress during a prompt turn.

        Method: `session/update`.
        """
        return self._unimplemented("session/update")

    def request_permission(
        self, params: RequestPermissionRequest
    ) -> RequestPermissionResponse | Awaitable[RequestPermissionResponse]:
        """Asks the client to let the user decide whether a sensitive tool call may go ahead.

        Method: `session/request_permission`.
        """
        return self._unimplemented("session/request_permission")

    def read_text_file(self, params: ReadTextFileRequest) -> ReadTextFileResponse | Awaitable[ReadTextFileResponse]:
        """Asks the client for the text of a file, whole or in part; needs `fs.readTextFile`.

        Method: `fs/read_text_file`. Gate: `fs.readTextFile`.
        """
        return self._unimplemented("fs/read_text_file")

    def write_text_file(
        self, params: WriteTextFileRequest
    ) -> WriteTextFileResponse | None | Awaitable[WriteTextFileResponse | None]:
        """Asks the client to store text in a file; needs `fs.writeTextFile`.

        Method: `fs/write_text_file`. Gate: `fs.writeTextFile`.
        """
        return self._unimplemented("fs/write_text_file")

    def create_terminal(
        self, params: CreateTerminalRequest
    ) -> CreateTerminalResponse | Awaitable[CreateTerminalResponse]:
        """Asks the client to open a terminal and start a command in it.

        Method: `terminal/create`. Gate: `terminal`.
        """
        return self._unimplemented("terminal/create")

    def terminal_output(
        self, params: TerminalOutputRequest
    ) -> TerminalOutputResponse | Awaitable[TerminalOutputResponse]:
        """Asks the client for the output of a terminal so far, and whether its command has ended.

        Method: `terminal/output`. Gate: `terminal`.
        """
        return self._unimplemented("terminal/output")

    def wait_for_terminal_exit(
        self, params: WaitForTerminalExitRequest
    ) -> WaitForTerminalExitResponse | None | Awaitable[WaitForTerminalExitResponse | None]:
        """Asks the client to answer once the command in a terminal has ended.

        Method: `terminal/wait_for_exit`. Gate: `terminal`.
        """
        return self._unimplemented("terminal/wait_for_exit")

    def kill_terminal(
        self, params: KillTerminalRequest
    ) -> KillTerminalResponse | None | Awaitable[KillTerminalResponse | None]:
        """Asks the client to stop the command in a terminal; the terminal itself stays valid until released.

        Method: `terminal/kill`. Gate: `terminal`.
        """
        return self._unimplemented("terminal/kill")

    def release_terminal(
        self, params: ReleaseTerminalRequest
    ) -> ReleaseTerminalResponse | None | Awaitable[ReleaseTerminalResponse | None]:
        """Asks the client to release a terminal and all its resources.

        Method: `terminal/release`. Gate: `terminal`.
        """
        return self._unimplemented("terminal/release")

    def create_elicitation(
        self, params: CreateElicitationRequest
    ) -> CreateElicitationResponse | Awaitable[CreateElicitationResponse]:
        """Asks the client to obtain input from the user, through a form or at a URL. It belongs either to a
        session (and perhaps a tool call in it) or to another request.

        Method: `elicitation/create`. Gate: `elicitation`.
        """
        return self._unimplemented("elicitation/create")

    def complete_elicitation(self, params: CompleteElicitationNotification) -> None | Awaitable[None]:
        """Announces that the user's interaction behind a URL elicitation has ended.

        Method: `elicitation/complete`. Gate: `elicitation.url`.
        """
        return self._unimplemented("elicitation/complete")

    def message_mcp(self, params: MessageMcpRequest) -> MessageMcpResponse | Awaitable[MessageMcpResponse]:
        """Asks the side that provides an MCP server over the ACP connection to handle one MCP request.

        Method: `mcp/message`. Gate: `agent:mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft).
        """
        return self._unimplemented("mcp/message")


class ClientSideConnection(Connection):
    """The typed calls of a client to its agent."""

    _protocol = PROTOCOL
    _side = "client"
    _peer_side = "agent"

    async def initialize(
        self,
        *,
        protocol_version: ProtocolVersion | UnsetType = UNSET,
        client_capabilities: ClientCapabilities | UnsetType = UNSET,
        client_info: Implementation | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> InitializeResponse:
        """Opens the connection: sends the client's protocol version and capabilities, and asks for the agent's.

        Method: `initialize`. Fills in omitted arguments: the version, the capabilities of overridden methods,
        the program's name.

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
        response: InitializeResponse = await self._open(
            METHODS["agent", "initialize", "request"],
            {
                "protocol_version": protocol_version,
                "client_capabilities": client_capabilities,
                "client_info": client_info,
                "meta": meta,
            },
        )
        return response

    async def authenticate(
        self, *, method_id: AuthMethodId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> AuthenticateResponse:
        """Asks the agent to authenticate the user by the chosen method.

        Method: `authenticate`.

        Arguments:

        - `method_id`: Method to authenticate by; must be one that the agent listed in its `initialize`
          response.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises RequestError if the peer responds with an error; InvalidResponse if the response is invalid;
        ConnectionClosed if the connection is lost.
        """
        response: AuthenticateResponse = await self._request(
            METHODS["agent", "authenticate", "request"],
            AuthenticateRequest(method_id=method_id, meta=meta),
        )
        return response

    async def logout(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> LogoutResponse:
        """Asks the agent to end the current login.

        Method: `logout`. Gate: `auth.logout`.

        Arguments:

        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: LogoutResponse = await self._request(
            METHODS["agent", "logout", "request"],
            LogoutRequest(meta=meta),
        )
        return response

    async def auth_status(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> AuthStatusResponse:
        """Asks the agent for its authentication state and changes nothing. It MUST be answered even when no one is
        logged in: `auth_required` (`-32000`) is not an allowed reply.

        Method: `auth/status`. Gate: `auth.status`. Unstable: RFD auth-status (draft).

        Arguments:

        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: AuthStatusResponse = await self._request(
            METHODS["agent", "auth/status", "request"],
            AuthStatusRequest(meta=meta),
        )
        return response

    async def new_session(
        self,
        *,
        cwd: str,
        mcp_servers: Sequence[McpServer],
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> NewSessionResponse:
        """Asks the agent to start a new session.

        Method: `session/new`.

        Arguments:

        - `cwd`: Absolute path the session works in and resolves relative paths against.
        - `mcp_servers`: MCP servers the agent has to connect to while the session is live.
        - `additional_directories`: Further workspace roots as absolute paths. They widen what the session may
          reach; relative paths still start at `cwd`. Absent or empty means none. Gate:
          `sessionCapabilities.additionalDirectories`.
        - `system_prompt`: Instructions at system level for the session being created. `null` is the same as
          leaving it out: the agent's defaults apply. MUST NOT be sent unless the agent advertises
          `sessionCapabilities.systemPrompt`. Gate: `sessionCapabilities.systemPrompt`. Unstable: RFD
          system-prompt (draft).
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client sends `additionalDirectories` only if the agent advertised
          `sessionCapabilities.additionalDirectories`.
        - MUST: The client sends each directory as an absolute path.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: NewSessionResponse = await self._request(
            METHODS["agent", "session/new", "request"],
            NewSessionRequest(
                cwd=cwd,
                mcp_servers=_listed(mcp_servers),
                additional_directories=_listed(additional_directories),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )
        return response

    async def load_session(
        self,
        *,
        mcp_servers: Sequence[McpServer],
        cwd: str,
        session_id: SessionId,
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> LoadSessionResponse:
        """Asks the agent to reopen a stored session and replay its conversation to the client.

        Method: `session/load`. Gate: `loadSession`.

        Arguments:

        - `mcp_servers`: MCP servers the agent has to connect to while the session is live.
        - `cwd`: Absolute path the session works in and resolves relative paths against.
        - `session_id`: Session the call is about.
        - `additional_directories`: Further workspace roots as absolute paths; left out or empty means none. A
          non-empty array is the whole list and need not equal an earlier one, as long as `cwd` is the session's
          own. Gate: `sessionCapabilities.additionalDirectories`.
        - `system_prompt`: Instructions at system level for the loaded session. `null` is the same as leaving it
          out: the agent then uses a prompt it kept, or its defaults. MUST NOT be sent unless
          `sessionCapabilities.systemPrompt` is advertised; SHOULD equal the value given at creation. Gate:
          `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: Listing opens nothing: to continue a session, the client calls `session/load` with its id.
        - MUST: The client sends `additionalDirectories` only if the agent advertised
          `sessionCapabilities.additionalDirectories`.
        - MUST: The client sends each directory as an absolute path.
        - SHOULD: A client that needs to show the conversation calls `session/load`, which replays it.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: LoadSessionResponse = await self._request(
            METHODS["agent", "session/load", "request"],
            LoadSessionRequest(
                mcp_servers=_listed(mcp_servers),
                cwd=cwd,
                session_id=session_id,
                additional_directories=_listed(additional_directories),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )
        return response

    async def resume_session(
        self,
        *,
        session_id: SessionId,
        cwd: str,
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        mcp_servers: Sequence[McpServer] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ResumeSessionResponse:
        """Asks the agent to take up a session again without replaying earlier messages, which `session/load` would
        do. Suits agents that can continue a session but not replay it.

        Method: `session/resume`. Gate: `sessionCapabilities.resume`.

        Arguments:

        - `session_id`: Session the call is about.
        - `cwd`: Absolute path the session works in and resolves relative paths against.
        - `additional_directories`: Further workspace roots as absolute paths; left out or empty means none. A
          non-empty array is the whole list and need not equal an earlier one, as long as `cwd` is the session's
          own. Gate: `sessionCapabilities.additionalDirectories`.
        - `mcp_servers`: MCP servers the agent has to connect to while the session is live.
        - `system_prompt`: Instructions at system level for the resumed session. `null` is the same as leaving
          it out: the agent then uses a prompt it kept, or its defaults. MUST NOT be sent unless
          `sessionCapabilities.systemPrompt` is advertised; SHOULD equal the value given at creation. Gate:
          `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls `session/resume` only if the agent advertised it.
        - MUST: The client sends `cwd` as an absolute path.
        - MUST: The client sends `additionalDirectories` only if the agent advertised
          `sessionCapabilities.additionalDirectories`.
        - MUST: The client sends each directory as an absolute path.
        - SHOULD: A client that needs to show the conversation calls `session/load`, which replays it.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ResumeSessionResponse = await self._request(
            METHODS["agent", "session/resume", "request"],
            ResumeSessionRequest(
                session_id=session_id,
                cwd=cwd,
                additional_directories=_listed(additional_directories),
                mcp_servers=_listed(mcp_servers),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )
        return response

    async def list_sessions(
        self,
        *,
        cwd: str | None | UnsetType = UNSET,
        cursor: str | None | UnsetType = UNSET,
        archived: SessionArchiveFilter | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ListSessionsResponse:
        """Asks the agent for its sessions, one page at a time. If the agent supports it, clients need no list of
        their own.

        Method: `session/list`. Gate: `sessionCapabilities.list`.

        Arguments:

        - `cwd`: Absolute path; only sessions with this working directory are listed.
        - `cursor`: Opaque `nextCursor` of the preceding page; null or left out for the first page. Clients do
          not parse, change or keep it.
        - `archived`: Archive states to list; `null` or absent means `exclude`. Sent only if
          `sessionCapabilities.archive` is advertised. Works together with `cwd`, before paging, and stays the
          same across pages. Gate: `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls `session/list` only if the agent advertised it.
        - MUST: The client sends `cwd` as an absolute path.
        - MUST: The client takes a missing `nextCursor` as the end of the list.
        - MUST: For the next page, the client sends the `nextCursor` it received as `cursor`.
        - MUST: Cursors are opaque: the client neither parses nor changes them.
        - MUST: The client does not keep cursors: one is valid only for the listing that it came from, and not
          after the connection has ended.
        - MUST: A cursor is a string on the wire, never an object.
        - MUST: Listing opens nothing: to continue a session, the client calls `session/load` with its id.
        - SHOULD: Where the method is available, the client asks for the sessions instead of keeping its own
          record: only the agent knows sessions that were created or removed elsewhere, by other clients or on
          other devices. A client keeps its own record only for agents that do not offer the method.
        - SHOULD: The client sends a cursor only with the filter of the request that it came from.
        - MAY: The client may leave out `cwd` and `cursor`, or send null.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ListSessionsResponse = await self._request(
            METHODS["agent", "session/list", "request"],
            ListSessionsRequest(cwd=cwd, cursor=cursor, archived=archived, meta=meta),
        )
        return response

    async def fork_session(
        self,
        *,
        session_id: SessionId,
        cwd: str,
        additional_directories: list[str] | tuple[str, ...] | UnsetType = UNSET,
        mcp_servers: Sequence[McpServer] | UnsetType = UNSET,
        system_prompt: SystemPrompt | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ForkSessionResponse:
        """Asks the agent to create a session with the context of an existing one. The original and its history
        stay unchanged.

        Method: `session/fork`. Gate: `sessionCapabilities.fork`. Unstable: RFD session-fork (draft).

        Arguments:

        - `session_id`: Session to fork.
        - `cwd`: Absolute path the new session works in and resolves relative paths against.
        - `additional_directories`: Further workspace roots as absolute paths; left out or empty means none. A
          non-empty array is the whole list for the new session. Gate:
          `sessionCapabilities.additionalDirectories`.
        - `mcp_servers`: MCP servers the agent has to connect to while the session is live.
        - `system_prompt`: Instructions at system level for the fork. `null` is the same as leaving it out: the
          agent then uses a prompt it kept, or its defaults. MUST NOT be sent unless
          `sessionCapabilities.systemPrompt` is advertised; SHOULD equal the source session's value. Gate:
          `sessionCapabilities.systemPrompt`. Unstable: RFD system-prompt (draft).
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls `session/fork` only if the agent advertised it.
        - MUST: The client sends `cwd` as an absolute path.
        - MAY: The client may prompt the fork for a side task, such as a summary, and then close it.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ForkSessionResponse = await self._request(
            METHODS["agent", "session/fork", "request"],
            ForkSessionRequest(
                session_id=session_id,
                cwd=cwd,
                additional_directories=_listed(additional_directories),
                mcp_servers=_listed(mcp_servers),
                system_prompt=system_prompt,
                meta=meta,
            ),
        )
        return response

    async def close_session(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> CloseSessionResponse:
        """Asks the agent to close an open session. It MUST cancel running work, just like `session/cancel`, and
        then release the resources of the session.

        Method: `session/close`. Gate: `sessionCapabilities.close`.

        Arguments:

        - `session_id`: Session the call is about.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls `session/close` only if the agent advertised it.
        - MUST: The request names the session to close.
        - MUST: The client sends no prompt to a closed session before it has opened the session again.
        - MAY: The client may close sessions that the user no longer works with.
        - MAY: The client may prompt the fork for a side task, such as a summary, and then close it.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: CloseSessionResponse = await self._request(
            METHODS["agent", "session/close", "request"],
            CloseSessionRequest(session_id=session_id, meta=meta),
        )
        return response

    async def delete_session(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> DeleteSessionResponse:
        """Asks the agent to remove a session from the results of `session/list`. Deleting it again also succeeds.
        A deleted session may still run.

        Method: `session/delete`. Gate: `sessionCapabilities.delete`.

        Arguments:

        - `session_id`: Session the call is about.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client calls `session/delete` only if the agent advertised it.
        - MUST: The request names the session to delete.
        - MAY: The client may ask the user to confirm before it calls, or offer to undo.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: DeleteSessionResponse = await self._request(
            METHODS["agent", "session/delete", "request"],
            DeleteSessionRequest(session_id=session_id, meta=meta),
        )
        return response

    async def archive_session(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> ArchiveSessionResponse:
        """Asks the agent to hide a session from default listings, keeping its id and history. Work in progress
        MUST be cancelled and resources freed first, just like `session/close`. Repeating it succeeds; an
        unknown session gives `-32002`.

        Method: `session/archive`. Gate: `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).

        Arguments:

        - `session_id`: Session the call is about.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ArchiveSessionResponse = await self._request(
            METHODS["agent", "session/archive", "request"],
            ArchiveSessionRequest(session_id=session_id, meta=meta),
        )
        return response

    async def unarchive_session(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> UnarchiveSessionResponse:
        """Asks the agent to list an archived session by default again, id and history unchanged, without opening
        it. SHOULD precede `session/load` or `session/resume` of an archived session. Succeeds if it was not
        archived; an unknown session gives `-32002`.

        Method: `session/unarchive`. Gate: `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).

        Arguments:

        - `session_id`: Session the call is about.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: UnarchiveSessionResponse = await self._request(
            METHODS["agent", "session/unarchive", "request"],
            UnarchiveSessionRequest(session_id=session_id, meta=meta),
        )
        return response

    async def session_status(
        self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> SessionStatusResponse:
        """Asks the agent what state a session is in. It MUST have no side effects: the session is neither opened
        nor changed, nor is the caller attached to it. An unknown session gives `-32002`, with its `sessionId`
        in `data`.

        Method: `session/status`. Gate: `sessionCapabilities.status`. Unstable: RFD session-status (draft).

        Arguments:

        - `session_id`: Session the call is about.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: SessionStatusResponse = await self._request(
            METHODS["agent", "session/status", "request"],
            SessionStatusRequest(session_id=session_id, meta=meta),
        )
        return response

    async def set_session_title(
        self, *, session_id: SessionId, title: str, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> SetSessionTitleResponse:
        """Asks the agent to rename a session, open or not, that `session/list` could return. The answer comes once
        the title is stored; afterwards a generated title SHOULD NOT displace it. An unknown session gives
        `-32002`.

        Method: `session/set_title`. Gate: `sessionCapabilities.title`. Unstable: RFD session-title (draft).

        Arguments:

        - `session_id`: Session the call is about.
        - `title`: New title; neither `null` nor leaving it out is valid. The agent MAY tidy it first, such as
          by trimming or shortening, and answers `-32602` if it is unacceptable, for instance empty after that.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: SetSessionTitleResponse = await self._request(
            METHODS["agent", "session/set_title", "request"],
            SetSessionTitleRequest(session_id=session_id, title=title, meta=meta),
        )
        return response

    async def set_session_mode(
        self, *, session_id: SessionId, mode_id: SessionModeId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> SetSessionModeResponse:
        """Asks the agent to put a session into another mode.

        Method: `session/set_mode`.

        Arguments:

        - `session_id`: Session the call is about.
        - `mode_id`: Mode to switch to, one of those the agent listed for the session.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises RequestError if the peer responds with an error; InvalidResponse if the response is invalid;
        ConnectionClosed if the connection is lost.
        """
        response: SetSessionModeResponse = await self._request(
            METHODS["agent", "session/set_mode", "request"],
            SetSessionModeRequest(session_id=session_id, mode_id=mode_id, meta=meta),
        )
        return response

    @overload
    async def set_session_config_option(
        self, params: SetSessionConfigOptionRequest, /
    ) -> SetSessionConfigOptionResponse: ...
    @overload
    async def set_session_config_option(
        self,
        /,
        *,
        type: Literal["boolean"],
        session_id: SessionId,
        config_id: SessionConfigId,
        value: bool,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> SetSessionConfigOptionResponse: ...
    @overload
    async def set_session_config_option(
        self,
        /,
        *,
        session_id: SessionId,
        config_id: SessionConfigId,
        value: SessionConfigValueId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> SetSessionConfigOptionResponse: ...

    async def set_session_config_option(self, params: Any = None, /, **given: Any) -> SetSessionConfigOptionResponse:
        """Asks the agent to change one configuration option of a session.

        Method: `session/set_config_option`.

        Pass the params as one object, or the properties of one variant as keywords.

        Raises RequestError if the peer responds with an error; InvalidResponse if the response is invalid;
        ConnectionClosed if the connection is lost.
        """
        response: SetSessionConfigOptionResponse = await self._request(
            METHODS["agent", "session/set_config_option", "request"],
            params_of_variant(
                "set_session_config_option",
                params,
                given,
                (SetSessionConfigOptionRequestBoolean, {"type": "boolean"}),
                (SetSessionConfigOptionRequestValueId, {}),
            ),
        )
        return response

    async def prompt(
        self, *, session_id: SessionId, prompt: Sequence[ContentBlock], meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> PromptResponse:
        """Asks the agent to work on a message from the user, given with any context that belongs to it.

        Method: `session/prompt`.

        Arguments:

        - `session_id`: Session the call is about.
        - `prompt`: The message as content blocks. Agents MUST take `text` and `resource_link`; the client MUST
          offer other kinds only as far as `promptCapabilities` allows. Context MAY be linked or embedded;
          embedded `resource` is better, since it saves a fetch and covers sources the agent cannot reach.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the client:

        - MUST: The client sends no prompt to a closed session before it has opened the session again.
        - MAY: The client may prompt the fork for a side task, such as a summary, and then close it.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: PromptResponse = await self._request(
            METHODS["agent", "session/prompt", "request"],
            PromptRequest(session_id=session_id, prompt=_listed(prompt), meta=meta),
        )
        return response

    async def cancel(self, *, session_id: SessionId, meta: dict[str, Any] | None | UnsetType = UNSET) -> None:
        """Asks the agent to stop all work in a session.

        Method: `session/cancel`.

        Arguments:

        - `session_id`: Session whose work the agent stops.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises ConnectionClosed if the connection is lost.
        """
        await self._notify(
            METHODS["agent", "session/cancel", "notification"],
            CancelNotification(session_id=session_id, meta=meta),
        )

    async def list_providers(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> ListProvidersResponse:
        """Asks the agent which LLM providers can be configured and how each is set up.

        Method: `providers/list`. Gate: `providers`. Unstable: RFD configurable-providers (draft).

        Arguments:

        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ListProvidersResponse = await self._request(
            METHODS["agent", "providers/list", "request"],
            ListProvidersRequest(meta=meta),
        )
        return response

    async def set_provider(
        self,
        *,
        provider_id: ProviderId,
        api_type: LlmProtocol,
        base_url: str,
        headers: dict[str, str] | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> SetProviderResponse:
        """Asks the agent to configure one LLM provider. This replaces its previous configuration.

        Method: `providers/set`. Gate: `providers`. Unstable: RFD configurable-providers (draft).

        Arguments:

        - `provider_id`: Provider whose configuration is replaced.
        - `api_type`: API dialect the agent has to speak to this provider.
        - `base_url`: Base URL the agent sends its model requests to.
        - `headers`: Complete set of HTTP headers by name, for instance for credentials or routing; earlier
          headers are not merged in.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: SetProviderResponse = await self._request(
            METHODS["agent", "providers/set", "request"],
            SetProviderRequest(
                provider_id=provider_id, api_type=api_type, base_url=base_url, headers=headers, meta=meta
            ),
        )
        return response

    async def disable_provider(
        self, *, provider_id: ProviderId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> DisableProviderResponse:
        """Asks the agent to switch off one LLM provider.

        Method: `providers/disable`. Gate: `providers`. Unstable: RFD configurable-providers (draft).

        Arguments:

        - `provider_id`: Provider to switch off.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: DisableProviderResponse = await self._request(
            METHODS["agent", "providers/disable", "request"],
            DisableProviderRequest(provider_id=provider_id, meta=meta),
        )
        return response

    async def message_mcp_notification(
        self,
        *,
        server_id: McpServerAcpId,
        request_id: McpRequestId,
        method: str,
        params: dict[str, Any] | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Relays an MCP notification from the server's provider to its consumer during a request, such as the
        update of a subscription. Being a notification, it bears no outer `id`.

        Method: `mcp/message`. Gate: `mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft).

        Arguments:

        - `server_id`: Id of the ACP-transport server that is handling the request.
        - `request_id`: Id of the MCP request, still active, to which this belongs.
        - `method`: Name of the MCP method being relayed.
        - `params`: Params of the MCP message; `null` is the same as leaving them out, and the message then has
          none.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; ConnectionClosed if the
        connection is lost.
        """
        await self._notify(
            METHODS["agent", "mcp/message", "notification"],
            MessageMcpNotification(server_id=server_id, request_id=request_id, method=method, params=params, meta=meta),
        )

    def prompt_stream(
        self, *, session_id: SessionId, prompt: Sequence[ContentBlock], meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> Stream[SessionUpdate, PromptResponse]:
        """Call `prompt` and iterate over the updates of the session: `async for update in ...`.

        The first iteration sends the request. After the last update, `response` is the result. Leaving the loop
        early ends the request. The notification handler is still called first.
        """
        stream: Stream[SessionUpdate, PromptResponse] = stream_of(
            self,
            METHODS["agent", "session/prompt", "request"],
            PromptRequest(session_id=session_id, prompt=_listed(prompt), meta=meta),
            METHODS["client", "session/update", "notification"],
            "update",
        )
        return stream

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
        from ._runtime.session.client_session import opened
        from .sessions import ClientSession

        if mcp:
            from ._runtime.session.tunnel import opened_with

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
        from ._runtime.session.client_session import reopened
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

    def sessions(
        self,
        *,
        cwd: str | None | UnsetType = UNSET,
        archived: SessionArchiveFilter | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> AsyncIterator[SessionInfo]:
        """Iterate over the items of all pages of `list_sessions`. A repeated cursor ends the list, with a warning in the log."""
        from ._runtime.session.paging import paged

        params = ListSessionsRequest(cwd=cwd, archived=archived, meta=meta)
        ask = partial(self._request, METHODS["agent", "session/list", "request"])
        return paged(ask, params, items="sessions", cursor="cursor", following="next_cursor")


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
    from ._runtime.entrypoints.process import spawn

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
    from ._runtime.entrypoints.connect import connect as dial

    return dial(ClientSideConnection, client or Client(), url, versions, **options)
