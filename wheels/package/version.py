"""The version of the second wheel: that of the protocol its schema states, then that of the tool which made the package."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version() -> str:
    """`<version of the protocol>.<version of the tool>`, both as the commit has them."""
    schema = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    number = schema["x-handshake"]["versionNumber"]
    tool = project["project"]["version"]
    assert re.fullmatch(r"\d+(\.\d+)*", tool), "a pre-release of the tool makes no package"
    return f"{number}.{tool}"
