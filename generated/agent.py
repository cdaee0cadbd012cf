# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The stubs for whoever writes an agent: what it implements, and its calls to the client."""

from __future__ import annotations

from collections.abc import Awaitable, Sequence
from typing import Any, Unpack

from msgspec import UNSET, UnsetType

from ._runtime.arguments import listed as _listed
from ._runtime.connection import Connection, Options
from ._runtime.peer import Peer
from ._runtime.process import serve_stdio
from ._runtime.entry import Entry
from .methods import METHODS, PROTOCOL
from .models import (
    ArchiveSessionRequest,
    ArchiveSessionResponse,
    AuthAccount,
    AuthState,
    AuthStatusRequest,
    AuthStatusResponse,
    AuthStatusUpdateNotification,
    AuthenticateRequest,
    AuthenticateResponse,
    CancelNotification,
    CloseSessionRequest,
    CloseSessionResponse,
    CompleteElicitationNotification,
    CreateElicitationRequest,
    CreateElicitationResponse,
    CreateTerminalRequest,
    CreateTerminalResponse,
    DeleteSessionRequest,
    DeleteSessionResponse,
    DisableProviderRequest,
    DisableProviderResponse,
    ElicitationId,
    EnvVariable,
    ForkSessionRequest,
    ForkSessionResponse,
    InitializeRequest,
    InitializeResponse,
    KillTerminalRequest,
    KillTerminalResponse,
    ListProvidersRequest,
    ListProvidersResponse,
    ListSessionsRequest,
    ListSessionsResponse,
    LoadSessionRequest,
    LoadSessionResponse,
    LogoutRequest,
    LogoutResponse,
    McpRequestId,
    McpServerAcpId,
    MessageMcpNotification,
    MessageMcpRequest,
    MessageMcpResponse,
    NewSessionRequest,
    NewSessionResponse,
    PermissionOption,
    PromptRequest,
    PromptResponse,
    ReadTextFileRequest,
    ReadTextFileResponse,
    ReleaseTerminalRequest,
    ReleaseTerminalResponse,
    RequestPermissionRequest,
    RequestPermissionResponse,
    ResumeSessionRequest,
    ResumeSessionResponse,
    SessionId,
    SessionNotification,
    SessionStatusRequest,
    SessionStatusResponse,
    SessionUpdate,
    SessionUpdateToolCallUpdate,
    SetProviderRequest,
    SetProviderResponse,
    SetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse,
    SetSessionModeRequest,
    SetSessionModeResponse,
    SetSessionTitleRequest,
    SetSessionTitleResponse,
    TerminalId,
    TerminalOutputRequest,
    TerminalOutputResponse,
    ToolCall,
    ToolCallContent,
    ToolCallLocation,
    ToolCallStatus,
    ToolCallUpdate,
    ToolKind,
    UnarchiveSessionRequest,
    UnarchiveSessionResponse,
    WaitForTerminalExitRequest,
    WaitForTerminalExitResponse,
    WriteTextFileRequest,
    WriteTextFileResponse,
)


class Agent(Peer):
    """Base of an agent: override what it implements; the rest answers method-not-found."""

    client: AgentSideConnection
    """The connection to the client; set before anything is dispatched."""

    def initialize(self, params: InitializeRequest) -> InitializeResponse | Awaitable[InitializeResponse]:
        """Opens the connection: tells the agent which protocol version and capabilities the client has, and asks
        for the agent's.

        Method: `initialize`.
        """
        return self._unimplemented("initialize")

    def authenticate(
        self, params: AuthenticateRequest
    ) -> AuthenticateResponse | None | Awaitable[AuthenticateResponse | None]:
        """Asks the agent to authenticate the user by the chosen method.

        Method: `authenticate`.
        """
        return self._unimplemented("authenticate")

    def logout(self, params: LogoutRequest) -> LogoutResponse | None | Awaitable[LogoutResponse | None]:
        """Asks the agent to end the current login.

        Method: `logout`. Gate: `auth.logout`.
        """
        return self._unimplemented("logout")

    def auth_status(self, params: AuthStatusRequest) -> AuthStatusResponse | Awaitable[AuthStatusResponse]:
        """Asks the agent for its authentication state and changes nothing. It MUST be answered even when no one is
        logged in: `auth_required` (`-32000`) is not an allowed reply.

        Method: `auth/status`. Gate: `auth.status`. Unstable: RFD auth-status (draft).
        """
        return self._unimplemented("auth/status")

    def new_session(self, params: NewSessionRequest) -> NewSessionResponse | Awaitable[NewSessionResponse]:
        """Asks the agent to start a fresh session.

        Method: `session/new`.
        """
        return self._unimplemented("session/new")

    def load_session(
        self, params: LoadSessionRequest
    ) -> LoadSessionResponse | None | Awaitable[LoadSessionResponse | None]:
        """Asks the agent to reopen a stored session and replay its conversation to the client.

        Method: `session/load`. Gate: `loadSession`.
        """
        return self._unimplemented("session/load")

    def resume_session(
        self, params: ResumeSessionRequest
    ) -> ResumeSessionResponse | None | Awaitable[ResumeSessionResponse | None]:
        """Asks the agent to take up a session again without replaying earlier messages, which `session/load` would
        do. Suits agents that can continue a session but not replay it.

        Method: `session/resume`. Gate: `sessionCapabilities.resume`.
        """
        return self._unimplemented("session/resume")

    def list_sessions(self, params: ListSessionsRequest) -> ListSessionsResponse | Awaitable[ListSessionsResponse]:
        """Asks the agent for the sessions it knows, one page at a time.

        Method: `session/list`. Gate: `sessionCapabilities.list`.
        """
        return self._unimplemented("session/list")

    def fork_session(self, params: ForkSessionRequest) -> ForkSessionResponse | Awaitable[ForkSessionResponse]:
        """Asks the agent to branch a new session off an existing one's context; the original and its history stay
        untouched, so a summary, say, can be made on the side.

        Method: `session/fork`. Gate: `sessionCapabilities.fork`. Unstable: RFD session-fork (draft).
        """
        return self._unimplemented("session/fork")

    def close_session(
        self, params: CloseSessionRequest
    ) -> CloseSessionResponse | None | Awaitable[CloseSessionResponse | None]:
        """Asks the agent to shut an open session. It MUST cancel running work, just like `session/cancel`, and
        then release whatever the session holds.

        Method: `session/close`. Gate: `sessionCapabilities.close`.
        """
        return self._unimplemented("session/close")

    def delete_session(
        self, params: DeleteSessionRequest
    ) -> DeleteSessionResponse | None | Awaitable[DeleteSessionResponse | None]:
        """Asks the agent to remove a session from what `session/list` returns.

        Method: `session/delete`. Gate: `sessionCapabilities.delete`.
        """
        return self._unimplemented("session/delete")

    def archive_session(
        self, params: ArchiveSessionRequest
    ) -> ArchiveSessionResponse | None | Awaitable[ArchiveSessionResponse | None]:
        """Asks the agent to hide a session from default listings, keeping its id and history. Work in progress
        MUST be cancelled and resources freed first, just like `session/close`. Repeating it succeeds; an
        unknown session gives `-32002`.

        Method: `session/archive`. Gate: `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).
        """
        return self._unimplemented("session/archive")

    def unarchive_session(
        self, params: UnarchiveSessionRequest
    ) -> UnarchiveSessionResponse | None | Awaitable[UnarchiveSessionResponse | None]:
        """Asks the agent to list an archived session by default again, id and history unchanged, without opening
        it. SHOULD precede `session/load` or `session/resume` of an archived session. Succeeds if it was not
        archived; an unknown session gives `-32002`.

        Method: `session/unarchive`. Gate: `sessionCapabilities.archive`. Unstable: RFD session-archive (draft).
        """
        return self._unimplemented("session/unarchive")

    def session_status(self, params: SessionStatusRequest) -> SessionStatusResponse | Awaitable[SessionStatusResponse]:
        """Asks the agent what state a session is in. It MUST have no side effects: the session is neither opened
        nor changed, nor is the caller attached to it. An unknown session gives `-32002`, with its `sessionId`
        in `data`.

        Method: `session/status`. Gate: `sessionCapabilities.status`. Unstable: RFD session-status (draft).
        """
        return self._unimplemented("session/status")

    def set_session_title(
        self, params: SetSessionTitleRequest
    ) -> SetSessionTitleResponse | Awaitable[SetSessionTitleResponse]:
        """Asks the agent to rename a session, open or not, that `session/list` could return. The answer comes once
        the title is stored; afterwards a generated title SHOULD NOT displace it. An unknown session gives
        `-32002`.

        Method: `session/set_title`. Gate: `sessionCapabilities.title`. Unstable: RFD session-title (draft).
        """
        return self._unimplemented("session/set_title")

    def set_session_mode(
        self, params: SetSessionModeRequest
    ) -> SetSessionModeResponse | None | Awaitable[SetSessionModeResponse | None]:
        """Asks the agent to put a session into another mode.

        Method: `session/set_mode`.
        """
        return self._unimplemented("session/set_mode")

    def set_session_config_option(
        self, params: SetSessionConfigOptionRequest
    ) -> SetSessionConfigOptionResponse | Awaitable[SetSessionConfigOptionResponse]:
        """Asks the agent to change one configuration option of a session.

        Method: `session/set_config_option`.
        """
        return self._unimplemented("session/set_config_option")

    def prompt(self, params: PromptRequest) -> PromptResponse | Awaitable[PromptResponse]:
        """Asks the agent to work on a message from the user, given with any context that belongs to it.

        Method: `session/prompt`.
        """
        return self._unimplemented("session/prompt")

    def cancel(self, params: CancelNotification) -> None | Awaitable[None]:
        """Tells the agent to stop everything it is doing in a session.

        Method: `session/cancel`.

        Unless overridden, this cancels the session's handlers and answers `session/prompt` with `{"stopReason":
        "cancelled"}`.
        """
        return self._unimplemented("session/cancel")

    def list_providers(self, params: ListProvidersRequest) -> ListProvidersResponse | Awaitable[ListProvidersResponse]:
        """Asks the agent which LLM providers can be configured and how each is set up.

        Method: `providers/list`. Gate: `providers`. Unstable: RFD configurable-providers (draft).
        """
        return self._unimplemented("providers/list")

    def set_provider(
        self, params: SetProviderRequest
    ) -> SetProviderResponse | None | Awaitable[SetProviderResponse | None]:
        """Asks the agent to configure one LLM provider; what was configured for it before is replaced as a whole.

        Method: `providers/set`. Gate: `providers`. Unstable: RFD configurable-providers (draft).
        """
        return self._unimplemented("providers/set")

    def disable_provider(
        self, params: DisableProviderRequest
    ) -> DisableProviderResponse | None | Awaitable[DisableProviderResponse | None]:
        """Asks the agent to switch off one LLM provider.

        Method: `providers/disable`. Gate: `providers`. Unstable: RFD configurable-providers (draft).
        """
        return self._unimplemented("providers/disable")

    def message_mcp_notification(self, params: MessageMcpNotification) -> None | Awaitable[None]:
        """Relays an MCP notification from the server's provider to its consumer while a request is active, for
        instance a subscription's acknowledgement or update. Being a notification, it bears no outer `id`.

        Method: `mcp/message`. Gate: `mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft).
        """
        return self._unimplemented("mcp/message")


class AgentSideConnection(Connection):
    """What an agent holds to call its client."""

    _protocol = PROTOCOL
    _side = "agent"
    _peer_side = "client"

    async def auth_status_update(
        self,
        *,
        state: AuthState,
        accounts: Sequence[AuthAccount] | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Announces a changed authentication status, with the fields of the `auth/status` response. An agent that
        advertised `auth.status` MAY send it whenever `initialize` is done, and SHOULD send it only if the
        status is not the one it reported last on this connection.

        Method: `auth/status_update`. Gate: `agent:auth.status`. Unstable: RFD auth-status (draft). Raises
        CapabilityError where the peer did not advertise what this needs.
        """
        await self._notify(
            METHODS["client", "auth/status_update", "notification"],
            AuthStatusUpdateNotification(state=state, accounts=_listed(accounts), meta=meta),
        )

    async def session_update(
        self, *, session_id: SessionId, update: SessionUpdate, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces something new in a session, such as output or progress while a prompt is being worked on.

        Method: `session/update`. Raises CapabilityError where the peer did not advertise what this needs.
        """
        await self._notify(
            METHODS["client", "session/update", "notification"],
            SessionNotification(session_id=session_id, update=update, meta=meta),
        )

    async def request_permission(
        self,
        *,
        session_id: SessionId,
        tool_call: ToolCallUpdate,
        options: Sequence[PermissionOption],
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> RequestPermissionResponse:
        """Asks the client to let the user decide whether a sensitive tool call may go ahead.

        Method: `session/request_permission`. Raises CapabilityError where the peer did not advertise what this
        needs.
        """
        response: RequestPermissionResponse = await self._request(
            METHODS["client", "session/request_permission", "request"],
            RequestPermissionRequest(session_id=session_id, tool_call=tool_call, options=_listed(options), meta=meta),
        )
        return response

    async def read_text_file(
        self,
        *,
        session_id: SessionId,
        path: str,
        line: int | None | UnsetType = UNSET,
        limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> ReadTextFileResponse:
        """Asks the client for the text of a file, whole or in part; needs `fs.readTextFile`.

        Method: `fs/read_text_file`. Gate: `fs.readTextFile`. Raises CapabilityError where the peer did not
        advertise what this needs.
        """
        response: ReadTextFileResponse = await self._request(
            METHODS["client", "fs/read_text_file", "request"],
            ReadTextFileRequest(session_id=session_id, path=path, line=line, limit=limit, meta=meta),
        )
        return response

    async def write_text_file(
        self, *, session_id: SessionId, path: str, content: str, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> WriteTextFileResponse:
        """Asks the client to store text in a file; needs `fs.writeTextFile`.

        Method: `fs/write_text_file`. Gate: `fs.writeTextFile`. Raises CapabilityError where the peer did not
        advertise what this needs.
        """
        response: WriteTextFileResponse = await self._request(
            METHODS["client", "fs/write_text_file", "request"],
            WriteTextFileRequest(session_id=session_id, path=path, content=content, meta=meta),
        )
        return response

    async def create_terminal(
        self,
        *,
        session_id: SessionId,
        command: str,
        args: list[str] | tuple[str, ...] | UnsetType = UNSET,
        env: Sequence[EnvVariable] | UnsetType = UNSET,
        cwd: str | None | UnsetType = UNSET,
        output_byte_limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> CreateTerminalResponse:
        """Asks the client to open a terminal and start a command in it.

        Method: `terminal/create`. Gate: `terminal`. Raises CapabilityError where the peer did not advertise
        what this needs.
        """
        response: CreateTerminalResponse = await self._request(
            METHODS["client", "terminal/create", "request"],
            CreateTerminalRequest(
                session_id=session_id,
                command=command,
                args=_listed(args),
                env=_listed(env),
                cwd=cwd,
                output_byte_limit=output_byte_limit,
                meta=meta,
            ),
        )
        return response

    async def terminal_output(
        self, *, session_id: SessionId, terminal_id: TerminalId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> TerminalOutputResponse:
        """Asks the client what a terminal has printed so far and whether its command has ended.

        Method: `terminal/output`. Gate: `terminal`. Raises CapabilityError where the peer did not advertise
        what this needs.
        """
        response: TerminalOutputResponse = await self._request(
            METHODS["client", "terminal/output", "request"],
            TerminalOutputRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    async def wait_for_terminal_exit(
        self, *, session_id: SessionId, terminal_id: TerminalId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> WaitForTerminalExitResponse:
        """Asks the client to answer once the command in a terminal has ended.

        Method: `terminal/wait_for_exit`. Gate: `terminal`. Raises CapabilityError where the peer did not
        advertise what this needs.
        """
        response: WaitForTerminalExitResponse = await self._request(
            METHODS["client", "terminal/wait_for_exit", "request"],
            WaitForTerminalExitRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    async def kill_terminal(
        self, *, session_id: SessionId, terminal_id: TerminalId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> KillTerminalResponse:
        """Asks the client to stop the command in a terminal; the terminal itself stays valid until released.

        Method: `terminal/kill`. Gate: `terminal`. Raises CapabilityError where the peer did not advertise what
        this needs.
        """
        response: KillTerminalResponse = await self._request(
            METHODS["client", "terminal/kill", "request"],
            KillTerminalRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    async def release_terminal(
        self, *, session_id: SessionId, terminal_id: TerminalId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> ReleaseTerminalResponse:
        """Asks the client to give up a terminal together with everything it holds.

        Method: `terminal/release`. Gate: `terminal`. Raises CapabilityError where the peer did not advertise
        what this needs.
        """
        response: ReleaseTerminalResponse = await self._request(
            METHODS["client", "terminal/release", "request"],
            ReleaseTerminalRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    async def create_elicitation(self, params: CreateElicitationRequest) -> CreateElicitationResponse:
        """Asks the client to obtain input from the user, through a form or at a URL. It belongs either to a
        session (and perhaps a tool call in it) or to another request.

        Method: `elicitation/create`. Gate: `elicitation`.

        Takes the params whole. Raises CapabilityError where the peer did not advertise what this needs.
        """
        response: CreateElicitationResponse = await self._request(
            METHODS["client", "elicitation/create", "request"],
            params,
        )
        return response

    async def complete_elicitation(
        self, *, elicitation_id: ElicitationId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces that the user's interaction behind a URL elicitation has ended.

        Method: `elicitation/complete`. Gate: `elicitation.url`. Raises CapabilityError where the peer did not
        advertise what this needs.
        """
        await self._notify(
            METHODS["client", "elicitation/complete", "notification"],
            CompleteElicitationNotification(elicitation_id=elicitation_id, meta=meta),
        )

    async def message_mcp(
        self,
        *,
        server_id: McpServerAcpId,
        request_id: McpRequestId,
        method: str,
        params: dict[str, Any] | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> MessageMcpResponse:
        """Asks the side that provides an MCP server over the ACP connection to handle one MCP request.

        Method: `mcp/message`. Gate: `agent:mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft). Raises
        CapabilityError where the peer did not advertise what this needs.
        """
        response: MessageMcpResponse = await self._request(
            METHODS["client", "mcp/message", "request"],
            MessageMcpRequest(server_id=server_id, request_id=request_id, method=method, params=params, meta=meta),
        )
        return response

    def tool_call(self, session_id: SessionId, first: ToolCall) -> ToolCallEntry:
        """`async with` sends the update; leaving sends how it has ended. `update` tells what has changed meanwhile."""

        async def send(update: Any) -> None:
            await self.session_update(session_id=session_id, update=update)

        return ToolCallEntry(send, first, first.tool_call_id)


class ToolCallEntry(Entry):
    """A `ToolCall` under way."""

    _stage = "status"
    _done = "completed"
    _failed = "failed"

    async def update(
        self,
        *,
        kind: ToolKind | None | UnsetType = UNSET,
        status: ToolCallStatus | None | UnsetType = UNSET,
        title: str | None | UnsetType = UNSET,
        name: str | None | UnsetType = UNSET,
        content: Sequence[ToolCallContent] | None | UnsetType = UNSET,
        locations: Sequence[ToolCallLocation] | None | UnsetType = UNSET,
        raw_input: Any = UNSET,
        raw_output: Any = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Tell what has changed; what is left out stays."""
        await self._tell(
            SessionUpdateToolCallUpdate(
                tool_call_id=self.key,
                kind=kind,
                status=status,
                title=title,
                name=name,
                content=_listed(content),
                locations=_listed(locations),
                raw_input=raw_input,
                raw_output=raw_output,
                meta=meta,
            )
        )

    def _patch(self, **changes: Any) -> SessionUpdateToolCallUpdate:
        return SessionUpdateToolCallUpdate(tool_call_id=self.key, **changes)


async def run_agent(agent: Agent, **options: Unpack[Options]) -> None:
    """Serve an agent on standard input and output until the client closes them. Options: see `Options`."""
    await serve_stdio(AgentSideConnection, agent, **options)
