"""A scrollable conversation, with a cursor on an entry.

Only the last entries are widgets, `WINDOW` of them and more on demand: a session may have thousands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Collapsible, Static

from ..model import export
from ..model.session import Entry, Session
from .dialogs import Line
from .entries import VIEWS, EntryView, MessageView

WINDOW = 60


class Conversation(VerticalScroll, can_focus=True):
    """The end of a conversation. It follows new entries until the user scrolls up."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor(1)", show=False),
        Binding("k", "cursor(-1)", show=False),
        Binding("g,home", "edge(0)", show=False),
        Binding("G,end", "edge(-1)", show=False),
        Binding("enter,space", "fold", show=False),
        Binding("z", "fold_all", show=False),
        Binding("y", "ask('copy')", show=False),
        Binding("o", "ask('whole')", show=False),
        Binding("w", "ask('frames')", show=False),
        Binding("slash", "ask('find')", show=False),
        Binding("tab,i", "ask('prompt')", show=False),
        Binding("n", "again(1)", show=False),
        Binding("N", "again(-1)", show=False),
    ]
    DEFAULT_CSS = """
    Conversation { width: 1fr; height: 1fr; background: $background; scrollbar-size-vertical: 1; }
    Conversation > #earlier { color: $text-muted; padding: 0 1; }
    """

    class Wanted(Message):
        """A request of the user about an entry or the conversation."""

        def __init__(self, what: str, entry: Entry | None, sent_by: Conversation) -> None:
            super().__init__()
            self.what, self.entry, self.sent_by = what, entry, sent_by

    def __init__(self) -> None:
        super().__init__()
        self._session: Session | None = None
        self._views: dict[int, EntryView] = {}
        self._window = WINDOW
        self._at: Entry | None = None
        self._needle = ""

    def compose(self) -> ComposeResult:
        yield Static(id="earlier")

    def on_mount(self) -> None:
        self.anchor()

    def show(self, session: Session) -> None:
        """Show the current state of a session."""
        if not self.is_mounted:
            return
        if session is not self._session:
            self._session, self._window, self._at = session, WINDOW, None
        entries = session.entries[-self._window :]
        wanted = {id(entry) for entry in entries}
        for gone in [key for key in self._views if key not in wanted]:
            self._views.pop(gone).remove()
        for shown in self._views.values():
            shown.look()
        fresh = [entry for entry in entries if id(entry) not in self._views]
        if fresh:
            made = [VIEWS.get(entry.kind, MessageView)(entry, session) for entry in fresh]
            first = next((view for entry in entries if (view := self._views.get(id(entry)))), None)
            older = first is not None and entries.index(fresh[0]) < entries.index(first.entry)
            self._views = (
                {**{id(view.entry): view for view in made}, **self._views}
                if older
                else {
                    **self._views,
                    **{id(view.entry): view for view in made},
                }
            )
            self.mount_all(made, before=first if older else None)
        hidden = len(session.entries) - len(entries)
        notes = [f"{session.dropped:,} earlier entries were dropped"] if session.dropped else []
        notes += [f"{hidden:,} earlier entries; Home: show more"] if hidden else []
        earlier = self.query_one("#earlier", Static)
        earlier.display = bool(notes)
        earlier.update(Content("; ".join(notes)))

    # Moving about

    def action_cursor(self, step: int) -> None:
        entries = [view.entry for view in self._views.values()]
        if not entries:
            return
        at = next((at for at, entry in enumerate(entries) if entry is self._at), len(entries) if step < 0 else -1)
        self._go(entries[min(max(at + step, 0), len(entries) - 1)])

    def action_edge(self, edge: int) -> None:
        session = self._session
        if session is None or not session.entries:
            return
        if edge == 0:
            self._window += WINDOW
            self.show(session)
            self.call_after_refresh(self.scroll_home, animate=False)
            self._mark(session.entries[-self._window :][0])
        else:
            self._mark(session.entries[-1])
            self.anchor()

    def _go(self, entry: Entry) -> None:
        self._mark(entry)
        view = self._views.get(id(entry))
        if view is not None:
            self.release_anchor()
            self.scroll_to_widget(view, animate=False, force=True)

    def _mark(self, entry: Entry) -> None:
        self._at = entry
        for view in self._views.values():
            view.set_class(view.entry is entry, "-cursor")

    def on_blur(self) -> None:
        for view in self._views.values():
            view.remove_class("-cursor")

    def on_click(self, event: events.Click) -> None:
        widget: Widget | None = event.widget
        while widget is not None and not isinstance(widget, EntryView):
            widget = widget.parent if isinstance(widget.parent, Widget) else None
        if widget is not None:
            self._mark(widget.entry)

    def find(self, needle: str, step: int = -1) -> bool:
        """Move to the next entry that contains a text, in a direction and with wraparound. Returns whether there is
        one.
        """
        session = self._session
        if session is None or not needle:
            return False
        self._needle = needle
        entries = session.entries
        here = next((at for at, entry in enumerate(entries) if entry is self._at), len(entries) if step < 0 else -1)
        for distance in range(1, len(entries) + 1):
            entry = entries[(here + step * distance) % len(entries)]
            if needle.lower() in export.entry_text(entry).lower():
                self._window = max(self._window, len(entries) - entries.index(entry) + 5)
                self.show(session)
                self.call_after_refresh(self._go, entry)
                self._at = entry
                return True
        return False

    # What can be done with an entry

    def action_fold(self) -> None:
        if self._at is not None and (view := self._views.get(id(self._at))) is not None:
            view.toggle()

    def action_fold_all(self) -> None:
        folds = list(self.query(Collapsible))
        close = any(not fold.collapsed for fold in folds)
        for fold in folds:
            fold.collapsed = close

    def action_ask(self, what: str) -> None:
        session = self._session
        entry = self._at or (session.entries[-1] if session and session.entries else None)
        self.post_message(self.Wanted(what, entry, self))

    def action_again(self, step: int) -> None:
        if self._needle and not self.find(self._needle, step):
            self.post_message(self.Wanted("nothing", None, self))


def find_in(app: App[Any], conversation: Conversation, say: Callable[[str, bool], object]) -> None:
    """Ask for a text and find it."""

    def typed(needle: str | None) -> None:
        if needle and conversation.find(needle):
            conversation.focus()
            say(f"found {needle!r}; n: further up, N: down", False)
        elif needle:
            say(f"nothing here contains {needle!r}", True)

    app.push_screen(Line("Find in this conversation", ""), typed)
