"""The version of networking and of the runtime: that of the tool, whose packages they serve."""

from __future__ import annotations

import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """The version that pyproject.toml has."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
