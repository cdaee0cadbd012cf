"""Catalogues of faults: each is planted in a peer that has none, and fails or tells what its row says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

Peer = TypeVar("Peer")


class Fault(NamedTuple, Generic[Peer]):
    """One row."""

    name: str
    plant: Callable[[Peer], None]
    fails: set[str]
    tells: set[str]


class Catalogue(list[Fault[Peer]]):
    """The rows of one kind of peer."""

    def fault(
        self, name: str, *fails: str, tells: str = ""
    ) -> Callable[[Callable[[Peer], None]], Callable[[Peer], None]]:
        """Add a row."""

        def add(plant: Callable[[Peer], None]) -> Callable[[Peer], None]:
            self.append(Fault(name, plant, set(fails), set(tells.split())))
            return plant

        return add
