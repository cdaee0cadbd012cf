"""Hand-written Markdown beside the schema, with links adapted to the site, grouped as in its README.md."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping
from pathlib import Path

from ..document.read import read_bytes
from ..errors import InputError
from .text import quoted

README, HOME = "README.md", "home.md"
_LINK = re.compile(r"(`+)(?:.|\n)+?\1(?!`)|(!?)\[((?:[^\[\]`]|(`+)[^`]+\4(?!`))*)\]\(([^()\s]+)\)")
"""A code span or block, which is skipped, or a link or picture."""
_TITLE, _GROUP = re.compile(r"^# (.+)$", re.MULTILINE), re.compile(r"^## (.+)$", re.MULTILINE)
_SUMMARY = re.compile(r"^(?![#|>`<*+\-\s\d!])(.+(?:\n.+)*)$", re.MULTILINE)


_FENCE = re.compile(r"^([ \t]*`{3,})(\w+)[ \t]+([^\n`\"]+)$", re.MULTILINE)
"""The first line of a code block with words after the language. The generator would show them as a title."""


def read_guides(folder: Path | None) -> dict[str, str]:
    """The documents and vector pictures of a folder, by name."""
    found: dict[str, str] = {}
    for path in sorted([*folder.glob("*.md"), *folder.glob("*.svg")]) if folder is not None else ():
        try:
            found[path.name] = read_bytes(path).decode("utf-8").replace("\r\n", "\n")
        except UnicodeDecodeError:
            raise InputError(str(path), "is not UTF-8; save it as UTF-8") from None
    return found


def guide_pages(guides: Mapping[str, str], edit: str) -> dict[str, str]:
    """The pages and pictures of the documents by path. `edit`: the URL of the folder with their sources."""
    return {
        f"guides/{name}": _page(text, guides) + (f"\n[Edit this page]({edit.rstrip('/')}/{name})\n" if edit else "")
        if name.endswith(".md")
        else text
        for name, text in guides.items()
        if name not in (README, HOME)
    }


def home_page(guides: Mapping[str, str]) -> str:
    """The content of the home page; empty if there is no such document."""
    return _LINK.sub(lambda match: match[0] if match[1] else _adapted(match, guides, "guides/"), guides.get(HOME, ""))


def _page(text: str, guides: Mapping[str, str]) -> str:
    summary = _SUMMARY.search(text)
    about = re.sub(r"\[([^\]]*)\]\([^)]*\)|[`*]", r"\1", " ".join(summary[1].split())) if summary else ""
    head = f"---\ndescription: {quoted(about, 160)}\n---\n\n" if about else ""
    text = _FENCE.sub(r'\1\2 title="\3"', text)
    return head + _LINK.sub(lambda match: match[0] if match[1] else _adapted(match, guides), text)


def _adapted(match: re.Match[str], guides: Mapping[str, str], below: str = "") -> str:
    """A link that works on the site. A link out of the folder becomes plain text. Remote pictures are removed."""
    picture, words, link = match[2], match[3], match[5]
    path, mark, anchor = link.partition("#")
    name = posixpath.normpath(path) if path else ""
    if name == README:
        return f"[{words}](../index.md)"
    is_elsewhere = not picture and re.match(r"https?://", link)
    return (
        f"{picture}[{words}]({below}{name}{mark}{anchor})"
        if name in guides or not path
        else match[0]
        if is_elsewhere
        else words
    )


def groups(guides: Mapping[str, str]) -> dict[str, list[str]]:
    """The pages of the documents, grouped by the heading of README.md that links them; the others under `Guides`."""
    readme = guides.get(README, "")
    found: dict[str, list[str]] = {}
    seen: set[str] = {README, HOME}
    for title, text in zip(*[iter(_GROUP.split(readme)[1:])] * 2, strict=True):
        names = dict.fromkeys(link[5] for link in _LINK.finditer(text) if link[5])
        found[title] = [f"guides/{name}" for name in names if name in guides and name not in seen]
        seen |= names.keys()
    found["Guides"] = [f"guides/{name}" for name in guides if name.endswith(".md") and name not in seen]
    return {title: paths for title, paths in found.items() if paths}


def title_of(text: str) -> str:
    """The title of a document."""
    found = _TITLE.search(text)
    return found[1].replace("`", "") if found else ""
