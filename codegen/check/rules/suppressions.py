"""Lints of what is accepted: suppressions that suppress nothing, accepted breaks whose window has ended."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.ledger import Accepted, Ledger
from ...findings.rule import Hit
from ...findings.suppressions import Config
from .rows import lint


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
    lint(
        "suppressions",
        "suppression-unused",
        Level.warning,
        Config,
        _unused,
        "A suppression that suppresses nothing.",
        "remove it (a break that outlives its merge belongs into accepted-breaks.toml)",
        "What it excused is gone, or its pointer never led anywhere; it would hide the next mistake there.",
    ),
    lint(
        "suppressions",
        "accepted-break-over",
        Level.warning,
        Ledger,
        _over,
        "An accepted break that nothing matches any more and whose window has ended.",
        "remove it from the ledger",
        "Nothing compares with the release before the break any more. While the window is open an entry may match "
        "nothing: the next comparison with an older release needs it.",
    ),
)
