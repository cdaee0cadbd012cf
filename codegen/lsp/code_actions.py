"""Code actions for findings: edits of the schema, and new files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..check.rfd.examples import absent
from ..document.json_types import is_json_array, is_json_object
from ..document.positions import index_of
from ..document.read import join, pointer_parts
from ..document.text_edit import Insertion, addition, replacement
from ..document.walk import part_at, schemas
from ..errors import meant, quoted
from ..findings.finding import Finding
from .workspace import Desk


class Fix(Struct, frozen=True, kw_only=True):
    """Something that can be done: what it is called, what goes into the schema, what goes into a new file."""

    title: str
    insertion: Insertion | None = None
    file: Path | None = None
    text: str = ""


def fixes(desk: Desk, finding: Finding) -> list[Fix]:
    """The actions for a finding; empty while the text is invalid JSON."""
    if desk.document is None or desk.document.text != desk.text:
        return []
    return list(_FIXES.get(finding.id, _misspelling)(desk, finding)) or list(_misspelling(desk, finding))


def _added(desk: Desk, title: str, pointer: str, name: str, value: Any) -> Fix:
    return Fix(title=title, insertion=addition(desk.text, pointer, name, value))


def _room(desk: Desk, finding: Finding) -> Iterator[Fix]:
    """Add the room for implementations as other objects have it."""
    document: Any = desk.document.value if desk.document is not None else {}
    nodes = (node for _, node in schemas(document.get("$defs", {}), "/$defs", "schemas"))
    usual = next((p["_meta"] for n in nodes if is_json_object(p := n.get("properties")) and "_meta" in p), None)
    value = usual or {
        "description": "Room for implementations.",
        "type": ["object", "null"],
        "additionalProperties": True,
    }
    node = part_at(document, pointer_parts(finding.pointer))
    if is_json_object(node) and is_json_object(node.get("properties")):
        yield _added(desk, "Add _meta", join(finding.pointer, "properties"), "_meta", value)
    elif is_json_object(node) and "$ref" not in node:
        yield _added(desk, "Add _meta", finding.pointer, "properties", {"_meta": value})


def _description(desk: Desk, finding: Finding) -> Iterator[Fix]:
    node = part_at(desk.document.value if desk.document is not None else {}, pointer_parts(finding.pointer))
    if is_json_object(node) and "description" not in node:
        yield _added(desk, "Add a description", finding.pointer, "description", "TODO: say what it means.")


def _example(desk: Desk, finding: Finding) -> Iterator[Fix]:
    if desk.document is None:
        return
    for each in absent(desk.document, desk.path, ()):
        if each.path and each.parts[0].pointer == finding.pointer and str(each) == finding.message:
            yield Fix(title=f"Write {each.path}", file=each.file, text=each.text)


def _respelling(desk: Desk, finding: Finding) -> Iterator[Fix]:
    """Replace a misspelt name by the one that is probably meant."""
    steps = pointer_parts(finding.pointer)
    written = part_at(desk.document.value if desk.document is not None else {}, steps)
    near = meant(written, [name for name, _ in desk.known(steps[-1])], 0.8) if isinstance(written, str) else ""
    if near:
        yield Fix(title=f"Write {near}", insertion=replacement(desk.text, finding.pointer, near))


def _misspelling(desk: Desk, finding: Finding) -> Iterator[Fix]:
    """Replace a misspelt value, item or key where the advice names what is probably meant."""
    near = _MEANT.search(finding.instead)
    if near is None or desk.document is None:
        return
    steps = pointer_parts(finding.pointer)
    node = part_at(desk.document.value, steps)
    title = f"Write {near[1]}"
    if isinstance(node, str):
        yield Fix(title=title, insertion=replacement(desk.text, finding.pointer, near[1]))
        return
    said = finding.message
    names = (
        [name for name in node if isinstance(name, str) and (f"`{name}`" in said or quoted(name) in said)]
        if node
        else []
    )
    if is_json_array(node) and names:
        pointer = join(finding.pointer, str(node.index(names[0])))
        yield Fix(title=title, insertion=replacement(desk.text, pointer, near[1]))
        return
    above, name = (steps, names[0]) if names else (steps[:-1], steps[-1] if steps else "")
    index = index_of(desk.text)
    if name in (members := index.members(above)) and near[1] not in members:
        key = members[name][0]
        yield Fix(title=title, insertion=Insertion(key, json.dumps(near[1], ensure_ascii=False), index.end(key)))


_MEANT = re.compile(r'write [`"]?([^`"]+?)[`"]?, if you mean that')


def _unknown_rfd(desk: Desk, finding: Finding) -> Iterator[Fix]:
    yield from list(_respelling(desk, finding)) or _entry(desk, finding)


def _entry(desk: Desk, finding: Finding) -> Iterator[Fix]:
    name = part_at(desk.document.value if desk.document is not None else {}, pointer_parts(finding.pointer))
    if isinstance(name, str) and desk.document is not None:
        entry = {"title": name.replace("-", " ").capitalize(), "stage": "draft"}
        title = f"Add {name} to x-rfds"
        if is_json_object(desk.document.value.get("x-rfds")):
            yield _added(desk, title, "/x-rfds", name, entry)
        else:
            yield _added(desk, title, "", "x-rfds", {name: entry})


_FIXES: Mapping[str, Callable[[Desk, Finding], Iterator[Fix]]] = {
    "meta-field-missing": _room,
    "def-undocumented": _description,
    "property-undocumented": _description,
    "value-undocumented": _description,
    "example-missing": _example,
    "rfd-unknown": _unknown_rfd,
    "capability-unknown": _respelling,
}
"""What can be done, by the rule of a finding."""
