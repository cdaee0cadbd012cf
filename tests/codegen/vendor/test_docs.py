"""docs/vendoring.md is followed to the letter: every file saved, every command run, every output compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from .conftest import ROOT, run

PAGE = ROOT / "docs" / "vendoring.md"
BLOCK = re.compile(r"^```(?P<info>\S+[^\n]*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """A fenced block: its language, `title="..."` (a file), `exit=N`, and text."""

    language: str
    title: str | None
    code: int
    text: str


def blocks() -> Iterator[Block]:
    for found in BLOCK.finditer(PAGE.read_text(encoding="utf-8")):
        info = found["info"]
        title, code = re.search(r'title="([^"]+)"', info), re.search(r"exit=(\d+)", info)
        yield Block(info.split()[0], title and title[1], int(code[1]) if code else 0, found["text"])


def test_every_block_is_a_command_an_output_or_a_file() -> None:
    assert {(b.language, b.title is None) for b in blocks()} == {
        ("sh", True),
        ("text", True),
        ("python", False),
        ("json", False),
    }


@pytest.mark.environment
def test_the_page_does_what_it_says(tmp_path: Path) -> None:
    env = {
        "CLONE": str(ROOT),
        "PIP_CONSTRAINT": str(ROOT / "constraints.txt"),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }
    printed = ""
    for block in blocks():
        if block.title is not None:
            path = tmp_path / block.title
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            printed = run("bash", "-euc", block.text, cwd=tmp_path, code=block.code, env=env)
        else:
            assert printed == block.text
