"""The messages that are timed: params or results as JSON values, the same for every peer. Standard library alone."""

from __future__ import annotations

import json
from typing import Any

_LINE = '    return [item for item in self.items if item.name == "{0}"]  # line {0}\n'
_SESSION = "sess_0123456789abcdef"


def text_of(size: int) -> str:
    """`size` characters of program text: line ends and quotes, as prompts and diffs have them."""
    lines = "".join(_LINE.format(n) for n in range(size // len(_LINE) + 1))
    return lines[:size]


def update(number: int) -> dict[str, Any]:
    """The streamed chunk with that number; no two have the same text."""
    text = f"and then, in step {number}, it reads the file"
    content = {"type": "text", "text": text}
    return {"sessionId": _SESSION, "update": {"sessionUpdate": "agent_message_chunk", "content": content}}


def turn(count: int) -> list[dict[str, Any]]:
    """Updates of one session as a turn has them: chunks of the reply, and tool calls that begin and end, one in ten."""
    found: list[dict[str, Any]] = []
    for number in range(count):
        if number % 20 == 8:
            found.append(
                {"sessionUpdate": "tool_call", "toolCallId": f"call_{number}", "title": "Read", "status": "pending"}
            )
        elif number % 20 == 18:
            call = f"call_{number - 10}"
            found.append({"sessionUpdate": "tool_call_update", "toolCallId": call, "status": "completed"})
        else:
            found.append(update(number)["update"])
    return [{"sessionId": _SESSION, "update": each} for each in found]


def _tool_call(**changed: Any) -> dict[str, Any]:
    path = "/home/user/project/src/parser.py"
    diff = {"type": "diff", "path": path, "oldText": text_of(2_000), "newText": text_of(2_200)}
    call = {
        "sessionUpdate": "tool_call",
        "toolCallId": "call_0042",
        "title": "Edit src/parser.py",
        "kind": "edit",
        "status": "in_progress",
        "content": [diff],
        "locations": [{"path": path, "line": 17}],
        "rawInput": {"path": path, "edits": 1},
    }
    return {"sessionId": _SESSION, "update": call | changed}


def _session(number: int) -> dict[str, Any]:
    return {
        "sessionId": f"sess_{number:016x}",
        "cwd": f"/home/user/project-{number}",
        "title": f"Why does test {number} fail on Windows?",
        "updatedAt": f"2026-03-{1 + number % 28:02}T09:30:00Z",
    }


def _prompt() -> dict[str, Any]:
    resource = {"uri": "file:///home/user/project/all.py", "mimeType": "text/x-python", "text": text_of(1_000_000)}
    question = {"type": "text", "text": "Was macht das hier \N{EM DASH} und fällt es bei „Umlauten“ um?"}
    return {"sessionId": _SESSION, "prompt": [question, {"type": "resource", "resource": resource}]}


def _some_broken(sessions: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every tenth has no directory, which no session may lack."""
    return [{k: v for k, v in s.items() if k != "cwd"} if n % 10 == 9 else s for n, s in enumerate(sessions)]


_SESSIONS = [_session(number) for number in range(50)]
_UNKNOWN = {"sessionUpdate": "mood_update", "content": {"type": "text", "text": "cheerful"}}


def _texts(values: dict[str, tuple[str, Any]]) -> dict[str, tuple[str, bytes]]:
    """Name to (type, JSON text), in UTF-8 and without spaces, as every peer writes it."""
    return {
        name: (kind, json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
        for name, (kind, value) in values.items()
    }


MESSAGES = _texts(
    {
        "chunk": ("SessionNotification", update(1)),
        "tool_call": ("SessionNotification", _tool_call()),
        "sessions": ("ListSessionsResponse", {"sessions": _SESSIONS, "nextCursor": "50"}),
        "prompt": ("PromptRequest", _prompt()),
    }
)
"""Messages as a correct peer writes them."""

LENIENT = _texts(
    {
        "skip_items": ("ListSessionsResponse", {"sessions": _some_broken(_SESSIONS), "nextCursor": "50"}),
        "default_on_error": ("SessionNotification", _tool_call(kind="refactor", locations=7)),
        "unknown_variant": ("SessionNotification", {"sessionId": _SESSION, "update": _UNKNOWN}),
    }
)
"""Messages with a fault that the protocol tells receivers to tolerate."""

CLEAN = {"skip_items": "sessions", "default_on_error": "tool_call", "unknown_variant": "chunk"}
"""The faultless message that each of them is, or is closest to."""
