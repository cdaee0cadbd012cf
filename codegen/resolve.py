"""`vendor --resolve`: what two branches of a merge know of a package, in one manifest and one lock. Nothing is written."""

from __future__ import annotations

from pathlib import Path

from .model.naming.lock import Lock, merged, parse_lock
from .pipeline import Both, Say
from .write.conflicts import read_both
from .write.manifest import LOCK


def resolved(dest: Path, note: Say, *, has_schema: bool, has_options: bool) -> Both:
    """The manifest and the lock to go on with. `has_schema`, `has_options`: the user chose them. Raises InputError."""
    manifest, locks = read_both(dest, has_schema=has_schema, has_options=has_options)
    lock, problems = merged(Lock(), *(parse_lock(data, str(dest / LOCK)) for data in locks))
    for problem in problems:
        note(f"{dest}: {problem}; the current branch keeps its name")
    return manifest, lock.text().encode()
