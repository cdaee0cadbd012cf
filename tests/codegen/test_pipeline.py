"""A real run of `generate`, traced: its stages follow one another, and none calls an earlier one."""

from __future__ import annotations

import inspect
import json
import sys
from collections import Counter
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

import codegen
from codegen.cli.main import main

CODE = Path(codegen.__file__).parent
SCHEMA: dict[str, Any] = {
    "title": "T",
    "x-rfds": {"later": {"title": "Later", "stage": "draft"}},
    "$defs": {
        "Kind": {"oneOf": [{"const": "a", "type": "string"}, {"const": "b", "type": "string"}]},
        "PingRequest": {
            "type": "object",
            "properties": {"kind": {"$ref": "#/$defs/Kind"}, "more": {"type": "string", "x-rfd": "later"}},
            "required": ["kind"],
            "x-side": "agent",
            "x-method": "ping",
            "x-capability": False,
        },
        "PingResponse": {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "string"}}},
            "x-side": "agent",
            "x-method": "ping",
        },
        "ToldNotification": {
            "type": "object",
            "properties": {"text": {"type": "string"}},
            "x-side": "client",
            "x-method": "told",
            "x-capability": False,
        },
    },
}
ADDED = {
    "NewNotification": {
        "type": "object",
        "properties": {"kind": {"$ref": "#/$defs/Kind"}},
        "x-side": "client",
        "x-method": "_vendor/new",
        "x-capability": False,
    }
}

STAGES = ("document", "load", "name", "shape", "emit", "formatting", "write")
NAME = "model/naming/settle"
"""The module of the stage that assigns names. The rest of `model` belongs to no stage: it has no order of its own."""

ENTRIES = (
    "document/read.parse",
    "document/extend.extend",
    "document/extend.check_names",
    "document/annotations.annotated",
    "document/projection.stable",
    "load/schema.load",
    "model/naming/settle.settle",
    "shape/shaping.shape_settled",
    "shape/package.package",
    "emit/package.render",
    "emit/extension_package.render_addition",
    "write/diff.changes",
    "write/transaction.apply",
)
"""The functions that enter a stage, in the order of a run."""

READERS = {
    "document/json_types.is_json_array",
    "document/json_types.is_json_object",
    "document/read.join",
    "document/read.pointer_parts",
    "document/count_limits.check_budget",
    "document/walk.schemas",
    "shape/covariance.is_sequence",
    "shape/method_table.leaves",
    "shape/method_table.parameters",
    "shape/method_table.sides",
    "shape/nodes.without_aliases",
    "shape/public.side_classes",
    "shape/shapes.Attribute.wire",
}
"""All that a later stage calls of an earlier one: pure functions, which read its outcome and make nothing anew."""


class Trace:
    """The calls of one run: those that enter a stage, each with its first argument, and those that go back."""

    def __init__(self, *arguments: object) -> None:
        self.entered: list[tuple[str, Any]] = []
        self.back: Counter[tuple[str, str]] = Counter()
        self._names: dict[CodeType, str] = {}
        sys.setprofile(self._event)
        try:
            self.code = main([str(each) for each in arguments])
        finally:
            sys.setprofile(None)

    def counts(self) -> dict[str, int]:
        return dict(Counter(name for name, _ in self.entered))

    def _event(self, frame: FrameType, event: str, _: object) -> None:
        name = self._name(frame.f_code) if event == "call" else ""
        if not name:
            return
        if name in ENTRIES:
            self.entered.append((name, frame.f_locals[frame.f_code.co_varnames[0]]))
        stage = _stage(name)
        caller = self._caller(frame) if stage else ""
        if caller and STAGES.index(_stage(caller)) > STAGES.index(stage):
            self.back[caller, name] += 1

    def _name(self, code: CodeType) -> str:
        """A function of the compiler, by its module and name; empty for all other code."""
        if code not in self._names:
            path = Path(code.co_filename)
            is_ours = code.co_flags & inspect.CO_OPTIMIZED and path.is_relative_to(CODE)
            module = path.relative_to(CODE).with_suffix("").as_posix() if is_ours else ""
            self._names[code] = f"{module}.{code.co_qualname}" if module else ""
        return self._names[code]

    def _caller(self, frame: FrameType) -> str:
        """The nearest function of a stage that leads to a call; empty where the pipeline makes it, or an import."""
        outer = frame.f_back
        while outer is not None and outer.f_code.co_name != "<module>":
            name = self._name(outer.f_code)
            if _stage(name) or name.startswith("pipeline."):
                return name if _stage(name) else ""
            outer = outer.f_back
        return ""


def _stage(name: str) -> str:
    folder = "name" if name.startswith(NAME) else name.partition("/")[0]
    return folder if folder in STAGES else ""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Trace]:
    out = tmp_path_factory.mktemp("traced")
    (out / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    actions = [{"target": "$['$defs']", "update": ADDED}]
    overlay = {"overlay": "1.0.0", "info": {"title": "V", "version": "1"}, "actions": actions}
    (out / "extension.json").write_text(json.dumps(overlay), encoding="utf-8")
    schema = ("--schema", out / "schema.json")
    extended = (*schema, "--extend", out / "extension.json", "--stable")
    return {
        "plain": Trace("generate", *schema, "--out", out / "plain"),
        "extended": Trace("generate", *extended, "--out", out / "extended"),
        "addition": Trace("vendor", out / "addition", *extended, "--on", "acp"),
        "looked": Trace("vendor", out / "looked", *schema, "--check"),
    }


def test_each_stage_is_entered_once(runs: dict[str, Trace]) -> None:
    once = [name for name in ENTRIES if name.rpartition(".")[2] not in ("extend", "check_names", "stable")]
    once.remove("emit/extension_package.render_addition")
    assert runs["plain"].code == 0
    assert runs["plain"].counts() == dict.fromkeys(once, 1)
    assert runs["looked"].counts() == dict.fromkeys(once[:-1], 1)


@pytest.mark.parametrize("run", ["plain", "extended", "addition", "looked"])
def test_the_stages_follow_one_another(runs: dict[str, Trace], run: str) -> None:
    order = [ENTRIES.index(name) for name, _ in runs[run].entered]
    stages = [STAGES.index(_stage(ENTRIES[index])) for index in order]
    assert stages == sorted(stages)
    assert {ENTRIES[index] for index in order} >= {"load/schema.load", "write/diff.changes"}


def test_each_document_is_annotated_projected_and_loaded_once(runs: dict[str, Trace]) -> None:
    for run, loaded in (("extended", 3), ("addition", 4)):
        found = [(name, id(argument)) for name, argument in runs[run].entered]
        assert len(set(found)) == len(found)
        assert runs[run].counts()["load/schema.load"] == loaded


def test_no_stage_calls_an_earlier_one_but_to_read(runs: dict[str, Trace]) -> None:
    back = {call for run in runs.values() for call in run.back}
    assert {f"{caller} -> {called}" for caller, called in back if called not in READERS} == set()
    assert READERS - {called for _, called in back} == set()
