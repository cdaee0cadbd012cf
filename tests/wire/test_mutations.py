"""Strict decoding and a foreign JSON Schema validator agree on example messages with one thing changed."""

from __future__ import annotations

import json
import re
from itertools import groupby
from random import Random
from typing import Any

import msgspec
import pytest

import generated as acp

from .documents import Example, examples, message_definitions, ours
from .instances import Path, at, constants, dropped, mutated, paths, put
from .judge import Judge

PER_EXAMPLE = 60
TAGS = sorted(constants(ours()))
GROUPS = [list(group) for _, group in groupby(examples(), key=lambda example: example.path.parent)]

by_method = pytest.mark.parametrize("group", GROUPS, ids=lambda group: f"{group[0].side}/{group[0].method}")


def mutations(example: Example) -> list[Any]:
    """The same changes of a message on every run."""
    chance, value = Random(str(example)), example.value
    return [mutated(value, chance, TAGS) for _ in range(PER_EXAMPLE)]


def read(type_: Any, text: str, *, strict: bool = True) -> tuple[Any, str | None]:
    """What decoding makes of a text, and what it says against it; None where it takes it."""
    try:
        return acp.decode(type_, text, strict=strict), None
    except msgspec.ValidationError as error:
        return None, str(error)


def fault_of(type_: Any, value: Any) -> str | None:
    """What strict decoding says against a value; None where it takes it."""
    return read(type_, json.dumps(value))[1]


@pytest.mark.slow
@by_method
def test_decoding_judges_a_changed_message_as_the_schema_does(group: list[Example], judge: Judge) -> None:
    """The reference implementation, which is slow, judges every twentieth message."""
    wrong = []
    for example in group:
        type_, name = example.type_in(acp), message_definitions(ours())[example.key]
        for number, value in enumerate(mutations(example)):
            text, fits = json.dumps(value), judge.accepts(name, value)
            (strict, fault), (lenient, lenient_fault) = read(type_, text), read(type_, text, strict=False)
            faults = [each for each in (fault, lenient_fault) if each is not None]
            said = {
                "strict decoding judges it otherwise": (fault is None) != fits,
                "the reference judges it otherwise": number % 20 == 0 and judge.accepts_slowly(name, value) != fits,
                "lenient decoding refuses it": fits and lenient_fault is not None,
                "lenient decoding reads it as another": fits and acp.encode(lenient) != acp.encode(strict),
                "a fault names no path": any(not re.search(r" - at `\$[^`]*`$", each) for each in faults),
            }
            wrong += [(what, str(example), value, faults) for what, so in said.items() if so]
    assert wrong == []


# --- where a fault is ------------------------------------------------------------------------------------------------


def written(path: Path) -> str:
    """A place as errors write it."""
    steps = [
        f"[{step}]" if isinstance(step, int) else f".{step}" if step.isidentifier() else f"[{json.dumps(step)}]"
        for step in path
    ]
    return f"`${''.join(steps)}`"


def says_where(fault: str, path: Path) -> bool:
    return fault.endswith(f" - at {written(path)}")


WRONG_TYPES = (None, True, -1.5, "", [], {})

# Here another tag, or none, is not a fault of itself: the value is then the untagged default of the union, or not even that.
TAGS_WITH_A_DEFAULT = {"mcpServers", "items", "auth", "value"}


def may_be_default(value: Any, path: Path) -> bool:
    owner = next((step for step in reversed(path[:-1]) if isinstance(step, str)), "")
    siblings = at(value, path[:-1]) if path else None
    return path[-1:] == ("type",) and (
        owner in TAGS_WITH_A_DEFAULT or (isinstance(siblings, dict) and "configId" in siblings)
    )


@pytest.mark.slow
@by_method
def test_a_value_of_a_wrong_type_is_named_by_its_exact_path(group: list[Example]) -> None:
    astray = []
    for example in group:
        type_, value = example.type_in(acp), example.value
        for path in [path for path in paths(value) if not may_be_default(value, path)][:120]:
            for wrong in WRONG_TYPES:
                fault = fault_of(type_, put(value, path, wrong))
                if fault is not None and not says_where(fault, path):
                    astray.append((str(example), path, wrong, fault))
    assert astray == []


@pytest.mark.slow
@by_method
def test_a_missing_property_is_looked_for_in_its_object(group: list[Example]) -> None:
    astray = []
    for example in group:
        type_, value = example.type_in(acp), example.value
        for path in [path for path in paths(value) if path and isinstance(path[-1], str)][:120]:
            fault = fault_of(type_, dropped(value, path))
            fits_at_all = "missing required field" in (fault or "") or may_be_default(value, path)
            if fault is not None and not (fits_at_all and (says_where(fault, path[:-1]) or path[-1] == "type")):
                astray.append((str(example), path, fault))
    assert astray == []


# --- the plain cases, in full ------------------------------------------------------------------------------------------

PROMPT = {
    "sessionId": "s",
    "prompt": [{"type": "text", "text": "hi"}, {"type": "image", "data": "", "mimeType": "a/b"}],
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda v: dropped(v, ("sessionId",)), "Object missing required field `sessionId` - at `$`"),
        (lambda v: put(v, ("sessionId",), 5), "Expected `str`, got `int` - at `$.sessionId`"),
        (lambda v: put(v, ("prompt",), None), "Expected `array`, got `null` - at `$.prompt`"),
        (lambda v: put(v, ("prompt", 1), "x"), "Expected `object`, got `str` - at `$.prompt[1]`"),
        (lambda v: put(v, ("prompt", 1, "type"), "video"), "Invalid value 'video' - at `$.prompt[1].type`"),
        (lambda v: put(v, ("prompt", 1, "type"), 5), "Invalid value 5 - at `$.prompt[1].type`"),
        (lambda v: dropped(v, ("prompt", 1, "type")), "Object missing required field `type` - at `$.prompt[1]`"),
        (
            lambda v: put(v, ("prompt", 1, "data"), None),
            "Expected `str`, got `null` (as type 'image') - at `$.prompt[1].data`",
        ),
        (
            lambda v: put(v, ("prompt", 1, "type"), "text"),
            "Object missing required field `text` (as type 'text') - at `$.prompt[1]`",
        ),
        (lambda v: [], "Expected `object`, got `array` - at `$`"),
    ],
)
def test_a_fault_says_what_was_expected_and_where(change: Any, fault: str) -> None:
    assert fault_of(acp.PromptRequest, change(PROMPT)) == fault


def test_a_fault_in_a_union_with_an_untagged_default_names_the_tag() -> None:
    server = {"type": "carrier-pigeon", "name": "x"}
    fault = fault_of(acp.NewSessionRequest, {"cwd": "/", "mcpServers": [server]})
    assert fault == "Object missing required field `command` (as type 'carrier-pigeon') - at `$.mcpServers[0]`"


def test_a_key_that_is_no_name_is_quoted_in_the_path() -> None:
    fault = fault_of(acp.ElicitationAcceptAction, {"content": {'a "b".c': {}}})
    assert fault is not None
    assert fault.endswith(r'at `$.content["a \"b\".c"]`')


# --- the named exception ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ["1.0", "1e0", "10E-1"])
@pytest.mark.parametrize("strict", [True, False])
def test_an_integer_written_as_a_fraction_is_refused_in_both_modes(number: str, strict: bool) -> None:
    with pytest.raises(msgspec.ValidationError, match=re.escape("`$.protocolVersion`")):
        acp.decode(acp.InitializeRequest, f'{{"protocolVersion": {number}}}', strict=strict)
