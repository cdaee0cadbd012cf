"""The modules for tests: `testing.py`, and the plugin of pytest beside it."""

from __future__ import annotations

from typing import Any

from ..model.names import attribute_name
from ..model.types import Schema
from .hints import hint
from .shapes import Shapes
from .table import Row


def testing_context(schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> dict[str, Any]:
    """What the templates of the modules for tests need."""
    handshake = schema.handshake
    opening = [r.python_name for r in table if handshake is not None and r.method.path == handshake.method]
    return {
        "opening": opening[0] if opening else None,
        "updates": _updates(schema, table, shapes),
        "package": "your_package",
    }


def _updates(schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> dict[str, Any] | None:
    said = schema.updates
    if said is None or schema.ordering is None:
        return None
    row = next(
        (r for r in table if (r.side, r.method.path, r.method.kind) == ("client", said.method, "notification")), None
    )
    if row is None or row.method.params not in shapes.records:
        return None
    attributes = {a.wire: a for a in shapes.records[row.method.params].attributes}
    if schema.ordering not in attributes:
        return None
    union, key = hint(attributes[said.property].type), hint(attributes[schema.ordering].type)
    known = {*shapes.records, *shapes.choices, *shapes.aliases}
    return {
        "state": said.state,
        "handler": row.python_name,
        "params": row.method.params,
        "part": attribute_name(said.property),
        "key": attribute_name(schema.ordering),
        "union": union,
        "key_type": key,
        "models": sorted({row.method.params, union, key} & known),
        "key_models": sorted({key} & known),
        "method": said.method,
    }
