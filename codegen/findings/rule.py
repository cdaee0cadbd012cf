"""Rules as table rows, and their results. No traversal, no printing.

A rule's *effect* states which peers cannot read the other side's messages after an edit. The level follows from the
effect and from the messages that contain the change:

    NARROWS  the new receiver accepts less, so old senders break; no gate can prevent that
    WIDENS   the new sender sends more, so old receivers break, unless the part is open, lenient or gated
    OMITS    the new sender omits a property that the old receiver requires; only leniency helps
    SHIFTS   some values narrow the part and others widen it
    BREAKS   both directions break; leniency does not help if a whole kind of message or value is lost
    DROPS    nothing fails, but data or meaning is silently lost
    ADDS     nobody is affected
    LINT     a problem of one schema by itself; the row states the level
    MESSAGE  a problem of one message or conversation (`validate`); the row states the level
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from ..model.algebra.change_kind import Kind
from .finding import Category, Finding, Level, Place


class Effect(Enum):
    """The peers affected by a change; see the module's docstring."""

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
"""The effect on the wire of each relation between the old and the new part."""

_CATEGORIES = {
    Effect.LINT: Category.LINT,
    Effect.SOURCE: Category.SOURCE,
    Effect.MESSAGE: Category.MESSAGE,
}

Became = Literal["added", "removed", "kept"]
"""The fate of a part: only in the new schema, only in the old one, or in both."""

Check = Callable[[Any], "Iterator[Hit]"]
"""A function that checks one pair or one schema and yields hits."""


class Text(Struct, frozen=True, kw_only=True):
    """The text of a rule. `says`: the message of every hit, if the message is always the same."""

    family: str
    purpose: str
    instead: str
    reasoning: str = ""
    mirror: str | None = None
    says: str = ""
    level: Level = Level.error

    def rule(self, id_: str, effect: Effect, on: type, check: Check, **more: Any) -> Rule:
        """Build the row of the rule with this text."""
        return Rule(id=id_, effect=effect, on=on, check=check, **asdict(self), **more)


class Rule(Text, frozen=True, kw_only=True):
    """A row of the rule table. `check` yields a `Hit` for every pair (or part of a schema) that violates the rule.

    `when`: the effect by relation of the old and new part; empty if the relation is irrelevant. `became`: the
    required fate of the part; None for any.
    """

    id: str
    effect: Effect
    on: type
    check: Check
    when: Mapping[Kind, Effect] = {}
    became: Became | None = None

    def hits(self, pair: Any) -> Iterator[Hit]:
        """The hits of the rule at a pair, if its conditions about the fate and relation of the parts are met."""
        if self.became in (None, pair.became) and (not self.when or pair.kind in self.when):
            yield from self.check(pair)

    @property
    def category(self) -> Category:
        """The category: wire, source or lint."""
        return _CATEGORIES.get(self.effect, Category.WIRE)

    def finding(
        self, pointer: str, place: Place, message: str, *, ceiling: Level = Level.error, instead: str = ""
    ) -> Finding:
        """The finding of the rule at a place. `instead`: more specific advice."""
        return Finding(
            id=self.id,
            level=min(self.level, ceiling),
            category=self.category,
            family=self.family,
            pointer=pointer,
            place=place,
            message=message,
            instead=instead or self.instead,
        )


class Hit(Struct, frozen=True):
    """A result of a rule function for a pair. The engine adds places and level. `effect` replaces the rule's effect,
    `ceiling` caps the level, and `pointer` and `base` replace the pair's places. `absent`: the error is a missing
    property, which a leniency keyword tolerates only with a default. `accepted`: the receiver accepts the change.
    `misread`: the receiver misinterprets a message without the property. `gate`: the capability that a receiver must
    advertise to get the new part. `instead`: more specific advice than the rule's.
    """

    message: str
    pointer: str | None = None
    base: str | None = None
    effect: Effect | None = None
    ceiling: Level = Level.error
    accepted: bool = False
    absent: bool = False
    misread: bool = False
    gate: str | None = None
    instead: str = ""


def silent(_: object) -> Iterator[Hit]:
    """A check that yields nothing, for rules whose findings come from elsewhere."""
    yield from ()


_FIELDS = {"Why": "reasoning", "Instead": "instead", "Mirror": "mirror", "Says": "says"}
_HEADING = re.compile(r"([a-z0-9-]+)(?: \((error|warning|info)\))?")


def texts(written: str) -> Mapping[str, Text]:
    """The texts of rules by id. A line with `#` names the family, and each rule is written like this:

    rule-id (level)
        The purpose.
        Says: the message
        Why: the reasoning
        Instead: the advice
        Mirror: the rule of the opposite change
    """
    found: dict[str, dict[str, Any]] = {}
    text: dict[str, Any] = {}
    family = field = ""
    for line in written.splitlines():
        heading = _HEADING.fullmatch(line)
        if line.startswith("# "):
            family = line.removeprefix("# ")
        elif heading is not None:
            assert heading[1] not in found, f"{heading[1]} has two texts"
            text = found[heading[1]] = {"family": family, "level": Level[heading[2] or "error"]}
            field = "purpose"
        elif line:
            name, _, rest = line.strip().partition(": ")
            field = _FIELDS.get(name, field)
            words = rest if name in _FIELDS else line.strip()
            text[field] = f"{text[field]} {words}" if field in text else words
    return {id_: Text(**parts) for id_, parts in found.items()}


def table(rows: tuple[Rule, ...]) -> Mapping[str, Rule]:
    """Rows by id. Duplicate ids are programming errors."""
    found = {row.id: row for row in rows}
    assert len(found) == len(rows), "a rule appears twice in the table"
    return found
