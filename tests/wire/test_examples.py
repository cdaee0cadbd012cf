"""Every example message survives the way through the typed objects and back."""

from __future__ import annotations

import json

import pytest

import generated as acp

from .documents import Example, examples, message_definitions, ours
from .judge import Judge

EXAMPLES = pytest.mark.parametrize("example", examples(), ids=str)
MODES = pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])


def test_every_example_file_holds_a_message_of_a_method() -> None:
    strays = [str(example) for example in examples() if example.key not in message_definitions(ours())]
    assert strays == []


@EXAMPLES
def test_an_example_fits_the_schema(example: Example, judge: Judge) -> None:
    assert judge.accepts_slowly(message_definitions(ours())[example.key], example.value)


@MODES
@EXAMPLES
def test_an_example_decodes_and_encodes_to_the_same_json(example: Example, strict: bool) -> None:
    decoded = acp.decode(example.type_in(acp), example.text, strict=strict)
    assert json.loads(acp.encode(decoded)) == example.value


@MODES
@EXAMPLES
def test_an_example_goes_through_plain_dicts_unchanged(example: Example, strict: bool) -> None:
    decoded = acp.from_dict(example.type_in(acp), example.value, strict=strict)
    assert acp.to_dict(decoded) == example.value


@EXAMPLES
def test_dicts_and_text_decode_to_equal_objects(example: Example) -> None:
    type_ = example.type_in(acp)
    assert acp.from_dict(type_, example.value) == acp.decode(type_, example.text)
