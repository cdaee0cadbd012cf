"""The one lint of the configuration: suppressions that suppress nothing."""

from __future__ import annotations

from collections.abc import Iterator

from ...findings.finding import Level
from ...findings.rule import Effect, Hit, Rule
from ...findings.suppressions import Config


def _unused(config: Config) -> Iterator[Hit]:
    for suppression in config.unused():
        text = f"nothing trips {suppression.rule} at {suppression.pointer}"
        yield Hit(message=text, pointer=str(suppression.index))


ROWS = (
    Rule(
        id="suppression-unused",
        family="suppressions",
        effect=Effect.LINT,
        level=Level.warning,
        on=Config,
        check=_unused,
        purpose="A suppression that suppresses nothing.",
        instead="remove it",
        reasoning="What it excused is gone, or its pointer never led anywhere; it would hide the next mistake there.",
    ),
)
