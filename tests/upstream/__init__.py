"""Published schemas of the protocol without their words, so that every clone can compare with them.

A skeleton keeps what a published file says of the wire: names, structure, constants, bounds. It has no description, no example
and no comment of it. `python -m tests.upstream DIR` writes the skeletons anew from DIR, a folder of releases; CI compares them
with the files where both are there.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from codegen.document.walk import rewrite

HERE = Path(__file__).parent
WHOLE = HERE.parents[2] / "shared" / "upstream"
"""Where the files themselves are, for those who have them."""
RELEASES = sorted(HERE.glob("*/schema*.json"))
_WORDS = ("description", "examples", "$comment", "markdownDescription")


def release_name(path: Path) -> str:
    """How tests call a published file: `v1.21.0/schema.json`."""
    return f"{path.parent.name}/{path.name}"


def skeleton(document: dict[str, Any]) -> str:
    """The text of a published file without its words, each definition on a line of its own."""

    def wordless(_: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in node.items() if key not in _WORDS}

    bare: dict[str, Any] = wordless({}, rewrite(document, wordless, "root"))
    definitions = ",\n".join(f"{json.dumps(name)}: {json.dumps(node)}" for name, node in bare.pop("$defs").items())
    head = "".join(f"{json.dumps(key)}: {json.dumps(value)},\n" for key, value in bare.items())
    return f'{{\n{head}"$defs": {{\n{definitions}\n}}\n}}\n'
