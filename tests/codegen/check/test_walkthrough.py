"""docs/rfd-walkthrough.md is true: its edits, made in a fresh repository, get the answers it shows."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.check.rules import RULES
from codegen.document.projection import without
from codegen.document.read import pointer_parts, read
from codegen.findings.suppressions import read_config

if TYPE_CHECKING:
    from tests.conftest import RunCli


ROOT = Path(__file__).resolve().parents[3]
RFD = "session-rename"
PAGE = ROOT / "docs" / "rfd-walkthrough.md"
COMMIT = "-c user.name=x -c user.email=x@example.com commit -q -m"
BLOCK = re.compile(r"^```(json|console)(?: (\S+))?(?: (\S+))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def blocks() -> Iterator[tuple[str, str, str, str]]:
    for match in BLOCK.finditer(PAGE.read_text()):
        language, file, pointer, body = match.groups()
        yield language, file or "", pointer or "", body


def edit(file: Path, pointer: str, update: object) -> None:
    """Merge an object into the one at a pointer of a file; without a pointer the file is new."""
    if not pointer:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(update))
        return
    document = json.loads(file.read_text())
    node = document
    for step in pointer_parts(pointer):
        node = node[step]
    node.update(update)
    file.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n")


def without_places(text: str) -> list[str]:
    """Output without line numbers, which move with every edit of the schema."""
    return re.sub(r"(schema\.json):\d+(:\d+)?", r"\1", text).splitlines()


def repository(path: Path) -> None:
    """A repository with the schema as it is, even if somebody has followed the page in it."""
    document = read(ROOT / "schema.json")
    (path / "schema.json").write_text(json.dumps(without(document, {RFD}).value, indent=2, ensure_ascii=False) + "\n")
    shutil.copy(ROOT / "pyproject.toml", path)
    shutil.copytree(ROOT / "examples" / "messages", path / "examples" / "messages")
    for command in ("init -q -b main", "add .", f"{COMMIT} start", f"{COMMIT} more --allow-empty"):
        subprocess.run(["git", *command.split()], cwd=path, check=True)


@pytest.mark.environment
def test_the_walkthrough_is_true(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_cli: RunCli) -> None:
    repository(tmp_path)
    monkeypatch.chdir(tmp_path)
    codes: list[int] = []
    for language, file, pointer, body in blocks():
        if language == "json":
            edit(tmp_path / file, pointer, json.loads(body))
            continue
        command, _, expected = body.partition("\n")
        ran = run_cli(*shlex.split(command)[4:])
        assert without_places(ran.out) == without_places(expected)
        codes.append(ran.code)
    assert codes == [0, 1, 0, 0, 0, 1]


def test_the_suppressions_on_the_page_are_ones(tmp_path: Path) -> None:
    (text,) = re.findall(r"^```toml\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(text)
    assert len(read_config(None, tmp_path / "schema.json", RULES).suppressions) == 2
