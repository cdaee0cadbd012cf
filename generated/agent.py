# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base class of an agent, and its typed calls to the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal, TYPE_CHECKING, Unpack, overload

from msgspec import UNSET, UnsetType

from ._runtime.codec.codec import listed as _listed
from ._runtime.codec.payloads import params_of_variant
from ._runtime.connection.connection import Connection, Options
from ._runtime.connection.handlers import CurrentSession, Peer
from ._runtime.session.handles import Entry
from ._runtime.session.handles import Handle
from .methods import METHODS, PROTOCOL
from .models import (
    ArchiveSessionRequest, ArchiveSessionResponse, AuthAccount, AuthState, AuthStatusRequest, AuthStatusResponse,
    AuthStatusUpdateNotification, AuthenticateRequest, AuthenticateResponse, CancelNotification, CloseSessionRequest,
    CloseSessionResponse, CompleteElicitationNotification, CreateElicitationRequest,
    CreateElicitationRequestFormRequest, CreateElicitationRequestFormSession, CreateElicitationRequestUrlRequest,
    CreateElicitationRequestUrlSession, CreateElicitationResponse, CreateTerminalRequest, CreateTerminalResponse,
    DeleteSessionRequest, DeleteSessionResponse, DisableProviderRequest, DisableProviderResponse, ElicitationId,
    ElicitationSchema, EnvVariable, ForkSessionRequest, ForkSessionResponse, InitializeRequest, InitializeResponse,
    KillTerminalRequest, KillTerminalResponse, ListProvidersRequest, ListProvidersResponse, ListSessionsRequest,
    ListSessionsResponse, LoadSessionRequest, LoadSessionResponse, LogoutRequest, LogoutResponse, McpRequestId,
    McpServerAcpId, MessageMcpNotification, MessageMcpRequest, MessageMcpResponse, NewSessionRequest,
    NewSessionResponse, PermissionOption, PromptRequest, PromptResponse, ReadTextFileRequest, ReadTextFileResponse,
    ReleaseTerminalRequest, ReleaseTerminalResponse, RequestId, RequestPermissionRequest, RequestPermissionResponse,
    ResumeSessionRequest, ResumeSessionResponse, SessionId, SessionNotification, SessionStatusRequest,
    SessionStatusResponse, SessionUpdate, SetProviderRequest, SetProviderResponse, SetSessionConfigOptionRequest,
    SetSessionConfigOptionResponse, SetSessionModeRequest, SetSessionModeResponse, SetSessionTitleRequest,
    SetSessionTitleResponse, TerminalId, TerminalOutputRequest, TerminalOutputResponse, ToolCall, ToolCallContent,
    ToolCallId, ToolCallLocation, ToolCallProgress, ToolCallStatus, ToolCallUpdate, ToolKind, UnarchiveSessionRequest,
    UnarchiveSessionResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse, WriteTextFileRequest,
    WriteTextFileResponse,
)  # fmt: skip

if TYPE_CHECKING:
    from .sessions import AgentSession

if TYPE_CHECKING:  # networking is slow to import, and most agents do not need it
    from ._runtime.entrypoints.remote import Application
    from ._runtime.entrypoints.serve import HostOptions, ServeOptions


class Agent(Peer):
    """Base of an agent: override the methods that it supports. Other requests get a method-not-found error."""

    client: AgentSideConnection
    """The connection to the client, set before the first handler runs."""

    session: AgentSession = CurrentSession("client")  # type: ignore[assignment]
    """The session of the running handler. Raises RuntimeError outside of handlers whose params name a session."""

    def initialize(self, params: InitializeRequest) -> InitializeResponse | Awaitable[InitializeResponse]:
        """Opens the connection: sends the client's protocol version and capabilities, and asks for the agent's.

        Method: `initialize`.
        """
        # The connection fills in omitted fields: the capabilities of the overridden methods, and the program's name.
        return InitializeResponse(protocol_version=params.protocol_version)

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
        """Asks the agent to start a new session.

        Method: `session/new`.
        """
        return self._unimplemented("session/new")

    def load_session(
        self, params: LoadSessionRequest
    ) -> LoadSessionResponse | None | Awaitable[LoadSessionResponse | None]:
        """Asks the agent to reopen a stored session and replay its conversation to the client.

        Method: `session/load`. Gate: `loadSession`.

        Required of the agent:

        - MAY: The agent decides what loading a deleted session does: it may open the session, or answer with an
          error.
        - MAY: Closing deletes nothing: an agent that can load or resume sessions may open the session again and
          still list it.
        """
        return self._unimplemented("session/load")

    def resume_session(
        self, params: ResumeSessionRequest
    ) -> ResumeSessionResponse | None | Awaitable[ResumeSessionResponse | None]:
        """Asks the agent to take up a session again without replaying earlier messages, which `session/load` would
        do. Suits agents that can continue a session but not replay it.

        Method: `session/resume`. Gate: `sessionCapabilities.resume`.

        Required of the agent:

        - MUST: An agent that serves `session/resume` advertises `sessionCapabilities.resume` when the
          connection opens.
        - MUST: The session continues with the context that it had: later prompts build on it.
        - MUST: The agent does not replay the conversation before it answers.
        - MUST: The result has the session's modes and options, if it has any.
        - MAY: Closing deletes nothing: an agent that can load or resume sessions may open the session again and
          still list it.
        - MAY: An agent that cannot replay conversations may offer `session/resume` without `session/load`.
        """
        return self._unimplemented("session/resume")

    def list_sessions(self, params: ListSessionsRequest) -> ListSessionsResponse | Awaitable[ListSessionsResponse]:
        """Asks the agent for its sessions, one page at a time. If the agent supports it, clients need no list of
        their own.

        Method: `session/list`. Gate: `sessionCapabilities.list`.

        Required of the agent:

        - MUST: An agent that serves `session/list` advertises `sessionCapabilities.list` when the connection
          opens; `{}` is enough.
        - MUST: Without `cwd`, the agent lists the client's sessions of every working directory.
        - MUST: With `cwd`, the agent lists only sessions with that working directory.
        - MUST: If no session matches, the result is an empty array without a cursor, not an error.
        - MUST: If there are more sessions, the result has a `nextCursor`.
        - MUST: The last page has no `nextCursor`.
        - MUST: A cursor is a string on the wire, never an object.
        - MUST: The agent lists only sessions of the client that is authenticated.
        - MUST: A deleted session no longer appears in `session/list`.
        - SHOULD: Cursors stay usable while sessions come and go: paging shows no session twice and skips none
          that stays.
        - SHOULD: The agent answers a cursor that it cannot use with an error, and goes on serving.
        - SHOULD: The agent limits the size of a page.
        - MAY: An agent without stored sessions leaves the method and its capability out.
        - MAY: The agent chooses the order of the list.
        - MAY: An agent may offer `session/list` without `session/load`, for browsing only.
        - MAY: The agent may remove sessions by its own policy, such as sessions that were not used for days.
        """
        return self._unimplemented("session/list")

    def fork_session(self, params: ForkSessionRequest) -> ForkSessionResponse | Awaitable[ForkSessionResponse]:
        """Asks the agent to create a session with the context of an existing one. The original and its history
        stay unchanged.

        Method: `session/fork`. Gate: `sessionCapabilities.fork`. Unstable: RFD session-fork (draft).

        Required of the agent:

        - MUST: An agent that serves `session/fork` advertises `sessionCapabilities.fork` when the connection
          opens.
        - MUST: The fork is a new session with its own id.
        - MUST: The fork begins with the context of the original up to now.
        - MUST: Changes in the fork do not affect the original, and changes in the original do not affect the
          fork.
        - MUST: The result has the new id, and the modes and options like the result of `session/load`.
        - MAY: The agent may reject these options: the context of the original was built with other tools.
        """
        return self._unimplemented("session/fork")

    def close_session(
        self, params: CloseSessionRequest
    ) -> CloseSessionResponse | None | Awaitable[CloseSessionResponse | None]:
        """Asks the agent to close an open session. It MUST cancel running work, just like `session/cancel`, and
        then release the resources of the session.

        Method: `session/close`. Gate: `sessionCapabilities.close`.

        Required of the agent:

        - MUST: An agent that serves `session/close` advertises `sessionCapabilities.close` when the connection
          opens.
        - MUST: The agent cancels all work of the session, as `session/cancel` would.
        - MUST: The agent answers a prompt that was running with the stop reason `cancelled`.
        - MUST: After that, the agent frees all resources of the session: memory, threads, processes.
        - MUST: The other sessions of the connection go on.
        - MUST: Success is an empty result.
        - SHOULD: After the answer, the agent sends nothing more for the session until it is opened again.
        - MAY: Closing deletes nothing: an agent that can load or resume sessions may open the session again and
          still list it.
        - MAY: The agent may answer with an error if the session is unknown or not active.
        """
        return self._unimplemented("session/close")

    def delete_session(
        self, params: DeleteSessionRequest
    ) -> DeleteSessionResponse | None | Awaitable[DeleteSessionResponse | None]:
        """Asks the agent to remove a session from the results of `session/list`. Deleting it again also succeeds.
        A deleted session may still run.

        Method: `session/delete`. Gate: `sessionCapabilities.delete`.

        Required of the agent:

        - MUST: An agent that serves `session/delete` advertises `sessionCapabilities.delete` when the
          connection opens.
        - MUST: An agent that did not advertise `sessionCapabilities.delete` does not accept the call.
        - MUST: Success is an empty result.
        - MUST: A deleted session no longer appears in `session/list`.
        - MUST: The agent deletes without asking for confirmation.
        - SHOULD: Deleting is idempotent: deleting a session that was deleted before, or that never existed,
          succeeds silently.
        - MAY: The agent may keep the data of a deleted session and only hide it.
        - MAY: The agent may remove the data of a deleted session.
        - MAY: The agent decides what loading a deleted session does: it may open the session, or answer with an
          error.
        - MAY: The agent decides what deleting an active session does: it may refuse, end the session, or let it
          run.
        - MAY: A deleted session may still run: its turn may go on, and its updates may follow. It is only
          missing from later lists.
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

        Required of the agent:

        - MUST: The agent answers a prompt that was running with the stop reason `cancelled`.
        """
        return self._unimplemented("session/prompt")

    def cancel(self, params: CancelNotification) -> None | Awaitable[None]:
        """Asks the agent to stop all work in a session.

        Method: `session/cancel`.

        Unless overridden, this cancels the session's handlers and answers `session/prompt` with `{"stopReason":
        "cancelled"}`.

        Required of the agent:

        - MUST: The agent cancels all work of the session, as `session/cancel` would.
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
        """Asks the agent to configure one LLM provider. This replaces its previous configuration.

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
        """Relays an MCP notification from the server's provider to its consumer during a request, such as the
        update of a subscription. Being a notification, it bears no outer `id`.

        Method: `mcp/message`. Gate: `mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft).
        """
        return self._unimplemented("mcp/message")


class AgentSideConnection(Connection):
    """The typed calls of an agent to its client."""

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

        Method: `auth/status_update`. Gate: `agent:auth.status`. Unstable: RFD auth-status (draft).

        Arguments:

        - `state`: Tells whether sessions can be started without a sign-in; clients should base decisions on no
          other field. A value the client does not know MUST be handled like `unknown`.
        - `accounts`: Configured accounts, meant for display only; absent and empty both mean that none are
          reported. An agent with credentials for more than one SHOULD list them all and flag those in use with
          `active`.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; ConnectionClosed if the
        connection is lost.
        """
        await self._notify(
            METHODS["client", "auth/status_update", "notification"],
            AuthStatusUpdateNotification(state=state, accounts=_listed(accounts), meta=meta),
        )

    async def session_update(
        self, *, session_id: SessionId, update: SessionUpdate, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces a change of a session, such as output or progress during a prompt turn.

        Method: `session/update`.

        Arguments:

        - `session_id`: Session the update is about.
        - `update`: The change of the session.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the agent:

        - MUST: The agent does not replay the conversation before it answers.
        - SHOULD: After the answer, the agent sends nothing more for the session until it is opened again.
        - MAY: A deleted session may still run: its turn may go on, and its updates may follow. It is only
          missing from later lists.

        Raises CapabilityError if the peer did not advertise a required capability; ConnectionClosed if the
        connection is lost.
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

        Method: `session/request_permission`.

        Arguments:

        - `session_id`: Session the call is about.
        - `tool_call`: Tool call that awaits the decision.
        - `options`: Options that the user can select.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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

        Method: `fs/read_text_file`. Gate: `fs.readTextFile`.

        Arguments:

        - `session_id`: Session the call is about.
        - `path`: Absolute path of the file.
        - `line`: First line to return, counted from 1.
        - `limit`: Upper bound on the number of lines returned.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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

        Method: `fs/write_text_file`. Gate: `fs.writeTextFile`.

        Arguments:

        - `session_id`: Session the call is about.
        - `path`: Absolute path of the file that receives the text.
        - `content`: Complete new text of the file.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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

        Method: `terminal/create`. Gate: `terminal`.

        Arguments:

        - `session_id`: Session the call is about.
        - `command`: Program to run.
        - `args`: Arguments passed to the program, in order.
        - `env`: Environment variables to set for the program.
        - `cwd`: Directory the program starts in, as an absolute path.
        - `output_byte_limit`: Most output to keep, in bytes. Beyond it the client drops the oldest output, and
          it MUST cut between characters so that the rest is a valid string, even if that keeps a little less.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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
        """Asks the client for the output of a terminal so far, and whether its command has ended.

        Method: `terminal/output`. Gate: `terminal`.

        Arguments:

        - `session_id`: Session the call is about.
        - `terminal_id`: Terminal whose output the client returns.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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

        Method: `terminal/wait_for_exit`. Gate: `terminal`.

        Arguments:

        - `session_id`: Session the call is about.
        - `terminal_id`: Terminal whose command the client waits for.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
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

        Method: `terminal/kill`. Gate: `terminal`.

        Arguments:

        - `session_id`: Session the call is about.
        - `terminal_id`: Terminal whose command the client stops.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: KillTerminalResponse = await self._request(
            METHODS["client", "terminal/kill", "request"],
            KillTerminalRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    async def release_terminal(
        self, *, session_id: SessionId, terminal_id: TerminalId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> ReleaseTerminalResponse:
        """Asks the client to release a terminal and all its resources.

        Method: `terminal/release`. Gate: `terminal`.

        Arguments:

        - `session_id`: Session the call is about.
        - `terminal_id`: Terminal to release.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: ReleaseTerminalResponse = await self._request(
            METHODS["client", "terminal/release", "request"],
            ReleaseTerminalRequest(session_id=session_id, terminal_id=terminal_id, meta=meta),
        )
        return response

    @overload
    async def create_elicitation(self, params: CreateElicitationRequest, /) -> CreateElicitationResponse: ...
    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["form"],
        message: str,
        requested_schema: ElicitationSchema,
        session_id: SessionId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        tool_call_id: ToolCallId | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...
    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["form"],
        message: str,
        requested_schema: ElicitationSchema,
        request_id: RequestId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...
    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["url"],
        message: str,
        elicitation_id: ElicitationId,
        url: str,
        session_id: SessionId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
        tool_call_id: ToolCallId | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...
    @overload
    async def create_elicitation(
        self,
        /,
        *,
        mode: Literal["url"],
        message: str,
        elicitation_id: ElicitationId,
        url: str,
        request_id: RequestId,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> CreateElicitationResponse: ...

    async def create_elicitation(self, params: Any = None, /, **given: Any) -> CreateElicitationResponse:
        """Asks the client to obtain input from the user, through a form or at a URL. It belongs either to a
        session (and perhaps a tool call in it) or to another request.

        Method: `elicitation/create`. Gate: `elicitation`.

        Pass the params as one object, or the properties of one variant as keywords.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: CreateElicitationResponse = await self._request(
            METHODS["client", "elicitation/create", "request"],
            params_of_variant(
                "create_elicitation",
                params,
                given,
                (CreateElicitationRequestFormSession, {"mode": "form"}),
                (CreateElicitationRequestFormRequest, {"mode": "form"}),
                (CreateElicitationRequestUrlSession, {"mode": "url"}),
                (CreateElicitationRequestUrlRequest, {"mode": "url"}),
            ),
        )
        return response

    async def complete_elicitation(
        self, *, elicitation_id: ElicitationId, meta: dict[str, Any] | None | UnsetType = UNSET
    ) -> None:
        """Announces that the user's interaction behind a URL elicitation has ended.

        Method: `elicitation/complete`. Gate: `elicitation.url`.

        Arguments:

        - `elicitation_id`: Elicitation that has ended.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; ConnectionClosed if the
        connection is lost.
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

        Method: `mcp/message`. Gate: `agent:mcpCapabilities.acp`. Unstable: RFD mcp-over-acp (draft).

        Arguments:

        - `server_id`: MCP server, declared with ACP transport, that the request is for.
        - `request_id`: Id of the wrapped MCP request, chosen by the caller.
        - `method`: MCP method to call on the server.
        - `params`: Parameters of the wrapped MCP call; null or absent passes none.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Raises CapabilityError if the peer did not advertise a required capability; RequestError if the peer
        responds with an error; InvalidResponse if the response is invalid; ConnectionClosed if the connection
        is lost.
        """
        response: MessageMcpResponse = await self._request(
            METHODS["client", "mcp/message", "request"],
            MessageMcpRequest(server_id=server_id, request_id=request_id, method=method, params=params, meta=meta),
        )
        return response

    def tool_call(
        self,
        session_id: SessionId,
        first: ToolCall,
        *,
        send: Callable[[ToolCall | ToolCallProgress], Awaitable[None]] | None = None,
    ) -> ToolCallEntry:
        """Send the update at the start of an `async with` block, and the outcome at its end. Send changes with `update`.

        `send`: the function that sends each update. Default: `session_update` of this connection.
        """

        async def notify(update: Any) -> None:
            await self.session_update(session_id=session_id, update=update)

        return ToolCallEntry(send or notify, first, first.tool_call_id)

    def session(self, session_id: SessionId) -> AgentSession:
        """An open session as an object. In a handler whose params name it, use `self.session`."""
        from .sessions import AgentSession

        return AgentSession(self, session_id)

    def terminal(
        self,
        *,
        session_id: SessionId,
        command: str,
        args: list[str] | tuple[str, ...] | UnsetType = UNSET,
        env: Sequence[EnvVariable] | UnsetType = UNSET,
        cwd: str | None | UnsetType = UNSET,
        output_byte_limit: int | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> TerminalHandle:
        """`create_terminal`  as an `async with` block. The end of the block releases it. An exception or a cancelled turn also kills it."""

        async def create() -> CreateTerminalResponse:
            return await self.create_terminal(
                session_id=session_id,
                command=command,
                args=args,
                env=env,
                cwd=cwd,
                output_byte_limit=output_byte_limit,
                meta=meta,
            )

        return TerminalHandle(self, session_id, create)


class ToolCallEntry(Entry):
    """A `ToolCall` in progress."""

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
        """Send changes. Omitted properties stay unchanged."""
        await self._tell(
            ToolCallProgress(
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

    def _patch(self, **changes: Any) -> ToolCallProgress:
        return ToolCallProgress(tool_call_id=self.key, **changes)


class TerminalHandle(Handle[CreateTerminalResponse]):
    """The result of `create_terminal`, released at the end of a block."""

    _session = "session_id"
    _key = "terminal_id"
    _calls = ("release_terminal", "kill_terminal")

    @property
    def id(self) -> TerminalId:
        """The id. Raises RuntimeError before creation."""
        return self.response.terminal_id

    async def wait(self) -> WaitForTerminalExitResponse:
        """`wait_for_terminal_exit`: wait for the end."""
        response: WaitForTerminalExitResponse = await self._call("wait_for_terminal_exit")
        self.ended = True
        return response

    async def output(self) -> TerminalOutputResponse:
        """`terminal_output`: the output so far."""
        response: TerminalOutputResponse = await self._call("terminal_output")
        return response

    async def finish(self) -> TerminalOutputResponse:
        """Wait for the end and return the output."""
        await self.wait()
        return await self.output()

    async def kill(self) -> None:
        """`kill_terminal`: kill it. It must still be released."""
        await self._call("kill_terminal")

    async def release(self) -> None:
        """Release it now instead of at the end of the block."""
        await self._release()


Agent.connection_class = AgentSideConnection


async def run_agent(agent: Agent, *, versions: Sequence[Any] = (), **options: Unpack[Options]) -> None:
    """Serve an agent on standard input and output until the client closes them. Options: see `Options`.

    `versions`: agents for other protocol versions, each with its own package. The client selects one.
    """
    from ._runtime.entrypoints.process import serve_stdio

    await serve_stdio(AgentSideConnection, agent, versions, **options)


def asgi(
    factory: Callable[[], Agent], *, versions: Sequence[Callable[[], Any]] = (), **options: Unpack[HostOptions]
) -> Application:
    """Create an ASGI application that serves one agent per connection, over HTTP and WebSocket. Options: see `HostOptions`.

    Needs the distribution `acp-remote`, as `serve` does for `http://` and `https://`.
    """
    from ._runtime.entrypoints.serve import asgi as make

    return make(AgentSideConnection, factory, versions, **options)


async def serve(
    factory: Callable[[], Agent],
    address: str | None = None,
    *,
    versions: Sequence[Callable[[], Any]] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Serve one agent per client at an address, or on standard input and output, until a signal arrives.

    Addresses: `unix:/path`, `tcp://host:port`, `http://host:port` (also for WebSocket) or `https://host:port`. Options: see `ServeOptions`.
    `versions`: functions that create agents for other protocol versions. Each client selects one.
    """
    from ._runtime.entrypoints.serve import serve as run

    await run(AgentSideConnection, factory, address, versions, **options)


def run_server(
    factory: Callable[[], Agent],
    address: str,
    *,
    versions: Sequence[Callable[[], Any]] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Run `serve` in a new event loop: uvloop's if it is installed, otherwise asyncio's."""
    from ._runtime.entrypoints.serve import run_server as run

    run(AgentSideConnection, factory, address, versions, **options)
