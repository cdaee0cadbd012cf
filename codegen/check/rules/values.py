"""Lints of what can never be sent: values that their own type excludes, objects without end, properties that nothing declares."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from ...document.jsonvalue import is_json_array, is_json_object
from ...document.read import join
from ...errors import quoted
from ...findings.finding import Level
from ...findings.rule import Hit
from ...model.cycles import Cycles
from ...model.patterns import is_tame
from ...model.types import (
    Array,
    Definition,
    Field,
    Object,
    Reference,
    Type,
    Union,
)
from ...model.walk import references
from ..composition import Composition
from ..schemas import Loaded, Raw
from .rows import lint

_IS: Mapping[str, Callable[[Any], bool]] = {
    "string": lambda value: isinstance(value, str),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
    "integer": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and value % 1 == 0,
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "array": is_json_array,
    "object": is_json_object,
}


def _excluded(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        names: Any = node.get("type")
        names = [names] if isinstance(names, str) else names
        values = node.get("enum")
        if not is_json_array(names) or not is_json_array(values) or not all(name in _IS for name in map(str, names)):
            continue
        for index, value in enumerate(values):
            if not any(_IS[str(name)](value) for name in names):
                text = f"`type` {' or '.join(map(str, names))} excludes the value {quoted(value)}"
                yield Hit(message=text, pointer=join(pointer, "enum", index))


def _undeclared(raw: Raw) -> Iterator[Hit]:
    composition: Composition | None = None
    for pointer, node in raw.nodes:
        required, own = node.get("required"), node.get("properties", {})
        if not is_json_array(required) or not is_json_object(own) or pointer.endswith("/not") or "/not/" in pointer:
            continue
        for index, name in enumerate(required):
            if isinstance(name, str) and name not in own:
                composition = composition or Composition(raw)
                around = composition.around(pointer)
                if name not in around:
                    from difflib import get_close_matches  # noqa: PLC0415  # only on the way to a finding

                    near = get_close_matches(name, sorted(around), 1)
                    hint = f"write {quoted(near[0])}, if you mean that" if near else ""
                    text = f"{quoted(name)} is required, but no property of that name is declared"
                    yield Hit(message=text, pointer=join(pointer, "required", index), instead=hint)


# --- objects without end ------------------------------------------------------------------------------------------------


def _endless(loaded: Loaded) -> Iterator[Hit]:
    definitions = loaded.schema.definitions
    finite = _finite(definitions)
    without_end = Cycles(lambda name: (t for f in _required(definitions[name].type) for t in _needed(f.type, finite)))
    told: set[str] = set()
    for name in definitions:
        if name not in finite and name not in told and name in without_end:
            way = _way_back(loaded, name, finite)
            told |= {owner for owner, _ in way}
            steps = " to ".join([*(f"{owner}.{field.name}" for owner, field in way), name])
            text = f"{name} holds another {name} without end: each requires the next ({steps})"
            yield Hit(message=text, pointer=way[0][1].pointer)


def _finite(definitions: Mapping[str, Definition]) -> set[str]:
    """The definitions that have a value of finite size."""
    used_by: defaultdict[str, list[str]] = defaultdict(list)
    for name, definition in definitions.items():
        for other in references(definition.type):
            used_by[other].append(name)
    finite: set[str] = set()
    waiting = dict.fromkeys(definitions)
    while waiting:
        ended = [name for name in waiting if name not in finite and _ends(definitions[name].type, finite)]
        finite.update(ended)
        waiting = dict.fromkeys(user for name in ended for user in used_by[name])
    return finite


def _ends(type_: Type, finite: set[str]) -> bool:
    """Whether a type has a value of finite size, given the definitions that surely have."""
    match type_:
        case Reference(name):
            return name in finite
        case Array():
            few = type_.min_items or 0
            return all(_ends(t, finite) for t in (*type_.prefix[:few], *([type_.items] * (few > len(type_.prefix)))))
        case Union(variants):
            return any(_ends(variant.type, finite) for variant in variants)
        case Object():
            required = (field.type for field in type_.fields if field.required)
            return all(_ends(part, finite) for part in (*required, *type_.bases, *type_.unions))
        case _:
            return True


def _way_back(loaded: Loaded, start: str, finite: set[str]) -> list[tuple[str, Field]]:
    """The shortest chain of required properties from a definition back to it; empty where there is none."""
    queue: list[tuple[str, list[tuple[str, Field]]]] = [(start, [])]
    seen: set[str] = set()
    while queue:
        name, way = queue.pop(0)
        for field in _required(loaded.schema.definitions[name].type):
            for target in _needed(field.type, finite):
                if target == start:
                    return [*way, (name, field)]
                if target not in seen:
                    seen.add(target)
                    queue.append((target, [*way, (name, field)]))
    return []


def _required(type_: Type) -> Iterator[Field]:
    match type_:
        case Object():
            yield from (field for field in type_.fields if field.required)
            for part in (*type_.bases, *type_.unions):
                yield from _required(part)
        case Union(variants):
            for variant in variants:
                yield from _required(variant.type)
        case _:
            pass


def _needed(type_: Type, finite: set[str]) -> Iterator[str]:
    """The definitions without end that a value of a type cannot do without."""
    match type_:
        case Reference(name):
            if name not in finite:
                yield name
        case Array() if type_.min_items:
            for item in (*type_.prefix, type_.items):
                yield from _needed(item, finite)
        case Union(variants) if not _ends(type_, finite):
            for variant in variants:
                yield from _needed(variant.type, finite)
        case Object():
            for field in _required(type_):
                yield from _needed(field.type, finite)
            for part in (*type_.bases, *type_.unions):
                yield from _needed(part, finite)
        case _:
            pass


def _dangerous(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        pattern = node.get("pattern")
        if isinstance(pattern, str) and _is_regular(pattern) and not is_tame(pattern):
            text = f"the time that {quoted(pattern)} takes may grow faster than the text"
            yield Hit(message=text, pointer=join(pointer, "pattern"))


def _is_regular(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_row = partial(lint, "values")

ROWS = (
    _row(
        "value-excluded",
        Level.error,
        Raw,
        _excluded,
        "A value of an enumeration that the type beside it excludes.",
        "add the value's type to `type`, or remove the value",
        "No message can ever contain it.",
    ),
    _row(
        "required-undeclared",
        Level.error,
        Raw,
        _undeclared,
        "A required property that nothing declares.",
        "declare it in `properties`, or correct its spelling in `required`",
        "Every message without it is rejected, and its type is not defined.",
    ),
    _row(
        "required-endless",
        Level.error,
        Loaded,
        _endless,
        "A type that requires itself, directly or through other types.",
        "leave one of the properties out of `required`, or let it be null or an empty array",
        "No finite message fits.",
    ),
    _row(
        "pattern-dangerous",
        Level.warning,
        Raw,
        _dangerous,
        "A `pattern` that a backtracking engine may need very long to match.",
        "begin it with `^`, and let the next character decide whether a repetition continues",
        "A sender could keep the receiver busy with a crafted text, so decoders do not check such a pattern.",
    ),
)
