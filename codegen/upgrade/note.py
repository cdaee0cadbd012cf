"""The migration note: the effect of a new version of a vendored package on its project, as lines of text.

The note also lists removed parts, and the parts that a project uses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from msgspec import Struct

from ..emit.parts import PARTS, in_order, part_of
from ..write.diff import Change
from .api_diff import Effect, effects
from .interface import interface
from .usages import Usage, usages

_MOST_LINES = 20
_GONE = " was removed"


def migration_note(dest: Path, root: Path, found: Sequence[Change], parts: PartChoice) -> list[str]:
    """The effects of some changes with the affected lines of the project, those with lines first; empty if nothing
    breaks.
    """
    if all(change.current is None for change in found):
        return []
    compared = [change for change in found if part_of(change.path) not in parts.removed]
    before = {change.path: change.current for change in compared if change.current is not None}
    after = {change.path: change.text for change in compared if change.text is not None}
    same = {name: text for name in ("models.py", "methods.py") if (text := _kept(dest, name, found)) is not None}
    of_parts = part_effects(parts.before if parts.is_first_choice else parts.removed)
    names = {effect.name for effect in of_parts}
    told = [effect for effect in effects(interface(same | before), interface(same | after)) if effect.name not in names]
    where = usages(dest, root, [*told, *of_parts])
    used = [effect for effect in told if where[effect]]
    lines = list(_part_lines(parts, of_parts, where))
    for effect in used:
        lines.append(effect.text)
        lines += _shown([f"{usage.path}:{usage.line}" for usage in where[effect]])
    texts = {effect.text for effect in used}
    rest = dict.fromkeys(effect.text for effect in told if effect.text not in texts)
    gone = [text.removesuffix(_GONE) for text in rest if text.endswith(_GONE)]
    lines += [f"removed, but not used here: {', '.join(gone)}"] if gone else []
    return [*lines, *(f"{text}; not used here" for text in rest if not text.endswith(_GONE))]


def _part_lines(parts: PartChoice, told: Sequence[Effect], where: Mapping[Effect, Sequence[Usage]]) -> Iterator[str]:
    """Parts that are or can be removed, with the lines of the project that use them."""
    if parts.is_first_choice:
        yield f"parts can now be chosen (--with, --without); the package keeps its parts: {', '.join(parts.before)}"
    asked = dict.fromkeys(effect.text for effect in told)
    places = {part: sorted({usage for e in told if e.text == part for usage in where[e]}) for part in asked}
    for part in filter(places.get, asked):
        yield (
            f"the part {part} is used"
            if parts.is_first_choice
            else f"the part {part} will be removed; `--with {part}` keeps it"
        )
        yield from _shown([f"{usage.path}:{usage.line}" for usage in places[part]])
    unused = [part for part in asked if not places[part]]
    if unused and parts.is_first_choice:
        yield f"not used here: {', '.join(unused)}; `--without {','.join(unused)}` removes them"
    elif unused:
        yield f"parts that will be removed, not used here: {', '.join(unused)}"


def _kept(dest: Path, name: str, found: Sequence[Change]) -> str | None:
    """The text of a module that does not change; None for other modules."""
    if any(change.path == name for change in found):
        return None
    try:
        return (dest / name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return None


def _shown(places: Sequence[str]) -> Iterator[str]:
    yield from (f"    {place}" for place in places[:_MOST_LINES])
    if len(places) > _MOST_LINES:
        yield f"    and {len(places) - _MOST_LINES} more"


class PartChoice(Struct, frozen=True):
    """The parts of a package before and after, in the order of their table."""

    before: tuple[str, ...] = ()
    now: tuple[str, ...] = ()
    implied: tuple[str, ...] = ()
    """The parts that were not requested but that other parts require."""
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
