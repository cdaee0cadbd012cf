"""Calls that take long: when they are given up, and when the log names them.

The law: no timer for each call. While any is open one timer runs, and names every call once.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping

from .calls import Call, Calls

__all__ = ["REPORT_AFTER", "LongCalls"]

logger = logging.getLogger(__name__)

REPORT_AFTER = 60.0
"""Seconds after which a call that has no answer is named in the log."""


class LongCalls:
    """The patience that a connection has with the calls of its side."""

    def __init__(
        self,
        calls: Calls,
        direction: str,
        timeout: float | Mapping[str, float] | None,
        report_after: float | None,
    ) -> None:
        self._calls = calls
        self._direction = direction
        self._timeout = timeout
        self._report_after = report_after
        self._timer: asyncio.TimerHandle | None = None
        self._named = 0
        """The id of the last call that was named: ids grow, and so does the time that calls have been open."""

    def watch(self, method: str) -> float | None:
        """A call was made: seconds that it may take; None where it may take as long as it needs."""
        if self._timer is None and self._report_after is not None:
            self._timer = asyncio.get_running_loop().call_later(self._report_after, self._look, self._report_after)
        if self._timeout is None:
            return None
        return self._timeout.get(method) if isinstance(self._timeout, Mapping) else self._timeout

    def stop(self) -> None:
        """No call is open any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _look(self, after: float) -> None:
        now = asyncio.get_running_loop().time()
        self._timer = None
        waiting = [call for call in self._calls if call.id > self._named]
        late = [call for call in waiting if now - call.since >= after]
        if late:
            self._named = late[-1].id
            logger.info("%s: no answer yet to %s", self._direction, _listed(late, now))
        if len(late) < len(waiting):
            oldest = waiting[len(late)]
            self._timer = asyncio.get_running_loop().call_later(oldest.since + after - now, self._look, after)


_NAMED = 10


def _listed(calls: list[Call], now: float) -> str:
    """Calls with how long they have been open; not all, where there are many."""
    names = [f"{call.method} (id {call.id}, {now - call.since:.0f} s)" for call in calls[:_NAMED]]
    rest = len(calls) - _NAMED
    return ", ".join([*names, f"{rest} more"] if rest > 0 else names)
