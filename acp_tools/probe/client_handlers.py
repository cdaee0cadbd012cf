"""The client's answers to the agent's requests and notifications. It simulates a user, files and terminals."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Any

from .json_types import objects, one_object

METHOD_NOT_FOUND = -32601
REFUSED = {"error": {"code": -32603, "message": "the probe refuses this"}}


class Host:
    """Answers requests. `permission`: the beginning of an option's kind, "cancel", or "hold", which waits for
    `release`.
    """

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.permission = "allow"
        self.fails = False
        """True if every request is answered with an error."""
        self.asked: list[tuple[str, Any]] = []
        self.held = asyncio.Event()
        """Set while a permission request is held."""
        self.release = asyncio.Event()
        self._terminals = 0

    async def answer(self, method: str, params: Any) -> dict[str, Any]:
        """The `result` or `error` for an agent's request."""
        self.asked.append((method, params))
        given: Mapping[str, Any] = one_object(params)
        handler = _HANDLERS.get(method)
        if handler is None:
            return {"error": {"code": METHOD_NOT_FOUND, "message": "Method not found"}}
        if method == "session/request_permission":
            return {"result": {"outcome": await self._permitted(given)}}
        if self.fails:
            return REFUSED
        return handler(self, given)

    async def _permitted(self, params: Mapping[str, Any]) -> dict[str, Any]:
        if self.permission == "hold":
            self.held.set()
            await self.release.wait()
            return {"outcome": "cancelled"}
        if self.permission == "cancel":
            return {"outcome": "cancelled"}
        chosen = self.chosen(params)
        return {"outcome": "selected", "optionId": chosen["optionId"]} if chosen else {"outcome": "cancelled"}

    def chosen(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The option that the user picks; empty if there is none."""
        options = objects(params.get("options"))
        for wanted in (self.permission, self.permission.partition("_")[0], ""):
            for option in options:
                if str(option.get("kind", "")).startswith(wanted):
                    return option
        return {}

    def read(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """The text of a file."""
        return {"result": {"content": self.files.get(str(params.get("path")), "a line\nand another\n")}}

    def write(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Store the text of a file."""
        self.files[str(params.get("path"))] = str(params.get("content"))
        return {"result": {}}

    def terminal(self, params: Mapping[str, Any]) -> dict[str, Any]:
        """Create a terminal in which nothing runs."""
        self._terminals += 1
        return {"result": {"terminalId": f"terminal-{self._terminals}"}}


_Handler = Callable[[Host, Mapping[str, Any]], dict[str, Any]]


def _says(result: dict[str, Any]) -> _Handler:
    return lambda host, params: {"result": result}


_HANDLERS: Mapping[str, _Handler] = {
    "session/request_permission": _says({}),
    "fs/read_text_file": Host.read,
    "fs/write_text_file": Host.write,
    "terminal/create": Host.terminal,
    "terminal/output": _says({"output": "done\n", "truncated": False, "exitStatus": {"exitCode": 0}}),
    "terminal/wait_for_exit": _says({"exitCode": 0}),
    "terminal/kill": _says({}),
    "terminal/release": _says({}),
    "elicitation/create": _says({"action": "decline"}),
}
