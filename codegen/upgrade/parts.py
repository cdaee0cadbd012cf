"""The effects of choosing other parts of a package: which parts go, and which a project uses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from ..emit.parts import PARTS, in_order
from .api_diff import Effect


class PartChoice(Struct, frozen=True):
    """The parts that a package had and will have, in the order of their table."""

    before: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    """The parts that nobody asked for, and that others need."""
    is_first_choice: bool = False
    """Whether the package is from before parts could be chosen, and nobody has chosen any."""

    @property
    def removed(self) -> tuple[str, ...]:
        """The parts that go."""
        return in_order({*self.before} - {*self.now})


def part_effects(parts: Iterable[str]) -> list[Effect]:
    """The names that show that a project uses some parts; the text of each effect is the part."""
    return list(chain.from_iterable(_uses(part) for part in in_order({*parts})))


def _uses(part: str) -> Iterable[Effect]:
    yield from (Effect(part, "module", module) for module in PARTS[part].modules)
    yield from (Effect(part, "name", name) for name in PARTS[part].names)
