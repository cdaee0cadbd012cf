"""Alternatives of a type: their JSON kinds, and the test that a scalar accepts a value."""

from __future__ import annotations

from ..contracts import plan as p
from ..model.algebra.bounds import bare
from ..model.algebra.normal_form import Alternative
from ..model.nodes import types as t


def any_item(arrays: list[Alternative]) -> Alternative:
    """An array for several alternatives: its items are those of all."""
    items = [each.type.items for each in arrays if isinstance(each.type, t.Array)]
    counts = [each.type.min_items or 0 for each in arrays if isinstance(each.type, t.Array)]
    union = t.Union(tuple(t.Variant(type=item, pointer="") for item in items))
    return Alternative(t.Array(union, min_items=min(counts)), "array")


def json_kind(kind: str) -> str:
    return {"map": "object", "enumeration": "string"}.get(kind, kind)


def worded(kind: str) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}"


def check_of(type_: t.Type) -> p.Check | None:
    """The test that a scalar type accepts a value; None for other types."""
    match type_:
        case t.Enumeration(values, None):
            constants = tuple(value.constant for value in values)
            return p.Check(f"one of {', '.join(map(repr, constants))}", constants)
        case t.Integer() | t.Number():
            limits = bare(type_)
            assert isinstance(limits, (t.Integer, t.Number))
            whole = isinstance(type_, t.Integer)
            named = {name: getattr(limits, name) for name in ("minimum", "maximum", "above", "below", "multiple_of")}
            bounds = [f"{name.replace('_', ' ')} {value}" for name, value in named.items() if value is not None]
            expected = ("an integer" if whole else "a number") + (f" with {' and '.join(bounds)}" if bounds else "")
            return p.Check(expected, whole=whole, **named)
        case t.String():
            shape = f" that matches {type_.pattern}" if type_.pattern else " of a valid length"
            return p.Check(
                f"a string{shape}",
                min_length=type_.min_length,
                max_length=type_.max_length,
                pattern=type_.checked_pattern,
            )
        case _:
            return None
