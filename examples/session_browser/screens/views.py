"""Two views that scroll: the list, whose rows are painted as they come into sight, and a conversation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from examples import acp

from .. import paint
from ..history import Entry

__all__ = ["Conversation", "SessionList"]


_CONSOLE = Console(width=1_000)
"""What Rich wraps text with; the width is given each time."""


class SessionList(ScrollView, can_focus=True):
    """The sessions, one line each. What is selected stays selected, by its id, whatever comes and goes around it."""

    BINDINGS = [  # noqa: RUF012 (as Textual has it)
        Binding("up,k", "step(-1)", show=False),
        Binding("down,j", "step(1)", show=False),
        Binding("pageup", "leap(-1)", show=False),
        Binding("pagedown,space", "leap(1)", show=False),
        Binding("home", "edge(0)", show=False),
        Binding("end", "edge(-1)", show=False),
    ]

    class Selected(Message):
        """Another session is selected."""

    class WantsMore(Message):
        """The user went beyond the last row."""

    def __init__(self, mark: Callable[[acp.SessionInfo], tuple[str, str]]) -> None:
        super().__init__()
        self.sessions: tuple[acp.SessionInfo, ...] = ()
        self.at = 0
        self.ending = ""
        """What is below the last row."""
        self._mark = mark
        self._longest = 0
        """Cells of the longest directory."""

    @property
    def selected(self) -> acp.SessionInfo | None:
        """The session that the user is at."""
        return self.sessions[self.at] if self.at < len(self.sessions) else None

    def show(self, sessions: tuple[acp.SessionInfo, ...], ending: str) -> None:
        """Show these sessions."""
        before = self.selected
        if sessions is not self.sessions:
            self._longest = max(
                (cell_len(path) for path in {paint.home_short(info.cwd) for info in sessions}), default=0
            )
            if before is not None:
                same = (at for at, info in enumerate(sessions) if info.session_id == before.session_id)
                self.at = next(same, min(self.at, max(len(sessions) - 1, 0)))
        self.sessions, self.ending = sessions, ending
        self.virtual_size = Size(0, len(sessions) + 1)
        self._reveal()
        if self.selected is not before:
            self.post_message(self.Selected())

    def go(self, session_id: str) -> None:
        """Select a session, if it is there."""
        for at, info in enumerate(self.sessions):
            if info.session_id == session_id:
                self._move(at)

    def action_step(self, rows: int) -> None:
        if self.at + rows >= len(self.sessions):
            self.post_message(self.WantsMore())
        self._move(self.at + rows)

    def action_leap(self, pages: int) -> None:
        self.action_step(pages * max(self.size.height - 1, 1))

    def action_edge(self, edge: int) -> None:
        self._move(0 if edge == 0 else len(self.sessions) - 1)

    def on_click(self, event: events.Click) -> None:
        self._move(event.y + self.scroll_offset.y)

    def on_resize(self) -> None:
        self.virtual_size = Size(0, len(self.sessions) + 1)
        self._reveal()

    def _move(self, at: int) -> None:
        self.at = min(max(at, 0), max(len(self.sessions) - 1, 0))
        self._reveal()
        self.post_message(self.Selected())

    def _reveal(self) -> None:
        last = self.at == len(self.sessions) - 1
        self.scroll_to_region(Region(0, self.at, 1, 2 if last else 1), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, at = self.scrollable_content_region.width, y + self.scroll_offset.y
        if at < len(self.sessions):
            info = self.sessions[at]
            mark, style = self._mark(info)
            line = paint.row(info, mark, datetime.now(UTC), width, self._longest, style)
            if at == self.at:  # one colour, whatever is in the row
                line = Text(line.plain, no_wrap=True)
                line.stylize("bold white on dark_blue" if self.has_focus else "on grey23")
        else:
            line = Text(f"  {self.ending}" if at == len(self.sessions) else "", "dim")
        return _strip(line, width, self.rich_style)


class Conversation(ScrollView, can_focus=True):
    """The entries of a history, wrapped to the width. Only what has changed is painted anew; the end stays in sight."""

    def __init__(self) -> None:
        super().__init__()
        self._entries: list[Entry] = []
        self._painted: dict[int, tuple[Entry, list[Strip]]] = {}
        self._lines: list[Strip] = []
        self._width = 0

    def show(self, entries: list[Entry]) -> None:
        """Show these entries."""
        follow = self.scroll_offset.y >= self.max_scroll_y - 1
        self._entries = entries
        if self._width != self.scrollable_content_region.width:
            self._painted, self._width = {}, self.scrollable_content_region.width
        if self._width <= 0:
            return
        painted = {id(entry): self._painted.get(id(entry)) or (entry, self._paint(entry)) for entry in entries}
        self._painted = painted
        self._lines = [strip for entry in entries for strip in painted[id(entry)][1]]
        self.virtual_size = Size(0, len(self._lines))
        self.refresh()
        if follow:
            self.scroll_end(animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        self.show(self._entries)

    def _paint(self, entry: Entry) -> list[Strip]:
        lines = paint.entry(entry).wrap(_CONSOLE, self._width, overflow="fold")
        return [_strip(line, self._width, Style()) for line in lines]

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        strip = self._lines[at] if at < len(self._lines) else Strip.blank(self._width)
        return strip.adjust_cell_length(self._width, self.rich_style).apply_style(self.rich_style)


def _strip(line: Text, width: int, style: Style) -> Strip:
    line.rstrip()
    return Strip(line.render(_CONSOLE, end="")).adjust_cell_length(width, style).apply_style(style)
