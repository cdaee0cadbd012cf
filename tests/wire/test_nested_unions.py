"""A union inside a variant of a union: one class may be a definition and the variant of both."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import msgspec
import pytest

from .conftest import MakeTypes
from .judge import Judge
from .packages import minimal


def variant(tag: str, constant: str, payload: str) -> dict[str, Any]:
    reference = {"$ref": f"#/$defs/{payload}"}
    return {"type": "object", "properties": {tag: {"const": constant}}, "required": [tag], "allOf": [reference]}


DEFINITIONS: dict[str, Any] = {
    "Leaf": {"type": "object", "properties": {"a": {"type": "integer"}}},
    "Other": {"type": "object", "properties": {"b": {"type": "integer"}}},
    "Beside": {"type": "object", "properties": {"c": {"type": "integer"}}},
    "Inner": {"anyOf": [variant("state", "leaf", "Leaf"), variant("state", "other", "Other")]},
    "Outer": {"anyOf": [variant("kind", "inner", "Inner"), variant("kind", "beside", "Beside")]},
}
VALUES: list[dict[str, Any]] = [
    {},
    {"a": 1},
    {"a": "x"},
    {"b": 1},
    {"state": "leaf", "a": 1},
    {"state": "leaf", "a": "x"},
    {"state": "new"},
    {"state": 5, "a": 1},
    {"kind": "inner"},
    {"kind": "inner", "state": "other", "b": 1},
    {"kind": "inner", "state": "new"},
    {"kind": "beside", "state": "leaf", "a": "x"},
]


@pytest.fixture(scope="module")
def types(make_types: MakeTypes) -> ModuleType:
    return make_types(DEFINITIONS)


@pytest.mark.parametrize("value", VALUES, ids=json.dumps)
@pytest.mark.parametrize("name", DEFINITIONS)
def test_each_level_read_by_itself_takes_what_its_own_definition_takes(
    types: ModuleType, name: str, value: Any
) -> None:
    try:
        types.decode(getattr(types, name), json.dumps(value), strict=True)
        taken = True
    except msgspec.ValidationError:
        taken = False
    assert taken == Judge(minimal(DEFINITIONS)).accepts(name, value)


@pytest.mark.parametrize(
    "value", [VALUES[9], {"kind": "inner", "state": "leaf"}, {"kind": "beside", "c": 1}], ids=json.dumps
)
def test_both_tags_are_written_where_both_are_asked_for(types: ModuleType, value: Any) -> None:
    assert types.to_dict(types.decode(types.Outer, json.dumps(value))) == value


@pytest.mark.parametrize(
    ("value", "fault"),
    [
        ({"state": "leaf"}, "Object missing required field `kind` - at `$`"),
        ({"kind": "inner"}, "Object missing required field `state` - at `$`"),
        ({"kind": "inner", "state": "new"}, "Invalid value 'new' - at `$.state`"),
        ({"kind": "new", "state": "leaf"}, "Invalid value 'new' - at `$.kind`"),
        (
            {"kind": "inner", "state": "leaf", "a": "x"},
            "Expected `int`, got `str` (as kind 'inner', state 'leaf') - at `$.a`",
        ),
    ],
)
def test_the_outermost_tag_that_leads_nowhere_is_the_fault(types: ModuleType, value: Any, fault: str) -> None:
    with pytest.raises(msgspec.ValidationError) as raised:
        types.decode(types.Outer, json.dumps(value), strict=True)
    assert str(raised.value) == fault
