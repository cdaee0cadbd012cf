"""Text from a schema as Python source: the only way any of it reaches an emitted file.

Whatever a description, name or constant holds, the result is one literal that evaluates to just that text.
"""

from __future__ import annotations

import textwrap
from typing import Any

WIDTH = 112


def literal(value: Any) -> str:
    """A JSON value as a Python literal in ASCII; strings in double quotes."""
    if isinstance(value, str):
        body = ascii(value)[1:-1]
        if ascii(value)[0] == "'":
            body = body.replace("\\'", "'").replace('"', '\\"')
        return f'"{body}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(k)}: {literal(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(literal(v) for v in value) + "]"
    if isinstance(value, tuple):
        return "(" + ", ".join(literal(v) for v in value) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def docstring(text: str, indent: int = 4) -> str:
    """A text as a docstring literal, wrapped; the first line is not indented."""
    paragraphs = [" ".join(part.split()) for part in text.split("\n\n")]
    width = WIDTH - indent
    lines = "\n\n".join(
        "\n".join(textwrap.wrap(paragraph, width, break_long_words=False, break_on_hyphens=False))
        for paragraph in paragraphs
        if paragraph
    ).split("\n")
    safe = [_inside(line) for line in lines]
    body = ("\n" + " " * indent).join(safe).replace("\n" + " " * indent + "\n", "\n\n")
    if len(lines) > 1:
        body += "\n" + " " * indent
    return f'"""{body}"""'


def comment(text: str) -> str:
    """A text as the rest of a comment line."""
    return "".join(c if c.isprintable() else " " for c in text)


def markdown(text: str) -> str:
    """A text for a cell of a Markdown table."""
    shown = "".join(c if c.isprintable() else " " for c in text)
    for char in "\\|<>[]":
        shown = shown.replace(char, "\\" + char)
    return shown


def _inside(line: str) -> str:
    """One line as it stands between triple quotes."""
    line = line.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    if line.endswith('"'):
        line = line[:-1] + '\\"'
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode("ascii") for c in line)
