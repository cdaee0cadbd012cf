"""The fast path for the most frequent messages of a long transcript: notifications about open sessions.

It exists only for speed: a message that passes here has no finding, and any other message takes the slow path.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from msgspec import Struct

from ...document.json_parser import Parsed
from ...document.json_types import is_json_object
from ..values.schema import PEERS, Protocol
from .negotiation import Negotiation
from .sessions import Sessions
from .updates import suspects_of_updates


class Plan(Struct, frozen=True):
    """A check of notifications in one direction. If `suspect` finds something, the slow path follows."""

    clean: Callable[[str, Any], bool]
    params: str
    suspect: Callable[[bytes], object] | None


class Routine:
    """The notifications that the fast path accepts with the current capabilities."""

    def __init__(self, protocol: Protocol, negotiation: Negotiation, sessions: Sessions) -> None:
        self._protocol, self._negotiation, self._sessions = protocol, negotiation, sessions
        self._plans: dict[tuple[str, str], Plan] = {}
        self._made_for = -1

    def label(self, value: Any, parsed: Parsed, data: bytes, direction: str | None) -> str | None:
        """The method of a message that certainly has no finding; None if that is uncertain."""
        names = parsed.names
        if direction is None or len(names) != 1 or parsed.integral or not is_json_object(value):
            return None
        if len(value) != 3 or "id" in value or value.get("jsonrpc") != "2.0":
            return None
        if self._made_for != self._negotiation.count:
            self._plan()
        method, params = value.get("method"), value.get("params")
        if not isinstance(method, str) or not is_json_object(params):
            return None
        plan = self._plans.get((method, direction))
        name = names[0]
        if plan is None or not self._sessions.is_open(name) or params.get(self._protocol.session or "") != name:
            return None
        if plan.suspect is not None and plan.suspect(data):
            return None
        return method if plan.clean(plan.params, params) else None

    def _plan(self) -> None:
        self._plans.clear()
        self._made_for = self._negotiation.count
        if not self._negotiation.agreed:
            return
        interrupt, sessions = self._protocol.schema.interrupt, self._protocol.schema.sessions
        ends = sessions.end if sessions is not None else ()
        for method, rows in self._protocol.methods.items():
            if method in ends or (interrupt is not None and method == interrupt.method):
                continue  # what it ends is judged by it
            if len(rows) == 1 and rows[0].kind == "notification" and rows[0].side in PEERS:
                (row,) = rows
                suspects = self._negotiation.suspects(row)
                if suspects is not None:
                    suspects = (*suspects, *suspects_of_updates(self._protocol, method))
                    sender = PEERS[1 - PEERS.index(row.side)]
                    # One search is three times as fast as ten.
                    search = re.compile(b"|".join(map(re.escape, suspects))).search if suspects else None
                    self._plans[method, f"{sender}-to-{row.side}"] = Plan(self._protocol.clean, row.params, search)
