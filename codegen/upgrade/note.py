"""The migration note: what another version of a vendored package means for the project that it lies in, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from ..emit.write import Change
from .changes import effects
from .interface import interface
from .usages import usages

_MOST_LINES = 20
_GONE = " is gone"


def migration_note(dest: Path, root: Path, found: Sequence[Change]) -> list[str]:
    """The effects of some changes, those that concern lines of the project first, with these; none where nothing breaks."""
    before = {change.path: change.current for change in found if change.current is not None}
    after = {change.path: change.text for change in found if change.text is not None}
    if not before:
        return []
    same = {name: text for name in ("models.py", "methods.py") if (text := _kept(dest, name, found)) is not None}
    told = effects(interface(same | before), interface(same | after))
    where = usages(dest, root, told)
    used = [effect for effect in told if where[effect]]
    lines: list[str] = []
    for effect in used:
        lines.append(effect.text)
        lines += _shown([f"{usage.path}:{usage.line}" for usage in where[effect]])
    texts = {effect.text for effect in used}
    rest = dict.fromkeys(effect.text for effect in told if effect.text not in texts)
    gone = [text.removesuffix(_GONE) for text in rest if text.endswith(_GONE)]
    lines += [f"gone, not used here: {', '.join(gone)}"] if gone else []
    return [*lines, *(f"{text}; not used here" for text in rest if not text.endswith(_GONE))]


def _kept(dest: Path, name: str, found: Sequence[Change]) -> str | None:
    """The text of a module that the changes leave as it is."""
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
