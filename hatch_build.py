"""Builds the wheel: the examples of `explain`, hundreds of small files in a checkout, go into it as one archive. It also gets the generated package."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PARTS = ("tests/rules", "tests/codegen/validate/rules")
EPOCH = (1980, 1, 1, 0, 0, 0)
"""The time of every entry, so that one commit makes the same bytes at any time."""


class Examples(BuildHookInterface[Any]):
    """Puts `data/examples.zip` into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the archive; an editable install reads the files themselves."""
        if version == "editable":
            return
        root = Path(self.root)
        archive = root / "build" / "examples.zip"
        archive.parent.mkdir(exist_ok=True)
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
            for path in sorted(path for part in PARTS for path in (root / part).rglob("*") if path.is_file()):
                entry = zipfile.ZipInfo(path.relative_to(root).as_posix(), EPOCH)
                entry.compress_type = zipfile.ZIP_DEFLATED
                packed.writestr(entry, path.read_bytes())
        build_data["force_include"][str(archive)] = "acp_codegen/data/examples.zip"
        for path in sorted((root / "generated").iterdir()):  # its runtime is in the wheel already
            if path.is_file():
                build_data["force_include"][str(path)] = f"acp_codegen/data/generated/{path.name}"
