"""Random edits of a type: the message that shows a break is accepted by its sender and rejected by the other side, says jsonschema."""

from __future__ import annotations

import random
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codegen.findings.finding import Finding
from tests.support.sampling import exhaustive

from .demo import Node, carried, compared
from .test_witnesses import judge

CARRIERS = {
    "agent request": "client-to-agent",
    "agent response": "agent-to-client",
    "client request": "agent-to-client",
    "agent notification": "client-to-agent",
    "client notification": "agent-to-client",
}


def scalar(dice: random.Random) -> Node:
    """A type without parts."""
    low = dice.choice([0, 1, 3])
    return dice.choice(
        [
            {"type": "string"},
            {"type": "string", "minLength": low},
            {"type": "string", "maxLength": low + 2},
            {"type": "string", "pattern": dice.choice(["^a", "^[ab]+$", "^[a-c]+$", "x"])},
            {"type": "string", "enum": dice.sample(["red", "green", "blue"], dice.choice([1, 2, 3]))},
            {"anyOf": [{"const": each} for each in dice.sample(["red", "green"], 2)] + [{"type": "string"}]},
            {"type": "integer"},
            {"type": "integer", "minimum": low},
            {"type": "integer", "exclusiveMaximum": low, "minimum": -2},
            {"type": "number", "maximum": low},
            {"type": "boolean"},
            {"type": ["string", "null"]},
            {"allOf": [{"type": "string"}, {"minLength": low}]},
            {},
        ]
    )


def shape(dice: random.Random, depth: int = 2) -> Node:
    """A type."""
    if not depth or dice.random() < 0.3:
        return scalar(dice)
    names = dice.sample(["a", "b", "c"], dice.choice([1, 2, 3]))
    match dice.randrange(6):
        case 0:
            bounds = dice.choice([{}, {"minItems": 1}, {"maxItems": 2}])
            return {"type": "array", "items": shape(dice, depth - 1), **bounds}
        case 1:
            return {"type": "object", "additionalProperties": shape(dice, depth - 1)}
        case 2:
            tagged = [variant(dice, name, depth) for name in names]
            return {"oneOf": tagged}
        case 3:
            return {"anyOf": [shape(dice, depth - 1), {"type": "null"}]}
        case _:
            properties = {name: shape(dice, depth - 1) for name in names}
            required = dice.sample(names, dice.randrange(len(names) + 1))
            closed = dice.choice([{}, {}, {"additionalProperties": False}])
            return {"type": "object", "properties": properties, "required": required, **closed}


def variant(dice: random.Random, tag: str, depth: int) -> Node:
    properties = {"kind": {"const": tag}, "value": shape(dice, depth - 1)}
    return {"type": "object", "properties": properties, "required": ["kind", *dice.choice([[], ["value"]])]}


def edited(dice: random.Random, node: Node) -> Node:
    """A type with a part replaced, added or removed."""
    found: Node = {**node}
    parts: list[tuple[str, Any]] = [
        (k, v) for k, v in found.items() if k in ("properties", "items", "oneOf", "additionalProperties")
    ]
    if not parts or dice.random() < 0.3:
        return shape(dice)
    key, part = dice.choice(parts)
    if isinstance(part, bool):
        found.pop(key)
    elif key == "properties":
        name = dice.choice([*part])
        kept = {k: v for k, v in part.items() if k != name}
        choice = dice.randrange(4)
        if choice == 0 and name != "kind":
            found[key] = kept
            found["required"] = [n for n in found.get("required", []) if n != name]
        elif choice == 1:
            found["required"] = sorted({*found.get("required", [])} ^ {name})
        elif choice == 2:
            found[key] = {**part, "d": shape(dice, 1)}
            found["required"] = [*found.get("required", []), *dice.choice([[], ["d"]])]
        elif "const" not in part[name]:
            found[key] = {**part, name: edited(dice, part[name])}
    elif key == "oneOf":
        index = dice.randrange(len(part))
        changed = dice.choice([[], [edited(dice, part[index])], [part[index], variant(dice, "d", 2)]])
        found[key] = [*part[:index], *changed, *part[index + 1 :]] or part
    else:
        found[key] = edited(dice, part)
    return found


def contradictions(old: Node, new: Node, where: str, found: Finding) -> list[str]:
    """What an example says that jsonschema, or its finding, does not."""
    example = found.example
    assert example is not None
    sides = {"old": {"$defs": old}, "new": {"$defs": new}}
    path, _, role = example.carrier.removesuffix(")").rpartition(" (")
    validators = {
        side: Draft202012Validator({**schema, "$ref": f"#/$defs/{path}"})
        if role == "definition"
        else judge(schema, example.carrier)
        for side, schema in sides.items()
    }
    receiver = "new" if example.sender == "old" else "old"
    told = {"old": "released", "new": "new"}
    return [
        text
        for text, holds in (
            ("the sender rejects it", validators[example.sender].is_valid(example.message)),
            ("the receiver accepts it", not validators[receiver].is_valid(example.message)),
            ("nobody of its finding receives it", any(told[receiver] in who for who in found.breaks)),
            ("its finding has another direction", CARRIERS[where] in found.directions),
        )
        if not holds
    ]


@pytest.mark.parametrize("block", exhaustive(range(12), stay=(0, 1)))
def test_a_witness_is_accepted_by_its_sender_and_rejected_by_the_side_that_its_finding_names(block: int) -> None:
    shown, wrong = 0, list[object]()
    for seed in (*range(block * 50, block * 50 + 50), 2423):
        dice = random.Random(seed)
        where = dice.choice(list(CARRIERS))
        before = shape(dice)
        after = edited(dice, before)
        old, new = ({**carried(where, {"$ref": "#/$defs/Color"}), "Color": each} for each in (before, after))
        try:
            found = compared(old, new)
        except AssertionError:
            continue  # does not load
        for finding in found:
            if finding.example is not None:
                shown += 1
                wrong += [
                    (seed, text, finding.message, finding.example, before, after)
                    for text in contradictions(old, new, where, finding)
                ]
    assert wrong == []
    assert shown > 20
