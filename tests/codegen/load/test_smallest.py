"""The smallest schemas make packages too: nothing that is emitted relies on something else being in the schema."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import ValidationError

if TYPE_CHECKING:
    from tests.conftest import Package

TEXT = {"type": "string"}


def record(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties}


SMALLEST: dict[str, dict[str, Any]] = {
    "nothing": {},
    "anything": {"A": True},
    "a string": {"A": TEXT},
    "an empty object": {"A": record()},
    "a map": {"A": {"type": "object", "additionalProperties": TEXT}},
    "null behind an optional property": {"A": record(a={"$ref": "#/$defs/B"}), "B": {"type": "null"}},
    "an optional property": {"A": record(a=TEXT)},
    "a renamed property": {"A": record(odd_Name=TEXT)},
    "an inline type": {"A": record(a={"const": 'quo"te'})},
    "a bound beyond 64 bits": {"A": record(a={"type": "integer", "maximum": 2**70})},
    "a bound with a fraction": {"A": record(a={"type": "integer", "maximum": 1.5})},
    "a required inline type": {"A": {**record(a={"type": "integer", "maximum": 2**70}), "required": ["a"]}},
    "an enumeration": {"A": {"enum": ["a", 1, None, True, 1.5]}},
    "a recursive alias": {"A": {"anyOf": [TEXT, {"type": "array", "items": {"$ref": "#/$defs/A"}}]}},
    "a closed object": {"A": {**record(a=TEXT), "additionalProperties": False}},
    "an object that keeps all": {"A": {**record(a=TEXT), "additionalProperties": True}},
    "a union": {
        "A": {
            "oneOf": [
                {**record(t={"const": "a"}), "required": ["t"]},
                {**record(t={"const": "b"}), "required": ["t"]},
            ]
        }
    },
    "a notification": {"SayNotification": {**record(), "x-method": "say", "x-side": "agent"}},
    "a notification to the client": {"SayNotification": {**record(a=TEXT), "x-method": "say", "x-side": "client"}},
    "a notification to the runtime": {"SayNotification": {**record(), "x-method": "$/say", "x-side": "protocol"}},
    "a notification of anything": {"SayNotification": {"x-method": "say", "x-side": "proxy"}},
    "a request": {
        "AskRequest": {**record(), "x-method": "ask", "x-side": "both"},
        "AskResponse": {"type": "null", "x-method": "ask", "x-side": "both"},
    },
}


@pytest.mark.parametrize("definitions", SMALLEST.values(), ids=SMALLEST.keys())
def test_every_module_of_the_package_can_be_imported(definitions: dict[str, Any], package: Package) -> None:
    made = package({"$defs": definitions})
    for name in made.__all__:
        getattr(made, name)
    assert set(definitions) <= set(made.__all__)
    for name in definitions:
        with contextlib.suppress(ValidationError):  # any other error comes from the module
            made.decode(getattr(made, name), b"null")


def test_variants_told_apart_by_different_properties_are_loaded(package: Package) -> None:
    variants = [
        {"type": "object", "properties": {name: {"const": value}}, "required": [name], "title": value}
        for name, value in (("type", "a"), ("kind", "b"))
    ]
    made = package({"$defs": {"U": {"oneOf": variants}}})
    assert made.decode(made.U, b'{"kind":"b"}', strict=True).kind == "b"
