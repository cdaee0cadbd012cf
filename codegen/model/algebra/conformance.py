"""Decide whether a JSON value conforms to a type."""

from __future__ import annotations

from typing import Any

from ...document.json_types import is_json_array, is_json_object
from ..nodes.types import Array, Field, Map, Nullable, Type, Union
from ..nodes.walk import item_of
from .intersect import admits, same
from .normal_form import ObjectForm, WireForms


def fits(forms: WireForms, type_: Type, value: Any) -> bool:
    """Return whether a value conforms to a type."""
    type_ = forms.plain(type_)
    match type_:
        case Nullable(inner):
            return value is None or fits(forms, inner, value)
        case Array():
            if not is_json_array(value) or not _between(len(value), type_.min_items, type_.max_items):
                return False
            return all(fits(forms, item_of(type_, index), item) for index, item in enumerate(value))
        case Map(values):
            return is_json_object(value) and all(fits(forms, values, v) for v in value.values())
        case Union() if not forms.is_object(type_):
            return _choice(forms, type_, value)
        case _:
            if forms.is_object(type_):
                return is_json_object(value) and _object(forms, forms.form(type_), value)
            return admits(type_, value)


def _between(count: int, least: int | None, most: int | None) -> bool:
    return (least or 0) <= count and (most is None or count <= most)


def _choice(forms: WireForms, union: Union, value: Any) -> bool:
    count = sum(fits(forms, variant.type, value) for variant in union.variants)
    return count == 1 if union.exclusive else count > 0


def _object(forms: WireForms, form: ObjectForm, value: dict[str, Any]) -> bool:
    for union in form.unions:
        count = sum(_object(forms, member.form, value) for member in forms.members(union))
        if count != 1 if union.exclusive else not count:
            return False
    if any(same(value[e.property], e.constant) for e in form.excludes if e.property in value):
        return False
    if form.closed or form.extra is not None:
        undeclared = value.keys() - declared_by(forms, form, value)
        if form.closed and undeclared:
            return False
        if form.extra is not None and not all(fits(forms, form.extra, value[name]) for name in undeclared):
            return False
    return all(_field(forms, field, value) for field in form.fields.values())


def declared_by(forms: WireForms, form: ObjectForm, value: dict[str, Any]) -> set[str]:
    """The properties that an object declares, including those of the variants that a value matches."""
    known = set(form.fields)
    for union in form.unions:
        for member in forms.members(union):
            if _object(forms, member.form, value):
                known |= declared_by(forms, member.form, value)
    return known


def _field(forms: WireForms, field: Field, value: dict[str, Any]) -> bool:
    if field.name not in value:
        return not field.required
    return fits(forms, field.type, value[field.name])
