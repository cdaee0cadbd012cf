"""`diff` takes a place for lenient only where a receiver can make something of the keyword."""

from __future__ import annotations

from typing import Any

import pytest

from codegen.document.keywords import DEFAULT_ON_ERROR, DEFAULT_ON_NULL

from .demo import carried, compared

TEXT = {"type": "string"}
KIND = {"enum": ["a", "b"]}


def narrowed(before: dict[str, Any], after: dict[str, Any], *, required: bool) -> set[str]:
    """The levels of what changed at a property that an agent reads."""
    old, new = (carried("agent request", each) for each in (before, after))
    for side in (old, new):
        if required:
            side["PaintRequest"]["required"] = ["color"]
    return {finding.level.name for finding in compared(old, new)}


@pytest.mark.parametrize(
    ("more", "required", "level"),
    [
        ({DEFAULT_ON_ERROR: True}, False, "warning"),
        ({DEFAULT_ON_ERROR: True}, True, "error"),
        ({DEFAULT_ON_ERROR: True, "default": "a"}, True, "warning"),
        ({}, False, "error"),
    ],
    ids=["may be absent", "required", "with a default", "without the keyword"],
)
def test_a_bad_value_is_forgiven_where_something_can_be_read_instead(
    more: dict[str, Any], required: bool, level: str
) -> None:
    assert {level} == narrowed({**TEXT, **more}, {**KIND, **more}, required=required)


@pytest.mark.parametrize(("more", "level"), [({}, "error"), ({"default": "a"}, "info")], ids=["useless", "of use"])
def test_null_is_read_as_the_default_where_something_can_be_read_instead(more: dict[str, Any], level: str) -> None:
    before = {"anyOf": [KIND, {"type": "null"}]}
    assert {level} == narrowed(before, {**KIND, DEFAULT_ON_NULL: True, **more}, required=False)
