"""The modules for tests: `testing.py` and the pytest plugin."""

from __future__ import annotations

from typing import Any

from ..model.naming.wire_names import attribute_name
from ..model.nodes.types import Schema
from ..shape.method_table import Row
from ..shape.shapes import Shapes
from .kinds import Identifier, identifiers
from .permissions import permissions_context
from .text import literal
from .type_hints import hint


def testing_context(schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> dict[str, Any]:
    """The context of the templates of the test modules."""
    handshake = schema.handshake
    opening = [r.python_name for r in table if handshake is not None and r.method.path == handshake.method]
    return {
        "opening": Identifier(opening[0]) if opening else None,
        "updates": _updates(schema, table, shapes),
        "asks": _asks(schema, table, shapes),
    }


def _asks(schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> dict[str, Identifier] | None:
    """The permission request with the classes of its params and result; None if a policy cannot answer it."""
    found, said = permissions_context(schema, shapes), schema.permission
    row = next((r for r in table if said and (r.side, r.method.path) == ("client", said.method)), None)
    if found is None or row is None:
        return None
    return {"handler": Identifier(row.python_name), "question": found["question"], "result": found["result"]}


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
        "state": Identifier(said.state),
        "handler": Identifier(row.python_name),
        "params": Identifier(row.method.params),
        "part": Identifier(attribute_name(said.property)),
        "key": Identifier(attribute_name(schema.ordering)),
        "union": union,
        "key_type": key,
        "models": identifiers({row.method.params, union, key} & known),
        "key_models": identifiers({key} & known),
        "method": literal(said.method),
    }
