"""The prebuilt standard package: `generated/`, with edits for a copy's parts.

`prebuilt.json` contains the edits, and the digests of the files that they apply to. If any digest differs, the
generator runs instead. The module imports nothing that the generator needs.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from ..resources import resource
from ..shape.public import RUNTIME
from .parts import INSTALLED, is_in
from .text import runtime_files

DATA: Final = Path(__file__).with_name("prebuilt.json")
COMBINATIONS: Final = ((), ("client",), ("client", "testing"), (INSTALLED,))
"""The prebuilt packages by parts and options: for `vendor` (agents and clients), for `new`, and one with an installed
runtime.
"""

Digest = Callable[[bytes], str]
Edit = tuple[int, int, list[str]]
"""A range of lines with its replacement."""


class _Edited(msgspec.Struct, frozen=True):
    """A file: the digest of the original (empty for a new file), and the edits."""

    source: str
    edits: list[Edit]


_Data = dict[str, dict[str, _Edited]]
"""For each package, the files that differ from their source. The key is the package's parts, joined with commas."""


def standard_files() -> dict[str, str]:
    """The files of `generated/`, including the manifest; empty in an installation without them."""
    home = resource("generated")
    files = (
        {path.name: path.read_bytes().decode() for path in home.iterdir() if path.is_file()} if home.is_dir() else {}
    )
    files |= runtime_files()
    return {path: text.replace("\r\n", "\n") for path, text in files.items()}


def prebuilt(sources: Mapping[str, str], parts: tuple[str, ...], digest: Digest) -> dict[str, str] | None:
    """The files of a package with some parts, derived from the standard package; None if it is not prebuilt."""
    try:
        edited = msgspec.json.decode(DATA.read_bytes(), type=_Data).get(",".join(parts))
    except (OSError, msgspec.DecodeError):
        return None
    if edited is None:
        return None
    files = {path: text for path, text in sources.items() if is_in(path, parts)}
    if INSTALLED in parts:
        files = {path: text for path, text in files.items() if not path.startswith(f"{RUNTIME}/")}
    for path, found in edited.items():
        before = sources.get(path, "") if found.source else ""
        if found.source and digest(before.encode()) != found.source:
            return None
        files[path] = _apply(before, found.edits)
    return files


def prebuilt_data(
    sources: Mapping[str, str], packages: Mapping[tuple[str, ...], Mapping[str, str]], digest: Digest
) -> str:
    """The data for prebuilt packages, computed from the generator's files."""
    data: _Data = {}
    for parts, files in packages.items():
        data[",".join(parts)] = {
            path: _Edited(
                digest(sources[path].encode()) if path in sources else "", _edits(sources.get(path, ""), text)
            )
            for path, text in sorted(files.items())
            if sources.get(path) != text
        }
    return json.dumps(msgspec.to_builtins(data), indent=1) + "\n"


def _edits(before: str, after: str) -> list[Edit]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    found = difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [(begin, end, new[first:last]) for kind, begin, end, first, last in found if kind != "equal"]


def _apply(text: str, edits: Sequence[Edit]) -> str:
    lines = text.splitlines(keepends=True)
    for begin, end, instead in reversed(edits):
        lines[begin:end] = instead
    return "".join(lines)
