"""The program without its screens: what is known of the sessions of an agent, and every action as a method.

The law: an action either does what it says or raises a Trouble that says why; nothing else comes out. Whoever shows all
this waits for `news` and looks again. What the agent did not advertise is never sent: the stubs see to that.
"""

from __future__ import annotations

from examples import acp

from .client import BrowserClient
from .deletes import Deletes
from .history import TerminalView
from .link import Link
from .listing import Listing
from .session import Session, Setting
from .terminals import Terminals
from .text import one_line
from .troubles import Trouble

__all__ = ["Browser"]

_STRANGERS = 1_000
"""Sessions of which updates may come without our having opened them."""


class Browser(Link):
    """An agent, seen by its user."""

    def __init__(self, name: str, patience: float, undo: float) -> None:
        super().__init__(name, patience)
        self.terminals = Terminals(self._show_terminal)
        self.deletes = Deletes(undo, self._delete_now)
        self.client = BrowserClient(self)
        self.listing = Listing()
        self.directory: str | None = None
        """What the list is filtered by."""
        self.sessions: dict[str, Session] = {}
        """What is known of sessions that updates came for, open or not."""
        self.open: set[str] = set()
        """Sessions that are open here."""
        self.failures: list[str] = []
        """What could not be done at the end."""

    # What there is to show

    def session(self, session_id: str) -> Session:
        """The session of this id; a new record where there is none yet."""
        if session_id not in self.sessions:
            strangers = [known for known in self.sessions if known not in self.open]
            for stranger in strangers[: max(len(strangers) - _STRANGERS, 0)]:
                del self.sessions[stranger]
            info = self.listing.find(session_id)
            cwd, title = (info.cwd, info.title or "") if info else ("", "")
            self.sessions[session_id] = Session(session_id, cwd, title)
        return self.sessions[session_id]

    @property
    def shown(self) -> tuple[acp.SessionInfo, ...]:
        """The sessions of the list, in the agent's order, but for those that are being deleted for good."""
        sessions, leaving = self.listing.sessions, self.deletes.sending
        return tuple(info for info in sessions if info.session_id not in leaving) if leaving else sessions

    # The list

    async def refresh(self) -> None:
        """Read the list anew, as far as it was read before. What is shown stays until all of it is here."""
        wanted = len(self.listing.sessions)
        listing = await self._page(Listing())
        while listing.has_more and len(listing.sessions) < wanted:
            listing = await self._page(listing)
        self._take(listing)

    async def more(self) -> None:
        """Read the next page."""
        if not self.listing.has_more:
            raise Trouble("that was the last page")
        self._take(await self._page(self.listing))

    async def glance(self) -> None:
        """Read the first page for its news: titles that came from prompts, sessions that others started."""
        if self.listing.pages and self.dead is None:
            self._take(self.listing.with_news(await self._fetch(None)))

    async def everything(self) -> Listing:
        """Read the list to its end."""
        while self.listing.has_more:
            self._take(await self._page(self.listing))
        return self.listing

    async def filter(self, directory: str | None) -> None:
        """List the sessions of one directory, or all of them."""
        before, self.directory = self.directory, directory
        try:
            self._take(await self._page(Listing()))
        except Trouble:
            self.directory = before
            raise

    async def _page(self, listing: Listing) -> Listing:
        return listing.with_page(await self._fetch(listing.cursor))

    async def _fetch(self, cursor: str | None) -> acp.ListSessionsResponse:
        cwd = self.directory or acp.UNSET
        call = self.connection.list_sessions(cwd=cwd, cursor=acp.UNSET if cursor is None else cursor)
        return await self.ask("session/list", call)

    def _take(self, listing: Listing) -> None:
        self.listing = listing
        for info in listing.sessions:
            if info.session_id in self.open and info.title:
                self.sessions[info.session_id].title = info.title
        self.changed()

    # One session

    async def new(self, cwd: str) -> Session:
        """Start a session."""
        call = self.connection.new_session(cwd=cwd, mcp_servers=[])
        response = await self.ask("session/new", call)
        session = self._opened(response.session_id, cwd)
        session.take_settings(response.modes, response.config_options)
        self.listing = self.listing.with_session(acp.SessionInfo(session_id=session.session_id, cwd=cwd))
        return session

    async def enter(self, info: acp.SessionInfo, again: bool = False) -> Session:
        """Open a session: with its history, where the agent can replay it. One that is open already is left alone."""
        if info.session_id in self.open and not again:
            return self.sessions[info.session_id]
        before = self.sessions.pop(info.session_id, None)
        session = self.sessions[info.session_id] = Session(info.session_id, info.cwd, info.title or "")
        try:
            await self._reopen(session, info)
        except Trouble:
            del self.sessions[info.session_id]
            if before is not None:
                self.sessions[info.session_id] = before
            raise
        return self._opened(info.session_id, info.cwd)

    async def _reopen(self, session: Session, info: acp.SessionInfo) -> None:
        more = info.additional_directories or acp.UNSET
        if self.can("load_session"):
            load = self.connection.load_session(
                session_id=info.session_id, cwd=info.cwd, mcp_servers=[], additional_directories=more
            )
            response: acp.LoadSessionResponse | acp.ResumeSessionResponse = await self.ask("session/load", load)
        else:
            resume = self.connection.resume_session(
                session_id=info.session_id, cwd=info.cwd, mcp_servers=[], additional_directories=more
            )
            response = await self.ask("session/resume", resume)
            session.history.note(
                "No history: the agent did not advertise loadSession, it only resumes. It knows what was said, "
                "this program does not."
            )
        session.take_settings(response.modes, response.config_options)

    async def fork(self, session_id: str, cwd: str) -> Session:
        """Branch a session off another one, and read its history where the agent can replay it."""
        response = await self.ask("session/fork", self.connection.fork_session(session_id=session_id, cwd=cwd))
        session = self._opened(response.session_id, cwd)
        info = acp.SessionInfo(session_id=session.session_id, cwd=cwd)
        self.listing = self.listing.with_session(info)
        if self.can("load_session"):
            try:
                session = await self.enter(info, again=True)
            except Trouble as trouble:
                session.history.note(f"The fork is open, its history could not be read: {trouble}", "warning")
        else:
            session.history.note("A fork, without its history: the agent did not advertise loadSession.")
        session.take_settings(response.modes, response.config_options)
        self.changed()
        return session

    async def prompt(self, session: Session, text: str) -> None:
        """Send a prompt and wait for the end of the turn; what it says arrives meanwhile."""
        if session.running:
            raise Trouble("a turn is running in this session; cancel it first")
        session.running = True
        session.history.ask(text)
        self.changed()
        try:
            blocks: list[acp.ContentBlock] = [acp.TextContent(text=text)]
            call = self.connection.prompt(session_id=session.session_id, prompt=blocks)
            response = await self.ask("session/prompt", call, patient=True)
        except Trouble as trouble:
            session.history.note(str(trouble), "error")
            raise
        else:
            if response.stop_reason != "end_turn":
                session.history.note(f"the turn ended: {response.stop_reason.replace('_', ' ')}", "warning")
        finally:
            session.running = session.cancelling = False
            self.asks.withdraw(session.session_id)
            self.changed()

    async def cancel(self, session: Session) -> None:
        """Cancel the running turn; questions that it asked are left without an answer."""
        if not session.running:
            raise Trouble("no turn is running")
        session.cancelling = True
        await self.ask("session/cancel", self.connection.cancel(session_id=session.session_id))
        self.asks.withdraw(session.session_id)
        self.changed()

    async def set(self, session: Session, setting: Setting, value: str | bool) -> None:
        """Set a mode or an option."""
        if setting.id is None:
            call = self.connection.set_session_mode(session_id=session.session_id, mode_id=str(value))
            await self.ask("session/set_mode", call)
            session.mode = Setting(None, setting.name, value, setting.choices)
        else:
            params: acp.SetSessionConfigOptionRequest
            if isinstance(value, bool):
                params = acp.SetSessionConfigOptionRequestBoolean(
                    session_id=session.session_id, config_id=setting.id, value=value
                )
            else:
                params = acp.SetSessionConfigOptionRequestValueId(
                    session_id=session.session_id, config_id=setting.id, value=value
                )
            response = await self.ask("session/set_config_option", self.connection.set_session_config_option(params))
            session.take_options(response.config_options)
        self.changed()

    async def rename(self, info: acp.SessionInfo, title: str) -> None:
        """Give a session another title."""
        call = self.connection.set_session_title(session_id=info.session_id, title=title)
        response = await self.ask("session/set_title", call)
        renamed = acp.SessionInfo(
            session_id=info.session_id, cwd=info.cwd, title=response.title, updated_at=info.updated_at
        )
        self._take(self.listing.with_session(renamed))

    # Its end

    async def close(self, session_id: str) -> None:
        """Close a session; it stays in the list."""
        await self.ask("session/close", self.connection.close_session(session_id=session_id))
        self._forget(session_id)

    async def terminate(self, session_id: str) -> str:
        """End a session for good; a sentence that says how that went."""
        answer = await self.ask("session/terminate", self.connection.terminate_session(session_id=session_id))
        self._forget(session_id)
        return f"terminated by the {answer.terminated_by}" if answer.terminated else "it had ended already"

    def delete(self, session_id: str) -> None:
        """Delete a session, in a while: until then `undo` takes it back."""
        if not self.can("delete_session"):
            raise Trouble("the agent did not advertise sessionCapabilities.delete")
        self.deletes.add(session_id)
        self.say(f"it will be deleted in {self.deletes.seconds:g} s; u takes it back")

    def undo(self) -> str:
        """Take back the latest deletion; the session's id."""
        session_id = self.deletes.undo()
        if session_id is None:
            raise Trouble("nothing to undo: what was deleted has been sent to the agent, who has no undelete")
        self.say("taken back, nothing was deleted")
        return session_id

    async def _delete_now(self, session_id: str) -> None:
        try:
            await self.ask("session/delete", self.connection.delete_session(session_id=session_id))
        except Trouble as trouble:
            self.failures.append(f"not deleted: {one_line(session_id, 80)}: {trouble}")
            self.say(f"not deleted: {trouble}", bad=True)
        else:
            self.listing = self.listing.without(session_id)
            self._forget(session_id)
        self.changed()

    def ended(self, params: acp.SessionEndedNotification) -> None:
        """A session has ended: the runtime says so."""
        code = "" if params.exit_code is None or params.exit_code is acp.UNSET else f", exit code {params.exit_code}"
        text = f"the session has ended ({params.reason}, by the {params.terminated_by}{code})"
        if params.message:
            text += f": {params.message}"
        if params.stderr and params.stderr.head:
            text += f"\n{params.stderr.head}"
        session = self.session(params.session_id)
        session.history.note(text, "warning")
        self.open.discard(params.session_id)
        self.changed()

    async def leave(self) -> None:
        """Send the deletions that still wait."""
        if self.dead is None:
            await self.deletes.flush()
        else:
            self.abandon(self.dead)

    def abandon(self, why: str) -> None:
        """Give up the deletions that still wait: nothing is deleted."""
        self.failures += [f"not deleted: {one_line(left, 80)}: {why}" for left in self.deletes.abandon()]

    def _opened(self, session_id: str, cwd: str) -> Session:
        session = self.session(session_id)
        session.cwd = cwd
        self.open.add(session_id)
        self.changed()
        return session

    def _forget(self, session_id: str) -> None:
        self.open.discard(session_id)
        self.asks.withdraw(session_id)
        self.sessions.pop(session_id, None)
        self.changed()

    def _show_terminal(self, session_id: str, terminal_id: str, view: TerminalView) -> None:
        self.session(session_id).history.show_terminal(terminal_id, view)
        self.changed()
