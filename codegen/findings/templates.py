"""Reports that are documents (Markdown, HTML and JUnit XML), from the templates in `templates/report/`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import ndiff

from ..escape import as_json, line, markdown, markdown_block, markdown_code, terminal
from ..resources import template_environment
from .finding import Finding, Wire
from .report import in_text
from .review import REPEATS, Fails, Review, label, way_out

PAGES = {"markdown": "review.md", "html": "review.html", "junit": "junit.xml"}


_SHORT = 110
"""Maximum length of a message that is shown on one line."""


def page(review: Review, format_: str, *, version: str, fails: Fails) -> str:
    """A review in one of `PAGES`. `fails`: whether a finding fails the run; `version`: the version of this tool."""
    failing = [finding for finding in review.outcome.findings if fails(finding)]
    return fill(PAGES[format_], review=review, version=version, failing=failing, label=label, way_out=way_out)


def changelog_page(steps: Sequence[tuple[object, Review]], format_: str) -> str:
    """The reviews of the steps from release to release, the newest first, in Markdown or HTML."""
    template = f"changelog.{'md' if format_ == 'markdown' else 'html'}"
    return fill(template, steps=steps, label=label, way_out=way_out, repeats=REPEATS)


def fill(template: str, **context: object) -> str:
    """Fill a template of a report. Values are escaped for its format."""
    environment = template_environment("report", autoescape=not template.endswith(".md"))
    environment.filters.update(_FILTERS)
    return environment.get_template(f"{template}.jinja2").render(**context)


def _block(text: str, language: str, indent: int) -> str:
    """A code block in a list item."""
    return markdown_block(text, language).rstrip("\n").replace("\n", "\n" + " " * indent)


def _markdown(text: str) -> str:
    """Text for Markdown. Text between backticks becomes code."""
    parts = text.split("`")
    if not len(parts) % 2:
        return markdown(text)
    return "".join(markdown_code(part) if index % 2 else markdown(part) for index, part in enumerate(parts) if part)


def _parts(text: str) -> list[tuple[bool, str]]:
    """The parts of a text for HTML, and whether each is code."""
    parts = _plain(text).split("`")
    if not len(parts) % 2:
        return [(False, "`".join(parts))]
    return [(bool(index % 2), part) for index, part in enumerate(parts) if part]


def _plain(text: str) -> str:
    """Text without unprintable characters. The template's own escaping follows."""
    return terminal(line(text, 2000))


def changed(wire: Wire) -> str:
    """A message before and after, as a diff. Short messages are on one line each."""
    before, after = (as_json(message) if message is not None else "" for message in (wire.before, wire.after))
    if max(len(before), len(after)) <= _SHORT or not before or not after:
        return "\n".join(f"{mark} {text}" for mark, text in (("-", before), ("+", after)) if text)
    old, new = (as_json(message, indent=2).splitlines() for message in (wire.before, wire.after))
    return "\n".join(part for part in ndiff(old, new) if not part.startswith("?"))


def refused(finding: Finding) -> str:
    """The sender and the receiver of a rejected message, in words."""
    if finding.example is None:
        return ""
    old, wire = finding.example.sender == "old", finding.wire
    alone = wire is None or None in (wire.before, wire.after)
    return _upper_first(finding.example.told("this" if alone else "the first" if old else "the second"))


def _place(finding: Finding) -> str:
    where = finding.stood or finding.place
    return f"{line(where.file)}:{where.line}"


def _text(finding: Finding) -> str:
    return terminal(in_text(finding, colour=False)).rstrip()


def _upper_first(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


_FILTERS: dict[str, Callable[..., object]] = {
    "md": _markdown,
    "code": markdown_code,
    "block": _block,
    "plain": _plain,
    "parts": _parts,
    "text": _text,
    "changed": changed,
    "refused": refused,
    "message": as_json,
    "place": _place,
    "upper_first": _upper_first,
}
"""The filters of the templates."""
