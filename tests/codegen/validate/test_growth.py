"""The work of `validate` grows in proportion to what it reads: lines of code that run are counted, never seconds."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.document.read import Document, parse
from codegen.errors import InputError
from codegen.findings.finding import Finding
from codegen.limits import FILE
from codegen.load.schema import load
from codegen.model.nodes.types import Schema
from codegen.validate.results.summary import Summary
from codegen.validate.sources import files
from codegen.validate.sources.documents import read_document
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol
from tests.support.instruction_count import work

from .support import ROOT, of_file

SMALL, LARGE = 25, 100
PLAIN = {"cwd": "/", "mcpServers": []}


def call(params: dict[str, Any], **more: Any) -> str:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": params, **more})


def prompt(blocks: list[Any]) -> str:
    params = {"sessionId": "s", "prompt": blocks}
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": "session/prompt", "params": params}, ensure_ascii=False)


def plan(entries: list[Any]) -> str:
    update = {"sessionUpdate": "plan", "entries": entries}
    return json.dumps({"jsonrpc": "2.0", "method": "session/update", "params": {"sessionId": "s", "update": update}})


TEXTS: dict[str, Callable[[int], str]] = {
    "undeclared keys": lambda n: call({**PLAIN, **{f"k{i}": i for i in range(n)}}),
    "undeclared keys of the envelope": lambda n: call(PLAIN, **{f"k{i}": i for i in range(n)}),
    "items with an undeclared key beside a free one": lambda n: prompt(
        [{"type": "text", "text": "", "_meta": {"a": {}}, "zz": 1} for _ in range(n)]
    ),
    "items that are bad": lambda n: prompt([{"type": "text", "text": i} for i in range(n)]),
    "items that lack a property": lambda n: plan([{"content": "", "priority": "high"} for _ in range(n)]),
    "bad items, no ASCII": lambda n: prompt([{"type": "text", "text": "é"}, *({"type": "text"} for _ in range(n))]),
    "keys that stand twice in one object": lambda n: free("{%s}", '"k%d": 1, "k%d": 2', n),
    "keys that stand twice in objects": lambda n: free("[%s]", '{"k%d": 1, "k%d": 2}', n),
}


def free(whole: str, part: str, count: int) -> str:
    """A call with something repeated where anything may stand."""
    value = whole % ", ".join(part % (i, i) for i in range(count))
    return call({**PLAIN, "_meta": {"a": 0}}).replace('"a": 0', f'"a": {value}')


@cache
def loaded() -> tuple[Document, Schema]:
    document = parse((ROOT / "schema.json").read_bytes(), "schema.json")
    return document, load(document)[0]


def read(kind: str, text: str, tmp_path: Path) -> Callable[[], int]:
    protocol, found = Protocol(*loaded()), list[Finding]()
    if kind == "message.json":
        (tmp_path / kind).write_text(text, encoding="utf-8")
        one = tmp_path / kind
        return lambda: files.read_file(one, protocol, Summary(), found.append, lambda _: None) or len(found)
    if kind == "transcript":
        lines = io.BytesIO(text.encode() + b"\n")
        return lambda: read_transcript(lines, kind, protocol, Summary(), found.append) or len(found)
    document = f"```json\n{text}\n```\n".encode()
    return lambda: read_document(document, kind, protocol, Summary(), found.append) or len(found)


@pytest.mark.parametrize("texts", TEXTS)
@pytest.mark.parametrize("kind", ["message.json", "transcript", "document"])
def test_four_times_the_findings_are_four_times_the_work(kind: str, texts: str, tmp_path: Path) -> None:
    make = TEXTS[texts]
    first = read(kind, make(1), tmp_path)
    first()  # what is made once
    small, large = (work(read(kind, make(count), tmp_path)) for count in (SMALL, LARGE))
    assert large < 5 * small


def test_many_values_in_one_block_are_read_in_proportion(tmp_path: Path) -> None:
    pieces = '{"sessionUpdate": "plan", "entries": 5}\n'
    read("document", pieces, tmp_path)()
    small, large = (work(read("document", pieces * count, tmp_path)) for count in (SMALL, LARGE))
    assert large < 5 * small


@pytest.mark.parametrize("name", ["message.json", "document.md"])
def test_a_file_that_is_too_large_is_refused(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = call(PLAIN).encode() if name.endswith("json") else b"```json\n" + call(PLAIN).encode() + b"\n```\n"
    (tmp_path / name).write_bytes(text)
    monkeypatch.setattr(files, "FILE", FILE._replace(usual=len(text)))
    assert of_file(tmp_path / name) == []
    monkeypatch.setattr(files, "FILE", FILE._replace(usual=len(text) - 1))
    with pytest.raises(
        InputError,
        match=r"more than \d+ in a file \(limit `file-size`, see docs/limits.md\); split the file, or use a transcript",
    ):
        of_file(tmp_path / name)
