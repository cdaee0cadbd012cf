"""Wire messages built from example messages: params and results with envelopes, each with its sender."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from ..document.json_types import is_json_array, is_json_object
from ..model.instances.minimal import Smallest
from ..model.nodes.types import Method, Reference
from .book import Book, opposite

Named = tuple[str, Any]
_ROOM, _NOTE = 500, 200
"""Maximum characters of JSON that are shown first: in a request or response, and in a notification."""


class Exchange(Struct, frozen=True):
    """Messages with captions, whether they were generated because no example exists, and the remaining examples."""

    messages: Sequence[tuple[str, str]]
    is_made_up: bool
    others: Sequence[tuple[str, str]]


class Wire:
    """The exchanges of one book."""

    def __init__(self, book: Book) -> None:
        self.book = book
        self.smallest = Smallest(book.forms)

    def exchange(self, method: Method) -> Exchange | None:
        """One exchange of a method; None if there is no example and none can be generated."""
        params, results = self._examples(method.params), self._examples(method.result)
        name, request = _handy(params, _ROOM) if params else ("", self._made_up(method.params))
        if request is None:
            return None
        messages, used = [self._call(method, request)], {("params", name)}
        if method.result is not None:
            answer = next((each for each in results if each[0] == name), _handy(results, _ROOM) if results else None)
            used.add(("result", answer[0] if answer is not None else ""))
            result = answer[1] if answer is not None else self._made_up(method.result)
            messages += [
                *self._reports(method, request),
                *([self._answer(method, result)] if result is not None else []),
            ]
        others = [
            (f"{what}: {each.replace('-', ' ')}", shown(value))
            for what, found in (("params", params), ("result", results))
            for each, value in found
            if (what, each) not in used
        ]
        return Exchange(messages, not params, others)

    def report(self, method: Method) -> Method | None:
        """The notification that reports the progress of a request; None if there is none."""
        schema = self.book.schema
        if schema.updates is None or schema.sessions is None or method.path not in schema.sessions.exclusive:
            return None
        sides = schema.updates.method, opposite(method.side)
        return next((each for each in schema.methods if (each.path, each.side) == sides), None)

    def _examples(self, definition: str | None) -> list[Named]:
        """The examples of params or a result, the most complete first."""
        found = self.book.examples.get(definition or "", [])
        return sorted(found, key=lambda example: (example[0] != "full", -len(json.dumps(example[1]))))

    def _made_up(self, definition: str) -> Any:
        found = self.smallest.value(Reference(definition))
        return found.value if found is not None else None

    def _reports(self, method: Method, request: Any) -> list[tuple[str, str]]:
        """A notification before the response, in the same session."""
        note, ordering = self.report(method), self.book.schema.ordering
        examples = self._examples(note.params) if note is not None else []
        if note is None or not examples or not is_json_object(request) or ordering not in request:
            return []
        _, value = _handy(examples, _NOTE)
        same = {**value, ordering: request[ordering]} if is_json_object(value) else value
        return [self._call(note, same, ", any number of these")]

    def _call(self, method: Method, params: Any, more: str = "") -> tuple[str, str]:
        number = {} if method.result is None else {"id": 1}
        message = {"jsonrpc": "2.0", **number, "method": method.path, "params": params}
        return f"{self._way(method)}: {method.path} {method.kind}{more}", shown(message)

    def _answer(self, method: Method, result: Any) -> tuple[str, str]:
        way = " → ".join(reversed(self._way(method).split(" → ")))
        return f"{way}: {method.path} response", shown({"jsonrpc": "2.0", "id": 1, "result": result})

    def _way(self, method: Method) -> str:
        ends = self.book.sender(method), self.book.receiver(method)
        return " → ".join(ends if ends[0] != ends[1] else ("one side", "the other"))


def _handy(examples: Sequence[Named], room: int) -> Named:
    """The longest example within the limit, or the shortest of all."""
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
    flat, deeper = json.dumps(value, ensure_ascii=False), f"{indent}  "
    if not value or len(flat) + len(indent) <= room:
        return flat
    if is_json_object(value):
        lines = [f"{json.dumps(k, ensure_ascii=False)}: {_laid_out(v, deeper, room)}" for k, v in value.items()]
    elif is_json_array(value):
        lines = [_laid_out(each, deeper, room) for each in value]
    else:
        return flat
    ends = "{}" if is_json_object(value) else "[]"
    return f"{ends[0]}\n{deeper}" + f",\n{deeper}".join(lines) + f"\n{indent}{ends[1]}"
