"""Definitions that are the same in depth are not walked, and nothing is missed by that."""

from __future__ import annotations

import json
import random

import pytest

from codegen.check import engine
from codegen.check.inputs import judged, tolerated
from codegen.check.parts.side import Side, unchanged
from codegen.document.read import parse
from codegen.findings.finding import Finding
from tests.upstream import HERE

from .demo import Node, carried, document
from .edits import applied, bare, edits

OLD, NEW = (bare(json.loads((HERE / name / "schema.json").read_text())) for name in ("v1.21.0", "current-v2"))
EDITS = edits(OLD, NEW)
SOME = random.Random(29).sample(sorted(EDITS), 8)


def side(value: Node) -> Side:
    return tolerated(parse(json.dumps(value, indent=1).encode(), "schema.json"))


@pytest.fixture(scope="module")
def old() -> Side:
    return side(OLD)


def key(finding: Finding) -> tuple[object, ...]:
    return finding.rule, finding.pointer, finding.message, finding.level, finding.costs, finding.via, finding.example


@pytest.mark.parametrize("name", SOME)
def test_the_findings_are_those_of_a_walk_through_all(name: str, old: Side, monkeypatch: pytest.MonkeyPatch) -> None:
    new = side(applied(OLD, NEW, [EDITS[name]]))
    assert unchanged(old, new)
    found = [key(finding) for finding in judged(old, new, unstable=True)]
    monkeypatch.setattr(engine, "unchanged", lambda *_: set[str]())
    assert found == [key(finding) for finding in judged(old, new, unstable=True)]


def test_what_refers_to_a_change_has_changed() -> None:
    definitions = {
        **carried("agent request", {"$ref": "#/$defs/Outer"}),
        "Outer": {"type": "object", "properties": {"inner": {"$ref": "#/$defs/Inner"}}},
        "Inner": {"type": "array", "items": {"$ref": "#/$defs/Color"}},
        "Other": {"type": "array", "items": {"$ref": "#/$defs/Other"}},
    }
    old, new = (
        tolerated(parse(document({**definitions, "Color": {"type": "string", "minLength": n}}), "schema.json"))
        for n in (1, 2)
    )
    assert unchanged(old, new) == {"Other", "PaintResponse"}
    assert [(each.rule, each.pointer) for each in judged(old, new)] == [("constraint-tightened", "/$defs/Color")]
