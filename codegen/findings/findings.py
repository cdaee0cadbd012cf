"""What a check says: rules as rows, findings as values. No walking, no printing.

A rule's *effect* says who cannot read whom after an edit, and so, together with the places a change reaches, its level:

    NARROWS  the new receiver takes less: old senders break; nothing can gate it
    WIDENS   the new sender sends more: old receivers break, unless they are open, lenient, or gated
    OMITS    the new sender leaves out what the old receiver asks for: only leniency helps
    BREAKS   both directions are broken; leniency is no help where all of a kind is lost, not a value of it
    DROPS    nothing fails, but data or meaning is silently lost
    ADDS     nobody is affected
    LINT     one schema by itself; the row states the level
    MESSAGE  one message, or a conversation, against its schema (`validate`); the row states the level
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import Enum, IntEnum
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from ..document.read import pointer_parts

Direction = Literal["client-to-agent", "agent-to-client"]
DIRECTIONS: tuple[Direction, Direction] = ("client-to-agent", "agent-to-client")


class Level(IntEnum):
    """How bad a finding is; the larger the worse."""

    info = 0
    warning = 1
    error = 2


class Category(Enum):
    """What a finding is about."""

    WIRE = "wire"
    SOURCE = "source"
    LINT = "lint"
    MESSAGE = "message"


class Effect(Enum):
    """Who is affected by a change; see the module's docstring."""

    NARROWS = "narrows"
    WIDENS = "widens"
    OMITS = "omits"
    BREAKS = "breaks"
    DROPS = "drops"
    ADDS = "adds"
    SOURCE = "source"
    LINT = "lint"
    MESSAGE = "message"


_CATEGORIES = {
    Effect.LINT: Category.LINT,
    Effect.SOURCE: Category.SOURCE,
    Effect.MESSAGE: Category.MESSAGE,
}

Check = Callable[[Any], "Iterator[Hit]"]
"""Looks at one pair, or one schema, and yields what it finds there."""


class Rule(Struct, frozen=True, kw_only=True):
    """A row of the rule table; `check` yields a `Hit` for every pair (or part of a schema) that trips the rule."""

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

    @property
    def category(self) -> Category:
        """Wire, source or lint."""
        return _CATEGORIES.get(self.effect, Category.WIRE)


def change(
    id_: str,
    effect: Effect,
    on: type,
    check: Check,
    purpose: str,
    reasoning: str,
    instead: str,
    mirror: str | None = None,
    *,
    family: str,
) -> Rule:
    """A row about a change of a schema, as the tables in `rules` list them."""
    return Rule(
        id=id_,
        family=family,
        effect=effect,
        on=on,
        check=check,
        purpose=purpose,
        reasoning=reasoning,
        instead=instead,
        mirror=mirror,
    )


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


class Place(Struct, frozen=True):
    """A place in a file, counted from 1."""

    file: str
    line: int
    column: int


class Finding(Struct, frozen=True, kw_only=True):
    """One finding, with everything a report shows."""

    id: str
    level: Level
    category: Category
    pointer: str
    place: Place
    base: Place | None = None
    base_pointer: str | None = None
    directions: tuple[Direction, ...] = ()
    breaks: tuple[str, ...] = ()
    message: str
    instead: str
    via: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    """Further places of the same edit, as pointers."""
    subject: str = ""
    alike: str = ""
    """What else must be equal for findings to be told as one."""
    path: str = ""
    """Where in a message, as `$.path`; `expected` and `found` say what was wrong there."""
    expected: str = ""
    found: str = ""

    @property
    def fingerprint(self) -> str:
        """What stays the same when lines move: the rule, the elements and the words."""
        parts = (self.id, self.pointer, self.base_pointer or "", self.message)
        return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]

    def order(self) -> tuple[Any, ...]:
        """Findings are shown in the order of the file, the worst first at one place."""
        return (self.place.file, self.place.line, self.place.column, -self.level, self.id, self.message)


ONE_CAUSE = frozenset({"ref-unresolved", "rfd-unknown"})
"""Rules of which findings in the same words have one cause: what is missing there."""


def grouped(findings: Sequence[Finding], least: int = 4) -> list[Finding]:
    """One finding, at the first place of it, for one edit made to the properties of one name in many definitions, and
    for one missing thing that many places name.
    """
    families: dict[tuple[str, str, Level], list[Finding]] = {}
    for finding in sorted(findings, key=Finding.order):
        _, dot, name = finding.subject.rpartition(".")
        if dot:
            words = finding.message.replace(finding.subject, name) + finding.alike
        else:
            words = finding.message if finding.id in ONE_CAUSE else finding.pointer + finding.message
        families.setdefault((finding.id, words, finding.level), []).append(finding)
    found: list[Finding] = []
    for family in families.values():
        first, *rest = family
        if len(family) < (2 if first.id in ONE_CAUSE else least):
            found += family
            continue
        owners = [f.subject.rpartition(".")[0] or _definition(f.pointer) for f in rest]
        others = list(dict.fromkeys(owners))
        shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
        found.append(
            replace(
                first,
                message=f"{first.message}; so it is in {shown}",
                breaks=tuple(dict.fromkeys(who for f in family for who in f.breaks)),
                directions=tuple(d for d in DIRECTIONS if any(d in f.directions for f in family)),
                via=tuple(sorted({message for f in family for message in f.via})),
                also=tuple(f.pointer for f in rest),
            )
        )
    return sorted(found, key=Finding.order)


def _definition(pointer: str) -> str:
    """The definition that a pointer leads into, in words."""
    steps = pointer_parts(pointer)
    return steps[1] if len(steps) > 1 and steps[0] == "$defs" else "the root"


def table(rows: tuple[Rule, ...]) -> Mapping[str, Rule]:
    """Rows by id; two rows of one id are a mistake of ours."""
    found = {row.id: row for row in rows}
    assert len(found) == len(rows), "a rule stands twice in the table"
    return found
