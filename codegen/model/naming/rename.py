"""Renaming of a schema's definitions, and Python names for definitions with invalid names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ..nodes.types import Reference, Schema, Type
from ..nodes.walk import rewrite
from .wire_names import RESERVED_TYPES, NameError_, check_type_name, pascal


def renamed(schema: Schema, names: Mapping[str, str]) -> Schema:
    """The schema with definitions and references renamed according to a table."""
    if not names:
        return schema

    def change(type_: Type) -> Type:
        if isinstance(type_, Reference):
            return Reference(names.get(type_.name, type_.name))
        return rewrite(type_, change)

    return replace(
        schema,
        definitions={
            names.get(name, name): replace(d, name=names.get(name, name), type=change(d.type))
            for name, d in schema.definitions.items()
        },
        methods=tuple(
            replace(m, params=names.get(m.params, m.params), result=names.get(m.result or "", m.result))
            for m in schema.methods
        ),
    )


def type_names(definitions: Iterable[str]) -> dict[str, str]:
    """New, unused names for definitions whose names are invalid for Python types."""
    taken = set(definitions)
    found: dict[str, str] = {}
    for name in sorted(taken):
        try:
            check_type_name(name)
        except NameError_:
            found[name] = _free(name, taken)
            taken.add(found[name])
    return found


def _free(name: str, taken: set[str]) -> str:
    try:
        new = pascal(name)
    except NameError_:
        new = ""
    if not new[:1].isalpha():
        new = f"Type{new}"
    while new in taken or new in RESERVED_TYPES:
        new += "Type"
    return new
