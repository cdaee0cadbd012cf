"""Rules for meaning: error codes and statements in prose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import quoted
from ...findings.rule import Effect, Hit
from ..parts.pairs import MeaningPair
from .rows import Rows


def _reworded(pair: MeaningPair) -> Iterator[Hit]:
    if pair.code:
        return
    was, now = _differing(" ".join(pair.old).split(), " ".join(pair.new).split())
    if not pair.old:
        yield Hit(f"the meaning of {pair.subject} was reworded: it now says {now}")
    elif not pair.new:
        yield Hit(f"the meaning of {pair.subject} was reworded: it no longer says {was}")
    else:
        yield Hit(f"the meaning of {pair.subject} was reworded: was {was}, now {now}")


def _differing(was: Sequence[str], now: Sequence[str]) -> tuple[str, str]:
    """Both texts, from a few words before the first difference. Long texts are cut at the end."""
    same = next((n for n, (one, other) in enumerate(zip(was, now, strict=False)) if one != other), 0)
    begin = same - _BEFORE if same > _BEFORE else 0
    first, second = (quoted(("..." if begin else "") + " ".join(each[begin:])) for each in (was, now))
    return first, second


_BEFORE = 3
"""Words that are shown before a difference."""

_rules = Rows(
    """
# meaning

error-code-reassigned
    A code has the former meaning of another code.
    Says: {p.subject}: "{p.code}" was {p.old[0]} and is now {p.new[0]}
    Why: Codes are part of the wire format. Released peers interpret the code with its old meaning. A new name in
    Python does not change that.
    Instead: keep each meaning at its code, and give a new meaning a new code

meaning-reworded
    A sentence with MUST, SHOULD, MAY, null, absent or default was reworded, added or removed.
    Why: Nothing fails, because the messages are the same. But released peers were written for the old sentence. While
    the RFD is in progress: info.
    Instead: keep the meaning, or accept the change in accepted-breaks.toml with a reason
"""
)

ROWS = (
    _rules.change("error-code-reassigned", Effect.BREAKS, MeaningPair, where=lambda pair: bool(pair.code)),
    _rules.change("meaning-reworded", Effect.DROPS, MeaningPair, _reworded),
)
