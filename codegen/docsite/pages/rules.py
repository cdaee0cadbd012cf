"""Pages of the rules of `check`, `diff` and `validate`, with the fixtures of the tests as examples."""

from __future__ import annotations

from collections.abc import Iterator

from ...catalogue import RULES, consequences, example_of, level
from ...findings.rule import Rule
from ..book.blocks import Badge, Block, Bullets, Code, Facts, Heading, Listing, Page, Prose, Text, code, said
from ..book.context import Book
from ..book.urls import RULES as SECTION

_CATEGORIES = {
    "wire": "Changes of the wire",
    "source": "Changes of the Python package",
    "lint": "Lints of one schema",
    "message": "Messages",
}
_JUDGE = {"wire": "check, diff", "source": "check, diff", "lint": "check", "message": "validate"}


class Rules:
    """The pages of rules; only the links depend on the book."""

    def __init__(self, book: Book) -> None:
        self.book = book

    def pages(self) -> Iterator[Page]:
        """A page for each rule, and the list of all."""
        for rule in RULES.values():
            yield self._page(rule)
        yield self._index()

    def _index(self) -> Page:
        blocks: list[Block] = []
        for category, title in _CATEGORIES.items():
            rows = tuple(
                (code(r.id, self.book.at.rules[r.id]), said(level(r)), self._text(r.purpose))
                for r in RULES.values()
                if r.category.value == category
            )
            blocks += [Heading(title, category), Listing(title, rows)]
        lead = said("E(g): error, unless the receiver is open, lenient, or gated. Each rule's page says when.")
        return Page(at=f"{SECTION}/index", title="Rules", kind="list", lead=lead, blocks=tuple(blocks))

    def _page(self, rule: Rule) -> Page:
        shown = level(rule)
        kind = {"error": "error", "warning": "warning", "info": "info"}.get(shown, "error")
        return Page(
            at=self.book.at.rules[rule.id],
            title=rule.id,
            kind="rule",
            code=True,
            lead=self._text(rule.purpose),
            badges=(Badge("error, warning or info" if shown == "E(g)" else shown, kind), Badge(rule.category.value)),  # type: ignore[arg-type]
            blocks=tuple(self._blocks(rule)),
            also=(rule.family,),
        )

    def _blocks(self, rule: Rule) -> Iterator[Block]:
        yield Facts(
            (
                ("Command", said(_JUDGE[rule.category.value])),
                ("Family", said(rule.family)),
                ("Instead", self._text(rule.instead)),
            )
        )
        if rule.reasoning:
            yield Heading("Why", "why")
            yield Prose(self._text(rule.reasoning))
        text, affected = consequences(rule)
        yield Heading("Who is affected", "who")
        yield Prose(self._text(text))
        if affected:
            yield Bullets(tuple(said(each) for each in affected))
        example = example_of(rule)
        if example:
            yield Heading("Example", "example")
            yield Code("\n".join(example), "diff" if example[0].startswith("--- ") else "text")

    def _text(self, text: str) -> Text:
        return self.book.prose(text[:1].upper() + text[1:])
