"""The severity of a change in one direction, and the peers that it breaks: a table in which the first matching row counts.

effect     the effect of the change on the sent and accepted values; it follows from the relation of both parts, see `findings/rule.py`
progress   an RFD in progress brought the part, so no released peer relies on it
accepted   the receiver takes it all the same: the union or enumeration is open
gated      a capability of the receiver, which no released peer advertises, decides whether it is sent
opening    the request that opens the connection carries it, before any capability is known
forgiven   on every way to it the affected receiver is lenient
unawaited  only notifications carry it to receivers that are not lenient: nobody waits for an answer
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ...findings.audience import NARROW, WIDE
from ...findings.finding import Direction, Level
from ...findings.rule import Effect

PEERS: Mapping[Direction, tuple[str, str]] = {
    "client-to-agent": ("client", "agent"),
    "agent-to-client": ("agent", "client"),
}
"""Who sends in a direction, and who receives."""


class Circumstances(Struct, frozen=True, kw_only=True):
    """What decides about a change besides its effect; see the module's docstring."""

    progress: bool = False
    accepted: bool = False
    gated: bool = False
    opening: bool = False
    forgiven: bool = False
    unawaited: bool = False


class Row(Struct, frozen=True, kw_only=True):
    """A row of the table: the effect, None for any, the circumstances that must hold, and what then follows.

    `raised`: it is the opening request that makes it so bad.
    """

    effect: Effect | None = None
    when: tuple[str, ...] = ()
    level: Level
    broken: tuple[str, ...] = ()
    raised: bool = False


class Judgement(Struct, frozen=True, kw_only=True):
    """How bad a change is in one direction, and who is broken by it there."""

    level: Level
    direction: Direction
    breaks: tuple[str, ...] = ()
    raised: bool = False


TABLE: tuple[Row, ...] = (
    Row(when=("progress",), level=Level.info),
    Row(effect=Effect.ADDS, level=Level.info),
    Row(effect=Effect.DROPS, when=("opening",), level=Level.error, broken=(NARROW,), raised=True),
    Row(effect=Effect.DROPS, level=Level.warning, broken=(NARROW,)),
    Row(effect=Effect.BREAKS, when=("accepted",), level=Level.warning, broken=(NARROW, WIDE)),
    Row(effect=Effect.BREAKS, level=Level.error, broken=(NARROW, WIDE)),
    Row(effect=Effect.SHIFTS, when=("accepted",), level=Level.warning, broken=(NARROW, WIDE)),
    Row(effect=Effect.SHIFTS, when=("forgiven",), level=Level.warning, broken=(NARROW, WIDE)),
    Row(effect=Effect.SHIFTS, level=Level.error, broken=(NARROW, WIDE)),
    Row(effect=Effect.OMITS, when=("forgiven",), level=Level.warning, broken=(WIDE,)),
    Row(effect=Effect.OMITS, level=Level.error, broken=(WIDE,)),
    Row(effect=Effect.NARROWS, when=("accepted",), level=Level.warning, broken=(NARROW,)),
    Row(effect=Effect.NARROWS, when=("forgiven",), level=Level.warning, broken=(NARROW,)),
    Row(effect=Effect.NARROWS, level=Level.error, broken=(NARROW,)),
    Row(effect=Effect.WIDENS, when=("accepted",), level=Level.info),
    Row(effect=Effect.WIDENS, when=("gated", "opening"), level=Level.error, broken=(WIDE,), raised=True),
    Row(effect=Effect.WIDENS, when=("gated",), level=Level.info),
    Row(effect=Effect.WIDENS, when=("forgiven",), level=Level.warning, broken=(WIDE,)),
    Row(effect=Effect.WIDENS, when=("unawaited",), level=Level.warning, broken=(WIDE,)),
    Row(effect=Effect.WIDENS, level=Level.error, broken=(WIDE,)),
)


def judge(
    effect: Effect, direction: Direction, circumstances: Circumstances, table: Sequence[Row] = TABLE
) -> Judgement:
    """The level of a change in one direction."""
    row = next(r for r in table if r.effect in (None, effect) and all(getattr(circumstances, name) for name in r.when))
    sender, receiver = PEERS[direction]
    return Judgement(
        level=row.level,
        direction=direction,
        breaks=tuple(words.format(sender=sender, receiver=receiver) for words in row.broken),
        raised=row.raised,
    )
