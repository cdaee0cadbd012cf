# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The node tables, which are imported only if msgspec cannot decode a type by itself."""

from ._runtime.schema.definitions import Alias, Choice, Field, Node, Record, Variant

META: dict[str, dict[str, bool]] = {}
"""The types of keys of `_meta`, with whether a bad value counts as absent."""

NODES: dict[str, Node] = {
    "InitializeRequest": Record(fields=(
        Field(wire="protocolVersion", name="protocol_version", type=("ref", "ProtocolVersion"), required=True),
        Field(wire="clientCapabilities", name="client_capabilities", type=("ref", "ClientCapabilities"), default={"fs": {"readTextFile": False, "writeTextFile": False}, "terminal": False, "auth": {"terminal": False}}, default_on_error=True),
        Field(wire="clientInfo", name="client_info", type=("opt", ("ref", "Implementation")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ClientCapabilities": Record(fields=(
        Field(wire="fs", name="fs", type=("ref", "FileSystemCapabilities"), default={"readTextFile": False, "writeTextFile": False}, default_on_error=True),
        Field(wire="terminal", name="terminal", type="bool", default=False, default_on_error=True),
        Field(wire="session", name="session", type=("opt", ("ref", "ClientSessionCapabilities")), default_on_error=True),
        Field(wire="subagents", name="subagents", type=("opt", ("ref", "SubagentCapabilities")), default_on_error=True),
        Field(wire="plan", name="plan", type=("opt", ("ref", "PlanCapabilities")), default_on_error=True),
        Field(wire="auth", name="auth", type=("ref", "AuthCapabilities"), default={"terminal": False}, default_on_error=True),
        Field(wire="elicitation", name="elicitation", type=("opt", ("ref", "ElicitationCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "FileSystemCapabilities": Record(fields=(
        Field(wire="readTextFile", name="read_text_file", type="bool", default=False, default_on_error=True),
        Field(wire="writeTextFile", name="write_text_file", type="bool", default=False, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ClientSessionCapabilities": Record(fields=(
        Field(wire="compaction", name="compaction", type=("opt", ("ref", "CompactionCapabilities")), default_on_error=True),
        Field(wire="configOptions", name="config_options", type=("opt", ("ref", "SessionConfigOptionsCapabilities")), default_on_error=True),
        Field(wire="notices", name="notices", type=("opt", ("ref", "NoticeCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CompactionCapabilities": Record(),
    "SessionConfigOptionsCapabilities": Record(fields=(
        Field(wire="boolean", name="boolean", type=("opt", ("ref", "BooleanConfigOptionCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "BooleanConfigOptionCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "NoticeCapabilities": Record(),
    "SubagentCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthCapabilities": Record(fields=(
        Field(wire="terminal", name="terminal", type="bool", default=False, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ElicitationCapabilities": Record(fields=(
        Field(wire="form", name="form", type=("opt", ("ref", "ElicitationFormCapabilities")), default_on_error=True),
        Field(wire="url", name="url", type=("opt", ("ref", "ElicitationUrlCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ElicitationFormCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ElicitationUrlCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Implementation": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="version", name="version", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "InitializeResponse": Record(fields=(
        Field(wire="protocolVersion", name="protocol_version", type=("ref", "ProtocolVersion"), required=True),
        Field(wire="agentCapabilities", name="agent_capabilities", type=("ref", "AgentCapabilities"), default={"loadSession": False, "promptCapabilities": {"image": False, "audio": False, "embeddedContext": False}, "mcpCapabilities": {"http": False, "sse": False, "acp": False}, "sessionCapabilities": {}, "auth": {}}, default_on_error=True),
        Field(wire="authMethods", name="auth_methods", type=("list", ("ref", "AuthMethod")), default=[], default_on_error=True, skip_invalid_items=True),
        Field(wire="agentInfo", name="agent_info", type=("opt", ("ref", "Implementation")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AgentCapabilities": Record(fields=(
        Field(wire="loadSession", name="load_session", type="bool", default=False, default_on_error=True),
        Field(wire="promptCapabilities", name="prompt_capabilities", type=("ref", "PromptCapabilities"), default={"image": False, "audio": False, "embeddedContext": False}, default_on_error=True),
        Field(wire="mcpCapabilities", name="mcp_capabilities", type=("ref", "McpCapabilities"), default={"http": False, "sse": False, "acp": False}, default_on_error=True),
        Field(wire="sessionCapabilities", name="session_capabilities", type=("ref", "SessionCapabilities"), default={}, default_on_error=True),
        Field(wire="auth", name="auth", type=("ref", "AgentAuthCapabilities"), default={}, default_on_error=True),
        Field(wire="providers", name="providers", type=("opt", ("ref", "ProvidersCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PromptCapabilities": Record(fields=(
        Field(wire="image", name="image", type="bool", default=False, default_on_error=True),
        Field(wire="audio", name="audio", type="bool", default=False, default_on_error=True),
        Field(wire="embeddedContext", name="embedded_context", type="bool", default=False, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpCapabilities": Record(fields=(
        Field(wire="http", name="http", type="bool", default=False, default_on_error=True),
        Field(wire="sse", name="sse", type="bool", default=False, default_on_error=True),
        Field(wire="acp", name="acp", type="bool", default=False, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionCapabilities": Record(fields=(
        Field(wire="list", name="list", type=("opt", ("ref", "SessionListCapabilities")), default_on_error=True),
        Field(wire="delete", name="delete", type=("opt", ("ref", "SessionDeleteCapabilities")), default_on_error=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("opt", ("ref", "SessionAdditionalDirectoriesCapabilities")), default_on_error=True),
        Field(wire="systemPrompt", name="system_prompt", type=("opt", ("ref", "SessionSystemPromptCapabilities")), default_on_error=True),
        Field(wire="fork", name="fork", type=("opt", ("ref", "SessionForkCapabilities")), default_on_error=True),
        Field(wire="archive", name="archive", type=("opt", ("ref", "SessionArchiveCapabilities")), default_on_error=True),
        Field(wire="status", name="status", type=("opt", ("ref", "SessionStatusCapabilities")), default_on_error=True),
        Field(wire="title", name="title", type=("opt", ("ref", "SessionTitleCapabilities")), default_on_error=True),
        Field(wire="resume", name="resume", type=("opt", ("ref", "SessionResumeCapabilities")), default_on_error=True),
        Field(wire="close", name="close", type=("opt", ("ref", "SessionCloseCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionListCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionDeleteCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionAdditionalDirectoriesCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionSystemPromptCapabilities": Record(fields=(
        Field(wire="mode", name="mode", type=("opt", ("ref", "SessionSystemPromptModeCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionSystemPromptModeCapabilities": Record(fields=(
        Field(wire="override", name="override", type=("opt", ("ref", "SessionSystemPromptOverrideCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionSystemPromptOverrideCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionForkCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionArchiveCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionStatusCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionTitleCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionResumeCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionCloseCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AgentAuthCapabilities": Record(fields=(
        Field(wire="status", name="status", type=("opt", ("ref", "AuthStatusCapabilities")), default_on_error=True),
        Field(wire="logout", name="logout", type=("opt", ("ref", "LogoutCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthStatusCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "LogoutCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ProvidersCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthMethodTerminal": Record(fields=(
        Field(wire="id", name="id", type=("ref", "AuthMethodId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="args", name="args", type=("list", "str"), default_on_null=True),
        Field(wire="env", name="env", type=("map", "str"), default_on_null=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthMethodAgent": Record(fields=(
        Field(wire="id", name="id", type=("ref", "AuthMethodId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="type", name="type", type="any"),)),
    "AuthenticateRequest": Record(fields=(
        Field(wire="methodId", name="method_id", type=("ref", "AuthMethodId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthenticateResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "LogoutRequest": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "LogoutResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthStatusRequest": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthStatusResponse": Record(fields=(
        Field(wire="state", name="state", type=("ref", "AuthState"), required=True),
        Field(wire="accounts", name="accounts", type=("list", ("ref", "AuthAccount")), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthAccount": Record(fields=(
        Field(wire="label", name="label", type="str", required=True),
        Field(wire="active", name="active", type=("opt", "bool"), default_on_error=True),
        Field(wire="name", name="name", type=("opt", "str"), default_on_error=True),
        Field(wire="email", name="email", type=("opt", "str"), default_on_error=True),
        Field(wire="organization", name="organization", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthStatusUpdateNotification": Record(fields=(
        Field(wire="state", name="state", type=("ref", "AuthState"), required=True),
        Field(wire="accounts", name="accounts", type=("list", ("ref", "AuthAccount")), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "NewSessionRequest": Record(fields=(
        Field(wire="cwd", name="cwd", type="str", required=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("list", "str"), default_on_null=True, gate="sessionCapabilities.additionalDirectories"),
        Field(wire="mcpServers", name="mcp_servers", type=("list", ("ref", "McpServer")), required=True, default_on_null=True),
        Field(wire="systemPrompt", name="system_prompt", type=("opt", ("ref", "SystemPrompt")), gate="sessionCapabilities.systemPrompt"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpServerHttp": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="headers", name="headers", type=("list", ("ref", "HttpHeader")), required=True, default_on_null=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpServerSse": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="headers", name="headers", type=("list", ("ref", "HttpHeader")), required=True, default_on_null=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpServerAcp": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="serverId", name="server_id", type=("ref", "McpServerAcpId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpServerStdio": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="command", name="command", type="str", required=True),
        Field(wire="args", name="args", type=("list", "str"), required=True, default_on_null=True),
        Field(wire="env", name="env", type=("list", ("ref", "EnvVariable")), required=True, default_on_null=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="type", name="type", type="any"),)),
    "HttpHeader": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="value", name="value", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "EnvVariable": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="value", name="value", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SystemPrompt": Record(fields=(
        Field(wire="mode", name="mode", type=("ref", "SystemPromptMode"), required=True),
        Field(wire="content", name="content", type=("list", ("ref", "ContentBlock")), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TextContent": Record(fields=(
        Field(wire="annotations", name="annotations", type=("opt", ("ref", "Annotations")), default_on_error=True),
        Field(wire="text", name="text", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ImageContent": Record(fields=(
        Field(wire="annotations", name="annotations", type=("opt", ("ref", "Annotations")), default_on_error=True),
        Field(wire="data", name="data", type="str", required=True),
        Field(wire="mimeType", name="mime_type", type="str", required=True),
        Field(wire="uri", name="uri", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AudioContent": Record(fields=(
        Field(wire="annotations", name="annotations", type=("opt", ("ref", "Annotations")), default_on_error=True),
        Field(wire="data", name="data", type="str", required=True),
        Field(wire="mimeType", name="mime_type", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ResourceLink": Record(fields=(
        Field(wire="annotations", name="annotations", type=("opt", ("ref", "Annotations")), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="mimeType", name="mime_type", type=("opt", "str"), default_on_error=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="size", name="size", type=("opt", "int"), default_on_error=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="uri", name="uri", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "EmbeddedResource": Record(fields=(
        Field(wire="annotations", name="annotations", type=("opt", ("ref", "Annotations")), default_on_error=True),
        Field(wire="resource", name="resource", type=("ref", "EmbeddedResourceResource"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Annotations": Record(fields=(
        Field(wire="audience", name="audience", type=("opt", ("list", ("ref", "Role"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="lastModified", name="last_modified", type=("opt", "str"), default_on_error=True),
        Field(wire="priority", name="priority", type=("opt", "num"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TextResourceContents": Record(fields=(
        Field(wire="mimeType", name="mime_type", type=("opt", "str"), default_on_error=True),
        Field(wire="text", name="text", type="str", required=True),
        Field(wire="uri", name="uri", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "BlobResourceContents": Record(fields=(
        Field(wire="blob", name="blob", type="str", required=True),
        Field(wire="mimeType", name="mime_type", type=("opt", "str"), default_on_error=True),
        Field(wire="uri", name="uri", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "NewSessionResponse": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="modes", name="modes", type=("opt", ("ref", "SessionModeState")), default_on_error=True),
        Field(wire="configOptions", name="config_options", type=("opt", ("list", ("ref", "SessionConfigOption"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionModeState": Record(fields=(
        Field(wire="currentModeId", name="current_mode_id", type=("ref", "SessionModeId"), required=True),
        Field(wire="availableModes", name="available_modes", type=("list", ("ref", "SessionMode")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionMode": Record(fields=(
        Field(wire="id", name="id", type=("ref", "SessionModeId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionConfigOptionSelect": Record(fields=(
        Field(wire="id", name="id", type=("ref", "SessionConfigId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="category", name="category", type=("opt", ("enum", ("mode", "model", "model_config", "thought_level"), {"base": "str"})), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="currentValue", name="current_value", type=("ref", "SessionConfigValueId"), required=True),
        Field(wire="options", name="options", type=("ref", "SessionConfigSelectOptions"), required=True),)),
    "SessionConfigOptionBoolean": Record(fields=(
        Field(wire="id", name="id", type=("ref", "SessionConfigId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="category", name="category", type=("opt", ("enum", ("mode", "model", "model_config", "thought_level"), {"base": "str"})), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="currentValue", name="current_value", type="bool", required=True),)),
    "SessionConfigSelect": Record(fields=(
        Field(wire="currentValue", name="current_value", type=("ref", "SessionConfigValueId"), required=True),
        Field(wire="options", name="options", type=("ref", "SessionConfigSelectOptions"), required=True),)),
    "SessionConfigSelectOption": Record(fields=(
        Field(wire="value", name="value", type=("ref", "SessionConfigValueId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionConfigSelectGroup": Record(fields=(
        Field(wire="group", name="group", type=("ref", "SessionConfigGroupId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="options", name="options", type=("list", ("ref", "SessionConfigSelectOption")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionConfigBoolean": Record(fields=(
        Field(wire="currentValue", name="current_value", type="bool", required=True),)),
    "LoadSessionRequest": Record(fields=(
        Field(wire="mcpServers", name="mcp_servers", type=("list", ("ref", "McpServer")), required=True, default_on_null=True),
        Field(wire="cwd", name="cwd", type="str", required=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("list", "str"), default_on_null=True, gate="sessionCapabilities.additionalDirectories"),
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="systemPrompt", name="system_prompt", type=("opt", ("ref", "SystemPrompt")), gate="sessionCapabilities.systemPrompt"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "LoadSessionResponse": Record(fields=(
        Field(wire="modes", name="modes", type=("opt", ("ref", "SessionModeState")), default_on_error=True),
        Field(wire="configOptions", name="config_options", type=("opt", ("list", ("ref", "SessionConfigOption"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ResumeSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="cwd", name="cwd", type="str", required=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("list", "str"), default_on_null=True, gate="sessionCapabilities.additionalDirectories"),
        Field(wire="mcpServers", name="mcp_servers", type=("list", ("ref", "McpServer")), default_on_null=True),
        Field(wire="systemPrompt", name="system_prompt", type=("opt", ("ref", "SystemPrompt")), gate="sessionCapabilities.systemPrompt"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ResumeSessionResponse": Record(fields=(
        Field(wire="modes", name="modes", type=("opt", ("ref", "SessionModeState")), default_on_error=True),
        Field(wire="configOptions", name="config_options", type=("opt", ("list", ("ref", "SessionConfigOption"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ListSessionsRequest": Record(fields=(
        Field(wire="cwd", name="cwd", type=("opt", "str")),
        Field(wire="cursor", name="cursor", type=("opt", "str")),
        Field(wire="archived", name="archived", type=("opt", ("ref", "SessionArchiveFilter")), gate="sessionCapabilities.archive"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ListSessionsResponse": Record(fields=(
        Field(wire="sessions", name="sessions", type=("list", ("ref", "SessionInfo")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="nextCursor", name="next_cursor", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionInfo": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="cwd", name="cwd", type="str", required=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("list", "str"), default_on_error=True, skip_invalid_items=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="updatedAt", name="updated_at", type=("opt", "str"), default_on_error=True),
        Field(wire="archived", name="archived", type=("opt", "bool"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ForkSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="cwd", name="cwd", type="str", required=True),
        Field(wire="additionalDirectories", name="additional_directories", type=("list", "str"), default_on_null=True, gate="sessionCapabilities.additionalDirectories"),
        Field(wire="mcpServers", name="mcp_servers", type=("list", ("ref", "McpServer")), default_on_null=True),
        Field(wire="systemPrompt", name="system_prompt", type=("opt", ("ref", "SystemPrompt")), gate="sessionCapabilities.systemPrompt"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ForkSessionResponse": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="modes", name="modes", type=("opt", ("ref", "SessionModeState")), default_on_error=True),
        Field(wire="configOptions", name="config_options", type=("opt", ("list", ("ref", "SessionConfigOption"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CloseSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CloseSessionResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "DeleteSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "DeleteSessionResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ArchiveSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ArchiveSessionResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "UnarchiveSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "UnarchiveSessionResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionStatusRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionStatusResponse": Record(fields=(
        Field(wire="status", name="status", type=("ref", "SessionStatus"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetSessionTitleRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="title", name="title", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetSessionTitleResponse": Record(fields=(
        Field(wire="title", name="title", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetSessionModeRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="modeId", name="mode_id", type=("ref", "SessionModeId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetSessionModeResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetSessionConfigOptionRequestBoolean": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="configId", name="config_id", type=("ref", "SessionConfigId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="value", name="value", type="bool", required=True),)),
    "SetSessionConfigOptionRequestValueId": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="configId", name="config_id", type=("ref", "SessionConfigId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="value", name="value", type=("ref", "SessionConfigValueId"), required=True),
        Field(wire="type", name="type", type="any"),)),
    "SetSessionConfigOptionResponse": Record(fields=(
        Field(wire="configOptions", name="config_options", type=("list", ("ref", "SessionConfigOption")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PromptRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="prompt", name="prompt", type=("list", ("ref", "ContentBlock")), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PromptResponse": Record(fields=(
        Field(wire="stopReason", name="stop_reason", type=("ref", "StopReason"), required=True),
        Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Usage": Record(fields=(
        Field(wire="totalTokens", name="total_tokens", type=("int", {"minimum": 0}), required=True),
        Field(wire="inputTokens", name="input_tokens", type=("int", {"minimum": 0}), required=True),
        Field(wire="outputTokens", name="output_tokens", type=("int", {"minimum": 0}), required=True),
        Field(wire="thoughtTokens", name="thought_tokens", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="cachedReadTokens", name="cached_read_tokens", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="cachedWriteTokens", name="cached_write_tokens", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CancelNotification": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionNotification": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="update", name="update", type=("ref", "SessionUpdate"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "UserMessageChunk": Record(fields=(
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="messageId", name="message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AgentMessageChunk": Record(fields=(
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="messageId", name="message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AgentThoughtChunk": Record(fields=(
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="messageId", name="message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ToolCall": Record(fields=(
        Field(wire="toolCallId", name="tool_call_id", type=("ref", "ToolCallId"), required=True),
        Field(wire="title", name="title", type="str", required=True),
        Field(wire="name", name="name", type=("opt", "str"), default_on_error=True),
        Field(wire="kind", name="kind", type=("enum", ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other")), default_on_error=True),
        Field(wire="status", name="status", type=("enum", ("pending", "in_progress", "completed", "failed")), default_on_error=True),
        Field(wire="content", name="content", type=("list", ("ref", "ToolCallContent")), default_on_error=True, skip_invalid_items=True),
        Field(wire="locations", name="locations", type=("list", ("ref", "ToolCallLocation")), default_on_error=True, skip_invalid_items=True),
        Field(wire="rawInput", name="raw_input", type="any", default_on_error=True),
        Field(wire="rawOutput", name="raw_output", type="any", default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ToolCallProgress": Record(fields=(
        Field(wire="toolCallId", name="tool_call_id", type=("ref", "ToolCallId"), required=True),
        Field(wire="kind", name="kind", type=("opt", ("enum", ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"))), default_on_error=True),
        Field(wire="status", name="status", type=("opt", ("enum", ("pending", "in_progress", "completed", "failed"))), default_on_error=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="name", name="name", type=("opt", "str"), default_on_error=True),
        Field(wire="content", name="content", type=("opt", ("list", ("ref", "ToolCallContent"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="locations", name="locations", type=("opt", ("list", ("ref", "ToolCallLocation"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="rawInput", name="raw_input", type="any", default_on_error=True),
        Field(wire="rawOutput", name="raw_output", type="any", default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Plan": Record(fields=(
        Field(wire="entries", name="entries", type=("list", ("ref", "PlanEntry")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanUpdate": Record(fields=(
        Field(wire="plan", name="plan", type=("ref", "PlanUpdateContent"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanRemoved": Record(fields=(
        Field(wire="planId", name="plan_id", type=("ref", "PlanId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AvailableCommandsUpdate": Record(fields=(
        Field(wire="availableCommands", name="available_commands", type=("list", ("ref", "AvailableCommand")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CurrentModeUpdate": Record(fields=(
        Field(wire="currentModeId", name="current_mode_id", type=("ref", "SessionModeId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ConfigOptionUpdate": Record(fields=(
        Field(wire="configOptions", name="config_options", type=("list", ("ref", "SessionConfigOption")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionInfoUpdate": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="updatedAt", name="updated_at", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "UsageUpdate": Record(fields=(
        Field(wire="used", name="used", type=("int", {"minimum": 0}), required=True),
        Field(wire="size", name="size", type=("int", {"minimum": 0}), required=True),
        Field(wire="cost", name="cost", type=("opt", ("ref", "Cost")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Notice": Record(fields=(
        Field(wire="severity", name="severity", type=("ref", "NoticeSeverity"), required=True),
        Field(wire="title", name="title", type=("str", {"min_length": 1}), required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CompactionUpdate": Record(fields=(
        Field(wire="compactionId", name="compaction_id", type=("ref", "CompactionId"), required=True),
        Field(wire="status", name="status", type=("ref", "CompactionStatus"), required=True),
        Field(wire="summary", name="summary", type=("opt", ("list", ("ref", "ContentBlock"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="error", name="error", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CompactionSummaryChunk": Record(fields=(
        Field(wire="compactionId", name="compaction_id", type=("ref", "CompactionId"), required=True),
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SubagentUpdate": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="capabilities", name="capabilities", type=("opt", ("ref", "SubagentSessionCapabilities")), default_on_error=True),
        Field(wire="state", name="state", type=("opt", ("ref", "StateUpdate")), default_on_error=True),
        Field(wire="cwd", name="cwd", type=("opt", "str")),
        Field(wire="additionalDirectories", name="additional_directories", type=("opt", ("list", "str"))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionMessage": Record(fields=(
        Field(wire="messageId", name="message_id", type=("ref", "MessageId"), required=True),
        Field(wire="senderSessionId", name="sender_session_id", type=("opt", "str"), default_on_error=True),
        Field(wire="recipientSessionId", name="recipient_session_id", type=("opt", "str"), default_on_error=True),
        Field(wire="senderMessageId", name="sender_message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="recipientMessageId", name="recipient_message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="content", name="content", type=("opt", ("list", ("ref", "ContentBlock"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionMessageChunk": Record(fields=(
        Field(wire="messageId", name="message_id", type=("ref", "MessageId"), required=True),
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ContentChunk": Record(fields=(
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="messageId", name="message_id", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Content": Record(fields=(
        Field(wire="content", name="content", type=("ref", "ContentBlock"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Diff": Record(fields=(
        Field(wire="path", name="path", type="str", required=True),
        Field(wire="oldText", name="old_text", type=("opt", "str"), default_on_error=True),
        Field(wire="newText", name="new_text", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Terminal": Record(fields=(
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ToolCallLocation": Record(fields=(
        Field(wire="path", name="path", type="str", required=True),
        Field(wire="line", name="line", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ToolCallUpdate": Record(fields=(
        Field(wire="toolCallId", name="tool_call_id", type=("ref", "ToolCallId"), required=True),
        Field(wire="kind", name="kind", type=("opt", ("enum", ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"))), default_on_error=True),
        Field(wire="status", name="status", type=("opt", ("enum", ("pending", "in_progress", "completed", "failed"))), default_on_error=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="name", name="name", type=("opt", "str"), default_on_error=True),
        Field(wire="content", name="content", type=("opt", ("list", ("ref", "ToolCallContent"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="locations", name="locations", type=("opt", ("list", ("ref", "ToolCallLocation"))), default_on_error=True, skip_invalid_items=True),
        Field(wire="rawInput", name="raw_input", type="any", default_on_error=True),
        Field(wire="rawOutput", name="raw_output", type="any", default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanEntry": Record(fields=(
        Field(wire="content", name="content", type="str", required=True),
        Field(wire="priority", name="priority", type=("ref", "PlanEntryPriority"), required=True),
        Field(wire="status", name="status", type=("ref", "PlanEntryStatus"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanItems": Record(fields=(
        Field(wire="planId", name="plan_id", type=("ref", "PlanId"), required=True),
        Field(wire="entries", name="entries", type=("list", ("ref", "PlanEntry")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanFile": Record(fields=(
        Field(wire="planId", name="plan_id", type=("ref", "PlanId"), required=True),
        Field(wire="uri", name="uri", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PlanMarkdown": Record(fields=(
        Field(wire="planId", name="plan_id", type=("ref", "PlanId"), required=True),
        Field(wire="content", name="content", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AvailableCommand": Record(fields=(
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="description", name="description", type="str", required=True),
        Field(wire="input", name="input", type=("opt", ("ref", "AvailableCommandInput")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "UnstructuredCommandInput": Record(fields=(
        Field(wire="hint", name="hint", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "Cost": Record(fields=(
        Field(wire="amount", name="amount", type="num", required=True),
        Field(wire="currency", name="currency", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SubagentSessionCapabilities": Record(fields=(
        Field(wire="cancel", name="cancel", type=("opt", ("ref", "SessionCancelCapabilities")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionCancelCapabilities": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "RunningStateUpdate": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type="any"),)),
    "IdleStateUpdateStopReason": Record(fields=(
        Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type=("enum", ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")), required=True, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "IdleStateUpdateError": Record(fields=(
        Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type=("enum", ("error",)), required=True, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="error", name="error", type=("opt", ("ref", "Error")), default_on_error=True),)),
    "IdleStateUpdateNone": Record(fields=(
        Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type="null", default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "RequiresActionStateUpdate": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type="any"),)),
    "UnknownStateUpdate": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="stopReason", name="stop_reason", type="any"),)),
    "ErrorStopReason": Record(fields=(
        Field(wire="error", name="error", type=("opt", ("ref", "Error")), default_on_error=True),)),
    "Error": Record(fields=(
        Field(wire="code", name="code", type=("ref", "ErrorCode"), required=True),
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="data", name="data", type="any", default_on_error=True),)),
    "RequestPermissionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCall", name="tool_call", type=("ref", "ToolCallUpdate"), required=True),
        Field(wire="options", name="options", type=("list", ("ref", "PermissionOption")), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "PermissionOption": Record(fields=(
        Field(wire="optionId", name="option_id", type=("ref", "PermissionOptionId"), required=True),
        Field(wire="name", name="name", type="str", required=True),
        Field(wire="kind", name="kind", type=("ref", "PermissionOptionKind"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "RequestPermissionResponse": Record(fields=(
        Field(wire="outcome", name="outcome", type=("ref", "RequestPermissionOutcome"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "RequestPermissionOutcomeCancelled": Record(),
    "SelectedPermissionOutcome": Record(fields=(
        Field(wire="optionId", name="option_id", type=("ref", "PermissionOptionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ReadTextFileRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="path", name="path", type="str", required=True),
        Field(wire="line", name="line", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="limit", name="limit", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ReadTextFileResponse": Record(fields=(
        Field(wire="content", name="content", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "WriteTextFileRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="path", name="path", type="str", required=True),
        Field(wire="content", name="content", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "WriteTextFileResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CreateTerminalRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="command", name="command", type="str", required=True),
        Field(wire="args", name="args", type=("list", "str"), default_on_null=True),
        Field(wire="env", name="env", type=("list", ("ref", "EnvVariable")), default_on_null=True),
        Field(wire="cwd", name="cwd", type=("opt", "str")),
        Field(wire="outputByteLimit", name="output_byte_limit", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CreateTerminalResponse": Record(fields=(
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TerminalOutputRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TerminalOutputResponse": Record(fields=(
        Field(wire="output", name="output", type="str", required=True),
        Field(wire="truncated", name="truncated", type="bool", required=True),
        Field(wire="exitStatus", name="exit_status", type=("opt", ("ref", "TerminalExitStatus")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TerminalExitStatus": Record(fields=(
        Field(wire="exitCode", name="exit_code", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="signal", name="signal", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "WaitForTerminalExitRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "WaitForTerminalExitResponse": Record(fields=(
        Field(wire="exitCode", name="exit_code", type=("opt", ("int", {"minimum": 0})), default_on_error=True),
        Field(wire="signal", name="signal", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "KillTerminalRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "KillTerminalResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ReleaseTerminalRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="terminalId", name="terminal_id", type=("ref", "TerminalId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ReleaseTerminalResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CreateElicitationRequestFormSession": Record(fields=(
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="requestedSchema", name="requested_schema", type=("ref", "ElicitationSchema"), required=True),
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),)),
    "CreateElicitationRequestFormRequest": Record(fields=(
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="requestedSchema", name="requested_schema", type=("ref", "ElicitationSchema"), required=True),
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),)),
    "CreateElicitationRequestUrlSession": Record(fields=(
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="elicitationId", name="elicitation_id", type=("ref", "ElicitationId"), required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),)),
    "CreateElicitationRequestUrlRequest": Record(fields=(
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="elicitationId", name="elicitation_id", type=("ref", "ElicitationId"), required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),)),
    "ElicitationFormModeSession": Record(fields=(
        Field(wire="requestedSchema", name="requested_schema", type=("ref", "ElicitationSchema"), required=True),
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),)),
    "ElicitationFormModeRequest": Record(fields=(
        Field(wire="requestedSchema", name="requested_schema", type=("ref", "ElicitationSchema"), required=True),
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),)),
    "ElicitationSchema": Record(fields=(
        Field(wire="type", name="type", type=("enum", ("object",)), default="object", default_on_error=True),
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="properties", name="properties", type=("map", ("ref", "ElicitationPropertySchema"))),
        Field(wire="required", name="required", type=("opt", ("list", "str"))),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "StringPropertySchema": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="minLength", name="min_length", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="maxLength", name="max_length", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="pattern", name="pattern", type=("opt", "str")),
        Field(wire="format", name="format", type=("opt", ("ref", "StringFormat"))),
        Field(wire="default", name="default", type=("opt", "str"), default_on_error=True),
        Field(wire="enum", name="enum", type=("opt", ("list", "str"))),
        Field(wire="oneOf", name="one_of", type=("opt", ("list", ("ref", "EnumOption")))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "NumberPropertySchema": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="minimum", name="minimum", type=("opt", "num")),
        Field(wire="maximum", name="maximum", type=("opt", "num")),
        Field(wire="default", name="default", type=("opt", "num"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "IntegerPropertySchema": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="minimum", name="minimum", type=("opt", "int")),
        Field(wire="maximum", name="maximum", type=("opt", "int")),
        Field(wire="default", name="default", type=("opt", "int"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "BooleanPropertySchema": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="default", name="default", type=("opt", "bool"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "MultiSelectPropertySchema": Record(fields=(
        Field(wire="title", name="title", type=("opt", "str"), default_on_error=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="minItems", name="min_items", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="maxItems", name="max_items", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="items", name="items", type=("ref", "MultiSelectItems"), required=True),
        Field(wire="default", name="default", type=("opt", ("list", "str")), default_on_error=True, skip_invalid_items=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "EnumOption": Record(fields=(
        Field(wire="const", name="const", type="str", required=True),
        Field(wire="title", name="title", type="str", required=True),
        Field(wire="description", name="description", type=("opt", "str"), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "StringMultiSelectItems": Record(fields=(
        Field(wire="enum", name="enum", type=("list", "str"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TitledMultiSelectItems": Record(fields=(
        Field(wire="anyOf", name="any_of", type=("list", ("ref", "EnumOption")), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="type", name="type", type="any"),)),
    "ElicitationSessionScope": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),)),
    "ElicitationRequestScope": Record(fields=(
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),)),
    "ElicitationUrlModeSession": Record(fields=(
        Field(wire="elicitationId", name="elicitation_id", type=("ref", "ElicitationId"), required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),)),
    "ElicitationUrlModeRequest": Record(fields=(
        Field(wire="elicitationId", name="elicitation_id", type=("ref", "ElicitationId"), required=True),
        Field(wire="url", name="url", type="str", required=True),
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),)),
    "CreateElicitationResponseAccept": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
        Field(wire="content", name="content", type=("opt", ("map", ("ref", "ElicitationContentValue")))),)),
    "CreateElicitationResponseDecline": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CreateElicitationResponseCancel": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ElicitationAcceptAction": Record(fields=(
        Field(wire="content", name="content", type=("opt", ("map", ("ref", "ElicitationContentValue")))),)),
    "CompleteElicitationNotification": Record(fields=(
        Field(wire="elicitationId", name="elicitation_id", type=("ref", "ElicitationId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ListProvidersRequest": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ListProvidersResponse": Record(fields=(
        Field(wire="providers", name="providers", type=("list", ("ref", "ProviderInfo")), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ProviderInfo": Record(fields=(
        Field(wire="providerId", name="provider_id", type=("ref", "ProviderId"), required=True),
        Field(wire="supported", name="supported", type=("list", ("ref", "LlmProtocol")), required=True, default_on_error=True, skip_invalid_items=True),
        Field(wire="required", name="required", type="bool", required=True),
        Field(wire="current", name="current", type=("opt", ("ref", "ProviderCurrentConfig"))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ProviderCurrentConfig": Record(fields=(
        Field(wire="apiType", name="api_type", type=("ref", "LlmProtocol"), required=True),
        Field(wire="baseUrl", name="base_url", type="str", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetProviderRequest": Record(fields=(
        Field(wire="providerId", name="provider_id", type=("ref", "ProviderId"), required=True),
        Field(wire="apiType", name="api_type", type=("ref", "LlmProtocol"), required=True),
        Field(wire="baseUrl", name="base_url", type="str", required=True),
        Field(wire="headers", name="headers", type=("map", "str")),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SetProviderResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "DisableProviderRequest": Record(fields=(
        Field(wire="providerId", name="provider_id", type=("ref", "ProviderId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "DisableProviderResponse": Record(fields=(
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "MessageMcpRequest": Record(fields=(
        Field(wire="serverId", name="server_id", type=("ref", "McpServerAcpId"), required=True),
        Field(wire="requestId", name="request_id", type=("ref", "McpRequestId"), required=True),
        Field(wire="method", name="method", type="str", required=True),
        Field(wire="params", name="params", type=("opt", ("map", "any"))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "MessageMcpResponseResult": Record(fields=(
        Field(wire="result", name="result", type="any", required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "MessageMcpResponseError": Record(fields=(
        Field(wire="error", name="error", type=("ref", "McpError"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "McpError": Record(fields=(
        Field(wire="code", name="code", type="int", required=True),
        Field(wire="message", name="message", type="str", required=True),
        Field(wire="data", name="data", type="any"),), extra="any"),
    "MessageMcpNotification": Record(fields=(
        Field(wire="serverId", name="server_id", type=("ref", "McpServerAcpId"), required=True),
        Field(wire="requestId", name="request_id", type=("ref", "McpRequestId"), required=True),
        Field(wire="method", name="method", type="str", required=True),
        Field(wire="params", name="params", type=("opt", ("map", "any"))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ProxySuccessorRequest": Record(fields=(
        Field(wire="method", name="method", type="str", required=True),
        Field(wire="params", name="params", type="any"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "ProxySuccessorNotification": Record(fields=(
        Field(wire="method", name="method", type="str", required=True),
        Field(wire="params", name="params", type="any"),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "CancelRequestNotification": Record(fields=(
        Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "AuthMethod": Choice(variants=(
        Variant(record="AuthMethodTerminal", constants={"type": ("terminal",)}, gate="auth.terminal"),
        Variant(record="AuthMethodAgent"),)),
    "McpServer": Choice(variants=(
        Variant(record="McpServerHttp", constants={"type": ("http",)}, gate="mcpCapabilities.http"),
        Variant(record="McpServerSse", constants={"type": ("sse",)}, gate="mcpCapabilities.sse"),
        Variant(record="McpServerAcp", constants={"type": ("acp",)}, gate="mcpCapabilities.acp"),
        Variant(record="McpServerStdio"),)),
    "ContentBlock": Choice(tag="type", variants=(
        Variant(record="TextContent", constants={"type": ("text",)}),
        Variant(record="ImageContent", constants={"type": ("image",)}, gate="promptCapabilities.image"),
        Variant(record="AudioContent", constants={"type": ("audio",)}, gate="promptCapabilities.audio"),
        Variant(record="ResourceLink", constants={"type": ("resource_link",)}),
        Variant(record="EmbeddedResource", constants={"type": ("resource",)}, gate="promptCapabilities.embeddedContext"),)),
    "EmbeddedResourceResource": Choice(variants=(
        Variant(record="TextResourceContents"),
        Variant(record="BlobResourceContents"),)),
    "SessionConfigOption": Choice(tag="type", variants=(
        Variant(record="SessionConfigOptionSelect", constants={"type": ("select",)}),
        Variant(record="SessionConfigOptionBoolean", constants={"type": ("boolean",)}, gate="session.configOptions.boolean"),)),
    "SetSessionConfigOptionRequest": Choice(variants=(
        Variant(record="SetSessionConfigOptionRequestBoolean", constants={"type": ("boolean",)}),
        Variant(record="SetSessionConfigOptionRequestValueId"),)),
    "SessionUpdate": Choice(tag="sessionUpdate", variants=(
        Variant(record="UserMessageChunk", constants={"sessionUpdate": ("user_message_chunk",)}),
        Variant(record="AgentMessageChunk", constants={"sessionUpdate": ("agent_message_chunk",)}),
        Variant(record="AgentThoughtChunk", constants={"sessionUpdate": ("agent_thought_chunk",)}),
        Variant(record="ToolCall", constants={"sessionUpdate": ("tool_call",)}),
        Variant(record="ToolCallProgress", constants={"sessionUpdate": ("tool_call_update",)}),
        Variant(record="Plan", constants={"sessionUpdate": ("plan",)}),
        Variant(record="PlanUpdate", constants={"sessionUpdate": ("plan_update",)}, gate="plan"),
        Variant(record="PlanRemoved", constants={"sessionUpdate": ("plan_removed",)}, gate="plan"),
        Variant(record="AvailableCommandsUpdate", constants={"sessionUpdate": ("available_commands_update",)}),
        Variant(record="CurrentModeUpdate", constants={"sessionUpdate": ("current_mode_update",)}),
        Variant(record="ConfigOptionUpdate", constants={"sessionUpdate": ("config_option_update",)}),
        Variant(record="SessionInfoUpdate", constants={"sessionUpdate": ("session_info_update",)}),
        Variant(record="UsageUpdate", constants={"sessionUpdate": ("usage_update",)}),
        Variant(record="Notice", constants={"sessionUpdate": ("notice",)}, gate="session.notices"),
        Variant(record="CompactionUpdate", constants={"sessionUpdate": ("compaction_update",)}, gate="session.compaction"),
        Variant(record="CompactionSummaryChunk", constants={"sessionUpdate": ("compaction_summary_chunk",)}, gate="session.compaction"),
        Variant(record="SubagentUpdate", constants={"sessionUpdate": ("subagent_update",)}, gate="subagents"),
        Variant(record="SessionMessage", constants={"sessionUpdate": ("session_message",)}, gate="subagents"),
        Variant(record="SessionMessageChunk", constants={"sessionUpdate": ("session_message_chunk",)}, gate="subagents"),)),
    "ToolCallContent": Choice(tag="type", variants=(
        Variant(record="Content", constants={"type": ("content",)}),
        Variant(record="Diff", constants={"type": ("diff",)}),
        Variant(record="Terminal", constants={"type": ("terminal",)}, gate="terminal"),)),
    "PlanUpdateContent": Choice(tag="type", variants=(
        Variant(record="PlanItems", constants={"type": ("items",)}),
        Variant(record="PlanFile", constants={"type": ("file",)}),
        Variant(record="PlanMarkdown", constants={"type": ("markdown",)}),)),
    "AvailableCommandInput": Choice(variants=(
        Variant(record="UnstructuredCommandInput"),)),
    "StateUpdate": Choice(variants=(
        Variant(record="RunningStateUpdate", constants={"state": ("running",)}),
        Variant(record="IdleStateUpdateStopReason", constants={"state": ("idle",), "stopReason": ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")}),
        Variant(record="IdleStateUpdateError", constants={"state": ("idle",), "stopReason": ("error",)}),
        Variant(record=Record(fields=(
            Field(wire="state", name="state", type=("enum", ("idle",)), required=True),
            Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
            Field(wire="stopReason", name="stop_reason", type="str", required=True, default_on_error=True),
            Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),), extra="any"), constants={"state": ("idle",)}, excludes=(("stopReason", "end_turn"), ("stopReason", "max_tokens"), ("stopReason", "max_turn_requests"), ("stopReason", "refusal"), ("stopReason", "cancelled"), ("stopReason", "error"))),
        Variant(record="IdleStateUpdateNone", constants={"state": ("idle",)}),
        Variant(record="RequiresActionStateUpdate", constants={"state": ("requires_action",)}),
        Variant(record="UnknownStateUpdate", constants={"state": ("unknown",)}),
        Variant(record=Record(fields=(
            Field(wire="state", name="state", type="str", required=True),), extra="any"), excludes=(("state", "running"), ("state", "idle"), ("state", "requires_action"), ("state", "unknown"))),)),
    "IdleStateUpdate": Choice(variants=(
        Variant(record="IdleStateUpdateStopReason", constants={"stopReason": ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled")}),
        Variant(record="IdleStateUpdateError", constants={"stopReason": ("error",)}),
        Variant(record=Record(fields=(
            Field(wire="usage", name="usage", type=("opt", ("ref", "Usage")), default_on_error=True),
            Field(wire="stopReason", name="stop_reason", type="str", required=True, default_on_error=True),
            Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),), extra="any"), excludes=(("stopReason", "end_turn"), ("stopReason", "max_tokens"), ("stopReason", "max_turn_requests"), ("stopReason", "refusal"), ("stopReason", "cancelled"), ("stopReason", "error"))),
        Variant(record="IdleStateUpdateNone"),)),
    "RequestPermissionOutcome": Choice(tag="outcome", variants=(
        Variant(record="RequestPermissionOutcomeCancelled", constants={"outcome": ("cancelled",)}),
        Variant(record="SelectedPermissionOutcome", constants={"outcome": ("selected",)}),)),
    "CreateElicitationRequest": Choice(variants=(
        Variant(record="CreateElicitationRequestFormSession", constants={"mode": ("form",)}, gate="elicitation.form"),
        Variant(record="CreateElicitationRequestFormRequest", constants={"mode": ("form",)}, gate="elicitation.form"),
        Variant(record="CreateElicitationRequestUrlSession", constants={"mode": ("url",)}, gate="elicitation.url"),
        Variant(record="CreateElicitationRequestUrlRequest", constants={"mode": ("url",)}, gate="elicitation.url"),
        Variant(record=Record(fields=(
            Field(wire="message", name="message", type="str", required=True),
            Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
            Field(wire="mode", name="mode", type="str", required=True),
            Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
            Field(wire="toolCallId", name="tool_call_id", type=("opt", "str"), default_on_error=True),), extra="any"), excludes=(("mode", "form"), ("mode", "url"))),
        Variant(record=Record(fields=(
            Field(wire="message", name="message", type="str", required=True),
            Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
            Field(wire="mode", name="mode", type="str", required=True),
            Field(wire="requestId", name="request_id", type=("ref", "RequestId"), required=True),), extra="any"), excludes=(("mode", "form"), ("mode", "url"))),)),
    "ElicitationFormMode": Choice(variants=(
        Variant(record="ElicitationFormModeSession"),
        Variant(record="ElicitationFormModeRequest"),)),
    "ElicitationPropertySchema": Choice(variants=(
        Variant(record="StringPropertySchema", constants={"type": ("string",)}),
        Variant(record="NumberPropertySchema", constants={"type": ("number",)}),
        Variant(record="IntegerPropertySchema", constants={"type": ("integer",)}),
        Variant(record="BooleanPropertySchema", constants={"type": ("boolean",)}),
        Variant(record="MultiSelectPropertySchema", constants={"type": ("array",)}),
        Variant(record=Record(fields=(
            Field(wire="type", name="type", type="str", required=True),), extra="any"), excludes=(("type", "string"), ("type", "number"), ("type", "integer"), ("type", "boolean"), ("type", "array"))),)),
    "MultiSelectItems": Choice(variants=(
        Variant(record="StringMultiSelectItems", constants={"type": ("string",)}),
        Variant(record=Record(fields=(
            Field(wire="type", name="type", type="str", required=True),), extra="any"), excludes=(("type", "string"),)),
        Variant(record="TitledMultiSelectItems"),)),
    "ElicitationUrlMode": Choice(variants=(
        Variant(record="ElicitationUrlModeSession"),
        Variant(record="ElicitationUrlModeRequest"),)),
    "CreateElicitationResponse": Choice(variants=(
        Variant(record="CreateElicitationResponseAccept", constants={"action": ("accept",)}),
        Variant(record="CreateElicitationResponseDecline", constants={"action": ("decline",)}),
        Variant(record="CreateElicitationResponseCancel", constants={"action": ("cancel",)}),
        Variant(record=Record(fields=(
            Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),
            Field(wire="action", name="action", type="str", required=True),), extra="any"), excludes=(("action", "accept"), ("action", "decline"), ("action", "cancel"))),)),
    "MessageMcpResponse": Choice(variants=(
        Variant(record="MessageMcpResponseResult"),
        Variant(record="MessageMcpResponseError"),)),
    "ProtocolVersion": Alias(type=("int", {"minimum": 0, "maximum": 65535})),
    "AuthMethodId": Alias(type="str"),
    "AuthState": Alias(type=("enum", ("authenticated", "unauthenticated", "not_required", "unknown"), {"base": "str"})),
    "McpServerAcpId": Alias(type="str"),
    "SystemPromptMode": Alias(type=("enum", ("append", "override"), {"base": "str", "gates": {"override": "sessionCapabilities.systemPrompt.mode.override"}})),
    "Role": Alias(type=("enum", ("assistant", "user"))),
    "SessionId": Alias(type="str"),
    "SessionModeId": Alias(type="str"),
    "SessionConfigId": Alias(type="str"),
    "SessionConfigOptionCategory": Alias(type=("enum", ("mode", "model", "model_config", "thought_level"), {"base": "str"})),
    "SessionConfigValueId": Alias(type="str"),
    "SessionConfigSelectOptions": Alias(type=("union", (("list", ("ref", "SessionConfigSelectOption")), ("list", ("ref", "SessionConfigSelectGroup"))))),
    "SessionConfigGroupId": Alias(type="str"),
    "SessionArchiveFilter": Alias(type=("enum", ("exclude", "include", "only"), {"base": "str"})),
    "SessionStatus": Alias(type=("enum", ("open", "saved"), {"base": "str"})),
    "StopReason": Alias(type=("enum", ("end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"))),
    "MessageId": Alias(type="str"),
    "ToolCallId": Alias(type="str"),
    "ToolKind": Alias(type=("enum", ("read", "edit", "delete", "move", "search", "execute", "think", "fetch", "switch_mode", "other"))),
    "ToolCallStatus": Alias(type=("enum", ("pending", "in_progress", "completed", "failed"))),
    "TerminalId": Alias(type="str"),
    "PlanEntryPriority": Alias(type=("enum", ("high", "medium", "low"))),
    "PlanEntryStatus": Alias(type=("enum", ("pending", "in_progress", "completed"))),
    "PlanId": Alias(type="str"),
    "NoticeSeverity": Alias(type=("enum", ("info", "warning", "error"), {"base": "str"})),
    "CompactionId": Alias(type="str"),
    "CompactionStatus": Alias(type=("enum", ("in_progress", "completed", "failed", "cancelled"), {"base": "str"})),
    "ErrorCode": Alias(type=("enum", (-32700, -32600, -32601, -32602, -32603, -32800, -32000, -32002), {"base": "int"})),
    "PermissionOptionId": Alias(type="str"),
    "PermissionOptionKind": Alias(type=("enum", ("allow_once", "allow_always", "reject_once", "reject_always"))),
    "ElicitationSchemaType": Alias(type=("enum", ("object",))),
    "StringFormat": Alias(type=("enum", ("email", "uri", "date", "date-time"))),
    "RequestId": Alias(type=("opt", ("union", ("int", "str")))),
    "ElicitationId": Alias(type="str"),
    "ElicitationContentValue": Alias(type=("union", ("str", "int", "num", "bool", ("list", "str")))),
    "ProviderId": Alias(type="str"),
    "LlmProtocol": Alias(type=("enum", ("anthropic", "openai", "azure", "vertex", "bedrock"), {"base": "str"})),
    "McpRequestId": Alias(type="str"),
    "InitializeProxyRequest": Alias(type=("ref", "InitializeRequest")),
    "InitializeProxyResponse": Alias(type=("ref", "InitializeResponse")),
    "ProxySuccessorResponse": Alias(type="any"),
}
