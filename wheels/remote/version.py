"""The version of the third wheel: that of the tool, whose packages it serves."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The version that pyproject.toml has."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
