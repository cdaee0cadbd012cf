"""Hand-written Markdown, parsed with markdown-it-py: its headings, and its HTML and MDX.

HTML inside it stays text, except that comments are removed and `<br>` begins a line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

Lead = Callable[[str], "str | None"]
"""Takes a link as it was written and gives where it leads; None: nowhere, and then its words stay."""

Found = tuple[str, str, int, int, int]
"""A heading: its words, its anchor as GitHub has it, its level, its first line, and the line after it."""

_BREAK, _COMMENT = re.compile(r"<br ?/?>"), re.compile(r"<!--(?:(?!-->).)*-->", re.DOTALL)
_LINK = re.compile(r"(`+)(?:.|\n)+?\1(?!`)|(!?)\[((?:[^\[\]`]|(`+)[^`]+\4(?!`))*)\]\(([^()\s]+)\)")
"""A span of code, which is passed over, or a link or picture, whose words may have code."""
_OPENS = re.compile(r"(\\*)([{}<])")
_SPAN = re.compile(r"(`+)(?:.|\n)+?\1(?!`)")


@lru_cache(maxsize=1)
def reader() -> MarkdownIt:
    """Reads CommonMark with tables. HTML is text."""
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def headings(text: str) -> Iterator[Found]:
    """The headings of the first three levels."""
    seen: dict[str, int] = {}
    tokens = reader().parse(text)
    for token, inside in pairwise(tokens):
        if token.type != "heading_open" or token.level or token.map is None:
            continue
        words = "".join(child.content for child in inside.children or ())
        anchor = re.sub(r"[^\w\- ]", "", words.lower()).strip().replace(" ", "-")
        number = seen.get(anchor, 0)
        seen[anchor] = number + 1
        anchor = f"{anchor}-{number}" if number else anchor
        if int(token.tag[1:]) <= 3:
            yield words, anchor, int(token.tag[1:]), token.map[0], token.map[1]


def as_html(text: str, lead: Lead, highlight: Callable[[str, str], str]) -> str:
    """A document as HTML. `highlight` takes code and its language and gives safe HTML."""
    tokens = list(_uncommented(reader().parse(text)))
    for token in tokens:
        if token.children:
            token.children = list(_led(token.children, lead))
    for start, inside, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if start.type == "th_open" and not inside.content:
            start.tag = end.tag = "td"  # an empty cell heads nothing
    return "".join(_blocks(tokens, highlight))


def _blocks(tokens: Sequence[Token], highlight: Callable[[str, str], str]) -> Iterator[str]:
    """Each outermost block by itself, so that code and tables can be put into what they need."""
    renderer, options = reader().renderer, reader().options
    waiting: list[Token] = []
    for token in tokens:
        if token.type in ("fence", "code_block"):
            yield renderer.render(waiting, options, {}) if waiting else ""
            waiting = []
            language = token.info.split()[0] if token.info.strip() else "text"
            yield f"<pre><code>{highlight(token.content.rstrip(chr(10)), language)}</code></pre>\n"
        elif token.type in ("table_open", "table_close"):
            yield renderer.render(waiting, options, {}) if waiting else ""
            waiting = []
            yield '<div class="scroll" tabindex="0"><table>\n' if token.nesting == 1 else "</table></div>\n"
        else:
            waiting.append(token)
    yield renderer.render(waiting, options, {}) if waiting else ""


def _uncommented(tokens: Sequence[Token]) -> Iterator[Token]:
    """Blocks without the paragraphs that are a comment."""
    left = 0
    for number, token in enumerate(tokens):
        inside = tokens[number + 1].content if token.type == "paragraph_open" else ""
        left = 3 if _COMMENT.fullmatch(inside.strip()) else left
        if not left:
            yield token
        left = max(0, left - 1)


def _lines(token: Token) -> Iterator[Token]:
    """A text with its `<br>` as ends of lines."""
    for number, words in enumerate(_BREAK.split(token.content)):
        if number:
            yield Token("hardbreak", "br", 0)
        yield token.copy(content=words)


def _led(tokens: Sequence[Token], lead: Lead) -> Iterator[Token]:
    """Inline tokens with links led; links that lead nowhere leave their words."""
    dropped = 0
    for token in tokens:
        if token.type == "text" and "<br" in token.content:
            yield from _lines(token)
            continue
        if token.type == "image":
            to = lead(str(token.attrs.get("src", "")))
            if to is None or "://" in to:  # a page asks nobody for anything
                continue
            token.attrs["src"] = to
        elif token.type == "link_open":
            to = lead(str(token.attrs.get("href", "")))
            if to is None:
                dropped += 1
                continue
            token.attrs["href"] = to
        elif token.type == "link_close" and dropped:
            dropped -= 1
            continue
        yield token


def as_mdx(text: str, lead: Lead) -> str:
    """A document as MDX: what would be an expression or an element there is text, and links are led."""
    lines = text.splitlines(keepends=True)
    blocks = [token for token in reader().parse(text) if token.type in ("fence", "code_block")]
    found: list[str] = []
    start = 0
    for token in blocks:
        first, after = token.map or (start, start)
        found.append(_text("".join(lines[start:first]), lead))
        found.append("".join(lines[first:after]) if token.type == "fence" else f"```text\n{token.content}```\n")
        start = after
    return "".join([*found, _text("".join(lines[start:]), lead)])


def _text(text: str, lead: Lead) -> str:
    """Markdown outside blocks of code: escaped but for spans of code."""
    parts: list[str] = []
    start = 0
    for span in _SPAN.finditer(text):
        parts += [_plain(text[start : span.start()]), span[0]]
        start = span.end()
    whole = "".join([*parts, _plain(text[start:])])
    return _LINK.sub(lambda match: match[0] if match[1] else _link(match, lead), whole)


def _plain(text: str) -> str:
    shown = _OPENS.sub(_escaped, _COMMENT.sub("", text))
    return re.sub(r"\\<br ?/?>", "<br />", shown)


def _escaped(match: re.Match[str]) -> str:
    """What would open an expression or an element, after an odd number of backslashes."""
    return match[0] if len(match[1]) % 2 else f"{match[1]}\\{match[2]}"


def _link(match: re.Match[str], lead: Lead) -> str:
    mark, words, to = match[2], match[3], lead(match[5])
    is_gone = to is None or (mark and "://" in to)
    return words if is_gone else f"{mark}[{words}]({to})"
