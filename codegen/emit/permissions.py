"""The class that answers a peer's permission requests, and the properties of the request that it uses."""

from __future__ import annotations

import json
from typing import Any

from ..model.analysis.helpers import picked, request_of
from ..model.analysis.updates import rules
from ..model.naming.wire_names import attribute_name, snake
from ..model.nodes.types import Array, Reference, Schema, Type
from ..model.nodes.walk import without_null
from ..shape.shapes import Attribute, Record, Shapes
from .kinds import Expression, Identifier, identifiers
from .text import literal
from .type_hints import hint


def permissions_context(schema: Schema, shapes: Shapes) -> dict[str, Any] | None:
    """The context of the template of `permissions.py`; None if no request of the schema asks for permission."""
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
    return {
        "question": Identifier(method.params),
        "result": Identifier(method.result),
        "option": Identifier(option),
        "category": Expression(category.removesuffix(" | UnsetType").removesuffix(" | None")),
        "answer": Identifier(answer.name),
        "picked": Identifier(variant),
        "id": Identifier(attribute_name(said.id)),
        "asked": {
            "options": literal(attribute_name(said.options)),
            "id": literal(attribute_name(said.id)),
            "kind": literal(attribute_name(said.kind)),
            "subject": literal(attribute_name(said.subject)),
            "category": literal(attribute_name(said.category)),
            "session": literal(attribute_name(schema.ordering)),
            "allow": literal((said.allow.once, said.allow.always)),
            "reject": literal((said.reject.once, said.reject.always)),
            "part": literal(part),
            "key": literal(key),
        },
        "interrupted": literal(json.dumps(schema.interrupt.asked[said.method])),
        "models": identifiers({*shapes.records, *shapes.choices, *shapes.aliases}),
    }


def _record(type_: Type, shapes: Shapes) -> Record | None:
    inner = without_null(type_)
    return shapes.records.get(inner.name) if isinstance(inner, Reference) else None


def _item(type_: Type) -> str | None:
    return type_.items.name if isinstance(type_, Array) and isinstance(type_.items, Reference) else None


def _picked(schema: Schema, answer: Attribute, shapes: Shapes) -> str | None:
    """The class of the answer's variant that selects an option."""
    assert schema.permission is not None
    choice = shapes.choices.get(answer.type.name) if isinstance(answer.type, Reference) else None
    if choice is None or not [*picked(schema, schema.permission)]:
        return None
    wire = schema.permission.id
    return next(
        (leaf.record.name for leaf in choice.leaves if any(a.wire == wire for a in leaf.record.attributes)), None
    )


def _part(schema: Schema, subject: Record, category: str) -> tuple[str, str]:
    """The part of a session's state with the entry of a subject, and the attribute with its key."""
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
