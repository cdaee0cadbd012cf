"""Every example message survives the way through the typed objects and back."""

from __future__ import annotations

import json

import pytest

import generated as acp

from .documents import Example, examples, message_definitions, ours
from .judge import Judge


def test_every_example_file_holds_a_message_of_a_method() -> None:
    strays = [str(example) for example in examples() if example.key not in message_definitions(ours())]
    assert strays == []


@pytest.mark.parametrize("example", examples(), ids=str)
def test_an_example_fits_the_schema_and_comes_back_unchanged(example: Example, judge: Judge) -> None:
    type_, text, value = example.type_in(acp), example.text, example.value
    assert judge.accepts_slowly(message_definitions(ours())[example.key], value), "it does not fit the schema"
    for strict in (True, False):
        decoded = acp.decode(type_, text, strict=strict)
        assert json.loads(acp.encode(decoded)) == value, f"decoded and encoded, strict={strict}"
        taken = acp.from_dict(type_, value, strict=strict)
        assert acp.to_dict(taken) == value, f"from a dict and back, strict={strict}"
    assert acp.from_dict(type_, value) == acp.decode(type_, text), "a dict and a text differ"
