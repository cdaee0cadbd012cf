"""A change of what any keyword says is judged: docs/schema.md has the rules by keyword, and each edit here has such a finding."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import pytest

from codegen.check.command import _load  # pyright: ignore[reportPrivateUsage]
from codegen.check.inputs import judged
from codegen.check.parts.side import Side
from codegen.check.rules import RULES
from codegen.document.keywords import EXTENSIONS, ROOT_EXTENSIONS
from codegen.document.read import parse
from codegen.document.walk import schemas
from codegen.model.nodes.types import Schema
from tests.support.sampling import exhaustive

Json = dict[str, Any]
ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs/schema.md").read_text().partition("## When a keyword changes")[2].partition("\n## ")[0]
JUDGED = {
    row[1]: re.findall(r"`([\w-]+)`", row[2])
    for row in re.finditer(r"^\| `(x-[\w-]+)` \| (.*) \|$", PAGE, re.MULTILINE)
}
UNJUDGED = {"x-docs-ignore"}


def definition(schema: Json, name: str) -> Json:
    found: Json = schema["$defs"][name]
    return found


def first(schema: Json, keyword: str) -> Json:
    """The first node, in the order of the file, that has the keyword."""
    return next(node for _, node in schemas(schema["$defs"], "/$defs", "schemas") if keyword in node)


def deprecate(until: str) -> Callable[[Json], object]:
    said = {"deprecated": True, "x-deprecated": {"since": "v1.0", "until": until}}
    return lambda schema: definition(schema, "ListSessionsRequest").update(said)


def nothing(_: Json) -> None: ...


def _path(schema: Json) -> None:
    for name in ("PromptRequest", "PromptResponse"):
        definition(schema, name)["x-method"] = "session/ask"
    schema["x-sessions"]["exclusive"] = ["session/ask"]
    schema["x-interrupt"]["requests"] = {"session/ask": {"stopReason": "cancelled"}}


def _side(schema: Json) -> None:
    for name in ("ListSessionsRequest", "ListSessionsResponse"):
        definition(schema, name)["x-side"] = "client"


def _requirement(schema: Json) -> None:
    schema["x-requirements"]["session-delete"]["idempotent"]["level"] = "must"


EDITS: dict[str, tuple[Callable[[Json], object], Callable[[Json], object]]] = {
    "x-method": (nothing, _path),
    "x-side": (nothing, _side),
    "x-capability": (nothing, lambda s: definition(s, "DeleteSessionRequest").update({"x-capability": "loadSession"})),
    "x-idempotent": (nothing, lambda s: definition(s, "DeleteSessionRequest").pop("x-idempotent")),
    "x-was": (nothing, lambda s: definition(s, "DeleteSessionRequest").update({"x-was": "_zz/session/delete"})),
    "x-rfd": (nothing, lambda s: definition(s, "PromptRequest")["properties"]["prompt"].update({"x-rfd": "session-fork"})),
    "x-deprecated": (deprecate("2030-01-31"), deprecate("2029-01-31")),
    "x-name": (nothing, lambda s: next(v for v in definition(s, "ErrorCode")["anyOf"] if "x-name" in v).update({"x-name": "needs_login"})),
    "x-call": (nothing, lambda s: definition(s, "SessionUpdate")["oneOf"][1].update({"x-call": "tell"})),
    "x-update": (nothing, lambda s: definition(s, "CurrentModeUpdate")["properties"]["currentModeId"].pop("x-update")),
    "x-deserialize-default-on-error": (nothing, lambda s: first(s, "x-deserialize-default-on-error").pop("x-deserialize-default-on-error")),
    "x-deserialize-default-on-null": (nothing, lambda s: first(s, "x-deserialize-default-on-null").pop("x-deserialize-default-on-null")),
    "x-deserialize-skip-invalid-items": (nothing, lambda s: first(s, "x-deserialize-skip-invalid-items").pop("x-deserialize-skip-invalid-items")),
    "x-rfds": (nothing, lambda s: s["x-rfds"]["session-delete"].update(stage="draft")),
    "x-requirements": (nothing, _requirement),
    "x-handshake": (nothing, lambda s: s["x-handshake"].update(versionNumber=2)),
    "x-cancel": (nothing, lambda s: s["x-cancel"].update(errorCode=-32000)),
    "x-ordering": (nothing, lambda s: s.pop("x-ordering") and [s.pop(k) for k in ("x-sessions", "x-interrupt", "x-lists", "x-permission", "x-handles", "x-remote", "x-tunnel")]),
    "x-sessions": (nothing, lambda s: s["x-sessions"]["open"].remove("session/fork")),
    "x-lists": (nothing, lambda s: s["x-lists"]["session/list"].pop("equal")),
    "x-interrupt": (nothing, lambda s: s["x-interrupt"]["requests"]["session/prompt"].update(stopReason="refusal")),
    "x-permission": (nothing, lambda s: s["x-permission"].update(allow={"once": "allow_always", "always": "allow_once"})),
    "x-handles": (nothing, lambda s: s["x-handles"]["terminal"].update(kill="terminal/wait_for_exit", wait="terminal/kill")),
    "x-reserved": (lambda s: s.update({"x-reserved": {"terminal/signal": "v1"}}), lambda s: s.update({"x-reserved": {}})),
    "x-updates": (nothing, lambda s: s["x-updates"].update(state="Conversation")),
    "x-trace": (nothing, lambda s: s["x-trace"].update(keys=["traceparent"])),
    "x-tunnel": (nothing, lambda s: s["x-tunnel"].update(http="McpServerStdio")),
    "x-remote": (nothing, lambda s: s["x-remote"].update(path="/agent")),
}  # fmt: skip


def compared(one: Json, other: Json) -> set[str]:
    return {rule for rule, _ in told_of(one, other)}


def told_of(one: Json, other: Json) -> list[tuple[str, str]]:
    before, after = (side(json.dumps(each).encode()) for each in (one, other))
    return [(finding.found_by or finding.id, finding.message) for finding in judged(before, after)]


@lru_cache(maxsize=2)
def side(text: bytes) -> Side:
    """A schema, loaded; the one before an edit is mostly ours."""
    document = parse(text, "schema.json")
    schema = _load(document)
    assert isinstance(schema, Schema), schema
    return Side(document, schema)


@cache
def is_like_itself(text: bytes) -> bool:
    """Whether nothing is said of a schema compared with itself."""
    return judged(side(text), side(text)) == []


def test_the_page_has_every_keyword() -> None:
    assert set(JUDGED) == EXTENSIONS.keys() | ROOT_EXTENSIONS
    assert {keyword for keyword, rules in JUDGED.items() if not rules} == UNJUDGED


def test_the_page_names_rules_that_there_are() -> None:
    assert [rule for rules in JUDGED.values() for rule in rules if rule not in RULES] == []


def test_every_keyword_is_changed_here() -> None:
    assert EDITS.keys() | UNJUDGED == JUDGED.keys()


@pytest.mark.parametrize("keyword", exhaustive(EDITS, stay=[*EDITS][::4]))
def test_a_change_of_a_keyword_is_judged_by_a_rule_of_the_page(keyword: str) -> None:
    before, after = (json.loads((ROOT / "schema.json").read_text()) for _ in range(2))
    prepare, change = EDITS[keyword]
    prepare(before)
    change(after)
    assert set(JUDGED[keyword]) & compared(before, after)
    assert is_like_itself(json.dumps(before).encode())


LESS: list[tuple[Callable[[Json], object], str]] = [
    (lambda s: definition(s, "SessionUpdate")["oneOf"][7].update({"x-update": False}), "changes nothing"),
    (lambda s: definition(s, "SessionUpdate")["oneOf"][7].pop("x-update"), "says nothing"),
    (lambda s: definition(s, "TextContent")["properties"]["text"].pop("x-update"), "says nothing"),
    (lambda s: definition(s, "ToolCall")["properties"]["status"]["x-update"].pop("failed"), "only moves forward"),
]


@pytest.mark.parametrize(("change", "told"), LESS)
def test_an_update_that_says_less_or_something_else_is_told(change: Callable[[Json], object], told: str) -> None:
    before, after = (json.loads((ROOT / "schema.json").read_text()) for _ in range(2))
    change(after)
    assert [message for rule, message in told_of(before, after) if rule == "update-changed" and told in message]


def test_a_property_of_a_variant_is_named_by_the_message_that_holds_it() -> None:
    before, after = (json.loads((ROOT / "schema.json").read_text()) for _ in range(2))
    for each, said in (before, "title"), (after, "updatedAt"):
        mine = {"type": ["string", "null"], "x-update": {"part": said}}
        named = {"type": "object", "properties": {"kind": {"const": "a"}, "mine": mine}}
        other = {"type": "object", "properties": {"kind": {"const": "b"}}}
        each["$defs"]["Detail"] = {"oneOf": [{**variant, "required": ["kind"]} for variant in (named, other)]}
        definition(each, "NewSessionResponse")["properties"]["detail"] = {"$ref": "#/$defs/Detail"}
    (told,) = [message for rule, message in told_of(before, after) if rule == "update-changed"]
    assert "`NewSessionResponse.mine`" in told
