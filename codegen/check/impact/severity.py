"""The severity of a change in one direction, and the affected peers: a table from effect and cost to level.

The first matching row counts. A message that a released receiver rejects is an error; a value that it loses is a
warning.

effect     the effect on the sent and accepted values, from the relation of both parts (`findings/rule.py`)
progress   the part belongs to an RFD in progress, so no released peer relies on it
gated      a capability that no released peer advertises decides whether the part is sent
opening    the opening request contains the part, before any capability is known
cost       the loss, and who notices it (`cost`)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...findings.audience import NARROW, WIDE
from ...findings.finding import Cost, Direction, Level, Loss
from ...findings.rule import Effect, Hit, Rule

PEERS: Mapping[Direction, tuple[str, str]] = {
    "client-to-agent": ("client", "agent"),
    "agent-to-client": ("agent", "client"),
}
"""The sender and receiver in each direction."""


class Circumstances(Struct, frozen=True, kw_only=True):
    """The circumstances of a change. The module's docstring explains them."""

    progress: bool = False
    gated: bool = False
    opening: bool = False
    cost: Cost = Cost()


class Row(Struct, frozen=True, kw_only=True):
    """A row of the table: the effect (None for any), the required circumstances, the largest loss, and the level.
    `raised`: the level is higher because of the opening request.
    """

    effect: Effect | None = None
    when: tuple[str, ...] = ()
    most: Loss = Loss.SESSION
    level: Level
    raised: bool = False


class Judgement(Struct, frozen=True, kw_only=True):
    """The severity of a change in one direction, and the affected peers there."""

    level: Level
    direction: Direction
    breaks: tuple[str, ...] = ()
    raised: bool = False
    cost: Cost | None = Cost()


TABLE: tuple[Row, ...] = (
    Row(when=("progress",), level=Level.info),
    Row(effect=Effect.ADDS, level=Level.info),
    Row(effect=Effect.DROPS, when=("opening",), level=Level.error, raised=True),
    Row(most=Loss.NOTHING, level=Level.info),
    Row(effect=Effect.WIDENS, when=("gated", "opening"), level=Level.error, raised=True),
    Row(effect=Effect.WIDENS, when=("gated",), level=Level.info),
    Row(most=Loss.FIELD, level=Level.warning),
    Row(level=Level.error),
)

BROKEN: Mapping[Effect, tuple[str, ...]] = {
    Effect.NARROWS: (NARROW,),
    Effect.DROPS: (NARROW,),
    Effect.WIDENS: (WIDE,),
    Effect.OMITS: (WIDE,),
    Effect.SHIFTS: (NARROW, WIDE),
    Effect.BREAKS: (NARROW, WIDE),
}
"""The affected peers of an effect that is a warning or an error."""


def judge(
    effect: Effect, direction: Direction, circumstances: Circumstances, table: Sequence[Row] = TABLE
) -> Judgement:
    """The level of a change in one direction."""
    row = next(
        row
        for row in table
        if row.effect in (None, effect)
        and circumstances.cost.loss <= row.most
        and all(getattr(circumstances, name) for name in row.when)
    )
    broken = BROKEN.get(effect, ()) if row.level > Level.info else ()
    sender, receiver = PEERS[direction]
    return Judgement(
        level=row.level,
        direction=direction,
        breaks=tuple(words.format(sender=sender, receiver=receiver) for words in broken),
        raised=row.raised,
        cost=circumstances.cost,
    )


def way_out(row: Rule, hit: Hit, effect: Effect, worst: Level) -> str:
    """The advice for a finding: the hit's, the rule's, or the effect's."""
    if worst > Level.info and row.instead == NOTHING_TO_DO:
        return hit.instead or _WAYS.get(effect, _WAYS[Effect.BREAKS])
    return hit.instead or row.instead


NOTHING_TO_DO = "nothing to do"
_WAYS = {
    Effect.WIDENS: "require a new capability, named in `x-capability`, so that new senders use it only with receivers that advertise it",
    Effect.OMITS: "let new senders continue to send it",
    Effect.NARROWS: "let new receivers accept the messages of released senders",
    Effect.DROPS: "keep its meaning for released peers",
    Effect.BREAKS: "leave it unchanged, and add the new part under another name",
}
