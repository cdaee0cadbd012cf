"""The terminal application: it redraws changes in batches and shows the agent's questions."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable
from typing import Any

from textual.app import App, SystemCommand
from textual.screen import Screen

from ..client.questions import Question
from ..controller import Browser
from .base import Board
from .compare import BesideScreen
from .dialogs import Confirm, Permission
from .frame_screen import WireScreen
from .sessions import SessionsScreen
from .style import CSS

PAUSE = 0.03
"""Minimum seconds between redraws, so that a flood of updates leaves time for keys."""


class BrowserApp(App[None]):
    """The browser of one agent in a terminal, or of two side by side."""

    TITLE = "acp-browse"
    CSS = CSS
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-wide")]  # noqa: RUF012 (as Textual has it)
    VERTICAL_BREAKPOINTS = [(0, "-tiny"), (6, "-low"), (14, "-high")]  # noqa: RUF012 (as Textual has it)

    def __init__(self, browser: Browser, *beside: Browser) -> None:
        super().__init__()
        self.browser = browser
        self.browsers = (browser, *beside)
        """The connected agents."""
        self._asked: Question | None = None

    def get_default_screen(self) -> Screen[Any]:
        return BesideScreen(*self.browsers) if len(self.browsers) > 1 else SessionsScreen(self.browser)

    def on_mount(self) -> None:
        for browser in self.browsers:
            self.run_worker(self._follow(browser))
            self.run_worker(self._load(browser))
        self.set_interval(1, self._tick)

    def get_system_commands(self, screen: Screen[Any]) -> Iterable[SystemCommand]:
        if isinstance(screen, Board):
            for action in screen.actions:
                if action.name not in ("palette", "send", "newline", "read"):
                    why = screen.why_not(action)
                    about = f"{action.hint}: not available: {why}" if why else f"key {action.hint}"
                    yield SystemCommand(
                        action.label.capitalize(), about, lambda name=action.name, screen=screen: screen.action_do(name)
                    )
        for command in super().get_system_commands(screen):  # pyright: ignore[reportUnknownMemberType]
            if command.title in ("Theme", "Screenshot", "Maximize", "Minimize"):
                yield command

    def action_frames(self) -> None:
        """Show the frames while the user has an open question."""
        if self._asked is not None:
            asking = next((each for each in self.browsers if self._asked in each.asks.open), self.browser)
            # The question may be withdrawn meanwhile.
            self.push_screen(WireScreen(asking, self._asked.session_id), lambda _: asking.changed())

    # Leaving

    def action_help_quit(self) -> None:
        """Handle ^C if no widget does; Textual calls this action."""
        self.browser.say("q in the list quits; in a session ^C cancels its turn")

    async def action_quit(self) -> None:
        """Quit, after a confirmation if work is in progress."""
        running = [browser.name_of(session.session_id) for browser in self.browsers for session in browser.running]
        leaving = {browser: browser.deletes.waiting() for browser in self.browsers}
        names = [browser.name_of(left) for browser, waiting in leaving.items() for left in waiting]
        if not running and not names:
            self.exit()
            return
        if isinstance(self.screen, Confirm):
            return
        lines = [f"a turn runs in {name!r}" for name in running] + [f"{name!r} will be deleted" for name in names]
        answers = {"y": "quit and end the turns"} if running and not names else {}
        if names:
            end = ", and end the turns" if running else ""
            answers = {"d": f"delete and leave{end}", "k": f"keep the sessions and quit{end}"}

        def answered(key: str | None) -> None:
            if key is None:
                return
            if key == "k":
                for browser in self.browsers:
                    browser.deletes.abandon()
            self.exit()

        self.push_screen(Confirm("Leave?", lines, answers), answered)

    # Looking

    def _tick(self) -> None:
        """Redraw regularly while a deletion is pending."""
        for browser in self.browsers:
            if len(browser.deletes):
                browser.changed()

    async def _load(self, browser: Browser) -> None:
        await browser.judge.load()
        browser.changed()

    async def _follow(self, browser: Browser) -> None:
        while True:
            await browser.news.wait()
            browser.news.clear()
            start = time.monotonic()
            if browser.judge.some():
                browser.changed()
            for screen in reversed(self.screen_stack):
                if isinstance(screen, Board | WireScreen):
                    screen.look()
                    break  # what is below is not seen; it looks when it is seen again
            self._ask()
            await asyncio.sleep(max(PAUSE, 2 * (time.monotonic() - start)))

    def _ask(self) -> None:
        """Show the oldest open question, and remove a withdrawn one."""
        if self._asked is not None and self._asked.answer.done():
            if isinstance(self.screen, Permission) and self.screen.question is self._asked:
                self.screen.dismiss(None)
            return
        open_ = [(browser, question) for browser in self.browsers for question in browser.asks.open]
        waiting = [(browser, question) for browser, question in open_ if not question.answer.done()]
        if self._asked is None and waiting:
            browser, question = waiting[0]
            self._asked = question
            session = browser.session(question.session_id)

            def answered(option: str | None) -> None:
                self._asked = None
                if not question.answer.done():
                    question.answer.set_result(option)
                browser.changed()

            name = session.title or session.session_id
            shown = f"{browser.title}, {name}" if len(self.browsers) > 1 else name
            self.push_screen(Permission(question, shown, session.terminals), answered)
