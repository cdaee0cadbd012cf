"""Two agents side by side, each with its own session. Every prompt is sent to both."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from ..actions import Action
from ..completion import Completion, blocks_of, completions
from ..controller import Browser
from ..model.session import Session
from .base import Talk, keys_around_prompt
from .conversation import Conversation
from .frame_screen import WireScreen
from .prompt import Prompt
from .session import head_of

IN_BESIDE = (
    Action("send", "enter", "Enter", "send to both", ("prompt",), rank=2),
    Action("newline", "ctrl+j", "^J", "new line"),
    Action("cancel", "ctrl+c", "^C", "cancel both turns", ("cancel",), rank=1),
    Action("read", "tab", "Tab", "read left, right", rank=3),
    Action("wire", "f9", "F9", "frames left", rank=4),
    Action("other", "f10", "F10", "frames right", rank=5),
    Action("log", "f8", "F8", "log left"),
    Action("palette", "ctrl+p", "^P", "commands, themes"),
    Action("help", "f1", "?", "all keys"),
    Action("quit", "ctrl+q", "^Q", "quit", rank=6),
)


class _Side(Vertical):
    """One of the agents."""

    DEFAULT_CSS = """
    _Side { width: 1fr; height: 1fr; border-right: solid $panel; }
    _Side > .name { height: 1; background: $panel; text-wrap: nowrap; text-overflow: ellipsis; }
    """

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self.browser = browser
        self.session: Session | None = None
        self.took: float | None = None
        """Duration of the last turn in seconds."""

    def compose(self) -> ComposeResult:
        yield Static(classes="name")
        yield Conversation()

    def look(self) -> None:
        """Redraw this side."""
        browser, session = self.browser, self.session
        parts: list[Any] = [(f" {browser.title} ", "bold reverse")]
        if browser.dead is not None:
            parts.append((f"  gone: {browser.dead}", "bold $text-error"))
        if session is not None:
            session = self.session = browser.sessions.get(session.session_id, session)
            parts += [head_of(session, browser.judge.found)]
            self.query_one(Conversation).show(session)
        if self.took is not None:
            parts.append((f"  {self.took:.1f} s", "$foreground 60%"))
        self.query_one(".name", Static).update(Content.assemble(*parts))


class BesideScreen(Talk):
    """Both agents, one prompt."""

    ACTIONS = IN_BESIDE
    BINDINGS = keys_around_prompt(IN_BESIDE)

    def __init__(self, left: Browser, right: Browser) -> None:
        super().__init__(left)
        self.sides = (_Side(left), _Side(right))

    def compose(self) -> ComposeResult:
        with Horizontal(classes="columns"):
            yield from self.sides
        yield from self.input_line()

    def begin(self) -> None:
        self.query_one(Prompt).focus()
        for side in self.sides:
            self.attempt("session/new", partial(self._open, side))

    async def _open(self, side: _Side) -> None:
        side.session = await side.browser.new(side.browser.directory or os.getcwd())

    def show(self) -> None:
        for side in self.sides:
            side.look()
        super().show()

    def session_in(self, conversation: Conversation) -> tuple[Browser, Session] | None:
        side = next(side for side in self.sides if side.query_one(Conversation) is conversation)
        return None if side.session is None else (side.browser, side.session)

    def complete(self, before: str) -> Sequence[Completion]:
        sessions = [side.session for side in self.sides if side.session is not None]
        commands = {command.name: command for session in sessions for command in session.commands}
        return completions(before, list(commands.values()), sessions[0].cwd) if sessions else ()

    def why_not_here(self, action: Action) -> str | None:
        ready = [side for side in self.sides if side.session is not None]
        running = [side for side in ready if side.session is not None and side.session.running]
        if action.name == "send" and (running or len(ready) < len(self.sides)):
            return "a turn is running; ^C: cancel it" if running else "the sessions are not open yet"
        return "no turn is running" if action.name == "cancel" and not running else None

    def do_send(self) -> None:
        prompt = self.query_one(Prompt)
        if text := prompt.text.strip():
            prompt.clear()
            for side in self.sides:
                self.start(self.guarded(partial(self._turn, side, text)))

    async def _turn(self, side: _Side, text: str) -> None:
        assert side.session is not None  # or the action had a reason against it
        began = time.monotonic()
        try:
            await side.browser.prompt(side.session, blocks_of(text, side.session.cwd))
        finally:
            side.took = time.monotonic() - began

    def do_cancel(self) -> None:
        for side in self.sides:
            if side.session is not None and side.session.running:
                session = side.session
                self.attempt("session/cancel", partial(side.browser.cancel, session))

    def do_read(self) -> None:
        """Move the focus between the prompt and both conversations."""
        left, right = (side.query_one(Conversation) for side in self.sides)
        following = left if self.query_one(Prompt).has_focus else right if left.has_focus else None
        (following or self.query_one(Prompt)).focus()

    def do_wire(self) -> None:
        self._wire(self.sides[0])

    def do_other(self) -> None:
        """Show the frames of the agent on the right."""
        self._wire(self.sides[1])

    def _wire(self, side: _Side) -> None:
        self.host.push_screen(WireScreen(side.browser, side.session.session_id if side.session else ""))
