"""A preview of a session beside the list, without a request to the agent."""

from __future__ import annotations

import json

from textual.content import Content

import acp_generated as acp

from .. import styling
from ..model.export import brief
from ..model.session import Session
from ..sanitize import clean, one_line

_PREVIEWED = 6
"""Number of final entries in a preview."""


def preview(info: acp.SessionInfo, session: Session | None, opens: bool) -> Content:
    """A preview of a session from its known state, without a request."""
    lines: list[Content] = [Content.styled(styling.session_name(info), "bold"), Content("")]
    facts = {"id": info.session_id, "directory": info.cwd, "updated": info.updated_at or ""}
    facts |= {f"also in {count}": path for count, path in enumerate(info.additional_directories or (), 1)}
    if session is not None:
        options = {option.name: option.shown for option in session.options}
        twice = any(name.casefold() == "mode" for name in options)  # many agents offer their modes as an option, too
        facts |= {"mode": session.mode.shown if session.mode and not twice else "", "usage": session.usage} | options
    known = {one_line(name, 20): one_line(str(value), 200) for name, value in facts.items() if value}
    width = max(map(len, known), default=0) + 2
    lines += [Content.assemble((f"{name:<{width}}", "$foreground 60%"), value) for name, value in known.items()]
    if info.meta:
        shown = clean(json.dumps(acp.to_dict(info).get("_meta"), indent=1, ensure_ascii=False), 1_000)
        lines += [Content.styled("_meta", "$foreground 60%"), styling.code(shown, "json")]
    if session is None or not session.entries:
        hint = "Enter: open the session and show its conversation." if opens else ""
        return Content("\n").join([*lines, Content(""), Content.styled(hint, "$foreground 60%")])
    lines += [Content(""), Content.styled(f"the end of {len(session.entries):,} entries", "$foreground 60%")]
    for entry in session.entries[-_PREVIEWED:]:
        lines += [Content(""), Content(brief(entry, 300))]
    return Content("\n").join(lines)
