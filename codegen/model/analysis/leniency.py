"""The effect of the leniency keywords of a property on a lenient receiver, and the cases in which they have none."""

from __future__ import annotations

from typing import Any

from ..algebra.conformance import fits
from ..algebra.normal_form import WireForms
from ..nodes.types import Anything, Array, Boolean, Field, Integer, Number, String, Type


def forgives(forms: WireForms, field: Field) -> bool:
    """Return whether a bad value is harmless: there is a default, the property is optional, or an empty array
    replaces it.
    """
    if not field.default_on_error:
        return False
    return field.has_default or not field.required or isinstance(forms.core(field.type), Array)


def replaces_null(forms: WireForms, field: Field) -> bool:
    """Return whether null is read as the default or as an empty value."""
    if not field.default_on_null or forms.nullable(field.type):
        return False
    return fits(forms, field.type, field.default if field.has_default else _empty(forms.core(field.type)))


def is_anything(forms: WireForms, field: Field) -> bool:
    """Return whether the property accepts every value."""
    return isinstance(forms.core(field.type), Anything)


def _empty(type_: Type) -> Any:
    match type_:
        case Array():
            return []
        case String():
            return ""
        case Integer() | Number():
            return 0
        case Boolean():
            return False
        case _:
            return {}
