"""Write a schema's requirements as JSON, as lists in docstrings, and as tables for pages."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ..document.keywords import LEVELS
from ..model.nodes.requirements import about_method, as_data
from ..model.nodes.root import Requirement
from ..model.nodes.types import Method, Schema
from .kinds import Prose
from .text import markdown


def requirements_json(schema: Schema, requirements: Iterable[Requirement]) -> str:
    """The requirements as JSON text, in the order of the schema."""
    data = [as_data(schema, each) for each in requirements]
    return json.dumps(data, indent=1, ensure_ascii=True) + "\n"


def required_of(schema: Schema, method: Method, side: str) -> str:
    """The requirements of a method for a side, the strongest first, as docstring paragraphs; empty if there are
    none.
    """
    found = [each for each in about_method(schema, method) if each.binds in (side, "both")]
    if not found:
        return ""
    items = "\n".join(f"- {each.level.upper()}: {_line(each.text)}" for each in strongest_first(found))
    return f"\n\nRequired of the {side}:\n\n{items}"


def page_of(schema: Schema, requirements: Iterable[Requirement]) -> list[dict[str, Any]]:
    """The requirements as rows of Markdown tables, by source."""
    groups: dict[str, list[Requirement]] = {}
    for each in requirements:
        groups.setdefault(each.source, []).append(each)
    return [
        {"title": markdown(_title(schema, source)), "rows": [_row(each) for each in found]}
        for source, found in groups.items()
    ]


def strongest_first(requirements: Iterable[Requirement]) -> list[Requirement]:
    """Requirements sorted by level, then by the order of the schema."""
    return sorted(requirements, key=lambda each: -LEVELS.index(each.level))


def _title(schema: Schema, source: str) -> str:
    rfd = (schema.rfds or {}).get(source)
    return f"{rfd.title} ({rfd.name}, {rfd.stage})" if rfd is not None else f"Extension {source.removeprefix('_')}"


def _row(requirement: Requirement) -> dict[str, Any]:
    return {
        "id": markdown(requirement.id),
        "level": Prose(requirement.level.upper()),
        "binds": Prose({"both": "agent, client"}.get(requirement.binds, requirement.binds)),
        "text": markdown(_line(requirement.text)),
        "on": [markdown(name) for name in requirement.on],
    }


def _line(text: str) -> str:
    return " ".join(text.split())
