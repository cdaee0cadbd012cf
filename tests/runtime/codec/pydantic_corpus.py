"""Changed messages and values, read and written by the pydantic models and by the msgspec classes.

`python -m tests.runtime.codec.pydantic_corpus` writes the table of docs/pydantic.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from pydantic import TypeAdapter, ValidationError

import generated as acp
from generated import pydantic_models
from generated._nodes import NODES
from tests.wire.documents import examples, message_definitions, ours
from tests.wire.instances import constants, mutated

PAGE = Path(__file__).resolve().parents[3] / "docs" / "pydantic.md"
BEGIN, END = (
    "<!-- Written by `python -m tests.runtime.codec.pydantic_corpus`. -->\n",
    "<!-- The end of what it writes. -->",
)
SEED = "held-out"
"""The seed of the changes in the table. Development used others."""
REFUSED = object()
Case = tuple[str, Any]
"""The name of a type, and a JSON value for it."""


@cache
def adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(getattr(pydantic_models, name))


def by_msgspec(name: str, text: str) -> Any:
    """The value that the classes of `models` read and write again; REFUSED if they reject it."""
    try:
        return json.loads(acp.encode(acp.decode(getattr(acp.models, name), text)))
    except msgspec.ValidationError:
        return REFUSED


def by_pydantic(name: str, text: str) -> Any:
    """The same, by the pydantic models."""
    try:
        return json.loads(adapter(name).dump_json(adapter(name).validate_json(text)))
    except ValidationError:
        return REFUSED


def messages() -> list[Case]:
    """The example messages."""
    names = message_definitions(ours())
    return [(names[example.key], example.value) for example in examples()]


def parts() -> list[Case]:
    """The objects in the example messages, by class: ten of each, if there are as many."""
    found: dict[str, dict[str, Any]] = {}

    def collect(value: Any) -> None:
        # Asked by `__class__`, so that what it holds stays Any for type checkers.
        inside: Iterable[Any] = value.values() if value.__class__ is dict else value if value.__class__ is list else ()
        if type(value).__name__ in NODES:
            plain = acp.to_dict(value)
            found.setdefault(type(value).__name__, {})[json.dumps(plain)] = plain
            inside = [getattr(value, name) for name in type(value).__annotations__]
        for each in inside:
            collect(each)

    for name, value in messages():
        collect(acp.from_dict(getattr(acp.models, name), value))
    return [(name, value) for name, values in found.items() for value in [*values.values()][:10]]


def changed(cases: list[Case], seed: str, times: int) -> Iterator[tuple[Case, bool, bool]]:
    """Each case with one thing changed, several times: whether both read it alike, and whether both reject it."""
    tags = sorted(constants(ours()))
    for number, (name, value) in enumerate(cases):
        chance = Random(f"{seed} {number} {name}")
        for _ in range(times):
            other = mutated(value, chance, tags)
            text = json.dumps(other)
            ours_, theirs = by_msgspec(name, text), by_pydantic(name, text)
            yield (name, other), ours_ == theirs, ours_ is REFUSED


def has_other_constants(case: Case) -> bool:
    """Whether an object has another value in a property that its class writes as a constant."""
    name, value = case
    fields = getattr(pydantic_models, name).model_fields.values()
    fixed = {field.alias: field.default for field in fields if isinstance(field.default, (str, int))}
    return value.__class__ is dict and any(value.get(wire, each) != each for wire, each in fixed.items())


def table() -> str:
    """The table, as Markdown."""
    rows = ["| values | changed | same result | difference |", "| --- | --- | --- | --- |"]
    for about, cases, times in (("messages", messages(), 25), ("objects of one class", parts(), 10)):
        found = [*changed(cases, SEED, times)]
        different = [case for case, same, _ in found if not same]
        constant = sum(map(has_other_constants, different))
        why = f"{constant} have another tag, which the codec ignores outside of unions" if constant else ""
        why += f"; {len(different) - constant} others" if len(different) > constant else ""
        rows.append(f"| {about} | {len(found):,} | {1 - len(different) / len(found):.1%} | {why or 'none'} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}", encoding="utf-8")
