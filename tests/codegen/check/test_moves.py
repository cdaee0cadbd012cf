"""`rfd promote` and `rfd withdraw`: stages in order, nothing left behind, and what is due."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from codegen.check.parts.texts import demands
from codegen.document.read import read
from codegen.load.schema import load
from tests.conftest import ROOT

if TYPE_CHECKING:
    from tests.conftest import RunCli


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the schema with its lock, examples and suppressions, and a new RFD."""
    for name in ("schema.json", "names.lock.json", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    shutil.copytree(ROOT / "examples" / "messages", tmp_path / "examples" / "messages")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(home: Path) -> dict[str, str]:
    return {str(file.relative_to(home)): file.read_text() for file in home.rglob("*") if file.is_file()}


def rfds(home: Path) -> dict[str, Any]:
    return json.loads((home / "schema.json").read_text())["x-rfds"]


def test_a_new_rfd_that_is_withdrawn_leaves_everything_as_it_was(home: Path, run_cli: RunCli) -> None:
    before = files(home)
    assert run_cli("rfd", "new", "session-rename").code == 0
    ran = run_cli("rfd", "withdraw", "session-rename")
    assert (ran.code, ran.err) == (0, "")
    after = files(home)
    assert after.pop("rfds/session-rename.md").startswith("# Session rename\n")
    shown = {name for name in after if name.startswith("examples/messages/agent/initialize/") and "rename" in name}
    assert {name: text for name, text in after.items() if name not in shown} == before
    assert "due: rfds/session-rename.md: explain the withdrawal, or delete the text\n" in ran.out


def test_a_withdrawn_rfd_takes_requirements_names_and_examples_along(home: Path, run_cli: RunCli) -> None:
    ran = run_cli("rfd", "withdraw", "session-fork")
    assert ran.code == 0
    schema, _ = load(read(home / "schema.json"))
    assert "session-fork" not in {each.source for each in schema.requirements} | rfds(home).keys()
    assert "session/fork" not in {method.path for method in schema.methods} | {*schema.sessions.open}
    assert "ForkSession" not in (home / "names.lock.json").read_text()
    assert not list((home / "examples" / "messages" / "agent" / "session" / "fork").glob("*"))
    check = run_cli("check", "--no-compare")
    assert (check.code, check.out) == (0, "no findings\n")
    kept = (home / "schema.json").read_text().splitlines()
    assert {line.rstrip(",") for line in kept} <= {
        line.rstrip(",").replace(', "session/fork"', "") for line in (ROOT / "schema.json").read_text().splitlines()
    }


def test_stages_follow_each_other(home: Path, run_cli: RunCli) -> None:
    for stage in ("active", "preview"):
        assert run_cli("rfd", "promote", "session-fork").out.startswith(f"schema.json: session-fork is {stage}\n")
        assert rfds(home)["session-fork"]["stage"] == stage
    ran = run_cli("rfd", "withdraw", "session-fork")
    assert ran.out == (
        "schema.json: session-fork is to-be-removed\n"
        "due: announce it, and when no peer needs it, run: acp-codegen rfd withdraw session-fork\n"
    )
    assert rfds(home)["session-fork"]["stage"] == "to-be-removed"
    assert run_cli("check", "--no-compare").out == "no findings\n"
    assert "session-fork" not in run_cli("schema", "--stable").out
    assert run_cli("rfd", "withdraw", "session-fork").code == 0
    assert "session-fork" not in rfds(home)


def test_a_promotion_lists_what_is_due(home: Path, run_cli: RunCli) -> None:
    run_cli("rfd", "new", "session-rename")
    text = (home / "schema.json").read_text().replace('"rules": [\n            "not-advertised"\n          ]', "")
    (home / "schema.json").write_text(text)
    out = run_cli("rfd", "promote", "session-rename", "--to", "completed").out
    assert out.startswith("schema.json: session-rename is completed\n")
    assert "requirement-uncovered: no test covers session-rename/advertised: " in out
    assert "due: add its `champion` in x-rfds\n" in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["withdraw", "session-list"], "the RFD session-list is completed, and released peers rely on it"),
        (["promote", "session-list"], "the RFD session-list is completed; completed is the last stage"),
        (
            ["promote", "session-fork", "--to", "draft"],
            "the RFD session-fork is draft; choose a later stage: active or",
        ),
        (["promote", "session-frok"], "`x-rfds` has no RFD session-frok; did you mean session-fork?"),
        (["withdraw"], "expected a name, or `new`, `promote` or `withdraw` and a name"),
        (["session-fork", "--to", "active"], "--to: error: goes with `promote`"),
    ],
)
def test_a_move_that_is_not_possible_writes_nothing(
    home: Path, run_cli: RunCli, words: list[str], problem: str
) -> None:
    before = files(home)
    ran = run_cli("rfd", *words)
    assert (ran.code, ran.out) == (2, "")
    assert problem in ran.err
    assert files(home) == before


TEXT = """# Undo

The agent MUST undo it (`undo/once`). It may
wait, and it MUST
answer. (`undo/answers`)

- The client MUST NOT ask twice
- It should wait.

```
It MUST be code.
```
"""


def test_sentences_with_must_and_their_requirements() -> None:
    found = [(each.line, each.names) for each in demands("undo", TEXT)]
    assert found == [(3, ("undo/once",)), (4, ("undo/answers",)), (7, ())]


def test_a_requirement_that_a_text_names_exists(home: Path, run_cli: RunCli) -> None:
    (home / "rfds").mkdir()
    (home / "rfds" / "session-fork.md").write_text("The fork MUST be new (`session-fork/new-sesion`).\n")
    out = run_cli("check", "--no-compare").out
    assert 'error[rfd-text-unbound] rfds/session-fork.md:1: "session-fork/new-sesion" is not in `x-requirements`' in out
    assert "instead: did you mean session-fork/new-session?" in out


def test_a_text_behind_a_link_is_not_read(
    home: Path, run_cli: RunCli, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "x.md"
    outside.write_text("It MUST leak.\n")
    (home / "rfds").mkdir()
    (home / "rfds" / "session-fork.md").symlink_to(outside)
    assert run_cli("check", "--no-compare").out == "no findings\n"
