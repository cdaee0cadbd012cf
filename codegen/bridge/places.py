"""Places in objects: the type at a path, and minimal objects that have a value there."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from ..contracts import convert
from ..contracts import plan as p
from ..model.algebra.conformance import fits
from ..model.algebra.normal_form import ObjectForm, WireForms
from ..model.instances.minimal import Leaf, Smallest, Witness, leaves
from ..model.instances.samples import scalars
from ..model.nodes import types as t
from ..model.nodes.walk import item_of

Constants = Mapping[p.Path, Any]
"""Values that the overlay states for paths. They select variants on the way."""


def type_at(forms: WireForms, form: ObjectForm, path: p.Path, constants: Constants) -> tuple[t.Type, bool] | None:
    """The type at a path, and whether its last step is always there; None if nothing is declared there."""
    field: t.Field | None = None
    type_: t.Type = t.Anything()
    for depth, step in enumerate(path):
        if isinstance(step, int):
            core = forms.core(type_)
            if not isinstance(core, t.Array):
                return None
            type_, required = item_of(core, step), False
        else:
            inside = form if depth == 0 else forms.form(forms.core(type_))
            field = declared(forms, inside, path[:depth], constants).get(step)
            if field is None:
                return None
            type_, required = field.type, field.required
        if depth == len(path) - 1:
            return type_, required
    return None


def declared(forms: WireForms, form: ObjectForm, prefix: p.Path, constants: Constants) -> dict[str, t.Field]:
    """The properties of an object and of the variants that some constants select."""
    found = dict(form.fields)
    for union in form.unions if prefix else ():
        for member in forms.members(union):
            known = {name: constants[(*prefix, name)] for name in member.constants if (*prefix, name) in constants}
            if known == member.constants and not member.open and member.constants:
                found |= declared(forms, member.form, prefix, constants)
                break
    return found


class Samples:
    """Minimal objects of one schema."""

    def __init__(self, forms: WireForms) -> None:
        self.forms = forms
        self.values = Smallest(forms)

    def is_certain(self, form: ObjectForm, path: p.Path, expects: Constants) -> bool:
        """Return whether every object has a value at a path."""
        for depth in range(1, len(path) + 1):
            found = type_at(self.forms, form, path[:depth], expects)
            if found is None or not found[1] or (depth < len(path) and self.forms.nullable(found[0])):
                return False
        return True

    def smallest(self, form: ObjectForm) -> Witness | None:
        """A minimal object."""
        for leaf in leaves(self.forms, form):
            found = self.values.required(leaf)
            if found is not None:
                return Witness(found)
        return None

    def required(self, form: ObjectForm) -> dict[str, Any] | None:
        """A minimal object without a choice of variants."""
        return self.values.required(Leaf(form.fields, form.excludes, form.extra, form.closed))

    def having(
        self, form: ObjectForm, path: p.Path, value: Any, constants: Constants, base: Mapping[str, Any] | None = None
    ) -> Any:
        """A minimal object with a value at a path."""
        made: Any = copy.deepcopy(dict(base) if base is not None else self.required(form) or {})
        for depth in range(1, len(path)):
            held = convert.at(made, path[:depth])
            if not isinstance(held, (dict, list)) or held == []:
                convert.put(made, path[:depth], self._container(form, path[:depth], constants))
        convert.put(made, path, value)
        return made

    def _container(self, form: ObjectForm, path: p.Path, constants: Constants) -> Any:
        """A minimal value at a path, with the constants of the overlay."""
        found = type_at(self.forms, form, path, constants)
        core = self.forms.core(found[0]) if found is not None else None
        if core is None or isinstance(core, t.Array):
            return []
        wanted = {each[-1]: v for each, v in constants.items() if each[:-1] == path}
        values = [self.values.required(leaf) for leaf in leaves(self.forms, self.forms.form(core))]
        fitting = [v for v in values if v is not None and all(v.get(str(n), w) == w for n, w in wanted.items())]
        empty: dict[str, Any] = {}
        return {**copy.deepcopy(next(iter(fitting), empty)), **{str(n): w for n, w in wanted.items()}}

    def with_property(self, form: ObjectForm, path: p.Path, constants: Constants, base: Mapping[str, Any]) -> Any:
        """A minimal object that has a property."""
        found = type_at(self.forms, form, path, constants)
        value = self.values.value(found[0]) if found is not None else None
        return None if value is None else self.having(form, path, value.value, constants, base)

    def different(self, type_: t.Type, value: Any) -> Witness | None:
        """A value of a type that differs from another value."""
        smallest = self.values.value(type_)
        tried = [smallest.value] if smallest is not None else []
        tried += [{**each, "key": True} for each in tried if isinstance(each, dict)]
        tried += scalars(self.forms.core(type_), [])
        return next((Witness(each) for each in tried if each != value and fits(self.forms, type_, each)), None)
