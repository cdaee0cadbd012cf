"""What satisfies two types at once, and which constants a type takes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from codegen.model.algebra.intersect import ClashError, admits, intersect, merge_fields
from codegen.model.algebra.normal_form import WireForms
from codegen.model.nodes.types import (
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


def constants(*values: Scalar, base: Type | None = None) -> Enumeration:
    return Enumeration(tuple(Value(constant=value, pointer="") for value in values), base)


THING = Object(fields=(LIST,))
BOTH: list[tuple[Type, Type, Type | str]] = [
    (Anything(), Boolean(), Boolean()),
    (Integer(minimum=1, maximum=9), Number(minimum=2.5, maximum=20), Integer(minimum=2.5, maximum=9)),
    (Number(above=1, below=9), Number(above=2, below=8), Number(above=2, below=8)),
    (Number(minimum=1), Number(maximum=1), Number(minimum=1, maximum=1)),
    (Number(minimum=1), Number(below=1), "no number is within these bounds: at least 1, at most 1"),
    (Integer(above=1), Integer(below=3), Integer(above=1, below=3)),
    (Integer(above=1), Integer(below=2), "no integer is within these bounds: at least 2, at most 1"),
    (Integer(minimum=1.5), Integer(maximum=1.9), "no integer is within these bounds: at least 2, at most 1"),
    (Integer(multiple_of=2), Integer(multiple_of=2), Integer(multiple_of=2)),
    (Integer(multiple_of=2), Integer(multiple_of=3), "two different `multipleOf`"),
    (String(min_length=1, max_length=4), String(min_length=2, max_length=9), String(min_length=2, max_length=4)),
    (String(min_length=3), String(max_length=2), "no string is within these bounds: at least 3, at most 2"),
    (String(max_length=0), String(format="uri"), String(max_length=0, format="uri")),
    (String(pattern="a"), String(pattern="b"), "two different `pattern`"),
    (Array(String(), min_items=1), Array(String(max_length=2)), Array(String(max_length=2), min_items=1)),
    (
        Array(String(), min_items=1),
        Array(String(), max_items=0),
        "no array is within these bounds: at least 1, at most 0",
    ),
    (Array(String(), (Boolean(),)), Array(String()), "arrays with `prefixItems` cannot be combined"),
    (Nullable(String()), Nullable(String(max_length=1)), Nullable(String(max_length=1))),
    (Nullable(String()), String(max_length=1), String(max_length=1)),
    (Nullable(String()), Null(), Null()),
    (Map(String()), Map(String(max_length=1)), Map(String(max_length=1))),
    (constants("a", "bc"), String(max_length=1), constants("a")),
    (constants(1, 2.5, True), Integer(), constants(1)),
    (constants(4, 6, 9), Integer(multiple_of=3, above=4, below=9), constants(6)),
    (constants(4, 6.0, 9), Number(minimum=6, maximum=9), constants(6.0, 9)),
    (constants("ab", "ba", "a"), String(pattern="^a", min_length=2), constants("ab")),
    (constants("a"), Boolean(), "no value is both one of 'a' and a boolean"),
    (constants(1, 2, 3, 4, 5), Null(), "no value is both one of 1, 2, 3, 4 and a null"),
    (constants("a", base=String()), constants("a", "b"), constants("a", "b")),
    (EITHER, Integer(minimum=1), Integer(minimum=1)),
    (EITHER, String(), "no variant of the union conforms to a string"),
    (Reference("Word"), String(), Reference("Word")),
    (Reference("Word"), String(max_length=1), String(max_length=1)),
    (Nullable(Reference("Thing")), Boolean(), "no value is both an object and a boolean"),
]

ORDERED: list[tuple[Type, Type, Type | str]] = [
    (Map(String()), THING, Object(bases=(Object(extra=String()), THING))),
    (THING, Map(String()), Object(bases=(THING, Object(extra=String())))),
    (constants("a", base=String()), constants("b", base=String()), constants("a", "b", base=String())),
    (Array(Boolean()), Boolean(), "no value is both an array and a boolean"),
    (Reference("Thing"), THING, Object(bases=(Reference("Thing"), THING))),
]
"""Types whose order the result keeps."""


@pytest.mark.parametrize(("left", "right", "expected"), [*BOTH, *((b, a, both) for a, b, both in BOTH), *ORDERED])
def test_what_satisfies_two_types_or_why_nothing_does(left: Type, right: Type, expected: Type | str) -> None:
    named: dict[str, Type] = {"Thing": THING, "Word": String()}
    try:
        found: Type | str = intersect(
            left, right, lambda type_: named[type_.name] if isinstance(type_, Reference) else type_
        )
    except ClashError as clash:
        found = str(clash)
    assert found == expected
