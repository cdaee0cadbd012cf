"""The answer of a package's decoder to a message: the runtime's own reader, driven by the node tables of a schema.

The reader gets temporary tables with simple classes that store their arguments. No package is generated.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from msgspec import ValidationError

from ...contracts import LENIENT, STRICT, Readers, Reading, Tables, read_with
from ...findings.finding import Example, Outcome
from ...model.naming.leaves import ShapeError
from ...shape.nodes import node_tables
from ..parts.side import Side
from .witnesses import DEFINITION


class Decoder:
    """The decoder of a schema's package. It has no result if the schema cannot become a package."""

    def __init__(self, side: Side) -> None:
        self._ends: dict[tuple[str, str], str] = {}
        self._definitions: dict[str, str] = {}
        self._readers: Readers | None = None
        self._known: Collection[str] = ()
        settled = side.names
        if settled is None:
            return
        try:
            tables = node_tables(side.shapes)
        except ShapeError:
            return
        names = zip(side.schema.definitions, settled.schema.definitions, strict=True)
        self._definitions = dict(names)
        for method in settled.schema.methods:
            self._ends[method.path, method.kind] = method.params
            if method.result is not None:
                self._ends[method.path, "response"] = method.result
        self._known = tables.keys()
        self._readers = Readers(_Tables(tables, {name: type(name, (dict,), {}) for name in tables}))

    def answered(self, example: Example) -> tuple[Outcome, str]:
        """The result of decoding a message, with the decoder's error message."""
        path, _, role = example.carrier.removesuffix(")").rpartition(" (")
        name = self._definitions.get(path) if role == DEFINITION else self._ends.get((path, role))
        if name is None or self._readers is None or name not in self._known:
            return "refuses", ""
        problem = _problem(self._readers.named(name), example.message, LENIENT)
        if problem:
            return "refuses", problem
        return "tolerates", _problem(self._readers.named(name), example.message, STRICT)


def _problem(reader: Any, value: Any, how: Reading) -> str:
    try:
        read_with(reader, value, how)
    except ValidationError as error:
        return str(error)
    return ""


class _Tables(Tables):
    """Node tables with a class for each type, without a package."""

    def __init__(self, nodes: Mapping[str, Any], classes: Mapping[str, type]) -> None:
        super().__init__("")
        self._nodes, self._classes = nodes, classes

    @property
    def nodes(self) -> Mapping[str, Any]:
        return self._nodes

    def type_of(self, name: str) -> Any:
        return self._classes[name]
