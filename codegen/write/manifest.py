"""The manifest of a package: digests of all its inputs. The module imports quickly, so that an unchanged run is fast.

A manifest is untrusted input. One with an unexpected form counts as missing.

`vendor --on` reads the manifest of the base package, too, and checks that both have the same schema.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from ..errors import InputError, printable
from ..resources import generator_sources
from .directory import is_inside, opened

NAME = "manifest.json"
LOCK = "names.lock.json"
"""The names lock, which contains the Python names that programs rely on. There is one beside a schema and one in
every package.
"""
WRITER = "datamodel-code-generator"
"""The only dependency whose output differs between versions."""
_SHORT = 16
"""The number of hexadecimal digits of a digest in the manifest."""


class Extended(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An extension that was applied."""

    title: str
    version: str
    sha256: str


class RememberedSchema(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A schema that is not bundled with the tool. `path` is None if the file is outside the project."""

    path: str | None


class RememberedExtension(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An extension: the name of its file, its path relative to the package, and its text as last read."""

    name: str
    path: str | None
    text: str


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The inputs that `vendor` reuses in the next run. `schema` is None for the bundled one."""

    schema: RememberedSchema | None = None
    extensions: tuple[RememberedExtension, ...] = ()


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The manifest: digests of the inputs and of each file.

    `names` is the digest of the lock beside the schema; `vendored` is set where `vendor` wrote the package. `parts` are
    the package's parts besides the core; None in a manifest from before parts could be chosen. `implied` are the parts
    that were not requested but that other parts require.
    """

    schema: str
    extensions: tuple[Extended, ...] = ()
    generator: str
    options: tuple[str, ...] = ()
    parts: tuple[str, ...] | None = None
    implied: tuple[str, ...] = ()
    names: str | None = None
    vendored: Memory | None = None
    files: dict[str, str] = {}

    def text(self, files: Mapping[str, str]) -> str:
        """The manifest's text for a package with these files."""
        whole = msgspec.structs.replace(
            self, files={path: digest(text.encode()) for path, text in sorted(files.items())}
        )
        shown = {
            key: value
            for key, value in msgspec.to_builtins(whole).items()
            if value not in (None, ()) or (key == "parts" and value is not None)
        }
        return json.dumps(shown, indent=2) + "\n"


def digest(data: bytes) -> str:
    """The digest of a file in the manifest. It ignores the form of line ends, which git changes on some systems."""
    return _hex(hashlib.sha256(with_line_feeds(data)))


def with_line_feeds(data: bytes) -> bytes:
    """A text with LF line ends."""
    return data.replace(b"\r\n", b"\n")


def inputs(
    schema: bytes,
    options: Iterable[str],
    extensions: Iterable[Extended] = (),
    vendored: Memory | None = None,
    *,
    names: bytes = b"",
    parts: Iterable[str] = (),
    implied: Iterable[str] = (),
) -> Manifest:
    """The sources of the output as the manifest records them, without files."""
    generator = hashlib.sha256(f"{WRITER} {_version(WRITER)}\0".encode())
    for path in generator_sources():
        generator.update(path.name.encode() + b"\0" + with_line_feeds(path.read_bytes()) + b"\0")
    return Manifest(
        schema=digest(schema),
        extensions=tuple(extensions),
        generator=_hex(generator),
        options=tuple(sorted(options)),
        parts=tuple(parts),
        implied=tuple(implied),
        names=digest(names) if names else None,
        vendored=vendored,
    )


def read_manifest(out: Path) -> Manifest | None:
    """The manifest in a directory, or None if it has no readable one. Raises InputError."""
    with opened(out) as directory:
        return parse_manifest(directory.read(NAME))


def parse_manifest(data: bytes | None) -> Manifest | None:
    """Parse a manifest; None if it is invalid."""
    try:
        manifest = msgspec.json.decode(data or b"", type=Manifest)
    except (msgspec.DecodeError, RecursionError):
        return None
    files = {path: known[:_SHORT] for path, known in manifest.files.items()}  # they were longer once
    return msgspec.structs.replace(manifest, files=files) if all(map(is_inside, files)) else None


def unreadable(data: bytes) -> str:
    """The reason why `parse_manifest` returns None."""
    try:
        msgspec.json.decode(data, type=Manifest)
    except (msgspec.DecodeError, RecursionError) as error:
        if "unknown field" in str(error):
            return "was written by a newer version of acp-codegen and has unknown keys; update the tool"
    return "is not a readable manifest"


def is_manifest(text: str) -> bool:
    """Return whether a text is a manifest of this tool, even with merge conflicts."""
    return '"generator": "' in text and '"files": {' in text


def is_lock(text: str) -> bool:
    """Return whether a text is a names lock of this tool. A merge may have dropped its line from the manifest."""
    return text.startswith('{\n  "definitions": {') and '"methods": {' in text


def up_to_date(out: Path, made_from: Manifest) -> bool:
    """Return whether a directory contains exactly the package of these inputs, judged by digests alone."""
    with opened(out) as directory:
        manifest = parse_manifest(directory.read(NAME))
        if manifest is None or msgspec.structs.replace(manifest, files={}) != made_from:
            return False
        found = ((directory.read(path), known) for path, known in manifest.files.items())
        return all(data is not None and digest(data) == known for data, known in found)


def _hex(found: Any) -> str:
    text: str = found.hexdigest()
    return text[:_SHORT]


def _version(name: str) -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415  # imports `email`

    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def find_base(dest: Path, on: str) -> Manifest | None:
    """The manifest of the base package, by import name; None if not found. Nothing is imported. Raises InputError."""
    place = Path(*on.split("."))
    for root in (*dest.resolve().parents, Path.cwd(), *map(Path, sys.path)):
        if (root / place).resolve() == dest.resolve():
            raise InputError(str(dest), f"is the package {on} itself; choose another directory for its extension")
        if (root / place / NAME).is_file():
            manifest = read_manifest(root / place)
            if manifest is None:
                with opened(root / place) as directory:
                    problem = unreadable(directory.read(NAME) or b"")
                raise InputError(str(root / place / NAME), f"{problem}; vendor {on} again")
            return manifest
    return None


def check_base(dest: Path, on: str, base: Manifest, schema: str, data: bytes, *, stable: bool) -> None:
    """Reject a base package with another schema, or without the drafts that a package uses. Raises InputError.

    `schema` and `data` are the name and the text of the package's schema.
    """
    if base.schema != digest(data):
        theirs = base.vendored.schema.path if base.vendored and base.vendored.schema else None
        problem = (
            f"would extend {on}, which was generated from {printable(theirs or 'its schema')} ({base.schema[:8]}); "
            f"this package uses {printable(schema)} ({digest(data)[:8]}); update {on} first, or name its schema with "
            "--schema"
        )
        raise InputError(str(dest), problem)
    if "--stable" in base.options and not stable:
        raise InputError(str(dest), f"would extend {on}, which was generated with --stable; also pass --stable here")
