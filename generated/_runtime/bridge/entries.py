# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Machines for entries that updates create, replace or extend: tool calls and messages."""

from __future__ import annotations

import json
from typing import Any

from .convert import Problem
from .plan import First, Spread
from .state import Bridge, State, Table
from .templates import fill, is_array, match, merge, without_null


class FirstState(State):
    """The entries that a client of the old version knows."""

    def __init__(self, bridge: Bridge, first: First) -> None:
        super().__init__(bridge)
        self._first = first
        self._known: Table[str, None] = Table()

    def converted(self, sender: str, method: str, params: Any) -> None:
        first = self._first
        bound = match(first.update.params, params) if sender != self.bridge.old_side else None
        if bound is not None and method == first.update.method:
            key = json.dumps(bound, sort_keys=True)
            if key not in self._known:
                self._known[key] = None
                merge(params, first.puts, replace=True)
                without_null(params, first.puts)
                merge(params, first.lacks, replace=False)


class SpreadState(State):
    """The keys whose pieces a client of the old version has."""

    def __init__(self, bridge: Bridge, spread: Spread) -> None:
        super().__init__(bridge)
        self._spread = spread
        self._known: Table[str, None] = Table()

    def notification(self, sender: str, method: str, params: Any) -> bool:
        spread, bridge = self._spread, self.bridge
        if sender == bridge.old_side or method != spread.whole.method:
            return False
        piece = match(spread.piece.params, params)
        bound = match(spread.whole.params, params) if piece is None else piece
        if bound is None:
            return False
        key = json.dumps([bound["session"], bound["key"]])
        if piece is not None:
            self._known[key] = None
            return False
        items: Any = bound["items"]
        if key in self._known or not is_array(items) or not items:
            what = "an update that replaces earlier ones" if key in self._known else "an update without items"
            bridge.report(method, [Problem((), what)], True)
            return True
        self._known[key] = None
        for item in items:
            bridge.notify(sender, spread.piece.method, fill(spread.piece.params, {**bound, "item": item}))
        return True
