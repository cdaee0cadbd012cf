"""Spelling is not a change: a schema compared with itself, written otherwise, has no finding."""

from __future__ import annotations

import copy
import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codegen.check.command import compare_files
from tests.support.sampling import exhaustive
from tests.upstream import RELEASES, release_name

ROOT = Path(__file__).resolve().parents[3]
FILES = {"ours": ROOT / "schema.json"} | {release_name(path): path for path in RELEASES}
Node = dict[str, Any]
LITERAL = ("default", "const", "enum", "examples")


def nodes(value: Any, change: Callable[[Node], Node], *, names: bool = False) -> Any:
    """A document with every schema in it changed."""
    if isinstance(value, dict):
        inside = {
            key: child if key in LITERAL and not names else nodes(child, change, names=key in ("properties", "$defs"))
            for key, child in value.items()
        }
        return inside if names else change(inside)
    return [nodes(child, change) for child in value] if isinstance(value, list) else value


def reordered(document: Node) -> Node:
    order = random.Random(4)

    def shuffled(value: Any) -> Any:
        if isinstance(value, dict):
            members = [(key, shuffled(child)) for key, child in value.items()]
            order.shuffle(members)
            return dict(members)
        return [shuffled(child) for child in value] if isinstance(value, list) else value

    def members(node: Node) -> Node:
        for key in ("anyOf", "oneOf", "required", "enum"):
            if isinstance(node.get(key), list):
                order.shuffle(node[key])
        return node

    return dict(shuffled(nodes(document, members)))


def wrapped(document: Node) -> Node:
    def wrap(node: Node) -> Node:
        if "$ref" not in node:
            return node
        rest = {key: child for key, child in node.items() if key not in ("$ref", "allOf")}
        return {**rest, "allOf": [{"$ref": node["$ref"]}, *node.get("allOf", [])]}

    return dict(nodes(document, wrap))


def without_hints(document: Node) -> Node:
    return dict(nodes(document, lambda node: {k: v for k, v in node.items() if k != "discriminator"}))


def enums_of_one(document: Node) -> Node:
    def spelled(node: Node) -> Node:
        return {("enum" if k == "const" else k): [v] if k == "const" else v for k, v in node.items()}

    return dict(nodes(document, spelled))


def without_envelopes(document: Node) -> Node:
    kept = {name: node for name, node in document["$defs"].items() if node is True or "x-docs-ignore" not in node}
    return {k: v for k, v in document.items() if k not in ("anyOf", "oneOf")} | {"$defs": kept}


def moved_to_definitions(document: Node) -> Node:
    """Every inline type of a property, and every inline variant, becomes a definition."""
    document = copy.deepcopy(document)
    moved: Node = {}
    for node in document["$defs"].values():
        if not isinstance(node, dict) or "x-docs-ignore" in node:
            continue
        for place, own in (
            ("properties", ("description", "default")),
            *((k, ("title", "description")) for k in ("anyOf", "oneOf")),
        ):
            holder: Any = node.get(place, {})
            for key, inner in list(holder.items() if isinstance(holder, dict) else enumerate(holder)):
                kept = {k: v for k, v in inner.items() if k in own or k.startswith("x-")}
                rest = {k: v for k, v in inner.items() if k not in kept}
                if "$ref" in rest or "not" in rest or "const" in rest or not rest or set(rest) == {"allOf"}:
                    continue
                moved[f"Moved{len(moved)}"] = rest
                holder[key] = {**kept, "$ref": f"#/$defs/Moved{len(moved) - 1}"}
    document["$defs"].update(moved)
    return document


SPELLINGS: dict[str, Callable[[Node], Node]] = {
    "as it is, without indentation": lambda document: document,
    "in another order": reordered,
    "with every reference in allOf": wrapped,
    "without discriminators": without_hints,
    "with enums of one for constants": enums_of_one,
    "without envelopes": without_envelopes,
    "with inline types moved to definitions": moved_to_definitions,
}


def all_at_once(document: Node) -> Node:
    return functools.reduce(lambda spelt, spell: spell(spelt), SPELLINGS.values(), document)


@pytest.mark.parametrize("spelling", exhaustive(SPELLINGS, stay=["in another order"]))
def test_another_spelling_is_no_change(spelling: str, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(SPELLINGS[spelling](json.loads(FILES["ours"].read_text()))))
    assert [finding.message for finding in compare_files(FILES["ours"], other, unstable=True).findings] == []


@pytest.mark.parametrize("file", exhaustive(FILES, stay=["ours", "current/schema.json"]))
def test_nor_are_all_other_spellings_at_once(file: str, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(all_at_once(json.loads(FILES[file].read_text()))))
    assert [finding.message for finding in compare_files(FILES[file], other, unstable=True).findings] == []


@pytest.mark.parametrize(
    "spelling", exhaustive([name for name in SPELLINGS if "moved" not in name], stay=["without discriminators"])
)
def test_nor_is_the_way_back(spelling: str, tmp_path: Path) -> None:
    other = tmp_path / "other.json"
    other.write_text(json.dumps(SPELLINGS[spelling](json.loads(FILES["ours"].read_text()))))
    assert [finding.message for finding in compare_files(other, FILES["ours"], unstable=True).findings] == []
