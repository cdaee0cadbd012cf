"""A pattern of the schema that may go back holds up neither `check` nor `validate`, and no decoder runs it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from codegen.emit.normalised import type_schema
from codegen.model.nodes.types import String
from codegen.shape.nodes import type_node
from tests.conftest import RunCli

WILD = "^(a+)+$"
METHOD = {"type": "object", "description": "A call.", "x-method": "thing/do", "x-side": "agent", "x-capability": False}
LONG = "a" * 41


def schema(tmp_path: Path) -> Path:
    text: Any = {"type": "string", "pattern": WILD}
    also = {"oneOf": [{"const": LONG, **text}, {"const": "x", "type": "string"}]}
    request = {**METHOD, "properties": {"text": text, "also": also}}
    (tmp_path / "schema.json").write_text(json.dumps({"$defs": {"DoRequest": request, "DoResponse": METHOD}}, indent=1))
    return tmp_path / "schema.json"


def test_check_ends_and_says_so(tmp_path: Path, run_cli: RunCli) -> None:
    ran = run_cli("check", "--schema", str(schema(tmp_path)), "--format", "json")
    assert "pattern-dangerous" in ran.out


def test_validate_ends_with_the_verdict(tmp_path: Path, run_cli: RunCli) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "thing/do", "params": {"text": LONG + "b"}}
    (tmp_path / "message.json").write_text(json.dumps(message))
    ran = run_cli("validate", "--schema", str(schema(tmp_path)), str(tmp_path / "message.json"))
    assert 'expected a match of "^(a+)+$"' in ran.out
    assert ran.code == 1


def test_no_decoder_runs_it(tmp_path: Path, run_cli: RunCli) -> None:
    ran = run_cli("generate", "--schema", str(schema(tmp_path)), "--out", str(tmp_path / "out"))
    assert ran.code == 0
    assert ran.err.count("decoders do not check this `pattern`") == 2
    assert WILD not in (tmp_path / "out" / "models.py").read_text()


@pytest.mark.parametrize(("pattern", "kept"), [(WILD, False), ("^a+$", True)])
def test_a_decoder_checks_a_pattern_that_cannot_hold_it_up(pattern: str, kept: bool) -> None:
    assert (repr(pattern) in repr(type_node(String(pattern=pattern)))) is kept
    assert (type_schema(String(pattern=pattern)) == {"type": "string", "pattern": pattern}) is kept
