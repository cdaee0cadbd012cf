"""Pairs the parts of two lists, by one criterion after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Generic, TypeVar

T = TypeVar("T")


class Pairing(Generic[T]):
    """Two lists of parts; what has been paired is in `found`, with how it was, and the rest is left."""

    def __init__(self, olds: Iterable[T], news: Iterable[T]) -> None:
        self.left, self.right = list(olds), list(news)
        self.found: list[tuple[T, T, str]] = []

    def take(self, fits: Callable[[T, T], bool], how: str = "same") -> None:
        """Pair each part that is left with the first of the other side that fits it."""
        for one in list(self.left):
            other = next((candidate for candidate in self.right if fits(one, candidate)), None)
            if other is not None:
                self.found.append((one, other, how))
                self.left.remove(one)
                self.right.remove(other)

    def all(self) -> list[tuple[T | None, T | None, str]]:
        """Every part: those that were paired, then those of either side that stand alone."""
        alone: list[tuple[T | None, T | None, str]] = [(one, None, "same") for one in self.left]
        return [*self.found, *alone, *((None, other, "same") for other in self.right)]
