"""The level of a change follows from who sends it to whom, and from what the receiver does with what it does not know."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.check.engine import diff
from codegen.check.lint.lint import lint
from codegen.check.parts.side import Side
from codegen.check.rules import RULES
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.findings.cascades import explained
from codegen.findings.finding import Finding, Level
from codegen.findings.report import render
from codegen.findings.verdict import Gap, Outcome, Verdict
from codegen.load.schema import load

from .demo import HANDSHAKE, Node, carried, compared, document, message, opening

COLOR = {"$ref": "#/$defs/Color"}
LENIENT = {**COLOR, "x-deserialize-default-on-error": True}
SKIPPING = {"type": "array", "items": COLOR, "x-deserialize-skip-invalid-items": True}
TWO, THREE = {"enum": ["red", "green"]}, {"enum": ["red", "green", "blue"]}
OPEN_TWO = {"anyOf": [{"const": "red"}, {"const": "green"}, {"type": "string"}]}
OPEN_THREE = {"anyOf": [{"const": "red"}, {"const": "green"}, {"const": "blue"}, {"type": "string"}]}

STRING: Node = {"type": "string"}


def level(where: str, property_: Node, before: Node, after: Node, rule: str, **root: Any) -> str:
    """The level of the one finding of a rule when `Color` changes under a property of a message."""
    base = carried(where, property_)
    found = compared({**base, "Color": before}, {**base, "Color": after}, **root)
    (finding,) = (f for f in found if f.id == rule)
    return finding.level.name


WIDENING = {
    "a request's params: the old receiver rejects them": ("agent request", COLOR, TWO, THREE, "error"),
    "a result: the same the other way": ("agent response", COLOR, TWO, THREE, "error"),
    "notifications: the old receiver rejects them, and nobody notices": (
        "client notification",
        COLOR,
        TWO,
        THREE,
        "error",
    ),
    "a lenient property: the default is in": ("agent request", LENIENT, TWO, THREE, "warning"),
    "an array that drops bad items": ("agent request", SKIPPING, TWO, THREE, "warning"),
    "an open enumeration: unknown values are expected": ("agent request", COLOR, OPEN_TWO, OPEN_THREE, "info"),
}


@pytest.mark.parametrize(("where", "property_", "before", "after", "expected"), WIDENING.values(), ids=WIDENING)
def test_a_new_value_is_as_bad_as_its_old_receivers_take_it(
    where: str, property_: Node, before: Node, after: Node, expected: str
) -> None:
    assert level(where, property_, before, after, "enum-value-added") == expected


NARROWING = {
    "a request's params: the new receiver rejects them": ("agent request", COLOR, THREE, TWO, "error"),
    "notifications: what was said is still lost": ("client notification", COLOR, THREE, TWO, "error"),
    "a lenient property": ("agent request", LENIENT, THREE, TWO, "warning"),
    "an open enumeration: still read, without its meaning": ("agent request", COLOR, OPEN_THREE, OPEN_TWO, "warning"),
}


@pytest.mark.parametrize(("where", "property_", "before", "after", "expected"), NARROWING.values(), ids=NARROWING)
def test_a_lost_value_is_as_bad_as_its_new_receivers_take_it(
    where: str, property_: Node, before: Node, after: Node, expected: str
) -> None:
    assert level(where, property_, before, after, "enum-value-removed") == expected


DIRECTIONS = {
    "agent request": (("client-to-agent",), ("released agents reading from new clients",)),
    "agent response": (("agent-to-client",), ("released clients reading from new agents",)),
    "client request": (("agent-to-client",), ("released clients reading from new agents",)),
    "client response": (("client-to-agent",), ("released agents reading from new clients",)),
    "protocol request": (
        ("client-to-agent", "agent-to-client"),
        ("released agents reading from new clients", "released clients reading from new agents"),
    ),
}


@pytest.mark.parametrize(("where", "expected"), DIRECTIONS.items(), ids=DIRECTIONS)
def test_a_finding_names_the_peers_that_break(where: str, expected: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    base = carried(where, COLOR)
    (finding,) = compared({**base, "Color": TWO}, {**base, "Color": THREE})
    assert (finding.directions, finding.breaks) == expected


def gated(before: Node, after: Node, gate: str) -> str:
    """The level of a new value that a capability of the agent gates, with capabilities before and after."""
    base = carried("agent request", COLOR)
    new = {"oneOf": [{"const": "red"}, {"const": "green"}, {"const": "blue", "x-capability": gate}]}
    old = {**opening(before), **base, "Color": TWO}
    found = compared(old, {**opening(after), **base, "Color": new}, **{"x-handshake": HANDSHAKE})
    (finding,) = (f for f in found if f.id == "enum-value-added")
    return finding.level.name


def test_a_new_capability_of_the_receiver_protects_released_receivers() -> None:
    assert gated({}, {"blue": {"type": "object"}}, "blue") == "info"


def test_a_capability_that_released_receivers_advertise_protects_nobody() -> None:
    assert gated({"paint": {"type": "object"}}, {"paint": {"type": "object"}}, "paint") == "error"


def test_a_capability_of_the_sender_protects_nobody() -> None:
    assert gated({}, {}, "client:blue") == "error"


def test_a_gate_protects_one_direction_only() -> None:
    base = {**carried("agent request", COLOR), **carried("client notification", COLOR)}
    new = {"oneOf": [{"const": "red"}, {"const": "green"}, {"const": "blue", "x-capability": "blue"}]}
    old = {**opening(), **base, "Color": TWO}
    after = {**opening({"blue": {"type": "object"}}), **base, "Color": new}
    found = compared(old, after, **{"x-handshake": HANDSHAKE})
    (finding,) = (f for f in found if f.id == "enum-value-added")
    assert (finding.level.name, finding.breaks) == ("error", ("released clients reading from new agents",))


def in_opening(before: Node, after: Node) -> tuple[str, str]:
    found = compared(opening(None, None, **before), opening(None, None, **after), **{"x-handshake": HANDSHAKE})
    (finding,) = found
    return finding.id, finding.level.name


OPENING = {
    "an optional property lost": ({"locale": {"type": "string"}}, {}, ("handshake-changed", "error")),
    "a default changed": (
        {"depth": {"type": "integer", "default": 1}},
        {"depth": {"type": "integer", "default": 2}},
        ("handshake-changed", "error"),
    ),
    "an optional property added": ({}, {"locale": {"type": "string"}}, ("optional-property-added", "info")),
    "what is an error anyway keeps its rule": (
        {"locale": {"type": "string"}},
        {"locale": {"type": "integer"}},
        ("property-type-changed", "error"),
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), OPENING.values(), ids=OPENING)
def test_the_request_that_opens_a_connection_may_only_grow(
    before: Node, after: Node, expected: tuple[str, str]
) -> None:
    assert in_opening(before, after) == expected


RFDS = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}


def unstable(*, judged: bool) -> str:
    """The level of a lost property that an RFD in progress had brought."""
    base = carried("agent request", {"type": "string", "x-rfd": "blue"})
    bare = carried("agent request", {})
    bare["PaintRequest"]["properties"] = {}
    (finding,) = compared(base, bare, unstable=judged, **RFDS)
    return finding.level.name


def test_what_an_rfd_in_progress_brought_may_go_again() -> None:
    assert unstable(judged=False) == "info"


def test_an_rfd_in_progress_is_judged_like_the_rest_when_asked_for() -> None:
    assert unstable(judged=True) == "warning"


def test_a_stable_type_that_only_an_rfd_in_progress_uses_is_capped_too() -> None:
    base = carried("agent request", {**COLOR, "x-rfd": "blue"})
    (finding,) = compared({**base, "Color": THREE}, {**base, "Color": TWO}, **RFDS)
    assert finding.level.name == "info"


def test_a_type_that_also_something_stable_uses_is_not_capped() -> None:
    base = {**carried("agent request", {**COLOR, "x-rfd": "blue"}), **carried("client notification", COLOR)}
    (finding,) = compared({**base, "Color": THREE}, {**base, "Color": TWO}, **RFDS)
    assert (finding.level.name, finding.directions) == ("error", ("agent-to-client",))


def kinds(*names: str) -> Node:
    """A union of variants that have nothing but their tags."""
    return {
        "oneOf": [{"type": "object", "properties": {"kind": {"const": name}}, "required": ["kind"]} for name in names]
    }


MESSAGES: dict[str, tuple[Node, Node, str]] = {
    "one of two types is gone": (
        {"anyOf": [STRING, {"type": "integer"}]},
        STRING,
        "PaintRequest.color was a string or an integer and is now only a string",
    ),
    "a type joins": (
        STRING,
        {"anyOf": [STRING, {"type": "integer"}]},
        "PaintRequest.color was a string and may now be a string or an integer",
    ),
    "the unlisted values of an open enumeration are bounded": (
        {"anyOf": [{"const": "red"}, STRING]},
        {"anyOf": [{"const": "red"}, {**STRING, "maxLength": 5}]},
        "PaintRequest.color takes less: length at most is now 5 (was not set)",
    ),
    "another spelling of a tag": (
        kinds("dot", "line"),
        kinds("dot", "lines"),
        'the tag of the variant "line" of PaintRequest.color changed to "lines"',
    ),
    "a name that contains the old one": (
        {"type": "object", "properties": {"at": STRING}},
        {"type": "object", "properties": {"createdAt": STRING}},
        'PaintRequest.color.createdAt was renamed from "at"',
    ),
}


@pytest.mark.parametrize(("before", "after", "said"), MESSAGES.values(), ids=MESSAGES)
def test_a_change_is_one_finding_that_says_what_was_and_what_is(before: Node, after: Node, said: str) -> None:
    (finding,) = compared(carried("agent request", before), carried("agent request", after))
    assert (finding.level.name, finding.message) == ("error", said)


def test_a_lost_property_is_reported_at_the_definition_that_declared_it() -> None:
    shared: Node = {"type": "object", "properties": {"size": {"type": "integer"}, "name": {"type": "string"}}}
    less: Node = {**shared, "properties": {"name": {"type": "string"}}}
    base = carried("agent request", {"$ref": "#/$defs/Color"})
    base["Color"] = {"allOf": [{"$ref": "#/$defs/Shared"}], "properties": {"shade": {"type": "string"}}}
    (finding,) = compared({**base, "Shared": shared}, {**base, "Shared": less})
    assert (finding.id, finding.pointer) == ("optional-property-removed", "/$defs/Shared")


def test_a_new_side_has_no_released_peers() -> None:
    base = carried("agent request", COLOR)
    proxy = {
        "RelayRequest": {"type": "object", "x-side": "proxy", "x-method": "relay/do", "x-capability": False},
        "RelayResponse": {"type": "object", "x-side": "proxy", "x-method": "relay/do"},
    }
    (finding,) = compared({**base, "Color": TWO}, {**base, **proxy, "Color": TWO})
    assert (finding.id, finding.level.name) == ("request-added", "info")


@pytest.mark.parametrize(
    ("handed", "needed", "request_added"),
    [
        ("key", "key", ("request-added", "info")),
        ("key", "", ("request-added-ungated", "error")),
        ("", "key", ("request-added-ungated", "error")),
    ],
    ids=["handed out and needed", "handed out", "needed"],
)
def test_a_request_that_needs_a_value_only_new_peers_hand_out_needs_no_gate(
    handed: str, needed: str, request_added: tuple[str, str]
) -> None:
    base = carried("agent response", COLOR)
    key = {"$ref": "#/$defs/Key"}
    new = {
        **base,
        "PaintResponse": {**base["PaintResponse"], "properties": {"color": COLOR, **({"key": key} if handed else {})}},
        "UndoRequest": {
            "type": "object",
            "x-side": "agent",
            "x-method": "wall/undo",
            "x-capability": False,
            "properties": {"key": key},
            "required": [needed] if needed else [],
        },
        "UndoResponse": {"type": "object", "x-side": "agent", "x-method": "wall/undo"},
        "Key": {"type": "string"},
    }
    found = compared({**base, "Color": TWO}, {**new, "Color": TWO})
    added = {("optional-property-added", "info")} if handed else set[tuple[str, str]]()
    assert {(f.id, f.level.name) for f in found} == {*added, request_added}


EDITS = {
    "type, null and leniency": (
        {"type": "string", "x-deserialize-default-on-error": True},
        {"type": ["integer", "null"]},
        ("property-type-changed", "error"),
    ),
    "null and leniency": (
        {"type": "string"},
        {"type": ["string", "null"], "x-deserialize-default-on-error": True},
        ("property-became-nullable", "error"),
    ),
    "default and leniency": (
        {"type": "integer", "default": 1},
        {"type": "integer", "default": 2, "x-deserialize-default-on-error": True},
        ("default-changed", "warning"),
    ),
}


@pytest.mark.parametrize(("before", "after", "expected"), EDITS.values(), ids=EDITS)
def test_one_edit_of_one_property_is_one_finding_with_all_of_it(
    before: Node, after: Node, expected: tuple[str, str]
) -> None:
    (finding,) = compared(carried("agent request", before), carried("agent request", after))
    assert (finding.id, finding.level.name) == expected
    assert "; " in finding.message


def test_a_missing_property_is_no_bad_value_that_its_own_keyword_forgives() -> None:
    lenient: Node = {"type": "string", "x-deserialize-default-on-error": True}
    before, after = carried("agent request", lenient), carried("agent request", lenient)
    after["PaintRequest"]["required"] = ["color"]
    (finding,) = compared(before, after)
    assert (finding.id, finding.level.name) == ("property-became-required", "error")


def test_an_array_of_several_places_drops_bad_items_only_where_all_of_them_say_so() -> None:
    items: Node = {"$ref": "#/$defs/Colors"}
    base = {
        **carried("agent request", {**items, "x-deserialize-skip-invalid-items": True}),
        **message("LookRequest", "agent", "wall/look", {"colors": items}),
        **message("LookResponse", "agent", "wall/look"),
        "Colors": {"type": "array", "items": COLOR},
    }
    (finding,) = compared({**base, "Color": TWO}, {**base, "Color": THREE})
    assert finding.level.name == "error"


def test_a_capability_with_another_name_and_the_gate_that_names_it_are_one_finding() -> None:
    def named(name: str) -> Node:
        held: Node = {"anyOf": [{"$ref": "#/$defs/Held"}, {"type": "null"}]}
        request = message("PaintRequest", "agent", "wall/paint")
        request["PaintRequest"]["x-capability"] = name
        return {
            **opening({name: held, "look": {"type": "object"}}),
            **request,
            **message("PaintResponse", "agent", "wall/paint"),
            "Held": {"type": "object"},
        }

    (finding,) = compared(named("paint"), named("brushwork"), **{"x-handshake": HANDSHAKE})
    assert (finding.id, finding.level.name) == ("property-renamed", "error")


def test_a_gate_that_is_not_stated_any_more_is_a_gate_that_is_gone() -> None:
    old = {**opening({"paint": {"type": "object"}}), **carried("agent request", COLOR), "Color": TWO}
    new = {**old, "PaintRequest": {k: v for k, v in old["PaintRequest"].items() if k != "x-capability"}}
    old["PaintRequest"] = {**old["PaintRequest"], "x-capability": "paint"}
    (finding,) = compared(old, new, **{"x-handshake": HANDSHAKE})
    assert (finding.id, finding.level.name) == ("capability-gate-changed", "error")


def regated(before: Node, after: Node) -> tuple[str, str]:
    """Rule and level where the value blue, or the property that carries it, is gated otherwise."""
    held = {**opening({"blue": {"type": "object"}}), **carried("agent request", before.get("property", COLOR))}
    new = {**held, **carried("agent request", after.get("property", COLOR))}
    colors = [{"oneOf": [{"const": "red"}, {"const": "blue", **side.get("value", {})}]} for side in (before, after)]
    found = compared({**held, "Color": colors[0]}, {**new, "Color": colors[1]}, **{"x-handshake": HANDSHAKE})
    (finding,) = found
    return finding.id, finding.level.name


GATE = {"x-capability": "blue"}
REGATED = {
    "a value loses its gate: receivers that lack it are sent it": ({"value": GATE}, {}, "error"),
    "a value gains a gate: some that know it are not sent it any more": ({}, {"value": GATE}, "warning"),
    "an optional property loses its gate: receivers drop it": ({"property": {**COLOR, **GATE}}, {}, "warning"),
}


@pytest.mark.parametrize(("before", "after", "level"), REGATED.values(), ids=REGATED)
def test_another_gate_of_a_part_is_as_bad_as_what_its_receivers_do_with_it(
    before: Node, after: Node, level: str
) -> None:
    assert regated(before, after) == ("capability-gate-changed", level)


def test_a_new_request_on_the_path_of_a_notification_renames_its_stub() -> None:
    ping = message("PingNotification", "agent", "wall/ping")
    request = {
        **message("PingAgentRequest", "agent", "wall/ping"),
        **message("PingAgentResponse", "agent", "wall/ping"),
    }
    found = compared(ping, {**ping, **request})
    (finding,) = (f for f in found if f.id == "python-name-changed")
    assert finding.message == "wall/ping was `ping` in Python and is `ping_notification` now"


def gated_opening(gate: Node) -> str:
    """The level of a new value in the request that opens the connection, gated by a capability of the agent."""
    new = {"oneOf": [{"const": "red"}, {"const": "green"}, {"const": "blue", **gate}]}
    blue: Node = {"blue": {"type": "object"}}
    old, after = ({**opening(agent, None, color=COLOR), "Color": color} for agent, color in (({}, TWO), (blue, new)))
    found = compared(old, after, **{"x-handshake": HANDSHAKE})
    (finding,) = (f for f in found if f.id in ("enum-value-added", "handshake-changed"))
    return f"{finding.id} {finding.level.name}"


def test_no_gate_helps_in_the_request_that_opens_a_connection_because_nothing_is_advertised_yet() -> None:
    assert gated_opening({"x-capability": "blue"}) == "handshake-changed error"
    assert gated_opening({}) == "enum-value-added error"


def drafted(stage: str, part: str) -> str:
    """The level of a stable value gated by a capability that released peers know as part of an RFD."""
    held: Node = {"blue": {"type": "object", "properties": {"deep": {"type": "object"}}}}
    held["blue" if part == "blue" else "other"] = {**held["blue"], **({"x-rfd": "blue"} if part == "blue" else {})}
    held.pop("other", None)
    if part == "deep":
        held["blue"]["properties"]["deep"]["x-rfd"] = "blue"
    base = {**opening(held), **carried("agent request", COLOR)}
    new = {"oneOf": [{"const": "red"}, {"const": "green"}, {"const": "blue", "x-capability": "blue.deep"}]}
    table = {"x-handshake": HANDSHAKE, "x-rfds": {"blue": {"title": "Blue", "stage": stage}}}
    found = compared({**base, "Color": TWO}, {**base, "Color": new}, **table)
    (finding,) = (f for f in found if f.id == "enum-value-added")
    return finding.level.name


DRAFTED = {
    "a capability in progress is advertised by no released peer": ("draft", "blue", "info"),
    "nor is one below something in progress": ("preview", "deep", "info"),
    "a stable capability is advertised, and its peers do not know the value": ("completed", "blue", "error"),
}


@pytest.mark.parametrize(("stage", "part", "expected"), DRAFTED.values(), ids=DRAFTED)
def test_a_gate_protects_released_peers_as_long_as_they_do_not_advertise_it(
    stage: str, part: str, expected: str
) -> None:
    assert drafted(stage, part) == expected


NULLS = {
    "null becomes nullable, and released receivers already read it as the default": (
        {"type": "string", "default": "", "x-deserialize-default-on-null": True},
        {"type": ["string", "null"], "default": ""},
        "property-became-nullable",
        "info",
    ),
    "null becomes nullable, and only new receivers would have read it as the default": (
        {"type": "string", "default": ""},
        {"type": ["string", "null"], "default": "", "x-deserialize-default-on-null": True},
        "property-became-nullable",
        "error",
    ),
    "null is refused, but new receivers read it as the default": (
        {"type": ["string", "null"], "default": ""},
        {"type": "string", "default": "", "x-deserialize-default-on-null": True},
        "property-became-not-nullable",
        "info",
    ),
    "null is refused, and only released receivers read it as the default": (
        {"type": ["string", "null"], "default": "", "x-deserialize-default-on-null": True},
        {"type": "string", "default": ""},
        "property-became-not-nullable",
        "error",
    ),
    "null becomes nullable, and old receivers read each bad value as absent": (
        {"type": "string", "x-deserialize-default-on-error": True},
        {"type": ["string", "null"], "x-deserialize-default-on-error": True},
        "property-became-nullable",
        "warning",
    ),
    "null is refused, and new receivers read each bad value as absent": (
        {"type": ["string", "null"], "x-deserialize-default-on-error": True},
        {"type": "string", "x-deserialize-default-on-error": True},
        "property-became-not-nullable",
        "warning",
    ),
}


@pytest.mark.parametrize(("before", "after", "rule", "expected"), NULLS.values(), ids=NULLS)
def test_leniency_for_null_is_that_of_the_receiver(before: Node, after: Node, rule: str, expected: str) -> None:
    base, new = carried("agent request", before), carried("agent request", after)
    parsed = [parse(document(definitions), "it.json") for definitions in (base, new)]
    sides = [Side(each, load(each)[0]) for each in parsed]
    (finding,) = (f for f in diff(*sides) if f.id == rule)
    assert finding.level.name == expected


def test_a_gate_inside_the_items_of_an_array_protects_and_a_misspelt_one_is_found() -> None:
    def items(*variants: Node) -> Node:
        return carried("agent request", {"type": "array", "items": {"oneOf": list(variants)}})

    def variant(tag: str, **more: Any) -> Node:
        return {"type": "object", "properties": {"kind": {"const": tag}}, "required": ["kind"], **more}

    old = {**opening(), **items(variant("a"), variant("b"))}
    new = opening({"blue": {"type": "object"}})
    for gate, expected in (("blue", "info"), ("bleu", "error")):
        after = {**new, **items(variant("a"), variant("b"), variant("c", **{"x-capability": gate}))}
        found = compared(old, after, **{"x-handshake": HANDSHAKE})
        assert [f.level.name for f in found if f.id == "union-variant-added"] == [expected]
        read = parse(document(after, **{"x-handshake": HANDSHAKE}), "it.json")
        places = [f.pointer for f in explained(lint(read, load(read)[0])) if f.id == "capability-unknown"]
        pointer = "/$defs/PaintRequest/properties/color/items/oneOf/2/x-capability"
        assert places == ([] if gate == "blue" else [pointer])


DRAFT = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}


def of_an_rfd(**more: Any) -> list[Finding]:
    """What is found where an RFD in progress adds a request."""
    new = {**message("MixRequest", "agent", "wall/mix"), **message("MixResponse", "agent", "wall/mix")}
    for node in new.values():
        node["x-rfd"] = "blue"
    new["MixRequest"].update(more)
    held: Node = {"mix": {"type": "object", "x-rfd": "blue"}}
    return compared(opening(), {**opening(held), **new}, **DRAFT, **{"x-handshake": HANDSHAKE})


def test_a_request_of_an_rfd_that_nothing_gates_is_info_now_and_an_error_once_the_rfd_is_completed() -> None:
    (finding,) = (f for f in of_an_rfd() if f.id == "request-added-ungated")
    assert (finding.level.name, finding.at_completion.name) == ("info", "error")
    assert finding.breaks == ("released agents reading from new clients",)
    text = render([finding], "text", rules=RULES)
    assert "    breaks: released agents reading from new clients\n" in text
    assert "    once the RFD is completed: error\n    instead: add a capability" in text


def test_a_request_of_an_rfd_that_its_capability_gates_stays_info() -> None:
    found = of_an_rfd(**{"x-capability": "mix"})
    assert {(f.level.name, f.at_completion.name) for f in found} == {("info", "info")}


def test_what_an_rfd_in_progress_takes_back_will_be_missed_by_nobody() -> None:
    base = carried("agent request", {"type": "string", "x-rfd": "blue"})
    bare = carried("agent request", {})
    bare["PaintRequest"]["properties"] = {}
    (finding,) = compared(base, bare, **DRAFT)
    assert (finding.level.name, finding.at_completion.name) == ("info", "info")


def test_a_run_can_fail_by_what_findings_will_be_at_completion() -> None:
    outcome = Outcome(findings=of_an_rfd())
    assert outcome.verdict(Level.error) is Verdict.PASS
    assert outcome.verdict(Level.error, Level.error) is Verdict.FAIL
    assert Outcome(gaps=(Gap(what="x", why="y"),)).verdict(Level.error, Level.error) is Verdict.NOT_COMPARED


@pytest.mark.parametrize(("lost", "other"), [("x-side", "x-method"), ("x-method", "x-side")])
def test_half_a_method_is_named_with_the_half_that_it_lacks(lost: str, other: str) -> None:
    definitions = message("PaintNotification", "agent", "wall/paint")
    del definitions["PaintNotification"][lost]
    parsed = parse(document(definitions), "new.json")
    try:
        found = lint(parsed, load(parsed)[0])
    except SchemaError as error:
        found = lint(parsed, error)
    assert f"PaintNotification has {other} but no {lost}" in [f.message for f in found]


# --- open and closed enumerations on either side --------------------------------------------------------------------------


def _open_enum(*values: str) -> Node:
    return {"anyOf": [*({"const": value, "type": "string"} for value in values), {"type": "string"}]}


def _closed_enum(*values: str) -> Node:
    return {"oneOf": [{"const": value, "type": "string"} for value in values]}


@pytest.mark.parametrize(
    ("before", "after", "rule", "level"),
    [
        (_open_enum("red"), _closed_enum("red", "green"), "enum-value-added", "info"),
        (_closed_enum("red"), _open_enum("red", "green"), "enum-value-added", "error"),
        (_closed_enum("red", "green"), _open_enum("red"), "enum-value-removed", "warning"),
        (_open_enum("red", "green"), _closed_enum("red"), "enum-value-removed", "error"),
    ],
    ids=[
        "added to what was open",
        "added to what was closed",
        "removed from what is open",
        "removed from what is closed",
    ],
)
def test_the_receiving_enumeration_decides_whether_a_value_breaks(
    before: Node, after: Node, rule: str, level: str
) -> None:
    """A released receiver reads an added value by the old enumeration, a new one a removed value by the new enumeration."""
    paint = carried("agent response" if rule == "enum-value-added" else "agent request", {"$ref": "#/$defs/Color"})
    found = compared({**paint, "Color": before}, {**paint, "Color": after})
    assert [finding.level.name for finding in found if finding.id == rule] == [level], found


@pytest.mark.parametrize(("required", "ambiguous"), [(["a"], True), (["a", "b"], False)])
def test_variants_are_ambiguous_only_if_they_require_the_same(required: list[str], ambiguous: bool) -> None:
    text: Node = {"type": "string"}

    def variant(*names: str) -> Node:
        properties = dict.fromkeys(("a", "b", "c"), text)
        return {"type": "object", "properties": properties, "required": list(names)}

    paint = carried("agent request", {"$ref": "#/$defs/Color"})
    old = {**paint, "Color": {"anyOf": [{**variant("a"), "title": "One"}, {**variant("c"), "title": "Two"}]}}
    new = {**paint, "Color": {"anyOf": [*old["Color"]["anyOf"], {**variant(*required), "title": "Three"}]}}
    found = {finding.id for finding in compared(old, new)}
    assert ("union-became-ambiguous" in found) is ambiguous, found
