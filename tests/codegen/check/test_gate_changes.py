"""Gates that only one of two files speaks of: what is not known is no change."""

from __future__ import annotations

import pytest

from codegen.check.command import _load
from codegen.check.engine import diff
from codegen.check.parts.side import Side
from codegen.document.read import parse
from codegen.model.nodes.types import Schema

from .demo import HANDSHAKE, Node, carried, compared, document, message, opening

COLOR = {"$ref": "#/$defs/Color"}


def variant(kind: str, **more: Node) -> Node:
    """A variant of a tagged union."""
    return {"type": "object", "properties": {"kind": {"const": kind}, **more}, "required": ["kind"]}


def protocol(gate: str | None = None, **of_color: str) -> Node:
    """Definitions with one request, whose gate, and that of its property, is as stated; without, nothing is said of gates."""
    definitions = {
        **opening({"paint": {"type": "object"}}),
        **carried("agent request", {**COLOR, **of_color}),
        "Color": {"type": "string"},
    }
    bare: Node = {
        name: {key: value for key, value in node.items() if key != "x-capability"} for name, node in definitions.items()
    }
    if gate is not None:
        bare["PaintRequest"]["x-capability"] = gate
    return bare


def found(old: Node, new: Node, *, handshakes: tuple[bool, bool] = (True, True), known: bool = True) -> list[str]:
    """The rules that find something; `handshakes`: which of the files says how connections are opened."""
    sides: list[Side] = []
    for definitions, opened in zip((old, new), handshakes, strict=True):
        read = parse(document(definitions, **({"x-handshake": HANDSHAKE} if opened else {})), "schema.json")
        schema = _load(read)
        assert isinstance(schema, Schema)
        sides.append(Side(read, schema))
    return [finding.id for finding in diff(*sides, known_gates=known)]


@pytest.mark.parametrize(("known", "rules"), [(True, ["capability-gate-changed"]), (False, [])])
def test_a_gate_is_gone_where_the_new_file_is_one_that_speaks_of_gates(known: bool, rules: list[str]) -> None:
    assert found(protocol("paint"), protocol(), known=known) == rules


@pytest.mark.parametrize(
    ("handshakes", "rules"), [((True, True), ["capability-gate-changed"]), ((False, True), [])], ids=["said", "bare"]
)
def test_the_gate_of_a_property_is_new_where_the_old_file_spoke_of_gates(
    handshakes: tuple[bool, bool], rules: list[str]
) -> None:
    assert found(protocol(), protocol(**{"x-capability": "paint"}), handshakes=handshakes) == rules


def test_a_property_that_moves_from_beside_a_union_into_all_its_variants_is_no_change() -> None:
    text: Node = {"type": "string"}

    beside = {"type": "object", "properties": {"x": text}, "oneOf": [variant("a"), variant("b")]}
    inside = {"type": "object", "oneOf": [variant("a", x=text), variant("b", x=text)]}
    for before, after in ((beside, inside), (inside, beside)):
        request = carried("agent request", COLOR)
        assert compared({**request, "Color": before}, {**request, "Color": after}) == []


PART = {"type": "string", "x-capability": "paint"}
ADDED: dict[str, tuple[Node, Node, str]] = {
    "a property": (
        {"Color": {"type": "object", "properties": {}}},
        {"Color": {"type": "object", "properties": {"shine": PART}}},
        "Color.shine was added, gated by paint",
    ),
    "a value": (
        {"Color": {"anyOf": [{"const": "red"}]}},
        {"Color": {"anyOf": [{"const": "red"}, {"const": "blue", "x-capability": "paint"}]}},
        'Color has the new value "blue", gated by paint',
    ),
    "a variant": (
        {"Color": {"oneOf": [variant("a")]}},
        {"Color": {"oneOf": [variant("a"), {**variant("b"), "x-capability": "paint"}]}},
        'Color has the new variant "b", gated by paint',
    ),
    "a request": (
        {},
        {
            **message("HangRequest", "agent", "hang", **{"x-capability": "paint"}),
            **message("HangResponse", "agent", "hang"),
        },
        "the agent has a new request hang, gated by paint",
    ),
    "a notification": (
        {},
        message("HangNotification", "client", "hang", **{"x-capability": "agent:paint"}),
        "the client has a new notification hang, gated by agent:paint",
    ),
}


@pytest.mark.parametrize("kind", ADDED)
def test_what_is_added_behind_a_gate_names_it(kind: str) -> None:
    old, new, text = ADDED[kind]
    base = {"Color": {"type": "string"}, **carried("agent request", COLOR)}
    before, after = {**opening(), **base, **old}, {**opening({"paint": {"type": "object"}}), **base, **new}
    found = compared(before, after, **{"x-handshake": HANDSHAKE})
    assert [(each.level.name, each.message) for each in found] == [
        ("info", "AgentCapabilities.paint was added"),
        ("info", text),
    ]
