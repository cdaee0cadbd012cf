"""The first law: nothing in the generator knows a name of the protocol, so that a new RFD costs no line of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schema.json").read_bytes())
SOURCES = sorted([*(ROOT / "codegen").rglob("*.py"), *(ROOT / "templates").glob("*.jinja2")])

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
VALUES = ("const", "enum", "default")

# Names that are not the protocol's own, although it has them too.
JSON_RPC = frozenset({"_meta", "ErrorCode"})
JSON_SCHEMA = frozenset({"anyOf", "oneOf", "minItems", "maxItems", "minLength", "maxLength"})
# What every connection says of itself is called so for any protocol (design: the public contract).
OURS = frozenset({"protocol_version"})


def words(name: str) -> tuple[str, ...]:
    """The words of a name in any style, in lower case."""
    return tuple(word.lower() for word in WORD.findall(name))


def strings(value: Any) -> Iterator[str]:
    """The strings in the value of a `const`, an `enum` or a `default`; keys are properties, which stand elsewhere."""
    match value:
        case str():
            yield value
        case list() | dict():
            for child in value.values() if isinstance(value, dict) else value:
                yield from strings(child)
        case _:
            pass


def names(node: Any) -> Iterator[str]:
    """The properties and values in a part of the schema."""
    if isinstance(node, list):
        for child in node:
            yield from names(child)
    elif isinstance(node, dict):
        for keyword, child in node.items():
            if keyword in VALUES:
                yield from strings(child)
            elif keyword == "properties":
                yield from child
                for schema in child.values():
                    yield from names(schema)
            else:
                yield from names(child)


METHODS = sorted({node["x-method"] for node in SCHEMA["$defs"].values() if "x-method" in node})
NAMES = sorted(
    {name for name in (*SCHEMA["$defs"], *names(SCHEMA["$defs"])) if len(words(name)) > 1} - JSON_RPC - JSON_SCHEMA
)


def as_written(name: str) -> set[str]:
    """A name in every style it could be written in."""
    parts = words(name)
    pascal = "".join(part.capitalize() for part in parts)
    return {name, "_".join(parts), "-".join(parts), pascal, pascal[0].lower() + pascal[1:]}


FORBIDDEN = {form: name for name in NAMES for form in as_written(name) - OURS}
TOKEN = re.compile(r"[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*")


def found_in(text: str) -> set[str]:
    """The names of the protocol that a text holds, as they are in the schema."""
    tokens = set(TOKEN.findall(text)) | set(re.findall(r"\w+", text)) | set(re.findall(r"[A-Za-z0-9]+", text))
    paths = {path for path in METHODS if re.search(rf"(?<![\w/$]){re.escape(path)}(?![\w/])", text)}
    return {FORBIDDEN[token] for token in tokens & FORBIDDEN.keys()} | paths


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_a_source_of_the_generator_holds_no_name_of_the_protocol(path: Path) -> None:
    assert found_in(path.read_text(encoding="utf-8")) == set()


@pytest.mark.parametrize(
    "text",
    [
        "sessionId",
        "session_id",
        "a `SessionId`",
        "NewSessionRequest(...)",
        "x.stop_reason",
        "# as in session/new,",
        '"initialize"',
        "on tool_call_update",
        "available-commands-update",
        "agentCapabilities",
    ],
)
def test_a_name_of_the_protocol_is_found_in_any_style(text: str) -> None:
    assert found_in(text)


@pytest.mark.parametrize("text", ["session", "tool", "_meta", "$/", "agent_session", "json_schema", "method"])
def test_single_words_and_names_of_our_own_are_free(text: str) -> None:
    assert found_in(text) == set()


def test_the_names_are_those_of_the_schema() -> None:
    assert {"SessionId", "sessionId", "end_turn", "tool_call", "protocolVersion"} <= set(NAMES)
    assert {"initialize", "session/new", "session/update", "$/cancel_request"} <= set(METHODS)
