# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The state of a session, kept from the updates that tell how it changes.

Emitted classes say by tables what each message does; this module does it. A part of the state is one value (UNSET until it is
known), or has entries. Entries are the records that brought them into being, patched since; those to which pieces are appended
are `Streamed`. Entries without a key, or of several kinds, are a list in the order in which they came; others a dict by key.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any, ClassVar, Self

from msgspec import UNSET, Struct

from .streamed import Joining, Pieces, Streamed

__all__ = ["Joining", "Pieces", "Reading", "Rule", "State", "StateChange", "Streamed"]


class Rule(Struct, frozen=True, kw_only=True):
    """What an update of one class does. All names are attributes; `key` are the steps to the key of the entry.

    `kind` is what its entries are of: the tag of the update, or of that whose entries it appends to.
    """

    part: str
    does: str
    kind: str = ""
    key: tuple[str, ...] = ()
    item: str = ""
    fields: tuple[str, ...] = ()
    """What an upsert or patch may change."""
    merged: frozenset[str] = frozenset()
    """Those of them that are objects with any keys, and are patched key by key."""
    needed: frozenset[str] = frozenset()
    """Attributes that the entry cannot be without, so null does not clear them."""
    keeps_null: bool = False
    streamed: str = ""
    """The attribute of the update that is the list of a `Streamed` entry; `-`: the entry has no other record."""
    inside: str = ""
    """Where the entry is `Pieces`: the attribute with their text, in an object that is the attribute `streamed`."""
    holder: type | None = None
    """The class of that object."""
    encoded: bool = False
    """Whether each piece is bytes in base64."""


class Reading(Struct, frozen=True):
    """A part that the value at some steps into a message replaces, or, with `kind`, whose items are appended to an entry."""

    path: tuple[str, ...]
    part: str
    kind: str = ""


class StateChange(Struct, frozen=True):
    """What a message changed: the part, what was done (`create`, `patch`, `append`, `replace`, `remove`, or `stray`
    for an update of an entry that does not exist), the key, the entry or value as it is now, and the item that was appended.
    """

    part: str
    does: str
    key: Any = None
    entry: Any = None
    item: Any = None


class State:
    """The state of one session. Parts are attributes; `apply` changes them, `replay` gives the updates that rebuild them."""

    _rules: ClassVar[Mapping[type, Rule]] = {}
    _readings: ClassVar[Mapping[type, tuple[Reading, ...]]] = {}
    _joining: ClassVar[Mapping[type, Joining]] = {}
    _parts: ClassVar[Mapping[str, type | None]] = {}
    """Each part with what holds its entries: dict, list, or None for one value."""
    _lasting: ClassVar[frozenset[str]] = frozenset()
    """The parts whose entries stay, and so have a place in the timeline."""

    def __init__(self) -> None:
        self.timeline: list[Any] = []
        self._found: dict[tuple[str, str, Any], Any] = {}
        for part, holder in self._parts.items():
            setattr(self, part, UNSET if holder is None else holder())

    def apply(self, message: Any) -> tuple[StateChange, ...]:
        """Take in an update, or the params or result of a call that went well; what it changed, in order.

        A message that says nothing of the state, and a variant that the schema does not know, changes nothing.
        """
        rule = self._rules.get(message.__class__)
        readings = self._readings.get(message.__class__)
        if rule is None:
            return () if readings is None else self._read(message, readings)
        change = self._change(rule, message)
        return (change,) if readings is None else (change, *self._read(message, readings))

    def _change(self, rule: Rule, update: Any) -> StateChange:
        part, does = rule.part, rule.does
        key: Any = update if rule.key else UNSET
        for step in rule.key:
            key = getattr(key, step, UNSET)
        if key.__class__ is not str and key.__class__ is not int:
            key = UNSET  # absent, null, or what a variant that the schema does not know has there
            if rule.key and self._parts[part] is dict:
                return StateChange(part, "stray", None, update)
        if does == "append":
            return self._append(rule, key, getattr(update, rule.item))
        if does == "replace" and not rule.key:
            setattr(self, part, copy(update))
            return StateChange(part, does, None, update)
        place = (part, rule.kind, key)
        entry = self._found.get(place)
        if does == "remove":
            return self._remove(part, key)
        if entry is None or does in ("create", "replace"):
            if does == "patch":
                return StateChange(part, "stray", key, update)
            return StateChange(
                part, "create" if entry is None else "replace", key, self._make(rule, place, key, update)
            )
        self._patch(rule, entry, update)
        return StateChange(part, "patch", key, entry)

    def _begun(self, rule: Rule, key: Any) -> Streamed[Any]:
        return Pieces(rule.kind, key, encoded=rule.encoded) if rule.inside else Streamed(rule.kind, key, self._joining)

    def _append(self, rule: Rule, key: Any, item: Any) -> StateChange:
        part, kind = rule.part, rule.kind
        if key is UNSET:
            entry: Any = self.timeline[-1] if self.timeline else None
            if entry.__class__ is not Streamed or entry.kind != kind or entry.key is not UNSET:
                entry = None
        else:
            entry = self._found.get((part, kind, key))
        if entry is None:
            entry = self._begun(rule, key)
            self._put((part, kind, key), entry)
            entry.append(item)
            return StateChange(part, "create", key, entry, item)
        entry.append(item)
        return StateChange(part, "append", key, entry, item)

    def _make(self, rule: Rule, place: tuple[str, str, Any], key: Any, update: Any) -> Any:
        if rule.streamed:
            entry: Any = self._begun(rule, key)
            self._patch(rule, entry, update)
        else:
            entry = copy(update)
        self._put(place, entry)
        return entry

    def _put(self, place: tuple[str, str, Any], entry: Any) -> None:
        """Keep an entry, in the place of one with the same key."""
        part, _, key = place
        holder = getattr(self, part)
        before = None if key is UNSET else self._found.get(place)
        if key is not UNSET:
            self._found[place] = entry
        if before is not None:
            for line in (self.timeline, holder) if holder.__class__ is list else (self.timeline,):
                for index, held in enumerate(line):
                    if held is before:
                        line[index] = entry
        elif part in self._lasting:
            self.timeline.append(entry)
        if holder.__class__ is dict:
            holder[key] = entry
        elif before is None:
            holder.append(entry)

    def _remove(self, part: str, key: Any) -> StateChange:
        holder = getattr(self, part)
        places = [place for place in self._found if place[0] == part and place[2] == key]
        if not places:
            return StateChange(part, "stray", key)
        entry = self._found.pop(places[0])
        if holder.__class__ is dict:
            del holder[key]
        else:
            holder[:] = [held for held in holder if held is not entry]
        return StateChange(part, "remove", key, entry)

    def _patch(self, rule: Rule, entry: Any, update: Any) -> None:
        values = entry.values if _is_streamed(entry) else None
        for name in rule.fields:
            value: Any = getattr(update, name)
            if value is UNSET or (value is None and (rule.keeps_null or name in rule.needed)):
                continue
            if name in rule.merged and value is not None:
                value = _merged(getattr(entry, name, UNSET) or {}, value)
            if values is None:
                setattr(entry, name, UNSET if value is None else value)
            elif name == rule.streamed:
                entry.replace([getattr(value, rule.inside)] if rule.inside and value is not None else value)
            elif value is None:
                values.pop(name, None)
            else:
                values[name] = value

    def _read(self, message: Any, readings: tuple[Reading, ...]) -> tuple[StateChange, ...]:
        changes: list[StateChange] = []
        for path, part, kind in ((reading.path, reading.part, reading.kind) for reading in readings):
            value = message
            for step in path:
                value = getattr(value, step, UNSET)
            if value is UNSET:
                continue
            if not kind:
                setattr(self, part, value)
                changes.append(StateChange(part, "replace", None, value))
                continue
            entry = Streamed[Any](kind, UNSET, self._joining)
            entry.replace(value)
            self._put((part, kind, UNSET), entry)
            changes.append(StateChange(part, "create", UNSET, entry))
        return tuple(changes)

    def adds(self, message: Any) -> bool:
        """Whether a message brings an entry with it, which has its place before what answers it."""
        return any(reading.kind for reading in self._readings.get(message.__class__, ()))

    def become(self, other: Self) -> None:
        """Take over what another state knows, in place. A value that it does not know stays; entries are its own."""
        known = {part: getattr(self, part) for part, holder in self._parts.items() if holder is None}
        vars(self).update(vars(other))
        for part, value in known.items():
            if getattr(self, part) is UNSET:
                setattr(self, part, value)

    def replay(self) -> list[Any]:
        """The updates that rebuild the state: as few as there can be. What only a result says is not among them."""
        return [*self._replayed()]

    def _replayed(self) -> Iterator[Any]:
        entries = [*self.timeline]
        for part, holder in self._parts.items():
            if holder is not None and part not in self._lasting:
                held = getattr(self, part)
                entries += held.values() if holder is dict else held
        for entry in entries:
            if _is_streamed(entry):
                yield from self._replayed_stream(entry)
            else:
                yield copy(entry)
        for kind, rule in self._rules.items():
            if self._parts[rule.part] is None and isinstance(value := getattr(self, rule.part), kind):
                yield copy(value)
        for kind, readings in self._readings.items():
            yield from self._replayed_values(kind, readings)

    def _replayed_stream(self, entry: Streamed[Any]) -> Iterator[Any]:
        whole = [(k, r) for k, r in self._rules.items() if r.kind == entry.kind and r.streamed and r.does != "append"]
        for kind, rule in whole:
            if rule.needed <= {rule.key[0], *entry.values}:
                held: Any = [*entry.items]
                if held and rule.holder is not None:
                    held = rule.holder(**{rule.inside: held[0]})
                items = {rule.streamed: held} if held else {}
                yield kind(**{rule.key[0]: entry.key}, **items, **entry.values)
                return
        for kind, rule in self._rules.items():
            if rule.does == "append" and rule.kind == entry.kind:
                named = {} if entry.key is UNSET else {rule.key[0]: entry.key}
                for item in entry.items:
                    yield kind(**{rule.item: item}, **named)
                return

    def _replayed_values(self, kind: type, readings: tuple[Reading, ...]) -> Iterator[Any]:
        """One update with all the values that it carries, where that is an update and all it must have is known."""
        if kind not in self._updates or kind in self._rules:
            return
        found = {reading.path[0]: getattr(self, reading.part) for reading in readings if len(reading.path) == 1}
        found = {name: value for name, value in found.items() if value is not UNSET}
        if found and self._updates[kind] <= found.keys():
            yield kind(**found)

    _updates: ClassVar[Mapping[type, frozenset[str]]] = {}
    """The updates with no rule of their own, with what each must have."""

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, part) == getattr(other, part) for part in self._parts)

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        known = {part: getattr(self, part) for part in self._parts}
        shown = ", ".join(
            f"{part}={value!r}" if self._parts[part] is None else f"{part}: {len(value)}"
            for part, value in known.items()
            if value is not UNSET
        )
        return f"{type(self).__name__}({shown})"


def _is_streamed(entry: object) -> bool:
    return isinstance(entry, Streamed)


def _merged(before: Any, patch: Any) -> dict[str, Any]:
    """An open object patched by key: null removes."""
    return {key: value for key, value in {**before, **patch}.items() if value is not None}
