"""docs/review.md is true: the edit that it reviews, made in a fresh repository, gets the answers that it shows."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.codegen.check.test_walkthrough import BLOCK, ROOT, edit, repository, without_places

if TYPE_CHECKING:
    from tests.conftest import RunCli

PAGE = (ROOT / "docs" / "review.md").read_text(encoding="utf-8")
LINES = re.findall(r"^ {4}acp-codegen (diff .*?)(?: > \S+)?$", PAGE, re.MULTILINE)


@pytest.fixture
def proposal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A branch with the edit."""
    repository(tmp_path)
    subprocess.run(["git", "checkout", "-q", "-b", "proposal"], cwd=tmp_path, check=True)
    monkeypatch.chdir(tmp_path)
    for language, file, pointer, body in BLOCK.findall(PAGE):
        if language == "json":
            edit(tmp_path / file, pointer, json.loads(body))
    return tmp_path


def test_the_page_shows_what_the_commands_say(proposal: Path, run_cli: RunCli) -> None:
    codes: list[int] = []
    for language, _, _, body in BLOCK.findall(PAGE):
        if language == "console":
            command, _, expected = body.partition("\n")
            ran = run_cli(*shlex.split(command)[2:])
            assert without_places(ran.out) == without_places(expected)
            codes.append(ran.code)
    assert codes == [1, 1]


@pytest.mark.environment
def test_the_other_commands_exist(proposal: Path, run_cli: RunCli) -> None:
    (proposal / "session.ndjson").write_text(
        '{"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "s"}}\n'
    )
    assert len(LINES) == 3
    for line in LINES:
        ran = run_cli(*shlex.split(line))
        assert (ran.code, "SetSessionModeRequest.reason" in ran.out) == (1, True)


def test_a_revision_without_a_path_is_told_how_to_name_one(proposal: Path, run_cli: RunCli) -> None:
    ran = run_cli("diff", "main", "schema.json")
    assert ran.code == 2
    assert ran.err == "main: error: no such file; for a file of a git revision, write main:schema.json\n"
