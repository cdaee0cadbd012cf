"""Rules as table rows, and what they yield. No walking, no printing.

A rule's *effect* says who cannot read whom after an edit, and so, together with the places a change reaches, its level:

    NARROWS  the new receiver takes less: old senders break; nothing can gate it
    WIDENS   the new sender sends more: old receivers break, unless they are open, lenient, or gated
    OMITS    the new sender leaves out what the old receiver asks for: only leniency helps
    SHIFTS   some values narrow it and others widen it
    BREAKS   both directions are broken; leniency does not help where a whole kind is lost, not one of its values
    DROPS    nothing fails, but data or meaning is silently lost
    ADDS     nobody is affected
    LINT     one schema by itself; the row states the level
    MESSAGE  one message, or a conversation, against its schema (`validate`); the row states the level
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Literal

from msgspec import Struct

from ..model.kind import Kind
from .finding import Category, Level


class Effect(Enum):
    """Who is affected by a change; see the module's docstring."""

    NARROWS = "narrows"
    WIDENS = "widens"
    OMITS = "omits"
    SHIFTS = "shifts"
    BREAKS = "breaks"
    DROPS = "drops"
    ADDS = "adds"
    SOURCE = "source"
    LINT = "lint"
    MESSAGE = "message"


RELATED: Mapping[Kind, Effect] = {
    Kind.EQUAL: Effect.ADDS,
    Kind.NARROWER: Effect.NARROWS,
    Kind.WIDER: Effect.WIDENS,
    Kind.OVERLAPPING: Effect.SHIFTS,
    Kind.DISJOINT: Effect.BREAKS,
}
"""What it means for the wire that a part of the new schema is related to the old one in some way."""

_CATEGORIES = {
    Effect.LINT: Category.LINT,
    Effect.SOURCE: Category.SOURCE,
    Effect.MESSAGE: Category.MESSAGE,
}

Became = Literal["added", "removed", "kept"]
"""What became of a part of a schema: only the new one has it, only the old one, or both."""

Check = Callable[[Any], "Iterator[Hit]"]
"""Looks at one pair, or one schema, and yields what it finds there."""


class Rule(Struct, frozen=True, kw_only=True):
    """A row of the rule table; `check` yields a `Hit` for every pair (or part of a schema) that trips the rule.

    `when`: where the old and the new part are related in some way, what that means; empty: the row is not about a relation.
    `became`: what must have become of the part; None: whatever.
    """

    id: str
    family: str
    effect: Effect
    purpose: str
    instead: str
    on: type
    check: Check
    reasoning: str = ""
    mirror: str | None = None
    level: Level = Level.error
    when: Mapping[Kind, Effect] = {}
    became: Became | None = None

    def hits(self, pair: Any) -> Iterator[Hit]:
        """What the rule finds at a pair, if it is about what became of it, and about how both parts are related."""
        if self.became in (None, pair.became) and (not self.when or pair.kind in self.when):
            yield from self.check(pair)

    @property
    def category(self) -> Category:
        """Wire, source or lint."""
        return _CATEGORIES.get(self.effect, Category.WIRE)


class Hit(Struct, frozen=True, kw_only=True):
    """What a rule function found at a pair; places and level are the engine's business.

    `effect` replaces the rule's, `ceiling` caps the level, `pointer` and `base` replace the pair's own places.
    `absent`: what is wrong is that the property is missing, which no keyword of its own forgives that has no default.
    `accepted`: the receiver takes it all the same. `gate`: the capability whose receivers may be sent the new thing.
    `instead` is a way out that is closer than the rule's.
    """

    message: str
    effect: Effect | None = None
    ceiling: Level = Level.error
    accepted: bool = False
    absent: bool = False
    gate: str | None = None
    pointer: str | None = None
    base: str | None = None
    subject: str = ""
    instead: str = ""


def table(rows: tuple[Rule, ...]) -> Mapping[str, Rule]:
    """Rows by id; two rows of one id are a mistake of ours."""
    found = {row.id: row for row in rows}
    assert len(found) == len(rows), "a rule appears twice in the table"
    return found
