"""A break is shown by a message that one side sends and the other refuses; jsonschema agrees on each of the rules' fixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codegen.check.rules import RULES
from codegen.findings.finding import Finding, Level
from codegen.findings.report import render
from codegen.findings.rule import Effect

from .demo import Node, carried, compared
from .support import FIXTURES, run

BREAKS = [
    rule for rule, row in RULES.items() if row.effect in (Effect.NARROWS, Effect.WIDENS, Effect.OMITS, Effect.BREAKS)
]

# Breaks that no single message shows.
WITHOUT = {
    "method-removed": "there is no message on the other side",
    "method-renamed": "the message is the same",
    "method-side-changed": "the message is the same",
    "method-kind-changed": "the message is the same",
    "request-added-ungated": "there is no message on the other side",
    "capability-gate-changed": "the message is the same",
    "capability-removed": "the property is optional, and dropped",
    "capability-default-enabled": "the message is the same, and means another thing",
    "constraint-tightened": "the fixture's smaller format is reported to readers and refuses nothing by itself",
    "handshake-changed": "the message is the same",
    "stable-became-unstable": "the message is the same",
    "rfd-stage-reversed": "the message is the same",
    "rfd-withdrawn": "there is no message on the other side",
    "additional-properties-closed": "nobody writes what no schema declares",
    "additional-properties-opened": "nobody writes what no schema declares",
}


def definitions(text: Path) -> Node:
    found: Node = json.loads(text.read_text())
    return found


def judge(schema: Node, carrier: str) -> Draft202012Validator:
    """What decides about params or a result in the schema of one side."""
    path, _, end = carrier.partition(" (")
    suffix = {"request)": "Request", "response)": "Response", "notification)": "Notification"}[end]
    (name,) = (n for n, d in schema["$defs"].items() if d.get("x-method") == path and n.endswith(suffix))
    return Draft202012Validator({**schema, "$ref": f"#/$defs/{name}"})


def examples(rule: str) -> list[Finding]:
    return [f for f in run(FIXTURES / rule, rule) if f.example is not None]


@pytest.mark.parametrize("rule", BREAKS)
def test_a_message_that_shows_a_break_is_taken_by_its_sender_and_refused_by_the_other(rule: str) -> None:
    sides = {
        name: definitions(FIXTURES / rule / f"{file}.json") for name, file in (("old", "before"), ("new", "after"))
    }
    for finding in examples(rule):
        assert finding.example is not None
        sender = finding.example.sender
        receiver = "new" if sender == "old" else "old"
        assert judge(sides[sender], finding.example.carrier).is_valid(finding.example.message)
        assert not judge(sides[receiver], finding.example.carrier).is_valid(finding.example.message)


@pytest.mark.parametrize("rule", BREAKS)
def test_every_rule_about_a_break_shows_one_or_has_a_reason_why_not(rule: str) -> None:
    shown = any(f.rule == rule for f in examples(rule))
    assert shown is not (rule in WITHOUT)


def changed(before: Node, after: Node) -> Finding:
    base = carried("agent request", {"type": "array", "items": {"$ref": "#/$defs/Color"}})
    (finding,) = compared({**base, "Color": before}, {**base, "Color": after})
    return finding


MESSAGES: dict[str, tuple[Node, Node, Any, str]] = {
    "a new value": ({"enum": ["red"]}, {"enum": ["red", "blue"]}, {"color": ["blue"]}, "new"),
    "a lost value": ({"enum": ["red", "blue"]}, {"enum": ["red"]}, {"color": ["blue"]}, "old"),
    "a bound": ({"type": "integer"}, {"type": "integer", "minimum": 1}, {"color": [0]}, "old"),
    "null": ({"type": "string"}, {"type": ["string", "null"]}, {"color": [None]}, "new"),
}


@pytest.mark.parametrize(("before", "after", "message", "sender"), MESSAGES.values(), ids=MESSAGES)
def test_the_message_is_the_smallest_that_holds_what_changed(
    before: Node, after: Node, message: Any, sender: str
) -> None:
    example = changed(before, after).example
    assert example is not None
    assert (example.message, example.sender, example.carrier) == (message, sender, "wall/paint (request)")


def test_a_report_shows_the_message_and_who_refuses_it() -> None:
    text = render([changed({"enum": ["red", "blue"]}, {"enum": ["red"]})], "text", rules=RULES)
    assert (
        '    for example: {"color": ["blue"]} in wall/paint (request): a released peer sends it, a new one refuses it\n'
        in text
    )


def test_what_breaks_nobody_needs_no_message() -> None:
    found = changed(
        {"anyOf": [{"const": "red"}, {"type": "string"}]},
        {"anyOf": [{"const": "red"}, {"const": "blue"}, {"type": "string"}]},
    )
    assert (found.level, found.example) == (Level.info, None)
