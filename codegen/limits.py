"""Limits for documents. A document that exceeds one is rejected with a line that names the limit and the place.

`docs/limits.md` shows the table. The limits of connections are options of the runtime, with defaults of their own.

Users can set other limits in the environment of a command, which the files of a pull request cannot change:

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
    """A limit: its name, its default, the counted parts, and advice. `fixed`: users cannot change it, because a higher
    limit could overflow Python's stack.
    """

    name: str
    usual: int
    counted: str
    instead: str
    fixed: bool = False

    @property
    def most(self) -> int:
        """The limit that applies in this run."""
        return _set.get(self.name, self.usual)

    @property
    def problem(self) -> str:
        """The message for a value that exceeds the limit."""
        return f"more than {self.shown} {self.counted} (limit `{self.name}`, see docs/limits.md)"

    @property
    def shown(self) -> str:
        """The number as displayed."""
        return f"{self.most // MIB} MiB" if self.most >= MIB and self.most % MIB == 0 else f"{self.most:,}"


SECONDS: Final = Limit(
    "seconds", 20, "seconds of work", f"check fewer files at once, or raise the limit: {VARIABLE}=seconds=60"
)
ELAPSED: Final = Limit(
    "elapsed",
    120,
    "seconds from start to end",
    f"check fewer files at once, or raise the limit: {VARIABLE}=elapsed=600",
)
FILE: Final = Limit(
    "file-size",
    16 * MIB,
    "in a file",
    "split the file, or use a transcript with one message per line, which may have any length",
)
LINE: Final = Limit("line-size", 16 * MIB, "in a line of a transcript", "remove the message")
SCHEMA: Final = Limit("schema-size", 8 * MIB, "in a schema", f"raise the limit: {VARIABLE}=schema-size=32MiB")
DEPTH: Final = Limit("depth", 100, "levels of nesting", "move the inner parts to separate definitions", fixed=True)
DEFINITIONS: Final = Limit("definitions", 20_000, "definitions", "remove unused definitions")
CHAIN: Final = Limit(
    *("chain", 100, "definitions in a chain of references", "refer to the definition at the end of the chain"),
    fixed=True,
)
VARIANTS: Final = Limit(
    "variants", 500, "variants of one type, including nested unions", "move one of the unions to a property"
)
PROPERTIES: Final = Limit(
    "properties", 2_000, "properties of one type, including inherited ones", "group some of them in a property"
)
TAKEN_OVER: Final = Limit(
    "taken-over", 100_000, "inherited properties of all types", "group the shared properties in a property"
)
METHODS: Final = Limit("methods", 1_000, "methods", "merge methods and add a property to their params")
VALUES: Final = Limit("values", 5_000, "values of an enumeration", "use a string, and list the values in `description`")
ALL_VALUES: Final = Limit(
    "all-values",
    100_000,
    "values of all enumerations",
    "use strings for some of them, and list the values in `description`",
)
PATTERN: Final = Limit("pattern-length", 5_000, "characters in a pattern", "describe the format in `description`")
GROUPS: Final = Limit(
    "pattern-depth", 50, "nested groups in a pattern", "describe the format in `description`", fixed=True
)
TARGET: Final = Limit("target-length", 2_000, "characters in a target", "write one action per place")
SEGMENTS: Final = Limit("target-segments", 120, "segments in a target", "use a shorter path to the place", fixed=True)
STEPS: Final = Limit("target-steps", 1_000_000, "nodes examined for a target", "name the definition in the target")
PLACES: Final = Limit("target-places", 10_000, "places selected by a target", "select fewer places")
COPIES: Final = Limit(
    "overlay-copies", 200_000, "values added by an action", "select fewer places, or refer to a definition"
)
ACTIONS: Final = Limit("overlay-actions", 10_000, "actions", "combine related actions into one update")

LIMITS: Final = (
    *(SECONDS, ELAPSED, FILE, LINE, SCHEMA, DEPTH, DEFINITIONS, CHAIN, VARIANTS, PROPERTIES, TAKEN_OVER),
    *(METHODS, VALUES, ALL_VALUES, PATTERN, GROUPS, TARGET, SEGMENTS, STEPS, PLACES, COPIES, ACTIONS),
)


def set_limits(text: str) -> None:
    """Set the limits from a text with `name=number`, separated by spaces or commas. Others get their defaults.

    Raises InputError.
    """
    known = {limit.name: limit for limit in LIMITS}
    found: dict[str, int] = {}
    for part in text.replace(",", " ").split():
        setting = _SETTING.fullmatch(part)
        limit = known.get(setting[1]) if setting is not None else None
        if setting is None or limit is None:
            raise InputError(
                VARIABLE,
                f"{quoted(part)} is not a limit; expected NAME=NUMBER, such as definitions=50000 (docs/limits.md)",
            )
        if limit.fixed:
            raise InputError(VARIABLE, f"the limit `{limit.name}` cannot be changed (docs/limits.md)")
        found[limit.name] = int(setting[2]) * (MIB if setting[3] else 1)
    _set.clear()
    _set.update(found)
