"""The work of `check` grows in proportion to the schema: lines of code that run are counted, never seconds."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import RunCli
from tests.support.instruction_count import work

SMALL, LARGE = 24, 96
METHOD = {"type": "object", "description": "A call.", "x-method": "thing/do", "x-side": "agent", "x-capability": False}
NAMED = {"description": "Something."}
TEXT = {"type": "string", **NAMED}


def schema(first: Any, **more: Any) -> dict[str, Any]:
    """A schema of one call, whose only property is of a type."""
    request = {**METHOD, "properties": {"it": {"$ref": "#/$defs/First", **NAMED}}}
    return {"$defs": {"DoRequest": request, "DoResponse": METHOD, "First": {**NAMED, **first}, **more}}


def link(number: int) -> dict[str, str]:
    return {"$ref": f"#/$defs/Type{number}"}


def chain(count: int, node: Callable[[int], Any]) -> dict[str, Any]:
    links = {f"Type{number}": {**NAMED, **node(number + 1)} for number in range(count)}
    return schema(link(0), **links, **{f"Type{count}": TEXT})


def record(number: int) -> dict[str, Any]:
    return {"type": "object", "properties": {"next": {**link(number), **NAMED}}, "required": ["next"]}


def tagged(number: int) -> dict[str, Any]:
    kind = {"const": f"v{number}", "type": "string"}
    return {"type": "object", **NAMED, "properties": {"kind": kind}, "required": ["kind"]}


def call(number: int) -> dict[str, Any]:
    node = {**METHOD, "x-method": f"thing/do{number}"}
    return {f"Do{number}Request": node, f"Do{number}Response": node}


SCHEMAS: dict[str, Callable[[int], Any]] = {
    "a chain of references": lambda n: chain(n, link),
    "a chain of required properties": lambda n: chain(n, record),
    "values of an enum": lambda n: schema({"type": "string", "enum": [f"v{i}" for i in range(n)]}),
    "values of an enum, each described": lambda n: schema({"oneOf": [{"const": f"v{i}", **NAMED} for i in range(n)]}),
    "variants with a tag": lambda n: schema({"oneOf": [tagged(i) for i in range(n)]}),
    "findings": lambda n: schema({"type": "object", "properties": {f"bad_{i}": {"type": "string"} for i in range(n)}}),
    "faults": lambda n: schema({"type": "object", "properties": {f"p{i}": {"contains": 3} for i in range(n)}}),
    "definitions that nothing uses": lambda n: schema(TEXT, **{f"Type{i}": {"type": "object"} for i in range(n)}),
    "methods": lambda n: schema(TEXT, **{k: v for i in range(n) for k, v in call(i).items()}),
}


@pytest.mark.parametrize("kind", SCHEMAS)
def test_four_times_the_schema_is_four_times_the_work(kind: str, tmp_path: Path, run_cli: RunCli) -> None:
    done: list[int] = []
    for count in (1, 1, SMALL, LARGE):  # the first run pays for imports
        file = tmp_path / f"{count}.json"
        file.write_text(json.dumps(SCHEMAS[kind](count)))  # all of it on one line
        done.append(work(lambda file=file: run_cli("check", "--schema", str(file))))  # type: ignore[misc]
    _, fixed, small, large = done
    assert large - fixed < 6 * (small - fixed)


def test_a_chain_beyond_the_stack_is_said_to_be_not_compared(run_cli: RunCli, tmp_path: Path) -> None:
    def chain(length: int) -> str:
        def variants(number: int) -> list[Any]:
            held = {"$ref": f"#/$defs/A{number + 1}"} if number + 1 < length else {"type": "string"}
            kinds = ({"kind": {"const": kind}, "next": held} for kind in "ab")
            return [{"type": "object", "properties": kind, "required": ["kind"]} for kind in kinds]

        return json.dumps({"$defs": {f"A{number}": {"oneOf": variants(number)} for number in range(length)}})

    (tmp_path / "old.json").write_text(chain(600))
    (tmp_path / "new.json").write_text(chain(601))
    ran = run_cli("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert (ran.code, "is longer than Python's stack" in ran.out + ran.err) == (3, True)
