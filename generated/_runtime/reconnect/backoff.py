# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Growing delays between reconnection attempts, and the limit on successive failures."""

from __future__ import annotations


class Backoff:
    """The delays between attempts, in seconds. A connection that lasted resets them."""

    def __init__(self, attempts: int, delay: float, longest: float) -> None:
        if attempts < 1 or delay < 0 or longest < delay:
            raise ValueError("expected attempts >= 1, delay in seconds, and longest_delay >= delay")
        self._attempts = attempts
        self._delay = delay
        self._longest = longest
        self.failed = 0
        """Number of successive losses."""

    def lost(self, *, answered: bool, lived: float) -> float | None:
        """The seconds before the next attempt; None to give up. Pass on whether the connection answered, and its
        duration.
        """
        self.failed = 1 if answered or lived > self._longest else self.failed + 1
        return None if self.failed > self._attempts else min(self._delay * 2.0 ** (self.failed - 1), self._longest)
