"""Turn the method table into a side's module: the base class that a peer implements, and its typed calls."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..contracts import Node, gates_within
from ..model.naming.wire_names import pascal
from ..model.nodes.capabilities import resolve_gate
from ..model.nodes.types import Anything, Reference, Schema
from ..model.nodes.walk import without_null
from ..shape.method_table import Row, leaves, parameters
from ..shape.public import OPPOSITE, PEERS
from ..shape.shapes import Attribute, Record, Shapes
from .handles import entries_of, handles_of
from .kinds import Identifier, Prose, identifiers
from .models import field_text, stage_note
from .requirements import required_of
from .session_openings import session_of
from .signatures import forms_of, ordered, overloads, parameter
from .text import docstring, literal
from .type_hints import hint


def side_context(
    side: str,
    table: tuple[Row, ...],
    schema: Schema,
    shapes: Shapes,
    nodes: Mapping[str, Node],
    whole: tuple[Row, ...] = (),
) -> dict[str, Any]:
    """The context of the template of a side's module. `whole`: every row, for an extension package. The agent's and the
    client's module have the typed calls to the opposite side. Any other side's module has the calls to that side.
    """
    callee = OPPOSITE.get(side, side)
    handlers = [_handler(row, schema, shapes) for row in table if row.side == side]
    calls = [_call(row, schema, shapes, nodes) for row in table if row.side == callee]
    streams = [
        _stream(row, call, table, schema, shapes)
        for row, call in zip((r for r in table if r.side == callee), calls, strict=True)
    ]
    entries = entries_of(callee, table, schema, shapes)
    handles = handles_of(callee, table, calls, schema, shapes)
    name = pascal(side)
    connection = f"{name}SideConnection" if side in PEERS else f"{name}Connection"
    return {
        "side": Identifier(side),
        "base": Identifier(name),
        "connection": Identifier(connection),
        "caller": Identifier(side if side in PEERS else ""),
        "callee": Identifier(callee),
        "summary": Prose(_summary(side, callee)),
        "base_doc": Prose(
            f"Base of {_article(side)}: override the methods that it supports. Other requests get a method-not-found error."
        ),
        "connection_doc": Prose(_connection_doc(side, callee)),
        "holds": {"name": Identifier(callee), "type": Identifier(connection)} if side in PEERS else None,
        "handlers": handlers,
        "calls": calls,
        "entries": entries,
        "handles": handles,
        "streams": [stream for stream in streams if stream is not None],
        "session": session_of(side, whole or table, calls, schema, shapes),
        "models": identifiers({*shapes.records, *shapes.choices, *shapes.aliases}),
        "base_models": [],
    }


def blocking_context(
    table: tuple[Row, ...], schema: Schema, shapes: Shapes, nodes: Mapping[str, Node]
) -> dict[str, Any]:
    """A client's calls, for the template of the blocking API."""
    context = side_context("client", table, schema, shapes, nodes)
    return {name: context[name] for name in ("calls", "streams", "models", "base_models")}


def _summary(side: str, callee: str) -> str:
    if side in PEERS:
        return f"The base class of {_article(side)}, and its typed calls to the {callee}."
    return f"The base class of the side `{side}`, and typed calls to it."


def _connection_doc(side: str, callee: str) -> str:
    if side in PEERS:
        return f"The typed calls of {_article(side)} to its {callee}."
    return f"The typed calls of a peer to {_article(side)}."


def _article(side: str) -> str:
    return f"an {side}" if side[0] in "aeiou" else f"a {side}"


# --- handlers --------------------------------------------------------------------------------------------------------


def _handler(row: Row, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    result = row.method.result
    said = _text(row, schema) + _interrupt_text(row, schema) + required_of(schema, row.method, row.side)
    return {
        "name": Identifier(row.python_name),
        "params": Identifier(row.method.params),
        "result": _result(row),
        "may_be_none": result is not None and not _is_anything(result, shapes) and _may_be_empty(result, shapes),
        "docstring": docstring(said, 8),
        "path": literal(row.method.path),
        "greeting": _greeting(row, schema, shapes),
    }


def _greeting(row: Row, schema: Schema, shapes: Shapes) -> Identifier | None:
    """The attribute with the version, if the method opens the connection. Missing result fields are filled in."""
    handshake, record = schema.handshake, shapes.records.get(row.method.result or "")
    if handshake is None or row.method.path != handshake.method or record is None:
        return None
    needed = [a for a in record.attributes if a.field.required]
    return Identifier(needed[0].name) if [a.wire for a in needed] == [handshake.version] else None


def _result(row: Row) -> Identifier | None:
    """The type of the result; None if there is none."""
    answers = row.method.kind == "request" and row.method.result is not None
    return Identifier(row.method.result) if answers else None


def _is_anything(name: str, shapes: Shapes) -> bool:
    alias = shapes.aliases.get(name)
    return alias is not None and isinstance(alias.type, Anything)


def _may_be_empty(name: str, shapes: Shapes) -> bool:
    """Return whether `{}` is a valid result, so that a handler may return None."""
    alias = shapes.aliases.get(name)
    if alias is not None:
        inner = without_null(alias.type)
        return isinstance(inner, Reference) and _may_be_empty(inner.name, shapes)
    record = shapes.records.get(name)
    return record is not None and not any(attribute.field.required for attribute in record.attributes)


# --- calls -----------------------------------------------------------------------------------------------------------


def _call(row: Row, schema: Schema, shapes: Shapes, nodes: Mapping[str, Node]) -> dict[str, Any]:
    record = parameters(row, shapes)
    opens = schema.handshake is not None and row.method.path == schema.handshake.method and record is not None
    attributes = ordered(record) if record is not None else []
    forms = forms_of(leaves(row, shapes), shapes)
    said = _call_text(row, record, attributes, schema, gated=_is_gated(row, schema, nodes), opens=opens)
    return {
        "name": Identifier(row.python_name),
        "whole": Identifier(row.method.params) if record is None else None,
        "parameters": [parameter(attribute, shapes, optional=opens) for attribute in attributes],
        "forms": forms,
        "overloads": overloads(forms),
        "result": _result(row),
        "may_be_none": False,
        "docstring": docstring(said, 8),
        "row": [literal(part) for part in (row.side, row.method.path, row.method.kind)],
        "record": Identifier(record.name) if record is not None and not opens else None,
        "request": row.method.kind == "request",
        "opens": opens,
    }


def _stream(
    row: Row, call: dict[str, Any], table: tuple[Row, ...], schema: Schema, shapes: Shapes
) -> dict[str, Any] | None:
    """The streaming form of a call, for requests that a session handles one at a time."""
    updates, sessions = schema.updates, schema.sessions
    name = f"{row.python_name}_stream"
    if updates is None or sessions is None or call["record"] is None or row.method.path not in sessions.exclusive:
        return None
    notes = [
        r for r in table if (r.method.path, r.method.kind) == (updates.method, "notification") and r.side != row.side
    ]
    if not notes or any(r.python_name == name for r in table):
        return None
    attribute = next(a for a in shapes.records[notes[0].method.params].attributes if a.wire == updates.property)
    text = f"Call `{row.python_name}` and iterate over the updates of the session: `async for update in ...`.\n\n"
    text += "The first iteration sends the request. After the last update, `response` is the result. "
    text += "Leaving the loop early ends the request. The notification handler is still called first."
    return {
        **call,
        "name": Identifier(name),
        "item": hint(attribute.type),
        "docstring": docstring(text, 8),
        "note": [literal(part) for part in (notes[0].side, updates.method, "notification")],
        "part": literal(attribute.name),
    }


# --- docstrings ------------------------------------------------------------------------------------------------------


def _text(row: Row, schema: Schema) -> str:
    lines = [row.description or f"The {row.method.kind} `{row.method.path}`."]
    lines.append(f"Method: `{row.method.path}`.{_gate_text(row)}{stage_note(row.method.rfd, schema)}")
    return "\n\n".join(lines)


def _interrupt_text(row: Row, schema: Schema) -> str:
    """Describe the handling of a notification without a handler, if the schema states it."""
    interrupt = schema.interrupt
    if interrupt is None or (row.method.path, row.method.kind) != (interrupt.method, "notification"):
        return ""
    ends = (f"`{path}` with `{json.dumps(answer)}`" for path, answer in interrupt.requests.items())
    return f"\n\nUnless overridden, this cancels the session's handlers and answers {', '.join(ends)}."


def _call_text(
    row: Row, record: Record | None, attributes: Sequence[Attribute], schema: Schema, *, gated: bool, opens: bool
) -> str:
    text = _text(row, schema)
    if opens:
        text += " Fills in omitted arguments: the version, the capabilities of overridden methods, the program's name."
    if record is None:
        text += "\n\nPass the params as one object, or the properties of one variant as keywords."
    text += _arguments_text(attributes, schema)
    if row.side in OPPOSITE:
        text += required_of(schema, row.method, OPPOSITE[row.side])
    return f"{text}\n\n{_raises(row, gated=gated)}"


def _arguments_text(attributes: Sequence[Attribute], schema: Schema) -> str:
    """The arguments of a call, each with the description of its property."""
    described = [(attribute.name, field_text(attribute.field, schema)) for attribute in attributes]
    items = "\n".join(f"- `{name}`: {' '.join(text.split())}" for name, text in described if text)
    return f"\n\nArguments:\n\n{items}" if items else ""


def _raises(row: Row, *, gated: bool) -> str:
    """The errors that a call raises, with their causes."""
    errors = ["CapabilityError if the peer did not advertise a required capability"] if gated else []
    if row.method.kind == "request":
        errors += ["RequestError if the peer responds with an error", "InvalidResponse if the response is invalid"]
    return f"Raises {'; '.join([*errors, 'ConnectionClosed if the connection is lost'])}."


def _is_gated(row: Row, schema: Schema, nodes: Mapping[str, Node]) -> bool:
    """Return whether a call, or a part of its params, requires a capability of the receiver."""
    if row.capability is not None or row.variants:
        return True
    return any(resolve_gate(schema, row.side, gate) for gate in gates_within(nodes, row.method.params))


def _gate_text(row: Row) -> str:
    return f" Gate: `{row.capability}`." if row.capability is not None else ""
