"""`not` of an object: the constants that it keeps out of a property, or the only ones that it leaves to one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import faults
from ..document.jsonvalue import is_json_array, is_json_object
from ..document.keywords import ANNOTATIONS
from ..document.read import join
from ..model.types import Enumeration, Exclusion, Field, Type
from .nodes import NodeReader

ReadType = Callable[[Any, str], Type]
_FORM = "`not` must be an object with one required property that is a constant, or `anyOf` of such"


def negated(reader: NodeReader, node: Any, pointer: str, read: ReadType) -> Iterator[Exclusion | Field]:
    """What a `not` says: exclusions, and properties that may have a constant only. Raises SchemaError.

    `{"required": ["p"], "properties": {"p": {"not": {"const": "c"}}}}` is refused where p is there and something else than c.
    """
    members: list[tuple[Any, str]] = [(node, pointer)]
    if is_json_object(node) and set(node) == {"anyOf"} and is_json_array(node["anyOf"]):
        members = [(member, join(pointer, "anyOf", index)) for index, member in enumerate(node["anyOf"])]
    for member, at in members:
        name, schema = _sole_property(reader, member, at)
        inside = join(at, "properties", name)
        only = is_json_object(schema) and set(schema) - ANNOTATIONS == {"not"}
        constants = read(schema["not"], join(inside, "not")) if only else read(schema, inside)
        if not isinstance(constants, Enumeration) or constants.base is not None:
            raise reader.error(at, _FORM, faults.CONSTRUCT)
        if only:
            yield Field(name=name, type=constants, required=False, pointer=inside)
        else:
            yield from (Exclusion(name, value.constant) for value in constants.values)


def _sole_property(reader: NodeReader, node: Any, pointer: str) -> tuple[str, Any]:
    if not is_json_object(node) or set(node) - ANNOTATIONS - {"type", "properties", "required"}:
        raise reader.error(pointer, _FORM, faults.CONSTRUCT)
    properties = node.get("properties")
    if not is_json_object(properties) or len(properties) != 1 or node.get("required") != list(properties):
        raise reader.error(pointer, _FORM, faults.CONSTRUCT)
    if node.get("type", "object") != "object":
        raise reader.error(pointer, _FORM, faults.CONSTRUCT)
    return next(iter(properties.items()))
