"""Styles of sessions, conversations and frames. No markup is parsed, so text from an agent cannot inject any.

Colours are theme colours. A sign or a word repeats the meaning of every colour.
"""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from pygments.lexers import find_lexer_class_for_filename
from rich.cells import cell_len, set_cell_size
from rich.style import Style
from rich.text import Text
from textual.content import Content
from textual.highlight import highlight

import acp_generated as acp

from .actions import Action
from .json_types import members
from .model.session import TerminalView, parts_of, text_of
from .sanitize import clean, one_line

_DIFF_LINES = 1_000
"""Maximum number of lines between the first and last difference for which a diff is computed. Longer ones are only
counted.
"""
_SHOWN_LINES = 400
_COLOURED = 20_000
"""Maximum length of code that is highlighted."""
_TERMINAL = 10_000
"""Characters at the end of a terminal's output that are shown."""

STATES = {"pending": "○", "in_progress": "◐", "completed": "●", "failed": "✗"}
_STATE_STYLES = {"completed": "$text-success", "failed": "bold $text-error"}
_AGES = ((60, 1, "s"), (3_600, 60, "m"), (86_400, 3_600, "h"), (30 * 86_400, 86_400, "d"))


def fit(text: str, cells: int) -> str:
    """Fit text to a number of cells: pad it, or cut it with an ellipsis."""
    if cells <= 0:
        return ""
    return set_cell_size(text, cells) if cell_len(text) <= cells else set_cell_size(text, cells - 1) + "…"


def home_short(path: str) -> str:
    """A directory with `~` for the home directory."""
    home = os.path.expanduser("~")
    shown = one_line(path)
    return "~" + shown.removeprefix(home) if shown == home or shown.startswith(home + os.sep) else shown


def age(updated_at: str | acp.UnsetType | None, now: datetime) -> str:
    """Format a time relative to now; a string that is not a time stays unchanged."""
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
    """The title of a session, or a substitute."""
    return one_line(info.title or "") or f"(no title) {one_line(info.session_id, 60)}"


def row(info: acp.SessionInfo, mark: str, now: datetime, width: int, longest: int, styles: Mapping[str, Style]) -> Text:
    """One line of the list, exactly `width` cells: a mark, the title, the directory (the longest is given), the age."""
    when = 11
    where = 0 if width < 50 else min(longest, max(width // 3, 16))
    name = fit(session_name(info), width - 2 - where - when - (1 if where else 0))
    line = Text(no_wrap=True)
    line.append(fit(mark, 2), styles["mark"])
    line.append(name, "" if one_line(info.title or "") else "italic")
    if where:
        line.append(" " + fit(_tail(home_short(info.cwd), where), where), styles["where"])
    line.append(fit(age(info.updated_at, now).rjust(when), when), styles["faint"])
    return line


def _tail(path: str, cells: int) -> str:
    """The end of a path, which distinguishes it from others."""
    return path if cell_len(path) <= cells else "…" + path[-(cells - 1) :]


# Keys


def key_bar(actions: Sequence[Action], width: int) -> Content:
    """As many keys as fit on one line, always including the last."""
    bar: list[str | tuple[str, str]] = []
    for action in _fitting(actions, width):
        bar += [(action.hint, "bold $text-accent"), f" {action.label}  "]
    return Content.assemble(*bar)


def _fitting(actions: Sequence[Action], width: int) -> list[Action]:
    fitting = list(actions)
    while len(fitting) > 1 and sum(cell_len(f"{each.hint} {each.label}  ") for each in fitting) > width + 2:
        del fitting[-2]
    return fitting


def keys(actions: Sequence[Action], why_not: Callable[[Action], str | None]) -> Content:
    """Every action on its own line, with the reason if it is unavailable."""
    lines: list[Content] = []
    for action in actions:
        why = why_not(action)
        style = "bold $text-accent" if why is None else "$foreground 60%"
        label = "" if why is None else "strike $foreground 60%"
        padding = " " * max(24 - len(action.label), 2)
        reason = (f"{padding}{why}", "$foreground 60%") if why else ""
        lines.append(Content.assemble((f"{action.hint:<7}", style), (action.label, label), reason))
    return Content("\n").join(lines)


# Code


def code(text: str, language: str = "", path: str = "") -> Content:
    """Highlighted code. It stays plain if it is long or in an unknown language."""
    shown = clean(text, 100_000).rstrip("\n")
    if not language and path:
        # By the name alone: guessing from the text tries hundreds of lexers.
        lexer = find_lexer_class_for_filename(os.path.basename(path))
        language = lexer.aliases[0] if lexer is not None and lexer.aliases else ""
    if len(shown) > _COLOURED or not language:
        return Content(shown)
    try:
        coloured = highlight(shown, language=language)
    except Exception:  # noqa: BLE001 (a lexer met a text that its author had not)
        return Content(shown)
    return coloured if coloured.plain == shown else Content(shown)


def value(given: Any) -> Content:
    """A JSON value: a string as it is, others indented."""
    if isinstance(given, str):
        return Content(clean(given, 10_000))
    try:
        return code(json.dumps(given, indent=2, ensure_ascii=False), "json")
    except (TypeError, ValueError, RecursionError):
        return Content(clean(repr(given), 10_000))


# Tool calls


def tool_title(call: acp.ToolCall) -> Content:
    """The state, title and kind of a tool call on one line."""
    status = str(call.status or "pending")
    return Content.assemble(
        (STATES.get(status, "○"), _STATE_STYLES.get(status, "$text-warning")),
        (f" {one_line(call.title, 300) or one_line(str(call.tool_call_id), 80) or 'a tool call'}", "bold"),
        (f"  {one_line(str(call.kind or 'other'), 20)}, {one_line(status, 20).replace('_', ' ')}", "$foreground 60%"),
    )


def tool_body(call: acp.ToolCall, terminals: Mapping[str, TerminalView], limit: int = 30_000) -> Content:
    """The input and the output of a tool call."""
    return Content("\n").join(part.rstrip() for part in _tool_parts(call, terminals, limit))


def _tool_parts(call: acp.ToolCall, terminals: Mapping[str, TerminalView], limit: int) -> Iterator[Content]:
    if given := call.raw_input:
        yield from _given(given)
    told = {part.path for part in parts_of(call) if isinstance(part, acp.Diff)}
    for place in [place for place in call.locations or () if place.path not in told][:20]:
        line = f":{place.line}" if place.line else ""
        yield Content.styled(f"{home_short(place.path)}{line}", "$text-accent")
    for part in parts_of(call):
        match part:
            case acp.Content(content=block):
                yield Content(clean(text_of([block]), limit))
            case acp.Diff():
                yield diff(part)
            case acp.Terminal(terminal_id=terminal_id):
                view = terminals.get(terminal_id)
                yield Content(clean(view.output[-_TERMINAL:] if view else ""))
                yield Content.styled(f"[{one_line(view.state) if view and view.state else 'a terminal'}]", "italic")
            case acp.UnknownVariant(tag=tag):
                yield Content(f"[{one_line(str(tag))}]")
    if call.raw_output and not call.content:
        yield value(call.raw_output)


def _given(given: Any) -> Iterator[Content]:
    """The arguments of a tool call. A command comes first, unquoted."""
    command: Any = members(given).get("command")
    if isinstance(command, list):
        command = " ".join(map(str, cast("Any", command)))
    if isinstance(command, str):
        yield Content.assemble(("$ ", "bold $text-accent"), code(command, "bash"))
        given = {name: each for name, each in members(given).items() if name != "command"}
    if given:
        yield value(given)


def diff(changed: acp.Diff) -> Content:
    """A diff with syntax highlighting."""
    head = Content.styled(home_short(changed.path), "bold $text-accent")
    old, new = (clean(side or "", 500_000) for side in (changed.old_text, changed.new_text))
    before, after = old.splitlines(), new.splitlines()
    start = _alike(before, after)
    stop = _alike(before[start:][::-1], after[start:][::-1])
    if max(len(before), len(after)) - start - stop > _DIFF_LINES:
        counted = f"\n{len(before):,} lines become {len(after):,}; too many for a diff"
        return Content.assemble(head, (counted, "$foreground 60%"))
    coloured = [_lines(text, changed.path, count) for text, count in ((old, len(before)), (new, len(after)))]
    matcher = difflib.SequenceMatcher(None, before[start : len(before) - stop], after[start : len(after) - stop])
    lines = [_changed(" ", line) for line in coloured[1][max(start - 2, 0) : start]]
    for does, a, b, c, d in matcher.get_opcodes():
        if does == "equal":
            same = [_changed(" ", line) for line in coloured[1][start + c : start + d]]
            lines += same if len(same) <= 5 else [*same[:2], Content.styled("  ⋮", "$foreground 60%"), *same[-2:]]
        else:
            lines += [_changed("-", line) for line in coloured[0][start + a : start + b]]
            lines += [_changed("+", line) for line in coloured[1][start + c : start + d]]
    end = len(after) - stop
    lines += [_changed(" ", line) for line in coloured[1][end : end + 2]]
    if len(lines) > _SHOWN_LINES:
        lines[_SHOWN_LINES:] = [Content.styled(f"… {len(lines) - _SHOWN_LINES:,} more lines", "$foreground 60%")]
    return Content("\n").join([head, *lines])


def _alike(some: Sequence[str], others: Sequence[str]) -> int:
    """Count the equal lines at the start."""
    pairs = zip(some, others, strict=False)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), min(len(some), len(others)))


def _lines(text: str, path: str, count: int) -> list[Content]:
    lines = code(text, path=path).split("\n")
    return lines if len(lines) >= count else [Content(line) for line in text.splitlines()]


def _changed(sign: str, line: Content) -> Content:
    content = Content.assemble(f"{sign} ", line)
    background = {"+": "on $success-muted", "-": "on $error-muted"}.get(sign)
    return content.stylize_before(background) if background else content
