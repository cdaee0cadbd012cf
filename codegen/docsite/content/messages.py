"""Messages as they are on the wire, made from example messages: envelopes around params and results, each with its sender."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ...document.json_types import is_json_array, is_json_object
from ...model.instances.minimal import Smallest
from ...model.nodes.types import Method, Reference
from ..book.blocks import Exchange, Message
from ..book.context import Book, opposite

Named = tuple[str, Any]


_ROOM, _NOTE = 500, 200
"""How long an example may be as JSON to be shown first: one that shows much and is read at a glance."""


def _handy(examples: Sequence[Named], room: int) -> Named:
    """The longest example that has room, or the shortest of all."""
    sizes = {id(example): len(json.dumps(example[1])) for example in examples}
    fitting = [example for example in examples if sizes[id(example)] <= room]
    return max(fitting, key=lambda e: sizes[id(e)]) if fitting else min(examples, key=lambda e: sizes[id(e)])


def shown(value: Any) -> str:
    """A JSON value for readers: short objects and arrays on one line."""
    try:
        return _laid_out(value, "", 72)
    except RecursionError:
        return "(nested too deeply to be shown)"


def _laid_out(value: Any, indent: str, room: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    deeper = f"{indent}  "
    if len(flat) + len(indent) <= room or not value:
        return flat
    if is_json_object(value):
        lines = (f"{deeper}{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, deeper, room)}" for k, v in value.items())
        return "{\n" + ",\n".join(lines) + f"\n{indent}}}"
    if is_json_array(value):
        return "[\n" + ",\n".join(f"{deeper}{_laid_out(v, deeper, room)}" for v in value) + f"\n{indent}]"
    return flat


class Shown(Struct, frozen=True):
    """An exchange, whether it is made up because no example shows one, and the examples in it, by definition and name."""

    exchange: Exchange
    is_made_up: bool
    names: frozenset[tuple[str, str]]


class Wire:
    """The exchanges of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.smallest = Smallest(book.forms)

    def examples(self, definition: str | None) -> list[Named]:
        """The examples of params or a result, the fullest first."""
        found = self.book.examples.get(definition or "", [])
        return sorted(found, key=lambda example: (example[0] != "full", -len(json.dumps(example[1]))))

    def exchange(self, method: Method) -> Shown | None:
        """One exchange of a method; None where there is no example and no message could be made up."""
        params, results = self.examples(method.params), self.examples(method.result)
        name, request = _handy(params, _ROOM) if params else ("", self._made_up(method.params))
        if request is None:
            return None
        messages = [self.call(method, request)]
        names = {(method.params, name)}
        if method.result is not None:
            notes = self._before(method, request)
            answer = next((each for each in results if each[0] == name), _handy(results, _ROOM) if results else None)
            result = answer[1] if answer is not None else self._made_up(method.result)
            names |= {(method.result, answer[0])} if answer is not None else set()
            messages += [*notes, *([self.answer(method, result)] if result is not None else [])]
        return Shown(Exchange(messages[0].sender, tuple(messages)), not params, frozenset(names))

    def _made_up(self, definition: str) -> Any:
        found = self.smallest.value(Reference(definition))
        return found.value if found is not None else None

    def _before(self, method: Method, request: Any) -> list[Message]:
        """A notification that comes before the answer, of the same session."""
        note = self.report(method)
        if note is None:
            return []
        examples = self.examples(note.params)
        ordering = self.book.schema.ordering
        if not examples or not is_json_object(request) or ordering not in request:
            return []
        _, value = _handy(examples, _NOTE)
        if not is_json_object(value):
            return []
        return [self.call(note, {**value, ordering: request[ordering]}, again=True)]

    def report(self, method: Method) -> Method | None:
        """The notification by which the one who answers reports while it works; None where the schema knows of none."""
        schema = self.book.schema
        if schema.updates is None or schema.sessions is None or method.path not in schema.sessions.exclusive:
            return None
        return next(
            (m for m in schema.methods if m.path == schema.updates.method and m.side == opposite(method.side)), None
        )

    def call(self, method: Method, params: Any, *, again: bool = False) -> Message:
        """A request or a notification."""
        number = {} if method.result is None else {"id": 1}
        what = f"{method.path} {method.kind}" + (", any number of these" if again else "")
        sender, receiver = self._ends(method)
        return Message(
            sender, receiver, what, shown({"jsonrpc": "2.0", **number, "method": method.path, "params": params})
        )

    def answer(self, method: Method, result: Any) -> Message:
        """The answer to a request."""
        sender, receiver = self._ends(method)
        return Message(
            receiver, sender, f"{method.path} response", shown({"jsonrpc": "2.0", "id": 1, "result": result})
        )

    def _ends(self, method: Method) -> tuple[str, str]:
        sender, receiver = self.book.senders(method), self.book.receivers(method)
        return (sender, receiver) if sender != receiver else ("one side", "the other")
