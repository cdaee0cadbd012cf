"""Statements that a rule of `validate` covers: breaking one raises just that rule, at a message that the statement is about.

Each row is a statement, a rule, and how a record goes on that keeps the statement (`broken=False`) or breaks it.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable, Collection, Iterator
from difflib import SequenceMatcher
from functools import cache
from typing import Any

import pytest

from codegen.model.nodes.root import Requirement
from codegen.model.nodes.types import Method, Schema
from codegen.model.nodes.walk import references

from .record import CAPABILITIES, Record, extended, found
from .support import ROOT

SESSIONS = {"list": {}, "delete": {"sessionId": "s1"}, "close": {"sessionId": "s1"}}
OPENS = {"fork": {"sessionId": "s1", "cwd": "/srv"}, "resume": {"sessionId": "s1", "cwd": "/srv"}}
RESULTS: dict[str, Any] = {"list": {"sessions": []}, "fork": {"sessionId": "s2"}}
TERMINATE = "_sandboxagent/session/terminate"
ENDED = {"terminated": True, "reason": "terminated", "terminatedBy": "daemon"}

Goes = Callable[[bool], Record]
ROWS: dict[tuple[str, str], Goes] = {}


def row(*statements: str, rule: str) -> Callable[[Goes], Goes]:
    """Add a row for statements that the same record breaks."""

    def add(goes: Goes) -> Goes:
        ROWS.update({(statement, rule): goes for statement in statements})
        return goes

    return add


def without(name: str) -> Any:
    """What an agent advertises that leaves out one capability of sessions."""
    sessions = {key: value for key, value in CAPABILITIES["sessionCapabilities"].items() if key != name}
    return {**CAPABILITIES, "sessionCapabilities": sessions}


def gated(name: str) -> tuple[Goes, Goes]:
    """A method that is served: by an agent that advertises it, or not; for a client that leaves it alone, or not."""

    def call(record: Record) -> Record:
        record.call(f"session/{name}", {**SESSIONS, **OPENS}[name], RESULTS.get(name, {}))
        return record

    def advertised(broken: bool) -> Record:
        return call(Record(without(name) if broken else CAPABILITIES))

    def checked(broken: bool) -> Record:
        record = Record(without(name))
        return call(record) if broken else record

    return advertised, checked


for _name in (*SESSIONS, *OPENS):
    _advertised, _checked = gated(_name)
    row(f"session-{_name}/advertised", rule="not-advertised")(_advertised)
    row(f"session-{_name}/gate-checked", rule="not-advertised")(_checked)


@row("session-list/cwd-filters", rule="filter-ignored")
def _(broken: bool) -> Record:
    record = Record()
    entry = {"sessionId": "s1", "cwd": "/elsewhere" if broken else "/srv"}
    record.call("session/list", {"cwd": "/srv"}, {"sessions": [entry]})
    return record


@row("session-list/entry-has-id-and-cwd", rule="result-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.call("session/list", {}, {"sessions": [{"sessionId": "s1"} if broken else {"sessionId": "s1", "cwd": "/"}]})
    return record


@row("session-list/cursor-continues", rule="cursor-unknown")
def _(broken: bool) -> Record:
    record = Record()
    record.listed({}, "s1", then="c1")
    record.listed({"cursor": "s1" if broken else "c1"}, "s2")
    return record


@row("session-list/cursor-opaque", rule="cursor-unknown")
def _(broken: bool) -> Record:
    record = Record()
    record.listed({}, "s1", then="offset=50")
    record.listed({"cursor": "offset=100" if broken else "offset=50"}, "s2")
    return record


@row("session-list/cursor-not-kept", rule="cursor-unknown")
def _(broken: bool) -> Record:
    record = Record()
    record.listed({}, "s1", then="c1")
    record.reopen()
    record.listed({"cursor": "c1"} if broken else {}, "s1")
    return record


@row("session-list/cursor-keeps-filter", rule="cursor-of-another-list")
def _(broken: bool) -> Record:
    record = Record()
    record.listed({"cwd": "/srv"}, "s1", then="c1")
    record.listed({"cursor": "c1", **({} if broken else {"cwd": "/srv"})}, "s2")
    return record


@row("session-list/cursor-string", rule="params-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.listed({"cursor": {"offset": 1} if broken else None}, "s1")
    return record


@row("session-list/cursor-string", rule="result-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.call("session/list", {}, {"sessions": [], "nextCursor": {"offset": 1} if broken else "1"})
    return record


@row("session-delete/names-session", rule="params-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.call("session/delete", {} if broken else {"sessionId": "s1"}, {})
    return record


@row("session-delete/gone-from-list", rule="deleted-listed")
def _(broken: bool) -> Record:
    record = Record()
    record.call("session/delete", {"sessionId": "s1"}, {})
    record.listed({}, "s2", *(["s1"] if broken else []))
    return record


@row("session-close/capability-object", rule="result-invalid")
def _(broken: bool) -> Record:
    return with_capability("close", broken)


@row("session-fork/capability-object", rule="result-invalid")
def _(broken: bool) -> Record:
    return with_capability("fork", broken)


def with_capability(name: str, broken: bool) -> Record:
    said = {**CAPABILITIES["sessionCapabilities"], name: True if broken else {}}
    return Record({**CAPABILITIES, "sessionCapabilities": said})


@row("session-close/names-session", rule="params-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.new("s1")
    record.call("session/close", {} if broken else {"sessionId": "s1"}, {})
    return record


@row("session-close/quiet-afterwards", rule="session-closed")
def _(broken: bool) -> Record:
    record = Record()
    record.new("s1", "s2")
    record.call("session/close", {"sessionId": "s1"}, {})
    record.update("s1" if broken else "s2")
    return record


@row("session-close/no-prompt-afterwards", rule="session-closed")
def _(broken: bool) -> Record:
    record = Record()
    record.new("s1", "s2")
    record.call("session/close", {"sessionId": "s1"}, {})
    prompt = {"sessionId": "s1" if broken else "s2", "prompt": [{"type": "text", "text": "Hi"}]}
    record.call("session/prompt", prompt, {"stopReason": "end_turn"})
    return record


def further(directory: str, advertised: bool = True) -> Record:
    """A session that is opened with one further directory."""
    sessions = {**CAPABILITIES["sessionCapabilities"], **({"additionalDirectories": {}} if advertised else {})}
    record = Record({**CAPABILITIES, "sessionCapabilities": sessions})
    params = {"cwd": "/srv", "mcpServers": [], "additionalDirectories": [directory]}
    record.call("session/new", params, {"sessionId": "s1"})
    return record


@row("additional-directories/absolute", rule="path-relative")
def _(broken: bool) -> Record:
    return further("lib" if broken else "/lib")


@row("additional-directories/gate-checked", rule="not-advertised")
def _(broken: bool) -> Record:
    return further("/lib", advertised=not broken)


@row("_sandboxagent/advertised", rule="not-advertised")
def _(broken: bool) -> Record:
    record = Record({"sessionCapabilities": {}} if broken else CAPABILITIES)
    record.call(TERMINATE, {"sessionId": "s1"}, ENDED)
    return record


@row("_sandboxagent/gate-checked", rule="not-advertised")
def _(broken: bool) -> Record:
    record = Record({"sessionCapabilities": {}})
    if broken:
        record.call(TERMINATE, {"sessionId": "s1"}, ENDED)
    return record


@row("_sandboxagent/result", rule="result-invalid")
def _(broken: bool) -> Record:
    record = Record()
    record.call(TERMINATE, {"sessionId": "s1"}, {**ENDED, "terminatedBy": 1} if broken else ENDED)
    return record


@row("_sandboxagent/quiet-afterwards", rule="session-closed")
def _(broken: bool) -> Record:
    record = Record()
    record.new("s1", "s2")
    record.ended("s1")
    record.update("s1" if broken else "s2")
    return record


# --- the proof -------------------------------------------------------------------------------------------------------------


def declared() -> dict[str, Requirement]:
    return {each.id: each for each in extended().schema.requirements}


@pytest.mark.parametrize(("statement", "rule"), ROWS)
def test_breaking_a_statement_raises_just_the_rule_that_covers_it(statement: str, rule: str) -> None:
    broken = ROWS[statement, rule](True)
    assert [id_ for id_, _ in found(broken)] == [rule]
    ((_, line),) = found(broken)
    assert about(extended().schema, declared()[statement]) & methods_at(broken, line)


@pytest.mark.parametrize(("statement", "rule"), ROWS)
def test_a_record_that_keeps_the_statement_and_differs_in_one_place_is_clean(statement: str, rule: str) -> None:
    kept, broken = ROWS[statement, rule](False), ROWS[statement, rule](True)
    assert found(kept) == []
    compared = SequenceMatcher(None, kept.lines, broken.lines, autojunk=False).get_opcodes()
    assert [code[0] for code in compared].count("equal") == len(compared) - 1, "one message, or one exchange"


def test_every_statement_that_a_rule_covers_has_a_row_and_no_other_has() -> None:
    assert {(id_, rule) for id_, each in declared().items() for rule in each.covered.rules} == set(ROWS)


def methods_at(record: Record, line: int) -> set[str]:
    """The method of the message in a line, be it a response."""
    message = json.loads(record.lines[line - 1])["msg"]
    asked = [json.loads(each)["msg"] for each in record.lines[:line]]
    return {
        each["method"]
        for each in asked
        if "method" in each and (each is message or each.get("id") == message.get("id"))
    }


@cache
def reached(name: str) -> frozenset[str]:
    """The definitions that a definition leads to, itself among them."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            waiting += references(extended().schema.definitions[name].type)
    return frozenset(seen)


def about(schema: Schema, statement: Requirement) -> set[str]:
    """The methods that a statement is about, or that carry what it is about."""
    return {method.path for method in schema.methods if any(_carries(method, on) for on in statement.on)}


def _carries(method: Method, on: str) -> bool:
    ends = [name for name in (method.params, method.result) if name]
    return on == method.path or any(on.partition(".")[0] in reached(name) for name in ends)


def definitions(path: str) -> Iterator[str]:
    """The definition that an example is one of."""
    side, _, rest = path.partition("/")
    folder, _, name = rest.rpartition("/")
    kind = name.split(".")[-2]
    for method in extended().schema.methods:
        if (method.path, method.side) == (folder, side):
            yield (method.result or "") if kind == "response" else method.params


def is_about(path: str, subjects: Collection[str]) -> bool:
    """Whether an example is one of a message that carries one of some subjects."""
    ends = {name for name in definitions(path) if name}
    carriers = {m.path for m in extended().schema.methods if {m.params, m.result} & ends}
    return any(on in carriers or on.partition(".")[0] in reached(end) for on in subjects for end in ends)


def test_an_example_that_covers_a_statement_is_one_of_a_message_that_it_is_about() -> None:
    examples = [(each.id, path, each.on) for each in declared().values() for path in each.covered.examples]
    assert examples
    assert [(statement, path) for statement, path, subjects in examples if not is_about(path, subjects)] == []


# --- tests -----------------------------------------------------------------------------------------------------------------

MAY_FAIL = re.compile(r"assert|raises|refuse|expect|check|fails|until", re.IGNORECASE)
"""What a test calls that judges for it."""


@cache
def functions(file: str) -> dict[str, ast.FunctionDef | ast.AsyncFunctionDef]:
    """The functions of a module that are not inside others."""
    body = ast.parse((ROOT / file).read_text(encoding="utf-8")).body
    return {node.name: node for node in body if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}


def test_a_test_that_covers_a_statement_is_collected_is_not_skipped_and_can_fail() -> None:
    tests = sorted({place for each in declared().values() for place in each.covered.tests})
    assert len(tests) > 100
    found = {place: faults(place) for place in tests}
    assert {place: faults for place, faults in found.items() if faults} == {}


def faults(place: str) -> list[str]:
    """What keeps a test from showing anything."""
    file, _, name = place.partition("::")
    if not re.fullmatch(r"tests/(\w+/)+test_\w+\.py", file) or not name.startswith("test_"):
        return ["is not collected"]
    if (test := functions(file).get(name)) is None:
        return ["does not exist"]
    marks = [mark for mark in map(ast.unparse, test.decorator_list) if re.search(r"mark\.(skip|xfail)\b", mark)]
    judges = [node for node in ast.walk(test) if isinstance(node, ast.Assert)]
    calls = [ast.unparse(node.func) for node in ast.walk(test) if isinstance(node, ast.Call)]
    may_fail = judges or any(MAY_FAIL.search(call) for call in calls)
    return marks if may_fail else [*marks, "cannot fail"]
