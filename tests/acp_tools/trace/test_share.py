"""`trace share`: what leaves is structure, types and the words of the protocol, and is shown before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from acp_tools.trace.share import share
from codegen.cli.main import main
from codegen.errors import InputError

PROMPT = "session/prompt params.prompt.text"


def test_no_text_name_or_path_of_the_user_leaves(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "shared.ndjson"
    assert share(record, out, (), None) == 0
    copy, original = out.read_text(), record.read_text()
    for private in (
        "ada",
        "go",
        "so be it",
        "look",
        json.loads(original.splitlines()[3])["msg"]["result"]["sessionId"],
    ):
        assert private in original
        assert f'"{private}"' not in copy
        assert f"/{private}/" not in copy
    assert "session/request_permission" in copy
    assert '"stopReason": "end_turn"' in copy
    told = capsys.readouterr().out
    assert f"    {PROMPT}: 2 strings, 4 characters" in told
    assert told.index("replaced by marks") < told.index("frames written")


def test_nothing_is_written_without_a_name(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(record.parent.iterdir())
    assert share(record, None, (), None) == 0
    assert "nothing was written" in capsys.readouterr().out
    assert sorted(record.parent.iterdir()) == before


def test_text_leaves_on_request_for_its_place_alone_and_masked(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    secret = "glpat-" + "x1Y2z3W4v5" * 2
    told = tmp_path / "told.ndjson"
    told.write_text(record.read_text().replace('"go"', f'"go {secret}"'))
    out = tmp_path / "shared.ndjson"
    assert share(told, out, (PROMPT,), None) == 0
    assert '"go (masked)"' in out.read_text()
    assert "so be it" not in out.read_text()
    assert "KEPT (--keep)" in capsys.readouterr().out


def test_a_copy_is_as_valid_as_its_record(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "shared.ndjson"
    share(record, out, (), None)
    capsys.readouterr()
    assert main(["validate", str(record)]) == main(["validate", str(out)]) == 0


def test_names_that_the_schema_does_not_have_and_lines_that_are_no_json_do_not_leave(
    record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = tmp_path / "told.ndjson"
    told.write_text(
        record.read_text().replace('"params":{', '"params":{"_meta":{"acme.example/user":"ada"},')
        + '{"t": 99, "dir": "agent-to-client", "raw": "panic: ada"}\n'
    )
    out = tmp_path / "shared.ndjson"
    share(told, out, (), None)
    assert "acme" not in out.read_text()
    assert "panic" not in out.read_text()
    assert "1 names of properties" in capsys.readouterr().out


def test_a_place_that_the_record_does_not_have_and_a_file_that_exists_are_errors(record: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is not a place in this recording"):
        share(record, None, ("session/prompt params.nothing",), None)
    with pytest.raises(InputError, match="already exists"):
        share(record, record, (), None)
