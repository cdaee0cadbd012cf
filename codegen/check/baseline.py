"""The baseline of `check`: a file, a revision, or the commit where the edit began."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct

from ..document.overlay import parse_extension
from ..document.read import Document, parse, read_bytes
from ..errors import InputError, SchemaError, printable
from ..findings.finding import Place
from ..findings.verdict import Gap
from ..model.naming.lock import Lock, parse_lock
from ..pipeline import extended, lock_name, read_lock
from .git import GitError, Repository


class Baseline(Struct, frozen=True):
    """The baseline document with its name, or the reason why there is none."""

    document: Document | None = None
    name: str = ""
    lock: Lock | None = None
    gap: Gap | None = None


def baseline(
    path: Path,
    extend: Sequence[Path],
    against: str | None,
    *,
    edited: bool = False,
    repository: Repository | None = None,
) -> Baseline:
    """Find the baseline of a comparison. Raises InputError if `against` names nothing that exists.

    `edited`: the schema is being edited, so HEAD is the baseline. `repository`: the one around the schema, if known.
    """
    if against == "":
        raise InputError(
            "--against",
            "does not exist, so there is nothing to compare with (--no-compare checks the schema by itself)",
        )
    repository = repository or Repository.around(path.parent)
    inside = repository.path(path) if repository is not None else None
    try:
        if against is not None and _is_file(against, repository):
            if not extend and path.exists() and path.samefile(against):
                return _nothing(against, _ITSELF)
            document = parse(read_bytes(against), against)  # as it was: without extensions, whose effect is to be seen
            return Baseline(document, against, beside(against, read_lock(Path(against))))
        if against is not None:
            return _named(repository, inside, path, extend, against)
        return _usual(repository, inside, path, extend, edited=edited)
    except SchemaError as error:
        return Baseline(gap=unread(error))
    except GitError as error:
        return Baseline(gap=Gap(what=against or printable(str(path)), why=error.why, instead=error.remedy))


def unread(error: SchemaError) -> Gap:
    """The definitions that a comparison leaves out because they cannot be loaded."""
    place = Place(error.file, error.line, error.column)
    return Gap(what=error.file, why=error.problem, instead=error.instead, place=place, pointer=error.pointer or "")


def _is_file(against: str, repository: Repository | None) -> bool:
    """Return whether a text names a file. One with a slash may also be a branch."""
    return Path(against).exists() or ("/" in against.partition(":")[0] and repository is None)


def _named(
    repository: Repository | None, inside: str | None, path: Path, extend: Sequence[Path], against: str
) -> Baseline:
    if repository is None:
        raise InputError(against, "is not a file, and the schema is not in a git repository")
    revision, colon, other = against.partition(":")
    if not colon and inside is None:
        raise InputError(against, f"has no path, and {printable(str(path))} is not in the repository")
    if not colon and repository.is_branch(revision):
        revision = repository.left(revision)
    compared = [each for each in (other if colon else inside, *map(repository.path, extend)) if each is not None]
    head = inside == compared[0] and repository.commit(revision) == repository.commit("HEAD")
    if head and not any(map(repository.is_dirty, compared)):
        return _nothing(against, _ITSELF)
    return _at(repository, revision, compared[0], repository.show(revision, compared[0]), extend)


def _usual(
    repository: Repository | None, inside: str | None, path: Path, extend: Sequence[Path], *, edited: bool
) -> Baseline:
    shown = printable(str(path))
    if repository is None:
        return _nothing(shown, "it is not in a git repository")
    if inside is None:
        return _nothing(shown, f"it is not in the repository {printable(str(repository.root))}")
    if not repository.has_commits():
        return _nothing(shown, "the repository has no commits yet")
    paths = [inside, *filter(None, map(repository.path, extend))]
    revision = "HEAD" if edited else repository.base(paths, os.environ.get(FROM, ""))
    text = repository.text(revision, inside)
    if text is None:
        return _nothing(shown, f"{revision[:12]} has no such file")
    return _at(repository, revision, inside, text, extend)


def _nothing(what: str, why: str) -> Baseline:
    return Baseline(gap=Gap(what=what, why=why, instead=_HELP))


FROM = "PRE_COMMIT_FROM_REF"
"""The environment variable with the first commit of pre-commit's range."""
_ITSELF = "it is the commit under test"
_HELP = "specify a baseline (--against REVISION, REVISION:PATH or FILE), or add --no-compare"


def _at(repository: Repository, revision: str, inside: str, text: bytes, extend: Sequence[Path]) -> Baseline:
    """The schema with its text in a revision, with the extensions as they were there."""
    name = f"{revision}:{inside}"
    document = parse(text, name)
    paths = [repository.path(path) for path in extend]
    texts = {path: repository.text(revision, path) for path in paths if path is not None}
    extensions = [parse_extension(text, f"{revision}:{each}") for each, text in texts.items() if text is not None]
    return Baseline(extended(document, extensions), name, beside(name, locked(repository, revision, inside)))


def locked(repository: Repository, revision: str, inside: str) -> bytes:
    """The bytes of the names lock beside a schema in a revision; empty if there is none."""
    path = (PurePosixPath(inside).parent / lock_name(PurePosixPath(inside).name)).as_posix()
    return repository.text(revision, path) or b""


def beside(schema: str, lock: bytes) -> Lock:
    """The names lock beside a schema. Raises InputError for an invalid file."""
    return parse_lock(lock, f"the lock of {schema}")
