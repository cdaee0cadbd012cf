"""Decides whether a JSON value fits a type."""

from __future__ import annotations

from typing import Any

from ..document.jsonvalue import is_json_array, is_json_object
from .combine import admits, same
from .types import Anything, Array, Field, Map, Null, Nullable, Type, Union
from .wireform import ObjectForm, WireForms


def fits(forms: WireForms, type_: Type, value: Any) -> bool:
    """Whether a value fits a type."""
    type_ = forms.plain(type_)
    match type_:
        case Anything():
            return True
        case Nullable(inner):
            return value is None or fits(forms, inner, value)
        case Null():
            return value is None
        case Array():
            if not is_json_array(value) or not _between(len(value), type_.min_items, type_.max_items):
                return False
            types = [*type_.prefix, *[type_.items] * max(0, len(value) - len(type_.prefix))]
            return all(fits(forms, t, v) for t, v in zip(types, value, strict=False))
        case Map(values):
            return is_json_object(value) and all(fits(forms, values, v) for v in value.values())
        case Union() if not forms.is_object(type_):
            return _choice(forms, type_, value)
        case _:
            if forms.is_object(type_):
                return is_json_object(value) and _object(forms, forms.form(type_), value)
            if isinstance(value, (dict, list)):
                return False
            return admits(type_, value)


def _between(count: int, least: int | None, most: int | None) -> bool:
    return (least or 0) <= count and (most is None or count <= most)


def _choice(forms: WireForms, union: Union, value: Any) -> bool:
    count = sum(fits(forms, variant.type, value) for variant in union.variants)
    return count == 1 if union.exclusive else count > 0


def _object(forms: WireForms, form: ObjectForm, value: dict[str, Any]) -> bool:
    known = set(form.fields)
    for union in form.unions:
        chosen = [member for member in forms.members(union) if _object(forms, member.form, value)]
        if len(chosen) != 1 if union.exclusive else not chosen:
            return False
        for member in chosen:
            known |= set(member.form.fields)
    if any(
        same(value[e.property], e.constant) for e in form.excludes if e.property in value and _scalar(value[e.property])
    ):
        return False
    if form.closed and not value.keys() <= known:
        return False
    if form.extra is not None and not all(fits(forms, form.extra, value[name]) for name in value.keys() - known):
        return False
    return all(_field(forms, field, value) for field in form.fields.values())


def _scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list))


def _field(forms: WireForms, field: Field, value: dict[str, Any]) -> bool:
    if field.name not in value:
        return not field.required
    return fits(forms, field.type, value[field.name])
