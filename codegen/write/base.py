"""The base package of `vendor --on`: its manifest, and the check that both have the same schema."""

from __future__ import annotations

import sys
from pathlib import Path

from ..errors import InputError, printable
from .directory import opened
from .manifest import NAME, Manifest, digest, read_manifest, unreadable


def find_base(dest: Path, on: str) -> Manifest | None:
    """The manifest of the base package, by import name; None if not found. Nothing is imported. Raises InputError."""
    place = Path(*on.split("."))
    for root in (*dest.resolve().parents, Path.cwd(), *map(Path, sys.path)):
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
            f"would add to {on}, which was generated from {printable(theirs or 'its schema')} ({base.schema[:8]}); this package is "
            f"made from {printable(schema)} ({digest(data)[:8]}); bring {on} up to date first, or name its schema with --schema"
        )
        raise InputError(str(dest), problem)
    if "--stable" in base.options and not stable:
        raise InputError(str(dest), f"would add to {on}, which was generated with --stable; also add --stable here")
