"""`diff` stands on `relation`: who is broken by a change follows from what either side writes and the other refuses."""

from __future__ import annotations

import pytest

from codegen.findings.finding import Category, Level
from codegen.model.algebra.identity import Identity
from codegen.model.algebra.normal_form import WireForms
from codegen.model.nodes.types import Reference
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
    loaded,
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


# --- identity -----------------------------------------------------------------------------------------------------------------

Y = thing(x={"$ref": "#/$defs/X"})
SAME: dict[str, tuple[Node, Node, bool]] = {
    "another order": (choice(TEXT, BLOB), choice(BLOB, TEXT), True),
    "another optional property, though nobody refuses the other one": (thing(a=STRING), thing(b=STRING), False),
    "one of several and exactly one": (choice(TEXT, BLOB), choice(TEXT, BLOB, word="anyOf"), False),
    "another bound": (STRING, {"type": "string", "maxLength": 9}, False),
    "1 and true": ({"enum": [1, 2]}, {"enum": [True, 2]}, False),
    "an open enumeration and a closed one": ({"anyOf": [{"const": "a"}, STRING]}, {"enum": ["a"]}, False),
    "what is kept of undeclared properties": (
        {**thing(a=STRING), "additionalProperties": STRING},
        {**thing(a=STRING), "additionalProperties": INTEGER},
        False,
    ),
    "another default": (thing(a={**STRING, "default": "x"}), thing(a={**STRING, "default": "y"}), False),
    "items": ({"type": "array", "items": STRING}, {"type": "array", "items": INTEGER}, False),
    "what an open variant keeps out": (
        choice(TEXT, OPEN),
        choice(TEXT, {**OPEN, "not": {**OPEN["not"], "properties": {"kind": {"enum": ["text", "x"]}}}}),
        False,
    ),
}


@pytest.mark.parametrize(("old", "new", "same"), SAME.values(), ids=SAME)
def test_types_are_identical_by_their_parts_and_names(old: Node, new: Node, same: bool) -> None:
    (_, before), (_, after) = loaded(old), loaded(new)
    assert Identity(WireForms(before), WireForms(after)).same(Reference("Root"), Reference("Root")) is same


def test_what_was_taken_for_granted_while_a_type_was_compared_is_forgotten_when_it_differs() -> None:
    (_, before), (_, after) = (
        loaded(STRING, X=thing(y={"$ref": "#/$defs/Y"}, n=STRING), Y=Y),
        loaded(STRING, X=thing(y={"$ref": "#/$defs/Y"}, n=INTEGER), Y=Y),
    )
    identity = Identity(WireForms(before), WireForms(after))
    assert [identity.same(Reference(name), Reference(name)) for name in ("X", "Y", "X")] == [False, False, False]
