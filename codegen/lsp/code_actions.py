"""Code actions for findings: edits of the schema, and new files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from ..check.fixes import fix
from ..check.rfd.examples import absent
from ..document.json_types import is_json_array
from ..document.positions import index_of
from ..document.read import join, pointer_parts
from ..document.text_edit import Insertion, difference, replacement
from ..document.walk import part_at
from ..errors import meant, quoted
from ..findings.finding import Finding
from .workspace import Desk


class Action(Struct, frozen=True, kw_only=True):
    """A code action: its title, the edits of the schema, and the content of a new file."""

    title: str
    insertion: Insertion | None = None
    file: Path | None = None
    text: str = ""


def actions(desk: Desk, finding: Finding) -> Iterator[Action]:
    """The actions for a finding; none while the text is invalid JSON."""
    document = desk.document
    if document is None or document.text != desk.text:
        return
    made = fix(finding, document, desk.earlier.document if desk.earlier is not None else None)
    if respelt := list(_respelling(desk, finding)):
        yield from respelt
    elif made is not None:
        yield Action(title=made[0].title, insertion=difference(desk.text, made[1]))
    elif finding.id == "example-missing":
        yield from _example(desk, finding)
    else:
        yield from _misspelling(desk, finding)


def _example(desk: Desk, finding: Finding) -> Iterator[Action]:
    if desk.document is None:
        return
    for each in absent(desk.document, desk.path, ()):
        if each.path and each.parts[0].pointer == finding.pointer and str(each) == finding.message:
            yield Action(title=f"Write {each.path}", file=each.file, text=each.text)


def _respelling(desk: Desk, finding: Finding) -> Iterator[Action]:
    """Replace a misspelt name with the suggested one."""
    if finding.id not in ("rfd-unknown", "capability-unknown"):
        return
    steps = pointer_parts(finding.pointer)
    written = part_at(desk.document.value if desk.document is not None else {}, steps)
    near = meant(written, [name for name, _ in desk.known(steps[-1])], 0.8) if isinstance(written, str) else ""
    if near:
        yield Action(title=f"Write {near}", insertion=replacement(desk.text, finding.pointer, near))


def _misspelling(desk: Desk, finding: Finding) -> Iterator[Action]:
    """Replace a misspelt value, item or key if the advice names a replacement."""
    near = _MEANT.search(finding.instead)
    if near is None or desk.document is None:
        return
    steps = pointer_parts(finding.pointer)
    node = part_at(desk.document.value, steps)
    title = f"Write {near[1]}"
    if isinstance(node, str):
        yield Action(title=title, insertion=replacement(desk.text, finding.pointer, near[1]))
        return
    said = finding.message
    names = (
        [name for name in node if isinstance(name, str) and (f"`{name}`" in said or quoted(name) in said)]
        if node
        else []
    )
    if is_json_array(node) and names:
        pointer = join(finding.pointer, str(node.index(names[0])))
        yield Action(title=title, insertion=replacement(desk.text, pointer, near[1]))
        return
    above, name = (steps, names[0]) if names else (steps[:-1], steps[-1] if steps else "")
    index = index_of(desk.text)
    if name in (members := index.members(above)) and near[1] not in members:
        key = members[name][0]
        yield Action(title=title, insertion=Insertion(key, json.dumps(near[1], ensure_ascii=False), index.end(key)))


_MEANT = re.compile(r'did you mean [`"]?([^`"]+?)[`"]?\?')
