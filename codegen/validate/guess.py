"""What a value in a document is meant to be, from what stands around it and in it."""

from __future__ import annotations

from typing import Any

from ..jsonvalue import is_json_array, is_json_object
from ..schema.capabilities import fields
from ..schema.model import Method, Object, Reference
from .lenient import UNIONS, constants, parts
from .protocol import Protocol


class Guess:
    """Guesses by the names and the shapes of one schema."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._names = {_letters(name): name for name in protocol.schema.definitions}
        self._unions = self._tagged()

    def by_heading(self, heading: str, value: Any) -> str | None:
        """The definition that a heading names, itself or by a method, where the value looks like one."""
        method = self._protocol.methods.get(heading)
        if method is not None:
            names = [name for row in method for name in (row.params, row.result) if name is not None]
            return max(names, key=lambda name: self._likeness(name, value), default=None) if self._alike(names, value) else None
        name = self._names.get(_letters(heading))
        return self.whole(name, value) if name is not None and self._alike([name], value) else None

    def by_result(self, result: Any) -> Method | None:
        """The request whose result a value looks like; None where nothing tells."""
        if not is_json_object(result):
            return None
        rows = [row for row in self._protocol.schema.methods if row.result is not None]
        best = max(rows, key=lambda row: self._likeness(row.result or "", result), default=None)
        return best if best is not None and self._alike([best.result or ""], result) else None

    def whole(self, name: str, value: Any) -> str:
        """The union that a definition is a variant of, where the value carries its tag."""
        if is_json_object(value):
            for union, tags in self._unions.get(name, ()):
                if all(value.get(tag) in values for tag, values in tags.items() if not isinstance(value.get(tag), (dict, list))):
                    if any(tag in value for tag in tags):
                        return union
        return name

    def _alike(self, names: list[str], value: Any) -> bool:
        """Whether a value has a property in common with one of the definitions, or is of the kind of one that is no object."""
        if not is_json_object(value):
            return any(not self._fields(name) and self._protocol.valid(name, value) for name in names)
        return any(self._fields(name) & value.keys() - {"_meta"} for name in names)

    def _likeness(self, name: str, value: Any) -> tuple[int, ...]:
        if not is_json_object(value):
            return (int(self._protocol.valid(name, value)),)
        declared = self._fields(name)
        common = len(declared & value.keys())
        return (common - len(value.keys() - declared), int(self._protocol.valid(name, value)), -len(declared))

    def _fields(self, name: str) -> set[str]:
        schema = self._protocol.schema
        found = {field.name for field in fields(schema, Reference(name))}
        plain = schema.resolve(Reference(name))
        for union in plain.unions if isinstance(plain, Object) else ():
            found |= {field.name for variant in union.variants for field in fields(schema, variant.type)}
        for part in parts(self._protocol.definitions.get(name), self._protocol.definitions):
            for keyword in UNIONS:
                for variant in part.get(keyword, ()):
                    for inner in parts(variant, self._protocol.definitions):
                        found |= set(inner.get("properties", ()))
        return found

    def _tagged(self) -> dict[str, list[tuple[str, dict[str, list[Any]]]]]:
        """By definition, the unions it is a variant of, and its tags there."""
        definitions = self._protocol.definitions
        found: dict[str, list[tuple[str, dict[str, list[Any]]]]] = {}
        for union, node in definitions.items():
            if not is_json_object(node):
                continue
            for variant in (v for k in UNIONS if is_json_array(node.get(k)) for v in node[k]):
                tags = constants(variant, definitions)
                for part in parts(variant, definitions):
                    reference = part.get("$ref")
                    if tags and isinstance(reference, str):
                        found.setdefault(reference.rpartition("/")[2], []).append((union, tags))
        return found


def _letters(name: str) -> str:
    return "".join(name.split()).lower()
