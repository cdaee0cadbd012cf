"""Types are identical by their parts and names, regardless of the order of their parts."""

from __future__ import annotations

import pytest

from codegen.model.algebra.identity import Identity
from codegen.model.algebra.normal_form import WireForms
from codegen.model.nodes.types import Reference

from .test_relation import BLOB, INTEGER, NUMBER, OPEN, STRING, TEXT, Node, choice, loaded, thing

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
    "scalars in another order": ({"anyOf": [STRING, INTEGER]}, {"anyOf": [INTEGER, STRING]}, True),
    "one of the scalars": ({"anyOf": [STRING, INTEGER]}, {"anyOf": [STRING, NUMBER]}, False),
    "one of several scalars and exactly one": ({"anyOf": [STRING, INTEGER]}, {"oneOf": [STRING, INTEGER]}, False),
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
