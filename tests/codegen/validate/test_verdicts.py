"""The fast verdict, the exact words and the decoders of the generated package agree with the judge, `jsonschema`.

Mutants are the same on every run. One exception is named: an integer written 1.0 is valid (JSON Schema), told as a warning,
and refused by the decoders.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from random import Random
from typing import Any

import msgspec
import pytest

import generated as acp
from codegen.document.json_parser import Parser
from codegen.validate.values.values import value_notes
from tests.wire.documents import Example, examples, message_definitions, ours
from tests.wire.instances import constants, dropped, mutated, paths, put

from .support import ids, of_file, protocol

TAGS = sorted(constants(ours()))
WORDS = frozenset(TAGS)
NAMES = message_definitions(ours())
GROUPS = [list(group) for _, group in groupby(examples(), key=lambda example: example.path.parent)]
by_method = pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0].side}/{group[0].method}")


def mutants(example: Example, count: int) -> Iterator[Any]:
    """A key dropped, a null put, and other changes by chance."""
    chance, value = Random(str(example)), example.value
    places = [path for path in paths(value) if path]
    for path in chance.sample(places, min(count // 4, len(places))):
        yield dropped(value, path)
        yield put(value, path, None)
    for _ in range(count // 2):
        yield mutated(value, chance, TAGS)


def errors(name: str, value: Any) -> list[str]:
    """What `validate` says against a value."""
    parsed = Parser().parse(json.dumps(value).encode())
    notes = value_notes(protocol(), name, parsed.value, parsed, path=(), rule="value-invalid")
    return [note.text for note in notes if note.rule == "value-invalid"]


@by_method
def test_an_example_message_has_no_finding(group: list[Example]) -> None:
    found = {str(example): ids(of_file(example.path)) for example in group}
    assert {example: rules for example, rules in found.items() if rules} == {}


@pytest.mark.slow
@by_method
def test_a_mutant_gets_the_verdict_of_jsonschema(group: list[Example]) -> None:
    for example in group:
        name = NAMES[example.key]
        for value in mutants(example, 24):
            assert protocol().valid(name, value) == protocol().judge.accepts(name, value), value


@pytest.mark.slow
@by_method
def test_what_is_invalid_has_words_and_what_is_valid_has_none(group: list[Example]) -> None:
    for example in group:
        name = NAMES[example.key]
        for value in mutants(example, 4):
            assert bool(errors(name, value)) != protocol().judge.accepts(name, value), value


@pytest.mark.slow
@by_method
def test_the_lenient_verdict_is_that_of_the_lenient_decoder(group: list[Example]) -> None:
    for example in group:
        for value in mutants(example, 40):
            accepted = protocol(tolerant=True).valid(NAMES[example.key], value)
            assert accepted == decodes(example.type_in(acp), value), value


def decodes(type_: Any, value: Any) -> bool:
    try:
        acp.decode(type_, json.dumps(value))
    except msgspec.ValidationError:
        return False
    return True


@by_method
def test_what_is_remembered_of_a_value_is_true_of_those_that_are_alike(group: list[Example]) -> None:
    for example in group[:2]:
        name = NAMES[example.key]
        for value in mutants(example, 8):
            if not protocol().valid(name, value):
                protocol().faults(name, value)
                other = reworded(value)
                assert protocol().faults(name, other) == protocol().judge.faults(name, other), other


def reworded(value: Any) -> Any:
    """A value with other texts, tags apart."""
    if isinstance(value, dict):
        return {key: reworded(child) for key, child in value.items()}
    if isinstance(value, list):
        return [reworded(child) for child in value]
    return f"{value}?" if isinstance(value, str) and value not in WORDS else value


def test_the_lenient_words_lead_to_places_in_the_schema_as_it_is_written() -> None:
    value = {"sessionId": "s", "update": {"sessionUpdate": "tool_call", "toolCallId": 1, "title": "t"}}
    (fault,) = protocol(tolerant=True).faults("SessionNotification", value)
    assert fault.pointer == "/$defs/ToolCallId/type"


@pytest.mark.parametrize(
    "used", [0.0, 1.0, 2.0**50, 2.0**51, 2.0**52, 2.0**53]
)  # from 2**52 on no float has a fraction
def test_an_integer_written_with_a_fraction_is_valid_and_told(used: float) -> None:
    value = {"sessionId": "s", "update": {"sessionUpdate": "usage_update", "used": used, "size": 1}}
    parsed = Parser().parse(json.dumps(value).encode())
    notes = value_notes(protocol(), "SessionNotification", parsed.value, parsed, path=(), rule="value-invalid")
    assert [note.rule for note in notes] == ["integer-with-fraction"]


def test_a_number_with_a_fraction_that_may_have_one_is_not_told() -> None:
    value = {
        "update": {"sessionUpdate": "usage_update", "size": 2, "used": 1, "cost": {"amount": 1.0, "currency": "EUR"}}
    }
    parsed = Parser().parse(json.dumps({"sessionId": "s", **value}).encode())
    notes = value_notes(protocol(), "SessionNotification", parsed.value, parsed, path=(), rule="value-invalid")
    assert list(notes) == []
