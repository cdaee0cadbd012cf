"""The gated parts that a value uses (properties and variants that require a capability), and its undeclared keys.

This is the slow examination. It assumes that the value is valid, and reports nothing otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal, TypeGuard

from msgspec import Struct

from ...document.json_parser import Path
from ...document.json_types import is_json_array, is_json_object
from ...document.read import join, pointer_parts
from ...document.walk import Kind, children
from .lenient_schema import UNIONS, NodeMarks, parts

GATE = "x-capability"


class Use(Struct, frozen=True):
    """A gated part in use, or an undeclared key. `declared`: unused declared keys."""

    kind: Literal["gated", "undeclared"]
    path: Path
    pointer: str
    gate: str = ""
    declared: frozenset[str] = frozenset()


Placed = tuple[Any, str]
"""A schema node and its pointer."""


class _Keys(Struct):
    """The keys of an object: the declared ones, the type of others, and whether others are allowed."""

    declared: dict[str, list[Placed]]
    others: list[Placed]
    free: bool = False


def _once(places: list[Placed]) -> list[Placed]:
    """Nodes without duplicates. Shared types of variants would otherwise be walked again at every level."""
    return (
        places
        if len(places) < 2
        else list({id(node): (node, pointer) for node, pointer in reversed(places)}.values())[::-1]
    )


class Walker:
    """Walks values of one schema's definitions."""

    def __init__(self, definitions: Mapping[str, Any], marks: NodeMarks) -> None:
        self._definitions, self.marks = definitions, marks
        self._made_of: dict[int, list[Placed]] = {}

    def uses(self, name: str, value: Any, path: Path = ()) -> Iterator[Use]:
        """The gated parts that a value of a definition uses, outer parts first."""
        yield from self._node([(self._definitions.get(name), join("", "$defs", name))], value, path)

    def _node(self, nodes: list[Placed], value: Any, path: Path) -> Iterator[Use]:
        """Walk a value with several candidate nodes if its variant is unknown."""
        if is_json_object(value):
            yield from self._object(nodes, value, path)
        elif is_json_array(value):
            for index, item in enumerate(value):
                children = _once([child for node in nodes for child in self._items(node, index)])
                yield from self._node(children, item, (*path, index))
        else:
            for node in nodes:
                yield from self._constant(node, value, path)

    def _constant(self, node: Placed, value: Any, path: Path) -> Iterator[Use]:
        for part, pointer in self._parts(node):
            for keyword in UNIONS:
                for index, variant in enumerate(part.get(keyword, ())):
                    if _is_gated(variant) and variant.get("const", self) == value:
                        yield Use("gated", path, join(pointer, keyword, index), variant[GATE])

    def _items(self, node: Placed, index: int) -> Iterator[Placed]:
        """The possible types of an array item in any variant."""
        for part, pointer in self._parts(node):
            prefix = part.get("prefixItems", ())
            if index < len(prefix):
                yield prefix[index], join(pointer, "prefixItems", index)
            elif "items" in part:
                yield part["items"], join(pointer, "items")
            for keyword in UNIONS:
                for number, variant in enumerate(part.get(keyword, ())):
                    yield from self._items((variant, join(pointer, keyword, number)), index)

    def _object(self, nodes: list[Placed], value: Mapping[str, Any], path: Path) -> Iterator[Use]:
        keys = _Keys({}, [])
        for node in nodes:
            for gate, pointer in self._collect(node, value, keys):
                yield Use("gated", path, pointer, gate)
        names = frozenset(keys.declared) if keys.declared and not keys.free else None
        for key, child in value.items():
            places = keys.declared.get(key, keys.others)
            if key not in keys.declared and names is not None:
                yield Use("undeclared", (*path, key), nodes[0][1], "", names)
            for schema, pointer in places:
                if _is_gated(schema) and child is not None:
                    yield Use("gated", (*path, key), pointer, schema[GATE])
            yield from self._node(_once(places), child, (*path, key))

    def _collect(self, node: Placed, value: Mapping[str, Any], keys: _Keys) -> Iterator[tuple[str, str]]:
        """Collect the possible keys of an object, and yield the gates of its variants."""
        for part, pointer in self._parts(node):
            for name, child in part.get("properties", {}).items():
                keys.declared.setdefault(name, []).append((child, join(pointer, "properties", name)))
            for keyword in ("additionalProperties", "unevaluatedProperties"):
                others = part.get(keyword, False)
                keys.free = keys.free or others is not False
                if is_json_object(others):
                    keys.others.append((others, join(pointer, keyword)))
            for keyword in UNIONS:
                if keyword not in part:
                    continue
                chosen = self._chosen(part[keyword], value)
                keys.free = keys.free or not chosen
                for index, tagged in chosen:
                    variant = part[keyword][index]
                    place = join(pointer, keyword, index)
                    if variant is True or variant == {} or (is_json_object(variant) and "not" in variant):
                        keys.free = True
                    if tagged and _is_gated(variant):
                        yield variant[GATE], place
                    yield from self._collect((variant, place), value, keys)

    def _chosen(self, variants: list[Any], value: Mapping[str, Any]) -> list[tuple[int, bool]]:
        """The variants that an object may be, and whether its tag decides that."""
        tags = self.marks.all(variants)
        matching = [
            index
            for index, known in enumerate(tags)
            if known and all(_scalar(value.get(name)) and value.get(name) in values for name, values in known.items())
        ]
        if matching:
            return [(index, True) for index in matching]
        return [(index, False) for index, known in enumerate(tags) if not known]

    def _parts(self, node: Placed) -> list[Placed]:
        """A node, the target of its reference, the entries of its `allOf`, each with its pointer."""
        # By identity: the nodes are those of the definitions, which stay.
        found = self._made_of.get(id(node[0]))
        if found is not None:
            return found
        found = list[Placed]()
        waiting, seen = [node], set[int]()
        while waiting:
            part, pointer = waiting.pop()
            if not is_json_object(part) or id(part) in seen:
                continue
            seen.add(id(part))
            found.append((part, pointer))
            reference = part.get("$ref")
            if isinstance(reference, str):
                name = pointer_parts(reference)[-1]
                waiting.append((self._definitions.get(name), join("", "$defs", name)))
            waiting += [(child, join(pointer, "allOf", index)) for index, child in enumerate(part.get("allOf", ()))]
        if is_json_object(node[0]):
            self._made_of[id(node[0])] = found
        return found


def _scalar(value: Any) -> bool:
    return value is None or isinstance(value, (str, int, float))


class Marker(Struct, frozen=True):
    """A JSON text that a message must contain to use a gated part; None if any message may."""

    gate: str
    texts: tuple[str, ...] | None


def markers(definitions: Mapping[str, Any], marks: NodeMarks, name: str) -> list[Marker]:
    """The gates that values of a definition may need, with the texts that indicate them."""
    found: list[Marker] = []
    waiting: list[tuple[Any, Kind]] = [(definitions.get(name), "schema")]
    seen: set[int] = set()
    while waiting:
        node, kind = waiting.pop()
        if kind != "schema":
            waiting.extend((child, below) for _, child, below in children(node, kind))
            continue
        for part in parts(node, definitions):
            if id(part) in seen:
                continue
            seen.add(id(part))
            properties = part.get("properties", {})
            found += [Marker(child[GATE], (key,)) for key, child in properties.items() if _is_gated(child)]
            for variant in (v for keyword in UNIONS for v in part.get(keyword, ()) if _is_gated(v)):
                tags = [v for values in marks.of(variant).constants.values() for v in values]
                texts = tuple(tag for tag in (*tags, variant.get("const")) if isinstance(tag, str))
                found.append(Marker(variant[GATE], texts or None))
            waiting.extend((child, below) for step, child, below in children(part, "schema") if step != "not")
    return found


def _is_gated(node: Any) -> TypeGuard[dict[str, Any]]:
    return is_json_object(node) and isinstance(node.get(GATE), str)
