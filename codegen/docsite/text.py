"""Conversion of values to Markdown: escaped text, code, links, and lists of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import escape
from typing import Any

from markupsafe import Markup

_MARKUP = re.compile(r"[!\"#$&'*+<=>@\[\\\]^_`{|}~]|^[-\d]")
_HIDDEN = {
    ord(c): f"\\u{ord(c):04x}" for c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff"
} | {n: f"\\x{n:02x}" for n in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}
"""Invisible characters, and those that change the direction of text."""


def visible(text: str) -> str:
    """A text with visible escapes for invisible and bidirectional characters."""
    shown = text if text.isprintable() else text.translate(_HIDDEN)
    return shown.encode("utf-8", "backslashreplace").decode()


def escaped(value: Any) -> Markup:
    """A text escaped for Markdown and HTML. Escaped text is returned unchanged."""
    if hasattr(value, "__html__"):
        return Markup(value.__html__())  # noqa: S704  # it is escaped
    if isinstance(value, int):
        return Markup(value)  # noqa: S704  # a number
    line = re.sub(r"\s+", " ", visible(str(value)))
    return Markup(_MARKUP.sub(lambda found: f"&#{ord(found[0])};", line))  # noqa: S704  # what escapes


def quoted(text: str, most: int = 200) -> str:
    """One line as a string that is valid in TOML and YAML."""
    return json.dumps(escape(" ".join(visible(text).split())[:most]), ensure_ascii=False)


def said(*parts: Any) -> Markup:
    """Concatenated texts, escaped if necessary."""
    return Markup("").join(map(escaped, parts))


def listed(texts: Iterable[Any], between: str = ", ") -> Markup:
    """Several texts with a separator."""
    return escaped(between).join(map(escaped, texts))


def link(words: Any, to: str) -> Markup:
    """A link to a page (`section/name#anchor`) or an anchor (`#anchor`); the plain text without a target."""
    page, mark, anchor = to.partition("#")
    href = f"../{page}.html{mark}{anchor}" if page else f"{mark}{anchor}"
    return Markup('<a href="{}">{}</a>').format(href, escaped(words)) if to else escaped(words)


def code(text: str, to: str = "") -> Markup:
    """A text as code."""
    return link(Markup("<code>{}</code>").format(escaped(text)), to)
