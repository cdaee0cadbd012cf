"""Names of the methods of emitted sessions: clashes end the generation, and say where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.cli.main import main
from codegen.document.read import parse
from codegen.emit.handles import entries_of
from codegen.load.schema import load
from codegen.shape.method_table import rows
from codegen.shape.shaping import shape

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("taken", ["think", "send", "ask", "client"])
def test_two_methods_of_a_session_with_one_name_are_an_error_at_the_variant(
    taken: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "schema.json").read_text()
    assert text.count('"x-call": "say"') == 1
    (tmp_path / "schema.json").write_text(
        json.dumps(json.loads(text.replace('"x-call": "say"', f'"x-call": "{taken}"')))
    )
    assert main(["generate", "--schema", str(tmp_path / "schema.json"), "--out", str(tmp_path / "out")]) != 0
    said = capsys.readouterr()
    assert f"AgentSession.{taken}" in said.out + said.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["check", "generate"])
@pytest.mark.parametrize("name", ["say it", "Say", "_say", "class"])
def test_a_name_that_is_none_is_an_error_at_its_line(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "schema.json").read_text().replace('"x-call": "say"', f'"x-call": "{name}"')
    schema = tmp_path / "schema.json"
    schema.write_text(text)
    line = next(number for number, each in enumerate(text.splitlines(), 1) if f'"x-call": "{name}"' in each)
    more = ["--out", str(tmp_path / "out")] if command == "generate" else []
    assert main([command, "--schema", str(schema), *more]) != 0
    said = capsys.readouterr()
    assert f"schema.json:{line}:" in said.out + said.err
    assert f'"{name}"' in said.out + said.err


@pytest.mark.parametrize("updates", [1, 2])
def test_an_entry_is_an_object_of_the_session_where_one_update_alone_changes_it(updates: int) -> None:
    document = json.loads((ROOT / "schema.json").read_text())
    variants = document["$defs"]["SessionUpdate"]["oneOf"]
    progress = next(each for each in variants if each.get("x-name") == "ToolCallProgress")
    if updates == 2:
        tag = {"sessionUpdate": {"const": "tool_call_revision"}}
        variants.append({**progress, "properties": tag, "x-name": "ToolCallRevision"})
    schema, _ = load(parse(json.dumps(document).encode(), "schema.json"))
    shapes = shape(schema)
    entries = entries_of("client", rows(schema, shapes), schema, shapes)
    assert [entry["record"] for entry in entries] == ["ToolCall"][: 2 - updates]
