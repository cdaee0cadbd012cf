"""What the leniency keywords of a property do, by its type: forgive a bad value, replace null, or nothing."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.model.algebra.normal_form import WireForms
from codegen.model.analysis.leniency import forgives, is_anything, replaces_null
from codegen.model.nodes.types import (
    Anything,
    Array,
    Boolean,
    Field,
    Integer,
    Map,
    Nullable,
    Number,
    Schema,
    String,
    Type,
)

FORMS = WireForms(Schema(title="", definitions={}, methods=()))


def field(type_: Type, **more: Any) -> Field:
    return Field(name="a", type=type_, pointer="/properties/a", **{"required": True, **more})


@pytest.mark.parametrize(
    ("type_", "more", "expected"),
    [
        (String(), {"default_on_error": True}, False),
        (String(), {"default_on_error": True, "required": False}, True),
        (String(), {"default_on_error": True, "has_default": True, "default": ""}, True),
        (Array(String()), {"default_on_error": True}, True),
        (Nullable(Array(String())), {"default_on_error": True}, True),
        (Array(String()), {"required": False}, False),
    ],
)
def test_a_bad_value_is_forgiven_if_something_takes_its_place(type_: Type, more: Any, expected: bool) -> None:
    assert forgives(FORMS, field(type_, **more)) is expected


@pytest.mark.parametrize(
    ("type_", "more", "expected"),
    [
        *((type_, {}, True) for type_ in (String(), Integer(), Number(), Boolean(), Array(String()), Map(String()))),
        (String(min_length=1), {}, False),
        (Integer(minimum=1), {}, False),
        (Array(String(), min_items=1), {}, False),
        (String(min_length=1), {"has_default": True, "default": "x"}, True),
        (String(), {"has_default": True, "default": 1}, False),
        (Nullable(String()), {}, False),
        (String(), {"default_on_null": False}, False),
    ],
)
def test_null_is_replaced_if_the_default_or_the_empty_value_fits(type_: Type, more: Any, expected: bool) -> None:
    assert replaces_null(FORMS, field(type_, **{"default_on_null": True, **more})) is expected


def test_what_takes_everything_needs_no_leniency() -> None:
    assert [is_anything(FORMS, field(type_)) for type_ in (Anything(), Nullable(Anything()), String())] == [
        True,
        True,
        False,
    ]
