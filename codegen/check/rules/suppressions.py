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
        text = f"no finding of {suppression.rule} at {suppression.pointer}"
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
        "A suppression that matches no finding.",
        "remove it; a break that is to stay accepted after its merge belongs in accepted-breaks.toml",
        "The finding is gone, or the pointer never matched. The suppression would hide the next mistake there.",
    ),
    lint(
        "suppressions",
        "accepted-break-over",
        Level.warning,
        Ledger,
        _over,
        "An accepted break that matches no finding any more and whose window has ended.",
        "remove it from the ledger",
        "No comparison needs the entry any more. While the window is open an entry may match nothing, because "
        "the next comparison with an older release needs it.",
    ),
)
