"""Quote text from a schema as Python source. No schema text reaches an emitted file any other way.

For any description, name or constant, the result is one literal that evaluates to exactly that text.
"""

from __future__ import annotations

import re
import textwrap
from typing import Any

from ..document.json_types import is_json_array, is_json_object
from ..resources import runtime_modules
from ..shape.public import RUNTIME
from .kinds import Docstring, Literal, Prose

TOOLS_OFF = "# ruff: noqa: PGH004\n# flake8: noqa\n# pylint: skip-file  # isort: skip_file\n# fmt: off"
"""Prevents other projects' linters and formatters from changing emitted files.

Ruff obeys the line of flake8, too. The first line turns off its rule against that.
"""

RUNTIME_HEADER = f"# @generated: part of every package, the same for every schema. Do not edit.\n{TOOLS_OFF}"
WIDTH = 112
_TUPLE: type[Any] = tuple  # so that its members stay Any for type checkers


def runtime_files() -> dict[str, str]:
    """The hand-written modules of every package, by path, each with the standard header."""
    return {
        f"{RUNTIME}/{name}": f"{RUNTIME_HEADER}\n{path.read_text(encoding='utf-8')}"
        for name, path in runtime_modules().items()
    }


_ENDING = re.compile(r'"{3,}|"+$')

# Control, format, bidirectional and private-use characters, odd spaces and unpaired surrogates. The list is fixed because
# `str.isprintable` differs between Python versions, and the output must not.
_HIDDEN = re.compile(
    "[\x00-\x1f\x7f-\xa0\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u1680\u180e\u2000-\u200f\u2028-\u202f"
    "\u205f-\u206f\u3000\ud800-\uf8ff\ufeff\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U0010ffff]"
)


def literal(value: Any) -> Literal:
    """A JSON value as an ASCII Python literal, with strings in double quotes."""
    return Literal(_literal(value))


def _literal(value: Any) -> str:
    if isinstance(value, str):
        body = ascii(value)[1:-1]
        if ascii(value)[0] == "'":
            body = body.replace("\\'", "'").replace('"', '\\"')
        return f'"{body}"'
    if is_json_object(value):
        return "{" + ", ".join(f"{_literal(k)}: {_literal(v)}" for k, v in value.items()) + "}"
    if is_json_array(value):
        return "[" + ", ".join(_literal(v) for v in value) + "]"
    if isinstance(value, _TUPLE):
        parts = [_literal(v) for v in value]
        return "(" + ", ".join(parts) + ("," if len(parts) == 1 else "") + ")"
    return repr(value)


def docstring(text: str, indent: int = 4) -> Docstring:
    """A text as a wrapped docstring literal. The first line is not indented. A paragraph of lines with `- ` stays a
    list.
    """
    width = WIDTH - indent
    paragraphs = ("\n".join(_wrapped(part, width)) for part in text.split("\n\n"))
    lines = "\n\n".join(paragraph for paragraph in paragraphs if paragraph).split("\n")
    safe = [_inside(line) for line in lines]
    body = ("\n" + " " * indent).join(safe).replace("\n" + " " * indent + "\n", "\n\n")
    if len(lines) > 1:
        body += "\n" + " " * indent
    return Docstring(f'"""{body}"""')


def _wrapped(paragraph: str, width: int) -> list[str]:
    items = re.split(r"\n(?=- )", paragraph.strip()) if paragraph.lstrip().startswith("- ") else [paragraph]
    indent = "  " if paragraph.lstrip().startswith("- ") else ""
    return [
        line
        for item in items
        for line in textwrap.wrap(
            " ".join(item.split()), width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
    ]


def comment(text: str) -> Prose:
    """A text for the rest of a comment line."""
    return Prose(_HIDDEN.sub(" ", text))


def markdown(text: str) -> Prose:
    """A text for a cell of a Markdown table."""
    shown = _HIDDEN.sub(" ", text)
    for char in "\\|<>[]":
        shown = shown.replace(char, "\\" + char)
    return Prose(shown)


def _inside(line: str) -> str:
    """One line, escaped for use between triple quotes."""
    # Escape quotes that could end the literal: three or more in a row, and those at the end of the line.
    line = _ENDING.sub(lambda quotes: '\\"' * len(quotes[0]), line.replace("\\", "\\\\"))
    return _HIDDEN.sub(lambda hidden: hidden[0].encode("unicode_escape", "surrogatepass").decode("ascii"), line)


def first_sentence(text: str | None) -> str:
    """The first sentence of a text, on one line."""
    paragraph = " ".join((text or "").partition("\n\n")[0].split())
    sentence, dot, _ = paragraph.partition(". ")
    return sentence + dot.rstrip()
