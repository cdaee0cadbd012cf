"""Cases for metadata of sessions and logins: archive, status, title, login status. Each runs if it is advertised."""

from __future__ import annotations

from ..context import UNKNOWN_SESSION, Probe, Step
from .session_list import all_listed, ids_of, told_session

NOT_FOUND = -32002


async def archived(probe: Probe) -> None:
    """session/archive and session/unarchive."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        answer = await probe.call(talk, "session/archive", {"sessionId": UNKNOWN_SESSION})
        probe.fails("archive/unknown", "archiving an unknown session", answer, NOT_FOUND)
        session = await told_session(probe, talk)
        if session is None or session not in ids_of((await all_listed(probe, talk))[0]):
            return
        answer = await probe.call(talk, "session/archive", {"sessionId": session}, patience=probe.turn_patience())
        entries, frames = await all_listed(probe, talk)
        good = answer.ok and session not in ids_of(entries)
        sheet.judged(
            "archive/hidden",
            good=good,
            text=f"`session/archive` {answer.told}{', and the session is still listed' if answer.ok else ''}",
            frames=[*answer.frames, *frames[-2:]],
        )
        again = await probe.call(talk, "session/archive", {"sessionId": session})
        probe.succeeds("archive/again", "archiving the session again", again)
        back = await probe.call(talk, "session/unarchive", {"sessionId": session})
        entries, frames = await all_listed(probe, talk)
        good = back.ok and session in ids_of(entries)
        sheet.judged(
            "archive/back",
            good=good,
            text=f"`session/unarchive` {back.told}, and the session is not listed",
            frames=[*back.frames, *frames[-2:]],
        )


async def status(probe: Probe) -> None:
    """session/status."""
    async with probe.opened() as talk:
        answer = await probe.call(talk, "session/status", {"sessionId": UNKNOWN_SESSION})
        probe.fails("status/unknown", "`session/status` for an unknown session", answer, NOT_FOUND)
        session = await probe.new_session(talk)
        if session is not None:
            answer = await probe.call(talk, "session/status", {"sessionId": session})
            good = answer.ok and answer.result.get("status") != "saved"
            probe.sheet.judged(
                "status/open",
                good=good,
                text=f"`session/status` for an open session {answer.told}: {answer.result}",
                frames=answer.frames,
            )


async def titled(probe: Probe) -> None:
    """session/set_title."""
    sheet = probe.sheet
    async with probe.opened() as talk:
        answer = await probe.call(talk, "session/set_title", {"sessionId": UNKNOWN_SESSION, "title": "probe"})
        probe.fails("title/unknown", "`session/set_title` for an unknown session", answer, NOT_FOUND)
        session = await told_session(probe, talk)
        if session is None:
            return
        answer = await probe.call(talk, "session/set_title", {"sessionId": session, "title": "A title of the probe"})
        title = answer.result.get("title")
        if not sheet.judged(
            "title/kept",
            good=isinstance(title, str),
            text=f"`session/set_title` {answer.told}, expected a result with a title, got {answer.result}",
            frames=answer.frames,
        ):
            return
        if probe.offers_method("session/list"):
            entries, frames = await all_listed(probe, talk)
            mine = [entry.get("title") for entry in entries if entry.get("sessionId") == session]
            if mine:
                sheet.judged(
                    "title/kept",
                    good=mine[0] == title,
                    text=f"`session/set_title` returned {title!r}, and `session/list` returned {mine[0]!r}",
                    frames=[*answer.frames, *frames[-2:]],
                )


async def login_status(probe: Probe) -> None:
    """auth/status."""
    async with probe.opened() as talk:
        answer = await probe.call(talk, "auth/status", {})
        probe.succeeds("login/status", "`auth/status`", answer)


STEPS = (
    Step("session/archive", archived, ("archive/",), "session/archive"),
    Step("session/status", status, ("status/",), "session/status"),
    Step("session/set_title", titled, ("title/",), "session/set_title"),
    Step("auth/status", login_status, ("login/status",), "auth/status"),
)
