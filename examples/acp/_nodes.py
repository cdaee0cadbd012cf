# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The node tables, which are imported only if msgspec cannot decode a type by itself."""

from generated._runtime.schema.definitions import Alias, Field, Node, Record

META: dict[str, dict[str, bool]] = {"SandboxAgentCapabilities": {"sandboxagent": True}}
"""The types of keys of `_meta`, with whether a bad value counts as absent."""

NODES: dict[str, Node] = {
    "SandboxAgentCapabilities": Record(fields=(
        Field(wire="terminate", name="terminate", type="bool", default=False, default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TerminateSessionRequest": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "TerminateSessionResponse": Record(fields=(
        Field(wire="terminated", name="terminated", type="bool", required=True),
        Field(wire="reason", name="reason", type=("ref", "SessionEndReason"), required=True),
        Field(wire="terminatedBy", name="terminated_by", type=("ref", "TerminatedBy"), required=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionEndedNotification": Record(fields=(
        Field(wire="sessionId", name="session_id", type=("ref", "SessionId"), required=True),
        Field(wire="reason", name="reason", type=("ref", "SessionEndReason"), required=True),
        Field(wire="terminatedBy", name="terminated_by", type=("ref", "TerminatedBy"), required=True),
        Field(wire="message", name="message", type=("opt", "str"), default_on_error=True),
        Field(wire="exitCode", name="exit_code", type=("opt", "int"), default_on_error=True),
        Field(wire="stderr", name="stderr", type=("opt", ("ref", "StderrOutput")), default_on_error=True),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "StderrOutput": Record(fields=(
        Field(wire="head", name="head", type=("opt", "str")),
        Field(wire="tail", name="tail", type=("opt", "str")),
        Field(wire="truncated", name="truncated", type="bool", required=True),
        Field(wire="totalLines", name="total_lines", type=("opt", ("int", {"minimum": 0}))),
        Field(wire="_meta", name="meta", type=("opt", ("map", "any")), default_on_error=True),)),
    "SessionEndReason": Alias(type=("enum", ("completed", "error", "terminated"))),
    "TerminatedBy": Alias(type=("enum", ("agent", "daemon"))),
}
