"""Branches that change the schema in different places merge without a conflict in the manifest."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]


def _schema(first: str = "string", last: str = "string") -> str:
    ask = {"type": "object", "x-method": "ask", "x-side": "agent", "x-capability": False}
    things: dict[str, Any] = {
        name: {"type": "object", "properties": {"a": {"type": type_}}}
        for name, type_ in zip(
            ("Alpha", "Beta", "Delta", "Gamma", "Omega"), (first, *["string"] * 3, last), strict=True
        )
    }
    return json.dumps({"title": "Tiny", "$defs": {"AskRequest": ask, "AskResponse": ask, **things}}, indent=2)


def test_a_manifest_is_merged_and_the_next_generation_makes_it_true(tmp_path: Path, run_cli: RunCli) -> None:
    def git(*arguments: str) -> None:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=a", "-c", "user.email=a@b.c", *arguments]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def commit(**types: str) -> None:
        (tmp_path / "schema.json").write_text(_schema(**types))
        ran = run_cli("generate", "--schema", tmp_path / "schema.json", "--out", tmp_path / "out")
        assert ran.code == 0, ran.err
        git("add", "-A")
        git("commit", "-q", "-m", "a change")

    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text((ROOT / ".gitattributes").read_text())
    commit()
    git("checkout", "-q", "-b", "mine")
    commit(first="integer")
    git("checkout", "-q", "main")
    commit(last="boolean")
    git("merge", "-q", "mine")
    assert (tmp_path / "schema.json").read_text() == _schema(first="integer", last="boolean")
    made = ("generate", "--schema", tmp_path / "schema.json", "--out", tmp_path / "out")
    stale = run_cli(*made, "--check")
    assert (stale.code, "manifest.json: stale" in stale.out) == (1, True)
    assert run_cli(*made).code == 0
    assert run_cli(*made, "--check").code == 0
