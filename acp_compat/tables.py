"""The SDK's names beside the package's: one row for each handler or call."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from acp_generated.methods import METHODS
from msgspec import Struct

import acp_generated as acp

_HOME = Path(__file__).parent
_OFFICIAL = next(
    path for path in (_HOME / "official.toml", _HOME.parent / "codegen" / "migrate" / "official.toml") if path.is_file()
)
OFFICIAL: dict[str, Any] = tomllib.loads(_OFFICIAL.read_text(encoding="utf-8"))
MODES = {
    "CreateElicitationRequestFormSession": "ElicitationFormModeSession",
    "CreateElicitationRequestFormRequest": "ElicitationFormModeRequest",
    "CreateElicitationRequestUrlSession": "ElicitationUrlModeSession",
    "CreateElicitationRequestUrlRequest": "ElicitationUrlModeRequest",
}
"""The part of an elicitation that the SDK's handlers get as an object of its own."""
UNSTABLE = {
    *("session/close", "session/fork", "session/resume", "session/delete"),
    *("elicitation/create", "elicitation/complete"),
}
"""Methods that need the option `use_unstable_protocol`."""


class Row(Struct, frozen=True):
    """A method: its wire name, the SDK's name, the parameters in the SDK's order, and the names of its types."""

    method: str
    name: str
    words: tuple[str, ...]
    params: str
    result: str | None


def rows(side: str) -> dict[str, Row]:
    """The methods that a side implements, by the SDK's name."""
    base = getattr(acp, side)
    former = {ours: theirs for theirs, ours in OFFICIAL["sides"][side].get("renamed", {}).items()}
    found = {}
    for row in METHODS.values():
        name = former.get(row.python_name, row.python_name)
        if row.side != side.lower() or not hasattr(base, row.python_name):
            continue
        types = getattr(base, row.python_name).__annotations__
        result = None if row.kind == "notification" else types["return"].partition(" ")[0]
        found[name] = Row(row.method, name, tuple(OFFICIAL["calls"].get(name, ())), types["params"], result)
    return found


ROWS = {side: rows(side) for side in OFFICIAL["sides"]}
