"""The opening and listing of sessions: data for a side's module to create session objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .. import diagnostics
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import attribute_name
from ..model.nodes.types import Array, Schema
from ..shape.method_table import Row, parameters
from ..shape.public import PEERS
from ..shape.shapes import Record, Shapes
from .kinds import Expression, Identifier, Literal, Prose
from .signatures import none_by_default, ordered, parameter
from .text import literal
from .type_hints import hint

AGENT: Final = "AgentSession"
CLIENT: Final = "ClientSession"


def session_classes(
    table: tuple[Row, ...], schema: Schema, shapes: Shapes, *, has_client: bool = True
) -> tuple[str, ...]:
    """The classes of `sessions.py`; none if the schema does not define sessions. `has_client`: the package has the
    client part.
    """
    if not has_sessions(schema):
        return ()
    is_followed = has_client and update_row(PEERS[1], table, schema, shapes) is not None
    return (AGENT, CLIENT) if is_followed else (AGENT,)


def has_sessions(schema: Schema) -> bool:
    """Return whether the schema defines sessions: the property with their id, and the request that opens them."""
    return schema.ordering is not None and schema.sessions is not None


def key_type(key: str, table: tuple[Row, ...], shapes: Shapes) -> Expression:
    """The annotation of a session's id."""
    records = (shapes.records[row.method.params] for row in table if row.method.params in shapes.records)
    return next((hint(a.type) for record in records for a in record.attributes if a.name == key), Expression("Any"))


def session_of(
    side: str, table: tuple[Row, ...], calls: Sequence[dict[str, Any]], schema: Schema, shapes: Shapes
) -> dict[str, Any] | None:
    """Template data of a side's sessions: their class, and how they are opened and listed. None if it has no sessions.

    `table`: every row; `calls`: the module's own calls.
    """
    classes = dict(zip(PEERS, session_classes(table, schema, shapes), strict=False))
    if side not in classes or schema.ordering is None or schema.sessions is None:
        return None
    key = attribute_name(schema.ordering)
    found: dict[str, Any] = {"class": Identifier(classes[side]), "key": Identifier(key), "lists": []}
    found |= {"key_type": key_type(key, table, shapes), "held": side == PEERS[0], "opens": None, "again": None}
    if side == PEERS[1]:
        rows = {row.method.path: (row, parameters(row, shapes)) for row in table if row.side == PEERS[0]}
        found["opens"] = _opens([rows[path] for path in schema.sessions.open if path in rows], key, shapes)
        if found["opens"]:
            found["opens"]["serves"] = schema.tunnel is not None
        paths = dict.fromkeys((*schema.sessions.load, *schema.sessions.resume))
        found["again"] = _again([rows[path] for path in paths if path in rows], key, shapes)
        here = {call["name"] for call in calls}
        lists = (rows[path] for path in schema.lists or {} if path in rows)
        found["lists"] = [_list(row, schema, shapes) for row, record in lists if record and row.python_name in here]
    methods = ["session", *(["open"] if found["again"] else []), *(it["name"] for it in found["lists"])]
    for row in table:
        if row.side != side and row.python_name in methods:
            problem = f"the call `{row.python_name}` has the name of a method that opens or lists sessions"
            raise ShapeError(row.method.pointer, problem, diagnostics.COLLISION)
    return found


def _opens(rows: list[tuple[Row, Record | None]], key: str, shapes: Shapes) -> dict[str, Any] | None:
    """The call that opens a new session."""
    for row, record in rows:
        if record is not None and not any(a.name == key for a in record.attributes):
            given = [none_by_default(parameter(a, shapes, optional=False)) for a in ordered(record)]
            return {"row": row_key(row), "record": Identifier(record.name), "parameters": _defaults_last(given)}
    return None


def _again(rows: list[tuple[Row, Record | None]], key: str, shapes: Shapes) -> dict[str, Any] | None:
    """The calls that reopen a session, and their shared parameters."""
    ways = [(row, record) for row, record in rows if record is not None]
    if not ways:
        return None
    common = {
        a.name for a in ways[0][1].attributes if all(a.name in {b.name for b in other.attributes} for _, other in ways)
    }
    given = [
        none_by_default(parameter(a, shapes, optional=False)) for a in ordered(ways[0][1]) if a.name in common - {key}
    ]
    return {
        "parameters": _defaults_last(given),
        "ways": [{"row": row_key(row), "record": Identifier(record.name)} for row, record in ways],
        "text": Prose(", else ".join(f"`{row.method.path}`" for row, _ in ways)),
    }


def _list(row: Row, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    """A paginated call, as one iterator over all items."""
    assert schema.lists is not None
    listing, record = schema.lists[row.method.path], shapes.records[row.method.params]
    result = {a.wire: a for a in shapes.records[row.method.result or ""].attributes}
    items = result[listing.items].type
    return {
        "name": Identifier(attribute_name(listing.items)),
        "item": hint(items.items) if isinstance(items, Array) else Expression("Any"),
        "row": row_key(row),
        "record": Identifier(record.name),
        "parameters": [parameter(a, shapes, optional=False) for a in ordered(record) if a.wire != listing.cursor],
        "items": literal(result[listing.items].name),
        "following": literal(result[listing.next].name),
        "cursor": literal(attribute_name(listing.cursor)),
        "call": Identifier(row.python_name),
    }


def _defaults_last(given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(given, key=lambda it: bool(it["optional"] or it["empty"]))


def row_key(row: Row) -> list[Literal]:
    """The key of a row in the method table."""
    return [literal(part) for part in (row.side, row.method.path, row.method.kind)]


def update_row(side: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> Row | None:
    """The notification that carries session updates to a side; None if there is none."""
    said = schema.updates
    row = next((r for r in table if said and (r.side, r.method.path) == (side, said.method)), None)
    return row if row is not None and row.method.params in shapes.records else None
