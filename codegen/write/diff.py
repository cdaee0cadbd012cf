"""What would change on disk: files that differ, are missing or are no longer emitted. Foreign files are never touched."""

from __future__ import annotations

import ast
import difflib
import io
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from ..errors import InputError
from .folder import Folder, opened
from .manifest import LOCK, NAME, digest, is_lock, is_manifest, parse_manifest

SAME = "same code"
"""The state of a file that differs only in formatting."""


class Change(Struct, frozen=True):
    """One file that differs. `text` is its expected content; None: the file should not exist."""

    path: str
    state: str
    text: str | None
    current: str | None


def changes(out: Path, files: Mapping[str, str], manifest_name: str = NAME) -> list[Change]:
    """The changes a directory needs; raises InputError where a foreign file is in the way.

    `manifest_name`: the file that says what was written there before. What another manifest lists is foreign.
    """
    with opened(out) as folder:
        manifest = None if folder is None else parse_manifest(folder.read(manifest_name))
        known = {} if manifest is None else manifest.files
        found = [
            change for path, text in files.items() if (change := _emitted(folder, path, text, known, manifest_name))
        ]
        for path, known_digest in known.items():
            current = None if path in files else _current(folder, path)
            if current is not None and _digest(current) == known_digest:
                found.append(Change(path, "no longer emitted", None, current))
    return sorted(found, key=lambda change: change.path)


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


def _emitted(
    folder: Folder | None, path: str, text: str, known: Mapping[str, str], manifest_name: str
) -> Change | None:
    current = _current(folder, path)
    if current is not None and current.replace("\r\n", "\n") == text:
        return None
    if folder is None or current is None:
        return Change(path, "missing", text, None)
    if (path == manifest_name and (path in known or is_manifest(current))) or (path == LOCK and is_lock(current)):
        return Change(path, "stale", text, current)
    if path not in known and not (known and _says_generated(current)):
        problem = "is in the way and was not written by this tool; move it or choose another directory"
        raise InputError(str(folder.path / path), problem)
    if _digest(current) == known.get(path):
        return Change(path, "stale", text, current)
    return Change(path, SAME if _is_same_code(path, current, text) else "edited by hand", text, current)


def _says_generated(text: str) -> bool:
    """Whether a file is one of ours that a merge of two manifests dropped."""
    return "@generated" in text.partition("\n")[0]


def _is_same_code(path: str, current: str, text: str) -> bool:
    """Whether a module was only reformatted: its syntax tree and the text of its comments are the same."""
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


def _current(folder: Folder | None, path: str) -> str | None:
    data = None if folder is None else folder.read(path)
    return None if data is None else data.decode("utf-8", "surrogateescape")


def _digest(text: str) -> str:
    return digest(text.encode("utf-8", "surrogateescape"))
