"""The program without its screens: the known sessions of an agent, and every action as a method.

Invariant: an action either succeeds or raises a Trouble with the reason. A screen waits for `news` and redraws. The
stubs prevent the use of capabilities that the agent did not advertise. The state of sessions comes only from the
frames of the connection (`model/history`); actions only send requests.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import acp_generated as acp

from . import sandbox_extension
from .breakpoints import Breakpoints
from .client.handlers import BrowserClient
from .client.terminals import Terminals
from .connection import Link
from .errors import Trouble
from .model.frames import Frame, Tape
from .model.history import Story
from .model.session import Session, Setting, TerminalView
from .model.session_list import Listing
from .pending_deletes import Deletes
from .sanitize import one_line
from .validation import OWN, Judge, Rules


class Browser(Link):
    """An agent and the state of its user interface."""

    def __init__(self, name: str, patience: float, undo: float, rules: Rules = OWN) -> None:
        super().__init__(name, patience)
        self.tape, self.story = Tape(), Story()
        self.breakpoints = Breakpoints(self.tape, self.changed)
        self.judge = Judge(self.tape, rules)
        self.story.about = self._about
        self.tape.hears += [self.story.take, self._heard]
        self.terminals = Terminals(self._show_terminal)
        self.deletes = Deletes(undo, self._delete_now)
        self.client = BrowserClient(self)
        self.listing = Listing()
        self.directory: str | None = None
        """The directory by which the list is filtered."""
        self.local = True
        """True if the agent runs on this machine, and so sees its directories."""
        self._were_open: set[str] = set()
        """Sessions that were open when the agent disconnected."""
        self.failures: list[str] = []
        """The errors of the shutdown."""

    def _heard(self, frame: Frame, value: Any) -> None:
        self.changed()

    # What there is to show

    @property
    def sessions(self) -> Mapping[str, Session]:
        """The state of each session that received updates, open or not."""
        return self.story.sessions

    @property
    def open(self) -> set[str]:
        """The open sessions."""
        return self.story.open

    @property
    def running(self) -> list[Session]:
        """Sessions with a running turn."""
        return [session for session in self.sessions.values() if session.running]

    def session(self, session_id: str) -> Session:
        """Return the session with this id, and create its record if necessary."""
        return self.story.session(session_id)

    @property
    def shown(self) -> tuple[acp.SessionInfo, ...]:
        """The listed sessions in the agent's order, without those that are being deleted."""
        sessions, leaving = self.listing.sessions, self.deletes.sending
        return tuple(info for info in sessions if info.session_id not in leaving) if leaving else sessions

    def _about(self, session_id: str) -> tuple[str, str]:
        info = self.listing.find(session_id)
        return (info.cwd, info.title or "") if info else ("", "")

    # The agent

    def lost(self, reason: str) -> None:
        if self.dead is None:
            self._were_open = set(self.open)
            self.story.over()
        super().lost(reason)

    async def reconnect(self) -> str:
        """Restart the agent and reopen its sessions as far as possible. Returns a sentence about the result."""
        if self.dead is None:
            raise Trouble("the agent is there")
        before = [session for session in self.sessions.values() if session.session_id in self._were_open]
        await self.close_connection()
        self.tape.anew()
        self.judge.anew()
        await self.open_connection()
        failed = 0
        for session in before:
            try:
                await self._reopen(acp.SessionInfo(session_id=session.session_id, cwd=session.cwd))
            except Trouble as trouble:
                failed += 1
                session.note(f"it could not be reopened: {trouble}", "error")
        self._were_open = set[str]()
        if self.can("list_sessions"):
            await self.refresh()
        done = f"the agent was restarted; {len(before) - failed} of {len(before)} sessions were reopened"
        return done if before else "the agent runs again"

    # The list

    async def refresh(self) -> None:
        """Reload the list up to its current length. The old list stays visible meanwhile."""
        wanted = len(self.listing.sessions)
        listing = await self._page(Listing())
        while listing.has_more and len(listing.sessions) < wanted:
            listing = await self._page(listing)
        self._take(listing)

    async def more(self) -> None:
        """Load the next page."""
        if not self.listing.has_more:
            raise Trouble("that was the last page")
        self._take(await self._page(self.listing))

    async def glance(self) -> None:
        """Reload the first page, for new titles and sessions."""
        if self.listing.pages and self.dead is None:
            news = await self._fetch(None)
            self._take(self.listing.with_news(news))  # the list as it is by now: more of it may have come meanwhile

    async def everything(self) -> Listing:
        """Load the whole list."""
        while self.listing.has_more:
            self._take(await self._page(self.listing))
        return self.listing

    async def filter(self, directory: str | None) -> None:
        """List the sessions of one directory, or of all."""
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
            if info.title and (session := self.sessions.get(info.session_id)):
                session.listed_title = info.title
        self.changed()

    # One session

    async def new(self, cwd: str) -> Session:
        """Create a session."""
        response = await self.ask("session/new", self.connection.new_session(cwd=cwd, mcp_servers=[]))
        self.listing = self.listing.with_session(acp.SessionInfo(session_id=response.session_id, cwd=cwd))
        self.changed()
        return self.session(response.session_id)

    async def enter(self, info: acp.SessionInfo, again: bool = False) -> Session:
        """Open a session, with its history if the agent can replay it. An open session stays unchanged."""
        if again or not self.is_here(info.session_id):
            await self._reopen(info)
        return self.session(info.session_id)

    def is_here(self, session_id: str) -> bool:
        """Return whether a session can be shown without a request: it is open, or has a running turn."""
        session = self.sessions.get(session_id)
        return session_id in self.open or (session is not None and session.running)

    async def _reopen(self, info: acp.SessionInfo) -> None:
        more = info.additional_directories or acp.UNSET
        if self.can("load_session"):
            load = self.connection.load_session(
                session_id=info.session_id, cwd=info.cwd, mcp_servers=[], additional_directories=more
            )
            await self.ask("session/load", load)
        else:
            resume = self.connection.resume_session(
                session_id=info.session_id, cwd=info.cwd, mcp_servers=[], additional_directories=more
            )
            await self.ask("session/resume", resume)
            session = self.session(info.session_id)
            if not session.entries:
                session.note(
                    "No history: the agent did not advertise loadSession and can only resume. The agent has the "
                    "conversation, but this program does not."
                )
        self.changed()

    async def fork(self, session_id: str, cwd: str) -> Session:
        """Fork a session, and load its history if the agent can replay it."""
        response = await self.ask("session/fork", self.connection.fork_session(session_id=session_id, cwd=cwd))
        info = acp.SessionInfo(session_id=response.session_id, cwd=cwd)
        self.listing = self.listing.with_session(info)
        if self.can("load_session"):
            try:
                await self.enter(info, again=True)
                self.session(info.session_id).take(response)
            except Trouble as trouble:
                self.session(info.session_id).note(
                    f"The fork is open, but its history could not be loaded: {trouble}", "warning"
                )
        else:
            self.session(info.session_id).note("A fork without history: the agent did not advertise loadSession.")
        self.changed()
        return self.session(info.session_id)

    async def prompt(self, session: Session, blocks: str | Sequence[acp.ContentBlock]) -> None:
        """Send a prompt and wait for the end of the turn. Updates arrive meanwhile."""
        if session.running:
            raise Trouble("a turn is running in this session; cancel it first")
        session.running = True
        before = len(session.entries)
        prompt = [acp.TextContent(text=blocks)] if isinstance(blocks, str) else list(blocks)
        try:
            call = self.connection.prompt(session_id=session.session_id, prompt=prompt)
            await self.ask("session/prompt", call, patient=True)
        except Trouble as trouble:
            told = any(entry.kind == "note" and entry.source.severity == "error" for entry in session.entries[before:])
            if not told:  # the story tells refusals; what never reached the wire it cannot know
                session.note(f"the turn failed: {trouble}", "error")
            raise
        finally:
            session.end_turn()
            self.asks.withdraw(session.session_id)
            self.changed()

    async def cancel(self, session: Session) -> None:
        """Cancel the running turn, and withdraw its questions."""
        if not session.running:
            raise Trouble("no turn is running")
        await self.ask("session/cancel", self.connection.cancel(session_id=session.session_id))
        self.asks.withdraw(session.session_id)
        self.changed()

    async def set(self, session: Session, setting: Setting, value: str | bool) -> None:
        """Set the value of a mode or an option."""
        if setting.id is None:
            call = self.connection.set_session_mode(session_id=session.session_id, mode_id=str(value))
            await self.ask("session/set_mode", call)
            return
        params: acp.SetSessionConfigOptionRequest
        if isinstance(value, bool):
            params = acp.SetSessionConfigOptionRequestBoolean(
                session_id=session.session_id, config_id=setting.id, value=value
            )
        else:
            params = acp.SetSessionConfigOptionRequestValueId(
                session_id=session.session_id, config_id=setting.id, value=value
            )
        await self.ask("session/set_config_option", self.connection.set_session_config_option(params))

    async def rename(self, info: acp.SessionInfo, title: str) -> None:
        """Change the title of a session."""
        call = self.connection.set_session_title(session_id=info.session_id, title=title)
        response = await self.ask("session/set_title", call)
        renamed = acp.SessionInfo(
            session_id=info.session_id, cwd=info.cwd, title=response.title, updated_at=info.updated_at
        )
        self._take(self.listing.with_session(renamed))

    # Its end

    async def close(self, session_id: str) -> None:
        """Close a session. It stays in the list."""
        await self.ask("session/close", self.connection.close_session(session_id=session_id))
        self._left(session_id)

    async def terminate(self, session_id: str) -> str:
        """End a session permanently. Returns a sentence about the result."""
        how = await self.ask("the end of the session", sandbox_extension.terminate(self.connection, session_id))
        self._left(session_id)
        return one_line(how)

    def delete(self, session_id: str) -> None:
        """Delete a session after a delay, during which `undo` can cancel it."""
        if not self.can("delete_session"):
            raise Trouble("the agent did not advertise sessionCapabilities.delete")
        self.deletes.add(session_id)
        self.say(f"will be deleted in {self.deletes.seconds:g} s; u: undo")

    def undo(self) -> str:
        """Undo the latest deletion and return the session's id."""
        session_id = self.deletes.undo()
        if session_id is None:
            raise Trouble("nothing to undo: the deletion was sent to the agent, and the protocol has no undelete")
        self.say("undone, nothing was deleted")
        return session_id

    async def _delete_now(self, session_id: str) -> None:
        try:
            await self.ask("session/delete", self.connection.delete_session(session_id=session_id))
        except Trouble as trouble:
            self.failures.append(f"not deleted: {self.name_of(session_id)}: {trouble}")
            self.say(f"not deleted: {trouble}", bad=True)
        else:
            self.listing = self.listing.without(session_id)
            self._left(session_id)
        self.changed()

    def name_of(self, session_id: str) -> str:
        """The title of a session, or its id."""
        info, session = self.listing.find(session_id), self.sessions.get(session_id)
        return one_line((info.title if info else "") or (session.title if session else "") or session_id, 60)

    async def leave(self) -> None:
        """Execute the pending deletions."""
        if self.dead is None:
            await self.deletes.flush()
        else:
            self.abandon(self.dead)

    def abandon(self, why: str) -> None:
        """Cancel the pending deletions."""
        self.failures += [f"not deleted: {self.name_of(left)}: {why}" for left in self.deletes.abandon()]

    def _left(self, session_id: str) -> None:
        self.open.discard(session_id)
        self.asks.withdraw(session_id)
        self.changed()

    def _show_terminal(self, session_id: str, terminal_id: str, view: TerminalView) -> None:
        self.session(session_id).show_terminal(terminal_id, view)
        self.changed()
