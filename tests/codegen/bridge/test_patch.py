"""The patch of two texts: git applies it, and it has three lines around the change."""

from __future__ import annotations

import subprocess
from pathlib import Path
from random import Random

import pytest

from codegen.runtime.bridge.patch import patch

TEXTS = ["", "a", "a\n", "a\nb\n", "a\r\nb\u2028c\n", "\n\n", "b", "".join(f"{n}\n" for n in range(20))]


def applied(folder: Path, before: str | None, after: str) -> str:
    """The text after git has applied the patch."""
    file = folder / "d/x.txt"
    file.parent.mkdir(exist_ok=True)
    file.unlink(missing_ok=True)
    if before is not None:
        file.write_bytes(before.encode())
    text = patch("/d/x.txt", before, after)
    subprocess.run(["git", "apply", "-p1", "-"], cwd=folder, input=text.encode(), check=True)
    return file.read_bytes().decode()


def test_git_applies_it(tmp_path: Path) -> None:
    chance = Random(1)
    pairs = [(one, other) for one in (None, *TEXTS) for other in TEXTS if one != other]
    for _ in range(40):
        lines = [f"{chance.randrange(4)}\n" for _ in range(chance.randrange(12))]
        other = [line for line in lines if chance.random() < 0.8] + ["x\n"] * chance.randrange(2)
        pairs += [("".join(lines), "".join(other))] if lines != other else []
    for before, after in pairs:
        assert applied(tmp_path, before, after) == after, (before, after, patch("/d/x.txt", before, after))


@pytest.mark.parametrize(
    ("before", "after", "hunk"),
    [
        (
            "1\n2\n3\n4\n5\n6\n7\n8\n9\n",
            "1\n2\n3\n4\nx\n6\n7\n8\n9\n",
            "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n",
        ),
        ("a", "b", "@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n"),
        (None, "a\n", "@@ -0,0 +1,1 @@\n+a\n"),
    ],
)
def test_a_hunk(before: str | None, after: str, hunk: str) -> None:
    assert patch("/x", before, after).partition("+++ b/x\n")[2] == hunk


def test_equal_texts_have_none() -> None:
    assert patch("/x", "a\n", "a\n") == ""
