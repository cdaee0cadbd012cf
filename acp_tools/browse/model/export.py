"""Exports: the list as one JSON document, a conversation as Markdown.

{"sessions": [ {"sessionId": "...", "cwd": "...", ...}, ... ]}

The list has the form of a `session/list` result with all pages. It is ASCII, so every terminal and pipe reads it
correctly.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import acp_generated as acp

from ..errors import Trouble, trouble_with
from ..sanitize import clean, one_line
from .session import Entry, Note, Session, parts_of, text_of
from .session_list import Listing

_HEADINGS = {"user_message_chunk": "User", "agent_message_chunk": "Agent", "agent_thought_chunk": "Thought"}


def document(listing: Listing) -> str:
    """The sessions as JSON, one per line."""
    lines = ",\n".join("  " + json.dumps(acp.to_dict(info)) for info in listing.sessions)
    return f'{{"sessions": [\n{lines}\n]}}' if lines else '{"sessions": []}'


def markdown(session: Session) -> str:
    """A conversation as Markdown. The agent's text is unchanged, except for control characters."""
    lines = [f"# {one_line(session.title) or session.session_id}", ""]
    facts = {"session": session.session_id, "directory": session.cwd, "usage": session.usage}
    lines += [f"- {name}: `{one_line(value)}`" for name, value in facts.items() if value]
    lines += [f"- [{'x' if status == 'completed' else ' '}] {one_line(step)}" for status, step in session.plan]
    for entry in session.entries:
        heading = _HEADINGS.get(entry.kind)
        lines += ["", *([f"## {heading}", ""] if heading else []), entry_text(entry)]
    return "\n".join(lines).rstrip() + "\n"


def entry_text(entry: Entry) -> str:
    """One entry as Markdown."""
    match entry.source:
        case Note(text=text):
            return f"> {clean(text, 10_000)}".replace("\n", "\n> ")
        case acp.ToolCall() as call:
            return "\n".join(_tool(call))
        case acp.SubagentUpdate() as child:
            return f"**Subagent** {one_line(str(child.title or child.session_id))}"
        case streamed:
            return clean(text_of(streamed.items), 10_000_000).rstrip("\n")


def brief(entry: Entry, limit: int) -> str:
    """The beginning of an entry on one line. Its cost does not depend on the entry's length."""
    match entry.source:
        case Note(text=text):
            pass
        case acp.ToolCall(title=text) | acp.SubagentUpdate(title=str(text)):
            pass
        case acp.SubagentUpdate(session_id=text):
            pass
        case streamed:
            text = text_of(streamed.items[:20])
    return one_line(str(text)[: 4 * limit], limit)


def _tool(call: acp.ToolCall) -> Iterator[str]:
    yield f"**{one_line(call.title)}** ({call.kind or 'other'}, {call.status or 'pending'})"
    if call.raw_input is not acp.UNSET:
        yield from ("", *_fenced(json.dumps(call.raw_input, indent=2, ensure_ascii=False), "json"))
    for part in parts_of(call):
        match part:
            case acp.Content(content=block):
                yield from ("", *_fenced(text_of([block])))
            case acp.Diff(path=path, old_text=old, new_text=new):
                import difflib  # noqa: PLC0415

                lines = difflib.unified_diff((old or "").splitlines(), new.splitlines(), path, path, lineterm="", n=2)
                yield from ("", *_fenced("\n".join(lines), "diff"))
            case _:
                pass


def _fenced(text: str, language: str = "") -> Iterator[str]:
    """A code block whose fence is longer than any in the text."""
    fence = "`" * max([3, *(len(found) + 1 for found in re.findall("`{3,}", text))])
    yield from (fence + language, clean(text, 1_000_000).rstrip("\n"), fence)


def save(session: Session, folder: str | Path) -> Path:
    """Write a conversation to a new file in a directory and return its path. Raises Trouble."""
    stem = re.sub(r"[^\w-]+", "-", one_line(session.title or session.session_id, 60)).strip("-") or "session"
    try:
        for count in range(1, 1_000):
            path = Path(folder) / f"{stem}{f'-{count}' if count > 1 else ''}.md"
            try:
                with path.open("x", encoding="utf-8") as file:
                    file.write(markdown(session))
            except FileExistsError:
                continue
            return path
    except OSError as error:
        raise trouble_with(str(folder), error) from error
    raise Trouble(f"{folder} already contains a thousand exports of this session")
