# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The methods that this package adds to Agent Client Protocol, and the table of all methods."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from msgspec.structs import replace

from generated._runtime.schema.definitions import Method as Method
from generated._runtime.schema.definitions import Protocol as Protocol
from generated._runtime.schema.definitions import Interrupt, Sessions
from generated.methods import PROTOCOL_VERSION as PROTOCOL_VERSION
from generated.methods import METHODS as _METHODS
from generated.methods import PROTOCOL as _PROTOCOL
from generated.methods import requirements as requirements
from .models import SessionEndedNotification, TerminateSessionRequest, TerminateSessionResponse

_ROWS: tuple[Method, ...] = (
    Method(side="agent", method="_sandboxagent/session/terminate", kind="request", params=TerminateSessionRequest,
        result=TerminateSessionResponse, capability="_meta.sandboxagent.terminate", python_name="terminate_session"),
    Method(side="client", method="_sandboxagent/session/ended", kind="notification", params=SessionEndedNotification,
        python_name="session_ended"),
)  # fmt: skip

METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType({**_METHODS, **{row.key: row for row in _ROWS}})
"""Every method by (side, method, kind)."""

AGENT_METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType(
    {key: row for key, row in METHODS.items() if row.side == "agent"}
)
"""Methods that an agent implements."""

CLIENT_METHODS: Mapping[tuple[str, str, str], Method] = MappingProxyType(
    {key: row for key, row in METHODS.items() if row.side == "client"}
)
"""Methods that a client implements."""

PROTOCOL = replace(
    _PROTOCOL,
    methods=METHODS,
    gates={
        "agent": {
            "_meta.sandboxagent.terminate": "boolean",
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
    interrupt=Interrupt(
        method="session/cancel",
        requests={"session/prompt": {"stopReason": "cancelled"}},
        asked={"session/request_permission": {"outcome": {"outcome": "cancelled"}}},
    ),
    sessions=Sessions(
        open=("session/new", "session/load", "session/resume", "session/fork"),
        close=("session/close", "session/delete", "_sandboxagent/session/terminate"),
        exclusive=("session/prompt",),
        load=("session/load",),
        resume=("session/resume",),
        delete=("session/delete",),
        end=("_sandboxagent/session/ended",),
        absolute=("cwd", "additionalDirectories"),
        error_code=-32002,
    ),
)
"""All data that a connection needs about the protocol, including the table."""
