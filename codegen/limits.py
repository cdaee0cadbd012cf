"""The table of limits for documents. A document that exceeds a limit is rejected with one line: the limit and the place.

`docs/limits.md` shows the table. The limits of connections are options of the runtime, with defaults of their own.

Users can set other limits in the environment of a command, which documents and the files of a pull request cannot reach:

    ACP_CODEGEN_LIMITS="definitions=50000 schema-size=16MiB seconds=600"
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from .errors import InputError, quoted

MIB: Final = 2**20
VARIABLE: Final = "ACP_CODEGEN_LIMITS"
_SETTING = re.compile(r"([a-z-]+)=([1-9][0-9]{0,14})(MiB)?")

_set: dict[str, int] = {}


class Limit(NamedTuple):
    """A limit: its name, the most that is usually accepted, what is counted, and what to do about more.

    `fixed`: more than that is beyond what Python's stack holds, and nobody can set another one.
    """

    name: str
    usual: int
    counted: str
    instead: str
    fixed: bool = False

    @property
    def most(self) -> int:
        """The most that is accepted in this run."""
        return _set.get(self.name, self.usual)

    @property
    def problem(self) -> str:
        """What to say of what exceeds it."""
        return f"more than {self.shown} {self.counted} (limit `{self.name}`, see docs/limits.md)"

    @property
    def shown(self) -> str:
        """The number for people."""
        return f"{self.most // MIB} MiB" if self.most >= MIB and self.most % MIB == 0 else f"{self.most:,}"


SECONDS: Final = Limit("seconds", 8, "seconds of work", f"look at less at once, or allow more: {VARIABLE}=seconds=60")
ELAPSED: Final = Limit(
    "elapsed", 120, "seconds from start to end", f"look at less at once, or allow more: {VARIABLE}=elapsed=600"
)
FILE: Final = Limit(
    "file-size", 16 * MIB, "in a file", "split the file; a transcript, one message a line, may be of any length"
)
LINE: Final = Limit("line-size", 16 * MIB, "in a line of a transcript", "leave the message out")
SCHEMA: Final = Limit("schema-size", 8 * MIB, "in a schema", f"allow more: {VARIABLE}=schema-size=32MiB")
DEPTH: Final = Limit("depth", 100, "levels of nesting", "give the inner parts definitions of their own", fixed=True)
DEFINITIONS: Final = Limit("definitions", 20_000, "definitions", "remove definitions that nothing uses")
CHAIN: Final = Limit(
    *("chain", 100, "definitions that are made of one another", "refer to the definition at the end of the chain"),
    fixed=True,
)
VARIANTS: Final = Limit(
    "variants", 500, "variants of one type, with those of the unions in it", "let a property hold one of the unions"
)
PROPERTIES: Final = Limit(
    "properties", 2_000, "properties of one type, with those that it takes over", "let a property hold some of them"
)
TAKEN_OVER: Final = Limit(
    "taken-over", 100_000, "properties that types take over, together", "let a property hold what many types take over"
)
METHODS: Final = Limit("methods", 1_000, "methods", "tell them apart by a property of their params")
VALUES: Final = Limit("values", 5_000, "values of an enumeration", "let it be a string, and say in `description` which")
ALL_VALUES: Final = Limit(
    "all-values", 100_000, "values of all enumerations", "let some of them be strings, and say in `description` which"
)
PATTERN: Final = Limit("pattern-length", 5_000, "characters in a pattern", "say it in `description`")
GROUPS: Final = Limit(
    "pattern-depth", 50, "groups inside one another in a pattern", "say it in `description`", fixed=True
)
TARGET: Final = Limit("target-length", 2_000, "characters in a target", "write an action for each place")
SEGMENTS: Final = Limit(
    "target-segments", 120, "segments in a target", "write the shorter path to the place", fixed=True
)
STEPS: Final = Limit("target-steps", 1_000_000, "parts looked at for a target", "name the definition that is meant")
PLACES: Final = Limit("target-places", 10_000, "places that a target selects", "select fewer places")
COPIES: Final = Limit(
    "overlay-copies", 200_000, "values added by an action", "select fewer places, or refer to a definition"
)
ACTIONS: Final = Limit("overlay-actions", 10_000, "actions", "put what belongs together into one update")

LIMITS: Final = (
    *(SECONDS, ELAPSED, FILE, LINE, SCHEMA, DEPTH, DEFINITIONS, CHAIN, VARIANTS, PROPERTIES, TAKEN_OVER),
    *(METHODS, VALUES, ALL_VALUES, PATTERN, GROUPS, TARGET, SEGMENTS, STEPS, PLACES, COPIES, ACTIONS),
)


def set_limits(text: str) -> None:
    """Take the limits of a text, `name=number` with blanks or commas between them, and the usual ones for the rest.

    Raises InputError.
    """
    known = {limit.name: limit for limit in LIMITS}
    found: dict[str, int] = {}
    for part in text.replace(",", " ").split():
        setting = _SETTING.fullmatch(part)
        limit = known.get(setting[1]) if setting is not None else None
        if setting is None or limit is None:
            raise InputError(
                VARIABLE, f"{quoted(part)} is not a limit; write definitions=50000, and see docs/limits.md"
            )
        if limit.fixed:
            raise InputError(VARIABLE, f"the limit `{limit.name}` cannot be set, see docs/limits.md")
        found[limit.name] = int(setting[2]) * (MIB if setting[3] else 1)
    _set.clear()
    _set.update(found)
