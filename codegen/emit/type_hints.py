"""Annotations that only type checkers read: parameters of stubs, and the static side of markers."""

from __future__ import annotations

from collections.abc import Callable

from ..model.nodes import types as t
from ..model.nodes.walk import without_null
from .kinds import Expression
from .text import literal


def hint(type_: t.Type) -> Expression:
    """The annotation of a shaped type without its constraints, which only decoding needs."""
    return Expression(_hint(type_))


def _hint(type_: t.Type) -> str:
    match type_:
        case t.Anything() | t.Object():
            return "Any"
        case t.Null():
            return "None"
        case t.Boolean():
            return "bool"
        case t.Integer():
            return "int"
        case t.Number():
            return "float"
        case t.String():
            return "str"
        case t.Enumeration(values, base):
            # A Literal cannot hold every constant. The codec checks the others; type checkers see only their type.
            texts = [literal(v.constant) for v in values if isinstance(v.constant, (str, int))]
            parts = [f"Literal[{', '.join(texts)}]"] if texts else []
            parts += ["float"] if any(isinstance(v.constant, float) for v in values) else []
            parts += [hint(base)] if base is not None else []
            return " | ".join(parts)
        case t.Array():
            return f"list[{_union((*type_.prefix, type_.items))}]"
        case t.Map(inner):
            return f"dict[str, {hint(inner)}]"
        case t.Nullable(inner):
            text = hint(inner)
            return text if text == "Any" else f"{text} | None"
        case t.Reference(name):
            return name
        case t.Union(variants):
            return _union(tuple(variant.type for variant in variants))


def _union(types: tuple[t.Type, ...]) -> str:
    texts = list(dict.fromkeys(hint(type_) for type_ in types))
    return "Any" if "Any" in texts else " | ".join(texts)


def parameter_hint(type_: t.Type, *, text: Callable[[t.Type], bool]) -> str:
    """The annotation of a parameter. An array becomes a sequence, unless a string could be one of its items.

    `text` decides whether a type includes strings. A string is itself a sequence of strings, so those parameters take
    lists and tuples.
    """
    match type_:
        case t.Nullable(t.Array() as array):
            return f"{parameter_hint(array, text=text)} | None"
        case t.Array():
            whole = hint(type_)
            inner = whole.removeprefix("list[").removesuffix("]")
            strings = inner == "Any" or any(text(item) for item in (*type_.prefix, type_.items))
            return f"{whole} | tuple[{inner}, ...]" if strings else f"Sequence[{inner}]"
        case _:
            return hint(type_)


def is_array(type_: t.Type) -> bool:
    """Return whether a type is an array or a nullable array."""
    return isinstance(without_null(type_), t.Array)
