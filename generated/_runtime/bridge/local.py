# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The machine for requests that only the old version has: a local handler serves them, and the client sees updates."""

from __future__ import annotations

import base64
import shlex
from typing import Any

from ..errors import RequestError
from .convert import Problem
from .plan import Change, Local
from .state import Bridge, Call, State
from .templates import fill, is_array, is_object, merge


class LocalState(State):
    """The opening request of the local handler, which gets the result that the agent gave the client."""

    def __init__(self, bridge: Bridge, local: Local) -> None:
        super().__init__(bridge)
        self._local = local
        self._shows = {shown.method: shown for shown in local.shows}
        self._opening: Call | None = None
        self._result: Any = None
        self._is_served = bridge.old_side == "agent" and bridge.has_local

    def _serves(self, call: Call) -> bool:
        return self._is_served and call.asker != "client" and call.method in self._local.methods

    def request(self, call: Call) -> bool:
        if call.asker == "local" and call.method == self._local.offer.method:
            self._opening = call
            self._open()
            return True
        if not self._serves(call):
            return False
        shown = self._shows.get(call.method)
        if shown is not None and shown.ask is not None and shown.early:
            self._ask(shown.ask, self._bound(call.params, {}))
        self.bridge.ask_local(call, call.method, call.params)
        return True

    def converted(self, sender: str, method: str, params: Any) -> None:
        if self._is_served and sender == "client" and method == self._local.offer.method:
            merge(params, self._local.offer.params, replace=True)

    def answered(self, call: Call, given: Any, made: Any) -> None:
        del made
        if self._is_served and call.route is not None and call.route.method == self._local.offer.method:
            self._result = given
            self._open()

    def _open(self) -> None:
        if self._opening is not None and self._result is not None:
            self.bridge.answer_directly(self._opening, self._result)
            self._opening = None

    def response(self, call: Call, failure: RequestError | None, result: Any) -> bool:
        if not self._serves(call):
            return False
        shown = self._shows.get(call.method)
        if shown is not None and failure is None:
            bound = self._bound(call.params, result)
            if shown.update is not None:
                self.bridge.notify_directly("client", shown.update.method, fill(shown.update.params, bound))
                lost = [Problem((name,), "the property is dropped") for name in shown.lost if bound.get(name)]
                if lost:
                    self.bridge.report(call.method, lost, False)
            if shown.ask is not None and not shown.early:
                self._ask(shown.ask, bound)
        if call.asker == "agent":
            self.bridge.answer(call, failure, result)
        return True

    def _ask(self, ask: Change, bound: dict[str, Any]) -> None:
        params = fill(ask.params, bound)
        self.bridge.ask_local(Call(self.bridge.fresh(), ask.method, params, "local"), ask.method, params)

    def _bound(self, params: Any, result: Any) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for each in (params, result):
            found |= each if is_object(each) else {}
        command, arguments = self._local.words
        words = found.get(arguments)
        if is_array(words) and isinstance(found.get(command), str):
            found[command] = " ".join([found[command], *(shlex.quote(str(word)) for word in words)])
        for name in self._local.bytes:
            if isinstance(found.get(name), str):
                found[name] = base64.b64encode(found[name].encode(errors="replace")).decode()
        return found
