"""The version and the files of a distribution, in a checkout and in an unpacked sdist. The folders beside this one have the same file."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.version import Version

ROOT = Path(__file__).resolve().parents[2]


def version(*, protocol: bool = False) -> str:
    """The version of the tool, after that of the protocol if wanted. An sdist has it in its metadata."""
    tool = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    schema = json.loads((ROOT / "schema.json").read_text(encoding="utf-8"))
    return str(Version(f"{schema['x-handshake']['versionNumber']}.{tool}" if protocol else tool))


class Files(BuildHookInterface[Any]):
    """Includes the files that pyproject.toml lists, in the sdist and in the wheel. An unpacked sdist has them in place."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        """Add every file of the checkout."""
        if not Path(self.root, "PKG-INFO").exists():
            build_data["force_include"] |= {
                str(Path(self.root, name)): to for name, to in self.config["sources"].items()
            }
