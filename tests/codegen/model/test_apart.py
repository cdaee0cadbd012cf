"""What tells variants apart: their constants, the tag of a union, and which variant alone takes a tag."""

from __future__ import annotations

import json
from typing import Any

import pytest

from codegen.document.read import parse
from codegen.load.schema import load
from codegen.model.algebra.discriminators import (
    Marks,
    constants,
    marks_by_pointer,
    single,
    tag_of,
    tag_of_all,
    unrivalled,
    unseparated,
)
from codegen.model.nodes.types import Enumeration, Field, String, Type, Value


def field(name: str, type_: Type, *, required: bool = True) -> Field:
    return Field(name=name, type=type_, required=required, pointer=f"/{name}")


def enumeration(*values: str, base: Type | None = None) -> Enumeration:
    return Enumeration(tuple(Value(constant=value, pointer="") for value in values), base)


FIELDS = [
    field("tag", enumeration("a")),
    field("few", enumeration("a", "b")),
    field("open", enumeration("a", base=String())),
    field("optional", enumeration("a"), required=False),
    field("text", String()),
]


def test_constants_are_required_and_closed() -> None:
    assert constants(FIELDS).keys() == {"tag", "few"}


def test_a_single_constant_has_one_value() -> None:
    assert single(FIELDS) == {"tag": "a"}


@pytest.mark.parametrize(
    ("variants", "tag"),
    [
        ([{"kind": "a"}, {"kind": "b"}, {}], "kind"),
        ([{"version": 1, "kind": "a"}, {"version": 2}], "kind"),
        ([{"one": "a"}, {"two": "b"}], "one"),
        ([{"one": "a"}, {"two": "b"}, {"two": "c"}], "two"),
        ([{}, {}], None),
        ([], None),
    ],
)
def test_the_tag_is_a_string_in_most_variants_and_the_first_of_equals(variants: Any, tag: str | None) -> None:
    assert tag_of(variants) == tag


A, B = Marks({"kind": ("a",)}), Marks({"kind": ("b", "c")})
ANY, OPEN = Marks({}), Marks({}, (("kind", "a"),))


@pytest.mark.parametrize(
    ("variants", "tag"), [([A, B], "kind"), ([A, B, ANY], None), ([A, Marks({"kind": ("b",)}, (("kind", "a"),))], None)]
)
def test_a_tag_tells_all_where_each_variant_has_it_and_none_is_open(variants: list[Marks], tag: str | None) -> None:
    assert tag_of_all(["other", "kind"], variants) == tag


@pytest.mark.parametrize(
    ("variants", "alone"), [([A, B], True), ([A, B, OPEN], True), ([A, A], False), ([A, ANY], False), ([B], True)]
)
def test_a_tag_is_unrivalled_where_no_other_variant_takes_it(variants: list[Marks], alone: bool) -> None:
    assert ("a" in unrivalled("kind", ["a", "z"], variants)) is alone


@pytest.mark.parametrize(
    ("variants", "pairs"),
    [
        ([A, B], set()),
        ([A, A], {(0, 1)}),
        ([A, B, ANY], {(0, 2), (1, 2)}),
        ([ANY, A, A], {(0, 1), (0, 2), (1, 2)}),
        ([Marks({"kind": ("a", "b")}), Marks({"kind": ("b", "c")}), Marks({"kind": ("c",)})], {(0, 1), (1, 2)}),
        ([Marks({"kind": (True,)}), Marks({"kind": (1,)})], set()),
        ([A, Marks({"kind": ("b",), "other": ("x",)}), Marks({"other": ("y",)})], {(0, 2), (1, 2)}),
    ],
)
def test_a_constant_of_the_property_that_most_have_separates_variants(
    variants: list[Marks], pairs: set[tuple[int, int]]
) -> None:
    assert set(unseparated(variants)) == pairs


def test_the_marks_of_a_variant_are_those_of_all_that_it_is_made_of() -> None:
    schema = {
        "Base": {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]},
        "It": {
            "oneOf": [
                {"title": "A", "$ref": "#/$defs/Base"},
                {
                    "title": "B",
                    "type": "object",
                    "properties": {"level": {"enum": [1, 2]}},
                    "required": ["level"],
                    "not": {"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]},
                },
            ]
        },
    }
    loaded, _ = load(parse(json.dumps({"$defs": schema}).encode(), "f.json"))
    assert marks_by_pointer(loaded) == {
        "/$defs/Base": Marks({"kind": ("a",)}),
        "/$defs/It/oneOf/0": Marks({"kind": ("a",)}),
        "/$defs/It/oneOf/1": Marks({"level": (1, 2)}, (("kind", "a"),)),
    }
