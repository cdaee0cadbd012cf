"""The first law: nothing in the generator knows a name of the protocol, so that a new RFD costs no line of it."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "schema.json").read_bytes())
TEMPLATES = [path for path in (ROOT / "templates").rglob("*") if path.suffix in (".css", ".jinja2", ".js")]
SOURCES = sorted([*(ROOT / "codegen").rglob("*.py"), *TEMPLATES])

WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
VALUES = ("const", "enum", "default")

# Names that are not the protocol's own, although it has them too.
JSON_RPC = frozenset({"_meta", "ErrorCode"})
# A header of HTTP, whose last word is a method of the protocol as well.
HTTP = "www-authenticate"
JSON_SCHEMA = frozenset({"anyOf", "oneOf", "minItems", "maxItems", "minLength", "maxLength", "date-time"})
# What every connection says of itself is called so for any protocol (design: the public contract).
# The package `mcp` asks for an attribute of the other name.
OURS = frozenset({"protocol_version", "request_id"})


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


def parts(node: Any) -> Iterator[tuple[str, str]]:
    """The properties and values in a part of the schema, each with which of the two it is."""
    if isinstance(node, list):
        for child in node:
            yield from parts(child)
    elif isinstance(node, dict):
        for keyword, child in node.items():
            if keyword in VALUES:
                yield from (("value", text) for text in strings(child))
            elif keyword == "properties":
                yield from (("property", name) for name in child)
                for schema in child.values():
                    yield from parts(schema)
            else:
                yield from parts(child)


def names(node: Any) -> list[str]:
    return [name for _, name in parts(node)]


def values(node: Any) -> list[str]:
    return [name for kind, name in parts(node) if kind == "value"]


def properties(node: Any) -> list[str]:
    return [name for kind, name in parts(node) if kind == "property"]


METHODS = sorted({node["x-method"] for node in SCHEMA["$defs"].values() if "x-method" in node})
# What the root says of the protocol names things that no definition has: headers, the class of the state.
ROOT_SAYS = [
    text
    for keyword, value in SCHEMA.items()
    if keyword.startswith("x-") and keyword not in {"x-requirements", "x-rfds"}
    for text in strings(value)
]
PATHS = sorted({text for text in ROOT_SAYS if text.startswith("/")})
NAMES = sorted(
    {
        name
        for name in (*SCHEMA["$defs"], *names(SCHEMA["$defs"]), *(text for text in ROOT_SAYS if "/" not in text))
        if len(words(name)) > 1
    }
    - JSON_RPC
    - JSON_SCHEMA
)


def as_written(name: str) -> set[str]:
    """A name in every style it could be written in."""
    parts = words(name)
    pascal = "".join(part.capitalize() for part in parts)
    return {name, "_".join(parts), "-".join(parts), pascal, pascal[0].lower() + pascal[1:]}


FORBIDDEN = {form: name for name in NAMES for form in as_written(name) - OURS}
TOKEN = re.compile(r"[A-Za-z0-9]+(?:[_-]+[A-Za-z0-9]+)*")


# A value, unlike a definition or a property, may be a word that any program has ("utf-8", "exc_info"): one that the standard
# library has, too. Such a word is a name of the protocol where a program asks for it, and free elsewhere.
VALUES_ALONE = frozenset(values(SCHEMA["$defs"])) - set(SCHEMA["$defs"]) - set(properties(SCHEMA["$defs"]))
LIBRARY = Path(os.__file__).parent


def tokens(text: str) -> set[str]:
    return set(TOKEN.findall(text)) | set(re.findall(r"\w+", text)) | set(re.findall(r"[A-Za-z0-9]+", text))


@cache
def is_common(name: str) -> bool:
    """Whether the standard library has a word, whatever for; looked up only for what was found in our sources."""
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in LIBRARY.glob("*.py"))
    return any(name in text and name in tokens(text) for text in texts)


def is_asked_for(name: str, text: str) -> bool:
    """Whether a text compares something with a word, or looks something up by it."""
    word = rf"""["']{re.escape(name)}["']"""
    compared = rf"(?:[=!]=|\bcase)\s*{word}|{word}\s*[=!]="
    listed = rf"\bin\s*[({{\[][^)}}\]]*{word}|\bcase\b[^:\n]*\|\s*{word}"
    key = rf"{word}\s*:|\[\s*{word}\s*\]|\bget\(\s*{word}"
    return re.search(f"{compared}|{listed}|{key}", text) is not None


def is_free(name: str, text: str, values_alone: Collection[str] = VALUES_ALONE) -> bool:
    """Whether a name that a text holds is but a word of programming there."""
    return name in values_alone and is_common(name) and not is_asked_for(name, text)


def found_in(text: str) -> set[str]:
    """The names of the protocol that a text holds, as they are in the schema."""
    text = text.replace(HTTP, "")
    paths = {path for path in (*METHODS, *PATHS) if re.search(rf"(?<![\w/$]){re.escape(path)}(?![\w/])", text)}
    held = {FORBIDDEN[token] for token in tokens(text) & FORBIDDEN.keys()}
    return {name for name in held if not is_free(name, text)} | paths


def test_no_source_of_the_generator_holds_a_name_of_the_protocol() -> None:
    found = {path.relative_to(ROOT).as_posix(): found_in(path.read_text(encoding="utf-8")) for path in SOURCES}
    assert "codegen/cli/main.py" in found
    assert {path: names for path, names in found.items() if names} == {}


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
        "write a header such as Acp-Session-Id",
        "a SessionState",
        'the path "/acp"',
    ],
)
def test_a_name_of_the_protocol_is_found_in_any_style(text: str) -> None:
    assert found_in(text)


@pytest.mark.parametrize("text", ["session", "tool", "_meta", "$/", "agent_session", "json_schema", "method"])
def test_single_words_and_names_of_our_own_are_free(text: str) -> None:
    assert found_in(text) == set()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("utf-8", 'open(path, encoding="utf-8")'),
        ("utf-8", "text.encode('utf-8')"),
        ("utf-8", "# texts are utf-8"),
        ("exc_info", "exc_info = True"),
    ],
)
def test_a_value_that_any_program_has_is_free_where_nothing_asks_for_it(name: str, text: str) -> None:
    assert is_free(name, text, {name})


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("utf-8", 'if encoding == "utf-8":'),
        ("utf-8", 'if "utf-8" != encoding:'),
        ("utf-8", 'if encoding in ("ascii", "utf-8"):'),
        ("utf-8", 'case "utf-8":'),
        ("utf-8", 'case "ascii" | "utf-8":'),
        ("utf-8", '{"utf-8": 8}'),
        ("utf-8", "known['utf-8']"),
        ("utf-8", 'known.get("utf-8")'),
        ("utf-8", "{% if value == 'utf-8' %}"),
        ("end_turn", "# at an end_turn"),
        ("tool_call_update", "tool_call_update = 1"),
    ],
)
def test_a_value_that_a_program_asks_for_or_no_other_program_has_is_a_name(name: str, text: str) -> None:
    assert not is_free(name, text, {name})


def test_what_is_a_property_or_a_definition_too_is_never_free() -> None:
    assert not {"sessionId", "SessionId", "protocolVersion"} & VALUES_ALONE
    assert "end_turn" in VALUES_ALONE


def test_the_names_are_those_of_the_schema() -> None:
    assert {"SessionId", "sessionId", "end_turn", "tool_call", "protocolVersion"} <= set(NAMES)
    assert {"initialize", "session/new", "session/update", "$/cancel_request"} <= set(METHODS)
