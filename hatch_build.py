"""Adds the generated package to the wheel of the tool; the wheel has its runtime already."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Generated(BuildHookInterface[Any]):
    """Puts the files of `generated/` into `data/generated/`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files; an editable install reads those of the checkout."""
        if version == "editable":
            return
        for path in sorted(Path(self.root, "generated").iterdir()):
            if path.is_file():
                build_data["force_include"][str(path)] = f"acp_codegen/data/generated/{path.name}"
