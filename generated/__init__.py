# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Agent Client Protocol: typed models, stubs for agents and clients, and the method table.

All public names are listed here and loaded on first use, so reading models does not import asyncio. They include the
types of all messages (see `models`). Less common names are in the modules `codec`, `connection`, `errors`, `methods` and
`transports`, which are also loaded on first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import (
        agent as agent, client as client, codec as codec, connection as connection, errors as errors, mcp as mcp,
        methods as methods, models as models, proxy as proxy, state as state, stores as stores,
        transports as transports,
    )  # fmt: skip
    from ._runtime.bridge.transport import Bridged as Bridged
    from ._runtime.codec.codec import decode as decode, encode as encode, from_dict as from_dict, to_dict as to_dict
    from ._runtime.connection.telemetry import Transcript as Transcript
    from ._runtime.errors import CapabilityError as CapabilityError, ConnectionClosed as ConnectionClosed
    from ._runtime.schema.definitions import (
        UNSET as UNSET, UnknownVariant as UnknownVariant, UnsetType as UnsetType, given as given,
    )  # fmt: skip
    from ._runtime.transport.limits import Limits as Limits
    from ._runtime.transport.options import bearer as bearer, jwt as jwt
    from .agent import (
        Agent as Agent, AgentSideConnection as AgentSideConnection, asgi as asgi, run_agent as run_agent,
        run_server as run_server, serve as serve,
    )  # fmt: skip
    from .client import (
        Client as Client, ClientSideConnection as ClientSideConnection, connect as connect, spawn_agent as spawn_agent,
    )  # fmt: skip
    from .errors import RequestError as RequestError
    from .methods import PROTOCOL_VERSION as PROTOCOL_VERSION
    from .models import (
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
        BooleanPropertySchema as BooleanPropertySchema, CancelNotification as CancelNotification,
        CancelRequestNotification as CancelRequestNotification, ClientCapabilities as ClientCapabilities,
        ClientSessionCapabilities as ClientSessionCapabilities, CloseSessionRequest as CloseSessionRequest,
        CloseSessionResponse as CloseSessionResponse, CompactionCapabilities as CompactionCapabilities,
        CompactionId as CompactionId, CompactionStatus as CompactionStatus,
        CompactionSummaryChunk as CompactionSummaryChunk, CompactionUpdate as CompactionUpdate,
        CompleteElicitationNotification as CompleteElicitationNotification, ConfigOptionUpdate as ConfigOptionUpdate,
        Content as Content, ContentBlock as ContentBlock, ContentChunk as ContentChunk, Cost as Cost,
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
        KillTerminalRequest as KillTerminalRequest, KillTerminalResponse as KillTerminalResponse,
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
        NumberPropertySchema as NumberPropertySchema, PermissionOption as PermissionOption,
        PermissionOptionId as PermissionOptionId, PermissionOptionKind as PermissionOptionKind, Plan as Plan,
        PlanCapabilities as PlanCapabilities, PlanEntry as PlanEntry, PlanEntryPriority as PlanEntryPriority,
        PlanEntryStatus as PlanEntryStatus, PlanFile as PlanFile, PlanId as PlanId, PlanItems as PlanItems,
        PlanMarkdown as PlanMarkdown, PlanRemoved as PlanRemoved, PlanUpdate as PlanUpdate,
        PlanUpdateContent as PlanUpdateContent, PromptCapabilities as PromptCapabilities,
        PromptRequest as PromptRequest, PromptResponse as PromptResponse, ProtocolVersion as ProtocolVersion,
        ProviderCurrentConfig as ProviderCurrentConfig, ProviderId as ProviderId, ProviderInfo as ProviderInfo,
        ProvidersCapabilities as ProvidersCapabilities, ProxySuccessorNotification as ProxySuccessorNotification,
        ProxySuccessorRequest as ProxySuccessorRequest, ProxySuccessorResponse as ProxySuccessorResponse,
        ReadTextFileRequest as ReadTextFileRequest, ReadTextFileResponse as ReadTextFileResponse,
        ReleaseTerminalRequest as ReleaseTerminalRequest, ReleaseTerminalResponse as ReleaseTerminalResponse,
        RequestId as RequestId, RequestPermissionOutcome as RequestPermissionOutcome,
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
        UnarchiveSessionRequest as UnarchiveSessionRequest, UnarchiveSessionResponse as UnarchiveSessionResponse,
        UnknownStateUpdate as UnknownStateUpdate, UnstructuredCommandInput as UnstructuredCommandInput, Usage as Usage,
        UsageUpdate as UsageUpdate, UserMessageChunk as UserMessageChunk,
        WaitForTerminalExitRequest as WaitForTerminalExitRequest,
        WaitForTerminalExitResponse as WaitForTerminalExitResponse, WriteTextFileRequest as WriteTextFileRequest,
        WriteTextFileResponse as WriteTextFileResponse,
    )  # fmt: skip
    from .permissions import Permissions as Permissions
    from .proxy import Proxy as Proxy, ProxyConnection as ProxyConnection
    from .reconnecting import ReconnectingAgent as ReconnectingAgent
    from .sessions import AgentSession as AgentSession, ClientSession as ClientSession
    from .state import SessionState as SessionState

_MODULES = {
    "._runtime.bridge.transport": "Bridged",
    "._runtime.codec.codec": "decode encode from_dict to_dict",
    "._runtime.connection.telemetry": "Transcript",
    "._runtime.errors": "CapabilityError ConnectionClosed",
    "._runtime.schema.definitions": "UNSET UnknownVariant UnsetType given",
    "._runtime.transport.limits": "Limits",
    "._runtime.transport.options": "bearer jwt",
    ".agent": "Agent AgentSideConnection asgi run_agent run_server serve",
    ".client": "Client ClientSideConnection connect spawn_agent",
    ".errors": "RequestError",
    ".methods": "PROTOCOL_VERSION",
    ".models": """
AgentAuthCapabilities AgentCapabilities AgentMessageChunk AgentThoughtChunk Annotations ArchiveSessionRequest
ArchiveSessionResponse AudioContent AuthAccount AuthCapabilities AuthMethod AuthMethodAgent AuthMethodId
AuthMethodTerminal AuthState AuthStatusCapabilities AuthStatusRequest AuthStatusResponse
AuthStatusUpdateNotification AuthenticateRequest AuthenticateResponse AvailableCommand AvailableCommandInput
AvailableCommandsUpdate BlobResourceContents BooleanConfigOptionCapabilities BooleanPropertySchema
CancelNotification CancelRequestNotification ClientCapabilities ClientSessionCapabilities CloseSessionRequest
CloseSessionResponse CompactionCapabilities CompactionId CompactionStatus CompactionSummaryChunk
CompactionUpdate CompleteElicitationNotification ConfigOptionUpdate Content ContentBlock ContentChunk Cost
CreateElicitationRequest CreateElicitationRequestFormRequest CreateElicitationRequestFormSession
CreateElicitationRequestUrlRequest CreateElicitationRequestUrlSession CreateElicitationResponse
CreateElicitationResponseAccept CreateElicitationResponseCancel CreateElicitationResponseDecline
CreateTerminalRequest CreateTerminalResponse CurrentModeUpdate DeleteSessionRequest DeleteSessionResponse Diff
DisableProviderRequest DisableProviderResponse ElicitationAcceptAction ElicitationCapabilities
ElicitationContentValue ElicitationFormCapabilities ElicitationFormMode ElicitationFormModeRequest
ElicitationFormModeSession ElicitationId ElicitationPropertySchema ElicitationRequestScope ElicitationSchema
ElicitationSchemaType ElicitationSessionScope ElicitationUrlCapabilities ElicitationUrlMode
ElicitationUrlModeRequest ElicitationUrlModeSession EmbeddedResource EmbeddedResourceResource EnumOption
EnvVariable Error ErrorCode ErrorStopReason FileSystemCapabilities ForkSessionRequest ForkSessionResponse
HttpHeader IdleStateUpdate IdleStateUpdateError IdleStateUpdateNone IdleStateUpdateStopReason ImageContent
Implementation InitializeProxyRequest InitializeProxyResponse InitializeRequest InitializeResponse
IntegerPropertySchema KillTerminalRequest KillTerminalResponse ListProvidersRequest ListProvidersResponse
ListSessionsRequest ListSessionsResponse LlmProtocol LoadSessionRequest LoadSessionResponse LogoutCapabilities
LogoutRequest LogoutResponse McpCapabilities McpError McpRequestId McpServer McpServerAcp McpServerAcpId
McpServerHttp McpServerSse McpServerStdio MessageId MessageMcpNotification MessageMcpRequest MessageMcpResponse
MessageMcpResponseError MessageMcpResponseResult MultiSelectItems MultiSelectPropertySchema NewSessionRequest
NewSessionResponse Notice NoticeCapabilities NoticeSeverity NumberPropertySchema PermissionOption
PermissionOptionId PermissionOptionKind Plan PlanCapabilities PlanEntry PlanEntryPriority PlanEntryStatus
PlanFile PlanId PlanItems PlanMarkdown PlanRemoved PlanUpdate PlanUpdateContent PromptCapabilities PromptRequest
PromptResponse ProtocolVersion ProviderCurrentConfig ProviderId ProviderInfo ProvidersCapabilities
ProxySuccessorNotification ProxySuccessorRequest ProxySuccessorResponse ReadTextFileRequest ReadTextFileResponse
ReleaseTerminalRequest ReleaseTerminalResponse RequestId RequestPermissionOutcome
RequestPermissionOutcomeCancelled RequestPermissionRequest RequestPermissionResponse RequiresActionStateUpdate
ResourceLink ResumeSessionRequest ResumeSessionResponse Role RunningStateUpdate SelectedPermissionOutcome
SessionAdditionalDirectoriesCapabilities SessionArchiveCapabilities SessionArchiveFilter
SessionCancelCapabilities SessionCapabilities SessionCloseCapabilities SessionConfigBoolean SessionConfigGroupId
SessionConfigId SessionConfigOption SessionConfigOptionBoolean SessionConfigOptionCategory
SessionConfigOptionSelect SessionConfigOptionsCapabilities SessionConfigSelect SessionConfigSelectGroup
SessionConfigSelectOption SessionConfigSelectOptions SessionConfigValueId SessionDeleteCapabilities
SessionForkCapabilities SessionId SessionInfo SessionInfoUpdate SessionListCapabilities SessionMessage
SessionMessageChunk SessionMode SessionModeId SessionModeState SessionNotification SessionResumeCapabilities
SessionStatus SessionStatusCapabilities SessionStatusRequest SessionStatusResponse
SessionSystemPromptCapabilities SessionSystemPromptModeCapabilities SessionSystemPromptOverrideCapabilities
SessionTitleCapabilities SessionUpdate SessionUpdateToolCallUpdate SetProviderRequest SetProviderResponse
SetSessionConfigOptionRequest SetSessionConfigOptionRequestBoolean SetSessionConfigOptionRequestValueId
SetSessionConfigOptionResponse SetSessionModeRequest SetSessionModeResponse SetSessionTitleRequest
SetSessionTitleResponse StateUpdate StopReason StringFormat StringMultiSelectItems StringPropertySchema
SubagentCapabilities SubagentSessionCapabilities SubagentUpdate SystemPrompt SystemPromptMode Terminal
TerminalExitStatus TerminalId TerminalOutputRequest TerminalOutputResponse TextContent TextResourceContents
TitledMultiSelectItems ToolCall ToolCallContent ToolCallId ToolCallLocation ToolCallProgress ToolCallStatus
ToolCallUpdate ToolKind UnarchiveSessionRequest UnarchiveSessionResponse UnknownStateUpdate
UnstructuredCommandInput Usage UsageUpdate UserMessageChunk WaitForTerminalExitRequest
WaitForTerminalExitResponse WriteTextFileRequest WriteTextFileResponse
""",
    ".permissions": "Permissions",
    ".proxy": "Proxy ProxyConnection",
    ".reconnecting": "ReconnectingAgent",
    ".sessions": "AgentSession ClientSession",
    ".state": "SessionState",
}
_SUBMODULES = "agent client codec connection errors mcp methods models proxy state stores transports".split()
_HOME = {name: module for module, names in _MODULES.items() for name in names.split()}


if not TYPE_CHECKING:  # type checkers know the names from above, and must not take any other for one
    __all__ = sorted(_HOME)

    def __getattr__(name: str) -> Any:
        if name in _SUBMODULES:
            return import_module(f".{name}", __name__)
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        value = getattr(import_module(_HOME[name], __name__), name)
        globals()[name] = value
        return value

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__, *_SUBMODULES})
