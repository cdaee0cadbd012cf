"""Type guesses: the definition of a value in a document, from its surroundings and content, or from the path of an
example file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...document.json_types import is_json_object
from ...model.algebra.discriminators import marks_by_pointer
from ...model.nodes.capabilities import fields
from ...model.nodes.types import Method, Nullable, Object, Reference, Scalar, Schema, Type, Union, Variant
from ..values.lenient_schema import UNIONS, parts
from ..values.schema import PEERS, Protocol

_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


class Guess:
    """Guesses types by the names and shapes of one schema."""

    def __init__(self, protocol: Protocol) -> None:
        self._protocol = protocol
        self._names = {_letters(name): name for name in protocol.schema.definitions}
        for row in protocol.schema.methods:
            # A file may be called by the method and the kind: some_method_request.json.
            self._names.setdefault(_letters(row.path + row.kind), row.params)
            if row.result is not None:
                self._names.setdefault(_letters(f"{row.path}response"), row.result)
        self._by_tag: dict[tuple[str, str], list[str]] = {}
        self._unions = self._tagged()

    def by_heading(self, heading: str, value: Any) -> str | None:
        """The definition that a heading names, directly or by a method, if the value resembles it."""
        rows = self._protocol.methods.get(heading, [])
        names = [name for row in rows for name in (row.params, row.result) if name is not None]
        if names:
            return max(names, key=lambda name: self._likeness(name, value)) if self._alike(names, value) else None
        letters = _letters(heading)
        name = self._names.get(letters) or self._names.get(letters.removesuffix("s"))
        return self.whole(name, value) if name is not None and self._alike([name], value) else None

    def by_file(self, stem: str, value: Any) -> str | None:
        """The definition of a file's value: by its name, by the value's tag, by words of the name, or by shape."""
        whole = self._names.get(_letters(stem))
        if whole is not None:
            return self.whole(whole, value)
        by_words = (self._union(name) for name in self._called(stem) if value == [] or self._alike([name], value))
        return self.by_tag(value, foreign=False) or next(by_words, None) or self._by_shape(value)

    def _by_shape(self, value: Any) -> str | None:
        """The definition that declares all properties of a value and that the value conforms to; for a variant, its
        union.
        """
        if not is_json_object(value) or not value.keys() - {"_meta"} or any(map(self._by_tag.get, _texts(value))):
            return None
        fitting = [
            name
            for name in self._protocol.schema.definitions
            if value.keys() <= self._fields(name) and self._required(name) and self._protocol.valid(name, value)
        ]
        # What fits without its tag may be a broken variant as well as another type: the stricter reading is taken.
        variants = [name for name in fitting if name in self._unions]
        sent = {name for row in self._protocol.schema.methods for name in (row.params, row.result)}
        best = min(variants or fitting, key=lambda name: (name not in sent, len(self._fields(name))), default=None)
        return self._union(best) if best is not None else None

    def by_tag(self, value: Any, *, foreign: bool = True) -> str | None:
        """The union for a value's tag: one that the value conforms to, otherwise the only union with that tag.

        `foreign`: the value may be unrelated to the schema, so a tag with a single common word is not evidence.
        """
        if not is_json_object(value):
            return None
        texts = _texts(value)
        unions = {name: key for key, text in reversed(texts) for name in reversed(self._by_tag.get((key, text), ()))}
        fitting = (name for name, key in reversed(unions.items()) if self._fits_beside(name, key, value))
        return next(fitting, None) or next((n for key, text in texts for n in self._sole(key, text, foreign)), None)

    def _fits_beside(self, union: str, tag: str, value: dict[str, Any]) -> bool:
        """Return whether a value conforms to a union and shares a property with it besides the tag, if possible."""
        others = value.keys() - {tag, "_meta"}
        common = others & self._fields(union)
        return 2 * len(common) >= len(others) and self._protocol.valid(union, value)

    def _called(self, stem: str) -> Iterator[str]:
        """The definitions that some words of a name match: first those at its start, then the longest."""
        words = [word.lower() for word in _WORDS.findall(stem)]
        runs = [(start, end) for start in range(len(words)) for end in range(start + 1, len(words) + 1)]
        for start, end in sorted(runs, key=lambda run: (run[0] > 0, run[0] - run[1])):
            name = self._names.get("".join(words[start:end]))
            if name is not None:
                yield name

    def _union(self, name: str) -> str:
        """The union that contains a definition as a variant, otherwise the definition."""
        return next((union for union, _ in self._unions.get(name, ())), name)

    def _sole(self, key: str, text: str, foreign: bool) -> list[str]:
        """The only union with a tag of this name. In foreign JSON, only tag names of several words count."""
        unions = {name for (other, _), names in self._by_tag.items() if other == key for name in names}
        return self._by_tag.get((key, text), []) if len(unions) == 1 and not (foreign and key == key.lower()) else []

    def by_result(self, result: Any, stem: str = "") -> Method | None:
        """The request of a result, from the file's name or the value; None if unknown."""
        rows = [row for row in self._protocol.schema.methods if row.result is not None]
        called = set(self._called(stem))
        named = next((row for row in rows if row.result in called), None)
        if named is not None or not is_json_object(result):
            return named
        best = max(rows, key=lambda row: self._likeness(row.result or "", result), default=None)
        return best if best is not None and self._alike([best.result or ""], result) else None

    def whole(self, name: str, value: Any) -> str:
        """The union that contains a definition as a variant, if the value has its tag."""
        for union, tags in self._unions.get(name, ()) if is_json_object(value) else ():
            known = [value.get(tag) in values for tag, values in tags.items() if isinstance(value.get(tag), str)]
            if known and all(known):
                return union
        return name

    def _alike(self, names: list[str], value: Any) -> bool:
        """Return whether at least half of a value's properties belong to one of the definitions, or it conforms to
        one that is not an object.
        """
        if not is_json_object(value):
            return any(not self._fields(name) and self._protocol.valid(name, value) for name in names)
        own = value.keys() - {"_meta"}
        return any(0 < len(own) <= 2 * len(self._fields(name) & own) and self._tells(name, own) for name in names)

    def _tells(self, name: str, own: set[str]) -> bool:
        """Return whether a required property is present, if the definition has any."""
        required = self._required(name)
        return not required or not required.isdisjoint(own)

    def _required(self, name: str) -> set[str]:
        definitions = self._protocol.definitions
        return {key for part in parts(definitions.get(name), definitions) for key in part.get("required", ())}

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

    def _tagged(self) -> dict[str, list[tuple[str, Mapping[str, tuple[Scalar, ...]]]]]:
        """For each definition, the unions that contain it as a variant, with its tags."""
        schema = self._protocol.schema
        marks = marks_by_pointer(schema)
        found: dict[str, list[tuple[str, Mapping[str, tuple[Scalar, ...]]]]] = {}
        for union, definition in schema.definitions.items():
            for variant in _variants(definition.type):
                tags = marks[variant.pointer].constants
                for tag in ((key, text) for key, texts in tags.items() for text in texts if isinstance(text, str)):
                    self._by_tag.setdefault(tag, []).append(union)
                for name in _referred(schema, variant.type) if tags else ():
                    found.setdefault(name, []).append((union, tags))
        return found


def _variants(type_: Type) -> Iterator[Variant]:
    """The variants of the unions in a definition."""
    match type_:
        case Nullable(inner=inner):
            yield from _variants(inner)
        case Union(variants=variants):
            yield from variants
        case Object(unions=unions):
            for union in unions:
                yield from union.variants
        case _:
            pass


def _referred(schema: Schema, type_: Type) -> Iterator[str]:
    """The definitions that a type consists of."""
    match type_:
        case Reference(name=name):
            yield name
            yield from _referred(schema, schema.definitions[name].type)
        case Object(bases=bases):
            for base in bases:
                yield from _referred(schema, base)
        case _:
            pass


def _texts(value: dict[str, Any]) -> list[tuple[str, str]]:
    return [(key, child) for key, child in value.items() if isinstance(child, str)]


def _letters(name: str) -> str:
    return "".join(c for c in name.lower() if c.isalnum())


_EXAMPLE = re.compile(r"\.(request|response|notification)\.json$")


def definition_of(path: Path, protocol: Protocol) -> str | None:
    """The definition that a path `.../<side>/<method>/<name>.<kind>.json` names."""
    ending = _EXAMPLE.search(path.name)
    if ending is None:
        return None
    kind = ending[1]
    folders = path.absolute().parent.as_posix()
    for method in protocol.schema.methods:
        sides = PEERS if method.side == "both" else (method.side,)
        if (method.kind == "notification") != (kind == "notification"):
            continue
        if any(f"{folders}/".endswith(f"/{side}/{method.path}/") for side in sides):
            return method.result if kind == "response" else method.params
    return None
