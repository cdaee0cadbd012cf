"""Turns the method table into a side's module: the base class that a peer implements, and the typed calls it can make."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from .. import faults
from ..document.read import join
from ..model.capabilities import resolve_gate
from ..model.helpers import handle_id
from ..model.leaves import ShapeError
from ..model.names import attribute_name, pascal, snake
from ..model.root import Updates
from ..model.types import Anything, Enumeration, Nullable, Reference, Schema, String, Type, Union
from ..model.updates import Rule, kind, rules
from ..runtime.gates import gates_within
from ..runtime.nodes import Node
from .hints import hint, is_array, parameter_hint
from .models import field_text
from .nodes import node_tables
from .obligations import required_of
from .public import PEERS
from .shapes import Attribute, Record, Shapes
from .table import Row, parameters
from .text import docstring, literal

_OPPOSITE: Mapping[str, str] = dict(zip(PEERS, reversed(PEERS), strict=True))


def side_context(side: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> dict[str, Any]:
    """What the template of a side's module needs.

    The module of the agent or client has the typed calls to the opposite side; any other side's module has the calls to
    that side itself.
    """
    callee = _OPPOSITE.get(side, side)
    handlers = [_handler(row, schema, shapes) for row in table if row.side == side]
    nodes = node_tables(shapes)
    calls = [_call(row, schema, shapes, nodes) for row in table if row.side == callee]
    streams = [
        _stream(row, call, table, schema, shapes)
        for row, call in zip((r for r in table if r.side == callee), calls, strict=True)
    ]
    entries = _entries(callee, table, schema, shapes)
    handles = _handles(callee, table, calls, schema, shapes)
    name = pascal(side)
    connection = f"{name}SideConnection" if side in PEERS else f"{name}Connection"
    # Only words of the code count; a description may contain any word.
    code = (
        str(text)
        for method in (*handlers, *calls, *filter(None, streams), *entries, *handles)
        for part, text in method.items()
        if part != "docstring"
    )
    words = set(re.findall(r"\w+", " ".join(code)))
    return {
        "side": side,
        "base": name,
        "connection": connection,
        "caller": side if side in PEERS else "",
        "callee": callee,
        "summary": _summary(side, callee),
        "base_doc": f"Base of {_article(side)}: override what it implements; the rest answers method-not-found.",
        "connection_doc": _connection_doc(side, callee),
        "holds": {"name": callee, "type": f"{name}SideConnection"} if side in PEERS else None,
        "handlers": handlers,
        "calls": calls,
        "entries": entries,
        "handles": handles,
        "streams": [stream for stream in streams if stream is not None],
        "typing": _typing(side, words),
        "imported": _imported(side, words, handlers=bool(handlers)),
        "lists": "_listed" in words,
        "unset": "UNSET" in words,
        "unset_type": "UnsetType" in words,
        "table": [*(["METHODS"] if calls else []), "PROTOCOL"],
        "models": sorted({*shapes.records, *shapes.choices, *shapes.aliases} & words),
    }


def _imported(side: str, words: set[str], *, handlers: bool) -> list[str]:
    """What is imported from ``collections.abc``."""
    needed = {"Awaitable": handlers, "Callable": side == "agent", "Sequence": "Sequence" in words}
    return [name for name, wanted in needed.items() if wanted]


def blocking_context(table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> dict[str, list[str]]:
    """The names of a client's calls, as the template of the blocking form needs them."""
    context = side_context("client", table, schema, shapes)
    return {kind: [method["name"] for method in context[kind]] for kind in ("calls", "streams")}


def _typing(side: str, words: set[str]) -> list[str]:
    needed = {"Any", "Literal"} & words
    if side in PEERS:
        needed |= {"TYPE_CHECKING", "Unpack"}
    return sorted(needed)


def _summary(side: str, callee: str) -> str:
    if side in PEERS:
        return f"The stubs for whoever writes {_article(side)}: what it implements, and its calls to the {callee}."
    return f"The stubs of the side `{side}`: what it implements, and the calls to it."


def _connection_doc(side: str, callee: str) -> str:
    if side in PEERS:
        return f"What {_article(side)} holds to call its {callee}."
    return f"What a peer holds to call {_article(side)}."


def _article(side: str) -> str:
    return f"an {side}" if side[0] in "aeiou" else f"a {side}"


# --- handlers --------------------------------------------------------------------------------------------------------


def _handler(row: Row, schema: Schema, shapes: Shapes) -> dict[str, Any]:
    return {
        "name": row.python_name,
        "params": row.method.params,
        "result": _handler_result(row, shapes),
        "docstring": docstring(
            _text(row) + _interrupt_text(row, schema) + required_of(schema, row.method, row.side), 8
        ),
        "path": literal(row.method.path),
    }


def _handler_result(row: Row, shapes: Shapes) -> str:
    if row.method.kind == "notification":
        return "None | Awaitable[None]"
    result = row.method.result or "None"
    if _is_anything(result, shapes):
        return f"{result} | Awaitable[{result}]"
    answer = f"{result} | None" if _may_be_empty(result, shapes) else result
    return f"{answer} | Awaitable[{answer}]"


def _is_anything(name: str, shapes: Shapes) -> bool:
    alias = shapes.aliases.get(name)
    return alias is not None and isinstance(alias.type, Anything)


def _may_be_empty(name: str, shapes: Shapes) -> bool:
    """Whether `{}` is a result, so that a handler may return None for it."""
    alias = shapes.aliases.get(name)
    if alias is not None:
        inner = alias.type.inner if isinstance(alias.type, Nullable) else alias.type
        return isinstance(inner, Reference) and _may_be_empty(inner.name, shapes)
    record = shapes.records.get(name)
    return record is not None and not any(attribute.field.required for attribute in record.attributes)


# --- calls -----------------------------------------------------------------------------------------------------------


def _call(row: Row, schema: Schema, shapes: Shapes, nodes: Mapping[str, Node]) -> dict[str, Any]:
    record = parameters(row, shapes)
    opens = schema.handshake is not None and row.method.path == schema.handshake.method and record is not None
    attributes = _ordered(record) if record is not None else []
    signature = ["self"]
    if record is None:
        signature.append(f"params: {row.method.params}")
    elif attributes:
        signature += ["*", *(_parameter(attribute, shapes, optional=opens) for attribute in attributes)]
    key = ", ".join(literal(part) for part in (row.side, row.method.path, row.method.kind))
    return {
        "name": row.python_name,
        "signature": ", ".join(signature),
        "returns": row.method.result if row.method.kind == "request" else "None",
        "docstring": docstring(
            _call_text(row, record, attributes, schema, gated=_is_gated(row, schema, nodes), opens=opens), 8
        ),
        "row": f"METHODS[{key}]",
        "record": record.name if record is not None and not opens else None,
        "fields": [attribute.name for attribute in attributes],
        "arguments": ", ".join(f"{attribute.name}={_argument(attribute)}" for attribute in attributes),
        "request": row.method.kind == "request",
        "opens": opens,
    }


def _stream(
    row: Row, call: dict[str, Any], table: tuple[Row, ...], schema: Schema, shapes: Shapes
) -> dict[str, Any] | None:
    """The same call with its updates one by one: of requests that a session takes one at a time."""
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
    key = ", ".join(literal(part) for part in (notes[0].side, updates.method, "notification"))
    text = f"`{row.python_name}`, with the updates of the session one by one: `async for update in ...`.\n\n"
    text += "The request is sent when the first update is asked for. After the last one, `response` is the answer. Who leaves the "
    text += "loop ends the request. The handler of the notification is called all the same, before."
    return {
        **call,
        "name": name,
        "returns": f"Stream[{hint(attribute.type)}, {call['returns']}]",
        "docstring": docstring(text, 8),
        "note": f"METHODS[{key}]",
        "part": literal(attribute.name),
    }


def entry_classes(side: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> tuple[str, ...]:
    """The classes that a side's module has for entries."""
    callee = _OPPOSITE.get(side, side)
    entries = (entry["class"] for entry in _entries(callee, table, schema, shapes))
    return (*entries, *(_handle_class(name) for name in _handle_names(callee, table, schema)))


def _handle_names(callee: str, table: tuple[Row, ...], schema: Schema) -> list[str]:
    there = {(row.side, row.method.path) for row in table}
    return [name for name, handle in (schema.handles or {}).items() if (callee, handle.create) in there]


def _handle_class(name: str) -> str:
    return f"{pascal(name)}Handle"


def _handles(
    callee: str, table: tuple[Row, ...], calls: list[dict[str, Any]], schema: Schema, shapes: Shapes
) -> list[dict[str, Any]]:
    """What the caller may have created, as objects that release it."""
    rows = {row.method.path: row for row in table if (row.side, row.method.kind) == (callee, "request")}
    by_name = {call["name"]: call for call in calls}
    found: list[dict[str, Any]] = []
    for name in _handle_names(callee, table, schema):
        handle = (schema.handles or {})[name]
        if name in by_name or _handle_class(name) in {*shapes.records, *shapes.choices, *shapes.aliases}:
            raise ShapeError(
                join("", "x-handles", name), f"{name!r} has the name of a call or a type", faults.COLLISION
            )
        create = rows[handle.create]
        record = parameters(create, shapes)
        identity = handle_id(schema, handle)
        if record is None or identity is None or schema.ordering is None:
            continue
        names = [attribute.name for attribute in _ordered(record)]
        found.append(
            {
                "name": name,
                "class": _handle_class(name),
                "signature": by_name[create.python_name]["signature"],
                "result": create.method.result,
                "create": create.python_name,
                "arguments": ", ".join(f"{each}={each}" for each in names),
                "session": attribute_name(schema.ordering),
                "key": attribute_name(identity),
                "key_type": hint(
                    next(a for a in shapes.records[create.method.result or ""].attributes if a.wire == identity).type
                ),
                "calls": literal((rows[handle.release].python_name, rows[handle.kill].python_name)),
                "wait": rows[handle.wait].python_name,
                "waited": rows[handle.wait].method.result,
                "output": rows[handle.output].python_name,
                "read": rows[handle.output].method.result,
                "kill": rows[handle.kill].python_name,
            }
        )
    return found


def _entries(callee: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> list[dict[str, Any]]:
    """The entries of a session's state that the caller may begin and patch, as objects."""
    said = schema.updates
    note = next((r for r in table if said and (r.side, r.method.path) == (callee, said.method)), None)
    if said is None or note is None or schema.ordering is None or note.method.params not in shapes.records:
        return []
    attributes = {a.wire: a for a in shapes.records[note.method.params].attributes}
    union = attributes[said.property].type
    if schema.ordering not in attributes or not isinstance(union, Reference) or union.name not in shapes.choices:
        return []
    rules_ = rules(schema)
    records = {leaf.record.tag[1]: leaf.record for leaf in shapes.choices[union.name].leaves if leaf.record.tag}
    found: list[dict[str, Any]] = []
    for tag, rule in rules_.items():
        patches = [r for r in rules_.values() if r.update.does == "patch" and kind(r, rules_) == tag]
        if rule.update.does != "create" or len(patches) != 1 or len(rule.update.key) != 1 or tag not in records:
            continue
        found.append(
            _entry(records[tag], records[patches[0].tag], rule, note, attributes[schema.ordering], said, shapes)
        )
    names = {row.python_name for row in table}
    taken = {*shapes.records, *shapes.choices, *shapes.aliases}
    return [entry for entry in found if entry["name"] not in names and entry["class"] not in taken]


def _entry(
    record: Record, patch: Record, rule: Rule, note: Row, session: Attribute, said: Updates, shapes: Shapes
) -> dict[str, Any]:
    key = next(a.name for a in record.attributes if a.wire == rule.update.key[0])
    changes = [a for a in _ordered(patch) if a.wire != rule.update.key[0]]
    stages = [a for a in changes if a.field.update is not None and a.field.update.does == "advance"]
    stage = stages[0] if stages else None
    ends = stage.field.update if stage is not None else None
    return {
        "name": snake(record.name),
        "class": f"{record.name}Entry",
        "record": record.name,
        "patch": patch.name,
        "key": key,
        "session": f"{session.name}: {parameter_hint(session.type, text=lambda type_: _takes_text(type_, shapes))}",
        "notify": note.python_name,
        "arguments": f"{session.name}={session.name}",
        "property": attribute_name(said.property),
        "signature": ", ".join(["self", "*", *(_parameter(a, shapes, optional=True) for a in changes)]),
        "given": ", ".join(f"{a.name}={_argument(a)}" for a in changes),
        "stage": literal(stage.name) if stage is not None else None,
        "done": literal(ends.done) if ends is not None else None,
        "failed": literal(ends.failed) if ends is not None else None,
    }


def _ordered(record: Record) -> list[Attribute]:
    """The parameters, required ones first, each group in the order of the schema."""
    return sorted(
        (attribute for attribute in record.attributes if attribute.constant is None),
        key=lambda attribute: not attribute.field.required,
    )


def _parameter(attribute: Attribute, shapes: Shapes, *, optional: bool) -> str:
    text = parameter_hint(attribute.type, text=lambda type_: _takes_text(type_, shapes))
    if attribute.field.required and not optional:
        return f"{attribute.name}: {text}"
    unset = text if text == "Any" else f"{text} | UnsetType"
    return f"{attribute.name}: {unset} = UNSET"


def _argument(attribute: Attribute) -> str:
    return f"_listed({attribute.name})" if is_array(attribute.type) else attribute.name


def _takes_text(type_: Type, shapes: Shapes) -> bool:
    match type_:
        case String() | Enumeration() | Anything():
            return True
        case Nullable(inner):
            return _takes_text(inner, shapes)
        case Union(variants):
            return any(_takes_text(variant.type, shapes) for variant in variants)
        case Reference(name) if name in shapes.aliases:
            return _takes_text(shapes.aliases[name].type, shapes)
        case _:
            return False


# --- docstrings ------------------------------------------------------------------------------------------------------


def _text(row: Row) -> str:
    lines = [row.description or f"The {row.method.kind} `{row.method.path}`."]
    lines.append(f"Method: `{row.method.path}`.{_gate_text(row)}{_stage_text(row)}")
    return "\n\n".join(lines)


def _interrupt_text(row: Row, schema: Schema) -> str:
    """What happens to a notification without a handler, if the schema says so."""
    interrupt = schema.interrupt
    if interrupt is None or (row.method.path, row.method.kind) != (interrupt.method, "notification"):
        return ""
    ends = (f"`{path}` with `{json.dumps(answer)}`" for path, answer in interrupt.requests.items())
    return f"\n\nUnless overridden, this cancels the session's handlers and answers {', '.join(ends)}."


def _call_text(
    row: Row, record: Record | None, attributes: Sequence[Attribute], schema: Schema, *, gated: bool, opens: bool
) -> str:
    text = _text(row)
    if opens:
        text += (
            " What is left out is filled in: version, capabilities by what the handler overrides, name of the program."
        )
    if record is None:
        text += "\n\nTakes the params whole."
    text += _arguments_text(attributes, schema)
    if row.side in _OPPOSITE:
        text += required_of(schema, row.method, _OPPOSITE[row.side])
    return f"{text}\n\n{_raises(row, gated=gated)}"


def _arguments_text(attributes: Sequence[Attribute], schema: Schema) -> str:
    """The arguments of a call, each with what is said of its property."""
    described = [(attribute.name, field_text(attribute.field, schema)) for attribute in attributes]
    items = "\n".join(f"- `{name}`: {' '.join(text.split())}" for name, text in described if text)
    return f"\n\nArguments:\n\n{items}" if items else ""


def _raises(row: Row, *, gated: bool) -> str:
    """Which errors a call raises, and when."""
    errors = ["CapabilityError where the peer did not advertise what this needs"] if gated else []
    if row.method.kind == "request":
        errors += ["RequestError where the peer answers with an error", "InvalidResponse where its answer does not fit"]
    return f"Raises {'; '.join([*errors, 'ConnectionClosed where the connection is gone'])}."


def _is_gated(row: Row, schema: Schema, nodes: Mapping[str, Node]) -> bool:
    """Whether a call, or a part of its params, needs a capability of the receiver."""
    if row.capability is not None or row.variants:
        return True
    return any(resolve_gate(schema, row.side, gate) for gate in gates_within(nodes, row.method.params))


def _gate_text(row: Row) -> str:
    return f" Gate: `{row.capability}`." if row.capability is not None else ""


def _stage_text(row: Row) -> str:
    if row.method.rfd is None or row.stage is None or row.stage == "completed":
        return ""
    return f" Unstable: RFD {row.method.rfd} ({row.stage})."
