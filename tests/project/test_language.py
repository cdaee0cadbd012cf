"""The language of docstrings, messages and pages: patterns of english.md and words.md that must not come back."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("codegen", "acp_remote", "acp_tools")

QUESTION = re.compile(r"(What|How|Who|Whom|Whose|Which|Where|When|Whether|Why)\b")

PHRASES = {
    r"\btold apart\b|\btells? \w+ apart\b": "discriminate, discriminator",
    r"\bstands? for\b": "means, represents",
    r"\bof two to\b|\bholds? against\b|\bheld against\b": "name the two things and compare them",
    r"\b(is|are) gone\b": "was removed (a part), is lost (a connection), has disconnected (a peer)",
    r"\bfor good\b": "permanently",
    r"\bone too many\b": "exceeds the limit",
    r"\bitself allowed\b": "inclusive",
    r"\bwho(m)? (is|are) told\b|\bwhoever\b": "name the actor",
    r"\bthat of (each|its)\b": "repeat the noun",
    r"\b(None|Error|Lost|Closed|Rejected|False|True|empty) where\b": "if",
    r"\bis no (name|address|file|agent|message|package|path|number|method|session|schema)\b": "is not a valid ...",
}
"""Phrases, with the advice for each."""

ALLOWED: set[tuple[str, str]] = set()
"""A file and the phrase that may be in it."""


def docstrings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The docstrings of modules, classes, functions and attributes, with their lines."""
    for node in ast.walk(tree):
        body: list[ast.stmt] | ast.expr | None = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            value = statement.value if isinstance(statement, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.lineno, value.value


def texts(path: Path) -> Iterator[tuple[int, str]]:
    """The passages of a file that users and readers meet, with their lines."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        visible = re.sub(
            r"^```.*?^```$", lambda block: "\n" * block[0].count("\n"), source, flags=re.DOTALL | re.MULTILINE
        )
        yield from enumerate(visible.splitlines(), 1)
    elif path.suffix == ".json":
        yield from ((0, found[0]) for found in re.finditer(r'"description": "(?:[^"\\]|\\.)*"', source))
    else:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.lineno, node.value


def modules() -> list[Path]:
    return sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def problems(path: Path) -> list[str]:
    """Forbidden phrases in a file, each with its line and advice."""
    name = path.relative_to(ROOT).as_posix()
    return [
        f"{name}:{line}: {found[0]!r}; write: {advice}"
        for line, text in texts(path)
        for phrase, advice in PHRASES.items()
        for found in re.finditer(phrase, text)
        if (name, found[0]) not in ALLOWED
    ]


def test_docstrings_begin_with_a_noun_or_an_imperative() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {text.strip()[:60]}"
        for path in modules()
        for line, text in docstrings(ast.parse(path.read_text(encoding="utf-8")))
        if QUESTION.match(text.strip())
    ]
    assert found == []


@pytest.mark.parametrize("kind", [*PACKAGES, "pages", "schema.json"])
def test_phrases_that_readers_must_read_twice_do_not_come_back(kind: str) -> None:
    if kind in PACKAGES:
        paths = [path for path in modules() if path.relative_to(ROOT).parts[0] == kind]
    else:
        paths = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")] if kind == "pages" else [ROOT / kind]
    assert [problem for path in paths for problem in problems(path)] == []


@pytest.mark.parametrize(
    "text",
    [
        "the two are told apart by a tag",
        "`all` stands for all parts",
        "the peer is gone",
        "closed for good",
        "None where there is no such file",
        "'x' is no address",
    ],
)
def test_each_such_phrase_is_found(text: str) -> None:
    assert any(re.search(phrase, text) for phrase in PHRASES)


def test_a_question_is_found() -> None:
    tree = ast.parse('def f():\n    """What it does."""\n\nX = 1\n"""How many."""\n')
    assert [line for line, text in docstrings(tree) if QUESTION.match(text)] == [5, 2]
