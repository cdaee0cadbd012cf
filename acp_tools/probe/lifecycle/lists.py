"""Checks of session lists against the model: every page of all sessions, and of the sessions of some directories."""

from __future__ import annotations

from collections.abc import Sequence

from ..cases.session_list import all_listed, ids_of, time_of
from ..context import Probe
from ..conversation import Talk
from .ledger import Report
from .model import Model, Session


async def check_lists(probe: Probe, talk: Talk, model: Model, report: Report) -> None:
    """List all sessions, then those of the first, the last, and some deleted sessions' directories."""
    entries, frames = await all_listed(probe, talk)
    ids = ids_of(entries)
    wanted = [s for s in model.sessions if s.whole and s.turns and not s.deleted]
    missing = [s.id for s in wanted if ids.count(s.id) != 1]
    if wanted:
        name, count = (missing[0], ids.count(missing[0])) if missing else ("", 1)
        report("list/whole", not missing, f"the session {name!r} is listed {count} times", frames[-8:])
    rows = {entry.get("sessionId"): entry for entry in entries}
    for s in wanted:
        row = rows.get(s.id, {})
        title, then, now = row.get("title"), time_of(s.updated), time_of(row.get("updatedAt"))
        if row and s.title is not None:
            text = f"the agent last sent the title {s.title!r} for {s.id!r}, and lists it as {title!r}"
            report("list/title", title == s.title, text, frames[-8:])
        if then is not None and now is not None:
            text = f"the agent last sent the time {s.updated!r} for {s.id!r}, and lists it with {row['updatedAt']!r}"
            report("list/updated", now >= then, text, frames[-8:])
    known = model.sessions
    for cwd in dict.fromkeys(s.cwd for s in (*known[:1], *known[-1:], *[s for s in known if s.deleted][-2:])):
        await _filtered(probe, talk, model, report, cwd, wanted)


async def _filtered(
    probe: Probe, talk: Talk, model: Model, report: Report, cwd: str, wanted: Sequence[Session]
) -> None:
    entries, frames = await all_listed(probe, talk, cwd=cwd)
    ids, own = ids_of(entries), {s.id for s in model.sessions if s.cwd == cwd and not s.deleted}
    spelled = {entry.get("cwd") for entry in entries if entry.get("sessionId") in own}
    strange = [entry for entry in entries if spelled and entry.get("cwd") not in spelled]
    more = ids_of(strange) + [s.id for s in model.sessions if s.id in ids and (s.cwd != cwd or s.deleted)]
    missing = [s.id for s in wanted if s.cwd == cwd and ids.count(s.id) != 1]
    name, verb = (more or missing or [""])[0], "contains" if more else "does not have exactly once"
    report("list/filtered", not more and not missing, f"the list for {cwd!r} {verb} the session {name!r}", frames[-8:])
