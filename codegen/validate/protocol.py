"""What a schema says to someone who reads messages: the methods, whether a value is valid, and if not, why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import jsonschema_rs

from ..document.annotations import annotated
from ..document.jsonvalue import is_json_object
from ..document.project import ERROR
from ..document.read import Document
from ..document.walk import schemas
from ..model.capabilities import resolve_gate
from ..model.types import Method, Schema
from ..pipeline import load_extended, read_extended
from .alike import Alike
from .judge import Fault, Judge
from .lenient import lenient
from .walk import Walker

PEERS = ("agent", "client")
ENVELOPE = frozenset({"jsonrpc", "id", "method", "params", "result", "error"})
_LINE = frozenset({"t", "dir", "msg", "raw"})


class Protocol:
    """A schema, loaded; `lenient` judges values as a tolerant peer does."""

    def __init__(self, document: Document, schema: Schema, *, tolerant: bool = False) -> None:
        self.schema, self.tolerant = schema, tolerant
        self._original: Mapping[str, Any] = {
            name: node for name, node in document.value["$defs"].items() if name in schema.definitions
        }
        self.definitions = {**(lenient(self._original) if tolerant else self._original), **_own(self._original)}
        self._fast: dict[str, jsonschema_rs.Draft202012Validator] = {}
        self.judge = Judge(self.definitions, self._original)
        self._alike = Alike(self.definitions, self.judge.faults)
        self.walker = Walker(self._original)
        self.methods: dict[str, list[Method]] = {}
        for method in schema.methods:
            self.methods.setdefault(method.path, []).append(method)

    @classmethod
    def read(cls, path: FilePath, extend: Sequence[FilePath] = (), *, tolerant: bool = False) -> Protocol:
        """The protocol of a schema file, with extensions; raises CodegenError."""
        document = annotated(read_extended(path, extend))
        return cls(document, load_extended(document), tolerant=tolerant)

    @cached_property
    def keys(self) -> frozenset[str]:
        """Every property that something in the schema, an envelope or a transcript declares."""
        return frozenset(_properties(self._original)) | ENVELOPE | _LINE | {"code", "message", "data"}

    @cached_property
    def free(self) -> frozenset[str]:
        """The properties that may hold any keys wherever they are declared."""
        names = frozenset(_properties(self._original)) - ENVELOPE - _LINE
        return names - frozenset(name for name, node in _declared(self._original) if not _is_free(node))

    @property
    def session(self) -> str | None:
        """The property that names a session."""
        return self.schema.ordering

    def valid(self, name: str, value: Any) -> bool:
        """Whether a value is one of a definition; takes a microsecond."""
        validator = self._fast.get(name)
        if validator is None:
            node = {"$ref": f"#/$defs/{name}", "$defs": self.definitions}
            validator = self._fast[name] = jsonschema_rs.Draft202012Validator(node)
        try:
            return validator.is_valid(value)
        except (ValueError, UnicodeError):  # what it has no room for, the judge may have
            return self.judge.accepts(name, value)

    def faults(self, name: str, value: Any) -> list[Fault]:
        """What is wrong with a value of a definition."""
        return self._alike.faults(name, value)

    def gate(self, receiver: str, gate: str) -> tuple[str, str, str] | None:
        """Side, path and encoding of a gate; None where it points at nothing."""
        return resolve_gate(self.schema, receiver, gate)


def _own(definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The type of errors, where the schema has none."""
    if ERROR in definitions:
        return {}
    properties = {"code": {"type": "integer"}, "message": {"type": "string"}, "data": True}
    return {ERROR: {"type": "object", "properties": properties, "required": ["code", "message"]}}


def _properties(node: Any) -> Iterator[str]:
    yield from (name for name, _ in _declared(node))


def _declared(node: Any) -> Iterator[tuple[str, Any]]:
    """Every property that is declared somewhere in a map of schemas, with its type."""
    for _, schema in schemas(node, kind="schemas"):
        properties = schema.get("properties")
        if is_json_object(properties):
            yield from properties.items()


def _is_free(node: Any) -> bool:
    """Whether a type says nothing of the keys of its objects; such a type may be any JSON, or an object with any keys."""
    return node is True or (is_json_object(node) and not _SHAPING & node.keys())


_SHAPING = frozenset({"$ref", "allOf", "anyOf", "oneOf", "properties", "items", "prefixItems", "const", "enum"})
