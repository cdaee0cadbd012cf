"""What was found wrong before, for values that are wrong in the same way: the judge takes milliseconds, a million times.

Values are alike if only texts and numbers differ that no fault is about and that no rule of the schema looks at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..document.jsontext import Path
from ..document.jsonvalue import is_json_array, is_json_object
from .judge import Fault

_LOOKING: Mapping[str, tuple[type, ...]] = {
    "pattern": (str,),
    "multipleOf": (int, float),
    "uniqueItems": (bool,),
    "contains": (dict, bool),
    "propertyNames": (dict, bool),
    "if": (dict, bool),
}
"""Keywords, with the types of their values, for which texts, numbers or items matter that look alike here."""
_MOST = 2000
_LARGEST = 500

Judgement = Callable[[str, Any], list[Fault]]


class Alike:
    """Remembers the faults of values by what they look like."""

    def __init__(self, definitions: Mapping[str, Any], judge: Judgement) -> None:
        self._judge = judge
        nodes = list(_nodes(definitions))
        named = (node.get("enum") or [node.get("const")] for node in nodes)
        self._words = {value for values in named for value in values if isinstance(value, str)}
        self._bounds = sorted({v for n in nodes for k, v in n.items() if k.endswith("imum") and _is_number(v)})
        self._lengths = sorted({v for n in nodes for k, v in n.items() if k.endswith("Length") and _is_number(v)})
        self._able = not any(isinstance(node.get(k), kinds) for node in nodes for k, kinds in _LOOKING.items())
        self._paths: dict[Any, list[Path]] = {}
        self._faults: dict[Any, list[Fault]] = {}

    def faults(self, name: str, value: Any) -> list[Fault]:
        """What is wrong with a value of a definition."""
        look = (name, *self._look(value)) if self._able else ()
        if not 0 < len(look) <= _LARGEST:
            return self._judge(name, value)
        paths = self._paths.get(look)
        if paths is not None:
            known = self._faults.get((look, _at(value, paths)))
            if known is not None:
                return known
        found = self._judge(name, value)
        if len(self._faults) < _MOST:
            paths = self._paths.setdefault(look, [fault.path for fault in found])
            if paths == [fault.path for fault in found]:
                self._faults[look, _at(value, paths)] = found
        return found

    def _look(self, value: Any) -> Iterator[Any]:
        """A value without its texts and numbers, save those that the schema names or draws a line between."""
        if is_json_object(value):
            yield len(value)
            for key, child in value.items():
                yield key
                yield from self._look(child)
        elif is_json_array(value):
            yield ("array", len(value))
            for child in value:
                yield from self._look(child)
        elif isinstance(value, str):
            yield ("text", value if value in self._words else None, *(len(value) >= n for n in self._lengths))
        elif _is_number(value):
            sides = ((value > bound) - (value < bound) for bound in self._bounds)
            yield (type(value), float(value).is_integer() if abs(value) < 2**53 else value, *sides)
        else:
            yield (value,)


def _at(value: Any, paths: list[Path]) -> tuple[str, ...]:
    """The values that faults are about; of objects and arrays, all of it is in the look of the whole."""
    found: list[str] = []
    for path in paths:
        part = value
        for step in path:
            part = part[step]
        found.append("" if is_json_object(part) or is_json_array(part) else repr(part))
    return tuple(found)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _nodes(node: Any) -> Iterator[Mapping[str, Any]]:
    if is_json_object(node):
        yield node
        for child in node.values():
            yield from _nodes(child)
    elif is_json_array(node):
        for child in node:
            yield from _nodes(child)
