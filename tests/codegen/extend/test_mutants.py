"""Extensions broken at random: each is applied or refused, and refused in its own file."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from codegen.check.lint.generate_errors import refuse
from codegen.document.extend import Extended
from codegen.document.read import join, pointer_parts
from codegen.errors import SchemaError
from codegen.pipeline import load_shapes, read_extended

ROOT = Path(__file__).resolve().parents[3]
EXTENSION = json.loads((ROOT / "examples" / "extensions" / "sandboxagent.json").read_text(encoding="utf-8"))
VALUES = [None, True, -1, "", "_", "object", "#/$defs/SessionId", [], {}, [1], {"a": 1}, "$..*", "$['$defs'].*"]
KEYS = [
    "type",
    "x-side",
    "x-method",
    "remove",
    "update",
    "target",
    "$ref",
    "required",
    "_meta",
    "x-capability",
    "allOf",
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from places(child, (*path, key))


def at(value: Any, path: tuple[Any, ...] | list[str]) -> Any:
    for step in path:
        value = value[int(step) if isinstance(value, list) else step]
    return value


def mutant(seed: int) -> Any:
    dice = random.Random(seed)
    value = copy.deepcopy(EXTENSION)
    path = dice.choice([path for path in places(value) if path])
    parent = at(value, path[:-1])
    match dice.randrange(3):
        case 0:
            del parent[path[-1]]
        case 1 if isinstance(parent, dict):
            parent[dice.choice(KEYS)] = dice.choice(VALUES)
        case _:
            parent[path[-1]] = dice.choice(VALUES)
    return value


def refusal(path: Path) -> SchemaError | None:
    """What is wrong with an extension; None where it can be applied and shaped."""
    try:
        document = read_extended(ROOT / "schema.json", [path])
        load_shapes(document, stable=False, bare=True, refuse=refuse, note=lambda _: None)
    except SchemaError as error:
        return error
    return None


@pytest.mark.parametrize("seeds", [8, pytest.param(40, marks=pytest.mark.environment)])
def test_a_mutant_is_applied_or_refused_in_its_own_file(tmp_path: Path, seeds: int) -> None:
    path = tmp_path / "mutant.json"
    files = set()
    for seed in range(seeds):
        path.write_text(json.dumps(mutant(seed)), encoding="utf-8")
        error = refusal(path)
        files.add(error.file if error is not None else None)
    assert files == {None, str(path)}


def test_every_part_of_an_extended_document_stands_where_its_origin_says() -> None:
    document = read_extended(ROOT / "schema.json", [ROOT / "examples" / "extensions" / "sandboxagent.json"])
    assert isinstance(document, Extended)
    for path in places(document.value):
        value = at(document.value, path)
        if not isinstance(value, (dict, list)):
            origin, pointer = document.origin(join("", *path))
            assert at(origin.value, pointer_parts(pointer)) == value
