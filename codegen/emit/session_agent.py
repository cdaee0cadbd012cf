"""The base class of agents that keep their sessions in a store: its handlers, and the tables of its plan."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..model.analysis.updates import rules
from ..model.naming.wire_names import attribute_name
from ..model.nodes.root import Listing
from ..model.nodes.types import Array, Reference, Schema
from ..model.nodes.walk import without_null
from ..shape.method_table import Row
from ..shape.public import PEERS
from ..shape.shapes import Attribute, Record, Shapes
from .handles import entries_of
from .kinds import Identifier, identifiers
from .text import literal
from .type_hints import hint


def session_agent_context(schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> dict[str, Any] | None:
    """The context of the template of `stores.py`; None if the schema does not describe sessions and their updates."""
    if schema.sessions is None or schema.updates is None or schema.ordering is None:
        return None
    found = _Sessions(schema, table, shapes)
    return found.context() if found.note is not None and "new" in {role for role, _ in found.roles()} else None


class _Sessions:
    def __init__(self, schema: Schema, table: tuple[Row, ...], shapes: Shapes) -> None:
        self.schema, self.shapes = schema, shapes
        self.rows = [row for row in table if row.side == PEERS[0] and row.method.params in shapes.records]
        self.table = table
        self.ordering = schema.ordering or ""
        said = schema.updates
        notes = [row for row in table if said and (row.side, row.method.path) == (PEERS[1], said.method)]
        self.note = notes[0] if notes and notes[0].method.params in shapes.records else None
        self.used: set[str] = set()

    def context(self) -> dict[str, Any]:
        said, note = self.schema.updates, self.note
        assert said is not None
        assert note is not None
        update = self._attribute(note.method.params, said.property)
        handlers = [
            {
                "role": Identifier(role),
                "name": Identifier(row.python_name),
                "params": self._use(row.method.params),
                "result": self._use(row.method.result) if row.method.result and role in _WITH_RESULT else None,
            }
            for role, row in self.roles()
        ]
        prompts = [self._prompt(row) for row in self._exclusive()]
        return {
            "handlers": handlers,
            "cancel": self._cancel(),
            "peer": literal(PEERS[1]),
            "session": literal(attribute_name(self.ordering)),
            "notification": literal(said.method),
            "update": literal(update.name),
            "union": self._use(hint(update.type)),
            "prompts": prompts,
            "list": self._list(),
            "settles": [self._settle(entry) for entry in entries_of(PEERS[1], self.table, self.schema, self.shapes)],
            "info": self._info(),
            "models": identifiers(self.used),
            "base_models": [],
        }

    def roles(self) -> Iterator[tuple[str, Row]]:
        """Describe each handler of the base class."""
        sessions, lists = self.schema.sessions, self.schema.lists or {}
        assert sessions is not None
        for row in self.rows:
            path = row.method.path
            if row.method.kind != "request":
                continue
            if path in sessions.load:
                yield "load", row
            elif path in sessions.resume:
                yield "resume", row
            elif path in sessions.open and self._has(row.method.params):
                yield "fork", row
            elif path in sessions.open:
                yield "new", row
            elif path in sessions.delete and self._is_bare(row):
                yield "delete", row
            elif path in sessions.close and self._is_bare(row):
                yield "close", row
            elif path in lists and self._item(row, lists[path]) is not None:
                yield "list", row

    def _exclusive(self) -> list[Row]:
        sessions, interrupt = self.schema.sessions, self.schema.interrupt
        assert sessions is not None
        if interrupt is None:
            return []
        ends = {*sessions.exclusive} & {*interrupt.requests}
        return [row for row in self.rows if row.method.path in ends]

    def _cancel(self) -> dict[str, Identifier] | None:
        interrupt = self.schema.interrupt
        for row in self.rows:
            if interrupt is not None and (row.method.path, row.method.kind) == (interrupt.method, "notification"):
                return {"name": Identifier(row.python_name), "params": self._use(row.method.params)}
        return None

    def _prompt(self, row: Row) -> dict[str, Any]:
        interrupt = self.schema.interrupt
        assert interrupt is not None
        found: dict[str, Any] = {"path": literal(row.method.path), "content": None, "chunk": None, "item": "''"}
        result = self.shapes.records.get(row.method.result or "")
        reasons = [a.name for a in result.attributes if a.wire in interrupt.requests[row.method.path]] if result else []
        found["reason"] = literal(reasons[0]) if reasons else None
        leaves = self._leaves()
        for attribute in self.shapes.records[row.method.params].attributes:
            says = attribute.field.update
            if says is not None and says.does == "append" and says.of in leaves:
                rule = rules(self.schema)[says.of]
                found["content"] = literal(attribute.name)
                found["chunk"] = self._use(leaves[says.of].name)
                found["item"] = literal(attribute_name(rule.update.item or ""))
        return {"name": literal(row.python_name), **found}

    def _list(self) -> dict[str, Any] | None:
        lists = self.schema.lists or {}
        for role, row in self.roles():
            if role != "list":
                continue
            listing = lists[row.method.path]
            item = self._item(row, listing)
            assert item is not None
            wire = {a.wire: a.name for a in item.attributes}
            given = {a.wire for role_, each in self.roles() if role_ == "new" for a in self._attributes(each)}
            equal = [(attribute_name(parameter), wire[name]) for parameter, name in listing.equal.items()]
            fields = tuple(name for key, name in wire.items() if key in given and not key.startswith("_"))
            return {
                "item": self._use(item.name),
                "items": literal(attribute_name(listing.items)),
                "cursor": literal(attribute_name(listing.cursor)),
                "next": literal(attribute_name(listing.next)),
                "place": literal(equal[0]) if equal else None,
                "equal": literal(tuple(equal[1:])),
                "fields": literal(fields),
                "title": literal(wire[listing.title]) if listing.title else None,
                "changed": literal(wire[listing.changed]) if listing.changed else None,
            }
        return None

    def _settle(self, entry: dict[str, Any]) -> dict[str, Any]:
        return {
            "record": self._use(entry["record"]),
            "patch": self._use(entry["patch"]),
            "key": entry["key"],
            "stage": entry["stage"],
            "done": entry["done"],
            "failed": entry["failed"],
        }

    def _info(self) -> Identifier | None:
        """The update that carries the title of a session."""
        listings = [lists for lists in (self.schema.lists or {}).values() if lists.title]
        for record in self._leaves().values():
            wires = {a.wire for a in record.attributes if a.field.update is not None and a.field.update.part}
            if any({listing.title, listing.changed} - {None} <= wires for listing in listings):
                return self._use(record.name)
        return None

    # --- parts -------------------------------------------------------------------------------------------------------

    def _use(self, name: str | None) -> Identifier:
        assert name is not None
        self.used.add(name)
        return Identifier(name)

    def _attributes(self, row: Row) -> tuple[Attribute, ...]:
        return self.shapes.records[row.method.params].attributes

    def _attribute(self, record: str, wire: str) -> Attribute:
        return next(a for a in self.shapes.records[record].attributes if a.wire == wire)

    def _has(self, record: str) -> bool:
        return any(a.wire == self.ordering for a in self.shapes.records[record].attributes)

    def _is_bare(self, row: Row) -> bool:
        """Return whether a result has no required properties."""
        result = self.shapes.records.get(row.method.result or "")
        return result is not None and not any(a.field.required for a in result.attributes)

    def _item(self, row: Row, listing: Listing) -> Record | None:
        """The class of the items of a session list; None for a list of something else."""
        result = self.shapes.records.get(row.method.result or "")
        for attribute in result.attributes if result else ():
            type_ = without_null(attribute.type)
            if attribute.wire == listing.items and isinstance(type_, Array) and isinstance(type_.items, Reference):
                item = self.shapes.records.get(type_.items.name)
                return item if item is not None and self._has(item.name) else None
        return None

    def _leaves(self) -> dict[str, Record]:
        said, note = self.schema.updates, self.note
        assert said is not None
        assert note is not None
        union = self._attribute(note.method.params, said.property).type
        if not isinstance(union, Reference) or union.name not in self.shapes.choices:
            return {}
        return {leaf.record.tag[1]: leaf.record for leaf in self.shapes.choices[union.name].leaves if leaf.record.tag}


_WITH_RESULT = frozenset({"new", "fork", "load", "resume", "list"})
