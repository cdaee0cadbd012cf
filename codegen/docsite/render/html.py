"""Pages as HTML: plain files that can be read without scripts. Templates contain the markup; all text is escaped here or there.

The search index is a script file, so that it works from `file://`: one row for each page and each part of a page.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape

from markupsafe import Markup

from ...resources import resource, template_environment
from ..book.blocks import Block, Entries, Fields, Folded, Heading, Page, Parts, Text, plain
from ..book.urls import SECTIONS
from .highlight import highlighted
from .markdown import as_html

EXTENSION = ".html"
_ASSETS = ("site.css", "site.js")
_MOST, _AROUND = 400, 100
"""How many pages the list of a section may have; of a longer one a page shows so many before and after itself."""
_LONG, _JOINTS = 12, re.compile(r"(?<=\w[./_:-])(?=\w)")
_LONGER, _HUMPS = 18, re.compile(r"(?<=\w[./_:-])(?=\w)|(?<=[a-z])(?=[A-Z])")
"""Names longer than this may be broken, and where."""
_HIDDEN = {
    ord(c): f"\\u{ord(c):04x}" for c in "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\ufeff"
} | {n: f"\\x{n:02x}" for n in (*range(9), 11, 12, *range(14, 32), *range(127, 160))}
"""Characters that are not shown, or that turn around what follows them."""


class Html:
    """Writes the pages of one site. `extra`: pictures and the like, by path."""

    def __init__(self, title: str, pages: Sequence[Page]) -> None:
        self.title, self.pages = title, pages
        self.environment = template_environment("site", autoescape=True, keep_trailing_newline=False)
        filters: dict[str, Callable[..., object]] = {
            "highlighted": _highlighted,
            "visible": visible,
            "breakable": _breakable,
        }
        self.environment.filters.update(filters)
        self.template = self.environment.get_template("page.html.jinja2")
        self.present = [section for section in SECTIONS if section in {page.section for page in pages}]
        self.lists = {section: self._listed(section) for section in SECTIONS}
        self.navigation = {section: self._items(found) for section, found in self.lists.items()}

    def path(self, page: Page) -> str:
        """The file of a page."""
        return f"{page.at}{EXTENSION}"

    def base(self) -> str:
        """What all pages have in common, so that a page is as it was only if this is, too."""
        return "\0".join((self.title, *self.navigation.values(), *self.present))

    def page(self, page: Page) -> str:
        """The text of a page."""
        up = "../" if "/" in page.at else ""
        return self.template.render(
            title=self.title,
            page=page,
            up=up,
            sections=[(name, SECTIONS[name], f"{up}{name}/index{EXTENSION}") for name in self.present],
            navigation=Markup(self._marked(page)),  # noqa: S704
            headings=list(_headings(page.blocks)),
            spans=partial(self._spans, page, up),
            href=partial(_href, page.at, up),
            document=partial(self._document, page, up),
            highlight=highlighted,
        )

    def assets(self) -> Mapping[str, str]:
        """The files beside the pages: style, script, and the index of the search."""
        folder = resource("templates") / "site"
        found = {f"assets/{name}": (folder / name).read_text(encoding="utf-8") for name in _ASSETS}
        return {**found, "assets/search.js": script(list(rows(self.pages, EXTENSION)))}

    # --- navigation -------------------------------------------------------------------------------------------------

    def _listed(self, section: str) -> list[Page]:
        """The pages of a section that its list has."""
        kinds = {"method", "type", "capability", "RFD", "rule", "release", "guide"}
        found = [page for page in self.pages if page.section == section and page.kind in kinds]
        return sorted(found, key=lambda page: page.title.casefold()) if section in ("types", "rules") else found

    def _items(self, found: Sequence[Page]) -> str:
        titles = Counter(page.title for page in found)
        return "\n".join(
            f'<li><a href="{escape(_name(page))}">{_breakable(_short(page, alone=titles[page.title] == 1))}</a>'
            for page in found
        )

    def _marked(self, page: Page) -> str:
        """The list of a page's section with a mark at the page; where it is long, the neighbours alone."""
        if page.kind == "list" or page.section not in self.lists:
            return ""
        found, text = self.lists[page.section], self.navigation[page.section]
        if len(found) > _MOST:
            here = next((index for index, each in enumerate(found) if each is page), 0)
            text = self._items(found[max(0, here - _AROUND) : here + _AROUND])
        name = escape(_name(page))
        return text.replace(f'<a href="{name}">', f'<a href="{name}" aria-current="page">', 1)

    # --- text -----------------------------------------------------------------------------------------------------------

    def _spans(self, page: Page, up: str, text: Text) -> Markup:
        parts: list[str] = []
        for span in text:
            shown = _breakable(span.text) if span.code else escape(visible(span.text), quote=False)
            if span.tone:
                shown = f'<span class="tone {escape(span.tone)}">{shown}</span>'
            if span.code:
                shown = f"<code>{shown}</code>"
            elif span.strong:
                shown = f"<strong>{shown}</strong>"
            if span.to and span.to != page.at:
                shown = f'<a href="{escape(_href(page.at, up, span.to))}">{shown}</a>'
            parts.append(shown)
        return Markup("".join(parts))  # noqa: S704  # escaped above

    def _document(self, page: Page, up: str, markdown: str, links: Mapping[str, str]) -> Markup:
        def lead(link: str) -> str | None:
            to = links.get(link)
            is_page = to is not None and "/" in to and "://" not in to
            return _href(page.at, up, to) if is_page and to is not None else to

        return Markup(as_html(markdown, lead, highlighted))  # noqa: S704  # markdown-it escapes


def _highlighted(code: str, language: str) -> Markup:
    return Markup(highlighted(visible(code), language))  # noqa: S704  # Pygments' text is escaped there


def _breakable(name: str) -> Markup:
    """A name that a narrow column breaks between its words rather than inside one."""
    shown = escape(visible(name), quote=False)
    if len(name) > _LONG:
        shown = (_HUMPS if len(name) > _LONGER else _JOINTS).sub("<wbr>", shown)
    return Markup(shown)  # noqa: S704  # escaped above


def _name(page: Page) -> str:
    return f"{page.at.rpartition('/')[2]}{EXTENSION}"


def _short(page: Page, *, alone: bool) -> str:
    """How a page is called in the list of its section; `alone`: no other one there has its title."""
    side = page.at.rpartition("/")[2].partition("-")[0]
    if page.kind == "capability":
        return f"{page.title} ({side})"
    return page.title if alone else f"{page.title} ({side} {page.badges[0].text})" if page.badges else page.at


def _href(at: str, up: str, to: str) -> str:
    """Where a link leads, from a page: an anchor of its own, or a file."""
    page, mark, anchor = to.partition("#")
    if page in ("", at):
        return f"#{anchor}"
    section, _, name = page.rpartition("/")
    near = section and section == at.rpartition("/")[0]
    return f"{name if near else up + page}{EXTENSION}{mark}{anchor}"


def _headings(blocks: Sequence[Block]) -> Sequence[Heading]:
    return [block for block in blocks if isinstance(block, Heading) and block.level == 2]


def visible(text: str) -> str:
    """A text without characters that cannot be seen or that turn others around: these are spelled out."""
    return text if text.isprintable() else text.translate(_HIDDEN)


Row = tuple[str, str, str, str]
"""The address, the title, the kind, and more words to search by."""

_LONGEST = 160


def rows(pages: Sequence[Page], extension: str) -> Iterator[Row]:
    """The rows of some pages."""
    for page in pages:
        address = f"{page.at}{extension}"
        more = " ".join((*page.also, plain(page.lead)))[:_LONGEST]
        yield address, page.title, page.kind, more
        if page.kind != "list":
            yield from _parts(page, page.blocks, address)


def _parts(page: Page, blocks: Sequence[Block], address: str) -> Iterator[Row]:
    for block in blocks:
        match block:
            case Parts(parts) | Fields(parts=parts) if page.kind in ("type", "RFD"):
                for part in parts:
                    kind = part.anchor.partition("-")[0]
                    yield f"{address}#{part.anchor}", f"{page.title}: {part.name}", kind, _words(part.text, part.notes)
            case Entries(entries):
                for entry in entries:
                    yield (
                        f"{address}#{entry.anchor}",
                        f"{page.title}: {plain(entry.message)}"[:_LONGEST],
                        "change",
                        entry.rule,
                    )
            case Folded(blocks=inner):
                yield from _parts(page, inner, address)
            case Heading(text, anchor, 2) if page.kind in ("method", "RFD"):
                yield f"{address}#{anchor}", f"{page.title}: {text}", "section", " ".join(page.also)[:_LONGEST]
            case Heading(text, anchor) if page.kind == "guide":
                yield f"{address}#{anchor}", f"{page.title}: {text}", "guide", ""
            case _:
                pass


def _words(text: object, notes: object) -> str:
    names = [plain(said) for label, said in notes if label == "Python"]  # type: ignore[attr-defined]
    return " ".join((*names, plain(text)))[:_LONGEST]  # type: ignore[arg-type]


def script(found: Sequence[Row]) -> str:
    """The index as a script: nothing in it can end the script element of a page, or its line."""
    text = json.dumps([list(row) for row in found], ensure_ascii=True, separators=(",", ":"))
    return f"window.acpSearch={text.replace('<', chr(92) + 'u003c')};\n"
