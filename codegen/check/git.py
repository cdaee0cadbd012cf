"""Earlier texts of a file, and the commit to compare with. Runs only the program `git`."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ..errors import CodegenError, InputError, printable


class GitError(CodegenError):
    """Git lacks the requested data. The message has the reason, and the command that helps."""

    def __init__(self, what: str, why: str, remedy: str) -> None:
        super().__init__(f"{printable(what)}: error: {why}; {remedy}")
        self.why, self.remedy = why, remedy


class Repository:
    """A git working tree."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._commits: dict[str, str | None] = {}
        """The commits of revisions, cached."""

    @classmethod
    def around(cls, directory: Path) -> Repository | None:
        """The repository of a directory, possibly a bare one; None if there is none or git is missing."""
        found = _run(directory, "rev-parse", "--show-toplevel") or _run(directory, "rev-parse", "--absolute-git-dir")
        return cls(Path(found.decode(errors="surrogateescape").rstrip("\n"))) if found is not None else None

    def path(self, file: Path) -> str | None:
        """A file's path from the root of the repository, if it is in it."""
        try:
            return file.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return None

    def ask(self, *arguments: str) -> str | None:
        """The output of git without the last newline; None if it fails."""
        found = _run(self.root, *arguments)
        return None if found is None else found.decode(errors="surrogateescape").strip()

    def is_dirty(self, path: str) -> bool:
        """Return whether a file differs from HEAD."""
        return bool(self.ask("status", "--porcelain", "--", path))

    def is_shallow(self) -> bool:
        """Return whether the repository is a shallow clone."""
        return self.ask("rev-parse", "--is-shallow-repository") == "true"

    def commit(self, revision: str) -> str:
        """The commit of a revision. Raises InputError for an invalid name, GitError for a missing commit."""
        if not _NAME.fullmatch(revision):
            raise InputError(
                revision or "''", "is not a revision; expected a branch, a tag or a commit, such as HEAD~1"
            )
        found = self._commit(revision)
        if found is None:
            raise GitError(revision, "the clone does not contain this commit", self._remedy(revision))
        return found

    def _commit(self, revision: str) -> str | None:
        if revision not in self._commits:
            self._commits[revision] = self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        return self._commits[revision]

    def _remedy(self, revision: str) -> str:
        branch = revision.removeprefix("origin/")
        relative = any(mark in revision for mark in "~^@")
        if self.is_shallow() and relative:
            return _DEEPEN
        if not relative and self.is_branch(f"origin/{revision}"):
            return f"it is a remote branch: compare with origin/{revision}"
        if revision.startswith("origin/"):
            return f"fetch it: git fetch --depth=1 origin {branch}:refs/remotes/origin/{branch}"
        if "/" in revision and not revision.startswith("refs/"):
            return (
                f"there is no such file either; if it is a branch, run: git fetch --depth=1 origin {revision}, then "
                "compare with FETCH_HEAD"
            )
        return f"run: git fetch --depth=1 origin {revision}, then compare with FETCH_HEAD"

    def is_branch(self, revision: str) -> bool:
        """Return whether a revision is a local or remote branch."""
        names = (f"refs/heads/{revision}", f"refs/remotes/{revision}")
        return any(self.ask("show-ref", "--verify", "--quiet", name) is not None for name in names)

    def has_tag(self, name: str) -> bool:
        """Return whether a tag exists."""
        return self.ask("show-ref", "--verify", "--quiet", f"refs/tags/{name}") is not None

    def tagged(self, pattern: str) -> list[tuple[str, int]]:
        """The tags that match a pattern with their creation times in seconds, the oldest first."""
        form = "--format=%(creatordate:unix) %(refname:short)"
        listed = self.ask("for-each-ref", "--sort=creatordate", "--sort=version:refname", form, f"refs/tags/{pattern}")
        pairs = [line.partition(" ") for line in (listed or "").splitlines()]
        return [(name, int(seconds)) for seconds, _, name in pairs if seconds.isdigit()]

    def tags(self, start: str, end: str) -> list[str]:
        """The tags after one revision and up to another, the oldest first. Raises GitError."""
        first, last = self.commit(start), self.commit(end)
        listed = self.ask(
            "for-each-ref",
            "--sort=creatordate",
            "--format=%(refname:short)",
            f"--merged={last}",
            f"--no-merged={first}",
            "refs/tags",
        )
        return (listed or "").splitlines()

    def left(self, branch: str) -> str:
        """The commit where HEAD diverged from a branch. Raises GitError."""
        self.commit(branch)
        found = self.ask("merge-base", branch, "HEAD")
        if found is not None:
            return found
        if self.is_shallow():
            why = f"the clone is shallow and does not reach the commit where this branch left {branch}"
            raise GitError(branch, why, _DEEPEN)
        raise GitError(branch, f"this branch has no commit in common with {branch}", "specify a commit of this branch")

    def show(self, revision: str, path: str) -> bytes:
        """A file's text in a revision. Raises GitError."""
        self.commit(revision)
        found = self.text(revision, path)
        if found is None:
            raise GitError(
                f"{revision}:{path}", "the commit does not contain the file", "specify another path with REVISION:PATH"
            )
        return found

    def text(self, revision: str, path: str) -> bytes | None:
        """A file's text in a revision; None if the revision or the file does not exist."""
        commit = self._commit(revision)
        return _run(self.root, "cat-file", "blob", f"{commit}:{path}") if commit is not None else None

    def texts(self, revisions: Sequence[str], path: str) -> list[bytes]:
        """A file's text in several revisions; empty for a revision without it."""
        asked = "".join(f"{revision}:{path}\n" for revision in revisions).encode(errors="surrogateescape")
        rest = _run(self.root, "cat-file", "--batch", given=asked) or b""
        found: list[bytes] = []
        for _ in revisions:
            head, _, rest = rest.partition(b"\n")
            _, kind, size = head.rpartition(b" blob ")
            length = int(size) if kind else 0
            found.append(rest[:length])
            rest = rest[length + 1 :] if kind else rest
        return found

    def has(self, revision: str, path: str) -> bool:
        """Return whether a revision contains a file."""
        return self.ask("cat-file", "-e", f"{revision}:{path}") is not None

    def has_commits(self) -> bool:
        """Return whether the repository has any commit."""
        return self._commit("HEAD") is not None

    def base(self, paths: Sequence[str], since: str = "") -> str:
        """The commit to compare files with, which is never the commit under test.

        In this order: where HEAD left `since`; HEAD for uncommitted edits; where HEAD left the main branch; the first
        parent. Raises GitError if the repository has none of these.
        """
        head = self.commit("HEAD")
        if since and (start := self.left(since)) != head:
            return start
        if any(self.is_dirty(path) for path in paths):
            return "HEAD"
        mains = self._mains()
        starts = (self.left(main) for main in mains)
        if (start := next((s for s in starts if s != head), "")) != "":
            return start
        if mains and not (self._is_partial() and self._branch() not in (*_MAINS, "")):
            return self._parent()
        if self._is_partial() or self.is_shallow():
            why = "this clone has no other branch, so the start of this branch is unknown"
            raise GitError(paths[0], why, f"run: git fetch {self._depth()}origin {_BRANCHES}")
        raise GitError(paths[0], "this repository has no main branch (main or master)", "specify a baseline: --against")

    def _parent(self) -> str:
        if self._commit(_PARENT) is not None:
            return _PARENT
        if self.is_shallow():
            raise GitError(_PARENT, "the clone is shallow", "run: git fetch --deepen=1 origin")
        raise GitError(_PARENT, "HEAD is the first commit", "check the schema by itself: --no-compare")

    def _branch(self) -> str:
        """The current branch; empty if HEAD is detached."""
        return self.ask("symbolic-ref", "--quiet", "--short", "HEAD") or ""

    def _mains(self) -> list[str]:
        """The main branches: the remote's HEAD, then the usual names. On a main branch, or with a detached HEAD, only
        the first counts, because the others may be outdated. In a clone of a working copy, the remote's HEAD is the
        branch that was checked out there.
        """
        refs = [f"refs/remotes/origin/{name}" for name in ("HEAD", *_MAINS)] + [f"refs/heads/{name}" for name in _MAINS]
        lines = (self.ask("for-each-ref", "--format=%(refname) %(symref)", *refs) or "").splitlines()
        there = {ref: to for ref, _, to in (line.partition(" ") for line in lines)}
        found = [(there[ref] or ref).split("/", 2)[2] for ref in refs if ref in there]
        return found[:1] if self._branch() in (*_MAINS, "") else found

    def _is_partial(self) -> bool:
        """Return whether some branches of the remote are never fetched."""
        fetched = self.ask("config", "--get-all", "remote.origin.fetch")
        return fetched is not None and "*" not in fetched

    def _depth(self) -> str:
        return "--unshallow " if self.is_shallow() else ""


_MAINS = ("main", "master")
_PARENT = "HEAD~1"
_BRANCHES = '"+refs/heads/*:refs/remotes/origin/*"'
_DEEPEN = "the clone is shallow; run: git fetch --unshallow origin"

_NAME = re.compile(r"(?!.*\.\.)(?!-)[\w./#+-]+([~^]\d*)*")
"""The syntax of revision names that users may pass."""

_STEERING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""Environment variables that git sets for hooks. They would make git ignore the schema's own repository."""


def _run(directory: Path, *arguments: str, given: bytes = b"") -> bytes | None:
    """The output of a git command; None if it fails or git is missing."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(directory), *arguments],  # noqa: S607  # the user's own git
            capture_output=True,
            check=False,
            input=given,
            env={name: value for name, value in os.environ.items() if name not in _STEERING},
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
