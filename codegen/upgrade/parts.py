"""The effects of selecting other parts of a package: the removed parts, and the parts that a project uses."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from msgspec import Struct

from ..emit.parts import PARTS, in_order
from .api_diff import Effect


class PartChoice(Struct, frozen=True):
    """The parts of a package before and after, in the order of their table."""

    before: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    """The parts that nobody asked for, and that others need."""
    is_first_choice: bool = False
    """True if the package predates the choice of parts and none was chosen."""

    @property
    def removed(self) -> tuple[str, ...]:
        """The removed parts."""
        return in_order({*self.before} - {*self.now})


def part_effects(parts: Iterable[str]) -> list[Effect]:
    """The names that indicate the use of some parts. The text of each effect is the part."""
    return list(chain.from_iterable(_uses(part) for part in in_order({*parts})))


def _uses(part: str) -> Iterable[Effect]:
    yield from (Effect(part, "module", module) for module in PARTS[part].modules)
    yield from (Effect(part, "name", name) for name in PARTS[part].names)
