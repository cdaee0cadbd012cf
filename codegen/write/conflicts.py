"""Files of a package with the conflict markers of a merge: the texts of both branches, and one manifest for both."""

from __future__ import annotations

from pathlib import Path

import msgspec

from ..errors import InputError, printable
from .directory import opened
from .manifest import LOCK, NAME, Manifest, Memory, RememberedExtension, parse_manifest

ADVICE = "has merge conflicts; `vendor --resolve` combines the extensions of both branches and regenerates the package"


def branches(data: bytes) -> tuple[bytes, bytes] | None:
    """Both branches' texts of a file; None without conflict markers. The common ancestor's text, if shown, is left out."""
    sides: tuple[list[bytes], list[bytes]] = ([], [])
    writes: tuple[int, ...] = (0, 1)
    found = False
    for line in data.splitlines(keepends=True):
        match line[:7]:
            case b"<<<<<<<":
                writes, found = (0,), True
            case b"|||||||" if found:
                writes = ()
            case b"=======" if found:
                writes = (1,)
            case b">>>>>>>" if found:
                writes = (0, 1)
            case _:
                for side in writes:
                    sides[side].append(line)
    return (b"".join(sides[0]), b"".join(sides[1])) if found else None


def read_both(out: Path, *, has_schema: bool, has_options: bool) -> tuple[Manifest, tuple[bytes, bytes]]:
    """The merged manifest of both branches, and the lock of each. Raises InputError if the users' choices conflict.

    `has_schema`, `has_options`: the user did.
    """
    with opened(out) as directory:
        data, lock = directory.read(NAME) or b"", directory.read(LOCK) or b""
    ours, theirs = map(parse_manifest, branches(data) or (data, data))
    if ours is None or theirs is None:
        raise InputError(
            str(out / NAME), "is not a valid manifest on both branches; restore one of them, and use --extend"
        )
    one, other = ours.vendored or Memory(), theirs.vendored or Memory()
    if one.schema != other.schema and not has_schema:
        raise InputError(str(out), "has different schemas on the branches; choose one with --schema")
    if {*ours.options} != {*theirs.options} and not has_options:
        differing = printable(", ".join(sorted({*ours.options} ^ {*theirs.options})))
        raise InputError(str(out), f"has {differing} on one branch only; choose with --stable, --no-stable or --on")
    kept = Memory(one.schema, (*one.extensions, *_added(out, one, other)))
    known = {(each.title, each.sha256) for each in ours.extensions}
    applied = (*ours.extensions, *(each for each in theirs.extensions if (each.title, each.sha256) not in known))
    asked = {part for each in (ours, theirs) for part in {*(each.parts or ())} - {*each.implied}}
    # Without parts: a manifest from before parts could be chosen.
    parts = None if ours.parts is None or theirs.parts is None else tuple(dict.fromkeys((*ours.parts, *theirs.parts)))
    manifest = msgspec.structs.replace(
        ours,
        vendored=kept,
        extensions=applied[: len(kept.extensions)],
        parts=parts,
        implied=tuple(part for part in parts or () if part not in asked),
        files=theirs.files | ours.files,
    )
    return manifest, branches(lock) or (lock, lock)


def _added(out: Path, ours: Memory, theirs: Memory) -> tuple[RememberedExtension, ...]:
    """The extensions of the other branch only."""
    known = {(each.name, each.path): each for each in ours.extensions}
    for each in theirs.extensions:
        same = known.get((each.name, each.path))
        if same is not None and each.path is None and same.text != each.text:
            problem = (
                f"has different texts of {printable(each.name)} on the branches; name all extensions with --extend"
            )
            raise InputError(str(out), problem)
    return tuple(each for each in theirs.extensions if (each.name, each.path) not in known)
