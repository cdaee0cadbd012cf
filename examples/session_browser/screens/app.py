"""The program on the screen: shows what is new, a while at a time, and puts the agent's questions to the user."""

from __future__ import annotations

import asyncio
import time

from textual.app import App

from ..asks import Question
from ..browser import Browser
from .board import Board
from .dialogs import Permission
from .sessions import SessionsScreen

__all__ = ["BrowserApp"]

PAUSE = 0.03
"""Seconds between two looks at what is new, at least: a flood of updates must leave time for the keys."""


class BrowserApp(App[None]):
    """The browser in a terminal."""

    TITLE = "Session browser"
    ENABLE_COMMAND_PALETTE = False
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    CSS = """
    Screen { layout: vertical; }
    #head { height: 1; background: $panel; }
    Horizontal { height: 1fr; }
    SessionList, Conversation { width: 1fr; height: 1fr; background: $background; overflow-x: hidden;
                                scrollbar-size-vertical: 1; }
    #why { display: none; width: 52; height: 1fr; padding: 0 1; border-left: solid $panel; }
    .-wide #why { display: block; }
    #detail { height: 2; padding: 0 2; background: $surface; }
    #prompt { height: auto; max-height: 6; border: none; border-top: solid $primary; padding: 0 1; }
    #status { height: 1; padding: 0 1; color: $text-muted; background: $surface; text-wrap: nowrap;
              text-overflow: ellipsis; }
    #status.bad { color: $text-error; }
    #keys { height: auto; max-height: 5; padding: 0 1; background: $panel; }
    ModalScreen { align: center middle; }
    .dialog { width: 90%; max-width: 110; height: auto; max-height: 90%; border: round $primary; padding: 0 1;
              background: $surface; }
    .heading { text-style: bold; margin-bottom: 1; }
    .hints { color: $text-muted; margin-top: 1; }
    .about { height: auto; max-height: 50vh; margin-bottom: 1; }
    .reading { height: auto; max-height: 70vh; }
    .dialog OptionList { height: auto; max-height: 12; border: none; padding: 0; }
    """

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self.browser = browser
        self._asked: Question | None = None

    def get_default_screen(self) -> SessionsScreen:
        return SessionsScreen(self.browser)

    def on_mount(self) -> None:
        self.run_worker(self._follow())

    def action_help_quit(self) -> None:
        """What Textual calls for ^C where nothing else wants it."""
        self.browser.say("q in the list quits; in a session ^C cancels its turn")

    async def _follow(self) -> None:
        while True:
            await self.browser.news.wait()
            self.browser.news.clear()
            start = time.monotonic()
            for screen in self.screen_stack:
                if isinstance(screen, Board):
                    screen.look()
            self._ask()
            await asyncio.sleep(max(PAUSE, 2 * (time.monotonic() - start)))

    def _ask(self) -> None:
        """Show the oldest open question, take down one that was withdrawn."""
        if self._asked is not None and self._asked.answer.done():
            if isinstance(self.screen, Permission) and self.screen.question is self._asked:
                self.screen.dismiss(None)
            return
        waiting = [question for question in self.browser.asks.open if not question.answer.done()]
        if self._asked is None and waiting:
            question = self._asked = waiting[0]
            session = self.browser.session(question.session_id)

            def answered(option: str | None) -> None:
                self._asked = None
                if not question.answer.done():
                    question.answer.set_result(option)
                self.browser.changed()

            self.push_screen(Permission(question, session.title or session.session_id), answered)
