"""Text from an agent, made safe for a terminal. Every remaining character has the width that it appears to have.

    well-formed escape sequences     dropped
    other control characters         replaced by a visible symbol
    bidirectional controls, tags,
    private and unassigned           U+FFFD: they would hide or reorder text that the user must be able to judge
    joiners, variation selectors,
    skin tones, soft hyphens         dropped: terminals disagree on the width of joined characters
    many combining marks             cut to three
    unusual spaces, line separators  a space or a line feed

The result is not markup: the screens show plain characters, so `[red]` stays as it is.
"""

from __future__ import annotations

import re
import unicodedata

LIMIT = 30_000
"""Maximum number of characters shown of any one text."""

_MARKS = 3
_SEQUENCES = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
_SKIN_TONES = range(0x1F3FB, 0x1F400)
_FLAG_LETTERS = range(0x1F1E6, 0x1F200)
_BIDI = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
_TAGS = range(0xE0000, 0xE0080)
_FILLERS = {0x115F, 0x1160, 0x3164, 0xFFA0, 0x2800}
"""Letters and patterns without a visible shape."""


def clean(text: str, limit: int = LIMIT) -> str:
    """Sanitize text of several lines. Text beyond `limit` is replaced by a count."""
    missing = len(text) - limit
    text = _SEQUENCES.sub("", text[:limit]).replace("\r\n", "\n").expandtabs(4)
    if not (text.isascii() and text.replace("\n", "").isprintable()):
        text = _rewrite(text)
    return text if missing <= 0 else f"{text}… ({missing:,} more characters)"


def one_line(text: str, limit: int = 500) -> str:
    """Sanitize text and put it on one line of at most `limit` characters."""
    return shorten(" ".join(clean(text[: 4 * limit]).split()), limit)


def shorten(text: str, limit: int) -> str:
    """Shorten a text to `limit` characters, with an ellipsis."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def _rewrite(text: str) -> str:
    out: list[str] = []
    marks = 0
    for character in text:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks <= _MARKS:
            out.append(_shown(character, category))
    return "".join(out)


def _shown(character: str, category: str) -> str:
    code = ord(character)
    if character in (" ", "\n") or code in _FILLERS:
        return character if character == "\n" else " "
    if category == "Cc":
        return chr(0x2400 + code) if code < 0x20 else ("\N{SYMBOL FOR DELETE}" if code == 0x7F else _REPLACEMENT)
    if code in _BIDI or code in _TAGS or category in ("Cn", "Co", "Cs"):
        return _REPLACEMENT
    if category == "Cf" or code in _SKIN_TONES or unicodedata.name(character, "").startswith("VARIATION SELECTOR"):
        return ""
    if code in _FLAG_LETTERS:
        return chr(ord("A") + code - _FLAG_LETTERS.start)
    return {"Zs": " ", "Zl": "\n", "Zp": "\n"}.get(category, character)
