"""What the agent asks before it runs a tool, and what the user allowed for the rest of the session."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

import generated as acp

ONCE = [
    acp.PermissionOption(option_id="approve", name="Approve", kind="allow_once"),
    acp.PermissionOption(option_id="reject", name="Reject", kind="reject_once"),
]
VERBS = {"edit_file": "Edit", "write_file": "Write"}


def options(name: str, key: Hashable | None) -> list[acp.PermissionOption]:
    """What the user can choose. A tool without a key cannot be allowed for good."""
    always = "this exact command in this session" if name == "execute" else f"{name} commands"
    lasting = acp.PermissionOption(option_id="approve_always", name=f"Always allow {always}", kind="allow_always")
    return ONCE if key is None else [*ONCE, lasting]


def title(name: str, arguments: Mapping[str, Any]) -> str:
    """What the user is asked about."""
    if name == "write_todos":
        return "Review Plan"
    if name == "execute":
        command = arguments.get("command")
        return f"Execute: `{command}`" if command else "Execute command"
    return f"{VERBS[name]} `{arguments.get('file_path', 'file')}`" if name in VERBS else name


def key(name: str, arguments: Mapping[str, Any], context: Hashable) -> Hashable | None:
    """What is allowed with "always": a command with these very arguments in this context, any other tool by its name."""
    if name != "execute":
        return name
    command = arguments.get("command")
    if not isinstance(command, str) or not command.strip():
        return None
    try:
        return context, json.dumps(arguments, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError):
        return None
