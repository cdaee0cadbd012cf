"""The pages of the reference, from the templates in `templates/site/`, and the navigation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from ..catalogue import RULES, consequences, example_of, level
from ..document.keywords import STAGES
from ..emit.requirements import strongest_first
from ..escape import markdown_block
from ..findings.finding import Level
from ..findings.review import REPEATS, label, way_out
from ..findings.templates import changed, refused
from ..model.nodes.requirements import about_definition, about_method, of_source, uncovered
from ..model.nodes.types import Reference
from ..model.nodes.walk import without_null
from ..resources import template_environment
from ..shape.public import side_classes
from .book import Book, implementers, opposite
from .facts import Facts
from .generator import Navigation
from .guides import groups, title_of
from .messages import Wire, shown
from .python import Python
from .text import code, escaped, link, listed, quoted, said, visible
from .urls import SECTIONS, anchor_of
from .usage import Usage
from .words import Words

_HELPERS: tuple[Callable[..., Any], ...] = (
    about_definition, about_method, anchor_of, changed, code, consequences, example_of, implementers, label, level, link, listed,
    of_source, opposite, refused, said, shown, side_classes, strongest_first, uncovered, way_out, without_null,
)  # fmt: skip


def reference(book: Book, home: str = "") -> dict[str, str]:
    """The pages of the reference by path, including the home page. `home`: its introduction."""
    environment, schema = _environment(book), book.schema
    found: dict[str, str] = {}

    def add(path: str, template: str, title: str, about: str | None = "", **more: Any) -> None:
        head = {"title": title, "description": (about or "").replace("`", "")}
        text = environment.get_template(f"{template}.md.jinja2").render(path=path, title=title, about=about, **more)
        front = "".join(f"{key}: {quoted(value, 160)}\n" for key, value in head.items() if value)
        found[f"{path}.md"] = f"---\n{front}---\n\n{text}"

    definitions = schema.definitions
    for method in schema.methods:
        add(book.methods_at[method.key], "method", method.path, definitions[method.params].description, method=method)
    for name, definition in definitions.items():
        add(book.types_at[name], "type", name, definition.description, definition=definition)
    for key, capability in book.capabilities.items():
        add(book.capabilities_at[key], "capability", key[1], capability.field.description, it=capability, key=key)
    for rfd in book.rfds.values():
        add(book.rfds_at[rfd.name], "rfd", rfd.title, rfd=rfd)
    for step in book.history.steps:
        add(book.versions_at[step.new], "version", step.new, f"Changes of {step.new} since {step.old}.", step=step)
    for rule in RULES.values():
        add(book.rules_at[rule.id], "rule", rule.id, rule.purpose, rule=rule)
    sections = [section for section in SECTIONS if any(path.startswith(f"{section}/") for path in found)]
    for section in sections:
        add(f"{section}/index", section, _heading(section))
    description = book.document.value.get("description")
    about, own = description if isinstance(description, str) else "", Markup(home)  # noqa: S704  # a document of ours
    add("index", "home", title_of(home) or book.title, about, sections=sections, home=own)
    return found


def navigation(book: Book, guides: Mapping[str, str]) -> Navigation:
    """The navigation tabs: the groups of documents, and the protocol. Capabilities and rules are reached through
    their lists.
    """

    def listed_below(section: str, at: Sequence[str]) -> tuple[str, Any]:
        return _heading(section), [("", f"{section}/index.md"), *(("", f"{path}.md") for path in at)]

    found = {
        title: [(title_of(guides[path.removeprefix("guides/")]), path) for path in paths]
        for title, paths in groups(guides).items()
    }
    protocol: list[tuple[str, Any]] = [
        listed_below("methods", list(book.methods_at.values())),
        listed_below("types", list(book.types_at.values())),
        *([("Capabilities", "capabilities/index.md")] if book.capabilities else []),
        *([listed_below("rfds", list(book.rfds_at.values()))] if book.rfds else []),
        *([listed_below("versions", list(book.versions_at.values()))] if book.history.steps else []),
        ("Rules", "rules/index.md"),
    ]
    found["Protocol"] = [*found.get("Protocol", []), *protocol]
    return [("Home", "index.md"), *found.items()]


def _heading(section: str) -> str:
    return "RFDs" if section == "rfds" else section.capitalize()


def _fence(text: Any, language: str) -> Markup:
    return Markup(markdown_block(visible(str(text)), language))  # noqa: S704  # its fence is longer than any inside


def _environment(book: Book) -> Environment:
    environment = template_environment("site", autoescape=True)
    environment.finalize = escaped
    facts = Facts(book)
    filters: dict[str, Any] = {"prose": book.prose, "code": code, "fence": _fence}
    environment.filters.update({**filters, "subject": lambda name: book.prose(f"`{name}`")})
    helpers: dict[str, Any] = {helper.__name__: helper for helper in _HELPERS} | {
        "book": book, "schema": book.schema, "facts": facts, "words": Words(book), "usage": Usage(book), "wire": Wire(book),
        "python": Python(book), "RULES": RULES, "STAGES": STAGES, "REPEATS": REPEATS, "Level": Level, "Reference": Reference,
    }  # fmt: skip
    environment.globals.update(helpers)
    return environment
