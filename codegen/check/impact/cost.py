"""The cost of a change: the loss when an affected receiver gets a message, and who notices.

nothing   the receiver reads the message, or expects unknown values there
field     the receiver loses one value: it uses a default, drops an item, or does not know the meaning
message   the receiver rejects or ignores the whole message
turn      the same, and the message is a request that a session handles one at a time
session   the same, and the message is a request that opens a session or the connection

A rejected request or response is an error for the caller. A rejected notification or a lost field goes unnoticed.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ...findings.finding import Cost, Loss
from ...findings.rule import Effect
from ...model.nodes.types import Schema
from ..compare.flow import Use


class Row(Struct, frozen=True, kw_only=True):
    """A row of the table: the effects, the receiver's reaction, and the resulting cost."""

    effects: frozenset[Effect]
    reaction: str
    cost: Cost


NOTHING = Cost(loss=Loss.NOTHING)
FIELD = Cost(loss=Loss.FIELD, silent=True)
IGNORED = Cost(loss=Loss.MESSAGE, silent=True)

ACCEPTS, IGNORES, FORGIVES, MISREADS = "accepts", "ignores", "forgives", "misreads"
"""Reactions of a receiver other than rejecting a message; see `TABLE`."""

_LESS = frozenset({Effect.NARROWS, Effect.SHIFTS, Effect.BREAKS})
_FORGIVABLE = frozenset({Effect.NARROWS, Effect.WIDENS, Effect.OMITS, Effect.SHIFTS})

TABLE: tuple[Row, ...] = (
    Row(effects=frozenset({Effect.ADDS}), reaction="", cost=NOTHING),
    Row(effects=frozenset({Effect.DROPS}), reaction="", cost=FIELD),
    Row(effects=_LESS, reaction=MISREADS, cost=Cost(loss=Loss.MESSAGE)),
    Row(effects=frozenset({Effect.WIDENS}), reaction=ACCEPTS, cost=NOTHING),
    Row(effects=_LESS, reaction=IGNORES, cost=IGNORED),
    Row(effects=_LESS, reaction=ACCEPTS, cost=FIELD),
    Row(effects=frozenset({Effect.WIDENS}), reaction=IGNORES, cost=FIELD),
    Row(effects=_FORGIVABLE, reaction=FORGIVES, cost=FIELD),
)
"""The first matching row counts. `reaction`: the receiver's reaction, other than rejection; empty for any.

- accepts: the union or enumeration is open;
- ignores: the same, and the change concerns a whole variant or a notification;
- forgives: it is lenient on every path;
- misreads: it interprets the absence of a capability as support, so that its later calls fail.
"""


def cost(effect: Effect, reactions: Sequence[str], uses: Sequence[Use], schema: Schema) -> Cost:
    """The cost of a change for a receiver. `uses`: the messages that it rejects without a reaction."""
    row = next((r for r in TABLE if effect in r.effects and (not r.reaction or r.reaction in reactions)), None)
    if row is not None:
        return row.cost
    losses = [_loss(use, schema) for use in uses]
    return Cost(loss=max(losses, default=Loss.MESSAGE), silent=any(use.role == "notification" for use in uses))


def _loss(use: Use, schema: Schema) -> Loss:
    sessions = schema.sessions
    if use.opening:
        return Loss.SESSION
    if sessions is None:
        return Loss.MESSAGE
    return (
        Loss.SESSION if use.method in sessions.open else Loss.TURN if use.method in sessions.exclusive else Loss.MESSAGE
    )
