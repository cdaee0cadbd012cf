"""The one conversation that every pair of peers must be able to hold, and what each side must report of it.

Standard library only: the official SDK's peer imports this in a virtual environment of its own. The agent obeys the
text of a prompt; the client reports what came of it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
EXAMPLES = HERE.parents[2] / "examples" / "messages" / "client" / "session" / "update"

SESSION = "sess_1"
PAGES = {None: (["sess_1", "sess_2"], "page-2"), "page-2": (["sess_3"], None)}
FILES = {"/project/readme.md": "# Read me\n"}
MISSING = "/project/missing.md"
OUTPUT = "hello from the terminal\n"
OPTIONS = [
    {"optionId": "yes", "name": "Allow", "kind": "allow_once"},
    {"optionId": "no", "name": "Reject", "kind": "reject_once"},
]


def updates(*groups: str) -> list[dict[str, Any]]:
    """Updates of every kind, from the example messages."""
    names = json.loads((HERE / "script.json").read_text())
    paths = (EXAMPLES / f"{name}.notification.json" for group in groups for name in names[group])
    return [json.loads(path.read_text())["update"] for path in paths]


def without_nulls(value: Any) -> Any:
    """What is left of a message that went through an SDK which drops nulls."""
    if isinstance(value, dict):
        return {name: without_nulls(member) for name, member in value.items() if member is not None}
    return [without_nulls(item) for item in value] if isinstance(value, list) else value


REPORT = {
    "version": 1,
    "session": SESSION,
    "pages": [["sess_1", "sess_2"], ["sess_3"]],
    "updates": without_nulls(updates("common")),
    "permission": "yes",
    "files": "# Read me\nwritten: note",
    "terminal": f"{OUTPUT}exit 0",
    "missing file": "-32002",
    "failing turn": -32002,
    "wrong params": -32602,
    "unknown method": -32601,
    "cancelled turn": "cancelled",
    "forked": "sess_fork",
    "resumed": True,
    "closed": True,
    "deleted": True,
}
"""What a client reports that spoke to an agent which can do everything."""
