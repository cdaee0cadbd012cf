"""The functions that read what msgspec refuses, each by itself: constants, unions of objects, variants that are not known."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

import generated as acp
from generated._runtime.codec.readers import Readers, _unknown_reader
from generated._runtime.codec.values import LENIENT, STRICT, Fault, Leaf, Reader, Reading, choice_reader
from generated._runtime.schema.definitions import Field, Record, Variant, fits
from generated._runtime.schema.registry import tables_of

READERS = Readers(tables_of(acp.TextContent))


@pytest.mark.parametrize(
    ("found", "constants", "expected"),
    [
        (1, (1,), True),
        (1.5, (1, 1.5), True),
        (True, (1,), False),
        (None, (None,), True),
        (2, (1, 2), True),
        ("a", (1, "a"), True),
    ],
)
def test_a_constant_is_told_by_its_value_whatever_kind_it_is_of(
    found: Any, constants: tuple[Any, ...], expected: bool
) -> None:
    assert fits({"v": found}, "v", constants) is expected


def refuse(_value: Any, _how: Reading) -> Any:
    raise Fault("Bad")


@pytest.fixture
def choice() -> Reader:
    """A union of a tagged variant and one that no constant leads to."""
    tagged, other = Variant(record="Tagged", constants={"kind": ("a",)}), Variant(record="Other")
    leaves = [Leaf(tagged, "kind 'a'", refuse), Leaf(other, "", refuse)]
    return choice_reader(None, leaves, keep_unknown=False, nested=False)


@pytest.mark.parametrize(("tag", "words"), [("b", "Bad (as kind 'b')"), (5, "Bad")])
def test_a_fault_of_the_variant_without_a_tag_names_the_tag_that_is_no_other_variants(
    choice: Reader, tag: Any, words: str
) -> None:
    with pytest.raises(Fault) as caught:
        choice({"kind": tag}, STRICT)
    assert caught.value.problem == words


def test_a_fault_in_a_union_within_a_union_names_the_inner_variant_alone() -> None:
    inner, outer = (Variant(record="Any", constants={name: ("a",)}) for name in ("state", "kind"))
    held = choice_reader(None, [Leaf(inner, "state 'a'", refuse)], keep_unknown=False, nested=False)
    read = choice_reader(None, [Leaf(outer, "kind 'a'", held)], keep_unknown=False, nested=False)
    with pytest.raises(Fault) as caught:
        read({"kind": "a", "state": "a"}, STRICT)
    assert caught.value.problem == "Bad (as state 'a')"


def test_a_variant_is_named_by_the_tags_that_have_one_value_in_it() -> None:
    constants = {"kind": ("a", "b"), "state": ("c",)}
    assert READERS.variant(Variant(record="TextContent", constants=constants)).label == "state 'c'"


def test_of_two_variants_that_fail_alike_the_one_that_declares_more_of_the_members_was_meant() -> None:
    few = Record(fields=(Field(wire="c", name="c", type="bool"),))
    more = Record(fields=tuple(Field(wire=name, name=name, type="int") for name in "abc"))
    leaves = [Leaf(Variant(record=each), "", READERS._record_reader(each, dict)) for each in (few, more)]
    with pytest.raises(Fault, match="Expected `int`, got `str`"):
        choice_reader(None, leaves, keep_unknown=False, nested=False)({"a": 1, "b": 2, "c": "x"}, STRICT)


@pytest.mark.parametrize("value", [5, None, [], "a"])
def test_what_is_no_object_is_no_variant_of_a_union_of_objects(choice: Reader, value: Any) -> None:
    with pytest.raises(Fault, match="Expected `object`"):
        choice(value, LENIENT)


@pytest.mark.parametrize(("value", "tag"), [({"kind": "new", "a": 1}, "new"), ({"a": 1}, "")])
def test_a_variant_that_is_not_known_keeps_its_tag_and_its_members(value: dict[str, Any], tag: str) -> None:
    read = _unknown_reader(lambda value, _how: value, "kind")
    assert read(value, STRICT) == acp.UnknownVariant(tag, value)


def test_null_is_no_record() -> None:
    text = b'{"protocolVersion": 1, "agentCapabilities": null}'
    with pytest.raises(msgspec.ValidationError, match="agentCapabilities"):
        acp.decode(acp.InitializeResponse, text, strict=True)


def test_bad_items_are_dropped_from_an_array_that_may_be_null_too() -> None:
    assert acp.decode(acp.Annotations, b'{"audience": ["user", 5]}').audience == ["user"]
    assert acp.decode(acp.Annotations, b'{"audience": null}').audience is None


def problem_of(node: Any, value: Any, how: Reading = STRICT) -> tuple[str, list[str | int]]:
    with pytest.raises(Fault) as caught:
        READERS.of_type(node)(value, how)
    return caught.value.problem, caught.value.path


def test_an_exclusive_union_takes_what_one_member_takes_and_no_more() -> None:
    short, long = ("str", {"max_length": 3}), ("str", {"min_length": 3})
    union = ("union", (short, long), {"exclusive": True})
    assert (READERS.of_type(union)("ab", STRICT), READERS.of_type(union)("abcd", STRICT)) == ("ab", "abcd")
    assert problem_of(union, "abc") == ("Fits more than one variant of the union", [])
    assert READERS.of_type(union)("abc", LENIENT) == "abc"


def test_the_fault_of_the_member_that_read_furthest_is_reported() -> None:
    words, numbers = ("list", ("list", "str")), "int"
    for members in ((words, numbers), (numbers, words)):
        assert problem_of(("union", members), [["a", 5]]) == ("Expected `str`, got `int`", [1, 0])


@pytest.mark.parametrize(
    ("limits", "good", "bad", "problem"),
    [
        ({"minimum": 2}, 2, 1, ">= 2"),
        ({"maximum": 2}, 2, 3, "<= 2"),
        ({"above": 2}, 3, 2, "> 2"),
        ({"below": 2}, 1, 2, "< 2"),
        ({"multiple_of": 2}, 4, 3, "that's a multiple of 2"),
    ],
)
def test_a_number_keeps_to_its_bounds(limits: dict[str, int], good: int, bad: int, problem: str) -> None:
    assert READERS.of_type(("int", limits))(good, STRICT) == good
    assert problem_of(("int", limits), bad) == (f"Expected `int` {problem}", [])


def test_a_choice_that_may_be_null_drops_unknown_variants_where_the_choice_itself_would() -> None:
    choice = ("ref", "SessionUpdate")
    unknown = {"sessionUpdate": "from_the_future"}
    for node in (choice, ("opt", choice)):
        assert isinstance(READERS.of_type(node, keep_unknown=True)(unknown, LENIENT), acp.UnknownVariant)
        with pytest.raises(Fault):
            READERS.of_type(node, keep_unknown=False)(unknown, LENIENT)
