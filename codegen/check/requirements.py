"""Requirements of two schemas, side by side: by their ids, which stay when texts change."""

from __future__ import annotations

from collections.abc import Iterator

from ..document.annotations import is_bare
from ..document.read import join
from ..model.requirements import in_force
from ..model.root import Requirement
from .pairs import RequirementPair
from .side import Side

KEYWORD = "x-requirements"


def requirement_pairs(old: Side, new: Side) -> Iterator[RequirementPair]:
    """Statements that one schema alone has, or that demand something else; a published file has none, and tells nothing."""
    if is_bare(old.document) or is_bare(new.document):
        return
    before, after = ({each.id: each for each in side.schema.requirements} for side in (old, new))
    for id_ in {**before, **after}:
        one, other = before.get(id_), after.get(id_)
        if _is_withdrawn(one, other, new) or _is_withdrawn(other, one, old):
            continue
        if one is None or other is None or (one.level, one.binds) != (other.level, other.binds):
            yield RequirementPair(
                old=one,
                new=other,
                pointer=other.pointer if other is not None else _home(id_, new),
                base=one.pointer if one is not None else _home(id_, old),
                subject=id_,
                stable=all(
                    in_force(side.schema, each) for side, each in ((old, one), (new, other)) if each is not None
                ),
            )


def _is_withdrawn(there: Requirement | None, gone: Requirement | None, side: Side) -> bool:
    """Whether a statement is missing with its whole RFD, which is told by itself."""
    rfds = side.schema.rfds or {}
    return there is not None and gone is None and not there.source.startswith("_") and there.source not in rfds


def _home(id_: str, side: Side) -> str:
    """The place where a statement would be: its source, the table, or the root."""
    source = id_.partition("/")[0]
    table = side.document.value.get(KEYWORD)
    if table is None:
        return ""
    return join("", KEYWORD, source) if source in table else join("", KEYWORD)
