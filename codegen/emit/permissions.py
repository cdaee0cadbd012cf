"""The class that answers when a peer asks for permissions: where its question has what."""

from __future__ import annotations

import json
from typing import Any

from ..model.helpers import picked, request_of
from ..model.names import attribute_name, snake
from ..model.types import Array, Nullable, Reference, Schema, Type
from ..model.updates import rules
from .hints import hint
from .shapes import Attribute, Record, Shapes
from .text import literal


def permissions_context(schema: Schema, shapes: Shapes) -> dict[str, Any] | None:
    """What the template of `permissions.py` needs; None where the schema does not say which request asks."""
    said = schema.permission
    method = None if said is None else request_of(schema, said.method)
    if said is None or method is None or method.result is None or schema.interrupt is None:
        return None
    if method.params not in shapes.records or method.result not in shapes.records or schema.ordering is None:
        return None
    attributes = {a.wire: a for a in shapes.records[method.params].attributes}
    subject = _record(attributes[said.subject].type, shapes)
    option = _item(attributes[said.options].type)
    answer = next(a for a in shapes.records[method.result].attributes if a.wire == said.answer)
    variant = _picked(schema, answer, shapes)
    if subject is None or option is None or variant is None:
        return None
    category = hint(next(a for a in subject.attributes if a.wire == said.category).type)
    part, key = _part(schema, subject, said.category)
    asked = {
        "options": attribute_name(said.options),
        "id": attribute_name(said.id),
        "kind": attribute_name(said.kind),
        "subject": attribute_name(said.subject),
        "category": attribute_name(said.category),
        "session": attribute_name(schema.ordering),
        "allow": (said.allow.once, said.allow.always),
        "reject": (said.reject.once, said.reject.always),
        "part": part,
        "key": key,
    }
    category = category.removesuffix(" | UnsetType").removesuffix(" | None")
    known = {*shapes.records, *shapes.choices, *shapes.aliases}
    return {
        "question": method.params,
        "result": method.result,
        "option": option,
        "category": category,
        "answer": answer.name,
        "picked": variant,
        "id": asked["id"],
        "asked": ", ".join(f"{name}={literal(value)}" for name, value in asked.items()),
        "interrupted": literal(json.dumps(schema.interrupt.asked[said.method])),
        "models": sorted({method.params, method.result, option, variant, category} & known),
    }


def _record(type_: Type, shapes: Shapes) -> Record | None:
    inner = type_.inner if isinstance(type_, Nullable) else type_
    return shapes.records.get(inner.name) if isinstance(inner, Reference) else None


def _item(type_: Type) -> str | None:
    return type_.items.name if isinstance(type_, Array) and isinstance(type_.items, Reference) else None


def _picked(schema: Schema, answer: Attribute, shapes: Shapes) -> str | None:
    """The class of the answer's variant that names an option."""
    assert schema.permission is not None
    choice = shapes.choices.get(answer.type.name) if isinstance(answer.type, Reference) else None
    if choice is None or not [*picked(schema, schema.permission)]:
        return None
    wire = schema.permission.id
    return next(
        (leaf.record.name for leaf in choice.leaves if any(a.wire == wire for a in leaf.record.attributes)), None
    )


def _part(schema: Schema, subject: Record, category: str) -> tuple[str, str]:
    """The part of a session's state whose entries a subject names, and the attribute that names one."""
    if schema.updates is None:
        return "", ""
    wires = {a.wire for a in subject.attributes}
    for rule in rules(schema).values():
        if (
            rule.update.does == "create"
            and len(rule.update.key) == 1
            and rule.update.key[0] in wires
            and category in rule.fields
        ):
            return snake(rule.update.part), attribute_name(rule.update.key[0])
    return "", ""
