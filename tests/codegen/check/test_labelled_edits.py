"""Labelled edits from the protocol's history: does each edit by itself break the wire, yes or no?

The answers were written down by hand from two published files before `diff` was asked. Yes: a released peer rejects a
message, or what it calls, sends or looks for is gone. No: additions, leniency, a lost field. A gated addition is judged
together with the capability that gates it, because released receivers reject it without that capability.
"""

from __future__ import annotations

import json
from functools import cache, lru_cache

import pytest

from codegen.check.inputs import judged, tolerated
from codegen.check.parts.side import Side
from codegen.document.read import parse
from codegen.findings.finding import Category, Level
from tests.support.sampling import exhaustive
from tests.upstream import HERE as UPSTREAM

from .edits import Edit, Node, applied, bare, edits

pytestmark = pytest.mark.slow

# One method of both sides became two of one side each: that cannot be taken apart.
WHOLE = ("mcp/message", "MessageMcp")

STABLE_BACK = {
    "ClientSessionCapabilities.compaction",
    "ClientSessionCapabilities.notices",
    "SessionUpdate: compaction_summary_chunk",
    "SessionUpdate: compaction_update",
    "SessionUpdate: notice",
}
UNSTABLE = {
    "- agent document/didChange",
    "- agent document/didClose",
    "- agent document/didFocus",
    "- agent document/didOpen",
    "- agent document/didSave",
    "- agent nes/accept",
    "- agent nes/close",
    "- agent nes/reject",
    "- agent nes/start",
    "- agent nes/suggest",
    "- client mcp/connect",
    "- client mcp/disconnect",
    "AgentCapabilities.nes",
    "AgentCapabilities.positionEncoding",
    "ClientCapabilities.nes",
    "ClientCapabilities.positionEncodings",
}
UNSTABLE_BACK = {
    "- agent auth/status",
    "- agent session/archive",
    "- agent session/set_title",
    "- agent session/status",
    "- agent session/unarchive",
    "- client auth/status_update",
    "- proxy proxy/initialize",
    "- proxy proxy/successor",
    "AgentAuthCapabilities.status",
    "ClientCapabilities.subagents",
    "ClientSessionCapabilities.notices",
    "SessionCapabilities.archive",
    "SessionCapabilities.status",
    "SessionCapabilities.systemPrompt",
    "SessionCapabilities.title",
    "SessionUpdate: notice",
    "SessionUpdate: session_message",
    "SessionUpdate: session_message_chunk",
    "SessionUpdate: subagent_update",
}
VERSION_2_BREAKS = {
    "- agent authenticate",
    "- client fs/read_text_file",
    "AgentCapabilities.promptCapabilities",
    "AgentCapabilities.sessionCapabilities",
    "AuthMethod: agent",
    "ElicitationSchema.properties",
    "InitializeRequest.info",
    "InitializeResponse.info",
    "McpServerStdio.args",
    "McpServerStdio.env",
    "NewSessionRequest.mcpServers",
    "PromptCapabilities.audio",
    "RequestPermissionRequest.options",
    "SetSessionConfigOptionRequest: other",
}
VERSION_2_PASSES = {
    "Annotations.priority",
    "AuthMethod: other",
    "AuthMethodAgent.methodId",
    "Diff.newText",
    "Diff.path",
    "ListSessionsRequest.cursor",
    "NewSessionRequest.additionalDirectories",
    "NewSessionRequest.cwd",
    "RequestPermissionRequest.description",
    "ResourceLink.mimeType",
    "ResourceLink.size",
    "ResumeSessionResponse.configOptions",
    "SessionConfigSelectGroup.options",
    "SessionInfo.additionalDirectories",
    "SessionInfo.updatedAt",
    "SessionInfoUpdate.updatedAt",
    "StringPropertySchema.pattern",
    "TextResourceContents.mimeType",
    "ToolCallLocation.line",
    "ToolCallUpdate.capabilities",
}
GATES = {
    "+ agent auth/status": "AgentAuthCapabilities.status",
    "+ agent session/archive": "SessionCapabilities.archive",
    "+ agent session/set_title": "SessionCapabilities.title",
    "+ agent session/status": "SessionCapabilities.status",
    "+ agent session/unarchive": "SessionCapabilities.archive",
    "+ client auth/status_update": "AgentAuthCapabilities.status",
    "SessionUpdate: compaction_summary_chunk": "ClientSessionCapabilities.compaction",
    "SessionUpdate: compaction_update": "ClientSessionCapabilities.compaction",
    "SessionUpdate: notice": "ClientSessionCapabilities.notices",
    "SessionUpdate: session_message": "ClientCapabilities.subagents",
    "SessionUpdate: session_message_chunk": "ClientCapabilities.subagents",
    "SessionUpdate: subagent_update": "ClientCapabilities.subagents",
}
"""The capability that comes with an addition."""
RELEASES = ("v1.21.0", "current")
CASES = {
    "stable": ("schema.json", RELEASES, set[str](), None),
    "stable, backwards": ("schema.json", RELEASES[::-1], STABLE_BACK, None),
    "unstable": ("schema.unstable.json", RELEASES, UNSTABLE, None),
    "unstable, backwards": ("schema.unstable.json", RELEASES[::-1], UNSTABLE_BACK, None),
    "version 2": ("schema.json", ("current", "current-v2"), VERSION_2_BREAKS, VERSION_2_PASSES),
}
"""The file, both releases, the edits that break, and those that pass; None for all others."""


@cache
def published(release: str, name: str) -> Node:
    found: Node = json.loads((UPSTREAM / release / name).read_text())
    return found


def errors(old: Node, new: Node) -> list[str]:
    """What says that released peers do not understand new ones, or the reverse."""
    sides = [side(json.dumps(each).encode()) for each in (old, new)]
    return [f.message for f in judged(*sides) if f.level is Level.error and f.category is Category.WIRE]


@lru_cache(maxsize=2)
def side(text: bytes) -> Side:
    """A schema, loaded; the old one is the same for every edit."""
    return tolerated(parse(text, "schema.json"))


def taken_apart(name: str, releases: tuple[str, str]) -> tuple[Node, Node, dict[str, Edit]]:
    old, new = (bare(published(release, name)) for release in releases)
    found = edits(old, new)
    return old, new, {edit: change for edit, change in found.items() if not any(part in edit for part in WHOLE)}


@pytest.mark.parametrize(
    ("name", "releases", "breaks", "passes"),
    exhaustive(CASES.values(), stay=[CASES["stable, backwards"], CASES["version 2"]]),
    ids=CASES,
)
def test_each_edit_has_the_verdict_of_its_label(
    name: str, releases: tuple[str, str], breaks: set[str], passes: set[str] | None
) -> None:
    old, new, found = taken_apart(name, releases)
    labels = dict.fromkeys(found if passes is None else passes, "passes") | dict.fromkeys(breaks, "breaks")
    verdicts = {}
    for edit, label in labels.items():
        gate = [found[GATES[edit]]] if label == "passes" and edit in GATES else []
        verdicts[edit] = "breaks" if errors(old, applied(old, new, [found[edit], *gate])) else "passes"
    assert verdicts == labels
