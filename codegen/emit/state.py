"""The class that keeps the state of a session: its parts as typed attributes, and what each message does as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from .. import faults
from ..document.read import join
from ..model.leaves import ShapeError
from ..model.names import attribute_name, snake
from ..model.types import Map, Nullable, Reference, Schema, String, Type
from ..model.updates import Rule, entries_of, kind, rules
from ..runtime.state import State
from .hints import hint
from .shapes import Attribute, Leaf, Record, Shapes
from .text import docstring, literal

_TAKEN: Final = frozenset(dir(State())) | {"timeline"}


class _Value(Struct, frozen=True, kw_only=True):
    """A value that a message carries into a part: the attributes that lead to it, and where its type is."""

    path: tuple[str, ...]
    part: str
    kind: str
    attribute: Attribute


def state_context(schema: Schema, shapes: Shapes) -> dict[str, Any] | None:
    """What the template of `state.py` needs; None where the schema does not say how updates change a session."""
    return None if schema.updates is None else _Keeper(schema, shapes).context()


def added_state_context(schema: Schema, shapes: Shapes, base: Mapping[str, Any]) -> dict[str, Any] | None:
    """What the template needs for the messages of an extension; None where none of them carries anything into the state.

    `base`: the context of the package that the extension adds to, whose updates it cannot change.
    """
    whole = state_context(schema, shapes)
    if whole is None or whole["readings"].keys() == base["readings"].keys():
        return None
    known = {part["name"] for part in base["parts"]}
    parts = [part for part in whole["parts"] if part["name"] not in known]
    readings = {name: found for name, found in whole["readings"].items() if name not in base["readings"]}
    words = {word for part in parts for word in _words(part["hint"])}
    models = {*shapes.records, *shapes.choices, *shapes.aliases}
    return {
        **whole,
        "parts": parts,
        "readings": readings,
        "models": sorted((words & models) | readings.keys()),
        "imports": {
            "abc": ["Mapping", *({"Sequence"} & words)],
            "typing": sorted({"ClassVar", *({"Any", "Literal"} & words)}),
        },
        "base": ["Reading"],
    }


class _Keeper:
    def __init__(self, schema: Schema, shapes: Shapes) -> None:
        self.schema, self.shapes = schema, shapes
        self.rules = rules(schema)
        self.leaves: dict[str, list[Record]] = {}
        for tag, leaf in self._leaves():
            self.leaves.setdefault(tag, []).append(leaf.record)
        self.streams = {kind(r, self.rules): r for r in self.rules.values() if r.update.does == "append"}
        self.entries = entries_of(self.rules)

    def context(self) -> dict[str, Any]:
        assert self.schema.updates is not None
        values = {name: [*self._values(record, (), frozenset())] for name, record in self._messages().items()}
        values = {name: found for name, found in values.items() if found}
        table = [(r.name, self._rule(rule, r)) for tag, rule in self.rules.items() for r in self.leaves[tag]]
        parts = [self._part(part, values) for part in self._names(values)]
        joined = dict(self._joined())
        holders = {holder.name for r in self.streams.values() if (holder := self._holder(r)[0]) is not None}
        tagged = {record.name: record for records in self.leaves.values() for record in records}
        return {
            "state": self.schema.updates.state,
            "method": literal(self.schema.updates.method),
            "parts": parts,
            "rules": table,
            "readings": {name: [_reading(value) for value in found] for name, found in values.items()},
            "joining": joined,
            "updates": {n: literal(sorted(_required(r))) for n, r in tagged.items() if n in values},
            "lasting": literal(sorted(snake(p) for p in self.entries if not self._has(p, "remove"))),
            "models": sorted(self._mentioned(parts) | {*values, *joined, *holders, *(name for name, _ in table)}),
            "imports": {
                "abc": ["Mapping", *({"Sequence"} & self._words(parts))],
                "typing": sorted({"ClassVar", *({"Any", "Literal"} & self._words(parts))}),
            },
            "base": [
                *(["Joining"] if joined else []),
                *(["Pieces"] if holders else []),
                "Reading",
                "Rule",
                "State",
                "Streamed",
            ],
        }

    def _leaves(self) -> Iterator[tuple[str, Leaf]]:
        """The classes of the updates, by tag."""
        said = self.schema.updates
        assert said is not None
        (params, *_) = [m.params for m in self.schema.methods if (m.path, m.kind) == (said.method, "notification")]
        for attribute in self.shapes.records[params].attributes:
            if attribute.wire == said.property and isinstance(attribute.type, Reference):
                for leaf in self.shapes.choices[attribute.type.name].leaves:
                    if leaf.record.tag is not None:
                        yield leaf.record.tag[1], leaf

    def _messages(self) -> dict[str, Record]:
        """The classes in which values are looked for: params, results, updates."""
        names = [name for method in self.schema.methods for name in (method.params, method.result) if name]
        found = {name: self.shapes.records[name] for name in names if name in self.shapes.records}
        for name in names:
            if name in self.shapes.choices:
                found |= {
                    leaf.record.name: leaf.record for leaf in self.shapes.choices[name].leaves if leaf.record.name
                }
        return found | {r.name: r for records in self.leaves.values() for r in records}

    def _values(self, record: Record, path: tuple[str, ...], seen: frozenset[str]) -> Iterator[_Value]:
        for attribute in self.shapes.records.get(record.name, record).attributes:
            update = attribute.field.update
            way = (*path, attribute.name)
            if update is not None and update.part:
                yield _Value(path=way, part=update.part, kind=update.of, attribute=attribute)
                continue
            held = attribute.type.inner if isinstance(attribute.type, Nullable) else attribute.type
            if isinstance(held, Reference) and held.name in self.shapes.records and held.name not in seen:
                yield from self._values(self.shapes.records[held.name], way, seen | {held.name})

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule, record: Record) -> str:
        update = rule.update
        owner = kind(rule, self.rules)
        stream = self.streams.get(owner)
        parts: dict[str, Any] = {"part": literal(snake(update.part)), "does": literal(update.does)}
        if update.key or update.does == "append":
            parts["kind"] = literal(owner)
        if update.key:
            parts["key"] = literal(tuple(attribute_name(step) for step in update.key))
        if update.item:
            parts["item"] = literal(attribute_name(update.item))
        if update.does in ("upsert", "patch", "create") and update.key:
            names = tuple(a.name for a in record.attributes if a.wire != update.key[0])
            parts["fields"] = literal(names)
            maker = record if stream is not None else self.leaves[owner][0]
            if merged := sorted(a.name for a in record.attributes if _is_open(a.type)):
                parts["merged"] = f"frozenset({literal(merged)})"
            parts["needed"] = f"frozenset({literal(sorted(_required(maker)))})"
        if update.null == "keep":
            parts["keeps_null"] = True
        if stream is not None and update.does in ("upsert", "patch", "create"):
            parts["streamed"] = literal(attribute_name(stream.update.to.partition(".")[0]))
        if stream is not None:
            parts |= self._pieces(stream)
        return ", ".join(f"{name}={value}" for name, value in parts.items())

    def _pieces(self, stream: Rule) -> dict[str, str]:
        """What the entries are made of, where their pieces are of a text in an object."""
        holder, name = self._holder(stream)
        if holder is None:
            return {}
        text = next(a for a in holder.attributes if a.wire == name)
        type_ = self.schema.resolve(text.type.inner if isinstance(text.type, Nullable) else text.type)
        encoded = {"encoded": "True"} if isinstance(type_, String) and type_.encoding else {}
        return {"inside": literal(text.name), "holder": holder.name, **encoded}

    def _holder(self, stream: Rule) -> tuple[Record | None, str]:
        """The class of the object that has the text of the pieces, and the property; None where they make a list."""
        outer, _, name = stream.update.to.partition(".")
        if not name:
            return None, ""
        attribute = next(a for a in self.leaves[stream.update.of][0].attributes if a.wire == outer)
        held = attribute.type.inner if isinstance(attribute.type, Nullable) else attribute.type
        assert isinstance(held, Reference)
        return self.shapes.records[held.name], name

    def _joined(self) -> Iterator[tuple[str, str]]:
        for name, record in self.shapes.records.items():
            found = [a for a in record.attributes if a.field.update is not None and a.field.update.does == "join"]
            others = [a for a in record.attributes if a not in found]
            if len(found) == 1 and not any(a.field.required for a in others):
                absent = tuple(a.name for a in others)
                yield name, f"text={literal(found[0].name)}, absent={literal(absent)}"

    # --- parts -------------------------------------------------------------------------------------------------------

    def _names(self, values: dict[str, list[_Value]]) -> list[str]:
        found = dict.fromkeys(rule.update.part for rule in self.rules.values())
        found |= dict.fromkeys(value.part for each in values.values() for value in each)
        names = {snake(part): part for part in found}
        for name, part in names.items():
            if name in _TAKEN:
                first = next(r.variant.pointer for r in self.rules.values() if r.update.part == part)
                raise ShapeError(
                    join(first, "x-update"), f"the part {part!r} would be `{name}`, which is taken", faults.COLLISION
                )
        return list(found)

    def _has(self, part: str, does: str) -> bool:
        return any(r.update.part == part and r.update.does == does for r in self.rules.values())

    def _part(self, part: str, values: dict[str, list[_Value]]) -> dict[str, str]:
        mine = [rule for rule in self.rules.values() if rule.update.part == part]
        read = [value for found in values.values() for value in found if value.part == part]
        if part not in self.entries:
            types = [hint(value.attribute.type) for value in read] + [
                record.name for r in mine for record in self.leaves[r.tag]
            ]
            whole = " | ".join(dict.fromkeys([t for text in types for t in text.split(" | ")] + ["UnsetType"]))
            text = (read[0].attribute.field.description if read else mine[0].variant.description) or part
            return {"name": snake(part), "hint": whole, "holder": "None", "text": docstring(_sentence(text))}
        kinds = dict.fromkeys(kind(rule, self.rules) for rule in mine)
        types = list(dict.fromkeys(self._entry(owner) for owner in kinds))
        entry = " | ".join(types)
        plain = len(kinds) == 1 and all(self._has_key(rule) for rule in mine) and not any(v.kind for v in read)
        text = f"By `{'.'.join(mine[0].update.key)}`. " if plain else "In order of appearance. "
        text += " ".join(_sentence(rule.variant.description) for rule in mine if rule.update.does != "remove")
        key = self._key_hint(mine[0]) if plain else ""
        return {
            "name": snake(part),
            "hint": f"dict[{key}, {entry}]" if plain else f"list[{entry}]",
            "holder": "dict" if plain else "list",
            "text": docstring(text),
        }

    def _entry(self, owner: str) -> str:
        stream = self.streams.get(owner)
        if stream is None:
            return " | ".join(record.name for record in self.leaves[owner])
        if self._holder(stream)[0] is not None:
            return "Pieces"
        record = self.leaves[stream.tag][0]
        item = next(a for a in record.attributes if a.wire == stream.update.item)
        return f"Streamed[{hint(item.type)}]"

    def _has_key(self, rule: Rule) -> bool:
        key = rule.update.key
        return len(key) > 1 or any(rule.fields[name].required for name in key)

    def _key_hint(self, rule: Rule) -> str:
        record = self.leaves[rule.tag][0]
        found: list[Type] = [a.type for a in record.attributes if a.wire == rule.update.key[0]]
        return hint(found[0]) if found and len(rule.update.key) == 1 else "str"

    def _mentioned(self, parts: list[dict[str, str]]) -> set[str]:
        known = {*self.shapes.records, *self.shapes.choices, *self.shapes.aliases}
        return self._words(parts) & known

    def _words(self, parts: list[dict[str, str]]) -> set[str]:
        return {word for part in parts for word in _words(part["hint"])}


def _reading(value: _Value) -> str:
    kind_ = f", {literal(value.kind)}" if value.kind else ""
    return f"Reading({literal(value.path)}, {literal(snake(value.part))}{kind_})"


def _sentence(text: str | None) -> str:
    """The first sentence of a description."""
    return (text or "").partition("\n\n")[0].partition(". ")[0].rstrip(".") + "."


def _required(record: Record) -> list[str]:
    return [a.name for a in record.attributes if a.field.required and a.constant is None]


def _is_open(type_: Type) -> bool:
    """Whether a type is an object with any keys, which is patched by them."""
    return isinstance(type_.inner if isinstance(type_, Nullable) else type_, Map)


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()
