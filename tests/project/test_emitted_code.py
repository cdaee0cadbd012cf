"""The second law: the schema is normalised, the output never patched."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import black
import pytest
from black.mode import TargetVersion

from codegen.document.read import read
from codegen.emit import models, package
from codegen.emit.dmcg import Kind, Written, written
from codegen.formatting.format import Formatter
from codegen.load.schema import load
from codegen.resources import resource
from codegen.shape.package import package as content
from codegen.shape.public import PASSED_ON
from codegen.shape.shapes import Shapes
from codegen.shape.shaping import shape

ROOT = Path(__file__).resolve().parents[2]
DEFINITIONS = json.loads((ROOT / "schema.json").read_bytes())["$defs"]


def classes(text: str) -> set[str]:
    """The classes and aliases a module defines."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
    return found


def numbered(text: str) -> list[str]:
    """Classes that end in a digit which no definition's name ends in."""
    return sorted(name for name in classes(text) if re.search(r"_?\d+$", name) and name not in DEFINITIONS)


@pytest.mark.parametrize("path", sorted((ROOT / "generated").glob("*.py")), ids=lambda path: path.name)
def test_no_class_has_a_number_that_the_schema_does_not_give_it(path: Path) -> None:
    assert numbered(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("text", ["class Thing1: ...", "class Meta_1: ...", "Alias2: TypeAlias = int"])
def test_a_numbered_class_is_found(text: str) -> None:
    assert numbered(text)


class Steps:
    """What the steps of rendering took and gave."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.written: list[Written] = []
        self.given: dict[str, str] = {}
        self.formatted: dict[str, tuple[str, str]] = {}

        def recording(shapes: Shapes, data: Mapping[str, Any], *kind: Kind) -> Written:
            self.written.append(written(shapes, data, *kind))
            return self.written[-1]

        class Recording(Formatter):
            def add(recorder, name: str, text: str) -> None:  # noqa: N805
                self.given[name] = text
                Formatter.add(recorder, name, text)

            def add_large(recorder, name: str, text: str) -> None:  # noqa: N805
                self.given[name] = text
                Formatter.add_large(recorder, name, text)

            def result(recorder) -> dict[str, str]:  # noqa: N805
                result = Formatter.result(recorder)
                self.formatted = {name: (text, result[name]) for name, text in self.given.items()}
                return result

        monkeypatch.setattr(models, "written", recording)
        monkeypatch.setattr(package, "Formatter", Recording)
        monkeypatch.setattr(package, "MANY", 0)  # with the second process
        schema, _ = load(read(resource("schema.json")))
        self.files = package.render(content(schema, shape(schema)))


@pytest.fixture(scope="module")
def steps() -> Any:
    with pytest.MonkeyPatch.context() as monkeypatch:
        yield Steps(monkeypatch)


@pytest.mark.slow
def test_what_was_written_reaches_the_formatter_unchanged_and_in_order(steps: Steps) -> None:
    made, again = steps.written
    classes = [
        node.name for node in ast.parse(steps.formatted["pydantic_models.py"][0]).body if isinstance(node, ast.ClassDef)
    ]
    assert list(again.records) == list(made.records) == classes
    module = ast.parse(steps.formatted["models.py"][0]).body
    found = {
        node.name: [
            (ast.unparse(i.target), ast.unparse(i.annotation)) for i in node.body if isinstance(i, ast.AnnAssign)
        ]
        for node in module
        if isinstance(node, ast.ClassDef)
    }
    assert list(found) == list(made.records)
    for name, model in made.records.items():
        fields = model.annotations
        kept = sorted(pair for pair in found[name] if pair[0] in fields)
        assert kept == sorted((field, ast.unparse(ast.parse(text))) for field, text in fields.items()), name
    aliases = {ast.unparse(i.target): ast.unparse(i.value) for i in module if isinstance(i, ast.AnnAssign) and i.value}
    assert made.aliases
    for name, text in made.aliases.items():
        assert aliases[name] == ast.unparse(ast.parse(text)), name


@pytest.mark.slow
@pytest.mark.parametrize("name", ["methods.py", "agent.py", "models.py"])
def test_what_is_formatted_is_what_black_makes_of_it(steps: Steps, name: str) -> None:
    before, after = steps.formatted[name]
    assert after == black.format_str(before, mode=black.Mode(line_length=120, target_versions={TargetVersion.PY311}))


@pytest.mark.slow
def test_what_is_formatted_is_emitted_unchanged_below_its_header(steps: Steps) -> None:
    for name, (_, after) in steps.formatted.items():
        assert steps.files[name].partition(f"\n{package.TOOLS_OFF}\n")[2] == after, name


@pytest.mark.slow
def test_the_runtime_is_copied_as_it_lies(steps: Steps) -> None:
    home = ROOT / "codegen" / "runtime"
    for path in sorted(home.rglob("*.py")):
        name = path.relative_to(home).as_posix()
        assert steps.files[f"_runtime/{name}"] == f"{package.RUNTIME_HEADER}\n{path.read_text(encoding='utf-8')}"


def test_the_runtime_is_the_same_bytes_for_every_schema() -> None:
    ours, sources = (
        {path.relative_to(home).as_posix(): path.read_text(encoding="utf-8") for path in home.rglob("*.py")}
        for home in (ROOT / "generated" / "_runtime", ROOT / "codegen" / "runtime")
    )
    assert ours == {name: f"{package.RUNTIME_HEADER}\n{text}" for name, text in sources.items()}


@pytest.mark.parametrize(("module", "sources"), PASSED_ON.items())
def test_a_module_that_passes_names_on_has_those_of_the_runtime(
    module: str, sources: dict[str, tuple[str, ...]]
) -> None:
    passed_on = importlib.import_module(f"generated.{module}")
    assert passed_on.__all__ == sorted(name for names in sources.values() for name in names)
    for source, names in sources.items():
        runtime = importlib.import_module(f"generated._runtime.{source}")
        assert [name for name in names if getattr(passed_on, name) is not getattr(runtime, name)] == []


def test_the_package_of_the_examples_is_what_the_schema_and_its_extension_make() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "codegen", "vendor", "examples/acp", "--check"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (0, "examples/acp is up to date\n"), ran.stdout + ran.stderr
