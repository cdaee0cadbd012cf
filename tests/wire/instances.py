"""Values that fit a schema node, made by walking the node; and the same values with one thing wrong.

The source of chance is a `random.Random`: a seeded one where many values are wanted fast, hypothesis' own where a failure
should shrink. Integers are never written with a fraction, the one spelling that strict decoding refuses and JSON Schema
admits; nothing that the schema does not declare is added, so that a decoded value encodes to the same JSON.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

Path = tuple[str | int, ...]

_LETTERS = 'aZ0_-/. "\\\n\té\u2028\U0001f600\ufffd'
_NUMBERS = (0, 1, -1, 0.5, -2.25, 1e-7, 1.5e-300, 2**31, 2**53 + 1, -(2**63), 2**64 - 1)
UNDECLARED = "+"
"""What keys that the schema does not name, but admits, start with."""
_KEYWORDS = frozenset({"$ref", "allOf", "oneOf", "anyOf", "const", "enum", "type", "properties"})


class Instances:
    """Makes values for the nodes of one schema document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.definitions: Mapping[str, Any] = document["$defs"]
        self._heights: dict[int, float] = {}

    def of(self, name: str, chance: Random) -> Any:
        """A value that fits a definition."""
        return self.value(self.definitions[name], chance, 6)

    def value(self, node: Any, chance: Random, room: int) -> Any:
        """A value that fits a node; `room` is how many more references may be followed freely."""
        if not isinstance(node, dict) or not _KEYWORDS & set(node):
            return _anything(chance, 2)
        if "const" in node:
            return node["const"]
        if "enum" in node:
            return chance.choice(node["enum"])
        parts = [self.value(self._target(node), chance, room - 1)] if "$ref" in node else []
        parts += [self.value(part, chance, room) for part in node.get("allOf", ())]
        if "type" in node or "properties" in node:
            parts.append(self._typed(node, chance, room))
        # Narrowest last: what a variant says of a property holds beside what the object around the union says of it.
        parts += [self._variant(node[k], chance, room) for k in ("oneOf", "anyOf") if k in node]
        if all(isinstance(part, dict) for part in parts):
            return {key: value for part in parts for key, value in part.items()}
        return parts[-1]

    def _target(self, node: Mapping[str, Any]) -> Any:
        return self.definitions[node["$ref"].removeprefix("#/$defs/")]

    def _variant(self, variants: list[Any], chance: Random, room: int) -> Any:
        if room <= 0:
            return self.value(min(variants, key=self._height), chance, room)
        return self.value(chance.choice(variants), chance, room)

    def _typed(self, node: Mapping[str, Any], chance: Random, room: int) -> Any:
        kinds = node.get("type", "object")
        kind = chance.choice(kinds) if isinstance(kinds, list) else kinds
        match kind:
            case "null":
                return None
            case "boolean":
                return chance.random() < 0.5
            case "integer":
                return _integer(node, chance)
            case "number":
                return _number(node, chance)
            case "string":
                return _string(node, chance)
            case "array":
                return self._array(node, chance, room)
            case _:
                return self._object(node, chance, room)

    def _array(self, node: Mapping[str, Any], chance: Random, room: int) -> list[Any]:
        least = node.get("minItems", 0)
        count = least if room <= 0 else chance.randint(least, min(node.get("maxItems", least + 2), least + 2))
        prefix = node.get("prefixItems", [])
        nodes = [*prefix[:count], *[node.get("items", True)] * (count - len(prefix))]
        return [self.value(item, chance, room) for item in nodes]

    def _object(self, node: Mapping[str, Any], chance: Random, room: int) -> dict[str, Any]:
        required = node.get("required", ())
        found: dict[str, Any] = {}
        for name, child in node.get("properties", {}).items():
            if name in required or (room > 0 and chance.random() < 0.55):
                found[name] = self.value(child, chance, room)
        found.update((name, _anything(chance, 1)) for name in required if name not in found)
        kept = node.get("additionalProperties", node.get("unevaluatedProperties", False))
        if kept is not False and room > 0 and chance.random() < 0.5:
            found.update(
                (UNDECLARED + _text(chance, 0, 3), self.value(kept, chance, room)) for _ in range(chance.randint(1, 2))
            )
        return found

    def _height(self, node: Any) -> float:
        """How many references lie between a node and its plainest value; infinite on the way round a circle."""
        if not isinstance(node, dict):
            return 0
        if id(node) not in self._heights:
            self._heights[id(node)] = math.inf
            heights = [1 + self._height(self._target(node))] if "$ref" in node else [0.0]
            heights += [self._height(part) for part in node.get("allOf", ())]
            heights += [min(map(self._height, node[k])) for k in ("oneOf", "anyOf") if k in node]
            heights += [self._height(c) for n, c in node.get("properties", {}).items() if n in node.get("required", ())]
            self._heights[id(node)] = max(heights)
        return self._heights[id(node)]


def _text(chance: Random, least: int, most: int) -> str:
    return "".join(chance.choice(_LETTERS) for _ in range(chance.randint(least, most)))


def _string(node: Mapping[str, Any], chance: Random) -> str:
    least = node.get("minLength", 0)
    return _text(chance, least, min(node.get("maxLength", least + 5), least + 5))


def _bounds(node: Mapping[str, Any]) -> tuple[int | None, int | None]:
    low, high = node.get("minimum"), node.get("maximum")
    if "exclusiveMinimum" in node:
        low = math.floor(node["exclusiveMinimum"]) + 1
    if "exclusiveMaximum" in node:
        high = math.ceil(node["exclusiveMaximum"]) - 1
    return None if low is None else math.ceil(low), None if high is None else math.floor(high)


def _integer(node: Mapping[str, Any], chance: Random) -> int:
    low, high = _bounds(node)
    step = int(node.get("multipleOf", 1))
    candidates = [
        value for value in (0, 1, -1, 7, 2**31, 2**53 + 1, -(2**63), 2**63 - 1, low, high) if value is not None
    ]
    return step * chance.choice(
        [v for v in candidates if (low is None or step * v >= low) and (high is None or step * v <= high)]
    )


def _number(node: Mapping[str, Any], chance: Random) -> float:
    low, high = _bounds(node)
    fitting = [v for v in _NUMBERS if (low is None or v >= low) and (high is None or v <= high)]
    return chance.choice(fitting or [low if low is not None else high or 0])


def _anything(chance: Random, depth: int) -> Any:
    kind = chance.randint(0, 7 if depth else 5)
    match kind:
        case 0:
            return None
        case 1:
            return chance.random() < 0.5
        case 2:
            return chance.choice(_NUMBERS)
        case 3 | 4 | 5:
            return _text(chance, 0, 4)
        case 6:
            return [_anything(chance, depth - 1) for _ in range(chance.randint(0, 2))]
        case _:
            return {_text(chance, 0, 3): _anything(chance, depth - 1) for _ in range(chance.randint(0, 2))}


# --- one thing wrong -------------------------------------------------------------------------------------------------

OTHER_VALUES: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    5,
    1.5,
    2**63,
    "",
    "x",
    "unknown_tag",
    [],
    {},
    [None],
    {"a": 1},
)


def paths(value: Any, here: Path = ()) -> Iterator[Path]:
    """The place of every value inside a value, itself first."""
    yield here
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        yield from paths(child, (*here, key))


def at(value: Any, path: Path) -> Any:
    """The value at a place."""
    for step in path:
        value = value[step]
    return value


def put(value: Any, path: Path, new: Any) -> Any:
    """A copy with another value at a place; what is elsewhere is shared with the original."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = put(value[path[0]], path[1:], new) if path[1:] else new
    return changed


def dropped(value: Any, path: Path) -> Any:
    """A copy without the key or item at a place; what is elsewhere is shared with the original."""
    holder = copy.copy(at(value, path[:-1]))
    del holder[path[-1]]
    return put(value, path[:-1], holder)


def mutated(value: Any, chance: Random, tags: list[str]) -> Any:
    """A copy with one thing changed: a key dropped or added, another type, another tag, a number one off, two items swapped."""
    path = chance.choice(list(paths(value)))
    old = at(value, path)
    kind = chance.randint(0, 9)
    if kind <= 2 and path:
        return dropped(value, path)
    if kind <= 4 and isinstance(old, str):
        return put(value, path, chance.choice(tags))
    if kind == 5 and isinstance(old, dict):
        return put(value, path, {**old, "undeclared": 1})
    if kind == 6 and isinstance(old, dict) and tags:
        return put(value, path, {**old, chance.choice(("type", *old)): chance.choice(tags)})
    if kind == 7 and isinstance(old, int) and not isinstance(old, bool):
        return put(value, path, old + chance.choice((-1, 1)))
    if kind == 8 and isinstance(old, list):
        return put(value, path, [*old, chance.choice(OTHER_VALUES)])
    return put(value, path, copy.deepcopy(chance.choice(OTHER_VALUES)))


def constants(node: Any) -> set[str]:
    """Every string that is a constant somewhere in a schema."""
    if isinstance(node, list):
        return set().union(*map(constants, node)) if node else set()
    if not isinstance(node, dict):
        return set()
    own = [node.get("const"), *(node["enum"] if isinstance(node.get("enum"), list) else ())]
    return {value for value in own if isinstance(value, str)}.union(*map(constants, node.values()))
