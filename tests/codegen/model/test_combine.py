"""What satisfies two types at once, and which constants a type takes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from codegen.model.algebra.intersect import admits, intersect, merge_fields
from codegen.model.algebra.normal_form import WireForms
from codegen.model.nodes.types import (
    Array,
    Boolean,
    Enumeration,
    Field,
    Integer,
    Nullable,
    Object,
    Scalar,
    Schema,
    String,
    Type,
    Union,
    Value,
    Variant,
)

EITHER = Union((Variant(type=Boolean(), pointer="/0"), Variant(type=Integer(), pointer="/1")))
LIST = Field(name="colors", type=Array(String()), required=False, pointer="/colors")


@pytest.mark.parametrize(
    ("type_", "value", "taken"),
    [
        (Nullable(Boolean()), None, True),
        (Nullable(Boolean()), True, True),
        (Nullable(Boolean()), "red", False),
        (EITHER, 1, True),
        (EITHER, "red", False),
    ],
)
def test_a_constant_fits_what_may_be_null_or_one_of_several(type_: Type, value: Scalar, taken: bool) -> None:
    assert admits(type_, value) is taken


@pytest.mark.parametrize("flag", ["default_on_error", "default_on_null", "skip_invalid_items", "deprecated"])
@pytest.mark.parametrize("says", [(True, False), (False, True), (False, False)])
def test_a_property_declared_twice_is_as_lenient_as_either_declaration(flag: str, says: tuple[bool, bool]) -> None:
    first, second = (msgspec.structs.replace(LIST, **{flag: said}) for said in says)
    assert getattr(merge_fields(first, second, lambda type_: type_), flag) is any(says)


def test_a_property_that_a_base_declares_too_takes_what_both_take() -> None:
    def sized(**bounds: Any) -> Object:
        return Object(fields=(Field(name="size", type=Integer(**bounds), required=False, pointer="/size"),))

    both = Object(fields=sized(minimum=1).fields, bases=(sized(maximum=9),))
    form = WireForms(Schema(title="", definitions={}, methods=())).form(both)
    assert form.fields["size"].type == Integer(minimum=1, maximum=9)


@pytest.mark.parametrize("exclusive", [True, False])
def test_the_variants_of_a_union_that_fit_another_type_stay_as_exclusive_as_they_were(exclusive: bool) -> None:
    kinds = (String(max_length=3), String(min_length=2), Boolean())
    union = Union(tuple(Variant(type=kind, pointer="") for kind in kinds), exclusive=exclusive)
    both = intersect(union, String(), lambda type_: type_)
    assert both == Union(tuple(Variant(type=kind, pointer="") for kind in kinds[:2]), exclusive=exclusive)


def test_a_constant_keeps_its_own_rfd_and_gate_and_has_those_of_its_variant_where_it_has_none() -> None:
    own = Value(constant="a", pointer="", rfd="inner", capability="deep")
    values = own, Value(constant="b", pointer="")
    outer = [Variant(type=Enumeration((value,)), pointer="", rfd="outer", capability="wide") for value in values]
    (whole,) = WireForms(Schema(title="", definitions={}, methods=())).alternatives(Union(tuple(outer)))
    assert whole.type == Enumeration((own, msgspec.structs.replace(values[1], rfd="outer", capability="wide")))
