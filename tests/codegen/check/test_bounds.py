"""What `diff` says of bounds: in which way a type takes other values, with each bound that moved, what keeps more out first."""

from __future__ import annotations

import pytest

from codegen.findings.finding import Finding

from .demo import Node, carried, compared

INTEGER, NUMBER, STRING = {"type": "integer"}, {"type": "number"}, {"type": "string"}
HARD = "^(?=a)a{2}$"
"""A pattern of which no text can be made up."""

BOUNDS: dict[str, tuple[Node, Node, str]] = {
    "less": ({**INTEGER, "maximum": 9}, {**INTEGER, "maximum": 5}, "error takes less: maximum is now 5 (was 9)"),
    "more": ({**INTEGER, "minimum": 3}, INTEGER, "error takes more: minimum is not set (was 3)"),
    "moved": (
        {**INTEGER, "minimum": 0, "maximum": 5},
        {**INTEGER, "minimum": 3, "maximum": 9},
        "error takes other values: minimum is now 3 (was 0), maximum is now 9 (was 5)",
    ),
    "moved, the other way round": (
        {**STRING, "minLength": 3, "maxLength": 9},
        {**STRING, "minLength": 0, "maxLength": 5},
        "error takes other values: length at most is now 5 (was 9), length at least is not set (was 3)",
    ),
    "a smaller size": (
        {**INTEGER, "format": "uint32"},
        {**INTEGER, "format": "uint16"},
        "error takes less: maximum is now 65535 (was 4294967295)",
    ),
    "beyond and at least": (
        {**INTEGER, "exclusiveMinimum": 0.5},
        {**INTEGER, "exclusiveMinimum": 1},
        "error takes less: minimum is now 2 (was 1)",
    ),
    "beyond, of any numbers": (
        {**NUMBER, "exclusiveMaximum": 1},
        {**NUMBER, "exclusiveMaximum": 2},
        "error takes more: exclusive maximum is now 2 (was 1)",
    ),
    "another divisor": (
        {**INTEGER, "multipleOf": 2},
        {**INTEGER, "multipleOf": 3},
        "error takes other values: divisor is now 3 (was 2)",
    ),
    "items": (
        {"type": "array", "items": STRING},
        {"type": "array", "items": STRING, "maxItems": 2},
        "error takes less: items at most is now 2 (was not set)",
    ),
    "patterns that no text tells apart": (
        {**STRING, "pattern": HARD},
        {**STRING, "pattern": HARD + "(?!b)"},
        f"warning may accept other values (not decidable): pattern is now {HARD}(?!b) (was {HARD})",
    ),
    "a format that binds nobody": (STRING, {**STRING, "format": "uri"}, "warning: format is now uri (was not set)"),
    "such a format gone": (
        {**STRING, "format": "uri"},
        STRING,
        "warning: format is not set (was uri)",
    ),
}


def changed(old: Node, new: Node) -> Finding:
    (found,) = compared(carried("agent request", old), carried("agent request", new))
    return found


def test_a_pattern_in_other_words_changes_nothing() -> None:
    old, new = ({**STRING, "pattern": pattern} for pattern in ("^[a-c]+$", "^(?:[cab])+$"))
    assert compared(carried("agent request", old), carried("agent request", new)) == []


@pytest.mark.parametrize(("old", "new", "expected"), BOUNDS.values(), ids=BOUNDS)
def test_a_bound_that_moved_is_named(old: Node, new: Node, expected: str) -> None:
    found = changed(old, new)
    level, _, text = expected.partition(" ")
    assert (
        f"{found.level.name} {found.message}"
        == f"{level.removesuffix(':')} PaintRequest.color{':' * level.endswith(':')} {text}"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({**INTEGER, "exclusiveMinimum": 0}, {**INTEGER, "minimum": 1}),
        ({**INTEGER, "format": "uint16"}, {**INTEGER, "minimum": 0, "maximum": 65535}),
        ({**STRING, "minLength": 0}, STRING),
        ({**NUMBER, "format": "float"}, {**NUMBER, "format": "double"}),
    ],
    ids=["beyond", "a size written out", "no length", "a number's format"],
)
def test_a_bound_in_other_words_is_no_change(old: Node, new: Node) -> None:
    assert compared(carried("agent request", old), carried("agent request", new)) == []


def test_bounds_that_moved_break_both_peers_and_leniency_helps_both() -> None:
    old, new = {**INTEGER, "maximum": 5}, {**INTEGER, "minimum": 3}
    who = ("new agents reading from released clients", "released agents reading from new clients")
    assert set(changed(old, new).breaks) == set(who)
    lenient = {"x-deserialize-default-on-error": True}
    assert changed({**old, **lenient}, {**new, **lenient}).level.name == "warning"
