"""What git says: an earlier text of a file, and which commit to compare with. Only `git` itself is asked."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

from ..errors import CodegenError, printable, quoted


class GitError(CodegenError):
    """Git cannot give what was asked for; the text says what to do about it."""


class Repository:
    """A git working tree."""

    def __init__(self, root: Path) -> None:
        self.root = root

    @classmethod
    def around(cls, directory: Path) -> Repository | None:
        """The repository a directory is in, a bare one too; None where it is in none, or there is no git."""
        found = _run(directory, "rev-parse", "--show-toplevel") or _run(directory, "rev-parse", "--absolute-git-dir")
        return cls(Path(found.decode(errors="surrogateescape").rstrip("\n"))) if found is not None else None

    def path(self, file: Path) -> str | None:
        """A file's path from the root of the repository, if it is in it."""
        try:
            return file.resolve().relative_to(self.root.resolve()).as_posix()
        except ValueError:
            return None

    def ask(self, *arguments: str) -> str | None:
        """What git prints, without the newline; None where it fails."""
        found = _run(self.root, *arguments)
        return None if found is None else found.decode(errors="surrogateescape").strip()

    def is_dirty(self, path: str) -> bool:
        """Whether a file differs from what HEAD has."""
        return bool(self.ask("status", "--porcelain", "--", path))

    def is_shallow(self) -> bool:
        """Whether commits were left out when the repository was cloned."""
        return self.ask("rev-parse", "--is-shallow-repository") == "true"

    def commit(self, revision: str) -> str:
        """The commit a revision names; raises GitError with the command that brings it."""
        if not revision or revision.startswith("-"):
            raise GitError(f"{quoted(revision)}: error: is no revision")
        found = self.ask("rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}")
        if found is None:
            raise GitError(f"{printable(revision)}: error: git has no such commit here; {self._remedy(revision)}")
        return found

    def _remedy(self, revision: str) -> str:
        if not _NAME.fullmatch(revision):
            return "a branch, a tag, a commit or one before it (HEAD~1) can be named"
        branch = revision.removeprefix("origin/")
        relative = any(mark in revision for mark in "~^@")
        if self.is_shallow() and relative:
            return "the clone is shallow, this brings the rest: git fetch --unshallow origin"
        if revision.startswith("origin/"):
            return f"this brings it: git fetch --depth=1 origin {branch}:refs/remotes/origin/{branch}"
        if "/" in revision and not revision.startswith("refs/"):
            return (
                f"nor is there such a file; if it is a branch, this brings it: git fetch --depth=1 origin {revision}, "
                "then compare with FETCH_HEAD"
            )
        return f"this brings it: git fetch --depth=1 origin {revision}, then compare with FETCH_HEAD"

    def show(self, revision: str, path: str) -> bytes:
        """A file's text in a revision; raises GitError."""
        commit = self.commit(revision)
        found = _run(self.root, "cat-file", "blob", f"{commit}:{path}")
        if found is None:
            raise GitError(
                f"{printable(revision)}:{printable(path)}: error: the commit has no such file; REF:PATH names another"
            )
        return found

    def has(self, revision: str, path: str) -> bool:
        """Whether a revision has a file."""
        return self.ask("cat-file", "-e", f"{revision}:{path}") is not None

    def base(self, path: str, note: Callable[[str], None]) -> str | None:
        """The commit to compare a file with: HEAD while it is edited, else where this branch left the main one."""
        if self.ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
            return None
        if self.is_dirty(path):
            return "HEAD"
        main = self.main()
        if main is None:
            if self.is_shallow():
                raise GitError(
                    "error: the clone is shallow and has no main branch to compare with; "
                    "this brings it: git fetch --unshallow origin"
                )
            note("there is no main branch here (main or master), so there is nothing to compare with: see --against")
            return "HEAD"
        found = self.ask("merge-base", main, "HEAD")
        if found is None and self.is_shallow():
            raise GitError(
                f"error: the clone is shallow and does not reach the commit where this branch left {main}; "
                "this brings it: git fetch --unshallow origin"
            )
        return found

    def main(self) -> str | None:
        """The main branch: what the remote calls its head, else one of the usual names."""
        head = self.ask("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
        names = [head] if head else []
        names += ["origin/main", "origin/master", "main", "master"]
        return next((n for n in names if self.ask("rev-parse", "--verify", "--quiet", f"{n}^{{commit}}")), None)


_NAME = re.compile(r"(?!.*\.\.)[\w./#+-]+([~^]\d*)*")
"""What a person may call a commit."""

_STEERING = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX")
"""What git tells its hooks of the repository they run in; it hides where the schema's own begins."""


def _run(directory: Path, *arguments: str) -> bytes | None:
    """What a git command prints; None where it fails or git is missing."""
    try:
        done = subprocess.run(  # noqa: S603
            ["git", "-C", str(directory), *arguments],  # noqa: S607  # the user's own git
            capture_output=True,
            check=False,
            stdin=subprocess.DEVNULL,
            env={name: value for name, value in os.environ.items() if name not in _STEERING},
        )
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
