"""The stable projection of documents that nobody has checked."""

from __future__ import annotations

import contextlib
import copy
import json
from typing import Any

import pytest

from codegen.document.projection import stable
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load

GONE = {"type": "object", "x-side": "agent", "x-method": "late", "x-rfd": "later"}
SOUND: dict[str, Any] = {
    "x-rfds": {"later": {"title": "Later", "stage": "draft"}},
    "x-requirements": {"core": {"one": {"on": ["late", "A.a"], "level": "must", "text": "t"}}},
    "x-sessions": {"new": ["late"]},
    "x-lists": {"late": {}},
    "x-interrupt": {"method": "late", "requests": {}, "asked": {}},
    "x-permission": {"method": "late"},
    "x-handles": {"h": {"create": "late"}},
    "$defs": {"A": {"type": "object", "properties": {"a": {"type": "string"}}}, "LateNotification": GONE},
}


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(below for key, child in items for below in places(child, (*path, key)))]


@pytest.mark.parametrize("wrong", [None, 3, "x", [], [{}], [[1]], {}, {"a": {"b": {"on": 3}}}], ids=json.dumps)
def test_what_is_wrong_anywhere_is_no_defect_of_the_tool(wrong: Any) -> None:
    for path in places(SOUND):
        value = copy.deepcopy(SOUND)
        inner = value
        for key in path[:-1]:
            inner = inner[key]
        if path:
            inner[path[-1]] = wrong
        document = parse(json.dumps(value if path else wrong).encode(), "schema.json")
        with contextlib.suppress(SchemaError):
            assert load(stable(document))[0].definitions.keys() <= {"A", *SOUND["$defs"]}


def test_what_an_rfd_in_progress_brought_is_gone() -> None:
    value: Any = stable(parse(json.dumps(SOUND).encode(), "schema.json")).value
    assert value.keys() == {"x-rfds", "x-requirements", "x-sessions", "x-lists", "x-handles", "$defs"}
    assert (value["$defs"].keys(), value["x-handles"], value["x-lists"]) == ({"A"}, {}, {})
    assert value["x-requirements"]["core"]["one"]["on"] == ["A.a"]


def test_a_variant_excludes_the_variants_that_are_left() -> None:
    def tagged(tag: str) -> dict[str, Any]:
        return {"type": "object", "properties": {"kind": {"const": tag}}, "required": ["kind"]}

    rest = {"type": "object", "not": {"anyOf": [tagged("old"), tagged("new")]}}
    block = {"oneOf": [tagged("old"), {**tagged("new"), "x-rfd": "later"}, rest]}
    document = {"x-rfds": SOUND["x-rfds"], "$defs": {"Block": block}}
    projected = stable(parse(json.dumps(document).encode(), "f.json")).value["$defs"]["Block"]
    assert projected == {"oneOf": [tagged("old"), {**rest, "not": {"anyOf": [tagged("old")]}}]}
