"""Lints of accepted findings: suppressions that suppress nothing, accepted breaks whose window has ended."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.accepted_breaks import Ledger
from ...findings.rule import Hit
from ...findings.suppressions import Config
from .rows import Rows


def _unused(config: Config) -> Iterator[Hit]:
    for suppression in config.unused():
        yield Hit(f"{suppression.rule} has no finding at {suppression.pointer}", str(suppression.index))


def _over(ledger: Ledger) -> Iterator[Hit]:
    for entry in ledger.over():
        yield Hit(
            f"{entry.rule} at {entry.pointer} was accepted until {entry.until}, which has passed", str(entry.index)
        )


_rules = Rows(
    """
# suppressions

suppression-unused (warning)
    A suppression without a matching finding.
    Why: The finding was fixed, or the pointer never matched. The suppression would hide the next mistake there.
    Instead: remove it; a break that is to stay accepted after its merge belongs in accepted-breaks.toml

accepted-break-over (warning)
    An accepted break without a matching finding whose window has ended.
    Why: No comparison needs the entry any more. During the window, an entry may match nothing: the next comparison with an
    older release needs it.
    Instead: remove it from accepted-breaks.toml
"""
)

ROWS = (
    _rules.lint("suppression-unused", Config, _unused),
    _rules.lint("accepted-break-over", Ledger, _over),
)
