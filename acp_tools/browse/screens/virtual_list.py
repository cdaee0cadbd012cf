"""Lists of any length that only draw visible rows: the base class, and the list of sessions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import ClassVar, Generic, TypeVar

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

import acp_generated as acp

from .. import styling

T = TypeVar("T")

_CONSOLE = Console(width=1_000)
"""The Rich console that renders text; each call passes the width."""


class Rows(ScrollView, Generic[T], can_focus=True):
    """Items on one line each, with a selection."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", show=False),
        Binding("down,j", "step(1)", show=False),
        Binding("pageup,ctrl+u", "leap(-1)", show=False),
        Binding("pagedown,space,ctrl+d", "leap(1)", show=False),
        Binding("home", "edge(0)", show=False),
        Binding("end,G", "edge(-1)", show=False),
    ]
    PARTS: ClassVar[set[str]] = {"mark", "where", "faint", "cursor", "blurred", "gone", "good", "bad", "odd"}
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"rows--{part}" for part in PARTS}
    DEFAULT_CSS = """
    Rows { width: 1fr; height: 1fr; background: $background; overflow-x: hidden; scrollbar-size-vertical: 1; }
    Rows .rows--mark { color: $text-success; text-style: bold; }
    Rows .rows--where { color: $text-accent; }
    Rows .rows--faint { text-style: dim; }
    Rows .rows--cursor { background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold; }
    Rows .rows--blurred { background: $block-cursor-blurred-background; color: $block-cursor-blurred-foreground; }
    Rows .rows--gone { text-style: dim strike; }
    Rows .rows--good { color: $text-success; }
    Rows .rows--bad { color: $text-error; text-style: bold; }
    Rows .rows--odd { color: $text-warning; }
    """

    class Selected(Message):
        """Another item was selected."""

    class Opened(Message):
        """The user opens the selected item with a double click."""

    class WantsMore(Message):
        """The user moved past the last row."""

    def __init__(self) -> None:
        super().__init__()
        self.items: Sequence[T] = ()
        self.at = 0
        self.ending = ""
        """The text below the last row."""
        self._looks: dict[str, Style] = {}

    def draw(self, item: T, width: int, looks: Mapping[str, Style]) -> Text:
        """Draw one row. The keys of `looks` are the names in PARTS."""
        raise NotImplementedError

    @property
    def selected(self) -> T | None:
        """The selected item."""
        return self.items[self.at] if self.at < len(self.items) else None

    def action_step(self, rows: int) -> None:
        if self.at + rows >= len(self.items):
            self.post_message(self.WantsMore())
        self.move(self.at + rows)

    def action_leap(self, pages: int) -> None:
        self.action_step(pages * max(self.size.height - 1, 1))

    def action_edge(self, edge: int) -> None:
        self.move(0 if edge == 0 else len(self.items) - 1)

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if at < len(self.items):
            self.move(at)
            if event.chain == 2:
                self.post_message(self.Opened())
        elif event.chain == 2:
            self.post_message(self.WantsMore())

    def on_resize(self) -> None:
        self.sized()

    def notify_style_update(self) -> None:
        self._looks.clear()
        super().notify_style_update()

    def sized(self) -> None:
        """Update the number of items."""
        self.virtual_size = Size(0, len(self.items) + 1)
        self._reveal()

    def move(self, at: int) -> None:
        """Select an item by index."""
        self.at = min(max(at, 0), max(len(self.items) - 1, 0))
        self._reveal()
        self.post_message(self.Selected())

    def _reveal(self) -> None:
        last = self.at == len(self.items) - 1
        self.scroll_to_region(Region(0, self.at, 1, 2 if last else 1), animate=False, force=True)
        self.refresh()

    def render_line(self, y: int) -> Strip:
        width, at = self.scrollable_content_region.width, y + self.scroll_offset.y
        if not self._looks:
            self._looks = {part: self.get_component_rich_style(f"rows--{part}", partial=True) for part in self.PARTS}
        line, style = Text(f"  {self.ending}" if at == len(self.items) else ""), self._looks["faint"]
        if at < len(self.items):
            line, style = self.draw(self.items[at], width, self._looks), Style()
            if at == self.at:  # one colour, whatever is in the row
                line, style = Text(line.plain), self._looks["cursor" if self.has_focus else "blurred"]
        strip = Strip(line.render(_CONSOLE, end="")).adjust_cell_length(width)
        return strip.apply_style(self.rich_style + style)


class SessionList(Rows[acp.SessionInfo]):
    """The list of sessions. It keeps the selected session while rows change."""

    def __init__(self, mark: Callable[[acp.SessionInfo], tuple[str, bool]]) -> None:
        super().__init__()
        self._mark = mark
        self._longest = 0
        """Width of the longest directory, in cells."""

    def show(self, sessions: tuple[acp.SessionInfo, ...], ending: str) -> None:
        """Show these sessions."""
        before = self.selected
        if sessions is not self.items:
            paths = {styling.home_short(info.cwd) for info in sessions}
            self._longest = max((cell_len(path) for path in paths), default=0)
            if before is not None:
                same = (at for at, info in enumerate(sessions) if info.session_id == before.session_id)
                self.at = next(same, min(self.at, max(len(sessions) - 1, 0)))
        self.items, self.ending = sessions, ending
        self.sized()
        if self.selected is not before:
            self.post_message(self.Selected())

    def go(self, session_id: str) -> None:
        """Select a session if it is in the list."""
        for at, info in enumerate(self.items):
            if info.session_id == session_id:
                self.move(at)

    def draw(self, item: acp.SessionInfo, width: int, looks: Mapping[str, Style]) -> Text:
        mark, leaving = self._mark(item)
        line = styling.row(item, mark, datetime.now(UTC), width, self._longest, looks)
        if leaving:
            line.stylize(looks["gone"], 2)
        return line
