"""Persistent maps, sets and lists on Python's own: what `referencing` and `jsonschema` need of rpds-py.

rpds-py is Rust, and no wheel of it runs in Pyodide. Every change copies, so these are as immutable as the originals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Self


class HashTrieMap(Mapping[Any, Any]):
    """An immutable mapping."""

    def __init__(self, value: Any = (), **more: Any) -> None:
        self._held = dict(value, **more)

    @classmethod
    def convert(cls, value: Any) -> HashTrieMap:
        """The value itself, if it is one already."""
        return value if isinstance(value, cls) else cls(value)

    def __getitem__(self, key: Any) -> Any:
        return self._held[key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._held)

    def __len__(self) -> int:
        return len(self._held)

    def __hash__(self) -> int:
        return hash(frozenset(self._held.items()))

    def insert(self, key: Any, value: Any) -> HashTrieMap:
        """With one entry more."""
        return HashTrieMap({**self._held, key: value})

    def update(self, *others: Any, **more: Any) -> HashTrieMap:
        """With the entries of others."""
        held = dict(self._held)
        for other in others:
            held.update(other)
        return HashTrieMap(held, **more)

    def remove(self, key: Any) -> HashTrieMap:
        """Without one entry; KeyError if it is not there."""
        held = dict(self._held)
        del held[key]
        return HashTrieMap(held)

    def discard(self, key: Any) -> HashTrieMap:
        """Without one entry, if it is there."""
        return HashTrieMap({each: value for each, value in self._held.items() if each != key})


class HashTrieSet(frozenset[Any]):
    """An immutable set."""

    def insert(self, value: Any) -> HashTrieSet:
        """With one value more."""
        return HashTrieSet(self | {value})

    def update(self, *others: Iterable[Any]) -> HashTrieSet:
        """With the values of others."""
        return HashTrieSet(self.union(*others))


class List(tuple[Any, ...]):
    """An immutable list that grows at its front."""

    __slots__ = ()

    def __new__(cls, *values: Any) -> Self:
        given = values[0] if len(values) == 1 else values
        return super().__new__(cls, given)

    def push_front(self, value: Any) -> List:
        """With one value more, at the front."""
        return List([value, *self])
