"""scripts/requirement_sentences.py: the sentences of a specification, and the statements that cover them."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "requirements"


@pytest.fixture(scope="module")
def script() -> Any:
    spec = importlib.util.spec_from_file_location(
        "requirement_sentences", ROOT / "scripts" / "requirement_sentences.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


TEXT = """\
# List

Agents MUST answer. Nobody minds. The
cursor SHOULD be short, and you may keep it.

* Clients MAY wait
- An item without one
1. **It must end**

```
This MUST be ignored
```
"""


def test_sentences_have_their_line_and_level(script: Any, tmp_path: Path) -> None:
    file = tmp_path / "list.md"
    file.write_text(TEXT)
    assert [(s.line, s.level, s.text) for s in script.sentences(file)] == [
        (3, 2, "Agents MUST answer."),
        (3, 1, "The cursor SHOULD be short, and you may keep it."),
        (6, 0, "Clients MAY wait"),
        (8, 2, "It must end"),
    ]


def test_a_sentence_is_covered_by_words_and_level_or_by_a_decision(script: Any, tmp_path: Path) -> None:
    file = tmp_path / "list.md"
    file.write_text("Agents MUST ignore unknown cursors of listings.\n\nClients MUST sing.\n\nClients SHOULD dance.\n")
    row = script.Statement("list/cursors", 2, script.words("An agent ignores cursors of listings that are unknown."))
    weak = script.Statement("list/song", 1, script.words("Clients sing."))
    left = [s.text for s, _, _ in script.uncovered([file], [row, weak], {"Clients SHOULD dance": "list/song"})]
    assert left == ["Clients MUST sing."], "a statement that is weaker does not cover it"


def test_a_sentence_that_is_left_fails_the_run(script: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "zebra.md"
    file.write_text("Zebras MUST wear purple hats on weekdays.\n")
    assert script.main([str(file)]) == 1
    assert capsys.readouterr().out.startswith("zebra.md:1: MUST: Zebras MUST wear purple hats on weekdays.\n")


@pytest.mark.skipif(not SHARED.is_dir(), reason="no specification lies beside this checkout")
def test_every_sentence_of_the_specification_is_covered(script: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert script.main([str(SHARED)]) == 0, capsys.readouterr().out
