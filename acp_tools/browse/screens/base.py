"""The bases of the main screens: keys from the table of actions, background work, and the status line."""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.css.query import NoMatches
from textual.screen import Screen
from textual.widgets import Static

import acp_generated as acp

from .. import styling
from ..actions import Action, footer, reason_against
from ..completion import Completion
from ..controller import Browser
from ..errors import LoginNeeded, Trouble
from ..model.export import entry_text, save
from ..model.session import Choice, Session
from ..sanitize import one_line
from .conversation import Conversation, find_in
from .dialogs import Choose, Line, Reading, Whole
from .entries import whole
from .frame_rows import held_notice
from .frame_screen import WireScreen
from .prompt import Prompt, Suggestions

Work = Callable[[], Awaitable[None]]


def keys(actions: Sequence[Action]) -> list[BindingType]:
    """The bindings of these actions."""
    return [Binding(action.key, f"do('{action.name}')", show=False) for action in actions]


def keys_around_prompt(actions: Sequence[Action]) -> list[BindingType]:
    """The bindings of these actions, except those of the prompt's own keys. They apply while the prompt has the focus."""
    outside = [action for action in actions if action.name not in ("send", "newline", "read")]
    bindings = [Binding(action.key, f"do('{action.name}')", show=False, priority=True) for action in outside]
    return [*bindings, Binding("question_mark", "do('help')", show=False)]


class Board(Screen[None]):
    """Base of both main screens."""

    ACTIONS: ClassVar[tuple[Action, ...]] = ()
    MORE_KEYS: ClassVar[tuple[str, ...]] = ()
    """Additional text of the help."""

    def __init__(self, browser: Browser) -> None:
        super().__init__()
        self.browser = browser
        self._busy: list[str] = []
        self._composed = False

    @property
    def host(self) -> App[None]:
        """The application."""
        return self.app  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]  # Textual leaves it open

    # What can be done

    @property
    def actions(self) -> list[Action]:
        """The available actions, without those of extensions that this agent lacks."""
        against = self.browser.objection
        return [action for action in self.ACTIONS if not (action.rare and reason_against(against, action))]

    def why_not(self, action: Action) -> str | None:
        """The reason why an action is not available; None if it is."""
        if action.calls and self.browser.dead is not None:
            return f"the agent has exited: {self.browser.dead}"
        if action.name == "reconnect" and self.browser.dead is None:
            return "the agent is there"
        if against := reason_against(self.browser.objection, action):
            return against
        return self.why_not_here(action)

    def why_not_here(self, action: Action) -> str | None:
        """A reason specific to the screen."""
        return None

    def action_do(self, name: str) -> None:
        """Perform the action of a key, or show why it is unavailable."""
        action = next(action for action in self.ACTIONS if action.name == name)
        if why := self.why_not(action):
            self.browser.say(f"{action.label}: {why}", bad=True)
        else:
            getattr(self, f"do_{name}")()

    # Doing it

    def attempt(self, what: str, work: Work) -> None:
        """Run work in the background. Errors appear on the status line."""
        self.start(self._attempt(what, work))

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run work that continues after this screen has closed, for example a turn."""
        self.host.run_worker(work, exit_on_error=False)

    async def _attempt(self, what: str, work: Work) -> None:
        self._busy.append(what)
        self.look()
        try:
            await self.guarded(work)
        finally:
            self._busy.remove(what)
            self.look()

    async def guarded(self, work: Work) -> None:
        """Run work and show its errors. If a login is needed, log in and repeat it."""
        try:
            await work()
        except LoginNeeded as trouble:
            self.browser.say(str(trouble), bad=True)
            self.log_in(lambda: self.start(self.guarded(work)))
        except Trouble as trouble:
            self.browser.say(str(trouble), bad=True)
            if self.browser.dead is None:
                self.browser.log.add(str(trouble))  # where there is room for all of it
        except Exception as error:  # noqa: BLE001 (the last line of defence of a program that owns the screen)
            self.browser.log.add(f"internal error: {error!r}")
            self.browser.say(f"internal error of acp-browse: {error!r}", bad=True)

    def log_in(self, then: Callable[[], object]) -> None:
        """Let the user choose a login method, then continue."""
        methods = [method for method in self.browser.auth_methods if isinstance(method, acp.AuthMethodAgent)]
        if not methods:
            self.browser.say(
                "the agent requires a login, but offers no method that works here: see its manual", bad=True
            )
            return

        def chosen(at: str | None) -> None:
            if at is None:
                return
            method = methods[int(at)]

            async def work() -> None:
                self.browser.say(f"logging in: {method.name} …")
                await self.browser.login(method.id)
                self.browser.say("logged in")
                then()

            self.attempt("authenticate", work)

        choices = [Choice(method.id, method.name, method.description or "") for method in methods]
        self.host.push_screen(Choose("The agent requires a login", choices), chosen)

    # Dialogs that several actions use

    def ask_directory(
        self, heading: str, value: str, then: Callable[[str], None], known: Callable[[str], bool] = os.path.isdir
    ) -> None:
        """Ask for a directory that is `known`, by default an existing one. Relative paths become absolute."""

        def absolute(line: str) -> str:
            return str(Path(line.strip()).expanduser().absolute()) if line.strip() else ""

        def wrong(line: str) -> str:
            path = absolute(line)
            return "" if not path or known(path) else f"no such directory: {path}"

        def typed(line: str | None) -> None:
            if line is not None:
                then(absolute(line))

        self.host.push_screen(Line(heading, value, wrong), typed)

    def do_log(self) -> None:
        """Show the agent's stderr and the errors."""
        text = Content("\n".join(self.browser.log.tail(500)) or "Nothing yet.")
        self.host.push_screen(Reading("The agent's stderr, warnings of the connection, and failures", text, True))

    def do_help(self) -> None:
        """Show every key, with the reason if it is unavailable."""
        heading = f"Keys (struck through: not available now) for {self.browser.title}"
        text = Content("\n").join([styling.keys(self.actions, self.why_not), *map(Content, self.MORE_KEYS)])
        self.host.push_screen(Reading(heading, text))

    def do_palette(self) -> None:
        """Show all commands, including themes."""
        self.host.action_command_palette()

    def do_quit(self) -> None:
        """Quit, after a confirmation if work is in progress."""
        self.host.call_later(self.host.run_action, "quit")

    def do_reconnect(self) -> None:
        """Restart a disconnected agent."""

        async def work() -> None:
            self.browser.say(await self.browser.reconnect())

        self.attempt("starting the agent again", work)

    def copy(self, text: str, what: str) -> None:
        """Copy a text to the clipboard."""
        self.host.copy_to_clipboard(text)
        self.browser.say(f"copied: {what}")

    def export(self, session: Session) -> None:
        """Export a conversation as Markdown to a directory that the user chooses."""

        def then(folder: str) -> None:
            async def work() -> None:
                path = await asyncio.to_thread(save, session, folder or ".")
                self.browser.say(f"written: {path}")

            self.attempt("export", work)

        self.ask_directory("Export as Markdown to which directory?", os.getcwd(), then)

    # Showing

    def on_mount(self) -> None:
        self._composed = True
        self.begin()
        self.show()

    def begin(self) -> None:
        """Fill the screen when it opens."""

    def look(self) -> None:
        """Redraw the screen if it is open. Work may end after it has closed, and events may arrive before it opens."""
        if self._composed and self.is_attached:
            with contextlib.suppress(NoMatches):  # it is being taken down, its widgets first
                self.show()

    def show(self) -> None:
        """Redraw the screen."""
        self.query_one("#keys", Static).update(self.key_bar())
        status = self.query_one("#status", Static)
        browser = self.browser
        if browser.dead is not None:
            again, log = self.hint("reconnect"), self.hint("log")
            text, bad = f"the agent has exited: {browser.dead} ({again}: start it again, {log}: log)", True
        elif told := held_notice(browser.breakpoints):
            text, bad = f"{told}; {self.hint('wire')}: release", True
        elif self._busy:
            text, bad = f"waiting for the agent: {', '.join(self._busy)} …", False
        elif (waiting := browser.deletes.next()) is not None and not browser.status_is_bad:
            session_id, seconds = waiting
            more = f" and {len(browser.deletes) - 1} more" if len(browser.deletes) > 1 else ""
            text, bad = f"deleting {browser.name_of(session_id)!r}{more} in {seconds} s; u: undo", False
        else:
            text, bad = browser.status, browser.status_is_bad
        status.update(Content(one_line(text)))
        status.set_class(bad, "bad")

    def key_bar(self) -> Content:
        """The most relevant keys, on one line."""
        return styling.key_bar(footer(self.actions, self.why_not, self.needs), self.size.width - 2)

    def needs(self, action: Action) -> bool:
        """Return whether the user needs an action now."""
        return action.name == "reconnect" and self.browser.dead is not None

    def on_resize(self) -> None:
        self.look()

    def on_screen_resume(self) -> None:
        self.look()

    def hint(self, name: str) -> str:
        """The key of an action."""
        return next((action.hint for action in self.ACTIONS if action.name == name), "^P")


class Talk(Board):
    """Base of the screens with a prompt: its keys, and what can be done with an entry of a conversation."""

    def input_line(self) -> ComposeResult:
        """The widgets below the conversation."""
        yield Suggestions()
        yield Prompt(self.complete, lambda: self.query_one(Suggestions), id="prompt")
        yield Static(id="status")
        yield Static(id="keys")

    def complete(self, before: str) -> Sequence[Completion]:
        """The completions of the text before the cursor."""
        raise NotImplementedError

    def session_in(self, conversation: Conversation) -> tuple[Browser, Session] | None:
        """The session that a conversation shows, and its connection."""
        raise NotImplementedError

    def do_read(self) -> None:
        """Move the focus between the prompt and the conversations."""
        raise NotImplementedError

    def on_prompt_sent(self) -> None:
        self.action_do("send")

    def on_prompt_help(self) -> None:
        self.action_do("help")

    def on_prompt_left(self) -> None:
        self.do_read()

    def on_conversation_wanted(self, event: Conversation.Wanted) -> None:
        entry, shown = event.entry, self.session_in(event.sent_by)
        if event.what == "find":
            find_in(self.host, event.sent_by, self.browser.say)
        elif event.what == "prompt":
            self.do_read()
        elif entry is None or shown is None:
            self.browser.say("nothing more is found" if event.what == "nothing" else "there is nothing yet", bad=True)
        elif event.what == "copy":
            self.copy(entry_text(entry), "the entry, as Markdown")
        elif event.what == "whole":
            self.host.push_screen(Whole("All of it", whole(entry, shown[1].terminals)))
        elif event.what == "frames" and entry.frames:
            self.host.push_screen(WireScreen(shown[0], shown[1].session_id, entry.frames))
        elif event.what == "frames":
            self.browser.say("no frame: this entry is a note of acp-browse", bad=True)
