"""A shareable copy of a recording: strings that the protocol does not define become placeholders.

Invariant: a string is copied only if the schema defines it, or if the user selected its place. Equal strings get equal
placeholders, so `validate` and `trace replay` find the same ids, paths and order in the copy.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ..codegen_api import console, errors, escape, json_types, pipeline
from .redaction import masked
from .transcript import Heard, read

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d")
_ROWS = 200
"""Maximum number of places in the preview."""


class _Place(msgspec.Struct):
    """Counts for one place of the shared file: replaced strings and characters, and strings kept on request."""

    replaced: int = 0
    kept: int = 0
    characters: int = 0


def share(path: Path, out: Path | None, keep: Sequence[str], schema: Path | None) -> int:
    """Print the contents of the copy, and write it to `out`, a new file, if given."""
    copy = _Copy(_words(schema or pipeline.default_schema()), keep)
    lines = [copy.line(heard) for _, frames in read(path) for heard in frames]
    unknown = sorted(set(keep) - set(copy.places))
    if unknown:
        raise errors.InputError(
            unknown[0], "is not a place in this recording: choose one that `trace share FILE` prints"
        )
    for row in copy.preview():
        console.say(escape.line(row))
    if out is None:
        console.say("nothing was written: pass --out FILE to write this copy")
        return 0
    try:
        with open(out, "x", encoding="utf-8") as file:
            file.writelines(lines)
    except FileExistsError:
        raise errors.InputError(str(out), "already exists: choose a new file") from None
    console.say(f"{len(lines)} frames written to {escape.line(str(out))}")
    return 0


def _words(schema: Path) -> tuple[frozenset[str], frozenset[str]]:
    """The strings that a schema names as values, and the names of properties."""
    values, names = {"2.0"}, {"jsonrpc", "id", "method", "params", "result", "error", "code", "message", "data"}

    def walk(node: Any) -> None:
        if json_types.is_json_object(node):
            for key, value in node.items():
                if key in {"const", "enum", "x-method"}:
                    values.update(
                        v for v in (value if json_types.is_json_array(value) else [value]) if isinstance(v, str)
                    )
                elif key == "properties" and json_types.is_json_object(value):
                    names.update(value)
                walk(value)
        elif json_types.is_json_array(node):
            for item in node:
                walk(item)

    walk(json.loads(schema.read_bytes()))
    return frozenset(values), frozenset(names)


class _Copy:
    """Creates the copy frame by frame and counts its contents."""

    def __init__(self, words: tuple[frozenset[str], frozenset[str]], keep: Iterable[str]) -> None:
        self._values, self._names = words
        self._keep = frozenset(keep)
        self._marks: dict[str, str] = {}
        self._renamed: dict[str, str] = {}
        self._asked: dict[tuple[str, str], str] = {}
        self._words = self._others = 0
        self.places: dict[str, _Place] = {}

    def line(self, heard: Heard) -> str:
        """The copied line of a frame."""
        whole = {"t": heard.at, "dir": heard.direction}
        if isinstance(heard.frame, str):
            return json.dumps({**whole, "raw": f"({len(heard.raw)} bytes that are not JSON)"}) + "\n"
        frame = json.loads(masked(heard.raw)) if self._keep else heard.frame
        return json.dumps({**whole, "msg": self._safe(frame, [self._subject(heard)])}) + "\n"

    def _subject(self, heard: Heard) -> str:
        """The method of a frame, or of the request that it answers."""
        frame = heard.frame if json_types.is_json_object(heard.frame) else {}
        method, id_ = frame.get("method"), json.dumps(frame.get("id"))
        sides = heard.direction.split("-to-")
        if isinstance(method, str):
            subject = method if method in self._values else "(another method)"
            self._asked[sides[0], id_] = subject
            return subject
        return self._asked.get((sides[-1], id_), "(no method)")

    def _safe(self, value: Any, place: list[str]) -> Any:
        if json_types.is_json_object(value):
            return {(n := self._name(name)): self._safe(item, [*place, n]) for name, item in value.items()}
        if json_types.is_json_array(value):
            return [self._safe(item, place) for item in value]
        if not isinstance(value, str):
            self._others += 1
            return value
        if value in self._values:
            self._words += 1
            return value
        where = " ".join((place[0], ".".join(place[1:])))
        found = self.places.setdefault(where, _Place())
        found.characters += len(value)
        if where in self._keep:
            found.kept += 1
            return value
        found.replaced += 1
        return self._marks.setdefault(value, _mark(value, len(self._marks) + 1))

    def _name(self, name: str) -> str:
        return name if name in self._names else self._renamed.setdefault(name, f"name-{len(self._renamed) + 1}")

    def preview(self) -> Iterator[str]:
        """Describe the content that remains in the shared file."""
        yield f"unchanged: {self._words} strings that the schema defines, {self._others} numbers, booleans and nulls"
        if self._renamed:
            yield f"replaced: {len(self._renamed)} names of properties that are not in the schema"
        kept = {where: place for where, place in self.places.items() if place.kept}
        for title, rows in (
            ("KEPT (--keep), with secrets of known forms masked", kept),
            ("replaced by marks", {w: p for w, p in self.places.items() if not p.kept}),
        ):
            if rows:
                yield f"{title}:"
            for where, place in list(rows.items())[:_ROWS]:
                yield f"    {where}: {place.kept or place.replaced} strings, {place.characters} characters"
            if len(rows) > _ROWS:
                yield f"    and {len(rows) - _ROWS} more places"


def _mark(text: str, number: int) -> str:
    """The replacement of a string: a time, an absolute path, or text."""
    if not text:
        return ""
    if _TIME.match(text):
        return f"2000-01-01T{number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02}Z"
    return f"/text-{number}" if text.startswith("/") else f"text-{number}"
