# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The method table of Agent Client Protocol: for each method its side, params, result, gate and stage."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ._runtime.schema.registry import Requirement, requirements_of
from ._runtime.schema.definitions import (
    Cancel, Handshake, Interrupt, Method as Method, Protocol as Protocol, Remote, Sessions, Trace, Tunnel,
)  # fmt: skip
from .models import (
    ArchiveSessionRequest, ArchiveSessionResponse, AuthStatusRequest, AuthStatusResponse, AuthStatusUpdateNotification,
    AuthenticateRequest, AuthenticateResponse, CancelNotification, CancelRequestNotification, CloseSessionRequest,
    CloseSessionResponse, CompleteElicitationNotification, CreateElicitationRequest, CreateElicitationResponse,
    CreateTerminalRequest, CreateTerminalResponse, DeleteSessionRequest, DeleteSessionResponse, DisableProviderRequest,
    DisableProviderResponse, ForkSessionRequest, ForkSessionResponse, InitializeProxyRequest, InitializeProxyResponse,
    InitializeRequest, InitializeResponse, KillTerminalRequest, KillTerminalResponse, ListProvidersRequest,
    ListProvidersResponse, ListSessionsRequest, ListSessionsResponse, LoadSessionRequest, LoadSessionResponse,
    LogoutRequest, LogoutResponse, MessageMcpNotification, MessageMcpRequest, MessageMcpResponse, NewSessionRequest,
    NewSessionResponse, PromptRequest, PromptResponse, ProxySuccessorNotification, ProxySuccessorRequest,
    ProxySuccessorResponse, ReadTextFileRequest, ReadTextFileResponse, ReleaseTerminalRequest, ReleaseTerminalResponse,
    RequestPermissionRequest, RequestPermissionResponse, ResumeSessionRequest, ResumeSessionResponse,
    SessionNotification, SessionStatusRequest, SessionStatusResponse, SetProviderRequest, SetProviderResponse,
    SetSessionConfigOptionRequest, SetSessionConfigOptionResponse, SetSessionModeRequest, SetSessionModeResponse,
    SetSessionTitleRequest, SetSessionTitleResponse, TerminalOutputRequest, TerminalOutputResponse,
    UnarchiveSessionRequest, UnarchiveSessionResponse, WaitForTerminalExitRequest, WaitForTerminalExitResponse,
    WriteTextFileRequest, WriteTextFileResponse,
)  # fmt: skip

PROTOCOL_VERSION: int = 1
"""The protocol version of this package; None if the schema does not state it."""

_ROWS = (
    Method(side="agent", method="initialize", kind="request", params=InitializeRequest, result=InitializeResponse,
        gated=("authMethods",), python_name="initialize", stage="completed"),
    Method(side="agent", method="authenticate", kind="request", params=AuthenticateRequest, result=AuthenticateResponse,
        python_name="authenticate", stage="completed"),
    Method(side="agent", method="logout", kind="request", params=LogoutRequest, result=LogoutResponse,
        capability="auth.logout", python_name="logout", stage="completed", idempotent=True),
    Method(side="agent", method="auth/status", kind="request", params=AuthStatusRequest, result=AuthStatusResponse,
        capability="auth.status", python_name="auth_status", rfd="auth-status", stage="draft", idempotent=True),
    Method(side="client", method="auth/status_update", kind="notification", params=AuthStatusUpdateNotification,
        capability="agent:auth.status", python_name="auth_status_update", rfd="auth-status", stage="draft"),
    Method(side="agent", method="session/new", kind="request", params=NewSessionRequest, result=NewSessionResponse,
        gated=("configOptions",), python_name="new_session", stage="completed"),
    Method(side="agent", method="session/load", kind="request", params=LoadSessionRequest, result=LoadSessionResponse,
        capability="loadSession", gated=("configOptions",), python_name="load_session", stage="completed",
        idempotent=True),
    Method(side="agent", method="session/resume", kind="request", params=ResumeSessionRequest,
        result=ResumeSessionResponse, capability="sessionCapabilities.resume", gated=("configOptions",),
        python_name="resume_session", rfd="session-resume", stage="completed", idempotent=True),
    Method(side="agent", method="session/list", kind="request", params=ListSessionsRequest, result=ListSessionsResponse,
        capability="sessionCapabilities.list", python_name="list_sessions", rfd="session-list", stage="completed",
        idempotent=True),
    Method(side="agent", method="session/fork", kind="request", params=ForkSessionRequest, result=ForkSessionResponse,
        capability="sessionCapabilities.fork", gated=("configOptions",), python_name="fork_session", rfd="session-fork",
        stage="draft"),
    Method(side="agent", method="session/close", kind="request", params=CloseSessionRequest,
        result=CloseSessionResponse, capability="sessionCapabilities.close", python_name="close_session",
        rfd="session-close", stage="completed", idempotent=True),
    Method(side="agent", method="session/delete", kind="request", params=DeleteSessionRequest,
        result=DeleteSessionResponse, capability="sessionCapabilities.delete", python_name="delete_session",
        rfd="session-delete", stage="completed", idempotent=True),
    Method(side="agent", method="session/archive", kind="request", params=ArchiveSessionRequest,
        result=ArchiveSessionResponse, capability="sessionCapabilities.archive", python_name="archive_session",
        rfd="session-archive", stage="draft", idempotent=True),
    Method(side="agent", method="session/unarchive", kind="request", params=UnarchiveSessionRequest,
        result=UnarchiveSessionResponse, capability="sessionCapabilities.archive", python_name="unarchive_session",
        rfd="session-archive", stage="draft", idempotent=True),
    Method(side="agent", method="session/status", kind="request", params=SessionStatusRequest,
        result=SessionStatusResponse, capability="sessionCapabilities.status", python_name="session_status",
        rfd="session-status", stage="draft", idempotent=True),
    Method(side="agent", method="session/set_title", kind="request", params=SetSessionTitleRequest,
        result=SetSessionTitleResponse, capability="sessionCapabilities.title", python_name="set_session_title",
        rfd="session-title", stage="draft", idempotent=True),
    Method(side="agent", method="session/set_mode", kind="request", params=SetSessionModeRequest,
        result=SetSessionModeResponse, python_name="set_session_mode", stage="completed", idempotent=True),
    Method(side="agent", method="session/set_config_option", kind="request", params=SetSessionConfigOptionRequest,
        result=SetSessionConfigOptionResponse, gated=("configOptions",), python_name="set_session_config_option",
        stage="completed", idempotent=True),
    Method(side="agent", method="session/prompt", kind="request", params=PromptRequest, result=PromptResponse,
        python_name="prompt", stage="completed"),
    Method(side="agent", method="session/cancel", kind="notification", params=CancelNotification, python_name="cancel",
        stage="completed"),
    Method(side="client", method="session/update", kind="notification", params=SessionNotification,
        python_name="session_update", stage="completed"),
    Method(side="client", method="session/request_permission", kind="request", params=RequestPermissionRequest,
        result=RequestPermissionResponse, python_name="request_permission", stage="completed"),
    Method(side="client", method="fs/read_text_file", kind="request", params=ReadTextFileRequest,
        result=ReadTextFileResponse, capability="fs.readTextFile", python_name="read_text_file", stage="completed",
        idempotent=True),
    Method(side="client", method="fs/write_text_file", kind="request", params=WriteTextFileRequest,
        result=WriteTextFileResponse, capability="fs.writeTextFile", python_name="write_text_file", stage="completed",
        idempotent=True),
    Method(side="client", method="terminal/create", kind="request", params=CreateTerminalRequest,
        result=CreateTerminalResponse, capability="terminal", python_name="create_terminal", stage="completed"),
    Method(side="client", method="terminal/output", kind="request", params=TerminalOutputRequest,
        result=TerminalOutputResponse, capability="terminal", python_name="terminal_output", stage="completed",
        idempotent=True),
    Method(side="client", method="terminal/wait_for_exit", kind="request", params=WaitForTerminalExitRequest,
        result=WaitForTerminalExitResponse, capability="terminal", python_name="wait_for_terminal_exit",
        stage="completed", idempotent=True),
    Method(side="client", method="terminal/kill", kind="request", params=KillTerminalRequest,
        result=KillTerminalResponse, capability="terminal", python_name="kill_terminal", stage="completed",
        idempotent=True),
    Method(side="client", method="terminal/release", kind="request", params=ReleaseTerminalRequest,
        result=ReleaseTerminalResponse, capability="terminal", python_name="release_terminal", stage="completed"),
    Method(side="client", method="elicitation/create", kind="request", params=CreateElicitationRequest,
        result=CreateElicitationResponse, capability="elicitation",
        variants={"CreateElicitationRequestFormSession": "elicitation.form", "CreateElicitationRequestFormRequest": "elicitation.form", "CreateElicitationRequestUrlSession": "elicitation.url", "CreateElicitationRequestUrlRequest": "elicitation.url"},
        python_name="create_elicitation", stage="completed"),
    Method(side="client", method="elicitation/complete", kind="notification", params=CompleteElicitationNotification,
        capability="elicitation.url", python_name="complete_elicitation", stage="completed"),
    Method(side="agent", method="providers/list", kind="request", params=ListProvidersRequest,
        result=ListProvidersResponse, capability="providers", python_name="list_providers",
        rfd="configurable-providers", stage="draft", idempotent=True),
    Method(side="agent", method="providers/set", kind="request", params=SetProviderRequest, result=SetProviderResponse,
        capability="providers", python_name="set_provider", rfd="configurable-providers", stage="draft",
        idempotent=True),
    Method(side="agent", method="providers/disable", kind="request", params=DisableProviderRequest,
        result=DisableProviderResponse, capability="providers", python_name="disable_provider",
        rfd="configurable-providers", stage="draft", idempotent=True),
    Method(side="client", method="mcp/message", kind="request", params=MessageMcpRequest, result=MessageMcpResponse,
        capability="agent:mcpCapabilities.acp", python_name="message_mcp", rfd="mcp-over-acp", stage="draft"),
    Method(side="agent", method="mcp/message", kind="notification", params=MessageMcpNotification,
        capability="mcpCapabilities.acp", python_name="message_mcp_notification", rfd="mcp-over-acp", stage="draft"),
    Method(side="proxy", method="proxy/initialize", kind="request", params=InitializeProxyRequest,
        result=InitializeProxyResponse, gated=("authMethods",), python_name="initialize_proxy", rfd="proxy-chains",
        stage="draft"),
    Method(side="proxy", method="proxy/successor", kind="request", params=ProxySuccessorRequest,
        result=ProxySuccessorResponse, python_name="proxy_successor", rfd="proxy-chains", stage="draft"),
    Method(side="proxy", method="proxy/successor", kind="notification", params=ProxySuccessorNotification,
        python_name="proxy_successor_notification", rfd="proxy-chains", stage="draft"),
    Method(side="protocol", method="$/cancel_request", kind="notification", params=CancelRequestNotification,
        python_name="cancel_request", stage="completed"),
)  # fmt: skip

METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType({row.key: row for row in _ROWS})
"""Every method by (side, method, kind)."""

AGENT_METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType(
    {key: row for key, row in METHODS.items() if row.side == "agent"}
)
"""Methods that an agent implements."""

CLIENT_METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType(
    {key: row for key, row in METHODS.items() if row.side == "client"}
)
"""Methods that a client implements."""

PROTOCOL = Protocol(
    methods=METHODS,
    gates={
        "agent": {
            "auth.logout": "object",
            "auth.status": "object",
            "loadSession": "boolean",
            "mcpCapabilities.acp": "boolean",
            "mcpCapabilities.http": "boolean",
            "mcpCapabilities.sse": "boolean",
            "promptCapabilities.audio": "boolean",
            "promptCapabilities.embeddedContext": "boolean",
            "promptCapabilities.image": "boolean",
            "providers": "object",
            "sessionCapabilities.additionalDirectories": "object",
            "sessionCapabilities.archive": "object",
            "sessionCapabilities.close": "object",
            "sessionCapabilities.delete": "object",
            "sessionCapabilities.fork": "object",
            "sessionCapabilities.list": "object",
            "sessionCapabilities.resume": "object",
            "sessionCapabilities.status": "object",
            "sessionCapabilities.systemPrompt": "object",
            "sessionCapabilities.systemPrompt.mode.override": "object",
            "sessionCapabilities.title": "object",
        },
        "client": {
            "auth.terminal": "boolean",
            "elicitation": "object",
            "elicitation.form": "object",
            "elicitation.url": "object",
            "fs.readTextFile": "boolean",
            "fs.writeTextFile": "boolean",
            "plan": "object",
            "session.compaction": "object",
            "session.configOptions.boolean": "object",
            "session.notices": "object",
            "subagents": "object",
            "terminal": "boolean",
        },
    },
    handshake=Handshake(
        method="initialize",
        version="protocolVersion",
        version_number=1,
        capabilities={"agent": "agentCapabilities", "client": "clientCapabilities"},
        info={"agent": "agentInfo", "client": "clientInfo"},
    ),
    cancel=Cancel(method="$/cancel_request", property="requestId", error_code=-32800, message="Request cancelled"),
    ordering="sessionId",
    interrupt=Interrupt(
        method="session/cancel",
        requests={"session/prompt": {"stopReason": "cancelled"}},
        asked={"session/request_permission": {"outcome": {"outcome": "cancelled"}}},
    ),
    sessions=Sessions(
        open=("session/new", "session/load", "session/resume", "session/fork"),
        close=("session/close", "session/delete"),
        exclusive=("session/prompt",),
        load=("session/load",),
        resume=("session/resume",),
        delete=("session/delete",),
        end=(),
        absolute=("cwd", "additionalDirectories"),
        error_code=-32002,
    ),
    remote=Remote(
        path="/acp",
        connection="Acp-Connection-Id",
        session="Acp-Session-Id",
        property="connectionId",
        version="Acp-Protocol-Version",
    ),
    trace=Trace(keys=("traceparent", "tracestate", "baggage")),
    tunnel=Tunnel(
        method="mcp/message",
        servers="mcpServers",
        server="serverId",
        request="requestId",
        direct="McpServerAcp",
        http="McpServerHttp",
    ),
)
"""All data that a connection needs about the protocol, including the table."""


def requirements() -> Mapping[str, Requirement]:
    """All requirements by id, including those of imported extension packages."""
    return requirements_of(__name__.rpartition(".")[0])
