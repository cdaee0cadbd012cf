"""Whether a JSON value fits a type, and which parts of the schema it shows on the way."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..document.jsonvalue import is_json_array, is_json_object
from ..model.combine import admits, same
from ..model.types import Anything, Array, Field, Map, Null, Nullable, Type, Union
from .views import Member, View, Views


def fits(views: Views, type_: Type, value: Any, shown: set[str] | None = None) -> bool:
    """Whether a type takes a value; the pointers of the variants and values it is are added to `shown`."""
    type_ = views.plain(type_)
    match type_:
        case Anything():
            return True
        case Nullable(inner):
            return value is None or fits(views, inner, value, shown)
        case Null():
            return value is None
        case Array():
            if not is_json_array(value) or not _between(len(value), type_.min_items, type_.max_items):
                return False
            types = [*type_.prefix, *[type_.items] * max(0, len(value) - len(type_.prefix))]
            return _all(fits(views, t, v, shown) for t, v in zip(types, value, strict=False))
        case Map(values):
            return is_json_object(value) and _all(fits(views, values, v, shown) for v in value.values())
        case Union(variants) if not views.is_object(type_):
            return _any(views, [(v.pointer, v.type) for v in variants], value, shown)
        case _:
            if views.is_object(type_):
                return is_json_object(value) and _object(views, views.view(type_), value, shown)
            if isinstance(value, (dict, list)):
                return False
            return admits(type_, value)


def _all(results: Iterable[bool]) -> bool:
    """Whether all are true; none is left out, because each adds to what was shown."""
    return sum(not result for result in results) == 0


def _between(count: int, least: int | None, most: int | None) -> bool:
    return (least or 0) <= count and (most is None or count <= most)


def _any(views: Views, choices: list[tuple[str, Type]], value: Any, shown: set[str] | None) -> bool:
    found = False
    for pointer, type_ in choices:
        inside: set[str] = set()
        if fits(views, type_, value, inside):
            found = True
            if shown is not None:
                shown |= inside | {pointer}
    return found


def _object(views: Views, view: View, value: dict[str, Any], shown: set[str] | None) -> bool:
    known = set(view.fields)
    for union in view.unions:
        members = [(m.variant.pointer, m) for m in views.members(union)]
        found = False
        for pointer, member in members:
            inside: set[str] = set()
            if _member(views, member, value, inside):
                found = True
                known |= set(member.view.fields)
                if shown is not None:
                    shown |= inside | {pointer}
        if not found:
            return False
    if any(
        same(value[e.property], e.constant) for e in view.excludes if e.property in value and _scalar(value[e.property])
    ):
        return False
    if view.closed and not value.keys() <= known:
        return False
    return _all(_field(views, field, value, shown) for field in view.fields.values())


def _scalar(value: Any) -> bool:
    return not isinstance(value, (dict, list))


def _member(views: Views, member: Member, value: dict[str, Any], shown: set[str]) -> bool:
    return _object(views, member.view, value, shown)


def _field(views: Views, field: Field, value: dict[str, Any], shown: set[str] | None) -> bool:
    if field.name not in value:
        return not field.required
    return fits(views, field.type, value[field.name], shown)
