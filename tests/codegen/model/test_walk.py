"""The one walk over types: every type that holds types gives them as children, and takes others in their place."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.model.nodes.types import (
    TYPES,
    Anything,
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    String,
    Type,
    Union,
    Value,
    Variant,
)
from codegen.model.nodes.walk import children, inner, members, rewrite

HELD = Object(fields=(Field(name="in", type=Null(), required=True, pointer="/in"),))
VALUE = Value(constant="a", pointer="/v")
FIELD = Field(name="f", type=Reference("F"), required=True, pointer="/f")
VARIANT = Variant(type=Reference("V"), pointer="/u")

SAMPLES: dict[Type, list[Type]] = {
    Anything(): [],
    Null(): [],
    Boolean(): [],
    Integer(): [],
    Number(): [],
    String(): [],
    Reference("R"): [],
    Enumeration((VALUE,)): [],
    Enumeration((VALUE,), String()): [String()],
    Array(Reference("I"), prefix=(Reference("P"), String())): [Reference("P"), String(), Reference("I")],
    Map(Reference("M")): [Reference("M")],
    Nullable(Reference("N")): [Reference("N")],
    Union((VARIANT, Variant(type=String(), pointer="/s"))): [Reference("V"), String()],
    Object(fields=(FIELD,), bases=(Reference("B"),), unions=(Union((VARIANT,)),), extra=Reference("E")): [
        Reference("F"),
        Reference("B"),
        Union((VARIANT,)),
        Reference("E"),
    ],
}


def test_every_type_has_a_sample_here() -> None:
    assert {type(sample) for sample in SAMPLES} == set(TYPES)


@pytest.mark.parametrize("type_", SAMPLES, ids=repr)
def test_children_are_all_types_directly_inside(type_: Type) -> None:
    assert list(children(type_)) == SAMPLES[type_]


@pytest.mark.parametrize("type_", SAMPLES, ids=repr)
def test_a_rewrite_with_no_change_is_the_same_type(type_: Type) -> None:
    assert rewrite(type_, lambda child: child) == type_


@pytest.mark.parametrize("type_", SAMPLES, ids=repr)
def test_a_rewrite_reaches_every_child(type_: Type) -> None:
    seen: list[Any] = []

    def note(child: Any) -> Any:
        seen.append(child)
        return child

    rewrite(type_, note)
    assert sorted(map(repr, seen)) == sorted(map(repr, SAMPLES[type_]))


def test_inner_gives_a_type_before_what_is_inside_it_at_any_depth() -> None:
    deep: Type = HELD
    for _ in range(5_000):
        deep = Array(deep)
    found = list(inner(deep))
    assert len(found) == 5_002
    assert found[-2:] == [HELD, Null()]


@pytest.mark.parametrize(
    ("type_", "expected"), [(Enumeration((VALUE,)), VALUE), (Union((VARIANT,)), VARIANT), (Object((FIELD,)), FIELD)]
)
def test_members_carry_what_the_schema_says_of_single_parts(type_: Type, expected: Any) -> None:
    assert members(type_) == (expected,)
