"""What a change costs: what is lost, who notices, and how both decide the level."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from codegen.check.inputs import judged, tolerated
from codegen.document.read import parse
from codegen.findings.finding import Finding, Loss

from .demo import HANDSHAKE, Node, carried, compared, message, opening

COLOR = {"$ref": "#/$defs/Color"}
TWO, THREE = {"enum": ["red", "green"]}, {"enum": ["red", "green", "blue"]}
ORDERED: Node = {"x-ordering": {"property": "color"}}
SESSIONS = {**ORDERED, "x-sessions": {"open": ["wall/paint"], "close": []}}
TURNS = {**ORDERED, "x-sessions": {"open": [], "close": [], "exclusive": ["wall/paint"]}}


def widened(where: str, property_: Node, **root: object) -> Finding:
    base = carried(where, property_)
    (finding,) = compared({**base, "Color": TWO}, {**base, "Color": THREE}, **root)
    return finding


COSTS: dict[str, tuple[Finding, str, str]] = {
    "a notification": (widened("client notification", COLOR), "error", "the message; nobody notices"),
    "a request": (widened("agent request", COLOR), "error", "the call; the caller gets an error"),
    "a response": (widened("agent response", COLOR), "error", "the call; the caller gets an error"),
    "a request that is a turn": (
        widened("agent request", COLOR, **TURNS),
        "error",
        "the turn; the caller gets an error",
    ),
    "a request that opens a session": (
        widened("agent request", COLOR, **SESSIONS),
        "error",
        "the session; the caller gets an error",
    ),
    "a lenient property": (
        widened("client notification", {**COLOR, "x-deserialize-default-on-error": True}),
        "warning",
        "the field; nobody notices",
    ),
}


@pytest.mark.parametrize(("finding", "level", "lost"), COSTS.values(), ids=COSTS)
def test_what_a_released_receiver_rejects_is_an_error_whoever_notices(finding: Finding, level: str, lost: str) -> None:
    assert (finding.level.name, finding.lost) == (level, lost)


def test_the_opening_request_costs_the_session() -> None:
    number, text = ({"locale": {"type": name}} for name in ("integer", "string"))
    found = compared(opening(None, None, **number), opening(None, None, **text), **{"x-handshake": HANDSHAKE})
    assert [finding.lost for finding in found] == ["the session; the caller gets an error"]


def test_losses_are_ordered() -> None:
    assert [loss.name for loss in sorted(Loss)] == ["NOTHING", "FIELD", "MESSAGE", "TURN", "SESSION"]


def _variant(tag: str) -> Node:
    return {"type": "object", "properties": {"kind": {"const": tag}}, "required": ["kind"]}


def test_a_variant_of_an_open_union_and_a_notification_are_lost_alike() -> None:
    known = [_variant("a"), _variant("b")]
    rest = {"type": "object", "properties": {"kind": {"type": "string"}}, "not": {"anyOf": known}, "required": ["kind"]}
    fewer = {**rest, "not": {"anyOf": known[:1]}}
    union = carried("client notification", {"anyOf": [*known, rest]})
    (variant,) = compared(union, carried("client notification", {"anyOf": [known[0], fewer]}))
    both = {**union, **message("WipeNotification", "client", "wall/wipe")}
    (method,) = compared(both, union)
    assert (variant.id, method.id) == ("union-variant-removed", "method-removed")
    assert {(each.level.name, each.lost) for each in (variant, method)} == {("error", "the message; nobody notices")}


SCHEMA: Node = json.loads((Path(__file__).parents[3] / "schema.json").read_text())


def _title(definitions: Node) -> None:
    definitions["ToolCall"]["required"].remove("title")


def _id(definitions: Node) -> None:
    definitions["ToolCallId"]["type"] = ["string", "integer"]


def _content(definitions: Node) -> None:
    content = definitions["ContentChunk"]["properties"]["content"]
    definitions["ContentChunk"]["properties"]["content"] = {"anyOf": [content, {"type": "string"}]}


@pytest.mark.parametrize("edit", [_title, _id, _content])
def test_what_only_updates_carry_cannot_be_widened(edit: Callable[[Node], None]) -> None:
    new = copy.deepcopy(SCHEMA)
    edit(new["$defs"])
    sides = [tolerated(parse(json.dumps(each).encode(), "schema.json")) for each in (SCHEMA, new)]
    assert {finding.level.name for finding in judged(*sides) if finding.category.value == "wire"} == {"error"}


def test_an_error_of_a_rule_that_usually_breaks_nobody_has_a_way_out() -> None:
    closed: Node = {"additionalProperties": False}
    old = {
        **message("PaintRequest", "agent", "wall/paint", {}, **closed),
        **message("PaintResponse", "agent", "wall/paint"),
    }
    new = {**old, **message("PaintRequest", "agent", "wall/paint", {"size": {"type": "string"}}, **closed)}
    (finding,) = (each for each in compared(old, new) if each.id == "optional-property-added")
    assert finding.level.name == "error"
    assert finding.instead.startswith("require a new capability, named in `x-capability`")
