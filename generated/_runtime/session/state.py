# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The state of a session, built from its updates, and from the params and results of its calls.

Tables of the emitted classes describe the effect of each message; this module applies it. A part of the state is a
single value (UNSET while unknown), or has entries. An entry is the record that created it, with later patches, or a
`Streamed` to which pieces are appended. Entries are a dict by key. Entries without a key, or of several kinds, are a
list in the order of their creation.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy, deepcopy
from typing import Any, Self

from msgspec import UNSET

from ..schema.definitions import UnknownVariant
from .replay import Replayed
from .streamed import Echo, Joining, Pieces, Reading, Rule, StateChange, StateValues, Streamed

__all__ = ["Joining", "Pieces", "Reading", "Rule", "State", "StateChange", "StateValues", "Streamed"]


class State(Replayed):
    """The state of one session. Its parts are attributes. `apply` changes them; `replay` returns messages that rebuild
    them.

    Copies, by `copy`, `deepcopy`, `pickle` or JSON, share nothing with the state.
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: dict[tuple[str, str, Any], Any] = {}
        self._echoes: list[Echo] = []
        """The prompts of running turns, in order."""

    def apply(self, message: Any) -> tuple[StateChange, ...]:
        """Apply an update, or the params or result of a successful call, and return the changes in order.

        Messages that do not affect the state, and unknown variants, change nothing. Raises TypeError for anything else.
        """
        kind = message.__class__
        rule, readings = self._rules.get(kind), self._readings.get(kind)
        if rule is not None:
            changes = self._change(rule, message)
            return changes if readings is None else (*changes, *self._read(message, readings))
        if kind in self._ends:
            self._open = None
            del self._echoes[:1]
        return self._other(message) if readings is None else self._read(message, readings)

    def reads(self, message: Any) -> bool:
        """Return whether messages of this message's class can change the state."""
        return self.reads_type(message.__class__)

    @classmethod
    def reads_type(cls, kind: type) -> bool:
        """Return whether messages of a class can change the state."""
        return any(kind in table for table in (cls._rules, cls._readings, cls._ends, cls._holders))

    def _other(self, message: Any) -> tuple[StateChange, ...]:
        """Handle a message without a table. Raises TypeError if the package has no such message."""
        kind = message.__class__
        if kind in self._holders:
            return self.apply(getattr(message, self._holders[kind]))
        if kind is StateValues:
            vars(self).update(message.values)
            self._open = self.timeline[-1] if message.continues else None
            return tuple(StateChange(part, "replace", None, value) for part, value in message.values.items())
        if kind not in self._others and kind not in self._ends and kind is not UnknownVariant:
            raise TypeError(self._refusal(kind))
        return ()

    def _refusal(self, kind: type) -> str:
        text = (
            f"{type(self).__name__}.apply takes an update, or the params or result of a call, not {kind.__qualname__}"
        )
        fields = getattr(kind, "__struct_fields__", None)
        meant = next((r.__name__ for r in self._rules if fields and r.__struct_fields__ == fields), None)  # type: ignore[attr-defined]
        if kind is dict or kind in (bytes, str):
            return f"{text}; decode it first, as the union of updates"
        if meant == kind.__name__:
            return f"{text} of {kind.__module__}"
        return text if meant is None else f"{text}; the update is {meant}"

    def _change(self, rule: Rule, update: Any) -> tuple[StateChange, ...]:
        part, does = rule.part, rule.does
        key: Any = update if rule.key else UNSET
        for step in rule.key:
            key = getattr(key, step, UNSET)
        if key.__class__ is not str and key.__class__ is not int:
            key = UNSET  # absent, null, or what a variant that the schema does not know has there
            if rule.key and self._parts[part] is dict:
                return (StateChange(part, "stray", None, update),)
        if does == "append":
            return self._append(rule, key, update)
        if does == "replace" and not rule.key:
            setattr(self, part, copy(update))
            return (StateChange(part, does, None, update),)
        if does == "remove":
            return (self._remove(part, key),)
        place = (part, rule.kind, key)
        entry = self._found.get(place)
        if entry is None or does in ("create", "replace"):
            done = "create" if entry is None else "replace"
            return (StateChange(part, done, key, self._make(rule, place, key, update)),)
        self._patch(rule, entry, update)
        return (StateChange(part, "patch", key, entry),)

    def _begun(self, rule: Rule, key: Any) -> Streamed[Any]:
        return Pieces(rule.kind, key, encoded=rule.encoded) if rule.inside else Streamed(rule.kind, key, self._joining)

    def _append(self, rule: Rule, key: Any, update: Any) -> tuple[StateChange, ...]:
        part, kind, item = rule.part, rule.kind, getattr(update, rule.item)
        changes: tuple[StateChange, ...] = ()
        if self._echoes:
            repeated = self._repeated(rule, key, update, item)
            if repeated is None:
                return ()
            changes = repeated
        if key is UNSET:
            entry = self._open
            if entry is not None and entry.kind != kind:
                entry = None
        else:
            entry = self._found.get((part, kind, key))
        does = "append"
        if entry is None:
            does, continued = "create", key is UNSET
            key = self._key(rule) if continued else key
            entry = self._begun(rule, key)
            self._put((part, kind, key), entry)
            self._open = entry if continued else None
        entry.append(item)
        for name in rule.fields:
            if getattr(update, name) is not UNSET:
                self._patch(rule, entry, update)
                break
        return (*changes, StateChange(part, does, entry.key, entry, item))

    def _key(self, rule: Rule) -> Any:
        """The key for an entry that arrived without one, needed to distinguish it from the previous entry."""
        last: Any = self.timeline[-1] if self.timeline else None
        if not rule.named or not _is_streamed(last) or last.kind != rule.kind or last.key is not UNSET:
            return UNSET
        number = len(self.timeline) + 1
        while (rule.part, rule.kind, f"{rule.kind}-{number}") in self._found:
            number += 1
        return f"{rule.kind}-{number}"

    def _repeated(self, rule: Rule, key: Any, update: Any, item: Any) -> tuple[StateChange, ...] | None:
        """Handle a piece that may repeat a prompt. Returns None if it does, otherwise the changes by pieces that were
        held back.
        """
        known = None if key is UNSET else self._found.get((rule.part, rule.kind, key))
        for echo in self._echoes:
            entry = echo.entry
            if entry.kind != rule.kind or echo.done or not (known is None or known is entry):
                continue
            if echo.hear(item):
                if known is None and key is not UNSET:
                    self._rename(rule, entry, key)
                self._patch(rule, entry, update)
                return None
            if echo.begun:
                return self._mistaken(rule, echo)
        return ()

    def _mistaken(self, rule: Rule, echo: Echo) -> tuple[StateChange, ...]:
        """Handle a message that began like a prompt but differs."""
        heard, entry, key = echo.heard, echo.entry, echo.entry.key
        self._echoes.remove(echo)
        adopted = key is not echo.key
        if adopted:
            self._rename(
                rule, entry, f"{rule.kind}-{self.timeline.index(entry) + 1}" if echo.key is UNSET else echo.key
            )
        key = key if adopted else self._key(rule)
        begun = self._begun(rule, key)
        begun.replace(heard)
        self._put((rule.part, rule.kind, key), begun)
        self._open = None if adopted else begun
        return (StateChange(rule.part, "create", key, begun),)

    def _rename(self, rule: Rule, entry: Streamed[Any], key: Any) -> None:
        self._found.pop((rule.part, rule.kind, entry.key), None)
        entry.key = key
        self._found[rule.part, rule.kind, key] = entry

    def _make(self, rule: Rule, place: tuple[str, str, Any], key: Any, update: Any) -> Any:
        if rule.streamed:
            entry: Any = self._begun(rule, key)
            self._patch(rule, entry, update)
        elif rule.maker is not None:
            entry = rule.maker(**{**dict.fromkeys(rule.needed, UNSET), **deepcopy(rule.blank), rule.key[0]: key})
            self._patch(rule, entry, update)
        else:
            entry = copy(update)
        self._put(place, entry)
        return entry

    def _put(self, place: tuple[str, str, Any], entry: Any) -> None:
        """Store an entry, replacing one with the same key."""
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
            self._open = None
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
            value: Any = getattr(update, name, UNSET)  # an object that acts as an update may lack some
            if value is UNSET or (value is None and (rule.keeps_null or name in rule.needed)):
                continue
            if name in rule.merged and value is not None:
                value = _merged(getattr(entry, name, UNSET) or {}, value)
            if values is None:
                setattr(entry, name, UNSET if value is None else value)
            elif name == rule.streamed:
                _replace_items(rule, entry, value)
            elif value is None:
                values.pop(name, None)
            else:
                values[name] = value

    def _read(self, message: Any, readings: tuple[Reading, ...]) -> tuple[StateChange, ...]:
        changes: list[StateChange] = []
        for reading in readings:
            value = message
            for step in reading.path:
                value = getattr(value, step, UNSET)
            if value is UNSET:
                continue
            part, kind = reading.part, reading.kind
            if reading.update is not None:
                changes += () if value is None else self._change(self._rules[reading.update], value)
            elif kind:
                changes += self._prompted(part, kind, value)
            else:
                setattr(self, part, value)
                changes.append(StateChange(part, "replace", None, value))
        if message.__class__ in self._updates:
            self._keep_extra(message)
        return tuple(changes)

    def _prompted(self, part: str, kind: str, items: Any) -> Iterator[StateChange]:
        """Add a whole entry, which begins a turn. Without items, it only ends the previous message."""
        rule = next(rule for rule in self._rules.values() if rule.kind == kind and rule.does == "append")
        key = self._key(rule)
        entry = Streamed[Any](kind, key, self._joining)
        entry.replace(items)
        self._open = None
        self._echoes.append(Echo(entry))
        if entry.items:
            self._put((part, kind, key), entry)
            yield StateChange(part, "create", key, entry)

    def _keep_extra(self, update: Any) -> None:
        """Store the attributes of an update beside its values. If a required value is missing, they patch the earlier
        attributes.
        """
        tag, needed, names = self._updates[update.__class__]
        found: dict[str, Any] = {} if needed else {**self.extra.get(tag, {})}
        for name in names:
            value: Any = getattr(update, name)
            if value is not UNSET:
                before: Any = found.get(name)
                found[name] = _merged(before, value) if value.__class__ is before.__class__ is dict else value
        if found:
            self.extra[tag] = found
        else:
            self.extra.pop(tag, None)

    def adds(self, message: Any) -> bool:
        """Return whether a message adds an entry, which must precede its response."""
        return any(reading.kind or reading.update for reading in self._readings.get(message.__class__, ()))

    def become(self, other: Self) -> None:
        """Take over the values of another state in place. Values that it does not know stay; entries are copied."""
        known = {part: getattr(self, part) for part, holder in self._parts.items() if holder is None}
        vars(self).update({**vars(other), "extra": {**self.extra, **other.extra}})
        for part, value in known.items():
            if getattr(self, part) is UNSET:
                setattr(self, part, value)

    def __copy__(self) -> Self:
        return deepcopy(self)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name in ("timeline", "extra", *self._parts))

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        known = {part: getattr(self, part) for part in self._parts}
        shown = ", ".join(
            f"{part}={value!r}" if self._parts[part] is None else f"{part}: {len(value)}"
            for part, value in known.items()
            if value is not UNSET
        )
        return f"{type(self).__name__}({shown})"


def _replace_items(rule: Rule, entry: Any, value: Any) -> None:
    """Replace an entry's items: by a list, or by the text of an object that may have further properties."""
    if not rule.inside:
        entry.replace(value)
        return
    names = () if value is None else value.__struct_fields__
    held = {name: found for name in names if (found := getattr(value, name)) is not UNSET}
    entry.replace([held.pop(rule.inside)] if held else ())
    entry.beside = held


def _is_streamed(entry: object) -> bool:
    return isinstance(entry, Streamed)


def _merged(before: Any, patch: Any) -> dict[str, Any]:
    """Patch an open object key by key; null removes a key."""
    return {key: value for key, value in {**before, **patch}.items() if value is not None}
