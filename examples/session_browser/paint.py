"""How sessions and conversations look: data in, rich text out. No markup is read anywhere, so nothing can inject any."""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from rich.cells import cell_len, set_cell_size
from rich.table import Table
from rich.text import Text

from examples import acp

from .gates import Action
from .history import Entry, Message, Note, PlanEntry, ToolEntry, text_of
from .text import clean, one_line

__all__ = ["age", "entry", "fit", "home_short", "key_bar", "reasons", "row", "session_name"]

GREY = "grey42"
DIFF_LINES = 800
"""Lines of a file up to which a difference is computed; a longer one is only counted."""
TERMINAL = 10_000
"""Characters at the end of a terminal's output that are shown."""

_ROLES = {"user": ("You", "bold cyan", ""), "agent": ("Agent", "bold green", ""), "thought": ("Thought", "dim", "dim")}
_STATES = {"pending": "○", "in_progress": "◐", "completed": "●", "failed": "✗"}
_STATE_STYLES = {"pending": "yellow", "in_progress": "yellow", "completed": "green", "failed": "bold red"}
_SEVERITIES = {"info": "dim", "warning": "yellow", "error": "bold red"}
_AGES = ((60, 1, "s"), (3_600, 60, "m"), (86_400, 3_600, "h"), (30 * 86_400, 86_400, "d"))


def fit(text: str, cells: int) -> str:
    """Text in exactly so many cells: padded, or cut with an ellipsis."""
    if cells <= 0:
        return ""
    return set_cell_size(text, cells) if cell_len(text) <= cells else set_cell_size(text, cells - 1) + "…"


def home_short(path: str) -> str:
    """A directory, with `~` for our own home."""
    home = os.path.expanduser("~")
    shown = one_line(path)
    return "~" + shown.removeprefix(home) if shown == home or shown.startswith(home + os.sep) else shown


def age(updated_at: str | acp.UnsetType | None, now: datetime) -> str:
    """How long ago a time was; as it came where it is none."""
    if not updated_at:
        return ""
    try:
        then = datetime.fromisoformat(updated_at)
        seconds = (now - (then if then.tzinfo else then.replace(tzinfo=UTC))).total_seconds()
    except (ValueError, OverflowError):
        return one_line(updated_at, 10)
    for below, unit, letter in _AGES:
        if seconds < below:
            return f"{max(int(seconds) // unit, 0)}{letter} ago"
    return f"{then:%Y-%m-%d}"


def session_name(info: acp.SessionInfo) -> str:
    """The title, or what stands for it."""
    return one_line(info.title or "") or f"(no title) {one_line(info.session_id, 60)}"


def row(info: acp.SessionInfo, mark: str, now: datetime, width: int, longest: int, style: str = "") -> Text:
    """One line of the list, exactly `width` cells: a mark, the title, the directory (the longest is given), the age."""
    when = 11
    where = 0 if width < 50 else min(longest, max(width // 3, 16))
    name = fit(session_name(info), width - 2 - where - when - (1 if where else 0))
    line = Text(no_wrap=True, style=style)
    line.append(fit(mark, 2), "bold green")
    line.append(name, "" if one_line(info.title or "") else "italic")
    if where:
        line.append(" " + fit(_tail(home_short(info.cwd), where), where), "cyan")
    line.append(fit(age(info.updated_at, now).rjust(when), when), "dim")
    return line


def _tail(path: str, cells: int) -> str:
    """A path whose end is what tells it from others."""
    return path if cell_len(path) <= cells else "…" + path[-(cells - 1) :]


def key_bar(actions: Sequence[Action], why_not: Callable[[Action], str | None], width: int) -> Text:
    """The keys, in as many lines as they take; grey is what cannot be done."""
    bar = Text(no_wrap=True)
    room = width
    for action in actions:
        needed = cell_len(f"{action.hint} {action.label}")
        if needed > room and bar:
            bar.append("\n")
            room = width
        grey = why_not(action) is not None
        bar.append(action.hint, GREY if grey else "bold cyan")
        bar.append(" ")
        bar.append(action.label, f"{GREY} strike" if grey else "")
        bar.append("  ")
        room -= needed + 2
    return bar


def reasons(actions: Sequence[Action], why_not: Callable[[Action], str | None]) -> Table:
    """Every action on a line of its own, with the reason where it cannot be done."""
    table = Table.grid(padding=(0, 2, 0, 0))
    for action in actions:
        why = why_not(action)
        table.add_row(
            Text(action.hint, "bold cyan" if why is None else GREY, no_wrap=True),
            Text(action.label, "" if why is None else f"{GREY} strike", no_wrap=True),
            Text(why or "", GREY, overflow="fold"),
        )
    return table


def entry(entry: Entry) -> Text:
    """One entry of a conversation."""
    match entry:
        case Message(role=role, text=text, continues=continues):
            label, head, body = _ROLES[role]
            return Text.assemble(("" if continues else f"{label}\n", head), (clean(text).rstrip("\n") + "\n", body))
        case Note(text=text, severity=severity):
            return Text.assemble(("─ " + clean(text, 4_000) + "\n", _SEVERITIES.get(severity, "dim")))
        case PlanEntry():
            return _plan(entry)
        case ToolEntry():
            return _tool(entry)


def _plan(plan: PlanEntry) -> Text:
    text = Text.assemble(("Plan\n", "bold magenta"))
    for step in plan.steps:
        done = step.status == "completed"
        text.append(f"  {_STATES.get(step.status, '○')} ", _STATE_STYLES.get(step.status, ""))
        text.append(clean(step.content, 1_000) + "\n", "dim" if done else "")
    if plan.text:
        text.append(clean(plan.text).rstrip("\n") + "\n")
    return text


def _tool(call: ToolEntry) -> Text:
    text = Text()
    text.append(f"{_STATES.get(call.status, '○')} ", _STATE_STYLES.get(call.status, ""))
    text.append(one_line(call.title, 2_000) or one_line(call.call_id, 80) or "a tool call", "bold")
    text.append(f"  {one_line(call.kind, 20)}, {one_line(call.status, 20).replace('_', ' ')}\n", "dim")
    told = {part.path for part in call.content if isinstance(part, acp.Diff)}
    for place in [place for place in call.locations if place.path not in told][:20]:
        line = f":{place.line}" if place.line else ""
        text.append(f"  {home_short(place.path)}{line}\n", "cyan")
    views = dict(call.terminals)
    for part in call.content:
        match part:
            case acp.Content(content=block):
                text.append(_indented(clean(text_of(block))))
            case acp.Diff():
                text.append(_diff(part))
            case acp.Terminal(terminal_id=terminal_id):
                view = views.get(terminal_id)
                text.append(_indented(clean(view.output[-TERMINAL:] if view else ""), "dim"))
                text.append(f"  [{one_line(view.state) if view and view.state else 'a terminal'}]\n", "dim italic")
            case acp.UnknownVariant(tag=tag):
                text.append(_indented(one_line(f"[{tag}]")))
    return text


def _indented(text: str, style: str = "") -> Text:
    return Text("".join(f"  {line}\n" for line in text.rstrip("\n").split("\n")) if text else "", style)


def _diff(diff: acp.Diff) -> Text:
    old, new = (clean(side or "", 200_000).splitlines() for side in (diff.old_text, diff.new_text))
    text = Text.assemble((f"  {home_short(diff.path)}\n", "bold cyan"))
    if max(len(old), len(new)) > DIFF_LINES:
        text.append(f"  {len(old):,} lines become {len(new):,}; too many to compare here\n", "dim")
        return text
    for line in list(difflib.unified_diff(old, new, lineterm="", n=2))[2:]:
        style = {"+": "green", "-": "red", "@": "magenta"}.get(line[:1], "dim")
        text.append(f"  {line[:2_000]}\n", style)
    return text
