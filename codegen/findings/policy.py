"""Settings about releases: the live ones, and the minimum time before a deprecated part may be removed.

    [tool.acp-codegen.check]
    releases = "v*"
    minimum-deprecation = "90 days"

`releases` is a pattern for tags, of which the ten newest count, or a table of tags, each with the last day on which it is live:
`{ "v1.4.0" = "2027-06-30" }`. `minimum-deprecation` counts days or releases.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any, Literal, cast

from msgspec import Struct

from ..document.json_types import is_json_object
from ..errors import InputError, quoted

KEYS = ("releases", "minimum-deprecation")


class Policy(Struct, frozen=True, kw_only=True):
    """The settings. `live`: the last day of each tag; None for the newest tags of the pattern."""

    pattern: str = "v*"
    live: Mapping[str, date] | None = None
    minimum: int = 90
    unit: Literal["days", "releases"] = "days"

    def __str__(self) -> str:
        return f"{self.minimum} {self.unit[: -1 if self.minimum == 1 else None]}"


def read_policy(table: Mapping[str, Any], place: str) -> Policy:
    """Read the policy from a table of settings. Raises InputError."""
    releases = table.get("releases", Policy().pattern)
    period = re.fullmatch(r"(\d{1,4}) (day|release)s?", str(table.get("minimum-deprecation", Policy())))
    if period is None:
        raise InputError(place, '`minimum-deprecation` must be a period like "90 days" or "2 releases"')
    if isinstance(releases, str) and releases:
        live, pattern = None, releases
    elif is_json_object(releases):
        live, pattern = {name: _day(day, name, place) for name, day in releases.items()}, Policy().pattern
    else:
        raise InputError(place, '`releases` must be a pattern for tags ("v*") or a table of tags and days')
    unit = cast("Literal['days', 'releases']", f"{period[2]}s")
    return Policy(pattern=pattern, live=live, minimum=int(period[1]), unit=unit)


def _day(value: object, name: str, place: str) -> date:
    try:
        return value if type(value) is date else date.fromisoformat(str(value))
    except ValueError:
        text = f"`releases`: {name} must have a day like 2027-06-30, found {quoted(value)}"
        raise InputError(place, text) from None
