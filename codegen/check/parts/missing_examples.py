"""Missing example messages of a schema: their paths and proposed contents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct

from ...document.json_types import is_json_array, is_json_object
from ...model.instances.coverage import Part, Shown
from ...model.instances.example_messages import Bodies, Body, known_values
from ...model.nodes.types import Method, Reference
from .schemas import Loaded

PEERS = ("agent", "client")
MESSAGES = PurePosixPath("examples", "messages")
"""The directory of example messages, beside a schema."""


_LONGEST = 160
"""Maximum length of a message that is shown on one line."""
_MOST = 3
"""Maximum number of further parts that are named."""


class End(Struct, frozen=True):
    """The params or result of a method, which an example file contains. `role`: request, response or notification."""

    method: Method
    role: str
    definition: str

    def directory(self) -> PurePosixPath:
        """The directory of its examples."""
        return PurePosixPath(self.method.side, *self.method.path.split("/"))


class Missing(Struct, frozen=True):
    """Parts of a schema that no example covers, and a message that would cover them, if one was found."""

    end: End | None
    parts: tuple[Part, ...]
    beside: str = ""
    """The file beside which the example belongs: the schema, or the extension that added the parts."""
    path: str = ""
    body: Any = None

    def __str__(self) -> str:
        first, *rest = self.parts
        what = f"{first.words} of {self.end.method.path}" if self._is_whole(first) and self.end else first.words
        own = f"{first.words}." if self._is_whole(first) else "\0"
        others = [part.words for part in rest if not part.words.startswith(own)]
        more = f", nor {', '.join(others[:_MOST])}" if others else ""
        return f"no example message contains {what}{more}" + (
            f" and {len(others) - _MOST} more" if others[_MOST:] else ""
        )

    def _is_whole(self, part: Part) -> bool:
        """Return whether no example has this kind of message."""
        return self.end is not None and part.words == self.end.definition

    @property
    def text(self) -> str:
        """The content of the file to write."""
        return json.dumps(self.body, indent=2, ensure_ascii=False) + "\n"

    @property
    def file(self) -> Path:
        """The file to write."""
        return Path(self.beside).parent / self.path

    @property
    def instead(self) -> str:
        """The advice, in one line."""
        if not self.path:
            return ""
        body = json.dumps(self.body, ensure_ascii=False)
        shown = body if len(body) <= _LONGEST else "such a message"
        extend = "" if PurePosixPath(self.path).is_relative_to(MESSAGES) else f" --extend {self.beside}"
        return f"write {shown} to {self.file}, or run `acp-codegen examples --missing --write{extend}`"


def ends(loaded: Loaded) -> Iterator[End]:
    """All kinds of messages of the schema."""
    for method in loaded.schema.methods:
        yield End(method, method.kind, method.params)
        if method.result is not None:
            yield End(method, "response", method.result)


def missing(loaded: Loaded) -> list[Missing]:
    """The parts that no example covers, in the order in which generated messages cover them."""
    examples = loaded.examples or []
    every = list(ends(loaded))
    by_definition = {end.definition: end for end in reversed(every)}
    shown = Shown(loaded.forms, _nulls(loaded))
    parts = shown.parts(list(by_definition))
    there = {example.definition for example in examples}
    seen: set[str] = set()
    for example in examples:
        seen |= shown.by(Reference(example.definition), example.value)
    wanted = [key for key in parts if key not in seen]
    if not wanted:
        return []
    bodies = Bodies(shown, known_values(example.value for example in examples))
    found: list[Missing] = []
    taken = {example.path for example in examples}
    # Messages without any example come first; among them, those of clients and agents.
    order = sorted(by_definition, key=lambda name: (name in there, by_definition[name].method.side not in PEERS))
    for body in bodies.showing(order, wanted):
        end = by_definition[body.definition]
        new = tuple(sorted((parts[key] for key in body.shows), key=lambda part: part.words != body.definition))
        beside = loaded.raw.document.place(new[0].pointer)[0]
        directory = MESSAGES if loaded.raw.own(new[0].pointer) else PurePosixPath(Path(beside).stem, "messages")
        path = _free(directory / end.directory(), _name(loaded, body, new, there), end.role, taken)
        there.add(body.definition)
        found.append(Missing(end, new, beside, path, body.value))
    told = {part.key for each in found for part in each.parts}
    return [*found, *(Missing(None, (parts[key],)) for key in wanted if key not in told)]


def _nulls(loaded: Loaded) -> set[str]:
    """The pointers of nullable parts with a separate null variant."""
    return {
        pointer
        for pointer, node in loaded.raw.nodes
        if any(variant.get("type") == "null" for variant in _variants(node))
    }


def _variants(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for keyword in ("anyOf", "oneOf"):
        variants = node.get(keyword)
        if is_json_array(variants):
            yield from filter(is_json_object, variants)


def _name(loaded: Loaded, body: Body, parts: tuple[Part, ...], there: set[str]) -> str:
    """The name of a file: by size for the first example of a kind, otherwise by the covered part."""
    if body.definition not in there:
        fields = loaded.forms.form(Reference(body.definition)).fields if is_json_object(body.value) else {}
        return "full" if any(name in body.value and not field.required for name, field in fields.items()) else "minimal"
    part = next((p for p in parts if p.pointer.count("/") > 2), parts[0])  # rather than by a definition
    quoted = re.search(r'"([^"]+)"', part.words)
    words = quoted.group(1) if quoted else re.split(r"[. ]", part.words.removesuffix(" as null"))[-1]
    kebab = re.sub(r"[^a-z0-9]+", "-", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words).lower()).strip("-") or "more"
    return f"null-{kebab}" if part.key.endswith("/null") else kebab


def _free(directory: PurePosixPath, name: str, role: str, taken: set[str]) -> str:
    """An unused path for an example, which is then reserved."""
    numbers = ("", *(f"-{number}" for number in range(2, len(taken) + 3)))
    path = next(p for n in numbers if (p := str(directory / f"{name}{n}.{role}.json")) not in taken)
    taken.add(path)
    return path
