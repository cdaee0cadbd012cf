"""The budget of variants: what is at it becomes classes, what is beyond it is one line with the limit and the place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from codegen.document.read import parse
from codegen.limits import VARIANTS
from codegen.load.schema import load
from codegen.model.algebra.structure import Structure
from codegen.model.naming.leaves import ShapeError
from codegen.model.naming.variants import Flattener
from codegen.shape.shaping import shape

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import RunCli


def variant(key: str, value: str) -> dict[str, Any]:
    return {"type": "object", "properties": {key: {"const": value}}, "required": [key]}


def combined(count: int) -> dict[str, Any]:
    """An object of some unions of two."""
    unions = {f"U{n}": {"oneOf": [variant(f"k{n}", "a"), variant(f"k{n}", "b")]} for n in range(count)}
    return {**unions, "All": {"type": "object", "allOf": [{"$ref": f"#/$defs/{name}"} for name in unions]}}


def flat(count: int) -> dict[str, Any]:
    return {"All": {"oneOf": [variant("k", f"v{n}") for n in range(count)]}}


def leaves(definitions: dict[str, Any]) -> int:
    schema, _ = load(parse(json.dumps({"$defs": definitions}).encode(), "f.json"))
    return len(shape(schema).choices["All"].leaves)


def test_what_is_within_the_limit_is_flattened() -> None:
    assert 2**8 <= VARIANTS.most < 2**9
    assert leaves(combined(8)) == 2**8
    assert leaves(flat(VARIANTS.most)) == VARIANTS.most


def test_a_combination_knows_its_place_in_each_union_that_one_variant_alone_may_fit() -> None:
    schema, _ = load(parse(json.dumps({"$defs": combined(2)}).encode(), "f.json"))
    places = [leaf.indices for leaf in Flattener(schema, Structure.of(schema)).definition("All")]
    assert places == [(0, 0), (0, 1), (1, 0), (1, 1)]


@pytest.mark.parametrize(
    ("definitions", "pointer"),
    [
        (combined(9), "/$defs/All"),
        (combined(60), "/$defs/All"),
        (flat(VARIANTS.most + 1), f"/$defs/All/oneOf/{VARIANTS.most}"),
    ],
    ids=["combined", "many combined", "flat"],
)
def test_what_is_beyond_it_is_refused_at_its_place(definitions: dict[str, Any], pointer: str) -> None:
    with pytest.raises(ShapeError, match="limit `variants`") as caught:
        leaves(definitions)
    assert caught.value.pointer == pointer


def test_the_refusal_is_one_line_of_generate_and_a_finding_of_check(tmp_path: Path, run_cli: RunCli) -> None:
    path = tmp_path / "schema.json"
    path.write_text(json.dumps({"title": "T", "$defs": combined(11)}))
    ran = run_cli("--schema", path, "--out", tmp_path / "out")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "(limit `variants`, see docs/limits.md) (move one of the unions to a property) at /$defs/All" in ran.err
    assert "error[limit-exceeded]" in run_cli("check", "--schema", path).out
