"""Writes the skeletons anew: `python -m tests.upstream ../shared/upstream`."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from . import HERE, skeleton

for path in sorted(Path(sys.argv[1]).glob("*/schema*.json")):
    written = HERE / path.parent.name / path.name
    written.parent.mkdir(exist_ok=True)
    written.write_text(skeleton(json.loads(path.read_text(encoding="utf-8"))), encoding="utf-8")
