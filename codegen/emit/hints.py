"""Types as annotations for type checkers."""

from __future__ import annotations

from collections.abc import Callable

from ..model.types import (
    Anything,
    Array,
    Boolean,
    Enumeration,
    Integer,
    Map,
    Null,
    Nullable,
    Number,
    Object,
    Reference,
    String,
    Type,
    Union,
)
from .text import literal


def hint(type_: Type, *, bounds: bool = False) -> str:
    """The annotation of a shaped type; with `bounds`, as msgspec has to see it."""
    match type_:
        case Anything() | Object():
            return "Any"
        case Null():
            return "None"
        case Boolean():
            return "bool"
        case Integer():
            return _annotated("int", _number_bounds(type_)) if bounds else "int"
        case Number():
            return "int | float" if bounds else "float"
        case String():
            return _annotated("str", _string_bounds(type_)) if bounds else "str"
        case Enumeration(values, base):
            # Constants that a Literal cannot hold are judged at run time and typed by what they are.
            texts = [literal(v.constant) for v in values if isinstance(v.constant, (str, int))]
            parts = [f"Literal[{', '.join(texts)}]"] if texts else []
            parts += ["float"] if any(isinstance(v.constant, float) for v in values) else []
            parts += [hint(base)] if base is not None else []
            return " | ".join(parts)
        case Array():
            inner = " | ".join(dict.fromkeys(hint(item, bounds=bounds) for item in (*type_.prefix, type_.items)))
            if "Any" in inner.split(" | "):
                inner = "Any"
            return (
                _annotated(f"list[{inner}]", _lengths(type_.min_items, type_.max_items)) if bounds else f"list[{inner}]"
            )
        case Map(inner):
            return f"dict[str, {hint(inner, bounds=bounds)}]"
        case Nullable(inner):
            text = hint(inner, bounds=bounds)
            return text if text == "Any" else f"{text} | None"
        case Reference(name):
            return name
        case Union(variants):
            found = [_members(variant.type, bounds=bounds) for variant in variants]
            texts = list(dict.fromkeys(text for texts in found for text in texts))
            return "Any" if "Any" in texts else " | ".join(texts)


def _members(type_: Type, *, bounds: bool) -> list[str]:
    """What a type adds to the union around it."""
    return ["int", "float"] if bounds and isinstance(type_, Number) else [hint(type_, bounds=bounds)]


def parameter_hint(type_: Type, *, text: Callable[[Type], bool]) -> str:
    """The annotation of a parameter: any sequence will do for an array, unless a string would be one of its items.

    `text` says whether a string is a value of a type: it would itself be a sequence of those.
    """
    match type_:
        case Nullable(Array() as array):
            return f"{parameter_hint(array, text=text)} | None"
        case Array():
            whole = hint(type_)
            inner = whole.removeprefix("list[").removesuffix("]")
            strings = inner == "Any" or any(text(item) for item in (*type_.prefix, type_.items))
            return f"{whole} | tuple[{inner}, ...]" if strings else f"Sequence[{inner}]"
        case _:
            return hint(type_)


def is_array(type_: Type) -> bool:
    """Whether values of a type are arrays, or null."""
    return isinstance(type_.inner if isinstance(type_, Nullable) else type_, Array)


def _annotated(base: str, arguments: list[str]) -> str:
    return f"Annotated[{base}, Meta({', '.join(arguments)})]" if arguments else base


def _number_bounds(type_: Integer) -> list[str]:
    pairs = (
        ("ge", type_.minimum),
        ("le", type_.maximum),
        ("gt", type_.above),
        ("lt", type_.below),
        ("multiple_of", type_.multiple_of),
    )
    return [f"{name}={value}" for name, value in pairs if value is not None]


def _string_bounds(type_: String) -> list[str]:
    pattern = [f"pattern={literal(type_.checked_pattern)}"] if type_.checked_pattern is not None else []
    return [*_lengths(type_.min_length, type_.max_length), *pattern]


def _lengths(least: int | None, most: int | None) -> list[str]:
    return [f"{name}={value}" for name, value in (("min_length", least), ("max_length", most)) if value is not None]
