"""What a package was made from: digests of everything that shapes it. Light to import, so that an unchanged run is quick.

Anybody may have written the manifest that is read: what does not have just this shape counts as none.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import msgspec

from ..resources import generator_sources
from .folder import is_inside, opened

NAME = "manifest.json"
LOCK = "names.lock.json"
"""The file with the names that programs know, beside a schema and in every package."""
WRITER = "datamodel-code-generator"
"""The one dependency of which every version writes other code; what else shapes the output makes the same of it in a range."""
_SHORT = 16
"""Hexadecimal digits of a digest in the file."""


class Extended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An extension that was applied."""

    title: str
    version: str
    sha256: str


class RememberedSchema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A schema that did not come with the tool; `path` is None where only a path outside of the project leads to it."""

    path: str | None


class RememberedExtension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An extension: the name of its file, the path to it from the directory, and its text when it was last read."""

    name: str
    path: str | None
    text: str


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How `vendor` finds again what it was given; `schema` is None for the one that comes with the tool."""

    schema: RememberedSchema | None = None
    extensions: tuple[RememberedExtension, ...] = ()


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The file: what the package follows from, `names` the lock beside the schema, and the digest of each file; `vendored` where `vendor` made it."""

    schema: str
    extensions: tuple[Extended, ...] = ()
    generator: str
    options: tuple[str, ...] = ()
    names: str | None = None
    vendored: Memory | None = None
    files: dict[str, str] = {}

    def text(self, files: Mapping[str, str]) -> str:
        """The text of the file for a package with these files."""
        whole = msgspec.structs.replace(
            self, files={path: digest(text.encode()) for path, text in sorted(files.items())}
        )
        shown = {key: value for key, value in msgspec.to_builtins(whole).items() if value not in (None, ())}
        return json.dumps(shown, indent=2) + "\n"


def digest(data: bytes) -> str:
    """The digest that the manifest holds of a file; line ends do not count, because git changes them on some systems."""
    return _hex(hashlib.sha256(data.replace(b"\r\n", b"\n")))


def inputs(
    schema: bytes,
    options: Iterable[str],
    extensions: Iterable[Extended] = (),
    vendored: Memory | None = None,
    *,
    names: bytes = b"",
) -> Manifest:
    """What the output follows from, as it is in the manifest; no files yet."""
    generator = hashlib.sha256(f"{WRITER} {_version(WRITER)}\0".encode())
    for path in generator_sources():
        generator.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return Manifest(
        schema=digest(schema),
        extensions=tuple(extensions),
        generator=_hex(generator),
        options=tuple(sorted(options)),
        names=digest(names) if names else None,
        vendored=vendored,
    )


def read_manifest(out: Path) -> Manifest | None:
    """The manifest in a directory; None where there is none that can be read. Raises InputError."""
    with opened(out) as folder:
        return None if folder is None else parse_manifest(folder.read(NAME))


def parse_manifest(data: bytes | None) -> Manifest | None:
    """A manifest from its bytes; None for what is not one."""
    try:
        manifest = msgspec.json.decode(data or b"", type=Manifest)
    except (msgspec.DecodeError, RecursionError):
        return None
    files = {path: known[:_SHORT] for path, known in manifest.files.items()}  # they were longer once
    return msgspec.structs.replace(manifest, files=files) if all(map(is_inside, files)) else None


def is_manifest(text: str) -> bool:
    """Whether a text is a manifest of ours, be it one that a merge has left in pieces."""
    return '"generator": "' in text and '"files": {' in text


def is_lock(text: str) -> bool:
    """Whether a text is a lock of ours; a merge may have lost the manifest's line for it."""
    return text.startswith('{\n  "definitions": {') and '"methods": {' in text


def up_to_date(out: Path, made_from: Manifest) -> bool:
    """Whether a directory holds just what these inputs make, going by digests alone."""
    with opened(out) as folder:
        manifest = None if folder is None else parse_manifest(folder.read(NAME))
        if folder is None or manifest is None or msgspec.structs.replace(manifest, files={}) != made_from:
            return False
        found = ((folder.read(path), known) for path, known in manifest.files.items())
        return all(data is not None and digest(data) == known for data, known in found)


def _hex(found: hashlib._Hash) -> str:
    return found.hexdigest()[:_SHORT]


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"
