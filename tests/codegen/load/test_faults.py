"""Faults: each has a kind with a way out, and one does not hide the others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.diagnostics import FAULTS
from codegen.document.read import parse
from codegen.errors import SchemaError
from codegen.load.schema import load
from codegen.shape.public import MODULES

ROOT = Path(__file__).resolve().parents[3]


def faults(definitions: dict[str, Any]) -> list[tuple[str | None, str]]:
    """Pointer and kind of what loading refuses."""
    with pytest.raises(SchemaError) as caught:
        load(parse(json.dumps({"$defs": definitions}).encode(), "f.json"))
    return [(error.pointer, error.fault.id) for error in (caught.value, *caught.value.others)]


def test_every_kind_of_fault_has_a_name_of_its_own_and_a_way_out() -> None:
    assert len({fault.id for fault in FAULTS}) == len(FAULTS)
    assert all(fault.purpose.endswith(".") and fault.instead for fault in FAULTS)


def test_faults_come_in_the_order_of_the_file() -> None:
    bad = {"type": "object", "properties": {"a": {"type": "x"}, "b": {"$ref": "#/$defs/No"}}}
    assert faults({"B": bad, "A": {"enum": []}}) == [
        ("/$defs/B/properties/a/type", "not-draft-2020-12"),
        ("/$defs/B/properties/b/$ref", "ref-unresolved"),
        ("/$defs/A/enum", "not-draft-2020-12"),
    ]


def test_a_fault_of_a_definition_is_told_once_however_many_refer_to_it() -> None:
    base = {"type": "object", "propertys": {}, "required": 1}
    user = {"allOf": [{"$ref": "#/$defs/Base"}], "type": "object", "properties": {}}
    assert faults({"One": user, "Two": user, "Base": base}) == [
        ("/$defs/Base/propertys", "unsupported-keyword"),
        ("/$defs/Base/required", "not-draft-2020-12"),
    ]


def test_a_property_that_cannot_be_read_does_not_make_its_object_another_type() -> None:
    tagged = {"type": "object", "properties": {"a": {"type": "x"}}, "required": ["a"]}
    assert faults(
        {"A": {"oneOf": [{"$ref": "#/$defs/B"}], "properties": {"b": {}}, "type": "object"}, "B": tagged}
    ) == [("/$defs/B/properties/a/type", "not-draft-2020-12")]


@pytest.mark.parametrize(
    "bounds",
    [
        {"type": "integer", "minimum": 2, "maximum": 1},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"type": "integer", "minimum": 1.2, "maximum": 1.8},
        {"type": "number", "minimum": 1, "exclusiveMaximum": 1},
        {"type": "string", "minLength": 2, "maxLength": 1},
        {"type": "array", "minItems": 2, "maxItems": 1},
        {"allOf": [{"type": "integer", "minimum": 2}, {"type": "integer", "maximum": 1}]},
        {"type": ["string", "null"], "minLength": 2, "maxLength": 1},
    ],
    ids=json.dumps,
)
def test_bounds_that_leave_no_value_are_a_fault(bounds: dict[str, Any]) -> None:
    assert [kind for _, kind in faults({"A": bounds})] == ["type-unsatisfiable"]


@pytest.mark.parametrize(
    "bounds",
    [
        {"type": "integer", "minimum": 1, "maximum": 1},
        {"type": "integer", "exclusiveMinimum": 1, "exclusiveMaximum": 3},
        {"type": "number", "exclusiveMinimum": 1, "exclusiveMaximum": 2},
        {"type": "number", "minimum": 1, "maximum": 1},
        {"type": "string", "minLength": 1, "maxLength": 1},
        {"type": "array", "maxItems": 0},
    ],
    ids=json.dumps,
)
def test_bounds_that_leave_a_value_are_none(bounds: dict[str, Any]) -> None:
    load(parse(json.dumps({"$defs": {"A": bounds}}).encode(), "f.json"))


@pytest.mark.parametrize("pattern", ["(?P<a>b)", r"\Aa", r"a\Z", "(?i)a", "a++", "(?>a)", "(?#x)a", "(", "[a", "a**"])
def test_a_pattern_that_is_not_of_both_dialects_is_a_fault(pattern: str) -> None:
    assert faults({"A": {"type": "string", "pattern": pattern}}) == [("/$defs/A/pattern", "pattern-invalid")]


@pytest.mark.parametrize("pattern", ["^((a{1,1000}){1,1000}){1,1000}$", "((((x{1,1000}){1,1000}){1,1000}){1,1000})"])
def test_a_pattern_that_no_validator_has_room_for_is_a_fault(pattern: str) -> None:
    assert faults({"A": {"type": "string", "pattern": pattern}}) == [("/$defs/A/pattern", "pattern-invalid")]


def test_definitions_that_refer_to_the_next_many_times_take_no_exponential_time() -> None:
    names = [f"p{number}" for number in range(8)]
    levels = [
        {"properties": {key: {"$ref": f"#/$defs/L{level + 1}"} for key in names}, "required": names}
        for level in range(60)
    ]
    definitions = {f"L{level}": {"type": "object", **node} for level, node in enumerate(levels)}
    ask = {"type": "object", "x-method": "ask", "x-side": "agent", "x-capability": False}
    request = {**ask, "properties": {"first": {"$ref": "#/$defs/L0"}}}
    definitions |= {"L60": {"type": "object"}, "AskRequest": request, "AskResponse": ask}
    load(parse(json.dumps({"$defs": definitions}).encode(), "f.json"))


@pytest.mark.parametrize(
    "pattern", [r"^a\.b$", r"\\A", r"[+*]+", r"[*+?]{2}", r"a\++", "(?:a|b)", "(?=a)", "(?!a)", r"\d{2,}", r"a[Z]"]
)
def test_a_pattern_of_both_dialects_is_none(pattern: str) -> None:
    load(parse(json.dumps({"$defs": {"A": {"type": "string", "pattern": pattern}}}).encode(), "f.json"))


def test_the_modules_that_no_side_may_be_called_like_are_those_of_the_package() -> None:
    found = (ROOT / "generated").iterdir()
    written = {path.stem for path in found if path.suffix == ".py" or (path / "__init__.py").exists()}
    of_additions = {"views"}  # only a package over another one has it
    assert written | of_additions == MODULES | {"__init__", "agent", "client", "proxy"}
