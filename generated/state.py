# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The state of a session of Agent Client Protocol, built from its updates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from msgspec import UnsetType

from ._runtime.session.state import StateChange as StateChange
from ._runtime.session.state import StateValues as StateValues
from ._runtime.session.state import Streamed as Streamed
from ._runtime.session.state import Joining, Reading, Rule, State

from .models import (
    AgentMessageChunk, AgentThoughtChunk, ArchiveSessionRequest, ArchiveSessionResponse, AuthStatusRequest,
    AuthStatusResponse, AuthStatusUpdateNotification, AuthenticateRequest, AuthenticateResponse, AvailableCommand,
    AvailableCommandsUpdate, CancelNotification, CancelRequestNotification, CloseSessionRequest, CloseSessionResponse,
    CompactionId, CompactionSummaryChunk, CompactionUpdate, CompleteElicitationNotification, ConfigOptionUpdate,
    ContentBlock, CreateElicitationRequest, CreateElicitationRequestFormRequest, CreateElicitationRequestFormSession,
    CreateElicitationRequestUrlRequest, CreateElicitationRequestUrlSession, CreateElicitationResponse,
    CreateElicitationResponseAccept, CreateElicitationResponseCancel, CreateElicitationResponseDecline,
    CreateTerminalRequest, CreateTerminalResponse, CurrentModeUpdate, DeleteSessionRequest, DeleteSessionResponse,
    DisableProviderRequest, DisableProviderResponse, ForkSessionRequest, ForkSessionResponse, InitializeProxyRequest,
    InitializeProxyResponse, InitializeRequest, InitializeResponse, KillTerminalRequest, KillTerminalResponse,
    ListProvidersRequest, ListProvidersResponse, ListSessionsRequest, ListSessionsResponse, LoadSessionRequest,
    LoadSessionResponse, LogoutRequest, LogoutResponse, MessageId, MessageMcpNotification, MessageMcpRequest,
    MessageMcpResponse, MessageMcpResponseError, MessageMcpResponseResult, NewSessionRequest, NewSessionResponse,
    Notice, Plan, PlanEntry, PlanRemoved, PlanUpdate, PromptRequest, PromptResponse, ProxySuccessorNotification,
    ProxySuccessorRequest, ProxySuccessorResponse, ReadTextFileRequest, ReadTextFileResponse, ReleaseTerminalRequest,
    ReleaseTerminalResponse, RequestPermissionRequest, RequestPermissionResponse, ResumeSessionRequest,
    ResumeSessionResponse, SessionConfigOption, SessionId, SessionInfoUpdate, SessionMessage, SessionMessageChunk,
    SessionMode, SessionModeId, SessionNotification, SessionStatusRequest, SessionStatusResponse, SessionUpdate,
    SetProviderRequest, SetProviderResponse, SetSessionConfigOptionRequest, SetSessionConfigOptionRequestBoolean,
    SetSessionConfigOptionRequestValueId, SetSessionConfigOptionResponse, SetSessionModeRequest, SetSessionModeResponse,
    SetSessionTitleRequest, SetSessionTitleResponse, SubagentUpdate, TerminalOutputRequest, TerminalOutputResponse,
    TextContent, ToolCall, ToolCallId, ToolCallProgress, UnarchiveSessionRequest, UnarchiveSessionResponse, Usage,
    UsageUpdate, UserMessageChunk, WaitForTerminalExitRequest, WaitForTerminalExitResponse, WriteTextFileRequest,
    WriteTextFileResponse,
)  # fmt: skip


class SessionState(State):
    """The state of one session. Pass each update to `apply` in order, and the params and result of each successful call.

    Live updates and the replay of a loaded session result in the same state. `timeline` has all entries in the order of
    their creation. `replay` returns the shortest list of messages that rebuilds the state, and `updates` only the updates
    among them. Copies, pickles and `to_json` preserve the whole state.
    """

    messages: list[Streamed[ContentBlock]]
    """In order of appearance. Next piece of a message from the user. Next piece of the agent's reply. Next piece
    of the agent's reasoning.
    """

    tool_calls: dict[ToolCallId, ToolCall]
    """By `toolCallId`. A tool call has begun. A known tool call has progressed or delivered results."""

    plans: dict[str, PlanUpdate]
    """By `plan.planId`. New content for the plan with the given id. Unstable: RFD plan-updates (draft)."""

    usage: UsageUpdate | UnsetType
    """Reports the use of the context window and the cost of the session."""

    compactions: dict[CompactionId, Streamed[ContentBlock]]
    """By `compactionId`. A compaction of the context has begun or has changed. Next content block of the summary a
    compaction keeps.
    """

    subagents: dict[SessionId, SubagentUpdate]
    """By `sessionId`. This session started a child session, or the data about a child session changed. Unstable:
    RFD subagents (draft).
    """

    session_messages: dict[MessageId, Streamed[ContentBlock]]
    """By `messageId`. A message to or from another session was added to this transcript, or was changed. Next
    content block of a message exchanged with another session. Unstable: RFD subagents (draft).
    """

    mode: SessionModeId | UnsetType
    """Id of the current mode."""

    modes: list[SessionMode] | UnsetType
    """All modes the session can be switched to."""

    options: list[SessionConfigOption] | None | UnsetType
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    tokens: Usage | None | UnsetType
    """Tokens used, if the agent counts them. Unstable: RFD prompt-usage (draft)."""

    plan: list[PlanEntry] | UnsetType
    """All entries of the plan with their present status."""

    commands: list[AvailableCommand] | UnsetType
    """Every command that can be invoked from now on."""

    title: str | None | UnsetType
    """Session title to show to the user; null clears it."""

    updated_at: str | None | UnsetType
    """Time of the last activity, in ISO 8601; null clears it."""

    _parts: ClassVar[Mapping[str, type | None]] = {
        "messages": list,
        "tool_calls": dict,
        "plans": dict,
        "usage": None,
        "compactions": dict,
        "subagents": dict,
        "session_messages": dict,
        "mode": None,
        "modes": None,
        "options": None,
        "tokens": None,
        "plan": None,
        "commands": None,
        "title": None,
        "updated_at": None,
    }
    _lasting: ClassVar[frozenset[str]] = frozenset(
        ["compactions", "messages", "session_messages", "subagents", "tool_calls"]
    )
    _rules: ClassVar[Mapping[type, Rule]] = {
        UserMessageChunk: Rule(
            part="messages",
            does="append",
            kind="user_message_chunk",
            key=("message_id",),
            item="content",
            fields=("meta",),
            merged=frozenset(["meta"]),
            keeps_null=True,
            named=True,
        ),
        AgentMessageChunk: Rule(
            part="messages",
            does="append",
            kind="agent_message_chunk",
            key=("message_id",),
            item="content",
            fields=("meta",),
            merged=frozenset(["meta"]),
            keeps_null=True,
            named=True,
        ),
        AgentThoughtChunk: Rule(
            part="messages",
            does="append",
            kind="agent_thought_chunk",
            key=("message_id",),
            item="content",
            fields=("meta",),
            merged=frozenset(["meta"]),
            keeps_null=True,
            named=True,
        ),
        ToolCall: Rule(
            part="tool_calls",
            does="create",
            kind="tool_call",
            key=("tool_call_id",),
            fields=("title", "name", "kind", "status", "content", "locations", "raw_input", "raw_output", "meta"),
            merged=frozenset(["meta"]),
            needed=frozenset(["title", "tool_call_id"]),
        ),
        ToolCallProgress: Rule(
            part="tool_calls",
            does="patch",
            kind="tool_call",
            key=("tool_call_id",),
            fields=("kind", "status", "title", "name", "content", "locations", "raw_input", "raw_output", "meta"),
            merged=frozenset(["meta"]),
            needed=frozenset(["title", "tool_call_id"]),
            maker=ToolCall,
            blank={"tool_call_id": "", "title": ""},
            keeps_null=True,
        ),
        PlanUpdate: Rule(part="plans", does="replace", kind="plan_update", key=("plan", "plan_id")),
        PlanRemoved: Rule(part="plans", does="remove", kind="plan_update", key=("plan_id",)),
        UsageUpdate: Rule(part="usage", does="replace"),
        CompactionUpdate: Rule(
            part="compactions",
            does="upsert",
            kind="compaction_update",
            key=("compaction_id",),
            fields=("status", "summary", "error", "meta"),
            merged=frozenset(["meta"]),
            needed=frozenset(["compaction_id", "status"]),
            streamed="summary",
        ),
        CompactionSummaryChunk: Rule(
            part="compactions",
            does="append",
            kind="compaction_update",
            key=("compaction_id",),
            item="content",
            fields=("meta",),
            merged=frozenset(["meta"]),
            keeps_null=True,
        ),
        SubagentUpdate: Rule(
            part="subagents",
            does="upsert",
            kind="subagent_update",
            key=("session_id",),
            fields=("title", "description", "capabilities", "state", "cwd", "additional_directories", "meta"),
            merged=frozenset(["meta"]),
            needed=frozenset(["session_id"]),
        ),
        SessionMessage: Rule(
            part="session_messages",
            does="upsert",
            kind="session_message",
            key=("message_id",),
            fields=(
                "sender_session_id",
                "recipient_session_id",
                "sender_message_id",
                "recipient_message_id",
                "content",
                "meta",
            ),
            merged=frozenset(["meta"]),
            needed=frozenset(["message_id"]),
            streamed="content",
        ),
        SessionMessageChunk: Rule(
            part="session_messages",
            does="append",
            kind="session_message",
            key=("message_id",),
            item="content",
            fields=("meta",),
            merged=frozenset(["meta"]),
            keeps_null=True,
        ),
    }
    _readings: ClassVar[Mapping[type, tuple[Reading, ...]]] = {
        NewSessionResponse: (
            Reading(path=("modes", "current_mode_id"), part="mode"),
            Reading(path=("modes", "available_modes"), part="modes"),
            Reading(path=("config_options",), part="options"),
        ),
        LoadSessionResponse: (
            Reading(path=("modes", "current_mode_id"), part="mode"),
            Reading(path=("modes", "available_modes"), part="modes"),
            Reading(path=("config_options",), part="options"),
        ),
        ResumeSessionResponse: (
            Reading(path=("modes", "current_mode_id"), part="mode"),
            Reading(path=("modes", "available_modes"), part="modes"),
            Reading(path=("config_options",), part="options"),
        ),
        ForkSessionResponse: (
            Reading(path=("modes", "current_mode_id"), part="mode"),
            Reading(path=("modes", "available_modes"), part="modes"),
            Reading(path=("config_options",), part="options"),
        ),
        SetSessionModeRequest: (Reading(path=("mode_id",), part="mode"),),
        SetSessionConfigOptionResponse: (Reading(path=("config_options",), part="options"),),
        PromptRequest: (Reading(path=("prompt",), part="messages", kind="user_message_chunk"),),
        PromptResponse: (Reading(path=("usage",), part="tokens"),),
        RequestPermissionRequest: (Reading(path=("tool_call",), part="tool_calls", update=ToolCallProgress),),
        Plan: (Reading(path=("entries",), part="plan"),),
        AvailableCommandsUpdate: (Reading(path=("available_commands",), part="commands"),),
        CurrentModeUpdate: (Reading(path=("current_mode_id",), part="mode"),),
        ConfigOptionUpdate: (Reading(path=("config_options",), part="options"),),
        SessionInfoUpdate: (
            Reading(path=("title",), part="title"),
            Reading(path=("updated_at",), part="updated_at"),
        ),
    }
    _ends: ClassVar[frozenset[type]] = frozenset([PromptResponse])
    _others: ClassVar[frozenset[type]] = frozenset(
        [
            ArchiveSessionRequest,
            ArchiveSessionResponse,
            AuthStatusRequest,
            AuthStatusResponse,
            AuthStatusUpdateNotification,
            AuthenticateRequest,
            AuthenticateResponse,
            CancelNotification,
            CancelRequestNotification,
            CloseSessionRequest,
            CloseSessionResponse,
            CompleteElicitationNotification,
            CreateElicitationRequestFormRequest,
            CreateElicitationRequestFormSession,
            CreateElicitationRequestUrlRequest,
            CreateElicitationRequestUrlSession,
            CreateElicitationResponseAccept,
            CreateElicitationResponseCancel,
            CreateElicitationResponseDecline,
            CreateTerminalRequest,
            CreateTerminalResponse,
            DeleteSessionRequest,
            DeleteSessionResponse,
            DisableProviderRequest,
            DisableProviderResponse,
            ForkSessionRequest,
            InitializeRequest,
            InitializeResponse,
            KillTerminalRequest,
            KillTerminalResponse,
            ListProvidersRequest,
            ListProvidersResponse,
            ListSessionsRequest,
            ListSessionsResponse,
            LoadSessionRequest,
            LogoutRequest,
            LogoutResponse,
            MessageMcpNotification,
            MessageMcpRequest,
            MessageMcpResponseError,
            MessageMcpResponseResult,
            NewSessionRequest,
            Notice,
            ProxySuccessorNotification,
            ProxySuccessorRequest,
            ReadTextFileRequest,
            ReadTextFileResponse,
            ReleaseTerminalRequest,
            ReleaseTerminalResponse,
            RequestPermissionResponse,
            ResumeSessionRequest,
            SessionStatusRequest,
            SessionStatusResponse,
            SetProviderRequest,
            SetProviderResponse,
            SetSessionConfigOptionRequestBoolean,
            SetSessionConfigOptionRequestValueId,
            SetSessionModeResponse,
            SetSessionTitleRequest,
            SetSessionTitleResponse,
            TerminalOutputRequest,
            TerminalOutputResponse,
            UnarchiveSessionRequest,
            UnarchiveSessionResponse,
            WaitForTerminalExitRequest,
            WaitForTerminalExitResponse,
            WriteTextFileRequest,
            WriteTextFileResponse,
        ]
    )
    _updates: ClassVar[Mapping[type, tuple[str, frozenset[str], tuple[str, ...]]]] = {
        Plan: ("plan", frozenset(["entries"]), ("meta",)),
        AvailableCommandsUpdate: ("available_commands_update", frozenset(["available_commands"]), ("meta",)),
        CurrentModeUpdate: ("current_mode_update", frozenset(["current_mode_id"]), ("meta",)),
        ConfigOptionUpdate: ("config_option_update", frozenset(["config_options"]), ("meta",)),
        SessionInfoUpdate: ("session_info_update", frozenset([]), ("meta",)),
    }
    _holders: ClassVar[Mapping[type, str]] = {SessionNotification: "update"}
    _union: ClassVar[Any] = SessionUpdate
    _joining: ClassVar[Mapping[type, Joining]] = {
        TextContent: Joining(text="text", absent=("annotations", "meta")),
    }

    if TYPE_CHECKING:

        def apply(self, message: SessionUpdate | StateMessage | StateValues) -> tuple[StateChange, ...]: ...

        def replay(self) -> list[SessionUpdate | StateValues]: ...

        def updates(self) -> list[SessionUpdate]: ...


if TYPE_CHECKING:
    StateMessage: TypeAlias = (
        ArchiveSessionRequest
        | ArchiveSessionResponse
        | AuthStatusRequest
        | AuthStatusResponse
        | AuthStatusUpdateNotification
        | AuthenticateRequest
        | AuthenticateResponse
        | CancelNotification
        | CancelRequestNotification
        | CloseSessionRequest
        | CloseSessionResponse
        | CompleteElicitationNotification
        | CreateElicitationRequest
        | CreateElicitationResponse
        | CreateTerminalRequest
        | CreateTerminalResponse
        | DeleteSessionRequest
        | DeleteSessionResponse
        | DisableProviderRequest
        | DisableProviderResponse
        | ForkSessionRequest
        | ForkSessionResponse
        | InitializeProxyRequest
        | InitializeProxyResponse
        | InitializeRequest
        | InitializeResponse
        | KillTerminalRequest
        | KillTerminalResponse
        | ListProvidersRequest
        | ListProvidersResponse
        | ListSessionsRequest
        | ListSessionsResponse
        | LoadSessionRequest
        | LoadSessionResponse
        | LogoutRequest
        | LogoutResponse
        | MessageMcpNotification
        | MessageMcpRequest
        | MessageMcpResponse
        | NewSessionRequest
        | NewSessionResponse
        | PromptRequest
        | PromptResponse
        | ProxySuccessorNotification
        | ProxySuccessorRequest
        | ProxySuccessorResponse
        | ReadTextFileRequest
        | ReadTextFileResponse
        | ReleaseTerminalRequest
        | ReleaseTerminalResponse
        | RequestPermissionRequest
        | RequestPermissionResponse
        | ResumeSessionRequest
        | ResumeSessionResponse
        | SessionNotification
        | SessionStatusRequest
        | SessionStatusResponse
        | SetProviderRequest
        | SetProviderResponse
        | SetSessionConfigOptionRequest
        | SetSessionConfigOptionResponse
        | SetSessionModeRequest
        | SetSessionModeResponse
        | SetSessionTitleRequest
        | SetSessionTitleResponse
        | TerminalOutputRequest
        | TerminalOutputResponse
        | UnarchiveSessionRequest
        | UnarchiveSessionResponse
        | WaitForTerminalExitRequest
        | WaitForTerminalExitResponse
        | WriteTextFileRequest
        | WriteTextFileResponse
    )
