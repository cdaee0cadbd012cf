"""The first screen: the sessions of the agent."""

from __future__ import annotations

import os

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from examples import acp

from .. import paint
from ..gates import IN_LIST, Action, closed_gates
from ..session import Session
from ..text import one_line
from .board import Board, keys
from .conversation import SessionScreen
from .dialogs import Line
from .views import SessionList

__all__ = ["SessionsScreen"]


class SessionsScreen(Board):
    """The list, what is known of the selected session, the keys."""

    ACTIONS = IN_LIST
    BINDINGS = keys(IN_LIST)

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        with Horizontal():
            yield SessionList(self._mark)
            yield Static(id="why")
        yield Static(id="detail")
        yield Static(id="status")
        yield Static(id="keys")

    def begin(self) -> None:
        self.list.focus()
        if lacks := closed_gates(self.browser.connection.objection, self.ACTIONS):
            self.browser.say(f"the agent did not advertise {', '.join(lacks)}")
        if self.browser.can("list_sessions"):
            self.do_refresh()

    @property
    def list(self) -> SessionList:
        """The view of the list."""
        return self.query_one(SessionList)

    # What it shows

    def show(self) -> None:
        browser = self.browser
        count = len(browser.shown)
        more = "+" if browser.listing.cursor is not None else ""
        where = f"  in {paint.home_short(browser.directory)}" if browser.directory else ""
        head = Text.assemble(
            (f" {browser.title} ", "bold reverse"),
            f"  {count:,}{more} session{'' if count == 1 and not more else 's'}{where}",
        )
        self.query_one("#head", Static).update(head)
        self.list.show(browser.shown, self._ending())
        self._show_detail()
        self.query_one("#why", Static).update(paint.reasons(self.ACTIONS, self.why_not))
        super().show()

    def _ending(self) -> str:
        browser = self.browser
        if not browser.can("list_sessions"):
            return "No list: the agent did not advertise it. n starts a session."
        if browser.listing.pages == 0:
            return ""
        if browser.listing.cursor is not None:
            return "── more: ↓ or m ──"
        return "── the end ──" if browser.listing.sessions else "No sessions. n starts one."

    def _mark(self, info: acp.SessionInfo) -> tuple[str, str]:
        """Mark and style of a row."""
        browser = self.browser
        if info.session_id in browser.deletes:
            return "✗", "strike dim"
        session = browser.sessions.get(info.session_id)
        if info.session_id not in browser.open or session is None:
            return "", ""
        return ("▶" if session.running else "●"), ""

    def _show_detail(self) -> None:
        info = self.list.selected
        text = Text()
        if info is not None:
            text.append(paint.fit(paint.session_name(info), self.size.width - 4) + "\n", "bold")
            text.append(f"{one_line(info.session_id, 120)}  ", "dim")
            text.append(paint.home_short(info.cwd), "cyan")
            text.append(f"  {one_line(info.updated_at or '', 40)}", "dim")
            if info.session_id in self.browser.deletes:
                text.append("  to be deleted; u takes it back", "yellow")
        self.query_one("#detail", Static).update(text)

    def on_session_list_selected(self) -> None:
        self._show_detail()
        self.query_one("#keys", Static).update(self.key_bar())
        self.query_one("#why", Static).update(paint.reasons(self.ACTIONS, self.why_not))

    # What can be done

    def why_not_here(self, action: Action) -> str | None:
        info = self.list.selected
        if action.name in ("open", "fork", "rename", "close", "terminate", "delete") and info is None:
            return "no session is selected"
        if action.name in ("close", "terminate") and info and info.session_id not in self.browser.open:
            return "this session is not open here"
        if info and action.name in ("open", "fork", "delete", "rename") and info.session_id in self.browser.deletes:
            return "it is to be deleted; u takes that back"
        return {
            "more": None if self.browser.listing.has_more else "that was the last page",
            "undo": None if len(self.browser.deletes) else "nothing waits to be deleted",
            "login": None if self.browser.auth_methods else "the agent told of no way to log in",
        }.get(action.name)

    def _selected(self) -> acp.SessionInfo:
        info = self.list.selected
        assert info is not None  # or the action had a reason against it
        return info

    def on_session_list_wants_more(self) -> None:
        listing = self.browser.listing
        if listing.cursor is not None and not self._busy and self.browser.dead is None:
            self.do_more()

    def do_refresh(self) -> None:
        self.attempt("session/list", self.browser.refresh)

    def do_more(self) -> None:
        self.attempt("session/list", self.browser.more)

    def do_filter(self) -> None:
        info = self.list.selected
        value = self.browser.directory or (info.cwd if info else os.getcwd())

        def then(directory: str) -> None:
            self.attempt("session/list", lambda: self.browser.filter(directory or None))

        self.ask_directory("Sessions of which directory? Empty: of all", one_line(value), then)

    def do_open(self) -> None:
        info = self._selected()

        async def work() -> None:
            self._visit(await self.browser.enter(info))

        self.attempt("session/load" if self.browser.can("load_session") else "session/resume", work)

    def do_new(self) -> None:
        info = self.list.selected

        def then(directory: str) -> None:
            async def work() -> None:
                self._visit(await self.browser.new(directory or os.getcwd()))

            self.attempt("session/new", work)

        value = self.browser.directory or (info.cwd if info else os.getcwd())
        self.ask_directory("A new session in which directory?", one_line(value), then)

    def do_fork(self) -> None:
        info = self._selected()

        async def work() -> None:
            self._visit(await self.browser.fork(info.session_id, info.cwd))

        self.attempt("session/fork", work)

    def do_rename(self) -> None:
        info = self._selected()

        def typed(title: str | None) -> None:
            if title and title.strip():
                self.attempt("session/set_title", lambda: self.browser.rename(info, title.strip()))

        self.host.push_screen(Line("The title of this session", one_line(info.title or "")), typed)

    def do_close(self) -> None:
        info = self._selected()

        async def work() -> None:
            await self.browser.close(info.session_id)
            self.browser.say("closed; it stays in the list")

        self.attempt("session/close", work)

    def do_terminate(self) -> None:
        info = self._selected()

        async def work() -> None:
            self.browser.say(await self.browser.terminate(info.session_id))

        self.attempt("session/terminate", work)

    def do_delete(self) -> None:
        self.browser.delete(self._selected().session_id)
        if self.list.at + 1 < len(self.list.sessions):
            self.list.action_step(1)

    def do_undo(self) -> None:
        self.list.go(self.browser.undo())

    def do_login(self) -> None:
        self.log_in(self.do_refresh if self.browser.can("list_sessions") else lambda: None)

    def do_logout(self) -> None:
        async def work() -> None:
            await self.browser.logout()
            self.browser.say("logged out")

        self.attempt("logout", work)

    def do_quit(self) -> None:
        self.host.exit()

    def _visit(self, session: Session) -> None:
        self.look()
        self.list.go(session.session_id)
        if self.is_current:
            self.host.push_screen(SessionScreen(self.browser, session))
