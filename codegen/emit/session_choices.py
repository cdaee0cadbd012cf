"""Methods of a client's session that choose a session option by its category."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.naming.wire_names import snake
from ..model.nodes.types import Array, Enumeration, Reference, Schema, String, Type
from ..model.nodes.walk import without_null
from ..shape.method_table import Row
from ..shape.shapes import Shapes
from .kinds import Identifier
from .session_openings import row_key
from .signatures import sentence
from .text import docstring, literal
from .type_hints import hint


def choices_of(
    calls: list[dict[str, Any]], callee: str, key: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes
) -> Iterator[dict[str, Any]]:
    """Methods that choose an option by its category. If the session has no such option, they use an older call of the
    same name.
    """
    for name, definition in schema.definitions.items():
        type_ = definition.type
        values = [v for v in type_.values if v.call] if isinstance(type_, Enumeration) else []
        setter = _setter(name, callee, key, table, schema, shapes) if values else None
        for value in values if setter is not None else ():
            older = next((c for c in calls if c["name"] == value.call and len(c["lead"]) == 1), None)
            text = f"{sentence(value.description)} Sets the option of this category"
            text += (
                f", or calls `{older['call']}` if the session has none."
                if older
                else ". Raises LookupError if there is none."
            )
            yield {
                **(setter or {}),
                "name": Identifier(value.call),
                "call": (setter or {})["call"],
                "value": literal(value.constant),
                "older": older,
                "docstring": docstring(text, 8),
            }


def _setter(
    category: str, callee: str, key: str, table: tuple[Row, ...], schema: Schema, shapes: Shapes
) -> dict[str, Any] | None:
    """The call that sets an option, and the part of the state with the options. `category`: the type of their
    categories.
    """
    for choice in shapes.choices.values():
        options = [leaf.record for leaf in choice.leaves]
        kinds = [next((a for a in r.attributes if _name_of(a.type) == category), None) for r in options]
        part = next((a.field.update.part for a in _kept(shapes) if _item_of(a.type) == choice.name), None)
        required = [
            {_name_of(a.type): a for a in r.attributes if a.field.required and _name_of(a.type)} for r in options
        ]
        ids = {name: a for name, a in required[0].items() if all(name in other for other in required)}
        for row in table if part is not None and all(kinds) else ():
            setting = shapes.choices.get(row.method.params) if row.side == callee else None
            for record in (leaf.record for leaf in setting.leaves) if setting else ():
                needed = [a for a in record.attributes if a.field.required and a.constant is None and a.name != key]
                named = [a for a in needed if _name_of(a.type) in ids]
                texts = [a for a in needed if a not in named and isinstance(schema.resolve(a.type), String)]
                if len(named) == len(texts) == 1 and len(needed) == 2:
                    return {
                        "call": Identifier(row.python_name),
                        "key": row_key(row),
                        "record": Identifier(record.name),
                        "named": Identifier(named[0].name),
                        "id": Identifier(ids[_name_of(named[0].type)].name),
                        "given": Identifier(texts[0].name),
                        "type": hint(texts[0].type),
                        "part": literal(snake(str(part))),
                        "category": literal(kinds[0].name if kinds[0] else ""),
                    }
    return None


def _name_of(type_: Type) -> str:
    """The definition of a type, ignoring null."""
    inner = without_null(type_)
    return inner.name if isinstance(inner, Reference) else ""


def _item_of(type_: Type) -> str:
    inner = without_null(type_)
    return _name_of(inner.items) if isinstance(inner, Array) else ""


def _kept(shapes: Shapes) -> Iterator[Any]:
    """The attributes whose values the state keeps."""
    for record in shapes.records.values():
        yield from (a for a in record.attributes if a.field.update is not None and a.field.update.part)
