"""One edit, one finding: each row of the table of which finding explains which is needed, and none hides what it should not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from codegen.check.command import _load
from codegen.check.engine import diff
from codegen.check.lint.lint import lint, refused
from codegen.check.parts.side import Side
from codegen.check.rules import RULES
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.findings.cascades import TABLE, Row, explained, in_order, unexplained
from codegen.findings.finding import Category, Finding, Level, Place
from codegen.model.nodes.types import Schema
from codegen.validate.values.notes import Note
from tests.codegen.check.demo import HANDSHAKE, Node, carried, document, message, opening


def changed(old: Node, new: Node, **root: Any) -> list[Finding]:
    """What each rule finds by itself between two sets of definitions, the lints of the new one included."""
    parsed = [parse(document(d, **root), f"{name}.json") for name, d in (("old", old), ("new", new))]
    loaded = [schema for each in parsed if isinstance(schema := _load(each), Schema)]
    before, after = (Side(*each) for each in zip(parsed, loaded, strict=True))
    gates = [f for f in lint(parsed[1], loaded[1], base=loaded[0]) if f.id == "capability-missing"]
    return [*diff(before, after), *gates]


def broken(definitions: Node, **root: Any) -> list[Finding]:
    """What each rule finds in one set of definitions, without the lints of style that every small schema trips."""
    try:
        read = parse(document(definitions, **root), "new.json")
    except SchemaError as error:
        return refused(error)
    found = lint(read, _load(read))
    style = ("meta-field-missing", "def-unused", "def-undocumented", "property-undocumented", "value-undocumented")
    return [f for f in found if f.id not in style]


def ungated() -> list[Finding]:
    old = {**message("LookRequest", "agent", "wall/look"), **message("LookResponse", "agent", "wall/look")}
    new = {**message("PaintRequest", "agent", "wall/paint"), **message("PaintResponse", "agent", "wall/paint")}
    del new["PaintRequest"]["x-capability"]
    agent = {**opening(), **old}
    return changed(agent, {**agent, **new}, **{"x-handshake": HANDSHAKE})


def typed(before: Node, after: Node) -> list[Finding]:
    return changed(carried("agent request", before), carried("agent request", after))


def named(before: Node, after: Node) -> list[Finding]:
    base = carried("agent request", {"$ref": "#/$defs/Color"})
    return changed({**base, "Color": before}, {**base, "Color": after})


def variant(tag: str, **more: Any) -> Node:
    properties = {"kind": {"const": tag}, **more}
    return {"type": "object", "properties": properties, "required": ["kind"]}


def union(*variants: Node) -> Node:
    return {**carried("agent request", {"$ref": "#/$defs/Shape"}), "Shape": {"oneOf": list(variants)}}


RFD = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}

PLANTED: dict[int, tuple[Callable[[], list[Finding]], str]] = {
    0: (lambda: typed({"type": "string", "default": "a"}, {"type": "integer", "default": 1}), "property-type-changed"),
    1: (lambda: named({"type": "string"}, {"type": ["integer", "null"]}), "property-type-changed"),
    2: (lambda: named({"type": "object", "properties": {"a": {}}}, {"type": "string"}), "property-type-changed"),
    3: (ungated, "request-added-ungated"),
    4: (lambda: broken(carried("agent request", {}) | _held("2nd")), "python-name-invalid"),
    5: (lambda: broken(_method("wall/pa int")), "method-name-invalid"),
    6: (lambda: broken(_halved()), "method-without-side"),
    7: (lambda: broken(union(variant("a", x={}), variant("a", y={}), variant("b"))), "union-tag-duplicate"),
    8: (lambda: broken(union(variant("a"), _untitled(variant("b")))), "union-tag-not-required"),
    9: (lambda: broken(_elsewhere()), "request-without-response"),
    10: (lambda: broken(carried("agent request", {"type": "string", "minLength": "a"})), "not-draft-2020-12"),
    11: (lambda: broken(_only_unstable(), **RFD), "stable-refs-unstable"),
    12: (
        lambda: typed({"type": "string"}, {"type": ["integer", "null"], "x-deserialize-default-on-error": True}),
        "property-type-changed",
    ),
}


def _held(name: str) -> Node:
    """A property of some name, in params."""
    return message("PaintRequest", "agent", "wall/paint", {name: {"type": "string"}})


def _method(path: str) -> Node:
    definitions = carried("agent request", {"type": "string"})
    for node in definitions.values():
        node["x-method"] = path
    return definitions


def _halved() -> Node:
    """A method that does not say who implements it."""
    definitions = carried("agent request", {"type": "string"})
    del definitions["PaintRequest"]["x-side"]
    return definitions


def _elsewhere() -> Node:
    """A result on another side than its params."""
    definitions = carried("agent request", {"type": "string"})
    definitions["PaintResponse"]["x-side"] = "client"
    return definitions


def _untitled(node: Node) -> Node:
    return {**node, "required": []}


def _only_unstable() -> Node:
    held = {**union(variant("a")), "Held": {"type": "object", "x-rfd": "blue", "properties": {"a": {"type": "string"}}}}
    held["PaintRequest"]["properties"] = {"held": {"$ref": "#/$defs/Held"}}
    held["PaintRequest"]["required"] = ["held"]
    return held


@pytest.mark.parametrize("index", PLANTED)
def test_a_planted_edit_is_reported_by_one_rule_and_needs_its_row_for_that(index: int) -> None:
    plant, expected = PLANTED[index]
    found = plant()
    without = [row for position, row in enumerate(TABLE) if position != index]
    assert {f.id for f in explained(found)} == {expected}
    assert explained(found, table=without) != explained(found), [f.id for f in found]


def test_every_row_has_a_planted_edit() -> None:
    assert sorted(PLANTED) == list(range(len(TABLE)))


@pytest.mark.parametrize("row", TABLE, ids=TABLE.index)
def test_a_row_names_rules_and_families_that_exist(row: Row) -> None:
    known = {rule.family for rule in RULES.values()} | {"projection"}
    for which in (row.explainer, row.explained):
        assert which.rules <= set(RULES)
        assert which.families <= known


def test_a_suppressed_lint_does_not_hide_the_fault_that_cannot_be_suppressed() -> None:
    found = PLANTED[7][0]()
    shown = explained(found, excused=lambda finding: finding.id == "union-tag-duplicate")
    assert "python-name-collision" in {finding.id for finding in shown}


def test_what_is_folded_names_the_directions_of_all_of_it_in_their_usual_order() -> None:
    (finding,) = explained(PLANTED[12][0]())
    assert finding.directions == ("client-to-agent",)
    assert in_order(["agent-to-client", "client-to-agent", "agent-to-client"]) == ("client-to-agent", "agent-to-client")


# --- a hint displaces nothing that is worse ---------------------------------------------------------------------------------


def hint(rule: str, level: Level, completed: Level | None = None, **more: Any) -> Finding:
    return Finding(
        id=rule,
        level=level,
        completed=completed,
        category=Category.WIRE,
        pointer="/$defs/A/properties/a",
        base_pointer="/$defs/A/properties/a",
        place=Place("s.json", 1, 1),
        subject="A.a",
        message=f"A.a {rule}",
        instead="",
        **more,
    )


@pytest.mark.parametrize(
    ("explainer", "kept"),
    [
        (hint("request-added-ungated", Level.warning), True),
        (hint("request-added-ungated", Level.error), False),
        (hint("request-added-ungated", Level.info, Level.error), False),
    ],
    ids=["a hint", "as bad", "as bad at completion"],
)
def test_a_finding_is_explained_only_by_one_that_is_as_bad(explainer: Finding, kept: bool) -> None:
    missing = hint("capability-missing", Level.error)
    assert (missing in explained([explainer, missing])) is kept


def test_of_several_findings_of_one_property_the_worst_at_completion_speaks_first() -> None:
    later = hint("property-type-changed", Level.info, Level.error, family="types", breaks=("released agents",))
    now = hint("default-removed", Level.warning, family="leniency")
    (found,) = explained([now, later])
    assert (found.id, found.level, found.completed) == ("property-type-changed", Level.warning, Level.error)
    assert found.message == "A.a property-type-changed; default-removed"
    assert found.breaks == ("released agents",)


# --- messages ---------------------------------------------------------------------------------------------------------------


def test_a_misspelt_key_explains_that_it_is_undeclared_and_nothing_else_does() -> None:
    missing = Note(rule="params-invalid", text="", path=("params", "at"), near="txet")
    stray = Note(rule="property-undeclared", text="", path=("params", "at", "txet"))
    other, elsewhere = (
        replace(stray, path=("params", "at", "blob")),
        replace(stray, path=("params", "txet")),
    )
    assert unexplained([missing, stray, other, elsewhere]) == [missing, other, elsewhere]
    assert unexplained([replace(missing, rule="envelope-invalid"), stray])[1:] == [stray]
    assert unexplained([missing, stray], ()) == [missing, stray]
