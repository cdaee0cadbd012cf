"""`schema --normalised`: every type resolved and named, the same meaning, and generators of other languages read it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
import pytest

import generated as acp
from tests.codegen.docsite.npm import installed
from tests.wire.documents import examples, message_definitions, ours
from tests.wire.judge import Judge
from tests.wire.test_mutations import mutations

if TYPE_CHECKING:
    from tests.conftest import RunCli

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "normalised.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def document(run_cli: RunCli) -> dict[str, Any]:
    ran = run_cli("schema", "--normalised", "--schema", str(ROOT / "schema.json"))
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def nodes(value: Any) -> Iterator[dict[str, Any]]:
    """Every schema in a definition."""
    if isinstance(value, dict):
        yield value
        for keyword, inner in value.items():
            if keyword == "properties":
                for each in inner.values():
                    yield from nodes(each)
            elif keyword in ("items", "additionalProperties", "not", "anyOf", "oneOf", "prefixItems"):
                yield from nodes(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from nodes(inner)


def test_it_has_the_types_of_the_package_by_the_same_names(document: dict[str, Any]) -> None:
    # In a process of its own: packages that other tests load over this one add their types to the table.
    names = "from generated._nodes import NODES; print(*sorted(NODES))"
    ran = subprocess.run([sys.executable, "-c", names], cwd=ROOT, capture_output=True, text=True, check=True)
    assert [*document["$defs"]] == ran.stdout.split()


def test_it_is_valid_and_every_reference_is_to_a_definition(document: dict[str, Any]) -> None:
    jsonschema_rs.meta.validate(document)
    for node in nodes([*document["$defs"].values()]):
        if "$ref" in node:
            assert node["$ref"].removeprefix("#/$defs/") in document["$defs"]


def test_the_page_lists_every_keyword(document: dict[str, Any]) -> None:
    listed = {
        word for cell in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for word in re.findall("`([^`]+)`", cell)
    }
    used = {keyword for node in nodes([*document["$defs"].values()]) for keyword in node}
    assert used | {*document} | {keyword for method in document["x-methods"] for keyword in method} <= listed
    assert f"`x-format` is {document['x-format']}" in PAGE


def test_the_methods_are_those_of_the_package(document: dict[str, Any]) -> None:
    assert {(row["side"], row["method"], row["kind"]) for row in document["x-methods"]} == {*acp.methods.METHODS}
    for row in document["x-methods"]:
        method = acp.methods.METHODS[row["side"], row["method"], row["kind"]]
        assert getattr(acp, row["params"]) is method.params
        assert row.get("x-capability") == method.capability


@pytest.mark.slow
def test_it_accepts_what_the_schema_accepts(document: dict[str, Any]) -> None:
    """Every example message, and each with one thing changed, 20 times."""

    @cache
    def accepts(name: str) -> Any:
        return jsonschema_rs.validator_for({"$defs": document["$defs"], "$ref": f"#/$defs/{name}"}).is_valid

    judge, names, judged, wrong = Judge(ours()), message_definitions(ours()), [], []
    for example in examples():
        name = names[example.key]
        for value in (example.value, *mutations(example)[:20]):
            judged.append(judge.accepts(name, value))
            if accepts(name)(value) != judged[-1]:
                wrong.append((str(example), value, judged[-1]))
    assert wrong == []
    assert min(judged.count(True), judged.count(False)) > 1000


@pytest.mark.environment
def test_json_schema_to_typescript_makes_types_of_it_that_compile(document: dict[str, Any], tmp_path: Path) -> None:
    home = installed("json-schema-to-typescript", "typescript") / "node_modules" / ".bin"
    (tmp_path / "schema.json").write_text(json.dumps(document), encoding="utf-8")
    ran(tmp_path, home / "json2ts", "--unreachableDefinitions", "-i", "schema.json", "-o", "types.ts")
    (tmp_path / "use.ts").write_text(USE, encoding="utf-8")
    ran(tmp_path, home / "tsc", "--strict", "--noEmit", "types.ts", "use.ts")
    (tmp_path / "use.ts").write_text(USE.replace("text: 'hello'", "text: 1"), encoding="utf-8")
    failed = subprocess.run(
        [home / "tsc", "--strict", "--noEmit", "use.ts"], cwd=tmp_path, capture_output=True, check=False
    )
    assert failed.returncode != 0
    assert b"use.ts(2," in failed.stdout


USE = """\
import type { ContentBlock, PromptRequest } from "./types";
const block: ContentBlock = { type: "text", text: 'hello' };
export const prompt: PromptRequest = { sessionId: "s", prompt: [block] };
export const text = block.type === "text" ? block.text : "";
"""


@pytest.mark.environment
def test_quicktype_makes_java_of_it_that_compiles(document: dict[str, Any], tmp_path: Path) -> None:
    javac = shutil.which("javac")
    if javac is None:
        pytest.skip("needs a Java compiler, and there is no `javac` on the PATH")
    home = installed("quicktype") / "node_modules" / ".bin"
    (tmp_path / "schema.json").write_text(json.dumps(document), encoding="utf-8")
    (tmp_path / "types").mkdir()
    options = ("--src-lang", "schema", "--lang", "java", "--just-types", "--package", "types")
    ran(tmp_path, home / "quicktype", *options, "--src", "schema.json#/$defs/", "-o", "types/Types.java")
    made = sorted((tmp_path / "types").glob("*.java"))
    records = [name for name, node in document["$defs"].items() if node.get("type") == "object"]
    assert len(made) > len(records) // 2
    ran(tmp_path, javac, "-d", "classes", *made)
    assert "setText(String value)" in (tmp_path / "types" / "TextContent.java").read_text(encoding="utf-8")


def ran(folder: Path, *command: str | Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
