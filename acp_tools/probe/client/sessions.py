"""Checks of a client's requests against earlier responses: its sessions, and the pages of a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..messages import Message
from ..results import Sheet
from .scripted_agent import CURSOR, LISTED


def judge_lists(sheet: Sheet, messages: Sequence[Message]) -> None:
    """Check the cursor and the filter of each request for a page. The second page is the last one."""
    asked = [m for m in messages if m.method == "session/list"]
    given: dict[str, Any] | None = None  # the params of the request whose answer had a cursor
    for number, message in enumerate(asked):
        cursor, frames = message.params.get("cursor"), [message.frame]
        if cursor is not None:
            text = f"the client sent the cursor {cursor!r}, which the agent never returned"
            for id_ in ("session-list/cursor-continues", "session-list/cursor-opaque"):
                sheet.judged(id_, good=cursor == CURSOR, text=text, frames=frames)
            text = f"the client sent the cursor {cursor!r}, which belongs to another connection"
            sheet.judged("session-list/cursor-not-kept", good=number > 0, text=text, frames=frames)
            text = "the client requested another page after the last one"
            ended = number > 0 and given is None
            sheet.judged("session-list/missing-cursor-ends", good=not ended, text=text, frames=frames)
            if given is not None:
                same = given.get("cwd") == message.params.get("cwd")
                text = "the client sent a cursor with another `cwd` than in the first request"
                sheet.judged("session-list/cursor-keeps-filter", good=same, text=text, frames=frames)
        given = message.params if cursor is None else None


def judge_sessions(sheet: Sheet, messages: Sequence[Message]) -> None:
    """Check that each request about a session names an open one."""
    opened: set[Any] = set()
    closed: set[Any] = set()
    listed = False
    for message in messages:
        session, frames = message.params.get("sessionId"), [message.frame]
        match message.method:
            case "session/list":
                listed = True
            case "session/load" | "session/resume":
                opened.add(session)
                closed.discard(session)
            case "session/close" | "session/delete":
                id_ = f"{message.method.replace('/', '-')}/names-session"
                named = isinstance(session, str) and bool(session)
                sheet.judged(id_, good=named, text="the request names no session", frames=frames)
                closed |= {session} if message.method == "session/close" and named else set()
            case "session/prompt":
                text = f"the client sent a prompt to the closed session {session!r}"
                sheet.judged("session-close/no-prompt-afterwards", good=session not in closed, text=text, frames=frames)
                if listed:
                    text = f"the client sent a prompt to the session {session!r}, which was listed, but not loaded"
                    good = session != LISTED or session in opened
                    sheet.judged("session-list/discovery-only", good=good, text=text, frames=frames)
            case _:
                pass
