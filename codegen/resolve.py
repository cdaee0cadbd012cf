"""`vendor --resolve`: combine the states of a package in both branches of a merge into one manifest and one names
lock. Nothing is written.
"""

from __future__ import annotations

from pathlib import Path

from .model.naming.lock import Lock, merged, parse_lock
from .pipeline import Both, Say
from .write.conflicts import read_both
from .write.manifest import LOCK


def resolved(dest: Path, note: Say, *, has_schema: bool, has_options: bool) -> Both:
    """The combined manifest and names lock. `has_schema`, `has_options`: the user chose them. Raises InputError."""
    manifest, locks = read_both(dest, has_schema=has_schema, has_options=has_options)
    lock, problems = merged(Lock(), *(parse_lock(data, str(dest / LOCK)) for data in locks))
    for problem in problems:
        note(f"{dest}: {problem}; the current branch keeps its name")
    return manifest, lock.text().encode()
