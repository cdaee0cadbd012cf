"""The base class of agents that keep their sessions in a store: its handlers, and the tables of its plan."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..contracts import Sessions
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
    sessions, said, ordering = schema.sessions, schema.updates, schema.ordering
    if sessions is None or said is None or ordering is None:
        return None
    notes = [row for row in table if (row.side, row.method.path) == (PEERS[1], said.method)]
    if not notes or notes[0].method.params not in shapes.records:
        return None
    update = next(a for a in shapes.records[notes[0].method.params].attributes if a.wire == said.property)
    found = _Sessions(schema, table, shapes, sessions, ordering, update)
    return found.context(said.method) if "new" in {role for role, _ in found.roles()} else None


class _Sessions:
    def __init__(
        self,
        schema: Schema,
        table: tuple[Row, ...],
        shapes: Shapes,
        sessions: Sessions,
        ordering: str,
        update: Attribute,
    ) -> None:
        self.schema, self.table, self.shapes = schema, table, shapes
        self.sessions, self.ordering, self.update = sessions, ordering, update
        self.lists, self.interrupt = schema.lists or {}, schema.interrupt
        self.rows = [row for row in table if row.side == PEERS[0] and row.method.params in shapes.records]
        self.used: set[str] = set()

    def context(self, notification: str) -> dict[str, Any]:
        handlers = [
            {
                "role": Identifier(role),
                "name": Identifier(row.python_name),
                "params": self._use(row.method.params),
                "result": self._use(row.method.result) if row.method.result and role in _WITH_RESULT else None,
            }
            for role, row in self.roles()
        ]
        return {
            "handlers": handlers,
            "cancel": self._cancel(),
            "peer": literal(PEERS[1]),
            "session": literal(attribute_name(self.ordering)),
            "notification": literal(notification),
            "update": literal(self.update.name),
            "union": self._use(hint(self.update.type)),
            "prompts": [*self._prompts()],
            "list": self._list(),
            "settles": [self._settle(entry) for entry in entries_of(PEERS[1], self.table, self.schema, self.shapes)],
            "info": self._info(),
            "models": identifiers(self.used),
            "base_models": [],
        }

    def roles(self) -> Iterator[tuple[str, Row]]:
        """Describe each handler of the base class."""
        sessions, lists = self.sessions, self.lists
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

    def _cancel(self) -> dict[str, Identifier] | None:
        for row in self.rows:
            if self.interrupt and (row.method.path, row.method.kind) == (self.interrupt.method, "notification"):
                return {"name": Identifier(row.python_name), "params": self._use(row.method.params)}
        return None

    def _prompts(self) -> Iterator[dict[str, Any]]:
        """The requests that a session handles one at a time, and that can be interrupted."""
        ends: Mapping[str, Mapping[str, Any]] = {} if self.interrupt is None else self.interrupt.requests
        leaves = self._leaves()
        for row in self.rows:
            path = row.method.path
            if path not in ends or path not in self.sessions.exclusive:
                continue
            found: dict[str, Any] = {"path": literal(path), "content": None, "chunk": None, "item": "''"}
            result = self.shapes.records.get(row.method.result or "")
            reasons = [a.name for a in result.attributes if a.wire in ends[path]] if result else []
            found["reason"] = literal(reasons[0]) if reasons else None
            for attribute in self._attributes(row):
                says = attribute.field.update
                if says is not None and says.does == "append" and says.of in leaves:
                    rule = rules(self.schema)[says.of]
                    found["content"] = literal(attribute.name)
                    found["chunk"] = self._use(leaves[says.of].name)
                    found["item"] = literal(attribute_name(rule.update.item or ""))
            yield {"name": literal(row.python_name), **found}

    def _list(self) -> dict[str, Any] | None:
        for role, row in self.roles():
            if role != "list":
                continue
            listing = self.lists[row.method.path]
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
        listings = [listing for listing in self.lists.values() if listing.title]
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
        """The classes of updates, by tag."""
        union = self.update.type
        choice = self.shapes.choices.get(union.name) if isinstance(union, Reference) else None
        return {leaf.record.tag[1]: leaf.record for leaf in choice.leaves if leaf.record.tag} if choice else {}


_WITH_RESULT = frozenset({"new", "fork", "load", "resume", "list"})
