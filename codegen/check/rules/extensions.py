"""The rules about extension documents, as rows; `extension_rules` holds what they look for."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.rule import Effect, Hit, Rule
from ..extension_rules import RULES as TABLE
from ..schemas import Loaded


def _nothing(_loaded: Loaded) -> Iterator[Hit]:
    """They look at the extended document, which only `lint` has."""
    yield from ()


ROWS = tuple(
    Rule(
        id=row.id,
        family="extensions",
        effect=Effect.LINT,
        level=row.level,
        on=Loaded,
        check=_nothing,
        purpose=row.purpose,
        instead=row.instead,
    )
    for row in TABLE
)
