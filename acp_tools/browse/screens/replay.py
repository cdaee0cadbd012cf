"""The replay of a recorded transcript: its frames, and the conversation after each frame."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import msgspec
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ..actions import Action
from ..breakpoints import Breakpoints
from ..model import export
from ..model.frames import Frame, Tape
from ..model.history import Story
from ..model.session import Session
from ..sanitize import clean, one_line
from ..validation import OWN, Judge, Rules
from .conversation import Conversation, find_in
from .dialogs import Whole
from .entries import whole
from .frame_screen import HELP, ShowsWire
from .frames import WirePane
from .session import head_of, show_plan
from .style import CSS


class _Steps:
    """The state after a frame of a transcript. Going back rebuilds it from the start."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.story = Story()
        self._next = 0

    def until(self, number: int) -> None:
        """Process all frames up to a number."""
        if number < self._next:
            self.story, self._next = Story(), 0
        for frame in self.tape.frames[self._next : number]:
            try:
                value: Any = msgspec.json.decode(frame.data)
            except (msgspec.MsgspecError, ValueError, RecursionError):
                continue
            self.story.take(frame, value)
        self._next = number


class ReplayScreen(ShowsWire):
    """The conversation on the left, the frames on the right."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c", "quit", show=False),
        Binding("escape", "all", show=False),
        Binding("tab", "other", show=False),
        Binding("question_mark,f1", "help", show=False),
    ]
    ACTIONS = (
        Action("step", "j", "j k", "step", rank=0),
        Action("other", "tab", "Tab", "conversation", rank=1),
        Action("all", "escape", "Esc", "all frames"),
        Action("quit", "q", "q", "quit", rank=2),
        HELP,
    )
    MORE_KEYS = (
        "In the conversation: /: find, n N: next, previous; w: the frames of an entry; o: show all of it; y: copy"
    )
    DEFAULT_CSS = """
    ReplayScreen #told { width: 1fr; }
    ReplayScreen.-narrow #told { width: 2fr; }
    ReplayScreen.-narrow WirePane { width: 3fr; }
    ReplayScreen #plan { height: auto; max-height: 8; padding: 0 1; }
    """

    def __init__(self, name: str, tape: Tape, judge: Judge) -> None:
        super().__init__()
        self._file = name
        self._steps = _Steps(tape)
        self._judge = judge
        self._session = Session("")
        self.pane = WirePane(tape, judge, Breakpoints(tape, lambda: None), recorded=True)

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal(classes="columns"):
            with Vertical(id="told"):
                yield Conversation()
                yield Static(id="plan")
            yield self.pane
        yield Static(id="keys")

    def on_wire_pane_moved(self, event: WirePane.Moved) -> None:
        if event.frame is not None:
            self._show(event.frame)

    def _show(self, frame: Frame) -> None:
        self._steps.until(frame.number)
        sessions = self._steps.story.sessions
        session_id = frame.session_id or self._session.session_id
        self._session = sessions.get(session_id) or Session(session_id)
        self.query_one(Conversation).show(self._session)
        plan = self.query_one("#plan", Static)
        show_plan(plan, self._session, self.size.height)
        head = head_of(self._session, self._judge.found) if session_id else Content("")
        where = f" {one_line(self._file, 60)}, frame {frame.number} of {len(self._steps.tape.frames)}  "
        self.query_one("#head", Static).update(Content.assemble((where, "bold reverse"), head))

    def on_conversation_wanted(self, event: Conversation.Wanted) -> None:
        entry = event.entry
        if event.what == "find":
            find_in(self.app, event.sent_by, self._say)  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        elif entry is None:
            self.notify("nothing more is found", timeout=3)
        elif event.what == "frames" and entry.frames:
            self.pane.go(entry.frames[0])
            self.pane.rows.focus()
        elif event.what == "copy":
            self.app.copy_to_clipboard(export.entry_text(entry))  # pyright: ignore[reportUnknownMemberType]
        elif event.what == "whole":
            self.app.push_screen(Whole("All of it", whole(entry, self._session.terminals)))  # pyright: ignore[reportUnknownMemberType]
        elif event.what == "prompt":
            self.pane.rows.focus()

    def _say(self, text: str, bad: bool) -> None:
        self.notify(text, severity="warning" if bad else "information", timeout=3)

    def action_other(self) -> None:
        """Move the focus between the frames and the conversation."""
        (self.query_one(Conversation) if self.pane.rows.has_focus else self.pane.rows).focus()

    def action_all(self) -> None:
        """Show all frames."""
        self.pane.action_everything()

    def action_quit(self) -> None:
        self.app.exit()  # pyright: ignore[reportUnknownMemberType]


class ReplayApp(App[None]):
    """The application for a transcript."""

    TITLE = "acp-browse"
    CSS = CSS
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)

    def __init__(self, name: str, tape: Tape, rules: Rules = OWN) -> None:
        super().__init__()
        self._file = name
        self.tape = tape
        self.judge = Judge(tape, rules)

    def get_default_screen(self) -> ReplayScreen:
        return ReplayScreen(clean(self._file, 200), self.tape, self.judge)

    def on_mount(self) -> None:
        self.run_worker(self._judging())

    async def _judging(self) -> None:
        await self.judge.load()
        while self.judge.some():
            self._look()
            await asyncio.sleep(0)
        self.judge.end()
        self._look()

    def _look(self) -> None:
        for screen in self.screen_stack:
            if isinstance(screen, ReplayScreen):
                screen.look()
