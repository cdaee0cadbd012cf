"""The changes to make on disk: files that differ, are missing or are no longer emitted. Foreign files are never
touched.
"""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ..errors import InputError
from .directory import opened
from .manifest import LOCK, NAME, digest, is_lock, is_manifest, parse_manifest

SAME = "same code"
"""The state of a file that differs only in formatting."""


class Change(Struct, frozen=True):
    """One file that differs. `text` is its expected content; None: the file should not exist."""

    path: str
    state: str
    text: str | None
    current: str | None


def changes(
    out: Path, files: Mapping[str, str], manifest_name: str = NAME, known: Mapping[str, str] | None = None
) -> list[Change]:
    """The changes that a directory needs. Raises InputError if a foreign file is in the way.

    `manifest_name`: the manifest of the previous run. Files that another manifest lists are foreign. `known`: the files
    of the previous run with digests, if the manifest has conflicts.
    """
    found: list[Change] = []
    with opened(out) as directory:
        if known is None:
            manifest = parse_manifest(directory.read(manifest_name))
            known = {} if manifest is None else manifest.files
        for path in sorted({*files, *known}):
            data = directory.read(path)
            current = None if data is None else data.decode("utf-8", "surrogateescape")
            is_known = data is not None and digest(data) == known.get(path)
            if path not in files:
                if is_known:
                    found.append(Change(path, "no longer emitted", None, current))
            elif current is None or current.replace("\r\n", "\n") != files[path]:
                state = "stale" if is_known else _state(path, current, files[path], known, manifest_name)
                if not state:
                    problem = "already exists and was not written by this tool; move it or choose another directory"
                    raise InputError(str(out / path), problem)
                found.append(Change(path, state, files[path], current))
    return found


def diff(found: list[Change]) -> Iterator[str]:
    """The changes as a unified diff."""
    for change in found:
        before = _lines(change.current)
        after = _lines(change.text)
        old = f"a/{change.path}" if change.current is not None else "/dev/null"
        new = f"b/{change.path}" if change.text is not None else "/dev/null"
        for line in difflib.unified_diff(before, after, old, new):
            yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


def _lines(text: str | None) -> list[str]:
    return list(io.StringIO(text or "", newline="\n"))


def _state(path: str, current: str | None, text: str, known: Mapping[str, str], manifest_name: str) -> str:
    """The state of a file compared with the last run; empty for a foreign file. A merge may drop lines of a
    manifest.
    """
    if current is None:
        return "missing"
    if (path == manifest_name and (path in known or is_manifest(current))) or (path == LOCK and is_lock(current)):
        return "stale"
    if path not in known and not (known and "@generated" in current.partition("\n")[0]):
        return ""
    return SAME if _is_same_code(path, current, text) else "edited by hand"


def _is_same_code(path: str, current: str, text: str) -> bool:
    """Return whether a module was only reformatted: its syntax tree and comments are the same."""
    if not path.endswith(".py") or len(current) > 2 * len(text) + 1000:
        return False
    try:
        return _code(current) == _code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError, tokenize.TokenError):
        return False


def _code(text: str) -> tuple[str, list[str]]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    comments = [token.string.strip("#! \t\r") for token in tokens if token.type == tokenize.COMMENT]
    return ast.dump(ast.parse(text)), comments
