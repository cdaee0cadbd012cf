"""The first screen: the sessions of the agent."""

from __future__ import annotations

import os
from typing import Any

from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Input, Static

import acp_generated as acp

from .. import styling
from ..actions import IN_LIST, Action, not_offered
from ..model.filter import ORDERS, arranged
from ..model.session import Session
from ..sanitize import one_line
from .base import Board, keys
from .dialogs import Line
from .frame_screen import WireScreen
from .preview import preview
from .session import SessionScreen
from .virtual_list import SessionList


class SessionsScreen(Board):
    """The session list, a preview of the selected session, and the keys."""

    ACTIONS = IN_LIST
    BINDINGS = keys(IN_LIST)
    MORE_KEYS = (
        "",
        "↑↓ j k, PgUp PgDn, Home End: move; double click: open; ● open here, ▶ turn running, ✗ will be deleted",
    )
    DEFAULT_CSS = """
    SessionsScreen #find { height: 1; border: none; padding: 0 1; display: none; background: $surface; }
    SessionsScreen.-finding #find { display: block; }
    SessionsScreen #preview { display: none; width: 45%; height: 1fr; padding: 0 1; border-left: solid $panel; }
    .-wide SessionsScreen #preview, SessionsScreen.-wide #preview { display: block; }
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._query = ""
        self._order = 0
        self._arranged: tuple[Any, ...] = ()
        """The inputs and result of the last filtering."""

    def compose(self) -> ComposeResult:
        yield Static(id="head")
        yield Input(placeholder="letters of a title or a directory; Enter: done, Esc: show all", id="find")
        with Horizontal(classes="columns"):
            yield SessionList(self._mark)
            with VerticalScroll(id="preview", can_focus=False):
                yield Static(id="about")
        yield Static(id="detail")
        yield Static(id="status")
        yield Static(id="keys")

    def begin(self) -> None:
        self.list.focus()
        self.browser.say(not_offered(self.browser.objection, self.ACTIONS))
        if self.browser.can("list_sessions"):
            self.do_refresh()

    @property
    def list(self) -> SessionList:
        """The view of the list."""
        return self.query_one(SessionList)

    # What it shows

    def show(self) -> None:
        browser = self.browser
        shown = self._sessions()
        more = "+" if browser.listing.cursor is not None else ""
        count = f"{len(shown):,} of {len(browser.shown):,}" if self._query else f"{len(browser.shown):,}"
        one = len(browser.shown) == 1 and not more
        where = f"  in {styling.home_short(browser.directory)}" if browser.directory else ""
        order = f"  {ORDERS[self._order]}" if self._order else ""
        parts: list[Any] = [
            (f" {browser.title} ", "bold reverse"),
            f"  {count}{more} session{'' if one else 's'}{where}{order}",
            *wire_notice(browser.judge.found),
        ]
        self.query_one("#head", Static).update(Content.assemble(*parts))
        self.list.show(shown, self._ending())
        self._show_detail()
        super().show()

    def _sessions(self) -> tuple[acp.SessionInfo, ...]:
        """The sessions to show. The same object until something changes."""
        key = (self.browser.shown, self._query, self._order)
        if not self._arranged or self._arranged[0] is not key[0] or self._arranged[1:3] != key[1:]:
            plain = not self._query and not self._order
            found = key[0] if plain else arranged(key[0], self._query, ORDERS[self._order])
            self._arranged = (*key, found)
        shown: tuple[acp.SessionInfo, ...] = self._arranged[3]
        return shown

    def _ending(self) -> str:
        browser = self.browser
        if not browser.can("list_sessions"):
            return "No list: the agent did not advertise session/list. n: new session."
        if browser.listing.pages == 0:
            return ""
        if self._query and not self._sessions():
            more = ", m loads more" if browser.listing.cursor is not None else ""
            return f"No loaded session matches {one_line(self._query, 30)!r}; Esc: show all{more}"
        if browser.listing.cursor is not None:
            return "── more: ↓ or m, M loads all ──"
        return "── the end ──" if browser.listing.sessions else "No sessions. n starts one."

    def _mark(self, info: acp.SessionInfo) -> tuple[str, bool]:
        """The mark of a row, and whether the session will be deleted."""
        browser = self.browser
        if info.session_id in browser.deletes:
            return "✗", True
        session = browser.sessions.get(info.session_id)
        if session is not None and session.running:
            return "▶", False
        return "●" if info.session_id in browser.open else "", False

    def _show_detail(self) -> None:
        info = self.list.selected
        text: list[Any] = []
        if info is not None:
            text = [
                (styling.fit(styling.session_name(info), self.size.width - 4) + "\n", "bold"),
                (f"{one_line(info.session_id, 120)}  ", "$foreground 60%"),
                (styling.home_short(info.cwd), "$text-accent"),
                (f"  {one_line(info.updated_at or '', 40)}", "$foreground 60%"),
            ]
        self.query_one("#detail", Static).update(Content.assemble(*text))
        if self.query_one("#preview").display:
            self.query_one("#about", Static).update(self._preview() if info else Content(""))

    def _preview(self) -> Content:
        info = self._selected()
        opens = self.why_not(self.action("open")) is None
        return preview(info, self.browser.sessions.get(info.session_id), opens)

    def on_rows_selected(self) -> None:
        self._show_detail()
        self.query_one("#keys", Static).update(self.key_bar())

    def on_rows_opened(self) -> None:
        self.action_do("open")

    # What can be done

    def action(self, name: str) -> Action:
        """Find an action by its name."""
        return next(action for action in self.ACTIONS if action.name == name)

    def why_not(self, action: Action) -> str | None:
        info = self.list.selected
        if action.name == "open" and info is not None and self.browser.is_here(info.session_id):
            return None  # the agent is not asked
        return super().why_not(action)

    def why_not_here(self, action: Action) -> str | None:
        info = self.list.selected
        about_one = ("open", "fork", "rename", "close", "terminate", "delete", "copy", "export")
        if action.name in about_one and info is None:
            return "no session is selected"
        if action.name in ("close", "terminate") and info and info.session_id not in self.browser.open:
            return "this session is not open here"
        if action.name == "export" and info and info.session_id not in self.browser.sessions:
            return "open it first: its conversation has not been loaded"
        if info and action.name in ("open", "fork", "delete", "rename") and info.session_id in self.browser.deletes:
            return "it will be deleted; u: undo"
        return {
            "more": None if self.browser.listing.has_more else "that was the last page",
            "all": None if self.browser.listing.has_more else "that was the last page",
            "undo": None if len(self.browser.deletes) else "no deletion is pending",
            "login": None if self.browser.auth_methods else "the agent advertised no login method",
        }.get(action.name)

    def needs(self, action: Action) -> bool:
        needed = {"login": bool(self.browser.auth_methods), "undo": bool(len(self.browser.deletes))}
        return super().needs(action) or needed.get(action.name, False)

    def _selected(self) -> acp.SessionInfo:
        info = self.list.selected
        assert info is not None  # or the action had a reason against it
        return info

    def on_rows_wants_more(self) -> None:
        listing = self.browser.listing
        if listing.cursor is not None and not self._busy and self.browser.dead is None:
            self.do_more()

    def do_refresh(self) -> None:
        self.attempt("session/list", self.browser.refresh)

    def do_more(self) -> None:
        self.attempt("session/list", self.browser.more)

    def do_all(self) -> None:
        async def work() -> None:
            await self.browser.everything()
            self.browser.say(f"all {len(self.browser.shown):,} sessions are loaded")

        self.attempt("session/list", work)

    def do_directory(self) -> None:
        info = self.list.selected
        value = self.browser.directory or (info.cwd if info else os.getcwd())

        def then(directory: str) -> None:
            self.attempt("session/list", lambda: self.browser.filter(directory or None))

        heading = "Sessions of which directory? (empty: all)"
        self.ask_directory(heading, one_line(value), then, self._is_known)

    def _is_known(self, directory: str) -> bool:
        """Return whether a directory exists locally or in a session. Directories of another machine cannot be
        checked.
        """
        return any(info.cwd == directory for info in self.browser.shown) or self._exists(directory)

    def _exists(self, directory: str) -> bool:
        return not self.browser.local or os.path.isdir(directory)

    def do_sort(self) -> None:
        self._order = (self._order + 1) % len(ORDERS)
        self.browser.say(f"sorted: {ORDERS[self._order]}")

    # Finding by letters

    def do_find(self) -> None:
        self.add_class("-finding")
        self.query_one("#find", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        self._query = event.value.strip()
        self.look()

    def on_input_submitted(self) -> None:
        self.set_class(bool(self._query), "-finding")
        self.list.focus()

    def key_escape(self) -> None:
        """Show all sessions again."""
        self.query_one("#find", Input).clear()
        self._query = ""
        self.remove_class("-finding")
        self.list.focus()
        self.look()

    def key_down(self) -> None:
        """Move from the filter to the list."""
        self.list.focus()

    # Actions on a session

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
        self.ask_directory("A new session in which directory?", one_line(value), then, self._exists)

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

        self.attempt("the end of the session", work)

    def do_delete(self) -> None:
        self.browser.delete(self._selected().session_id)
        if self.list.at + 1 < len(self.list.items):
            self.list.action_step(1)

    def do_undo(self) -> None:
        self.list.go(self.browser.undo())

    def do_copy(self) -> None:
        self.copy(self._selected().session_id, "the id of the session")

    def do_export(self) -> None:
        self.export(self.browser.session(self._selected().session_id))

    def do_wire(self) -> None:
        self.host.push_screen(WireScreen(self.browser))

    def do_login(self) -> None:
        self.log_in(self.do_refresh if self.browser.can("list_sessions") else lambda: None)

    def do_logout(self) -> None:
        async def work() -> None:
            await self.browser.logout()
            self.browser.say("logged out")

        self.attempt("logout", work)

    def _visit(self, session: Session) -> None:
        self.look()
        self.list.go(session.session_id)
        if self.is_current:
            self.host.push_screen(SessionScreen(self.browser, session))


def wire_notice(found: int) -> tuple[tuple[str, str], ...]:
    """The number of findings, for the header."""
    return ((f"  ⚠ {found:,} on the wire", "$text-warning"),) if found else ()
