"""What documents may cost: one table of limits. Whatever exceeds one is refused in a line that names the limit and the place.

`docs/limits.md` shows the table. The limits of connections are options of the runtime, with defaults of their own.
"""

from __future__ import annotations

from typing import Final, NamedTuple

MIB: Final = 2**20


class Limit(NamedTuple):
    """A limit: its name, the most that is accepted, what is counted, and what to do about more."""

    name: str
    most: int
    counted: str
    instead: str

    @property
    def problem(self) -> str:
        """What to say of what exceeds it."""
        return f"more than {self.shown} {self.counted} (limit `{self.name}`, see docs/limits.md)"

    @property
    def shown(self) -> str:
        """The number for people."""
        return f"{self.most // MIB} MiB" if self.most >= MIB else f"{self.most:,}"


FILE: Final = Limit(
    "file-size", 64 * MIB, "in a file", "split the file; a transcript, one message a line, may be of any length"
)
TOO_LARGE: Final = f"is larger than {FILE.shown} (limit `{FILE.name}`, see docs/limits.md)"
"""What to say of a file that exceeds the first."""
DEPTH: Final = Limit("depth", 100, "levels of nesting", "give the inner parts definitions of their own")
DEFINITIONS: Final = Limit("definitions", 20_000, "definitions", "remove definitions that nothing uses")
CHAIN: Final = Limit(
    "chain", 100, "definitions that are made of one another", "refer to the definition at the end of the chain"
)
VARIANTS: Final = Limit(
    "variants", 500, "variants of one type, with those of the unions in it", "let a property hold one of the unions"
)
VALUES: Final = Limit("values", 5_000, "values of an enumeration", "let it be a string, and say in `description` which")
PATTERN: Final = Limit("pattern-length", 5_000, "characters in a pattern", "say it in `description`")
GROUPS: Final = Limit("pattern-depth", 50, "groups inside one another in a pattern", "say it in `description`")
TARGET: Final = Limit("target-length", 2_000, "characters in a target", "write an action for each place")
SEGMENTS: Final = Limit("target-segments", 120, "segments in a target", "write the shorter path to the place")
STEPS: Final = Limit("target-steps", 1_000_000, "parts looked at for a target", "name the definition that is meant")
PLACES: Final = Limit("target-places", 10_000, "places that a target selects", "select fewer places")
COPIES: Final = Limit(
    "overlay-copies", 200_000, "values added by an action", "select fewer places, or refer to a definition"
)
ACTIONS: Final = Limit("overlay-actions", 10_000, "actions", "put what belongs together into one update")

LIMITS: Final = (
    *(FILE, DEPTH, DEFINITIONS, CHAIN, VARIANTS, VALUES, PATTERN, GROUPS),
    *(TARGET, SEGMENTS, STEPS, PLACES, COPIES, ACTIONS),
)
