"""The meaning of an absent property, after the defaults of the properties below it are filled in."""

from __future__ import annotations

from ...document.json_types import is_json_object
from ...model.algebra.normal_form import WireForms
from ...model.nodes.types import Field, Type


class Missing:
    """Marks an absent default."""


MISSING = Missing()


def expanded(forms: WireForms, field: Field, depth: int = 8) -> object:
    """A property's default, completed with the defaults of its properties. A default of null counts as absent."""
    if not field.has_default or field.default is None:
        return MISSING
    return _filled(forms, field.type, field.default, depth)


def _filled(forms: WireForms, type_: Type, value: object, depth: int) -> object:
    if not is_json_object(value) or not forms.is_object(type_) or not depth:
        return value
    found = dict(value)
    for name, field in forms.form(type_).fields.items():
        if name in found:
            found[name] = _filled(forms, field.type, found[name], depth - 1)
        elif field.has_default and field.default is not None:
            found[name] = _filled(forms, field.type, field.default, depth - 1)
    return found
