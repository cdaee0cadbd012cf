"""Renames of definitions, RFDs and methods, in all files of a schema at once: every edit, or none.

The files are the schema, its extensions, the texts of its RFDs, and its example messages. `generate` updates the lock
of names: a renamed definition keeps its old class as an alias.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from ..check.command import example_directories
from ..check.parts.texts import FOLDER, read_texts
from ..document.json_types import is_json_object
from ..document.read import Document, parse, read_bytes
from ..document.yaml_parser import SUFFIXES
from ..errors import CodegenError, InputError, printable
from .navigation import TABLES, Name, uses
from .positions import Span, spot

Read = Callable[[Path], bytes]
"""Reads a file, or its text in an editor."""
Edit = tuple[Span, str]


class Renaming(NamedTuple):
    """The edits of each file, and the files that get another path."""

    edits: Mapping[Path, list[Edit]]
    moves: list[tuple[Path, Path]]


_VALID = {
    "$defs": (r"[A-Za-z_][A-Za-z0-9_]*", "FileChange"),
    "x-rfds": (r"[a-z][a-z0-9]*(-[a-z0-9]+)*", "session-rename"),
    "x-method": (r"[a-z_$][a-z0-9_$.]*(/[a-z0-9_]+)*", "session/rename"),
}
_WRITTEN: Mapping[str, Mapping[str, str]] = {
    "$defs": {
        "definition": r"^()@$",
        "reference": r"^(#/\$defs/)@(?=/|$)",
        "subject": r"^()@(?=\.|$)",
        "target": r"(\$defs(?:['\"]\])?(?:\.|\[['\"]))@(?![\w])",
        "prose": r"(`|#/\$defs/)@(?=[`./\"])",
    },
    "x-rfds": {"rfd": r"^()@$", "prose": r"(`)@(?=/(?:#)`)", "target": r"(['\"])@(?=['\"])"},
    "x-method": {
        "method": r"^()@$",
        "subject": r"^()@$",
        "example": r"^([^/]+/)@(?=/[^/]+$)",
        "target": r"(['\"])@(?=['\"])",
        "prose": r"([`\"])@(?=[`\"])",
    },
}
"""The form of a name in each format of a text: what is before it, `@` for the name, and what follows; `#`: the ids of
its requirements.
"""


def renaming(schema: Path, name: Name, new: str, read: Read = read_bytes) -> Renaming:
    """The edits that rename something. Raises CodegenError if any of them is impossible."""
    text = read(schema)
    document = parse(text, str(schema))
    table, old = name
    _refuse(document, name, new)
    ids = "|".join(map(re.escape, document.value.get("x-requirements", {}).get(old, {})))
    written = {
        form: re.compile(pattern.replace("@", re.escape(old)).replace("(?:#)", f"(?:{ids or '(?!)'})"))
        for form, pattern in _WRITTEN[table].items()
    }
    if table == "x-method" and "/" not in old:
        del written["prose"]  # the word may mean something else
    extensions = [*_extensions(schema, read)]
    edits = {schema: [*_in_json(document, written, new)]}
    for file in extensions:
        data = read(file)
        if file.suffix in SUFFIXES:
            if old.encode() in data:
                raise InputError(
                    str(file), f"refers to {printable(old)}; only JSON can be edited, so nothing was renamed"
                )
        else:
            edits[file] = [*_in_json(parse(data, str(file)), written, new)]
    texts = {schema.parent / FOLDER / f"{rfd}.md": rfd for rfd in read_texts(schema.parent)}
    for file in texts if "prose" in written else ():
        edits[file] = [*_in_prose(read(file), written["prose"], new)]
    moves = [(file, file.with_stem(new)) for file, rfd in texts.items() if name == ("x-rfds", rfd)]
    if table == "x-method":
        moves += _examples(document, example_directories(schema, extensions), old, new)
    for _, to in moves:
        if to.exists():
            raise InputError(str(to), "already exists, so nothing was renamed")
    return Renaming({file: found for file, found in edits.items() if found}, moves)


def _refuse(document: Document, name: Name, new: str) -> None:
    table, _ = name
    taken = (
        new in document.value.get(table, {})
        if table in TABLES
        else any(use.name == (table, new) for use in uses(document.value))
    )
    if taken:
        raise CodegenError(f"{table} already has {new}")
    pattern, like = _VALID[table]
    if not re.fullmatch(pattern, new):
        raise CodegenError(f"{printable(new)} is not a valid name; expected a name like {like}")


def _in_json(document: Document, written: Mapping[str, re.Pattern[str]], new: str) -> Iterator[Edit]:
    for use in uses(document.value):
        pattern = written.get(use.format)
        text = pattern.sub(lambda found: found[1] + new, use.text) if pattern is not None else use.text
        if text != use.text:
            yield use.span(document.text), json.dumps(text, ensure_ascii=False)


def _in_prose(data: bytes, pattern: re.Pattern[str], new: str) -> Iterator[Edit]:
    text = data.decode(errors="replace")
    for found in pattern.finditer(text):
        start, end = (len(text[:at].encode()) for at in (found.end(1), found.end()))
        yield Span(spot(data, start), spot(data, end)), new


def _extensions(schema: Path, read: Read) -> Iterator[Path]:
    """The extension documents below the folder of a schema that may extend it."""
    for folder, below, files in os.walk(schema.parent):
        below[:] = sorted(each for each in below if not each.startswith(".") and each != "node_modules")
        for file in (Path(folder, each) for each in sorted(files) if each.endswith((".json", *SUFFIXES))):
            try:
                if b"overlay" not in file.read_bytes()[:_HEAD]:
                    continue
                data = read(file)
            except (OSError, InputError):
                continue
            if file.suffix in SUFFIXES or (
                is_json_object(value := parse(data, str(file)).value) and "overlay" in value and "x-fits" not in value
            ):
                yield file


_HEAD = 1000
"""Bytes of a file in which `overlay` marks an extension document."""


def _examples(document: Document, directories: list[Path], old: str, new: str) -> Iterator[tuple[Path, Path]]:
    """The example messages of a method, with their new paths."""
    nodes = document.value["$defs"].values()
    sides = {node.get("x-side") for node in nodes if is_json_object(node) and node.get("x-method") == old}
    for directory in directories:
        for side in sorted(each for each in sides if isinstance(each, str)):
            for file in sorted(directory.joinpath(side, old).glob("*.json")):
                yield file, directory / side / new / file.name
