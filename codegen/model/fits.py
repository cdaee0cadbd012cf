"""Whether a JSON value fits a type, and which parts of the schema it shows on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..document.jsonvalue import is_json_array, is_json_object
from .combine import admits, same
from .types import Anything, Array, Field, Map, Null, Nullable, Type, Union
from .wireform import Member, ObjectForm, WireForms


def fits(forms: WireForms, type_: Type, value: Any, shown: set[str] | None = None) -> bool:
    """Whether a type takes a value; the pointers of the variants and values it is are added to `shown`."""
    type_ = forms.plain(type_)
    match type_:
        case Anything():
            return True
        case Nullable(inner):
            return value is None or fits(forms, inner, value, shown)
        case Null():
            return value is None
        case Array():
            if not is_json_array(value) or not _between(len(value), type_.min_items, type_.max_items):
                return False
            types = [*type_.prefix, *[type_.items] * max(0, len(value) - len(type_.prefix))]
            return _all(fits(forms, t, v, shown) for t, v in zip(types, value, strict=False))
        case Map(values):
            return is_json_object(value) and _all(fits(forms, values, v, shown) for v in value.values())
        case Union(variants) if not forms.is_object(type_):
            return _any(forms, [(v.pointer, v.type) for v in variants], value, shown, exclusive=type_.exclusive)
        case _:
            if forms.is_object(type_):
                return is_json_object(value) and _object(forms, forms.form(type_), value, shown)
            if isinstance(value, (dict, list)):
                return False
            return admits(type_, value)


def _all(results: Iterable[bool]) -> bool:
    """Whether all are true; none is left out, because each adds to what was shown."""
    return sum(not result for result in results) == 0


def _between(count: int, least: int | None, most: int | None) -> bool:
    return (least or 0) <= count and (most is None or count <= most)


def _any(
    forms: WireForms, choices: list[tuple[str, Type]], value: Any, shown: set[str] | None, *, exclusive: bool
) -> bool:
    count = 0
    for pointer, type_ in choices:
        inside: set[str] = set()
        if fits(forms, type_, value, inside):
            count += 1
            if shown is not None:
                shown |= inside | {pointer}
    return count == 1 if exclusive else count > 0


def _object(forms: WireForms, form: ObjectForm, value: dict[str, Any], shown: set[str] | None) -> bool:
    known = set(form.fields)
    for union in form.unions:
        members = [(m.variant.pointer, m) for m in forms.members(union)]
        count = 0
        for pointer, member in members:
            inside: set[str] = set()
            if _member(forms, member, value, inside):
                count += 1
                known |= set(member.form.fields)
                if shown is not None:
                    shown |= inside | {pointer}
        if count != 1 if union.exclusive else count == 0:
            return False
    if any(
        same(value[e.property], e.constant) for e in form.excludes if e.property in value and _scalar(value[e.property])
    ):
        return False
    if form.closed and not value.keys() <= known:
        return False
    if form.extra is not None and not _all(fits(forms, form.extra, value[n], shown) for n in value.keys() - known):
        return False
    return _all(_field(forms, field, value, shown) for field in form.fields.values())


def _scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list))


def _member(forms: WireForms, member: Member, value: dict[str, Any], shown: set[str]) -> bool:
    return _object(forms, member.form, value, shown)


def _field(forms: WireForms, field: Field, value: dict[str, Any], shown: set[str] | None) -> bool:
    if field.name not in value:
        return not field.required
    return fits(forms, field.type, value[field.name], shown)
