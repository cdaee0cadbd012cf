"""The base of screens with frames, and the full-screen view of a connection's frames."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static

from .. import styling
from ..actions import Action, footer
from ..controller import Browser
from .dialogs import Reading
from .frames import WirePane

HELP = Action("help", "question_mark,f1", "?", "all keys")


class ShowsWire(Screen[None]):
    """A screen with frames."""

    pane: WirePane
    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    """The actions in addition to those of the pane."""
    MORE_KEYS = "↑↓ j k, PgUp PgDn, Home End: move"

    def on_mount(self) -> None:
        self.pane.rows.focus()
        self.look()

    def look(self) -> None:
        """Redraw. Findings arrive after their frames."""
        if self.is_mounted:
            with contextlib.suppress(NoMatches):  # it is being taken down, its widgets first
                self.pane.look()
                self.show_keys()

    def on_resize(self) -> None:
        self.look()

    def show_keys(self) -> None:
        """The most relevant keys."""
        shown = footer([*self.pane.actions, *self.ACTIONS], self._why_not, lambda _: False)
        self.query_one("#keys", Static).update(styling.key_bar(shown, self.size.width - 2))

    def _why_not(self, action: Action) -> str | None:
        return None if action in self.ACTIONS else self.pane.why_not(action)

    def action_help(self) -> None:
        """Show every key."""
        listed = styling.keys([*self.pane.actions, *self.ACTIONS], self._why_not)
        self.app.push_screen(Reading("Keys", Content("\n").join([listed, Content(f"\n{self.MORE_KEYS}")])))  # pyright: ignore[reportUnknownMemberType]


class WireScreen(ShowsWire):
    """The frames of an agent on a full screen."""

    DEFAULT_CSS = "WireScreen WirePane { border-left: none; }"
    ACTIONS = (
        Action("leave", "escape,f9,q", "Esc", "back", rank=4),
        Action("other", "tab", "Tab", "list ↔ frame"),
        HELP,
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,f9,q", "leave", show=False),
        Binding("tab", "other", show=False),
        Binding("question_mark,f1", "help", show=False),
    ]

    def __init__(self, browser: Browser, session_id: str = "", frames: Sequence[int] = ()) -> None:
        super().__init__()
        self.browser = browser
        self.pane = WirePane(browser.tape, browser.judge, browser.breakpoints, session_id, frames)

    def compose(self) -> ComposeResult:
        yield Static(Content.styled(f" Frames: {self.browser.title} ", "bold reverse"), id="head")
        yield self.pane
        yield Static(id="keys")

    def action_other(self) -> None:
        """Move the focus between the list and the frame."""
        body = self.query_one("#frame")
        (self.pane.rows if body.has_focus else body).focus()

    def on_wire_pane_moved(self) -> None:
        self.show_keys()

    def action_leave(self) -> None:
        if self.pane.has_class("-seeking"):
            self.pane.action_everything()
        else:
            self.dismiss()
