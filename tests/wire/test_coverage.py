"""The example messages show all of the protocol."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from .coverage import Coverage, parts
from .documents import definitions, examples, message_definitions, ours

# What travels in the frames of JSON-RPC itself: an example file holds params or a result alone.
OF_THE_FRAME = frozenset({"Error", "ErrorCode"})


@pytest.fixture(scope="module")
def shown() -> set[str]:
    """The parts of our schema that the examples show."""
    coverage = Coverage(ours())
    for example in examples():
        coverage.add(message_definitions(ours())[example.key], example.value)
    return coverage.seen


def without_frame(names: Iterable[str]) -> list[str]:
    return sorted(n for n in names if n.replace(".", " ").split(" ")[0] not in OF_THE_FRAME)


def test_every_method_has_an_example_of_each_kind() -> None:
    assert sorted(set(message_definitions(ours())) - {example.key for example in examples()}) == []


def test_every_definition_has_an_example(shown: set[str]) -> None:
    assert without_frame(set(definitions(ours())) - shown) == []


def test_every_variant_has_an_example(shown: set[str]) -> None:
    assert without_frame(name for name in parts(ours()) - shown if "|" in name.rpartition(".")[2]) == []


def test_every_value_has_an_example(shown: set[str]) -> None:
    assert without_frame(name for name in parts(ours()) - shown if " = " in name) == []


def test_every_property_has_an_example(shown: set[str]) -> None:
    assert without_frame(name for name in parts(ours()) - shown if "." in name and " = " not in name) == []


@pytest.mark.parametrize(
    ("message", "missing"),
    [
        ({}, {"Thing.a", "Thing.kind", "Thing.kind = 'x'", "Thing.kind = 'y'", "Leaf", "Leaf.deep", "Thing.more"}),
        (
            {"a": {"deep": 1}, "kind": "y"},
            {"Thing.kind = 'x'", "Thing.more", "Thing.more[] | 'p'", "Thing.more[] | 'q'"},
        ),
        ({"more": ["q"]}, {"Thing.a", "Thing.kind", "Leaf", "Thing.more[] | 'p'"}),
    ],
    ids=["nothing", "no array", "one of two variants"],
)
def test_the_walker_lists_what_no_message_shows(message: dict[str, object], missing: set[str]) -> None:
    thing = {
        "type": "object",
        "properties": {
            "a": {"$ref": "#/$defs/Leaf"},
            "kind": {"enum": ["x", "y"]},
            "more": {"type": "array", "items": {"oneOf": [{"const": "p"}, {"const": "q"}]}},
        },
    }
    document = {"$defs": {"Thing": thing, "Leaf": {"type": "object", "properties": {"deep": {"type": "integer"}}}}}
    coverage = Coverage(document)
    coverage.add("Thing", message)
    assert missing <= parts(document) - coverage.seen
    assert not (parts(document) - coverage.seen) & {f"Thing.{key}" for key in message}
