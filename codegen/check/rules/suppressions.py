"""Lints of what is accepted: suppressions that suppress nothing, accepted breaks whose window has ended."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.ledger import Accepted, Ledger
from ...findings.rule import Effect, Hit, Rule
from ...findings.suppressions import Config


def _unused(config: Config) -> Iterator[Hit]:
    for suppression in config.unused():
        text = f"nothing trips {suppression.rule} at {suppression.pointer}"
        yield Hit(message=text, pointer=str(suppression.index))


def _over(ledger: Ledger) -> Iterator[Hit]:
    for entry in ledger.over():
        yield Hit(message=f"{_shown(entry)} was accepted until {entry.until}, which is over", pointer=str(entry.index))


def _shown(entry: Accepted) -> str:
    return f"{entry.rule} at {entry.pointer}"


ROWS = (
    Rule(
        id="suppression-unused",
        family="suppressions",
        effect=Effect.LINT,
        level=Level.warning,
        on=Config,
        check=_unused,
        purpose="A suppression that suppresses nothing.",
        instead="remove it (a break that outlives its merge belongs into accepted-breaks.toml)",
        reasoning="What it excused is gone, or its pointer never led anywhere; it would hide the next mistake there.",
    ),
    Rule(
        id="accepted-break-over",
        family="suppressions",
        effect=Effect.LINT,
        level=Level.warning,
        on=Ledger,
        check=_over,
        purpose="An accepted break that nothing matches any more and whose window has ended.",
        instead="remove it from the ledger",
        reasoning="The release from which the break is missing is no baseline any more. While the window is open an entry may match "
        "nothing: the next comparison with an older release needs it.",
    ),
)
