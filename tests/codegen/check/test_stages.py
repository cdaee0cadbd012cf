"""What leaves the stable protocol without being removed: parts put under an RFD in progress, and RFDs that go back."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from codegen.findings.finding import Finding

from .demo import HANDSHAKE, Node, carried, compared, message, opening

MARK = {"x-rfd": "blue"}
DRAFT = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}
OBJECT = {"type": "object"}


def protocol() -> Node:
    return {
        **opening({"paint": OBJECT}),
        **message(
            "PaintRequest",
            "agent",
            "wall/paint",
            {"room": {"type": "string"}, "tone": {"type": "string"}, "color": {"$ref": "#/$defs/Color"}},
            required=["room"],
        ),
        **message("PaintResponse", "agent", "wall/paint", {"tool": {"$ref": "#/$defs/Tool"}}),
        "Color": {"oneOf": [{"const": "red"}, {"const": "green"}]},
        "Tool": {
            "oneOf": [
                {"type": "object", "properties": {"kind": {"const": kind}}, "required": ["kind"]}
                for kind in ("brush", "roller")
            ]
        },
    }


def marked(*paths: str) -> list[Finding]:
    """The findings when the parts at some paths are put under a draft."""
    after = copy.deepcopy(protocol())
    for path in paths:
        node: Any = after
        for step in path.split("/"):
            node = node[int(step)] if isinstance(node, list) else node[step]
        node.update(MARK)
    return compared(protocol(), after, **DRAFT, **{"x-handshake": HANDSHAKE})


PARTS = {
    "a required property": (("PaintRequest/properties/room",), "error"),
    "an optional property: nothing fails, what it says is lost": (("PaintRequest/properties/tone",), "warning"),
    "a value": (("Color/oneOf/0",), "error"),
    "a variant": (("Tool/oneOf/1",), "error"),
    "a type": (("Color",), "error"),
    "a capability": (("AgentCapabilities/properties/paint",), "error"),
    "a method, told once though both its ends are marked": (("PaintRequest", "PaintResponse"), "error"),
    "a type and its only use, told of the use": (("Color", "PaintRequest/properties/color"), "warning"),
}


@pytest.mark.parametrize(("paths", "level"), PARTS.values(), ids=PARTS)
def test_a_stable_part_that_is_put_under_a_draft_is_lost_to_who_uses_the_stable_protocol(
    paths: tuple[str, ...], level: str
) -> None:
    (finding,) = marked(*paths)
    assert (finding.id, finding.level.name) == ("stable-became-unstable", level)
    assert finding.pointer == f"/$defs/{paths[-1] if level == 'warning' else paths[0]}/x-rfd"


def test_a_value_under_a_draft_breaks_those_alone_who_still_send_it() -> None:
    (finding,) = marked("Color/oneOf/0")
    assert finding.breaks == ("new agents reading from released clients",)


def staged(before: str, after: str, change: Callable[[Node], None] = lambda _: None) -> list[Finding]:
    """The findings when the RFD of a method moves from one stage to another."""
    old = protocol()
    old["PaintRequest"].update(MARK)
    old["PaintResponse"].update(MARK)
    new = copy.deepcopy(old)
    change(new)
    roots = [{"x-rfds": {"blue": {"title": "Blue", "stage": stage}}} for stage in (before, after)]
    return compared(old, new, roots=roots, borrowing=True)


def test_a_completed_rfd_that_goes_back_is_one_finding_that_names_what_is_lost() -> None:
    (finding,) = staged("completed", "draft")
    assert (finding.id, finding.level.name, finding.pointer) == ("rfd-stage-reversed", "error", "/x-rfds/blue/stage")
    assert "wall/paint left the stable protocol" in finding.message


def test_from_preview_to_draft_nothing_stable_is_lost() -> None:
    (finding,) = staged("preview", "draft")
    assert (finding.id, finding.level.name) == ("rfd-stage-reversed", "info")


@pytest.mark.parametrize(("before", "after"), [("draft", "preview"), ("draft", "active"), ("active", "preview")])
def test_from_one_stage_before_completion_to_the_next_nothing_stable_changes(before: str, after: str) -> None:
    assert staged(before, after) == []


@pytest.mark.parametrize(
    ("count", "told"),
    [(1, "A"), (2, "A and B"), (4, "A, B, C and D"), (5, "A, B, C, D and 1 more"), (6, "A, B, C, D and 2 more")],
)
def test_of_the_parts_that_leave_the_stable_protocol_four_are_named(count: int, told: str) -> None:
    definitions = {
        **carried("agent request", {"type": "string"}),
        **{name: {"type": "string", **MARK} for name in "ABCDEF"[:count]},
    }
    roots = [{"x-rfds": {"blue": {"title": "Blue", "stage": stage}}} for stage in ("completed", "draft")]
    found = compared(definitions, definitions, roots=roots, borrowing=True)
    (finding,) = (f for f in found if f.id == "rfd-stage-reversed")
    listed = finding.message.partition("again: ")[2].removesuffix(" left the stable protocol")
    assert listed == told


def test_an_active_rfd_that_becomes_a_draft_again_is_told_as_info() -> None:
    (finding,) = staged("active", "draft")
    assert (finding.id, finding.level.name) == ("rfd-stage-reversed", "info")


def unmarked(node: Any) -> Any:
    """A copy without `x-rfd`."""
    if isinstance(node, list):
        return [unmarked(child) for child in node]
    return {k: unmarked(v) for k, v in node.items() if k != "x-rfd"} if isinstance(node, dict) else node


def promoted(brought: Callable[[Node], None], how: str, *, unstable: bool = False) -> list[tuple[str, str, str]]:
    """Rule, level and pointer of what is found when something that an RFD brought becomes stable."""
    old = protocol()
    brought(old)
    new = unmarked(old) if how == "unmarked" else old
    stages = ("preview", "preview" if how == "unmarked" else "completed")
    roots = [{"x-rfds": {"blue": {"title": "Blue", "stage": stage}}} for stage in stages]
    found = compared(old, new, roots=roots, borrowing=True, unstable=unstable, **ROOT)
    return [(f.id, f.level.name, f.pointer.removeprefix("/$defs/")) for f in found]


def required_property(definitions: Node) -> None:
    definitions["PaintRequest"]["properties"]["coats"] = {"type": "integer", **MARK}
    definitions["PaintRequest"]["required"].append("coats")


def value(definitions: Node) -> None:
    definitions["Color"]["oneOf"].insert(0, {"const": "blue", **MARK})


def ungated(definitions: Node) -> None:
    for end in ("Request", "Response"):
        definitions |= message(f"Wash{end}", "agent", "wall/wash", **MARK)


def gated(definitions: Node) -> None:
    ungated(definitions)
    definitions["WashRequest"]["x-capability"] = "wash"
    definitions["AgentCapabilities"]["properties"]["wash"] = {**OBJECT, **MARK}


COMPLETED = {
    "a required property": (
        required_property,
        [("required-property-added", "error", "PaintRequest/properties/coats")],
    ),
    "a value of a closed enumeration": (value, [("enum-value-added", "error", "Color/oneOf/0")]),
    "a request that nothing gates": (ungated, [("request-added-ungated", "error", "WashRequest")]),
    "a request with a capability of its own": (
        gated,
        [
            ("optional-property-added", "info", "AgentCapabilities/properties/wash"),
            ("request-added", "info", "WashRequest"),
        ],
    ),
}


@pytest.mark.parametrize("unstable", [False, True], ids=["", "unstable"])
@pytest.mark.parametrize("how", ["completed", "unmarked"])
@pytest.mark.parametrize(("brought", "expected"), COMPLETED.values(), ids=COMPLETED)
def test_what_becomes_stable_is_new_to_the_stable_protocol(
    brought: Callable[[Node], None], expected: list[tuple[str, str, str]], how: str, *, unstable: bool
) -> None:
    assert sorted(promoted(brought, how, unstable=unstable)) == sorted(expected)


def test_what_is_new_beside_what_became_stable_still_needs_an_rfd() -> None:
    old = protocol()
    required_property(old)
    new = unmarked(old)
    new["PaintRequest"]["properties"]["shade"] = {"type": "string"}
    roots = [{"x-rfds": {"blue": {"title": "Blue", "stage": stage}}} for stage in ("preview", "completed")]
    found = compared(old, new, roots=roots, borrowing=True, **ROOT)
    unmarked_parts = [f.pointer for f in found if f.id == "stable-without-rfd"]
    assert unmarked_parts == ["/$defs/PaintRequest/properties/shade"]


def test_a_type_that_another_draft_uses_stays_when_its_rfd_is_completed() -> None:
    old = protocol()
    old["Wash"] = {"type": "object", "properties": {"soap": {"type": "string"}}, **MARK}
    old["PaintRequest"]["properties"] |= {
        "wash": {"$ref": "#/$defs/Wash", **MARK},
        "rinse": {"$ref": "#/$defs/Wash", "x-rfd": "green"},
    }
    table = {"blue": {"title": "Blue", "stage": "draft"}, "green": {"title": "Green", "stage": "draft"}}
    roots = [{"x-rfds": {**table, "blue": {"title": "Blue", "stage": stage}}} for stage in ("draft", "completed")]
    (finding,) = compared(old, old, roots=roots, borrowing=True)
    assert (finding.id, finding.pointer) == ("optional-property-added", "/$defs/PaintRequest/properties/wash")


ROOT = {"x-handshake": HANDSHAKE, "x-ordering": {"property": "room"}}


def rooted(**changed: Any) -> list[Finding]:
    return compared(protocol(), protocol(), roots=[ROOT, {**ROOT, **changed}])


def test_another_number_of_the_version_is_an_error_at_the_number() -> None:
    (finding,) = rooted(**{"x-handshake": {**HANDSHAKE, "versionNumber": 2}})
    assert (finding.id, finding.level.name) == ("handshake-changed", "error")
    assert finding.pointer == "/x-handshake/versionNumber"


def test_a_handshake_that_is_taken_away_is_an_error() -> None:
    changed = {key: value for key, value in ROOT.items() if key != "x-handshake"}
    (finding,) = compared(protocol(), protocol(), roots=[ROOT, changed])
    assert (finding.id, finding.level.name, finding.message) == (
        "handshake-changed",
        "error",
        "`x-handshake` was removed",
    )


def test_a_renamed_property_that_the_handshake_names_is_told_of_the_property_alone() -> None:
    new = protocol()
    new["OpenRequest"]["properties"]["clientAbilities"] = new["OpenRequest"]["properties"].pop("clientCapabilities")
    named = {**HANDSHAKE, "capabilities": {"agent": "agentCapabilities", "client": "clientAbilities"}}
    found = compared(protocol(), new, roots=[ROOT, {**ROOT, "x-handshake": named}])
    assert [finding.id for finding in found] == ["property-renamed"]


def test_a_published_file_has_no_keywords_of_ours_to_lose() -> None:
    assert [f.id for f in compared(bare(protocol()), bare(protocol()), roots=[ROOT, {}])] == []


def bare(definitions: Node) -> Node:
    """Definitions without our keywords."""
    return {name: {k: v for k, v in node.items() if k != "x-capability"} for name, node in definitions.items()}


def test_a_published_file_takes_stages_from_the_file_it_is_compared_with() -> None:
    old, new = protocol(), protocol()
    for side in (old, new):
        side["PaintRequest"].pop("x-capability")
    new["PaintRequest"]["properties"]["tone"] = {"type": "integer", **MARK}
    (finding,) = compared(bare(old), new, roots=[{}, DRAFT], borrowing=True)
    assert (finding.id, finding.level.name) == ("property-type-changed", "info")


def test_two_published_files_are_judged_as_they_stand() -> None:
    old, new = bare(protocol()), bare(protocol())
    for side, kind in ((old, "string"), (new, "integer")):
        side["PaintRequest"]["properties"]["tone"] = {"type": kind, "description": "**UNSTABLE**"}
    (finding,) = compared(old, new, borrowing=True)
    assert (finding.id, finding.level.name) == ("property-type-changed", "error")
