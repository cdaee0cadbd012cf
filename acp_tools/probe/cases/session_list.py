"""Cases for the session list: pages and their cursors, the properties of an entry, filters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from ..context import Probe, Step
from ..conversation import Talk
from ..frame_log import Frame
from ..json_types import objects

SAID = 'probe: naïve ☃ \U0001f40d \u2028 "quoted" \\ end'
"""The text of a prompt, which a replay must repeat exactly."""
MOST_PAGES = 200


async def told_session(probe: Probe, talk: Talk) -> str | None:
    """Create a session with one prompt; None if that fails."""
    session = await probe.new_session(talk)
    if session is not None and not probe.facts.silent:
        await probe.turn(talk, probe.prompt(session, SAID))
        await probe.quiet(talk)
    return session


async def all_listed(probe: Probe, talk: Talk, **params: Any) -> tuple[list[dict[str, Any]], list[Frame | None]]:
    """All entries of a listing, and its frames. A list that does not end is a failure."""
    entries: list[dict[str, Any]] = []
    frames: list[Frame | None] = []
    cursors: set[str] = set()
    cursor: dict[str, Any] = {}
    for _ in range(MOST_PAGES):
        answer = await probe.call(talk, "session/list", {**params, **cursor})
        frames += answer.frames
        if not answer.ok:
            return entries, frames
        entries += objects(answer.result.get("sessions"))
        following = answer.result.get("nextCursor")
        if following is not None and not isinstance(following, str):
            probe.sheet.failed(
                "session-list/cursor-string",
                f"the cursor is {json.dumps(following)[:100]}, expected a string",
                answer.frames,
            )
        if not isinstance(following, str):
            probe.sheet.passed("session-list/last-page-has-none")
            probe.sheet.passed("session-list/cursor-string")
            return entries, frames
        if following in cursors:
            break
        cursors.add(following)
        cursor = {"cursor": following}
    probe.sheet.failed(
        "session-list/last-page-has-none",
        f"the list does not end: page {len(cursors) + 1} still has a cursor, or a repeated one",
        frames[-4:],
    )
    return entries, frames


def ids_of(entries: list[dict[str, Any]]) -> list[str]:
    return [str(entry.get("sessionId")) for entry in entries]


async def listed(probe: Probe) -> None:
    """session/list."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        session = await told_session(probe, talk)
        entries, frames = await all_listed(probe, talk)
        ids = ids_of(entries)
        judged = sheet.judged
        judged(
            "session-list/cursor-stable",
            good=len(ids) == len(set(ids)),
            text="the list has a session twice",
            frames=frames,
        )
        whole = all(isinstance(entry.get(name), str) for entry in entries for name in ("sessionId", "cwd"))
        judged(
            "session-list/entry-has-id-and-cwd",
            good=whole,
            text="a list entry has no `sessionId` or no `cwd`",
            frames=frames,
        )
        odd = [entry for entry in entries if entry.get("updatedAt") is not None and time_of(entry["updatedAt"]) is None]
        text = f"`updatedAt` is {odd[0]['updatedAt'] if odd else ''!r}, expected an ISO 8601 time"
        judged("list/time", good=not odd, text=text, frames=frames)
        shown = json.dumps([{**entry, "title": None, "_meta": None} for entry in entries], ensure_ascii=False)
        judged(
            "session-list/no-content",
            good="probe: naïve" not in shown,
            text="a list entry contains text of the conversation",
            frames=frames,
        )
        if probe.offers("sessionCapabilities.archive"):
            silent = [entry for entry in entries if not isinstance(entry.get("archived"), bool)]
            text = "a list entry has no `archived`"
            judged("list/archived", good=not silent, text=text, frames=frames)
        if session is not None:
            _own(probe, session, entries, frames)
        await _filtered(probe, talk, session if session in ids else None)
        answer = await probe.call(talk, "session/list", {"cursor": "probe-no-such-cursor"})
        probe.fails("session-list/cursor-invalid", "`session/list` with an invalid cursor", answer)


def time_of(value: Any) -> datetime | None:
    """An ISO 8601 time; None for anything else. Without a time zone it is in UTC."""
    try:
        found = datetime.fromisoformat(value) if "-" in value else None
    except (TypeError, ValueError):
        return None
    return found.replace(tzinfo=UTC) if found is not None and found.tzinfo is None else found


def _own(probe: Probe, session: str, entries: list[dict[str, Any]], frames: Sequence[Frame | None]) -> None:
    """Check that the list entry of our session matches its opening request."""
    mine = [entry for entry in entries if entry.get("sessionId") == session]
    if probe.facts.silent and not mine:
        probe.sheet.unreachable("session-list/no-filter-lists-all", probe.facts.silent)
        return
    text = f"the list lacks the session {session!r}, which had a turn"
    if probe.sheet.judged("session-list/no-filter-lists-all", good=bool(mine), text=text, frames=frames):
        cwd = mine[0].get("cwd")
        text = f"the session was opened in {probe.launcher.cwd!r}, and is listed with {cwd!r}"
        probe.sheet.judged("list/cwd-kept", good=cwd == probe.launcher.cwd, text=text, frames=frames)


async def _filtered(probe: Probe, talk: Talk, session: str | None) -> None:
    """List a directory without sessions, and the directory of our session."""
    elsewhere = f"{probe.launcher.cwd}/probe-no-such-directory"
    answer = await probe.call(talk, "session/list", {"cwd": elsewhere})
    others = answer.result.get("sessions")
    text = f"the list for {elsewhere!r} contains sessions of other directories"
    probe.sheet.judged("session-list/cwd-filters", good=not others, text=text, frames=answer.frames)
    good = answer.ok and (bool(others) or (others == [] and answer.result.get("nextCursor") is None))
    text = f"`session/list` for a directory without sessions {answer.told}: {json.dumps(answer.result)}, expected an empty list"
    probe.sheet.judged("session-list/empty-result", good=good, text=text, frames=answer.frames)
    if session is not None:
        entries, frames = await all_listed(probe, talk, cwd=probe.launcher.cwd)
        text = "the list for the session's own directory lacks the session"
        probe.sheet.judged("session-list/cwd-filters", good=session in ids_of(entries), text=text, frames=frames)


STEPS = (Step("session/list", listed, ("list/", "session-list/"), "session/list"),)
