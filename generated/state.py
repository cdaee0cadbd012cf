# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The state of a session of Agent Client Protocol, kept from its updates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from msgspec import UnsetType

from ._runtime.state import Joining, Reading, Rule, State, Streamed
from .models import (
    AgentMessageChunk,
    AgentThoughtChunk,
    AvailableCommand,
    AvailableCommandsUpdate,
    CompactionId,
    CompactionSummaryChunk,
    CompactionUpdate,
    ConfigOptionUpdate,
    ContentBlock,
    CurrentModeUpdate,
    ForkSessionResponse,
    LoadSessionResponse,
    MessageId,
    NewSessionResponse,
    Plan,
    PlanEntry,
    PlanRemoved,
    PlanUpdate,
    PromptRequest,
    ResumeSessionResponse,
    SessionConfigOption,
    SessionId,
    SessionInfoUpdate,
    SessionMessage,
    SessionMessageChunk,
    SessionMode,
    SessionModeId,
    SessionUpdateToolCallUpdate,
    SetSessionConfigOptionResponse,
    SetSessionModeRequest,
    SubagentUpdate,
    TextContent,
    ToolCall,
    ToolCallId,
    UsageUpdate,
    UserMessageChunk,
)


class SessionState(State):
    """The state of one session: `apply` takes each update in order, and the params and result of each call that went well.

    The same updates give the same state, live or when a session is loaded. `timeline` has all entries in the order in
    which they began. `replay` gives the shortest list of updates that rebuilds the state.
    """

    messages: list[Streamed[ContentBlock]]
    """In order of appearance. Next piece of a message from the user. Next piece of the agent's reply. Next piece
    of the agent's reasoning.
    """

    tool_calls: dict[ToolCallId, ToolCall]
    """By `toolCallId`. A tool call has begun. A known tool call has progressed or delivered results."""

    plans: dict[str, PlanUpdate]
    """By `plan.planId`. New content for the plan with the given id."""

    usage: UsageUpdate | UnsetType
    """New figures for how full the context window is and what the session has cost."""

    compactions: dict[CompactionId, Streamed[ContentBlock]]
    """By `compactionId`. A compaction of the context has begun or has changed. Next content block of the summary a
    compaction keeps.
    """

    subagents: dict[SessionId, SubagentUpdate]
    """By `sessionId`. This session has started a child session that it owns, or the data about that ownership is
    different now.
    """

    session_messages: dict[MessageId, Streamed[ContentBlock]]
    """By `messageId`. A message exchanged with another session, in either direction, was added to this transcript
    or is different now. Next content block of a message exchanged with another session.
    """

    mode: SessionModeId | UnsetType
    """Id of the mode in force."""

    modes: list[SessionMode] | UnsetType
    """All modes the session can be switched to."""

    options: list[SessionConfigOption] | None | UnsetType
    """Settings the session offers, with their starting values; sent by agents that have such settings."""

    plan: list[PlanEntry] | UnsetType
    """All entries of the plan with their present status."""

    commands: list[AvailableCommand] | UnsetType
    """Every command that can be invoked from now on."""

    title: str | None | UnsetType
    """Session title to show to the user; null clears it."""

    updated_at: str | None | UnsetType
    """When the session was last active, in ISO 8601; null clears it."""

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
            part="messages", does="append", kind="user_message_chunk", key=("message_id",), item="content"
        ),
        AgentMessageChunk: Rule(
            part="messages", does="append", kind="agent_message_chunk", key=("message_id",), item="content"
        ),
        AgentThoughtChunk: Rule(
            part="messages", does="append", kind="agent_thought_chunk", key=("message_id",), item="content"
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
        SessionUpdateToolCallUpdate: Rule(
            part="tool_calls",
            does="patch",
            kind="tool_call",
            key=("tool_call_id",),
            fields=("kind", "status", "title", "name", "content", "locations", "raw_input", "raw_output", "meta"),
            merged=frozenset(["meta"]),
            needed=frozenset(["title", "tool_call_id"]),
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
            part="compactions", does="append", kind="compaction_update", key=("compaction_id",), item="content"
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
            part="session_messages", does="append", kind="session_message", key=("message_id",), item="content"
        ),
    }
    _readings: ClassVar[Mapping[type, tuple[Reading, ...]]] = {
        NewSessionResponse: (
            Reading(("modes", "current_mode_id"), "mode"),
            Reading(("modes", "available_modes"), "modes"),
            Reading(("config_options",), "options"),
        ),
        LoadSessionResponse: (
            Reading(("modes", "current_mode_id"), "mode"),
            Reading(("modes", "available_modes"), "modes"),
            Reading(("config_options",), "options"),
        ),
        ResumeSessionResponse: (
            Reading(("modes", "current_mode_id"), "mode"),
            Reading(("modes", "available_modes"), "modes"),
            Reading(("config_options",), "options"),
        ),
        ForkSessionResponse: (
            Reading(("modes", "current_mode_id"), "mode"),
            Reading(("modes", "available_modes"), "modes"),
            Reading(("config_options",), "options"),
        ),
        SetSessionModeRequest: (Reading(("mode_id",), "mode"),),
        SetSessionConfigOptionResponse: (Reading(("config_options",), "options"),),
        PromptRequest: (Reading(("prompt",), "messages", "user_message_chunk"),),
        Plan: (Reading(("entries",), "plan"),),
        AvailableCommandsUpdate: (Reading(("available_commands",), "commands"),),
        CurrentModeUpdate: (Reading(("current_mode_id",), "mode"),),
        ConfigOptionUpdate: (Reading(("config_options",), "options"),),
        SessionInfoUpdate: (
            Reading(("title",), "title"),
            Reading(("updated_at",), "updated_at"),
        ),
    }
    _updates: ClassVar[Mapping[type, frozenset[str]]] = {
        Plan: frozenset(["entries"]),
        AvailableCommandsUpdate: frozenset(["available_commands"]),
        CurrentModeUpdate: frozenset(["current_mode_id"]),
        ConfigOptionUpdate: frozenset(["config_options"]),
        SessionInfoUpdate: frozenset([]),
    }
    _joining: ClassVar[Mapping[type, Joining]] = {
        TextContent: Joining(text="text", absent=("annotations", "meta")),
    }
