"""Identity of types: equal parts under equal names, regardless of position and descriptions.

Identical types accept the same values; the reverse does not hold. `relation` skips identical types. Code that pairs
old parts with new ones needs this stricter test, because two objects with different optional properties may accept
each other's values.
"""

from __future__ import annotations

from ..nodes.types import Array, Enumeration, Field, Map, Nullable, Type, Union
from .normal_form import ObjectForm, WireForms


class Identity:
    """Compares types of two schemas, with a cache."""

    def __init__(self, old: WireForms, new: WireForms) -> None:
        self._old, self._new = old, new
        self._known: dict[tuple[int, int], bool] = {}
        self._assumed: list[tuple[int, int]] = []
        self._kept: list[Type] = []

    def same(self, old: Type, new: Type) -> bool:
        """Return whether two types are identical. Recursive types are, unless a difference is found."""
        old, new = self._old.plain(old), self._new.plain(new)
        key = (id(old), id(new))
        if key not in self._known:
            self._kept += [old, new]
            before = len(self._assumed)
            self._known[key] = True
            self._assumed.append(key)
            if not self._types(old, new):
                for doubtful in self._assumed[before:]:  # they may have rested on this one
                    del self._known[doubtful]
                del self._assumed[before:]
                self._known[key] = False
        return self._known[key]

    def _types(self, old: Type, new: Type) -> bool:
        match old, new:
            case (Nullable(one), Nullable(other)) | (Map(one), Map(other)):
                return self.same(one, other)
            case Array(), Array():
                return (
                    (old.min_items, old.max_items, len(old.prefix)) == (new.min_items, new.max_items, len(new.prefix))
                    and all(map(self.same, old.prefix, new.prefix))
                    and self.same(old.items, new.items)
                )
            case Enumeration(), Enumeration():
                return _constants(old) == _constants(new) and self._both(old.base, new.base)
            case _ if self._old.is_object(old) and self._new.is_object(new):
                return self._forms(self._old.form(old), self._new.form(new))
            case Union(), Union():
                olds, news = ([v.type for v in union.variants] for union in (old, new))
                alike = old.exclusive == new.exclusive and len(olds) == len(news)
                return alike and all(any(self.same(one, other) for other in news) for one in olds)
            case _:
                return old == new

    def _forms(self, old: ObjectForm, new: ObjectForm) -> bool:
        return (
            old.fields.keys() == new.fields.keys()
            and (old.closed, len(old.unions), set(old.excludes)) == (new.closed, len(new.unions), set(new.excludes))
            and all(self._fields(field, new.fields[name]) for name, field in old.fields.items())
            and self._both(old.extra, new.extra)
            and all(map(self._unions, old.unions, new.unions))
        )

    def _unions(self, old: Union, new: Union) -> bool:
        olds, news = self._old.members(old), self._new.members(new)
        return (old.exclusive, len(olds)) == (new.exclusive, len(news)) and all(
            any(one.constants == other.constants and self._forms(one.form, other.form) for other in news)
            for one in olds
        )

    def _fields(self, old: Field, new: Field) -> bool:
        return _apart_from_type(old) == _apart_from_type(new) and self.same(old.type, new.type)

    def _both(self, old: Type | None, new: Type | None) -> bool:
        return old is new if old is None or new is None else self.same(old, new)


def _constants(enumeration: Enumeration) -> set[tuple[type, object]]:
    return {(type(value.constant), value.constant) for value in enumeration.values}


def _apart_from_type(field: Field) -> tuple[object, ...]:
    lenient = (field.default_on_error, field.default_on_null, field.skip_invalid_items)
    return (field.required, lenient, field.has_default, repr(field.default))
