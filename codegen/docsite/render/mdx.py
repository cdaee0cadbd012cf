"""Pages as MDX, for a site that Mintlify builds: front matter, Markdown, and Mintlify's components."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import partial

from ...escape import markdown_block
from ...resources import template_environment
from ..book.blocks import Page, Text
from ..book.urls import SECTIONS
from .html import visible
from .markdown import as_mdx

EXTENSION = ".mdx"
_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$&]|^(?:[-+=]|\d+[.)])", re.MULTILINE)
_ADDRESS = re.compile(r"(?<=:)(?=//)|(?<=\bwww)(?=\.)|(?<=[\w+.-])(?=@)", re.IGNORECASE)
"""What makes GitHub's Markdown link an address, and where a character without width keeps it from that."""
_SPLITS = re.compile(r"\\\|")
"""In a cell, the backslash would be taken for that of the bar's escape."""
_LINES = re.compile(r"\r\n?|\n")
_STATEMENT = re.compile(r"\A(import|export)\b")


class Mdx:
    """Writes the pages of one site. `base`: where the pages will be in the other site, as `/reference`."""

    def __init__(self, title: str, pages: Sequence[Page], base: str) -> None:
        self.title, self.pages, self.root = title, pages, base.rstrip("/")
        # `text`, `code`, `cell` and `fence` are the escapers.
        self.environment = template_environment("site", autoescape=False)
        filters = {
            "text": text,
            "code": code,
            "cell": cell,
            "cell_code": cell_code,
            "quoted": json.dumps,
            "fence": fence,
        }
        self.environment.filters.update(filters)
        self.template = self.environment.get_template("page.mdx.jinja2")

    def path(self, page: Page) -> str:
        """The file of a page."""
        return f"{page.at}{EXTENSION}"

    def base(self) -> str:
        """What all pages have in common."""
        return f"{self.title}\0{self.root}"

    def page(self, page: Page) -> str:
        """The text of a page."""
        made = self.template.render(
            page=page,
            description=_flat(page.lead),
            spans=self._spans,
            href=self._href,
            document=partial(self._document, page),
        )
        return re.sub(r"\n{3,}", "\n\n", made).rstrip("\n") + "\n"

    def assets(self) -> Mapping[str, str]:
        """The navigation, to be put into the other site's `docs.json`."""
        groups = [
            {
                "group": words,
                "pages": [
                    f"{self.root}/{page.at}".lstrip("/")
                    for page in sorted(self.pages, key=lambda page: page.kind != "list")
                    if page.section == section
                ],
            }
            for section, words in SECTIONS.items()
        ]
        first = {"group": self.title, "pages": [f"{self.root}/index".lstrip("/")]}
        shown = [first, *(group for group in groups if group["pages"])]
        return {"navigation.json": json.dumps(shown, indent=2, ensure_ascii=True) + "\n"}

    def _spans(self, spans: Text, *, in_cell: bool = False) -> str:
        parts: list[str] = []
        for span in spans:
            kept = span.code and not (in_cell and _SPLITS.search(span.text))
            shown = code(span.text) if kept else text(span.text)
            shown = f"**{shown}**" if span.strong else shown
            parts.append(f"[{shown}]({self._href(span.to)})" if span.to else shown)
        found = "".join(parts)
        return cell(found) if in_cell else found

    def _href(self, to: str) -> str:
        page, mark, anchor = to.partition("#")
        return f"{self.root}/{page}{mark}{anchor}" if page else f"#{anchor}"

    def _document(self, page: Page, markdown: str, links: Mapping[str, str]) -> str:
        def lead(link: str) -> str | None:
            to = links.get(link)
            if to is None or "://" in to or to.startswith("#"):
                return to
            return self._href(to) if "/" in to else f"{self.root}/{page.section}/{to}"

        return as_mdx(markdown, lead)


def text(value: str) -> str:
    """A text as MDX in which nothing is markup, an expression, or a statement."""
    shown = _MARKUP.sub(r"\\\g<0>", " ".join(_LINES.split(visible(value))))
    return _STATEMENT.sub(r"&#8203;\1", _ADDRESS.sub("&#8203;", shown))


def code(value: str) -> str:
    """A span of code."""
    shown = " ".join(_LINES.split(visible(value)))
    fence_ = "`" * (max((len(run) for run in re.findall("`+", shown)), default=0) + 1)
    pad = " " if shown.startswith("`") or shown.endswith("`") or not shown.strip() else ""
    return f"{fence_}{pad}{shown or ' '}{pad}{fence_}"


def cell_code(value: str) -> str:
    """Code in a cell of a table; as text where a span of code could not keep its bar."""
    return text(value) if _SPLITS.search(value) else cell(code(value))


def cell(shown: str) -> str:
    """MDX for a cell of a table: a bar ends no cell."""
    return re.sub(r"(?<!\\)\|", r"\\|", shown)


def fence(value: str, language: str) -> str:
    """A block of code."""
    return markdown_block(visible(value), language)


def _flat(spans: Text) -> str:
    return "".join(span.text for span in spans)[:300]
