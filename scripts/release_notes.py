"""Print the notes of a release: its part of CHANGELOG.md, without the heading."""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def notes(changelog: str) -> str:
    """The first part of a changelog that has a version."""
    return re.split(r"^## .*\n", changelog, maxsplit=2, flags=re.MULTILINE)[1].strip() + "\n"


if __name__ == "__main__":
    sys.stdout.write(notes((ROOT / "CHANGELOG.md").read_text(encoding="utf-8")))
