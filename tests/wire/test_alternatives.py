"""Alternatives inside alternatives cost in proportion to the message: one value is read by one reader once."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import msgspec
import pytest

from tests.support.instruction_count import work

from .conftest import MakeTypes
from .judge import Judge
from .packages import minimal


def node(title: str, holds: str, **more: Any) -> dict[str, Any]:
    return {"type": "object", "title": title, "properties": {"x": {"$ref": f"#/$defs/{holds}"}, **more}}


WHOLE = {"type": "integer"}
DEFINITIONS: dict[str, Any] = {
    "Loose": {"anyOf": [node("One", "Loose"), node("Other", "Loose", y=WHOLE)]},
    "Tree": {"anyOf": [{**node(t, "Tree", **{t.lower(): WHOLE}), "required": [t.lower()]} for t in ("A", "B", "C")]},
    "Deep": {
        "anyOf": [
            {"type": "array", "items": {"$ref": "#/$defs/Deep"}},
            {"type": "array", "items": {"anyOf": [{"$ref": "#/$defs/Deep"}, {"type": "null"}]}},
            {"type": "integer"},
        ]
    },
}


def tree(levels: int, end: Any) -> Any:
    return {"a": 1, "b": 2, "c": 3, "x": tree(levels - 1, end)} if levels else {"c": end}


def loose(levels: int, end: Any) -> Any:
    return {"x": loose(levels - 1, end)} if levels else {"y": end, "x": {"x": end}}


def deep(levels: int, end: Any) -> Any:
    return [deep(levels - 1, end)] if levels else end


MADE: dict[str, Callable[[int, Any], Any]] = {"Loose": loose, "Tree": tree, "Deep": deep}


@pytest.fixture(scope="module")
def types(make_types: MakeTypes) -> ModuleType:
    return make_types(DEFINITIONS)


def taken(types: ModuleType, name: str, value: Any, *, strict: bool) -> bool:
    try:
        types.decode(getattr(types, name), json.dumps(value), strict=strict)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
@pytest.mark.parametrize("end", [5, "x"], ids=["fits", "does not fit"])
@pytest.mark.parametrize("name", MADE)
def test_each_level_adds_as_much_work_as_the_last(types: ModuleType, name: str, end: Any, strict: bool) -> None:
    def lines(levels: int) -> int:
        value = MADE[name](levels, end)
        return work(lambda: taken(types, name, value, strict=strict))

    lines(2)  # makes the readers
    assert lines(8) < 3 * lines(4)


@pytest.mark.parametrize("end", [5, "x", {}], ids=str)
@pytest.mark.parametrize("name", MADE)
def test_what_is_remembered_changes_no_answer(types: ModuleType, name: str, end: Any) -> None:
    judge = Judge(minimal(DEFINITIONS))
    for levels in range(4):
        value = MADE[name](levels, end)
        assert taken(types, name, value, strict=True) == judge.accepts(name, value)


def test_the_place_of_a_fault_is_that_of_the_value_however_often_it_was_met(types: ModuleType) -> None:
    with pytest.raises(msgspec.ValidationError, match=r"Expected `int`, got `str` - at `\$\.x\.x\.c`$"):
        types.decode(types.Tree, json.dumps(tree(2, "x")))


def test_one_python_object_at_two_places_is_read_at_both(types: ModuleType) -> None:
    shared: Any = [1]
    assert types.from_dict(types.Deep, [shared, [shared]]) == [[1], [[1]]]
    bad: Any = ["x"]
    with pytest.raises(msgspec.ValidationError, match=r"at `\$\[1\]\[0\]\[0\]`$"):
        types.from_dict(types.Deep, [shared, [bad, bad]])
