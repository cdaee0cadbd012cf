"""The second screen: one session, its conversation, the prompt."""

from __future__ import annotations

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.message import Message
from textual.widgets import Static, TextArea

from examples import acp

from .. import paint
from ..browser import Browser
from ..gates import IN_SESSION, Action, closed_gates
from ..history import Note
from ..session import Choice, Session, Setting
from ..text import one_line
from .board import Board, keys
from .dialogs import Choose
from .views import Conversation

__all__ = ["SessionScreen"]

_TYPED = ("send", "newline")
"""Actions on keys of the prompt."""


class Prompt(TextArea):
    """Where the user types. Its keys are its own: a binding of the screen would overtake what was typed just before."""

    class Sent(Message):
        """The user wants it sent."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key not in ("enter", "ctrl+j"):
            await super()._on_key(event)
            return
        event.stop()
        event.prevent_default()
        if event.key == "enter":
            self.post_message(self.Sent())
        else:
            self.insert("\n")


class SessionScreen(Board):
    """One session."""

    ACTIONS = IN_SESSION
    BINDINGS = [  # noqa: RUF012 (as Textual has it)
        *keys([action for action in IN_SESSION if action.name not in _TYPED], priority=True),
        Binding("pageup", "page(-1)", show=False, priority=True),
        Binding("pagedown", "page(1)", show=False, priority=True),
    ]

    def __init__(self, browser: Browser, session: Session, news: str = "") -> None:
        super().__init__(browser)
        self.session = session
        self._news = news
        """What is said first."""

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Conversation()
        yield Prompt(id="prompt", compact=True, highlight_cursor_line=False, placeholder="Your prompt")
        yield Static(id="status")
        yield Static(id="keys")

    def begin(self) -> None:
        self._prompt.focus()
        lacks = closed_gates(self.browser.connection.objection, self.ACTIONS)
        self.browser.say(self._news or (f"the agent did not advertise {', '.join(lacks)}" if lacks else ""))

    @property
    def _prompt(self) -> Prompt:
        return self.query_one(Prompt)

    # What it shows

    def show(self) -> None:
        session = self.browser.sessions.get(self.session.session_id, self.session)
        self.session = session
        head = Text(no_wrap=True, overflow="ellipsis")
        head.append(f" {one_line(session.title, 60) or one_line(session.session_id, 30)} ", "bold reverse")
        head.append(f"  {paint.home_short(session.cwd)}", "cyan")
        if session.mode is not None:
            head.append(f"  {one_line(session.mode.shown, 30)}", "magenta")
        if session.usage:
            head.append(f"  {one_line(session.usage, 60)}", "dim")
        if session.running:
            head.append("  cancelling …" if session.cancelling else "  working …", "bold yellow")
        self.query_one("#head", Static).update(head)
        commands = one_line(" ".join(f"/{name}" for name in session.commands), 300)
        self._prompt.placeholder = f"Your prompt; this agent knows {commands}" if commands else "Your prompt"
        history = session.history
        dropped = [Note(f"{history.dropped:,} earlier entries are not kept")] if history.dropped else []
        self.query_one(Conversation).show([*dropped, *history.entries])
        super().show()

    def action_page(self, pages: int) -> None:
        view = self.query_one(Conversation)
        view.scroll_relative(y=pages * max(view.size.height - 1, 1), animate=False)

    # What can be done

    def why_not_here(self, action: Action) -> str | None:
        session = self.session
        here = session.session_id in self.browser.open
        if action.calls and action.name != "reload" and not here:
            return "the session is no longer open; F5 loads it again" if self.browser.can("load_session") else "closed"
        return {
            "send": "a turn is running; ^C cancels it" if session.running else None,
            "cancel": None if session.running else "no turn is running",
            "mode": None if session.mode else "this session has no modes",
            "options": None if session.options else "this session has no options",
            "reload": "a turn is running" if session.running else None,
            "delete": "it is to be deleted" if session.session_id in self.browser.deletes else None,
        }.get(action.name)

    def on_prompt_sent(self) -> None:
        self.action_do("send")

    def do_send(self) -> None:
        text = self._prompt.text.strip()
        if not text:
            return
        self._prompt.clear()

        async def work() -> None:
            await self.browser.prompt(self.session, text)

        # Not `attempt`: a turn takes as long as it takes, and the head says that it runs.
        self.start(self.guarded(work))

    def do_cancel(self) -> None:
        self.attempt("session/cancel", lambda: self.browser.cancel(self.session))

    def do_mode(self) -> None:
        if self.session.mode is not None:
            self._choose(self.session.mode)

    def do_options(self) -> None:
        options = self.session.options

        def chosen(at: str | None) -> None:
            if at is not None:
                self._choose(options[int(at)])

        choices = [Choice(setting.name, f"{setting.name}: {setting.shown}") for setting in options]
        self.host.push_screen(Choose("Options of this session", choices, 0), chosen)

    def _choose(self, setting: Setting) -> None:
        def chosen(at: str | None) -> None:
            if at is not None:
                value = setting.choices[int(at)].value
                self.attempt(f"setting {one_line(setting.name, 40)}", lambda: self._set(setting, value))

        at = next((at for at, choice in enumerate(setting.choices) if choice.value == setting.value), 0)
        self.host.push_screen(Choose(one_line(setting.name, 80), setting.choices, at), chosen)

    async def _set(self, setting: Setting, value: str | bool) -> None:
        await self.browser.set(self.session, setting, value)
        self.browser.say(f"set: {setting.name}")

    def do_fork(self) -> None:
        async def work() -> None:
            fork = await self.browser.fork(self.session.session_id, self.session.cwd)
            if self.is_current:
                self.host.pop_screen()
                news = "this is the fork; the original is untouched"
                self.host.push_screen(SessionScreen(self.browser, fork, news))
                await self.browser.glance()  # for its title

        self.attempt("session/fork", work)

    def do_reload(self) -> None:
        async def work() -> None:
            info = self.browser.listing.find(self.session.session_id)
            known = info or acp.SessionInfo(session_id=self.session.session_id, cwd=self.session.cwd)
            self.session = await self.browser.enter(known, again=True)

        self.attempt("session/load", work)

    def do_close(self) -> None:
        async def work() -> None:
            await self.browser.close(self.session.session_id)
            self.browser.say("closed; it stays in the list")
            self._leave()

        self.attempt("session/close", work)

    def do_delete(self) -> None:
        self.browser.delete(self.session.session_id)
        self._leave()

    def do_back(self) -> None:
        self._leave()

    def _leave(self) -> None:
        if self.is_current:
            self.host.pop_screen()
            self.start(self.guarded(self.browser.glance))
