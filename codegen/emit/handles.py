"""Objects that a connection creates on its peer: entries of a session's state, and handles."""

from __future__ import annotations

from typing import Any

from .. import diagnostics
from ..document.read import join
from ..model.analysis.helpers import handle_id
from ..model.analysis.updates import Rule, kind, rules
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import attribute_name, pascal, snake
from ..model.nodes.root import Updates
from ..model.nodes.types import Reference, Schema
from ..shape.method_table import Row, parameters
from ..shape.shapes import Attribute, Record, Shapes
from .kinds import Identifier
from .signatures import ordered, parameter
from .text import literal
from .type_hints import hint


def _handle_names(callee: str, table: tuple[Row, ...], schema: Schema) -> list[str]:
    there = {(row.side, row.method.path) for row in table}
    return [name for name, handle in (schema.handles or {}).items() if (callee, handle.create) in there]


def _handle_class(name: str) -> str:
    return f"{pascal(name)}Handle"


def handles_of(
    callee: str, table: tuple[Row, ...], calls: list[dict[str, Any]], schema: Schema, shapes: Shapes
) -> list[dict[str, Any]]:
    """The handles that the caller may create, as objects that release them."""
    rows = {row.method.path: row for row in table if (row.side, row.method.kind) == (callee, "request")}
    by_name = {call["name"]: call for call in calls}
    found: list[dict[str, Any]] = []
    for name in _handle_names(callee, table, schema):
        handle = (schema.handles or {})[name]
        if name in by_name or _handle_class(name) in {*shapes.records, *shapes.choices, *shapes.aliases}:
            raise ShapeError(
                join("", "x-handles", name),
                f"the handle {name!r} has the same name as a call or a type",
                diagnostics.COLLISION,
            )
        create = rows[handle.create]
        record = parameters(create, shapes)
        identity = handle_id(schema, handle)
        if record is None or identity is None or schema.ordering is None:
            continue
        key = next(a for a in shapes.records[create.method.result or ""].attributes if a.wire == identity)
        calls_of = {"release": handle.release, "kill": handle.kill, "wait": handle.wait, "output": handle.output}
        found.append(
            {
                "name": Identifier(name),
                "class": Identifier(_handle_class(name)),
                "parameters": by_name[create.python_name]["parameters"],
                "result": Identifier(create.method.result),
                "create": Identifier(create.python_name),
                "session": Identifier(attribute_name(schema.ordering)),
                "key": Identifier(key.name),
                "key_type": hint(key.type),
                **{call: Identifier(rows[path].python_name) for call, path in calls_of.items()},
                "waited": Identifier(rows[handle.wait].method.result),
                "read": Identifier(rows[handle.output].method.result),
            }
        )
    return found


def entries_of(callee: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes) -> list[dict[str, Any]]:
    """The session state entries that the caller may create and patch, as objects."""
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
        "name": Identifier(snake(record.name)),
        "class": Identifier(f"{record.name}Entry"),
        "record": Identifier(record.name),
        "patch": Identifier(patch.name),
        "key": Identifier(key),
        "session": {**parameter(session, shapes, optional=False), "optional": False},
        "notify": Identifier(note.python_name),
        "property": Identifier(attribute_name(said.property)),
        "changes": [parameter(a, shapes, optional=True) for a in changes],
        "stage": literal(stage.name) if stage is not None else None,
        "done": literal(ends.done) if ends is not None else None,
        "failed": literal(ends.failed) if ends is not None else None,
    }
