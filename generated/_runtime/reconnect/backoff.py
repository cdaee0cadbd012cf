# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Growing delays between attempts: each time later than before, until the connection was lost too often in a row."""

from __future__ import annotations


class Backoff:
    """The pauses between attempts, in seconds. What worked for a while begins from the first one again."""

    def __init__(self, attempts: int, delay: float, longest: float) -> None:
        if attempts < 1 or delay < 0 or longest < delay:
            raise ValueError(
                "attempts is a number from 1 on, delay is seconds, and longest_delay is no less than delay"
            )
        self._attempts = attempts
        self._delay = delay
        self._longest = longest
        self.failed = 0
        """How often it was lost in a row."""

    def lost(self, *, answered: bool, lived: float) -> float | None:
        """The pause before the next attempt, in seconds; None to give up. A connection that lived long or answered resets it."""
        self.failed = 1 if answered or lived > self._longest else self.failed + 1
        return None if self.failed > self._attempts else min(self._delay * 2.0 ** (self.failed - 1), self._longest)
