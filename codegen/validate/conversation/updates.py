"""Compares updates of a session with earlier ones: unknown entries, and values that move back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from ...document.json_types import is_json_object
from ...errors import quoted
from ...model.analysis.updates import Rule, kind, makes
from ...model.nodes.types import Enumeration, Method, Schema
from ...model.nodes.walk import without_null
from ..values.notes import Note, remember, shown
from ..values.schema import Protocol


class Updates:
    """Tracks the entries of sessions. At most `limit` entries are remembered.

    All entries are known only for sessions that began in this record.
    """

    def __init__(self, protocol: Protocol, limit: int) -> None:
        schema = protocol.schema
        self._said, self._limit = schema.updates, limit
        self._rules = protocol.update_rules
        self._tag = next((name for rule in self._rules.values() for name in rule.fields if _is(rule, name)), "")
        self._stages = {tag: dict(_stages(schema, rule)) for tag, rule in self._rules.items()}
        self._whole: set[str] = set()
        self._entries: dict[tuple[str, str, str, Any], dict[str, int]] = {}

    def clear(self) -> None:
        """Reset for a new connection."""
        self._whole.clear()
        self._entries.clear()

    def began(self, session: str | None) -> None:
        """Record that a new session was created."""
        if session is not None and len(self._whole) < self._limit:
            self._whole.add(session)

    def notification(self, row: Method, session: str | None, params: Any) -> Iterator[Note]:
        """Problems with an update."""
        if self._said is None or row.path != self._said.method or session is None or not is_json_object(params):
            return
        update: Any = params.get(self._said.property)
        if not is_json_object(update) or not isinstance(update.get(self._tag), str):
            return
        rule = self._rules.get(update[self._tag])
        if rule is None or not rule.update.key:
            return
        key: Any = update
        for step in rule.update.key:
            key = key.get(step) if is_json_object(key) else None
        if not isinstance(key, (str, int)):
            return
        place = (session, rule.update.part, kind(rule, self._rules), key)
        known = self._entries.get(place)
        if known is None and not makes(rule.update) and session in self._whole:
            path = ("params", self._said.property, *rule.update.key)
            text = f"{shown(path)}: no update created {quoted(key)}, so {quoted(rule.tag)} cannot {rule.update.does} it"
            yield Note("update-unopened", text, path, found=quoted(key))
        if rule.update.does == "remove":
            self._entries.pop(place, None)
        else:
            yield from self._moved(rule, place, known, update)

    def _moved(
        self, rule: Rule, place: tuple[str, str, str, Any], known: dict[str, int] | None, update: dict[str, Any]
    ) -> Iterator[Note]:
        assert self._said is not None
        reached = {} if known is None or rule.update.does == "create" else known
        for name, order in self._stages[rule.tag].items():
            stage = order.get(update.get(name)) if isinstance(update.get(name), (str, int)) else None
            if stage is None:
                continue
            if stage < reached.get(name, -1):
                before = next(value for value, at in order.items() if at == reached[name])
                path = ("params", self._said.property, name)
                text = f"{shown(path)}: {quoted(place[3])} moves back from {quoted(before)} to {quoted(update[name])}"
                yield Note("update-reversed", text, path, f"{quoted(before)} or later", quoted(update[name]))
            reached[name] = stage
        remember(self._entries, place, reached, self._limit)


def suspects_of_updates(protocol: Protocol, method: str) -> list[bytes]:
    """Texts in a notification that must be compared with earlier updates."""
    said = protocol.schema.updates
    if said is None or said.method != method:
        return []
    judged = (r for r in protocol.update_rules.values() if r.update.key and (r.update.does != "append" or r.update.of))
    return [json.dumps(rule.tag).encode() for rule in judged]


def _is(rule: Rule, name: str) -> bool:
    """Return whether a property is the tag of an update."""
    type_ = rule.fields[name].type
    return isinstance(type_, Enumeration) and [value.constant for value in type_.values] == [rule.tag]


def _stages(schema: Schema, rule: Rule) -> Iterator[tuple[str, dict[Any, int]]]:
    """The properties of an update that only advance, with the order of their values."""
    for name, field in rule.fields.items():
        if field.update is not None and field.update.does == "advance":
            plain = without_null(field.type)
            type_ = schema.resolve(plain)
            if isinstance(type_, Enumeration):
                yield name, {value.constant: at for at, value in enumerate(type_.values)}
