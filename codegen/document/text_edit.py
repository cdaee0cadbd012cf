"""Edits of a JSON text: properties added and removed, values replaced. The rest of the text stays unchanged."""

from __future__ import annotations

import json
from typing import Any

from msgspec import Struct

from .json_types import is_json_array, is_json_object
from .positions import index_of
from .read import join, parse, pointer_parts
from .walk import part_at


class Insertion(Struct, frozen=True):
    """Text to insert at a byte of another text, replacing its bytes up to `until`."""

    at: int
    text: str
    until: int | None = None

    def into(self, data: bytes) -> bytes:
        """The text with the insertion."""
        return data[: self.at] + self.text.encode() + data[self.at if self.until is None else self.until :]


def replacement(data: bytes, pointer: str, value: Any) -> Insertion:
    """The edit that replaces the value at a pointer; it takes as many lines as before, one or several."""
    start, end = index_of(data).span(pointer_parts(pointer))
    indent = 2 if b"\n" in data[start:end] else None
    text = json.dumps(value, indent=indent, ensure_ascii=False).replace("\n", "\n" + _indentation(data, start))
    return Insertion(start, text, end)


def removal(data: bytes, pointer: str) -> Insertion:
    """Remove the property or item at a pointer, with its comma."""
    *above, last = pointer_parts(pointer)
    index, node = index_of(data), part_at(parse(data, "").value, above)
    keys = {name: key for name, (key, _) in index.members(above).items()}
    names = list(keys) if is_json_object(node) else [str(position) for position in range(len(node))]
    starts = [keys[name] if keys else index.offset([*above, name]) for name in names]
    at = names.index(last)
    if at:
        return Insertion(index.span([*above, names[at - 1]])[1], "", index.span([*above, last])[1])
    start, end = index.span(above)
    return Insertion(starts[0], "", starts[1]) if starts[1:] else Insertion(start + 1, "", end - 1)


def rewritten(data: bytes, value: Any) -> bytes:
    """A text for another value: properties are added, removed and renamed, items are removed, and other values are
    replaced.
    """
    while (edit := _edit(data, parse(data, "").value, value, "")) is not None:
        data = edit.into(data)
    return data


def _edit(data: bytes, old: Any, new: Any, pointer: str) -> Insertion | None:
    """The first edit on the way from one value to another; None if they are equal."""
    if old == new:
        return None
    if is_json_object(old) and is_json_object(new):
        gone = next((name for name in old if name not in new), None)
        added = next((name for name in new if name not in old), None)
        if gone is not None and added is not None and old[gone] == new[added]:
            index = index_of(data)
            key = index.members(pointer_parts(pointer))[gone][0]
            return Insertion(key, json.dumps(added, ensure_ascii=False), index.end(key))
        if gone is not None:
            return removal(data, join(pointer, gone))
        if added is not None:
            return addition(data, pointer, added, new[added])
        changed = next(name for name in old if old[name] != new[name])
        return _edit(data, old[changed], new[changed], join(pointer, changed))
    if is_json_array(old) and is_json_array(new) and len(new) <= len(old) and new:
        at = next((i for i, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), len(new))
        if len(new) < len(old):
            return removal(data, join(pointer, str(at)))
        return _edit(data, old[at], new[at], join(pointer, str(at)))
    return replacement(data, pointer, new)


def difference(old: bytes, new: bytes) -> Insertion:
    """The single edit that turns one text into another."""
    one, other = old.decode(), new.decode()
    start = _alike(one, other)
    end = _alike(one[start:][::-1], other[start:][::-1])
    text = other[start : len(other) - end]
    return Insertion(len(one[:start].encode()), text, len(one[: len(one) - end].encode()))


def _alike(one: str, other: str) -> int:
    """The number of characters with which both begin."""
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def addition(data: bytes, pointer: str, name: str, value: Any) -> Insertion:
    """The edit that adds a key to the object at a pointer, in its style; reserved names (`_...`) stay last."""
    steps = pointer_parts(pointer)
    index = index_of(data)
    node = part_at(parse(data, "").value, steps)
    start, end = index.span(steps)
    members = list(node) if is_json_object(node) else []
    ahead = members if name.startswith("_") else [member for member in members if not member.startswith("_")]
    before = ahead[-1] if ahead else None
    own = _indentation(data, start)
    at_line = "\n" in data[start:end].decode(errors="replace") or not members
    inside = own + "  " if at_line else ""
    body = json.dumps(value, indent=2 if at_line else None, ensure_ascii=False).replace("\n", "\n" + inside)
    member = f"{json.dumps(name, ensure_ascii=False)}: {body}"
    separator = f"\n{inside}" if at_line else " "
    if before is not None:
        return Insertion(index.span([*steps, before])[1], f",{separator}{member}")
    closing = f"\n{own}" if at_line and not members else ""
    return Insertion(start + 1, f"{separator if at_line else ''}{member}{',' if members else ''}{closing}")


def _indentation(data: bytes, at: int) -> str:
    """The white space that the line of a byte starts with."""
    line = data[data.rfind(b"\n", 0, at) + 1 : at].decode(errors="replace")
    return line[: len(line) - len(line.lstrip())]
