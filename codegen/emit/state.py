"""The class that holds the state of a session: its parts as typed attributes, and the effect of each message as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from msgspec import Struct

from .. import diagnostics
from ..contracts import State
from ..document.read import join
from ..model.analysis.updates import ACTING, Rule, entries_of, kind, rules
from ..model.naming.leaves import ShapeError
from ..model.naming.wire_names import attribute_name, snake
from ..model.nodes import types as t
from ..model.nodes.types import Map, Reference, Schema, String, Type
from ..model.nodes.walk import without_null
from ..shape.shapes import Attribute, Leaf, Record, Shapes
from .kinds import Expression, Identifier, Literal, identifiers
from .models import stage_note, stage_of
from .text import docstring, literal
from .type_hints import hint

_TAKEN: Final = frozenset(dir(State())) | {"timeline"}
_EMPTY: Final[Mapping[type[Type], Any]] = {
    t.String: "",
    t.Array: [],
    Map: {},
    t.Boolean: False,
    t.Integer: 0,
    t.Number: 0,
}


class _Value(Struct, frozen=True, kw_only=True):
    """A value in a message that updates a part: the attributes that lead to it, and the place of its type.

    `kind`: the tag of the update whose entries its items are. `update`: the class of the update with the same effect.
    """

    path: tuple[str, ...]
    part: str
    kind: str
    update: str
    attribute: Attribute


def state_context(schema: Schema, shapes: Shapes) -> dict[str, Any] | None:
    """The context of the template of `state.py`; None if the schema does not say how updates change a session."""
    return None if schema.updates is None else _Keeper(schema, shapes).context()


def added_state_context(schema: Schema, shapes: Shapes, base: Mapping[str, Any]) -> dict[str, Any] | None:
    """The context for the messages of an extension; None if it has none.

    `base`: the context of the base package, whose updates the extension cannot change.
    """
    whole = state_context(schema, shapes)
    if whole is None or whole["messages"] == base["messages"]:
        return None
    known = {part["name"] for part in base["parts"]}
    parts = [part for part in whole["parts"] if part["name"] not in known]
    readings = {name: found for name, found in whole["readings"].items() if name not in base["readings"]}
    ends = [name for name in whole["ends"] if name not in base["ends"]]
    messages = [name for name in whole["messages"] if name not in base["messages"]]
    others = [name for name in whole["others"] if name not in base["others"]]
    return {**whole, "parts": parts, "readings": readings, "ends": ends, "others": others, "messages": messages}


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
        table = [
            (Identifier(r.name), self._rule(rule, r)) for tag, rule in self.rules.items() for r in self.leaves[tag]
        ]
        parts = [self._part(part, values) for part in self._names(values)]
        tagged = {record.name: record for records in self.leaves.values() for record in records}
        return {
            "state": Identifier(self.schema.updates.state),
            "parts": parts,
            "rules": table,
            "readings": {Identifier(name): [*map(_reading, found)] for name, found in values.items()},
            "joining": dict(self._joined()),
            "updates": {Identifier(n): self._carrying(r, values[n]) for n, r in tagged.items() if n in values},
            "ends": identifiers(self._ends(values)),
            "union": hint(self._notified().type),
            "holder": {
                "params": Identifier(self._params()),
                "attribute": literal(self._notified().name),
            },
            "others": identifiers(self._others(values)),
            "messages": identifiers({n for m in self.schema.methods for n in (m.params, m.result) if n}),
            "lasting": literal(sorted(snake(p) for p in self.entries if not self._has(p, "remove"))),
            "models": identifiers({*self.shapes.records, *self.shapes.choices, *self.shapes.aliases}),
            "base_models": [],
        }

    def _params(self) -> str:
        """The class of the params that contain an update."""
        said = self.schema.updates
        assert said is not None
        return next(m.params for m in self.schema.methods if (m.path, m.kind) == (said.method, "notification"))

    def _notified(self) -> Attribute:
        """The path of the update in the params."""
        assert self.schema.updates is not None
        wire = self.schema.updates.property
        return next(a for a in self.shapes.records[self._params()].attributes if a.wire == wire)

    def _leaves(self) -> Iterator[tuple[str, Leaf]]:
        """The classes of the updates, by tag."""
        union = self._notified().type
        if isinstance(union, Reference):
            for leaf in self.shapes.choices[union.name].leaves:
                if leaf.record.tag is not None:
                    yield leaf.record.tag[1], leaf

    def _ends(self, values: dict[str, list[_Value]]) -> set[str]:
        """The classes of results that end a turn: the results of calls whose params add an entry."""
        results = {m.result for m in self.schema.methods if m.result and any(v.kind for v in values.get(m.params, ()))}
        return {name for result in results for name in self._classes(result)}

    def _others(self, values: dict[str, list[_Value]]) -> set[str]:
        """The classes of updates, params and results that do not affect the state."""
        names = {n for m in self.schema.methods for n in (m.params, m.result) if n}
        found = {one for name in names for one in self._classes(name)}
        found |= {r.name for tag, records in self.leaves.items() if tag not in self.rules for r in records}
        return found - {*values, *self._ends(values), self._params()}

    def _classes(self, name: str) -> list[str]:
        if name in self.shapes.choices:
            return [leaf.record.name for leaf in self.shapes.choices[name].leaves if leaf.record.name]
        return [name] if name in self.shapes.records else []

    def _carrying(self, record: Record, values: list[_Value]) -> list[Literal]:
        """For an update without a rule: its tag, its required properties, and those beside the values of parts."""
        taken = {value.path[0] for value in values}
        extra = [a.name for a in record.attributes if a.name not in taken and a.constant is None]
        assert record.tag is not None
        return [literal(record.tag[1]), literal(sorted(_required(record))), literal(tuple(extra))]

    def _messages(self) -> dict[str, Record]:
        """The classes that are searched for values: params, results, updates."""
        params = self._params()
        names = [n for method in self.schema.methods for n in (method.params, method.result) if n and n != params]
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
                acts = update.does in ACTING
                yield _Value(
                    path=way,
                    part=update.part,
                    kind="" if acts else update.of,
                    update=self.leaves[update.of][0].name if acts else "",
                    attribute=attribute,
                )
                continue
            held = without_null(attribute.type)
            if isinstance(held, Reference) and held.name not in seen:
                found: dict[tuple[str, ...], _Value] = {}
                for one in self._records(held.name):
                    found |= {value.path: value for value in self._values(one, way, seen | {held.name})}
                yield from found.values()

    def _records(self, name: str) -> list[Record]:
        """The class with this name; for a union, the classes of its variants."""
        if name in self.shapes.choices:
            return [leaf.record for leaf in self.shapes.choices[name].leaves]
        return [self.shapes.records[name]] if name in self.shapes.records else []

    # --- rules -------------------------------------------------------------------------------------------------------

    def _rule(self, rule: Rule, record: Record) -> dict[str, Any]:
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
        names = tuple(a.name for a in record.attributes if a.wire not in (*update.key[:1], update.item))
        if names and (update.does == "append" or (update.does in ACTING and update.key)):
            parts["fields"] = literal(names)
            if merged := sorted(a.name for a in record.attributes if isinstance(without_null(a.type), Map)):
                parts["merged"] = literal(merged)
        if update.does in ACTING and update.key:
            maker = record if stream is not None else self.leaves[owner][0]
            parts["needed"] = literal(sorted(_required(maker)))
            if maker.name != record.name:
                parts["maker"] = Identifier(maker.name)
                parts["blank"] = literal({n: v for n, v in self._blanks(maker) if n not in update.key})
        if update.null == "keep" or update.does == "append":
            parts["keeps_null"] = literal(True)
        if update.does == "append" and not update.of and self._is_text(record, update.key):
            parts["named"] = literal(True)
        if stream is not None and update.does in ("upsert", "patch", "create"):
            parts["streamed"] = literal(attribute_name(stream.update.to.partition(".")[0]))
        if stream is not None:
            parts |= self._pieces(stream)
        return parts

    def _blanks(self, record: Record) -> Iterator[tuple[str, Any]]:
        """Empty values of required attributes, if their types have one."""
        for attribute in record.attributes:
            if attribute.field.required and attribute.constant is None:
                empty = _EMPTY.get(type(self.schema.resolve(attribute.type)))
                if empty is not None:
                    yield attribute.name, empty

    def _is_text(self, record: Record, key: tuple[str, ...]) -> bool:
        held = [a.type for a in record.attributes if len(key) == 1 and a.wire == key[0]]
        bare = [without_null(type_) for type_ in held]
        return bool(bare) and isinstance(self.schema.resolve(bare[0]), String)

    def _pieces(self, stream: Rule) -> dict[str, Literal | Identifier]:
        """The element type of entries whose pieces form a text in an object."""
        holder, name = self._holder(stream)
        if holder is None:
            return {}
        text = next(a for a in holder.attributes if a.wire == name)
        type_ = self.schema.resolve(without_null(text.type))
        encoded = {"encoded": literal(True)} if isinstance(type_, String) and type_.encoding else {}
        return {"inside": literal(text.name), "holder": Identifier(holder.name), **encoded}

    def _holder(self, stream: Rule) -> tuple[Record | None, str]:
        """The class and property of the object with the text of the pieces; None if the pieces form a list."""
        outer, _, name = stream.update.to.partition(".")
        if not name:
            return None, ""
        attribute = next(a for a in self.leaves[stream.update.of][0].attributes if a.wire == outer)
        held = without_null(attribute.type)
        assert isinstance(held, Reference)
        return self.shapes.records[held.name], name

    def _joined(self) -> Iterator[tuple[Identifier, dict[str, Literal]]]:
        for name, record in self.shapes.records.items():
            found = [a for a in record.attributes if a.field.update is not None and a.field.update.does == "join"]
            others = [a for a in record.attributes if a not in found]
            if len(found) == 1 and not any(a.field.required for a in others):
                absent = tuple(a.name for a in others)
                yield Identifier(name), {"text": literal(found[0].name), "absent": literal(absent)}

    # --- parts -------------------------------------------------------------------------------------------------------

    def _names(self, values: dict[str, list[_Value]]) -> list[str]:
        found = dict.fromkeys(rule.update.part for rule in self.rules.values())
        found |= dict.fromkeys(value.part for each in values.values() for value in each)
        names = {snake(part): part for part in found}
        for name, part in names.items():
            if name in _TAKEN:
                first = next(r.variant.pointer for r in self.rules.values() if r.update.part == part)
                raise ShapeError(
                    join(first, "x-update"),
                    f"the part {part!r} needs the name `{name}`, which is already used",
                    diagnostics.COLLISION,
                )
        return list(found)

    def _has(self, part: str, does: str) -> bool:
        return any(r.update.part == part and r.update.does == does for r in self.rules.values())

    def _part(self, part: str, values: dict[str, list[_Value]]) -> dict[str, str | None]:
        mine = [rule for rule in self.rules.values() if rule.update.part == part]
        read = [value for found in values.values() for value in found if value.part == part]
        notes = [stage_of(record.name, self.schema) for rule in mine for record in self.leaves[rule.tag]]
        notes += [stage_note(value.attribute.field.rfd, self.schema) for value in read]
        stage = notes[0] if all(notes) else ""
        if part not in self.entries:
            types = [hint(value.attribute.type) for value in read] + [
                record.name for r in mine for record in self.leaves[r.tag]
            ]
            whole = " | ".join(dict.fromkeys([t for text in types for t in text.split(" | ")] + ["UnsetType"]))
            text = (read[0].attribute.field.description if read else mine[0].variant.description) or part
            return {
                "name": Identifier(snake(part)),
                "type": Expression(whole),
                "holder": None,
                "text": docstring(_sentence(text) + stage),
            }
        kinds = dict.fromkeys(kind(rule, self.rules) for rule in mine)
        types = list(dict.fromkeys(self._entry(owner) for owner in kinds))
        entry = " | ".join(types)
        plain = len(kinds) == 1 and all(self._has_key(rule) for rule in mine) and not any(v.kind for v in read)
        text = f"By `{'.'.join(mine[0].update.key)}`. " if plain else "In order of appearance. "
        text += " ".join(_sentence(rule.variant.description) for rule in mine if rule.update.does != "remove")
        key = self._key_hint(mine[0]) if plain else ""
        return {
            "name": Identifier(snake(part)),
            "type": Expression(f"dict[{key}, {entry}]" if plain else f"list[{entry}]"),
            "holder": Identifier("dict" if plain else "list"),
            "text": docstring(text + stage),
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


def _reading(value: _Value) -> dict[str, Literal | Identifier]:
    kind_ = {"kind": literal(value.kind)} if value.kind else {}
    update = {"update": Identifier(value.update)} if value.update else {}
    return {"path": literal(value.path), "part": literal(snake(value.part)), **kind_, **update}


def _sentence(text: str | None) -> str:
    """The first sentence of a description."""
    return (text or "").partition("\n\n")[0].partition(". ")[0].rstrip(".") + "."


def _required(record: Record) -> list[str]:
    return [a.name for a in record.attributes if a.field.required and a.constant is None]
