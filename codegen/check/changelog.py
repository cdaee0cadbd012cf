"""The command `changelog`: the changes from release to release."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from msgspec import Struct

from ..document.read import Document, parse, read_bytes
from ..errors import InputError, SchemaError, printable
from ..findings.accepted_breaks import read_ledger
from ..findings.verdict import Outcome
from ..model.naming.lock import Lock
from ..pipeline import read_lock
from .baseline import beside, locked, unread
from .command import compare_documents
from .git import Repository
from .rules import RULES

Say = Callable[[str], None]


class Point(Struct, frozen=True):
    """A release: its name, and the texts of its schema and names lock."""

    name: str
    file: str
    text: bytes
    lock: bytes


class Step(Struct, frozen=True):
    """The changes from one release to the next."""

    old: str
    new: str
    outcome: Outcome


def changelog(
    names: Sequence[str], schema: Path, *, accepted: Path | None = None, unstable: bool = False, note: Say
) -> list[Step]:
    """The steps from the first point to the last. A point is a file, a revision, REVISION:PATH, or a range of tags
    FROM..TO.

    Releases without a change of the schema are omitted.
    """
    ledger = read_ledger(accepted, schema, RULES, lambda _: False)  # what was accepted then is history
    steps: list[Step] = []
    for old, new in pairwise(releases(names, schema, note)):
        if old.text != new.text:
            try:
                outcome = compare_documents(read_point(old), read_point(new), ledger, unstable=unstable, wires=True)
            except SchemaError as error:
                outcome = Outcome(gaps=(unread(error),), against=old.file)
            steps.append(Step(old.name, new.name, outcome))
    return steps


def releases(names: Sequence[str], schema: Path, note: Say) -> list[Point]:
    """All releases that some names refer to. Raises InputError unless there are two."""
    found = [point for name in names for point in _points(name, schema, note)]
    if len(found) < 2:
        raise InputError(" ".join(names), "is one release; give two or more, or a range (FROM..TO)")
    return found


def read_point(point: Point) -> tuple[Document, Lock]:
    """The document and names lock of a release. Raises SchemaError."""
    return parse(point.text, point.file), beside(point.file, point.lock)


def _points(name: str, schema: Path, note: Say) -> Iterator[Point]:
    """The releases that a name refers to, the oldest first. A number also refers to the newest tag `v` + number."""
    if Path(name).is_file():
        yield Point(name, name, read_bytes(Path(name)), read_lock(Path(name)))
        return
    repository = Repository.around(schema.parent)
    if repository is None:
        raise InputError(name, "is not a file, and the schema is not in a git repository")
    revision, colon, inside = name.partition(":")
    path = inside if colon else repository.path(schema)
    if path is None:
        raise InputError(name, f"has no path, and {printable(str(schema))} is not in the repository")
    first, range_, last = revision.partition("..")
    if not range_:
        yield _in(repository, revision if colon else _tag(repository, revision), path)
        return
    last = last or "HEAD"
    for each in (first, *repository.tags(first, last), last):
        if each in (first, last) or repository.has(each, path):
            yield _in(repository, each, path)
        else:
            note(f"skipping {printable(each)}: it has no {printable(path)}")


_NUMBER = re.compile(r"v?(\d+(?:\.\d+)*)", re.ASCII)


def _tag(repository: Repository, name: str) -> str:
    """The newest tag that begins with a number, for instance v1.18.2 for 1.18 or v1.18; any other name as it is."""
    number = _NUMBER.fullmatch(name)
    if number is None or repository.has_tag(name) or repository.is_branch(name):
        return name
    patterns = (f"{number[1]}.*", f"v{number[1]}", f"v{number[1]}.*")
    found = [tag for pattern in patterns for tag, _ in repository.tagged(pattern)]
    return found[-1] if found else name


def _in(repository: Repository, revision: str, path: str) -> Point:
    file = f"{revision}:{path}"
    return Point(revision, file, repository.show(revision, path), locked(repository, revision, path))
