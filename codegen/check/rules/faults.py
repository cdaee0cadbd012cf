"""Faults: what no package can be made from. Reading, loading and shaping find them; here they are rules like any other."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ...faults import FAULTS
from ...findings.finding import Level
from ...findings.rule import Effect, Hit, Rule
from ..schemas import Loaded


def _nothing(_loaded: Loaded) -> Iterator[Hit]:
    """They keep a schema from being loaded."""
    yield from ()


def rows(told: Collection[str]) -> tuple[Rule, ...]:
    """A row for each fault that no lint of the same name tells already."""
    return tuple(
        Rule(
            id=fault.id,
            family="faults",
            effect=Effect.LINT,
            level=Level.error,
            on=Loaded,
            check=_nothing,
            purpose=fault.purpose,
            instead=fault.instead,
            reasoning=fault.reasoning,
        )
        for fault in FAULTS
        if fault.id not in told
    )
