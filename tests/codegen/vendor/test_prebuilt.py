"""The package that is ready: `vendor` and `new` copy it where it is what the generator would write, and nowhere else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from codegen.emit import package as emitted
from codegen.emit import prebuilt
from codegen.emit.parts import ALL
from codegen.emit.prebuilt import COMBINATIONS, DATA
from codegen.write.manifest import NAME
from scripts.prebuilt import generated, text

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
SLOW = ("jinja2", "black", "datamodel_code_generator", "pydantic", "jsonpath_rfc9535", "yaml")


def vendored(folder: Path, parts: tuple[str, ...]) -> list[str]:
    """Vendor the standard package in a process of its own; the modules of the generator that it imported."""
    chosen = [part for part in parts if part in ALL]
    options = [*({*parts} - {*chosen}), *(["--with", ",".join(chosen)] if chosen else [])]
    code = f"import sys; from codegen.cli.main import main; assert main(['vendor', *{[str(folder), *options]!r}]) == 0"
    code += f"\nprint(*(name for name in {SLOW!r} if name in sys.modules))"
    environment = {"PYTHONPATH": str(ROOT), "PATH": ""}
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=folder.parent, env=environment, capture_output=True, text=True, check=True
    )
    return ran.stdout.splitlines()[-1].split()


@pytest.mark.parametrize("parts", COMBINATIONS, ids=lambda parts: "+".join(parts) or "core")
def test_a_copy_is_byte_for_byte_what_the_generator_writes(tmp_path: Path, parts: tuple[str, ...]) -> None:
    assert vendored(tmp_path / "acp", parts) == []
    paths = [path for path in (tmp_path / "acp").rglob("*") if path.is_file() and path.name != NAME]
    found = {path.relative_to(tmp_path / "acp").as_posix(): path.read_bytes() for path in paths}
    assert found == {path: written.encode() for path, written in generated(parts).items()}


def test_other_parts_are_generated(tmp_path: Path, run_cli: RunCli, monkeypatch: pytest.MonkeyPatch) -> None:
    rendered, render = list[object](), emitted.render
    monkeypatch.setattr(emitted, "render", lambda *given, **chosen: rendered.append(given) or render(*given, **chosen))
    for parts, runs in ((), 0), (("--with", "blocking"), 1):
        assert run_cli("vendor", tmp_path / "acp", "--schema", ROOT / "schema.json", *parts).code == 0
        assert len(rendered) == runs
    assert (tmp_path / "acp" / "blocking.py").exists()


def test_the_data_is_what_the_package_makes_it() -> None:
    assert text() == DATA.read_text(encoding="utf-8"), "run `make generate`"


def changed(sources: dict[str, str]) -> dict[str, str]:
    return sources | {"models.py": sources["models.py"] + "\n"}


def without(sources: dict[str, str]) -> dict[str, str]:
    return {path: text for path, text in sources.items() if path != "_runtime/tasks.py"}


@pytest.mark.parametrize("break_it", [changed, without, lambda _: {}])
def test_what_is_not_the_standard_package_is_not_copied(
    tmp_path: Path,
    run_cli: RunCli,
    monkeypatch: pytest.MonkeyPatch,
    break_it: Callable[[dict[str, str]], dict[str, str]],
) -> None:
    standard = prebuilt.standard_files
    monkeypatch.setattr(prebuilt, "standard_files", lambda: break_it(standard()))
    assert run_cli("vendor", tmp_path / "acp", "--schema", ROOT / "schema.json").code == 0
    written = (tmp_path / "acp" / "models.py").read_text(encoding="utf-8")
    assert written.partition("\n# ruff")[2] == standard()["models.py"].partition("\n# ruff")[2]
    assert (tmp_path / "acp" / "_runtime" / "tasks.py").exists()


def test_a_package_with_other_names_is_generated_and_says_what_they_become(tmp_path: Path, run_cli: RunCli) -> None:
    lock = tmp_path / "acp" / "names.lock.json"
    assert run_cli("vendor", tmp_path / "acp", "--schema", ROOT / "schema.json").code == 0
    kept = lock.read_text(encoding="utf-8").replace('{"class": "Cost"', '{"class": "Price"')
    assert kept != lock.read_text(encoding="utf-8")
    lock.write_text(kept, encoding="utf-8")
    ran = run_cli("vendor", tmp_path / "acp", "--force")
    assert (ran.code, "was Price in Python and is now Cost" in ran.err) == (0, True), ran.err


def test_a_package_that_lost_files_is_completed_by_copying(tmp_path: Path) -> None:
    vendored(tmp_path / "acp", ())
    for path in ("agent.py", "_runtime/tasks.py", "METHODS.md"):
        (tmp_path / "acp" / path).unlink()
    assert vendored(tmp_path / "acp", ()) == []
    found = {path: (tmp_path / "acp" / path).read_text(encoding="utf-8") for path in generated(())}
    assert found == generated(())


def test_an_option_runs_the_generator(tmp_path: Path, run_cli: RunCli) -> None:
    assert run_cli("vendor", tmp_path / "acp", "--schema", ROOT / "schema.json", "--stable").code == 0
    assert "Unstable: RFD" not in (tmp_path / "acp" / "models.py").read_text(encoding="utf-8")
