"""Python names of the parts of shapes. If a name is not possible, a ShapeError gives the place."""

from __future__ import annotations

from collections.abc import Iterable

from .. import diagnostics
from ..model.naming.inline import hint
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import NameError_, attribute_name, check_type_name, pascal
from ..model.nodes.types import Field, Variant
from .shapes import Attribute


def check_class_name(name: str, pointer: str) -> None:
    """Reject a name that is not valid for a class."""
    try:
        check_type_name(name)
    except NameError_ as error:
        raise ShapeError(pointer, f"{name!r} {error}", error.fault) from None


def member_label(variant: Variant) -> str:
    """The suffix of the name of a union's member: its title."""
    try:
        return pascal(variant.title) if variant.title else ""
    except NameError_:
        raise ShapeError(
            variant.pointer, f"the title {variant.title!r} cannot name a class", diagnostics.NAME
        ) from None


def property_hint(field: Field, owner: str) -> str:
    """The name for a property's inline type, after the definition that declares the property, or else after the leaf."""
    try:
        return hint(field, owner)
    except NameError_ as error:
        raise ShapeError(field.pointer, f"the property {field.name!r} {error}", error.fault) from None


def python_name(wire: str, pointer: str) -> str:
    """The attribute of a property."""
    try:
        return attribute_name(wire)
    except NameError_ as error:
        raise ShapeError(pointer, f"the property {wire!r} {error}", error.fault) from None


def check_apart(attributes: Iterable[Attribute], pointer: str, *, extra: bool) -> None:
    """Reject two properties with the same attribute name. `extra`: the name `extra` is also taken."""
    seen: dict[str, str] = {}
    for attribute in attributes:
        if attribute.name in seen:
            raise ShapeError(
                attribute.field.pointer,
                f"the properties {seen[attribute.name]!r} and {attribute.wire!r} would both be "
                f"`{attribute.name}` in Python",
                diagnostics.COLLISION,
            )
        seen[attribute.name] = attribute.wire
    if extra and "extra" in seen:
        problem = "a property called `extra` clashes with the attribute for undeclared properties"
        raise ShapeError(pointer, problem, diagnostics.COLLISION)
