"""Text that a stranger may have written, and what must not come of it where it is printed."""

from __future__ import annotations

import re

import markdown_it

EVIL = "e@octocat [a](http://a.example) <b>x</b> ![i](i.png) #1 &lt; \n::error::a\r\nLEAK\n ::stop-commands::t\n##[add-matcher]x##vso[t]y\x1b]0;z\x07\x9b2J\u202e\x85LEAK\u2028LEAK\n```\nLEAK"
NAME = "e\n::error::a\nLEAK##[group]\x1b[2J\u202e\r```"
"""The same, short enough for the name of a file."""

COMMAND = re.compile(r"::(error|warning|notice) (file=[^:,]*,line=\d+,col=\d+,)?title=[\w-]+::.*")
"""A workflow command as reports have them."""


def faults(text: str, *, command: re.Pattern[str] | None = None) -> list[str]:
    """The lines of an output that do more than be read; of workflow commands those that a pattern does not fit."""
    return [line for line in text.removesuffix("\n").split("\n") if _does_more(line, command)]


def _does_more(line: str, command: re.Pattern[str] | None) -> bool:
    is_command = line.lstrip().startswith("::")
    return (
        not line.isprintable()
        or "##[" in line
        or "##vso[" in line
        or line.lstrip().startswith(("LEAK", "```"))
        or (is_command and (command is None or not command.fullmatch(line)))
    )


def without_fences(text: str) -> str:
    """Markdown without the lines that begin and end a block of ours."""
    return "\n".join(line for line in text.split("\n") if not re.fullmatch(r" *```+(json|diff)?", line))


def only_ours(text: str) -> None:
    """What a reader of Markdown makes of a report: no link, no picture, no markup that we did not write."""
    for token in markdown_it.MarkdownIt().parse(text):
        for part in (token, *(token.children or ())):
            assert part.type not in ("link_open", "image", "hr", "html_inline"), part
            if part.type == "html_block":
                assert re.fullmatch(r"(<details><summary>[\w ]+</summary>|</details>)\n?", part.content)
            if part.type == "text":
                assert not re.search(r"[@#](?!\u200b|$)", part.content), part.content
