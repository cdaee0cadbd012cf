"""`diff` stands on `relation`: who is broken by a change follows from what either side writes and the other refuses."""

from __future__ import annotations

import pytest

from codegen.findings.finding import Category, Level
from tests.codegen.model.test_relation import (
    BLOB,
    CASES,
    INTEGER,
    NUMBER,
    OPEN,
    STRING,
    TEXT,
    TREES,
    choice,
    related,
    thing,
)

from .demo import Node, carried, compared

OLD_SENDERS, NEW_SENDERS = "new agents reading from released clients", "released agents reading from new clients"
MORE: dict[str, tuple[Node, Node]] = {
    "bounds that moved": ({"type": "integer", "maximum": 5}, {"type": "integer", "minimum": 3}),
    "integers in a range to numbers in another": (
        {"type": "integer", "minimum": 0, "maximum": 9},
        {"type": "number", "minimum": 5},
    ),
    "an integer that a number beside it takes": (
        {"anyOf": [{"title": "A", **NUMBER}, {"title": "B", **STRING}]},
        {"anyOf": [{"title": "B", **STRING}, {"title": "A", **NUMBER}]},
    ),
    "a required property gone from a closed object": (thing("a", closed=True, a=STRING), thing(closed=True)),
    "a required property gone": (thing("a", a=STRING), thing()),
    "the values of a map narrowed": (
        {"type": "object", "additionalProperties": STRING},
        {"type": "object", "additionalProperties": {"enum": ["a", "b"]}},
    ),
    "the values of a map as numbers": (
        {"type": "object", "additionalProperties": INTEGER},
        {"type": "object", "additionalProperties": NUMBER},
    ),
    "null alone became a text": ({"type": "null"}, STRING),
    "a size": ({"type": "integer", "minimum": 0, "maximum": 65535}, {"type": "integer", "minimum": 0}),
    "a pair to three": (
        {"type": "array", "prefixItems": [STRING], "items": INTEGER},
        {"type": "array", "prefixItems": [STRING, STRING], "items": INTEGER},
    ),
    "a closed union opened and grown": (choice(TEXT), choice(TEXT, BLOB, OPEN)),
}
ALL = {**{name: case[:2] for name, case in CASES.items()}, **MORE}
BACK = {f"{name}, backwards": (new, old) for name, (old, new) in ALL.items()}


def broken(old: Node, new: Node) -> set[str]:
    """Who is broken by a change of the type that a request's params hold."""
    base = carried("agent request", {"$ref": "#/$defs/Color"})
    found = compared({**base, **TREES, "Color": old}, {**base, **TREES, "Color": new})
    return {who for f in found if f.category is Category.WIRE and f.level is Level.error for who in f.breaks}


@pytest.mark.parametrize(("old", "new"), [*ALL.values(), *BACK.values()], ids=[*ALL, *BACK])
def test_whoever_writes_what_the_other_refuses_is_broken_and_nobody_else(old: Node, new: Node) -> None:
    found = related(old, new, **TREES)
    victims = {OLD_SENDERS: found.lost, NEW_SENDERS: found.gained}
    assert broken(old, new) == {who for who, witness in victims.items() if witness is not None}


@pytest.mark.parametrize("values", [{}, STRING], ids=["of anything", "of texts"])
def test_a_map_that_becomes_an_object_is_judged_beside_text_as_it_is_alone(values: Node) -> None:
    kinds = ({"type": "object", "additionalProperties": values}, thing(a=STRING))
    alone, beside = (
        [
            (finding.id, finding.message)
            for before, after in ((kinds[0], kinds[1]), (kinds[1], kinds[0]))
            for finding in compared(carried("agent request", held(before)), carried("agent request", held(after)))
        ]
        for held in (lambda kind: kind, lambda kind: {"anyOf": [STRING, kind]})
    )
    assert beside == alone
