"""A schema in the form that validators need: methods, validity of values, and errors of invalid ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

from ...contracts import Encoding
from ...document.annotations import annotated
from ...document.projection import ERROR
from ...document.read import Document
from ...document.validators import validator as compiled
from ...model.analysis.updates import Rule, rules
from ...model.nodes.capabilities import resolve_gate
from ...model.nodes.types import Method, Schema
from ...pipeline import load_extended, read_extended
from .closed_schema import Closed
from .errors import Alike, Fault, Judge
from .gated_parts import Marker, Walker, markers
from .lenient_schema import NodeMarks, lenient

PEERS = ("agent", "client")
ENVELOPE = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})


class Protocol:
    """A loaded schema. `lenient` validates values as a tolerant peer does."""

    def __init__(self, document: Document, schema: Schema, *, tolerant: bool = False) -> None:
        self.schema, self.tolerant = schema, tolerant
        self._original: Mapping[str, Any] = {
            name: node for name, node in document.value["$defs"].items() if name in schema.definitions
        }
        self.marks = NodeMarks(schema, self._original)
        read = lenient(self._original, self.marks) if tolerant else self._original
        self.definitions = {**read, **_own(self._original)}
        self._fast: dict[str, Any] = {}
        self._closed = Closed({**self._original, **_own(self._original)}, self.marks)
        self._fast_closed: dict[str, Any] = {}
        self.judge = Judge(self.definitions, self._original, self.marks)
        self._alike = Alike(self.definitions, self.judge.faults)
        self.walker = Walker(self._original, self.marks)
        self._markers: dict[str, list[Marker]] = {}
        self.methods: dict[str, list[Method]] = {}
        for method in schema.methods:
            for path in (method.path, method.former):
                if path is not None:
                    self.methods.setdefault(path, []).append(method)

    @classmethod
    def read(cls, path: FilePath, extend: Sequence[FilePath] = (), *, tolerant: bool = False) -> Protocol:
        """Load the protocol of a schema file with extensions. Raises CodegenError."""
        document = annotated(read_extended(path, extend))
        return cls(document, load_extended(document), tolerant=tolerant)

    @cached_property
    def update_rules(self) -> Mapping[str, Rule]:
        """The effect of each session update, by tag. All conversations share it."""
        return rules(self.schema)

    @property
    def session(self) -> str | None:
        """The property that names a session."""
        return self.schema.ordering

    def valid(self, name: str, value: Any) -> bool:
        """Return whether a value conforms to a definition. Takes a microsecond."""
        validator = self._fast.get(name)
        if validator is None:
            node = {"$ref": f"#/$defs/{name}", "$defs": self.definitions}
            validator = self._fast[name] = compiled(node)
        try:
            return bool(validator.is_valid(value))
        except (ValueError, UnicodeError):  # what it has no room for, the judge may have
            return self.judge.accepts(name, value)

    def clean(self, name: str, value: Any) -> bool:
        """Return whether a value is strictly valid without undeclared keys. As fast as `valid`; False is
        inconclusive.
        """
        validator = self._fast_closed.get(name)
        if validator is None:
            document = self._closed.document(name)
            validator = self._fast_closed[name] = compiled(document)
        try:
            return bool(validator.is_valid(value))
        except (ValueError, UnicodeError):
            return False

    def faults(self, name: str, value: Any) -> list[Fault]:
        """Errors of a value of a definition."""
        return self._alike.faults(name, value)

    def markers(self, name: str) -> list[Marker]:
        """The gated parts of a definition."""
        if name not in self._markers:
            self._markers[name] = markers(self.definitions, self.marks, name)
        return self._markers[name]

    def gate(self, receiver: str, gate: str) -> tuple[str, str, Encoding] | None:
        """Side, path and encoding of a gate; None for an invalid gate."""
        return resolve_gate(self.schema, receiver, gate)


def _own(definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The type of errors, if the schema has none."""
    if ERROR in definitions:
        return {}
    properties = {"code": {"type": "integer"}, "message": {"type": "string"}, "data": True}
    return {ERROR: {"type": "object", "properties": properties, "required": ["code", "message"]}}
