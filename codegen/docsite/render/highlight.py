"""Syntax highlighting of code, by Pygments. Text without a style gets no element, so pages stay small."""

from __future__ import annotations

from functools import cache, lru_cache
from html import escape
from typing import Any

from pygments import lexers
from pygments.token import Token

_LANGUAGES = frozenset({"json", "python", "py", "diff", "sh", "bash", "console", "toml", "yaml", "ini"})
"""The languages of code in our documents; code in any other is shown as it is."""
_MARKS = (
    (Token.Comment, "c"),
    (Token.Keyword.Constant, "l"),
    (Token.Keyword, "k"),
    (Token.Name.Tag, "n"),
    (Token.Name.Class, "f"),
    (Token.Name.Function, "f"),
    (Token.Name.Decorator, "f"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "l"),
    (Token.Generic.Inserted, "i"),
    (Token.Generic.Deleted, "d"),
)
"""The classes of elements: comment, literal, keyword, name, definition, string, inserted, deleted."""


@lru_cache(maxsize=16)
def _lexer(language: str) -> Any:
    found: Any = lexers  # only partly typed
    return found.get_lexer_by_name(language, stripnl=False, ensurenl=False) if language in _LANGUAGES else None


@cache
def _mark(kind: Any) -> str:
    return next((mark for token, mark in _MARKS if kind in token), "")


@lru_cache(maxsize=2048)
def highlighted(code: str, language: str) -> str:
    """Code as safe HTML."""
    lexer = _lexer(language)
    if lexer is None:
        return escape(code, quote=False)
    found: list[str] = []
    last, text = "", ""
    for kind, value in lexer.get_tokens(code):
        mark = _mark(kind)
        if mark != last and value.strip():
            found.append(_element(text, last))
            last, text = mark, ""
        text += value
    found.append(_element(text, last))
    return "".join(found)


def _element(text: str, mark: str) -> str:
    shown = escape(text, quote=False)
    return f'<i class="{mark}">{shown}</i>' if mark and text else shown
