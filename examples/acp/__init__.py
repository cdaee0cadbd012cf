# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Agent Client Protocol: methods and types that this package adds to `generated`.

All public names are listed here and loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import generated as _base
from generated._runtime.schema.registry import add as _add

if TYPE_CHECKING:
    from . import (
        agent as agent, client as client, methods as methods, models as models, reconnecting as reconnecting,
        sessions as sessions, state as state, stores as stores, views as views,
    )  # fmt: skip
    from generated import (
        codec as codec, connection as connection, errors as errors, mcp as mcp, proxy as proxy,
        transports as transports,
    )  # fmt: skip
    from generated import (
        AgentAuthCapabilities as AgentAuthCapabilities, AgentCapabilities as AgentCapabilities,
        AgentMessageChunk as AgentMessageChunk, AgentThoughtChunk as AgentThoughtChunk, Annotations as Annotations,
        ArchiveSessionRequest as ArchiveSessionRequest, ArchiveSessionResponse as ArchiveSessionResponse,
        AudioContent as AudioContent, AuthAccount as AuthAccount, AuthCapabilities as AuthCapabilities,
        AuthMethod as AuthMethod, AuthMethodAgent as AuthMethodAgent, AuthMethodId as AuthMethodId,
        AuthMethodTerminal as AuthMethodTerminal, AuthState as AuthState,
        AuthStatusCapabilities as AuthStatusCapabilities, AuthStatusRequest as AuthStatusRequest,
        AuthStatusResponse as AuthStatusResponse, AuthStatusUpdateNotification as AuthStatusUpdateNotification,
        AuthenticateRequest as AuthenticateRequest, AuthenticateResponse as AuthenticateResponse,
        AvailableCommand as AvailableCommand, AvailableCommandInput as AvailableCommandInput,
        AvailableCommandsUpdate as AvailableCommandsUpdate, BlobResourceContents as BlobResourceContents,
        BooleanConfigOptionCapabilities as BooleanConfigOptionCapabilities,
        BooleanPropertySchema as BooleanPropertySchema, Bridged as Bridged, CancelNotification as CancelNotification,
        CancelRequestNotification as CancelRequestNotification, CapabilityError as CapabilityError,
        ClientCapabilities as ClientCapabilities, ClientSessionCapabilities as ClientSessionCapabilities,
        CloseSessionRequest as CloseSessionRequest, CloseSessionResponse as CloseSessionResponse,
        CompactionCapabilities as CompactionCapabilities, CompactionId as CompactionId,
        CompactionStatus as CompactionStatus, CompactionSummaryChunk as CompactionSummaryChunk,
        CompactionUpdate as CompactionUpdate, CompleteElicitationNotification as CompleteElicitationNotification,
        ConfigOptionUpdate as ConfigOptionUpdate, ConnectionClosed as ConnectionClosed, Content as Content,
        ContentBlock as ContentBlock, ContentChunk as ContentChunk, Cost as Cost,
        CreateElicitationRequest as CreateElicitationRequest,
        CreateElicitationRequestFormRequest as CreateElicitationRequestFormRequest,
        CreateElicitationRequestFormSession as CreateElicitationRequestFormSession,
        CreateElicitationRequestUrlRequest as CreateElicitationRequestUrlRequest,
        CreateElicitationRequestUrlSession as CreateElicitationRequestUrlSession,
        CreateElicitationResponse as CreateElicitationResponse,
        CreateElicitationResponseAccept as CreateElicitationResponseAccept,
        CreateElicitationResponseCancel as CreateElicitationResponseCancel,
        CreateElicitationResponseDecline as CreateElicitationResponseDecline,
        CreateTerminalRequest as CreateTerminalRequest, CreateTerminalResponse as CreateTerminalResponse,
        CurrentModeUpdate as CurrentModeUpdate, DeleteSessionRequest as DeleteSessionRequest,
        DeleteSessionResponse as DeleteSessionResponse, Diff as Diff, DisableProviderRequest as DisableProviderRequest,
        DisableProviderResponse as DisableProviderResponse, ElicitationAcceptAction as ElicitationAcceptAction,
        ElicitationCapabilities as ElicitationCapabilities, ElicitationContentValue as ElicitationContentValue,
        ElicitationFormCapabilities as ElicitationFormCapabilities, ElicitationFormMode as ElicitationFormMode,
        ElicitationFormModeRequest as ElicitationFormModeRequest,
        ElicitationFormModeSession as ElicitationFormModeSession, ElicitationId as ElicitationId,
        ElicitationPropertySchema as ElicitationPropertySchema, ElicitationRequestScope as ElicitationRequestScope,
        ElicitationSchema as ElicitationSchema, ElicitationSchemaType as ElicitationSchemaType,
        ElicitationSessionScope as ElicitationSessionScope, ElicitationUrlCapabilities as ElicitationUrlCapabilities,
        ElicitationUrlMode as ElicitationUrlMode, ElicitationUrlModeRequest as ElicitationUrlModeRequest,
        ElicitationUrlModeSession as ElicitationUrlModeSession, EmbeddedResource as EmbeddedResource,
        EmbeddedResourceResource as EmbeddedResourceResource, EnumOption as EnumOption, EnvVariable as EnvVariable,
        Error as Error, ErrorCode as ErrorCode, ErrorStopReason as ErrorStopReason,
        FileSystemCapabilities as FileSystemCapabilities, ForkSessionRequest as ForkSessionRequest,
        ForkSessionResponse as ForkSessionResponse, HttpHeader as HttpHeader, IdleStateUpdate as IdleStateUpdate,
        IdleStateUpdateError as IdleStateUpdateError, IdleStateUpdateNone as IdleStateUpdateNone,
        IdleStateUpdateStopReason as IdleStateUpdateStopReason, ImageContent as ImageContent,
        Implementation as Implementation, InitializeProxyRequest as InitializeProxyRequest,
        InitializeProxyResponse as InitializeProxyResponse, InitializeRequest as InitializeRequest,
        InitializeResponse as InitializeResponse, IntegerPropertySchema as IntegerPropertySchema,
        KillTerminalRequest as KillTerminalRequest, KillTerminalResponse as KillTerminalResponse, Limits as Limits,
        ListProvidersRequest as ListProvidersRequest, ListProvidersResponse as ListProvidersResponse,
        ListSessionsRequest as ListSessionsRequest, ListSessionsResponse as ListSessionsResponse,
        LlmProtocol as LlmProtocol, LoadSessionRequest as LoadSessionRequest,
        LoadSessionResponse as LoadSessionResponse, LogoutCapabilities as LogoutCapabilities,
        LogoutRequest as LogoutRequest, LogoutResponse as LogoutResponse, McpCapabilities as McpCapabilities,
        McpError as McpError, McpRequestId as McpRequestId, McpServer as McpServer, McpServerAcp as McpServerAcp,
        McpServerAcpId as McpServerAcpId, McpServerHttp as McpServerHttp, McpServerSse as McpServerSse,
        McpServerStdio as McpServerStdio, MessageId as MessageId, MessageMcpNotification as MessageMcpNotification,
        MessageMcpRequest as MessageMcpRequest, MessageMcpResponse as MessageMcpResponse,
        MessageMcpResponseError as MessageMcpResponseError, MessageMcpResponseResult as MessageMcpResponseResult,
        MultiSelectItems as MultiSelectItems, MultiSelectPropertySchema as MultiSelectPropertySchema,
        NewSessionRequest as NewSessionRequest, NewSessionResponse as NewSessionResponse, Notice as Notice,
        NoticeCapabilities as NoticeCapabilities, NoticeSeverity as NoticeSeverity,
        NumberPropertySchema as NumberPropertySchema, PROTOCOL_VERSION as PROTOCOL_VERSION,
        PermissionOption as PermissionOption, PermissionOptionId as PermissionOptionId,
        PermissionOptionKind as PermissionOptionKind, Permissions as Permissions, Plan as Plan,
        PlanCapabilities as PlanCapabilities, PlanEntry as PlanEntry, PlanEntryPriority as PlanEntryPriority,
        PlanEntryStatus as PlanEntryStatus, PlanFile as PlanFile, PlanId as PlanId, PlanItems as PlanItems,
        PlanMarkdown as PlanMarkdown, PlanRemoved as PlanRemoved, PlanUpdate as PlanUpdate,
        PlanUpdateContent as PlanUpdateContent, PromptCapabilities as PromptCapabilities,
        PromptRequest as PromptRequest, PromptResponse as PromptResponse, ProtocolVersion as ProtocolVersion,
        ProviderCurrentConfig as ProviderCurrentConfig, ProviderId as ProviderId, ProviderInfo as ProviderInfo,
        ProvidersCapabilities as ProvidersCapabilities, Proxy as Proxy, ProxyConnection as ProxyConnection,
        ProxySuccessorNotification as ProxySuccessorNotification, ProxySuccessorRequest as ProxySuccessorRequest,
        ProxySuccessorResponse as ProxySuccessorResponse, ReadTextFileRequest as ReadTextFileRequest,
        ReadTextFileResponse as ReadTextFileResponse, ReleaseTerminalRequest as ReleaseTerminalRequest,
        ReleaseTerminalResponse as ReleaseTerminalResponse, RequestError as RequestError, RequestId as RequestId,
        RequestPermissionOutcome as RequestPermissionOutcome,
        RequestPermissionOutcomeCancelled as RequestPermissionOutcomeCancelled,
        RequestPermissionRequest as RequestPermissionRequest, RequestPermissionResponse as RequestPermissionResponse,
        RequiresActionStateUpdate as RequiresActionStateUpdate, ResourceLink as ResourceLink,
        ResumeSessionRequest as ResumeSessionRequest, ResumeSessionResponse as ResumeSessionResponse, Role as Role,
        RunningStateUpdate as RunningStateUpdate, SelectedPermissionOutcome as SelectedPermissionOutcome,
        SessionAdditionalDirectoriesCapabilities as SessionAdditionalDirectoriesCapabilities,
        SessionArchiveCapabilities as SessionArchiveCapabilities, SessionArchiveFilter as SessionArchiveFilter,
        SessionCancelCapabilities as SessionCancelCapabilities, SessionCapabilities as SessionCapabilities,
        SessionCloseCapabilities as SessionCloseCapabilities, SessionConfigBoolean as SessionConfigBoolean,
        SessionConfigGroupId as SessionConfigGroupId, SessionConfigId as SessionConfigId,
        SessionConfigOption as SessionConfigOption, SessionConfigOptionBoolean as SessionConfigOptionBoolean,
        SessionConfigOptionCategory as SessionConfigOptionCategory,
        SessionConfigOptionSelect as SessionConfigOptionSelect,
        SessionConfigOptionsCapabilities as SessionConfigOptionsCapabilities,
        SessionConfigSelect as SessionConfigSelect, SessionConfigSelectGroup as SessionConfigSelectGroup,
        SessionConfigSelectOption as SessionConfigSelectOption,
        SessionConfigSelectOptions as SessionConfigSelectOptions, SessionConfigValueId as SessionConfigValueId,
        SessionDeleteCapabilities as SessionDeleteCapabilities, SessionForkCapabilities as SessionForkCapabilities,
        SessionId as SessionId, SessionInfo as SessionInfo, SessionInfoUpdate as SessionInfoUpdate,
        SessionListCapabilities as SessionListCapabilities, SessionMessage as SessionMessage,
        SessionMessageChunk as SessionMessageChunk, SessionMode as SessionMode, SessionModeId as SessionModeId,
        SessionModeState as SessionModeState, SessionNotification as SessionNotification,
        SessionResumeCapabilities as SessionResumeCapabilities, SessionStatus as SessionStatus,
        SessionStatusCapabilities as SessionStatusCapabilities, SessionStatusRequest as SessionStatusRequest,
        SessionStatusResponse as SessionStatusResponse,
        SessionSystemPromptCapabilities as SessionSystemPromptCapabilities,
        SessionSystemPromptModeCapabilities as SessionSystemPromptModeCapabilities,
        SessionSystemPromptOverrideCapabilities as SessionSystemPromptOverrideCapabilities,
        SessionTitleCapabilities as SessionTitleCapabilities, SessionUpdate as SessionUpdate,
        SessionUpdateToolCallUpdate as SessionUpdateToolCallUpdate, SetProviderRequest as SetProviderRequest,
        SetProviderResponse as SetProviderResponse, SetSessionConfigOptionRequest as SetSessionConfigOptionRequest,
        SetSessionConfigOptionRequestBoolean as SetSessionConfigOptionRequestBoolean,
        SetSessionConfigOptionRequestValueId as SetSessionConfigOptionRequestValueId,
        SetSessionConfigOptionResponse as SetSessionConfigOptionResponse,
        SetSessionModeRequest as SetSessionModeRequest, SetSessionModeResponse as SetSessionModeResponse,
        SetSessionTitleRequest as SetSessionTitleRequest, SetSessionTitleResponse as SetSessionTitleResponse,
        StateUpdate as StateUpdate, StopReason as StopReason, StringFormat as StringFormat,
        StringMultiSelectItems as StringMultiSelectItems, StringPropertySchema as StringPropertySchema,
        SubagentCapabilities as SubagentCapabilities, SubagentSessionCapabilities as SubagentSessionCapabilities,
        SubagentUpdate as SubagentUpdate, SystemPrompt as SystemPrompt, SystemPromptMode as SystemPromptMode,
        Terminal as Terminal, TerminalExitStatus as TerminalExitStatus, TerminalId as TerminalId,
        TerminalOutputRequest as TerminalOutputRequest, TerminalOutputResponse as TerminalOutputResponse,
        TextContent as TextContent, TextResourceContents as TextResourceContents,
        TitledMultiSelectItems as TitledMultiSelectItems, ToolCall as ToolCall, ToolCallContent as ToolCallContent,
        ToolCallId as ToolCallId, ToolCallLocation as ToolCallLocation, ToolCallProgress as ToolCallProgress,
        ToolCallStatus as ToolCallStatus, ToolCallUpdate as ToolCallUpdate, ToolKind as ToolKind,
        Transcript as Transcript, UNSET as UNSET, UnarchiveSessionRequest as UnarchiveSessionRequest,
        UnarchiveSessionResponse as UnarchiveSessionResponse, UnknownStateUpdate as UnknownStateUpdate,
        UnknownVariant as UnknownVariant, UnsetType as UnsetType, UnstructuredCommandInput as UnstructuredCommandInput,
        Usage as Usage, UsageUpdate as UsageUpdate, UserMessageChunk as UserMessageChunk,
        WaitForTerminalExitRequest as WaitForTerminalExitRequest,
        WaitForTerminalExitResponse as WaitForTerminalExitResponse, WriteTextFileRequest as WriteTextFileRequest,
        WriteTextFileResponse as WriteTextFileResponse, bearer as bearer, decode as decode, encode as encode,
        from_dict as from_dict, given as given, jwt as jwt, to_dict as to_dict,
    )  # fmt: skip
    from .agent import (
        Agent as Agent, AgentMixin as AgentMixin, AgentSideConnection as AgentSideConnection, asgi as asgi,
        run_agent as run_agent, run_server as run_server, serve as serve,
    )  # fmt: skip
    from .client import (
        Client as Client, ClientMixin as ClientMixin, ClientSideConnection as ClientSideConnection, connect as connect,
        spawn_agent as spawn_agent,
    )  # fmt: skip
    from .models import (
        SandboxAgentCapabilities as SandboxAgentCapabilities, SessionEndReason as SessionEndReason,
        SessionEndedNotification as SessionEndedNotification, StderrOutput as StderrOutput,
        TerminateSessionRequest as TerminateSessionRequest, TerminateSessionResponse as TerminateSessionResponse,
        TerminatedBy as TerminatedBy,
    )  # fmt: skip
    from .reconnecting import ReconnectingAgent as ReconnectingAgent
    from .sessions import AgentSession as AgentSession, ClientSession as ClientSession
    from .state import SessionState as SessionState
    from .views import view as view

_add(__name__, _base.__name__)

_MODULES = {
    "agent": "Agent AgentMixin AgentSideConnection asgi run_agent run_server serve",
    "client": "Client ClientMixin ClientSideConnection connect spawn_agent",
    "models": """
SandboxAgentCapabilities SessionEndReason SessionEndedNotification StderrOutput TerminateSessionRequest
TerminateSessionResponse TerminatedBy
""",
    "reconnecting": "ReconnectingAgent",
    "sessions": "AgentSession ClientSession",
    "state": "SessionState",
    "views": "view",
}
_SUBMODULES = "agent client methods models reconnecting sessions state stores views".split()
_OF_BASE = "codec connection errors mcp proxy transports".split()
_HOME = {name: f".{module}" for module, names in _MODULES.items() for name in names.split()}


if not TYPE_CHECKING:  # type checkers know the names from above, and must not take any other for one
    from importlib import import_module

    __all__ = [*sorted(_HOME), *_base.__all__]

    def __getattr__(name: str) -> Any:
        if name in _SUBMODULES:
            return import_module(f".{name}", __name__)
        if name not in __all__ and name not in _OF_BASE:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOME[name], __name__) if name in _HOME else _base, name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_SUBMODULES, *_OF_BASE})
