# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The machine for contents of entries that the old version shows whole, and as text where it lacks a kind of content."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from .convert import Problem
from .plan import Contents
from .state import Bridge, Call, State, Table
from .templates import fill, is_array, is_object, match, merge

OUTPUT = 1 << 16
"""The last bytes of an output that are shown."""


class ContentsState(State):
    """The contents of the entries of an agent of the new version, and the outputs that they embed."""

    def __init__(self, bridge: Bridge, contents: Contents) -> None:
        super().__init__(bridge)
        self._contents = contents
        self._items: Table[tuple[str, str], list[Any]] = Table()
        self._outputs: Table[tuple[str, str], bytes] = Table()

    def request(self, call: Call) -> bool:
        asks = self._contents.asks
        bound = match(asks.params, call.params) if call.method == asks.method and call.asker == "agent" else None
        if bound is not None and self.bridge.old_side != "agent" and is_array(bound["items"]):
            items = self._texts(call.method, str(bound["session"]), bound["items"])
            merge(call.params, fill(asks.params, {**bound, "items": items}), replace=True)
        return False

    def notification(self, sender: str, method: str, params: Any) -> bool:
        contents = self._contents
        if sender != "agent" or self.bridge.old_side == "agent" or method != contents.entry.method:
            return False
        if (bound := match(contents.entry.params, params)) is not None:
            items: list[Any] = bound["items"] if is_array(bound["items"]) else []
            self._items[str(bound["session"]), str(bound["key"])] = items
            shown = self._texts(method, str(bound["session"]), items) if items else bound["items"]
            merge(params, fill(contents.entry.params, {**bound, "items": shown}), replace=True)
            return False
        if (bound := match(contents.append.params, params)) is not None:
            entry = str(bound["session"]), str(bound["key"])
            self._items[entry] = [*self._items.get(entry, []), bound["item"]]
            self._show(sender, entry)
            return True
        return self._output(sender, method, params)

    def _output(self, sender: str, method: str, params: Any) -> bool:
        contents = self._contents
        whole, piece = match(contents.whole.params, params), match(contents.piece.params, params)
        bound = whole or piece or match(contents.other.params, params)
        if bound is None:
            return False
        output = str(bound["session"]), str(bound["terminal"])
        if piece is None:
            self.bridge.report(method, [Problem((), "what is told about an output, except its text")], False)
        if whole is None and piece is None:
            return True
        try:
            data = base64.b64decode(bound["data"], validate=True)
        except (binascii.Error, TypeError, ValueError):
            self.bridge.report(method, [Problem((), "an output that is not in base64")], True)
            return True
        self._outputs[output] = ((b"" if whole else self._outputs.get(output, b"")) + data)[-OUTPUT:]
        for entry, items in list(self._items.items()):
            embedded = [match(contents.embed, item) for item in items] if entry[0] == output[0] else []
            if any(each is not None and each["terminal"] == output[1] for each in embedded):
                self._show(sender, entry)
        return True

    def _show(self, sender: str, entry: tuple[str, str]) -> None:
        """Send the whole contents of an entry."""
        update, (session, key) = self._contents.entry, entry
        items = self._texts(update.method, session, self._items[entry])
        self.bridge.notify(sender, update.method, fill(update.params, {"session": session, "key": key, "items": items}))

    def _texts(self, method: str, session: str, items: list[Any]) -> list[Any]:
        return [self._text(method, session, item) for item in items]

    def _text(self, method: str, session: str, item: Any) -> Any:
        """The item, or the text that is shown for it."""
        shown = self._contents.shown
        if (bound := match(self._contents.embed, item)) is not None:
            output = self._outputs.get((session, str(bound["terminal"])), b"")
            return fill(shown, {"text": output.decode(errors="replace")})
        for template in self._contents.texts:
            if (bound := match(template, item)) is not None:
                self.bridge.report(method, [Problem((), "the kind of a content that is shown as text")], False)
                return fill(shown, {"text": _words(bound["text"])})
        return item


def _words(value: Any) -> str:
    """A value as text: one line for each item of an array."""
    if is_array(value):
        return "\n".join(map(_words, value))
    return " ".join(map(_words, value.values())) if is_object(value) else str(value)
