"""Lints of values that can never be sent: excluded by their own type, endlessly nested, or required but not declared."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from ...document.json_types import KINDS, is_json_array, is_json_object
from ...document.read import join
from ...errors import meant, quoted
from ...findings.rule import Hit
from ...model.nodes.cycles import Cycles
from ...model.nodes.patterns import is_tame
from ...model.nodes.types import Array, Definition, Field, Object, Reference, Type, Union
from ...model.nodes.walk import aspects, needed_items, references
from ..parts.schemas import Loaded, Raw
from .rows import Rows


def _excluded(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        names: Any = node.get("type")
        names = [names] if isinstance(names, str) else names
        values = node.get("enum")
        if not is_json_array(names) or not is_json_array(values) or not all(name in KINDS for name in map(str, names)):
            continue
        for index, value in enumerate(values):
            if not any(KINDS[str(name)](value) for name in names):
                text = f"`type` {' or '.join(map(str, names))} excludes the value {quoted(value)}"
                yield Hit(text, join(pointer, "enum", index))


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
                    near = meant(name, sorted(around))
                    hint = f"did you mean {quoted(near)}?" if near else ""
                    text = f"{quoted(name)} is required but not declared"
                    yield Hit(text, join(pointer, "required", index), instead=hint)


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
            yield Hit(f"{name} requires another {name}, endlessly ({steps})", way[0][1].pointer)


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
    """Return whether a type has a finite value, given the definitions that surely have one."""
    match type_:
        case Reference(name):
            return name in finite
        case Array():
            return all(_ends(item, finite) for item in needed_items(type_))
        case Union():
            return any(_ends(variant, finite) for variant in aspects(type_))
        case Object():
            required = (field.type for field in type_.fields if field.required)
            return all(_ends(part, finite) for part in (*required, *aspects(type_)))
        case _:
            return True


def _way_back(loaded: Loaded, start: str, finite: set[str]) -> list[tuple[str, Field]]:
    """The shortest chain of required properties from a definition back to itself; empty if there is none."""
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
    if isinstance(type_, Object):
        yield from (field for field in type_.fields if field.required)
    if isinstance(type_, (Object, Union)):
        for part in aspects(type_):
            yield from _required(part)


def _needed(type_: Type, finite: set[str]) -> Iterator[str]:
    """The definitions without a finite value that a type requires."""
    match type_:
        case Reference(name):
            if name not in finite:
                yield name
        case Array():
            for item in needed_items(type_):
                yield from _needed(item, finite)
        case Union() if not _ends(type_, finite):
            for variant in aspects(type_):
                yield from _needed(variant, finite)
        case Object():
            for part in (*(field.type for field in _required(type_)), *aspects(type_)):
                yield from _needed(part, finite)
        case _:
            pass


def _dangerous(raw: Raw) -> Iterator[Hit]:
    for pointer, node in raw.nodes:
        pattern = node.get("pattern")
        if isinstance(pattern, str) and _is_regular(pattern) and not is_tame(pattern):
            yield Hit(
                f"the time to match {quoted(pattern)} may grow faster than the length of the string",
                join(pointer, "pattern"),
            )


def _is_regular(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return False
    return True


_rules = Rows(
    """
# values

value-excluded (error)
    An enumeration value that the `type` beside it excludes.
    Why: No message can ever contain it.
    Instead: add the value's type to `type`, or remove the value

required-undeclared (error)
    A required property that is not declared.
    Why: Every message without it is rejected, and its type is not defined.
    Instead: declare it in `properties`, or correct its spelling in `required`

required-endless (error)
    A type that requires itself, directly or through other types.
    Why: No finite message conforms.
    Instead: leave one of the properties out of `required`, or let it be null or an empty array

pattern-dangerous (warning)
    A `pattern` that a backtracking engine may take very long to match.
    Why: A crafted text could keep the receiver busy, so decoders do not check such a pattern.
    Instead: begin it with `^`, and let the next character decide whether a repetition continues
"""
)

ROWS = (
    _rules.lint("value-excluded", Raw, _excluded),
    _rules.lint("required-undeclared", Raw, _undeclared),
    _rules.lint("required-endless", Loaded, _endless),
    _rules.lint("pattern-dangerous", Raw, _dangerous),
)


_CHOICES = ("anyOf", "oneOf")


class Composition:
    """Groups the nodes of a document that describe the same value, through `$ref`, `allOf` and unions."""

    def __init__(self, raw: Raw) -> None:
        self.nodes: dict[str, dict[str, Any]] = dict(raw.nodes)
        self.above: dict[str, list[tuple[str, str]]] = {}
        for pointer in self.nodes:
            for keyword, part in self._parts(pointer):
                self.above.setdefault(part, []).append((pointer, keyword))

    def around(self, pointer: str) -> set[str]:
        """The properties declared for the value of a node, by the node or by nodes combined with it.

        If the node is a variant of a union, properties of the other variants do not count.
        """
        found = self._below(pointer, set())
        waiting, seen = [pointer], {pointer}
        while waiting:
            part = waiting.pop()
            for whole, keyword in self.above.get(part, ()):
                found |= set(self._own(whole))
                for other_keyword, other in self._parts(whole):
                    if other != part and not (other_keyword == keyword and keyword in _CHOICES):
                        found |= self._below(other, {whole})
                if whole not in seen:
                    seen.add(whole)
                    waiting.append(whole)
        return found

    def _below(self, pointer: str, seen: set[str]) -> set[str]:
        if pointer in seen or pointer not in self.nodes:
            return set()
        seen.add(pointer)
        found = set(self._own(pointer))
        for _, part in self._parts(pointer):
            found |= self._below(part, seen)
        return found

    def _own(self, pointer: str) -> dict[str, Any]:
        properties = self.nodes[pointer].get("properties")
        return properties if is_json_object(properties) else {}

    def _parts(self, pointer: str) -> list[tuple[str, str]]:
        """The keywords and pointers of a node's parts."""
        node = self.nodes[pointer]
        target = node.get("$ref")
        found = [("$ref", target.removeprefix("#"))] if isinstance(target, str) else []
        for keyword in ("allOf", *_CHOICES):
            members = node.get(keyword)
            count = len(members) if is_json_array(members) else 0
            found += [(keyword, join(pointer, keyword, index)) for index in range(count)]
        return found
