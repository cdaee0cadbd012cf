"""The objects that a JSON value becomes, worked out from the schema and a foreign validator; and mutated copies of examples.

JSON alone is a weak oracle: a package whose annotations are all `Any` decodes every example to dicts and encodes the same
bytes. So an object is compared as a *tree*: the class of every object with its properties, every other value with its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

import jsonschema_rs
import msgspec

from codegen.document.read import read
from codegen.load.schema import load
from codegen.model.nodes import types as t
from codegen.shape.shapes import Choice, Leaf, Record, Shapes
from codegen.shape.shaping import shape

from .documents import ROOT, Document, Example, examples, ours
from .instances import OTHER_VALUES, Path, at, constants, dropped, paths, put

UNKNOWN = "UnknownVariant"
TAGS = sorted(constants(ours()))


def our_shapes() -> Shapes:
    """The shapes of schema.json."""
    schema, _ = load(read(ROOT / "schema.json"))
    return shape(schema)


# --- trees -----------------------------------------------------------------------------------------------------------


def tree(value: Any) -> Any:
    """A decoded object as nested tuples: a class with its properties by wire name, any other value with its type."""
    if isinstance(value, msgspec.Struct):
        return type(value).__name__, dict(_members(value))
    if isinstance(value, list):
        return "list", [tree(item) for item in value]
    if isinstance(value, dict):
        return "dict", {key: tree(child) for key, child in value.items()}
    if hasattr(value, "to_wire"):
        return type(value).__name__, dict(_members_of_extensible(value))
    if hasattr(value, "raw"):
        return UNKNOWN, value.tag, tree(value.raw)
    return type(value).__name__, value


def _members(value: msgspec.Struct) -> Iterator[tuple[str, Any]]:
    config = value.__struct_config__
    if config.tag is not None:
        assert isinstance(config.tag_field, str)
        yield config.tag_field, ("str", config.tag)
    for name, wire in zip(value.__struct_fields__, value.__struct_encode_fields__, strict=True):
        if (held := getattr(value, name)) is not msgspec.UNSET:
            yield wire, tree(held)


def _members_of_extensible(value: Any) -> Iterator[tuple[str, Any]]:
    for name, wire in {**value._wire, "extra": "extra"}.items():
        if (held := getattr(value, name)) is not msgspec.UNSET:
            yield wire, tree(held)


class Expected:
    """The tree that a value of our schema has, if it is valid: unions are resolved by a foreign validator."""

    def __init__(self, document: Document, shapes: Shapes) -> None:
        self.shapes = shapes
        self._definitions = document["$defs"]
        self._validators: dict[str, jsonschema_rs.Draft202012Validator] = {}

    def named(self, name: str, value: Any) -> Any:
        """The tree of a value of a named type."""
        if name in self.shapes.aliases:
            return self.of(self.shapes.aliases[name].type, value)
        if name in self.shapes.choices:
            return self._choice(self.shapes.choices[name], value)
        return self._record(self.shapes.records[name], value)

    def of(self, type_: t.Type, value: Any) -> Any:
        """The tree of a value of a shaped type."""
        match type_:
            case t.Nullable(inner):
                return tree(None) if value is None else self.of(inner, value)
            case t.Array() if isinstance(value, list):
                types = [*type_.prefix, *[type_.items] * len(value)]
                return "list", [self.of(each, item) for each, item in zip(types, value, strict=False)]
            case t.Map(inner) if isinstance(value, dict):
                return "dict", {key: self.of(inner, child) for key, child in value.items()}
            case t.Reference(name):
                return self.named(name, value)
            case t.Union(variants):
                taken = next(variant for variant in variants if self._accepts(variant.pointer, value))
                return self.of(taken.type, value)
            case _:
                return tree(value)

    def _record(self, record: Record, value: Mapping[str, Any]) -> Any:
        record = self.shapes.records.get(record.name, record)
        types = {attribute.wire: attribute.type for attribute in record.attributes}
        members = {wire: self.of(type_, value[wire]) for wire, type_ in types.items() if wire in value}
        if record.tag is not None:
            members[record.tag[0]] = ("str", record.tag[1])
        if record.extra is not None:
            members |= self._undeclared(record, value, types)
        return record.name, members

    def _undeclared(self, record: Record, value: Mapping[str, Any], types: Mapping[str, t.Type]) -> dict[str, Any]:
        assert record.extra is not None
        return {"extra": ("dict", {k: self.of(record.extra, v) for k, v in value.items() if k not in types})}

    def _choice(self, choice: Choice, value: Mapping[str, Any]) -> Any:
        taken = next((leaf for leaf in choice.leaves if self._fits(leaf, value)), None)
        if taken is not None and not taken.marks.open:
            return self._record(taken.record, value)
        tag = choice.tag if taken is None else taken.marks.excludes[0][0]
        return UNKNOWN, value.get(tag or "", ""), tree(value)

    def _fits(self, leaf: Leaf, value: Mapping[str, Any]) -> bool:
        record = self.shapes.records.get(leaf.record.name, leaf.record)
        required = all(a.wire in value for a in record.attributes if a.field.required)
        said = all(value.get(name) in known for name, known in leaf.marks.constants.items())
        other = all(isinstance(value.get(name), str) and value[name] != known for name, known in leaf.marks.excludes)
        return required and said and other and self._accepts(leaf.record.pointer, value)

    def _accepts(self, pointer: str, value: Any) -> bool:
        if pointer not in self._validators:
            schema = {"$ref": f"#{pointer}", "$defs": self._definitions}
            self._validators[pointer] = jsonschema_rs.Draft202012Validator(schema)
        return self._validators[pointer].is_valid(value)


# --- the corpus ------------------------------------------------------------------------------------------------------

KINDS = ("null", "deleted", "wrong type", "unknown tag", "undeclared", "bad item", "mixed")


def corpus(each: int) -> Iterator[tuple[Example, Any]]:
    """Every example, and as many copies with one thing changed: the same ones on every run."""
    whole = [(example, example.value) for example in examples()]
    objects: dict[Any, list[Any]] = {}
    for _, value in whole:
        for place in paths(value):
            if isinstance(at(value, place), dict):
                objects.setdefault(_role(place), []).append(at(value, place))
    for example, value in whole:
        chance, places = Random(str(example)), list(paths(value))
        yield example, value
        for index in range(each):
            yield example, changed(value, chance, places, KINDS[index % len(KINDS)], objects)


def _role(place: Path) -> str:
    """What an object is in a message: the property that holds it, or a list of it."""
    return next((step for step in reversed(place) if isinstance(step, str)), "")


def changed(value: Any, chance: Random, places: list[Path], kind: str, alike: Mapping[str, list[Any]]) -> Any:
    """A copy with one change of a kind, at a place by chance; where that kind has no place, another value at any.

    `alike` has the objects of all examples by their role. One of them is mixed into another, so that it fits two variants.
    """
    inside = [place for place in places if place]
    texts = [place for place in inside if isinstance(at(value, place), str)]
    objects = [place for place in places if isinstance(at(value, place), dict)]
    lists = [place for place in places if isinstance(at(value, place), list)]
    match kind:
        case "null" if inside:
            return put(value, chance.choice(inside), None)
        case "deleted" if inside:
            return dropped(value, chance.choice(inside))
        case "unknown tag" if texts:
            tags = [place for place in texts if at(value, place) in TAGS] or texts
            return put(value, chance.choice(tags), chance.choice(("from_the_future", *TAGS)))
        case "undeclared" if objects:
            place = chance.choice(objects)
            return put(value, place, {**at(value, place), "undeclared": chance.choice(OTHER_VALUES)})
        case "bad item" if lists:
            place = chance.choice(lists)
            return put(value, place, [*at(value, place), chance.choice(OTHER_VALUES)])
        case "mixed" if objects:
            place = chance.choice(objects[1:] or objects)
            return put(value, place, {**at(value, place), **chance.choice(alike[_role(place)])})
        case _:
            return put(value, chance.choice(places), chance.choice(OTHER_VALUES))
