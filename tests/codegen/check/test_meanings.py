"""Statements in prose: which sentences count, when they are the same, and what absence meant before a default."""

from __future__ import annotations

import pytest

from codegen.check.compare.meanings import reworded

from .demo import Node, carried, compared, message

CASES = {
    "a statement about duty": ("It MUST be set.", "It MUST NOT be set.", ["It MUST be set."], ["It MUST NOT be set."]),
    "a statement about null": ("Null clears it.", "Null keeps it.", ["Null clears it."], ["Null keeps it."]),
    "one that is gone": ("A title. It may be long.", "A title.", ["It may be long."], []),
    "one that is new": ("A title.", "A title. Absent means none.", [], ["Absent means none."]),
    "other prose": ("A title.", "The title.", [], []),
    "case and marks": ("It *must* be set.", "It must be  set!", [], []),
    "another order": ("Null clears it. It may be long.", "It may be long. Null clears it.", [], []),
}


@pytest.mark.parametrize(("old", "new", "gone", "come"), CASES.values(), ids=CASES)
def test_only_statements_count(old: str, new: str, gone: list[str], come: list[str]) -> None:
    assert reworded(old, new) == (tuple(gone), tuple(come))


def added(description: str) -> str:
    """The level of a default that is added to a property with a description."""
    before: Node = {"type": "integer", "description": description}
    found = compared(carried("agent request", before), carried("agent request", {**before, "default": 5}))
    return next(f.level.name for f in found if f.id == "default-added")


def test_a_default_is_a_warning_where_absence_meant_something_else() -> None:
    assert [added(text) for text in ("Absent means no limit.", "The limit.", "If absent, 5.")] == [
        "warning",
        "info",
        "info",
    ]


def test_what_an_rfd_in_progress_says_may_be_reworded() -> None:
    def said(text: str) -> Node:
        return carried("agent request", {"type": "integer", "description": text, "x-rfd": "blue"})

    levels = []
    for stage in ("draft", "completed"):
        rfds = {"x-rfds": {"blue": {"title": "Blue", "stage": stage}}}
        (finding,) = compared(said("It may be 0."), said("It must be 0."), **rfds)
        levels.append((finding.id, finding.level.name))
    assert levels == [("meaning-reworded", "info"), ("meaning-reworded", "warning")]


@pytest.mark.parametrize(
    ("size", "found"), [("integer", {"method-renamed"}), ("string", {"method-removed", "request-added-ungated"})]
)
def test_a_method_with_other_names_of_its_types_is_renamed_if_its_params_and_result_are_the_same(
    size: str, found: set[str]
) -> None:
    def hanging(name: str, size: str) -> Node:
        path = f"wall/{name.lower()}"
        return {
            **message(f"{name}Request", "agent", path, {"color": {"type": "string"}}, required=["color"]),
            **message(f"{name}Response", "agent", path, {"size": {"type": size}}, required=["size"]),
        }

    assert {each.id for each in compared(hanging("Hang", "integer"), hanging("Mount", size))} == found


def test_a_statement_that_follows_a_rename_means_the_same() -> None:
    def protocol(path: str, name: str) -> Node:
        text = f"Null unless `{path}` may take a `{name}`, and `{name}.wide` must be set."
        body: Node = {"type": "object", "properties": {"wide": {"type": "string"}}}
        return {
            **message("HangRequest", "agent", path, {"picture": {"$ref": f"#/$defs/{name}"}}, description=text),
            **message("HangResponse", "agent", path),
            name: body,
        }

    def rules(path: str, name: str) -> set[str]:
        return {each.id for each in compared(protocol("hang", "Picture"), protocol(path, name))}

    assert rules("hang", "Painting") == {"type-renamed"}
    assert rules("wall/hang", "Picture") == {"method-renamed"}
