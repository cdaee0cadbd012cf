"""The agent that the probe plays for a client. It responds with the examples; a scenario decides what happens in a
turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from .. import payloads
from ..json_types import one_object

SESSION = "probe-session"
LISTED = "probe-listed"
"""A session that is listed, but that the client has not opened."""
CURSOR = "cHJvYmU/+w=="
"""The cursor of the second page, which a client must not change."""
PAGES: tuple[dict[str, Any], ...] = (
    {"sessions": [{"sessionId": LISTED, "cwd": "/"}], "nextCursor": CURSOR},
    {"sessions": []},
)
_FULL = "full"

Turn = Callable[[str], Awaitable[dict[str, Any]]]


class Stage:
    """The agent's responses. `offers`: advertise everything, or nothing. `turn`: the result of a prompt."""

    def __init__(self, *, offers: bool, version: int = 1) -> None:
        self._offers, self._version = offers, version
        self.turn: Turn = _nothing
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.client: dict[str, Any] = {}
        """The client's capabilities."""

    async def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The `result` or `error` for a client's request."""
        given = one_object(params)
        self.asked.append((method, given))
        if method == "initialize":
            self.client = one_object(given.get("clientCapabilities"))
            return {"result": self._hello()}
        if method == "session/prompt":
            return {"result": await self.turn(str(given.get("sessionId")))}
        if method == "session/new":
            return {"result": {"sessionId": SESSION}}
        if method == "session/list":
            return {"result": PAGES[1 if given.get("cursor") else 0]}
        if method == "session/fork":
            return {"result": {"sessionId": f"{SESSION}-fork"}}
        examples = payloads.examples("agent", method, "response")
        if not examples:
            return {"error": {"code": -32601, "message": "Method not found"}}
        return {"result": examples[0][1]}

    def _hello(self) -> dict[str, Any]:
        full = dict(payloads.examples("agent", "initialize", "response"))[_FULL]["agentCapabilities"]
        capabilities: dict[str, Any] = full if self._offers else {}
        return {"protocolVersion": self._version, "agentCapabilities": capabilities, "authMethods": []}


async def _nothing(_: str) -> dict[str, Any]:
    return {"stopReason": "end_turn"}
