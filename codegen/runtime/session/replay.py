"""The tables of a state's class, the messages that rebuild a state, and its JSON form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import cache
from typing import Any, ClassVar, Self, get_args, get_type_hints

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType, ValidationError

from ..codec.codec import decode, encode
from .streamed import Joining, Pieces, Reading, Rule, StateChange, StateValues, Streamed


class _Saved(Struct, forbid_unknown_fields=True):
    """The JSON form of a state."""

    updates: list[Raw]
    values: dict[str, Raw] = {}
    continues: bool = False


class Replayed:
    """The output of a state: `replay`, `updates` and JSON, based on the tables of the class."""

    _rules: ClassVar[Mapping[type, Rule]] = {}
    _readings: ClassVar[Mapping[type, tuple[Reading, ...]]] = {}
    _joining: ClassVar[Mapping[type, Joining]] = {}
    _parts: ClassVar[Mapping[str, type | None]] = {}
    """The container of each part's entries: dict, list, or None for a single value."""
    _lasting: ClassVar[frozenset[str]] = frozenset()
    """The parts whose entries persist and have a place in the timeline."""
    _updates: ClassVar[Mapping[type, tuple[str, frozenset[str], tuple[str, ...]]]] = {}
    """Updates without a rule of their own: their tags, required attributes, and attributes beside values."""
    _ends: ClassVar[frozenset[type]] = frozenset()
    """The results that end a turn."""
    _holders: ClassVar[Mapping[type, str]] = {}
    """The params that contain an update, with its attribute."""
    _union: ClassVar[Any] = Any
    """The type of an update."""
    _others: ClassVar[frozenset[type]] = frozenset()
    """Updates, params and results that do not affect the state."""

    def __init__(self) -> None:
        self.timeline: list[Any] = []
        self.extra: dict[str, dict[str, Any]] = {}
        """Attributes of updates beside the values of parts, such as `_meta`, by tag."""
        self._open: Any = None
        """The entry that pieces without a key continue."""
        for part, holder in self._parts.items():
            setattr(self, part, UNSET if holder is None else holder())

    def apply(self, message: Any) -> tuple[StateChange, ...]:
        """Take in a message."""
        raise NotImplementedError

    def replay(self) -> list[Any]:
        """The messages that rebuild an equal state: `updates`, and `StateValues` if updates are insufficient."""
        updates = self.updates()
        values = self._unsaid(updates)
        return [*updates, StateValues(values, self._continues())] if values else updates

    def updates(self) -> list[Any]:
        """The fewest updates that rebuild the state, for a client that loads the session.

        Values that only a call's result contained, such as the modes, are missing.
        """
        return [*self._replayed()]

    def to_json(self) -> bytes:
        """The state as one JSON object, for `from_json`. Raises ValueError for values that JSON cannot represent."""
        updates = self.updates()
        return encode({"updates": updates, "values": self._unsaid(updates), "continues": self._continues()})

    @classmethod
    def from_json(cls, data: bytes | str) -> Self:
        """Restore a state from `to_json` of the same package. Raises msgspec.DecodeError and
        msgspec.ValidationError.
        """
        saved = msgspec.json.decode(data, type=_Saved)
        key: Any = cls
        types = _value_types(key)
        if unknown := sorted(saved.values.keys() - types.keys()):
            raise ValidationError(f"{cls.__name__} has no value {unknown[0]!r}: the JSON is from another package")
        state = cls()
        for update in saved.updates:
            state.apply(decode(cls._union, bytes(update), lenient_enums=True))
        values = {part: decode(types[part], bytes(it), lenient_enums=True) for part, it in saved.values.items()}
        state.apply(StateValues(values, saved.continues))
        return state

    def _continues(self) -> bool:
        return bool(self.timeline) and self._open is self.timeline[-1]

    def _unsaid(self, updates: Iterable[Any]) -> dict[str, Any]:
        """The values that the updates do not reproduce."""
        said = type(self)()
        for update in updates:
            if update.__class__ in self._updates or not self._rules[update.__class__].key:
                said.apply(update)
        singles = (part for part, holder in self._parts.items() if holder is None)
        return {part: value for part in singles if getattr(said, part) != (value := getattr(self, part))}

    def _replayed(self) -> Iterator[Any]:
        entries: list[Any] = [*self.timeline]
        for part, holder in self._parts.items():
            if holder is not None and part not in self._lasting:
                held = getattr(self, part)
                entries += held.values() if holder is dict else held
        for entry in entries:
            if issubclass(entry.__class__, Streamed):
                yield from self._replayed_stream(entry)
            else:
                yield copy(entry)
        for kind, rule in self._rules.items():
            if self._parts[rule.part] is None and isinstance(value := getattr(self, rule.part), kind):
                yield copy(value)
        for kind in self._updates:
            if kind not in self._rules:
                yield from self._replayed_values(kind)

    def _replayed_stream(self, entry: Streamed[Any]) -> Iterator[Any]:
        rules = [(k, r) for k, r in self._rules.items() if r.kind == entry.kind]
        whole = [(k, r) for k, r in rules if r.streamed and r.does != "append"]
        # A patch makes an entry that is unknown, whatever it lacks.
        makes = [found for found in whole if found[1].does != "patch"]
        for kind, rule in (*makes, *(found for found in whole if found not in makes)):
            if rule.does == "patch" or rule.needed <= {rule.key[0], *entry.values}:
                held: Any = [*entry.items]
                if rule.holder is not None and isinstance(entry, Pieces):
                    held = rule.holder(**{**entry.beside, rule.inside: held[0]}) if held else None
                items = {rule.streamed: held} if held else {}
                yield kind(**{rule.key[0]: entry.key}, **items, **entry.values)
                return
        kind, rule = next((k, r) for k, r in rules if r.does == "append")
        named = {} if entry.key is UNSET else {rule.key[0]: entry.key}
        values = entry.values
        for item in entry.items:
            yield kind(**{rule.item: item}, **named, **values)
            values = {}

    def _replayed_values(self, kind: type) -> Iterator[Any]:
        """One update with all its values, if it has values and its required ones are known."""
        tag, needed, _ = self._updates[kind]
        readings = (reading for reading in self._readings[kind] if len(reading.path) == 1)
        found = {reading.path[0]: getattr(self, reading.part) for reading in readings}
        found = {name: it for name, it in found.items() if it is not UNSET and (it is not None or name not in needed)}
        found |= self.extra.get(tag, {})
        if found and needed <= found.keys():
            yield kind(**found)


@cache
def _value_types(kind: Any) -> dict[str, Any]:
    """The type of each known single-value part."""
    hints = get_type_hints(kind)
    singles = (part for part, holder in kind._parts.items() if holder is None)  # noqa: SLF001  # of this module's class
    return {part: _known(hints[part]) for part in singles}


def _known(type_: Any) -> Any:
    """A type without the type of unknown values."""
    union: Any = None
    for one in get_args(type_):
        if one is not UnsetType:
            union = one if union is None else union | one
    return union
