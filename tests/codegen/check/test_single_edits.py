"""Every edit between v1.21.0 and the current release by itself, forwards and back: does it break the wire, yes or no?

The answers were written down by hand from the two files before `diff` was asked. Yes: what a released peer calls, sends or
looks for is gone. No: additions, leniency, a lost field. An update that only a notification carries is an addition together with
the capability that gates it; without that capability, released receivers reject it, so these edits are judged together.
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
RELEASES = ("v1.21.0", "current")
CASES = {
    "stable": ("schema.json", RELEASES, set[str]()),
    "stable, backwards": ("schema.json", RELEASES[::-1], STABLE_BACK),
    "unstable": ("schema.unstable.json", RELEASES, UNSTABLE),
    "unstable, backwards": ("schema.unstable.json", RELEASES[::-1], UNSTABLE_BACK),
}


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


@pytest.mark.parametrize(("name", "releases", "expected"), CASES.values(), ids=CASES)
def test_edits_that_break_nobody_are_no_error(name: str, releases: tuple[str, str], expected: set[str]) -> None:
    old, new, found = taken_apart(name, releases)
    assert expected <= found.keys()
    harmless = [change for edit, change in found.items() if edit not in expected]
    assert errors(old, applied(old, new, harmless)) == []


@pytest.mark.parametrize(
    ("name", "releases", "expected"), exhaustive(CASES.values(), stay=[CASES["stable, backwards"]]), ids=CASES
)
def test_an_edit_that_breaks_the_wire_is_an_error_by_itself(
    name: str, releases: tuple[str, str], expected: set[str]
) -> None:
    old, new, found = taken_apart(name, releases)
    assert [edit for edit in sorted(expected) if not errors(old, applied(old, new, [found[edit]]))] == []
