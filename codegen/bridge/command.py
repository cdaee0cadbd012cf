"""The command bridge: two schemas and an overlay in, a bridge out."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..check.inputs import TOO_FAR, paired, read_side, tolerated
from ..document.read import read
from ..errors import InputError
from .bridge import Bridge, bridge
from .overlay import VERSION, Overlay, check_overlay, read_overlay


def read_bridge(old: Path, new: Path, overlay: Path | None) -> Bridge:
    """The bridge between the schemas in two files or git revisions. Raises InputError or SchemaError."""
    one, other, _ = paired(*(tolerated(*read_side(path)) for path in (old, new)))
    stated = Overlay(bridge=VERSION)
    if overlay is not None:
        document = read(overlay)
        stated = read_overlay(document)
        check_overlay(document, stated, one.schema, other.schema)
    try:
        return bridge(one.schema, other.schema, stated)
    except RecursionError:
        raise InputError(str(new), TOO_FAR) from None


def plan_text(found: Bridge) -> str:
    """The plan of a bridge as JSON, for the runtime."""
    return msgspec.json.format(msgspec.json.encode(found.plan, order="deterministic"), indent=1).decode() + "\n"
