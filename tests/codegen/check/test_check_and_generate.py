"""Schemas broken at random: `check` fails wherever `generate` would refuse, and says so without a traceback."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from codegen.check.command import _load
from codegen.check.lint.lint import lint, refused
from codegen.check.rules import RULES
from codegen.diagnostics import FAULTS
from codegen.document.projection import stable
from codegen.document.read import parse
from codegen.errors import CodegenError, SchemaError
from codegen.findings.cascades import explained
from codegen.findings.finding import Finding, Level
from codegen.pipeline import load_shapes
from codegen.runtime.errors import MESSAGES
from codegen.shape.error_codes import error_codes
from codegen.shape.method_table import rows
from tests.support.sampling import exhaustive

from .demo import HANDSHAKE, Node, message, opening

TEXT: Node = {"type": "string"}
SHAPE: Node = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": "dot"}}, "required": ["kind"]},
        {"$ref": "#/$defs/Line", "properties": {"kind": {"const": "line"}}, "required": ["kind"], "x-rfd": "lines"},
        {
            "title": "other",
            "type": "object",
            "properties": {"kind": TEXT},
            "required": ["kind"],
            "not": {"anyOf": [{"properties": {"kind": {"const": "dot"}}, "required": ["kind"]}]},
        },
    ]
}
DEFINITIONS: Node = {
    **opening({"paint": {"$ref": "#/$defs/Line"}, "quick": {"type": "boolean", "default": False}}),
    **message(
        "PaintRequest",
        "agent",
        "wall/paint",
        {"shape": {"$ref": "#/$defs/Shape"}, "size": {"type": "integer", "minimum": 1}},
    ),
    **message(
        "PaintResponse", "agent", "wall/paint", {"color": {"$ref": "#/$defs/Color"}, "next": {"$ref": "#/$defs/Tree"}}
    ),
    **message("WipeNotification", "client", "wall/wipe", {"walls": {"type": "array", "items": TEXT, "maxItems": 3}}),
    "Line": {
        "type": "object",
        "properties": {"from": {"type": "number"}, "to": {"type": ["number", "null"]}},
        "required": ["from"],
    },
    "Shape": SHAPE,
    "Color": {"anyOf": [{"const": "red"}, {"const": "blue", "x-rfd": "lines"}, TEXT]},
    "Tree": {
        "allOf": [{"$ref": "#/$defs/Line"}],
        "type": "object",
        "properties": {"parts": {"type": "array", "items": {"$ref": "#/$defs/Tree"}}},
    },
    "Names": {"type": "object", "additionalProperties": {"enum": ["a", "b", None]}},
}
SCHEMA: Node = {
    "title": "Demo",
    "x-handshake": HANDSHAKE,
    "x-rfds": {"lines": {"title": "Lines", "stage": "draft"}, "dots": {"title": "Dots", "stage": "completed"}},
    "x-ordering": {"property": "walls"},
    "$defs": DEFINITIONS,
}
NAMES = [
    "foo-bar",
    "Agent",
    "connection",
    "Shape",
    "kind",
    "ShapeDot",
    "fooBar",
    "foo_bar",
    "class",
    "1st",
    "é",
    "",
    "a/b~c",
    'a"b',
]
WORDS = [
    "type",
    "$ref",
    "properties",
    "required",
    "enum",
    "const",
    "oneOf",
    "anyOf",
    "allOf",
    "not",
    "items",
    "default",
]
WORDS += [
    "title",
    "x-method",
    "x-side",
    "x-rfd",
    "x-capability",
    "minimum",
    "maximum",
    "additionalProperties",
    "format",
]
VALUES: list[Any] = [
    None,
    True,
    False,
    -1,
    1.5,
    2**70,
    "string",
    "object",
    "red",
    "agent",
    "wall/paint",
    "lines",
    "paint.no",
]
VALUES += [
    [],
    {},
    ["kind"],
    ["red", "red"],
    [{}],
    {"const": "dot"},
    {"type": "integer"},
    {"$ref": "#/$defs/Shape"},
    "#/$defs/Tree",
]
VALUES += [
    {"$ref": "#/$defs/Line"},
    {"type": "array"},
    {"oneOf": [{"type": "null"}, {"type": "null"}]},
    [{"$ref": "#/$defs/Color"}],
]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield (*path, key)
        yield from places(child, (*path, key))


def mutant(seed: int) -> bytes:
    """The schema with one or two random edits: a part removed, replaced, renamed, copied, or given another keyword."""
    dice = random.Random(seed)
    schema = copy.deepcopy(SCHEMA)
    for _ in range(dice.choice([1, 1, 2])):
        path = dice.choice(list(places(schema)))
        parent: Any = schema
        for step in path[:-1]:
            parent = parent[step]
        last = path[-1]
        match dice.randrange(5):
            case 0:
                del parent[last]
            case 1 if isinstance(parent, dict):
                parent[dice.choice(NAMES)] = parent.pop(last)
            case 2 if isinstance(parent, dict):
                parent[dice.choice(NAMES)] = copy.deepcopy(parent[last])
            case 3 if isinstance(parent[last], dict):
                parent[last][dice.choice(WORDS)] = copy.deepcopy(dice.choice(VALUES))
            case _:
                parent[last] = copy.deepcopy(dice.choice(VALUES))
    return json.dumps(schema, indent=1).encode()


def findings(text: bytes) -> list[Finding]:
    """What `check` finds in a schema by itself."""
    try:
        document = parse(text, "schema.json")
    except SchemaError as error:
        return explained(refused(error))
    return explained(lint(document, _load(document)))


def refusal(text: bytes) -> str | None:
    """Why `generate`, with --stable or without, makes no package of a schema; None where it does."""
    try:
        document = parse(text, "schema.json")
        _, schema, shapes, _ = load_shapes(document, stable=False, bare=False, note=lambda _: None)
        rows(schema, shapes)
        error_codes(schema)
        if schema.rfds is not None:
            stable(document)
            _, schema, shapes, _ = load_shapes(document, stable=True, bare=False, note=lambda _: None)
            rows(schema, shapes)
    except CodegenError as error:
        return str(error)
    except Exception as error:
        if type(error).__name__ == "ShapeError":
            return str(error)
        raise
    return None


def failing(found: list[Finding]) -> list[Finding]:
    return [finding for finding in found if finding.level is Level.error]


def test_the_schema_that_is_broken_here_is_sound() -> None:
    assert failing(findings(json.dumps(SCHEMA).encode())) == []
    assert refusal(json.dumps(SCHEMA).encode()) is None


@pytest.mark.parametrize("block", exhaustive(range(8), stay=(0, 1)))
def test_check_fails_wherever_generate_refuses(block: int) -> None:
    texts = [mutant(seed) for seed in range(block * 50, block * 50 + 50)]
    missed = [(why, text.decode()) for text in texts if (why := refusal(text)) and not failing(findings(text))]
    assert missed == []


def test_check_fails_where_an_error_code_has_the_name_of_a_helper() -> None:
    codes: list[Node] = [{"const": code} for code in MESSAGES]
    schema = copy.deepcopy(SCHEMA)
    schema["$defs"]["Fault"] = {"oneOf": [*codes, {"const": -32055, "title": "Of"}]}
    (found,) = failing(findings(json.dumps(schema).encode()))
    assert (found.id, found.pointer) == ("python-name-collision", f"/$defs/Fault/oneOf/{len(codes)}")


def test_a_definition_called_none_is_not_what_parts_without_a_reference_refer_to() -> None:
    schema = copy.deepcopy(SCHEMA)
    schema["$defs"]["None"] = TEXT
    assert [found.id for found in findings(json.dumps(schema).encode()) if found.id == "null-refused"] == []


@pytest.mark.parametrize("block", exhaustive(range(8), stay=(0, 1)))
def test_generate_refuses_wherever_check_tells_a_fault(block: int) -> None:
    ids = {fault.id for fault in FAULTS if RULES[fault.id].family == "faults"}
    for seed in range(block * 50, block * 50 + 50):
        told = [finding for finding in findings(mutant(seed)) if finding.id in ids and finding.level is Level.error]
        assert not told or refusal(mutant(seed)) is not None, (seed, told)


@pytest.mark.parametrize("seed", exhaustive(range(0, 400, 4), stay=range(0, 400, 16)))
def test_every_finding_has_a_rule_a_place_and_a_way_out(seed: int) -> None:
    for finding in findings(mutant(seed)):
        assert finding.id in RULES
        assert finding.place.line >= 1
        assert finding.place.column >= 1
        assert finding.message
        assert finding.instead
