"""The objects that a connection makes for what it creates at its peer: entries of a session's state, and handles."""

from __future__ import annotations

from typing import Any

from .. import faults
from ..document.read import join
from ..model.helpers import handle_id
from ..model.leaves import ShapeError
from ..model.names import attribute_name, pascal, snake
from ..model.root import Updates
from ..model.types import Reference, Schema
from ..model.updates import Rule, kind, rules
from .hints import hint, parameter_hint
from .public import OPPOSITE
from .shapes import Attribute, Record, Shapes
from .signatures import argument, ordered, parameter, takes_text
from .table import Row, parameters
from .text import literal


def entry_classes(side: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> tuple[str, ...]:
    """The classes that a side's module has for entries."""
    callee = OPPOSITE.get(side, side)
    entries = (entry["class"] for entry in entries_of(callee, table, schema, shapes))
    return (*entries, *(_handle_class(name) for name in _handle_names(callee, table, schema)))


def _handle_names(callee: str, table: tuple[Row, ...], schema: Schema) -> list[str]:
    there = {(row.side, row.method.path) for row in table}
    return [name for name, handle in (schema.handles or {}).items() if (callee, handle.create) in there]


def _handle_class(name: str) -> str:
    return f"{pascal(name)}Handle"


def handles_of(
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
        names = [attribute.name for attribute in ordered(record)]
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


def entries_of(callee: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> list[dict[str, Any]]:
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
    changes = [a for a in ordered(patch) if a.wire != rule.update.key[0]]
    stages = [a for a in changes if a.field.update is not None and a.field.update.does == "advance"]
    stage = stages[0] if stages else None
    ends = stage.field.update if stage is not None else None
    return {
        "name": snake(record.name),
        "class": f"{record.name}Entry",
        "record": record.name,
        "patch": patch.name,
        "key": key,
        "session": f"{session.name}: {parameter_hint(session.type, text=lambda type_: takes_text(type_, shapes))}",
        "notify": note.python_name,
        "arguments": f"{session.name}={session.name}",
        "property": attribute_name(said.property),
        "signature": ", ".join(["self", "*", *(parameter(a, shapes, optional=True) for a in changes)]),
        "given": ", ".join(f"{a.name}={argument(a)}" for a in changes),
        "stage": literal(stage.name) if stage is not None else None,
        "done": literal(ends.done) if ends is not None else None,
        "failed": literal(ends.failed) if ends is not None else None,
    }
