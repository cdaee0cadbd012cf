"""A break is shown by a message that one side sends and the other refuses; jsonschema agrees on each of the rules' fixtures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from codegen.check.command import compare_files
from codegen.check.rules import RULES
from codegen.findings.finding import Example, Finding, Level
from codegen.findings.report import render
from codegen.findings.rule import Effect

from .demo import Node, carried, compared, document, message
from .support import FIXTURES, run

BREAKS = [
    rule for rule, row in RULES.items() if row.effect in (Effect.NARROWS, Effect.WIDENS, Effect.OMITS, Effect.BREAKS)
]

# Breaks that no single message shows.
WITHOUT = {
    "capability-gate-changed": "the message is the same",
    "capability-removed": "the property is optional, and dropped",
    "constraint-tightened": "the fixture's smaller format is reported to readers and refuses nothing by itself",
    "error-code-reassigned": "the message is the same, and means another thing",
    "handshake-changed": "the message is the same",
    "trace-changed": "the message is the same",
    "idempotent-added": "the message is the same, sent twice",
    "remote-changed": "the message is the same",
    "stable-became-unstable": "the message is the same",
    "rfd-stage-reversed": "the message is the same",
}


def definitions(text: Path) -> Node:
    found: Node = json.loads(text.read_text())
    return found


def has(schema: Node, carrier: str) -> bool:
    """Whether a schema has the method, as a request or a notification."""
    path, _, end = carrier.partition(" (")
    suffix = "Notification" if end == "notification)" else "Request"
    return any(d.get("x-method") == path and name.endswith(suffix) for name, d in schema["$defs"].items())


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
        if rule == "method-side-changed":  # it is there, but on the other side
            assert finding.example.says == "-32601 Method not found"
        elif has(sides[receiver], finding.example.carrier):
            misread = finding.example.outcome == "misreads"
            assert judge(sides[receiver], finding.example.carrier).is_valid(finding.example.message) is misread


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


def test_the_message_of_a_type_with_another_name_is_that_of_its_sender() -> None:
    def named(name: str, color: Node) -> Node:
        return {**carried("agent request", {"$ref": f"#/$defs/{name}"}), name: color}

    found = compared(named("Color", {"type": "integer"}), named("Paint", {"type": "integer", "minimum": 1}))
    (example,) = (f.example for f in found if f.id == "constraint-tightened")
    assert example == Example(message={"color": 0}, carrier="wall/paint (request)", sender="old")


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


# --- what is the reason -----------------------------------------------------------------------------------------------------


def test_a_message_that_is_refused_for_something_else_too_shows_the_part_alone() -> None:
    color = {"$ref": "#/$defs/Color"}
    old = {**carried("agent request", {"type": "object", "properties": {"inner": color}}), "Color": {"type": "integer"}}
    new = {**old, "Color": {"type": "integer", "minimum": 1}}
    new["PaintRequest"] = {**new["PaintRequest"], "required": ["color", "other"]}
    new["PaintRequest"]["properties"] = {**old["PaintRequest"]["properties"], "other": {"type": "string"}}
    (bound,) = (f for f in compared(old, new) if f.id == "constraint-tightened")
    assert bound.example == Example(message=0, carrier="Color (definition)", sender="old")


def test_of_two_messages_the_one_that_is_refused_for_nothing_else_is_shown() -> None:
    color = {"$ref": "#/$defs/Color"}
    wash = message("WashRequest", "agent", "wall/wash", {"color": color})
    old = {**carried("agent request", color), **wash, "Color": {"type": "integer"}}
    old |= message("WashResponse", "agent", "wall/wash")
    new = {**old, "Color": {"type": "integer", "minimum": 1}}
    new["PaintRequest"] = {**new["PaintRequest"], "required": ["other"]}
    (bound,) = (f for f in compared(old, new) if f.id == "constraint-tightened")
    assert bound.example == Example(message={"color": 0}, carrier="wall/wash (request)", sender="old")


# --- what the decoder of the other side says ------------------------------------------------------------------------------


def test_a_call_of_a_method_that_is_gone_is_answered_and_a_notification_ignored() -> None:
    base = carried("agent request", {"type": "string"})
    (gone,) = (f for f in compared(base, {"Color": {"type": "string"}}) if f.id == "method-removed")
    assert gone.example == Example(
        message={}, carrier="wall/paint (request)", sender="old", says="-32601 Method not found"
    )
    assert gone.example.told() == "a released peer sends it, a new one refuses it"
    told = carried("client notification", {"type": "string"})
    (gone,) = (f for f in compared(told, {"Color": {"type": "string"}}) if f.id == "method-removed")
    assert gone.example is not None
    assert gone.example.told() == "a released peer sends it, a new one ignores it"


ANSWERS: dict[str, tuple[Node, Node, str, str]] = {
    "refused": ({"$ref": "#/$defs/Color"}, {}, "refuses", "Invalid enum value 'blue' - at `$.color`"),
    "tolerated": (
        {"$ref": "#/$defs/Color", "x-deserialize-default-on-error": True},
        {},
        "tolerates",
        "Invalid enum value 'blue' - at `$.color`",
    ),
    "missing": (
        {"$ref": "#/$defs/Color"},
        {"required": ["color"]},
        "refuses",
        "Object missing required field `color` - at `$`",
    ),
}


@pytest.mark.parametrize(("property_", "more", "outcome", "says"), ANSWERS.values(), ids=ANSWERS)
def test_the_decoder_of_the_receiver_says_what_becomes_of_a_message(
    tmp_path: Path, property_: Node, more: Node, outcome: str, says: str
) -> None:
    two, three = {"Color": {"enum": ["red", "green"]}}, {"Color": {"enum": ["red", "green", "blue"]}}
    old = {**carried("agent request", property_), **two}
    new = {**carried("agent request", property_), **(two if more else three)}
    new["PaintRequest"] = {**new["PaintRequest"], **more}
    (tmp_path / "old.json").write_bytes(document(old))
    (tmp_path / "new.json").write_bytes(document(new))
    found = compare_files(tmp_path / "old.json", tmp_path / "new.json").findings
    (example,) = (f.example for f in found if f.example is not None)
    assert (example.outcome, example.says) == (outcome, says)


def test_a_schema_that_cannot_become_a_package_refuses_without_words(tmp_path: Path) -> None:
    """Two of its methods have one name in Python."""
    old = {**carried("agent request", {"$ref": "#/$defs/Color"}), "Color": {"type": "integer"}}
    twins = [message(f"{name}Notification", "agent", f"wall/{name}") for name in ("WallWash", "Wall_Wash")]
    new = {**old, **twins[0], **twins[1], "Color": {"type": "integer", "minimum": 1}}
    (tmp_path / "old.json").write_bytes(document(old))
    (tmp_path / "new.json").write_bytes(document(new))
    found = compare_files(tmp_path / "old.json", tmp_path / "new.json").findings
    (example,) = (f.example for f in found if f.id == "constraint-tightened" and f.example is not None)
    assert (example.outcome, example.says) == ("refuses", "")


def messages() -> list[tuple[str, Any]]:
    """The example messages of the project, and each with one thing wrong; and the carrier of each."""
    root = FIXTURES.parents[1] / "examples" / "messages"
    found: list[tuple[str, Any]] = []
    for file in sorted(root.rglob("*.json"))[::3]:
        parts = file.relative_to(root).parts
        carrier = f"{'/'.join(parts[1:-1])} ({file.name.rsplit('.', 2)[1]})"
        value = json.loads(file.read_text())
        found.append((carrier, value))
        for key in value if isinstance(value, dict) else ():
            found.append((carrier, {k: v for k, v in value.items() if k != key}))
            found += [(carrier, {**value, key: other}) for other in (5, "x", {}, [None])]
    return found


def test_the_decoder_says_word_for_word_what_that_of_the_generated_package_says() -> None:
    import msgspec

    import generated
    from codegen.check.impact.decoder import Decoder
    from codegen.check.parts.side import Side
    from codegen.document.read import read
    from codegen.load.schema import load

    document = read(FIXTURES.parents[1] / "schema.json")
    decoder = Decoder(Side(document, load(document)[0]))
    said: set[str] = set()
    for carrier, value in messages():
        path, _, end = carrier.partition(" (")
        kind = "notification" if end == "notification)" else "request"
        method = next(m for key, m in generated.methods.METHODS.items() if key[1:] == (path, kind))
        type_ = method.result if end == "response)" else method.params
        real: list[str] = []
        for strict in (False, True):
            try:
                generated.decode(type_, msgspec.json.encode(value), strict=strict)
            except msgspec.ValidationError as error:
                real.append(str(error))
            else:
                real.append("")
        outcome, says = decoder.answered(Example(message=value, carrier=carrier, sender="old"))
        assert (outcome, says) == (("refuses", real[0]) if real[0] else ("tolerates", real[1])), (carrier, value)
        said.add(says)
    assert len(said) > 100


def test_the_example_is_a_message_of_released_peers_where_one_carries_the_change() -> None:
    """The first method carries the type through a part of an RFD in progress, which no released peer knows."""
    draft: Node = {"$ref": "#/$defs/Color", "x-rfd": "blue"}
    definitions = {
        **message("AskRequest", "agent", "ask", {"color": draft}),
        **message("AskResponse", "agent", "ask"),
        **carried("agent request", {"$ref": "#/$defs/Color"}),
    }
    rfds: Node = {"x-rfds": {"blue": {"title": "Blue", "stage": "draft"}}}
    red, both = ({"Color": {"enum": values}} for values in (["red"], ["red", "green"]))
    (finding,) = [
        each
        for each in compared({**definitions, **both}, {**definitions, **red}, **rfds)
        if each.id == "enum-value-removed"
    ]
    assert finding.example is not None
    assert finding.example.carrier == "wall/paint (request)"
    assert finding.via == ("ask (request)", "wall/paint (request)")
