"""Escape untrusted text for the place where it is shown: one function for each place.

`line` escapes a part of a line. The functions in `SINKS` escape whole outputs, immediately before `console` prints
them. They remove control and bidirectional characters, and workflow commands that we did not intend.

CI servers read commands from the log. GitHub reads lines that begin with `::`. In an older form, GitHub, Azure
Pipelines and TeamCity read `##[`, `##vso[` or `##teamcity[` anywhere.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

_OLD_COMMAND = re.compile(r"(##\w*)\[")
_COMMAND = re.compile(r"^([^\S\n]*):(?=:)", re.MULTILINE)
_MARKUP = re.compile(r"[\\`*_{}\[\]#!|<>~&$]|^\s*[-+=]|(?<=^\d)[.)]|(?<=^\d\d)[.)]")
_AUTOLINK = re.compile(r"[@#]|:(?=//|\w+:)|\b(?:www|GH)(?=[.-])|\b[0-9a-fA-F]{6}(?=[0-9a-fA-F])")
_LONGEST = 2000
_OURS = re.compile(r"(\x1b\[(?:0|1;3\d)m)")
"""The colours of a report."""


def line(text: str, limit: int = 200) -> str:
    """A part of a line, without line ends and control or bidirectional characters, cut at the limit."""
    shown = _visible(text, "")
    return shown if len(shown) <= limit else f"{shown[:limit]}..."


def quoted(value: object) -> str:
    """A JSON value, escaped for a part of a line."""
    return line(json.dumps(value, ensure_ascii=False, default=str), 60)


def terminal(text: str) -> str:
    """Lines for people, escaped for terminals and CI logs."""
    return _COMMAND.sub(r"\1\\x3a", _OLD_COMMAND.sub(r"\1\\x5b", _visible(text, "\n")))


def coloured(text: str) -> str:
    """Like `terminal`, with the colours of a report kept."""
    return "".join(part if _OURS.fullmatch(part) else terminal(part) for part in _OURS.split(text))


def json_text(text: str) -> str:
    """A JSON text with the same value. Characters that must not be printed can only be in strings, where they are
    escaped.
    """
    shown = "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
    return _OLD_COMMAND.sub(r"\1\\u005b", shown)


def commands(text: str) -> str:
    """Lines of workflow commands, whose parts `command_data` and `command_property` have escaped."""
    return _OLD_COMMAND.sub(r"\1%5B", _visible(text, "\n"))


def command_data(text: str) -> str:
    """The text of a workflow command, including line ends."""
    return _visible(text, "\n").replace("%", "%25").replace("\n", "%0A")


def command_property(text: str) -> str:
    """The value of a property of a workflow command."""
    return command_data(text).replace(":", "%3A").replace(",", "%2C")


def markdown(text: str) -> str:
    """Text for a part of a Markdown line, escaped so that it contains no markup, link, mention or reference.

    GitHub also finds mentions, references and addresses after rendering; zero-width characters break them.
    """
    shown = _MARKUP.sub(r"\\\g<0>", line(text, _LONGEST))
    return _AUTOLINK.sub(r"\g<0>&#8203;", shown)


def markdown_code(text: str) -> str:
    """A span of code in a line of Markdown."""
    shown = line(text, _LONGEST)
    fence = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    return f"{fence} {shown} {fence}" if "`" in shown else f"{fence}{shown or ' '}{fence}"


def markdown_block(text: str, language: str = "") -> str:
    """A Markdown code block at the beginning of a line, including the final line end."""
    shown = terminal(text).rstrip("\n")
    fence = "`" * max(3, *(len(run) + 1 for run in re.findall("`+", shown)), 0)
    return f"{fence}{language}\n{shown}\n{fence}\n"


SINKS: Mapping[str, Callable[[str], str]] = {
    "text": terminal,
    "coloured": coloured,
    "json": json_text,
    "sarif": json_text,
    "github": commands,
    "markdown": terminal,
    "html": terminal,
    "junit": terminal,
}


def as_json(value: Any, *, indent: int | None = None) -> str:
    """A value as JSON that any reader can process."""
    return json_text(json.dumps(value, ensure_ascii=False, indent=indent))


def _visible(text: str, kept: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c in kept else _named(c) for c in text)


def _named(character: str) -> str:
    if "\udc80" <= character <= "\udcff":  # a byte that is not UTF-8, as Python reads it
        return f"\\x{ord(character) - 0xDC00:02x}"
    return character.encode("unicode_escape", "surrogatepass").decode("ascii")
