"""Names of the methods of emitted sessions: clashes end the generation, and say where."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from codegen.cli.main import main

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
