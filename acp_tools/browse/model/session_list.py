"""The pages of `session/list` as one list.

Invariants: a session appears once, at the place where it was first seen; later pages replace its data. A cursor is
opaque and used once: if an agent returns a cursor twice, paging would never end.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import acp_generated as acp

from ..errors import Trouble

EMPTY_PAGES = 100
"""Maximum number of successive pages without a new session."""


@dataclass(frozen=True)
class Listing:
    """The sessions of an agent, in the agent's order."""

    sessions: tuple[acp.SessionInfo, ...] = ()
    cursor: str | None = None
    """The cursor of the next page; None before the first page, and after the last."""
    pages: int = 0
    barren: int = 0
    """Number of final pages without new sessions."""
    used: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def has_more(self) -> bool:
        """True if there is a next page."""
        return self.pages == 0 or self.cursor is not None

    def with_page(self, page: acp.ListSessionsResponse) -> Listing:
        """The list with the next page. Raises Trouble if the agent repeats a cursor."""
        found = {info.session_id: info for info in self.sessions}
        count = len(found)
        found.update((info.session_id, info) for info in page.sessions)
        cursor = page.next_cursor or None
        if cursor is not None and cursor in self.used:
            raise Trouble("session/list: the agent returned the same cursor twice")
        barren = 0 if len(found) > count else self.barren + 1
        if cursor is not None and barren >= EMPTY_PAGES:
            raise Trouble(f"session/list: {EMPTY_PAGES} pages without a new session, although the agent reported more")
        used = self.used if cursor is None else self.used | {cursor}
        return Listing(tuple(found.values()), cursor, self.pages + 1, barren, used)

    def with_news(self, page: acp.ListSessionsResponse) -> Listing:
        """The list updated from a new first page: new sessions come first, known ones are updated, none is removed."""
        said = {info.session_id: info for info in page.sessions}
        known = {info.session_id for info in self.sessions}
        fresh = (info for info in page.sessions if info.session_id not in known)
        return replace(self, sessions=(*fresh, *(said.get(info.session_id, info) for info in self.sessions)))

    def without(self, session_id: str) -> Listing:
        """The list without a session."""
        return replace(self, sessions=tuple(info for info in self.sessions if info.session_id != session_id))

    def with_session(self, info: acp.SessionInfo) -> Listing:
        """The list with a session of this client, at the top or updated in its place."""
        known = any(info.session_id == other.session_id for other in self.sessions)
        if not known:
            return replace(self, sessions=(info, *self.sessions))
        sessions = (info if info.session_id == other.session_id else other for other in self.sessions)
        return replace(self, sessions=tuple(sessions))

    def find(self, session_id: str) -> acp.SessionInfo | None:
        """The list entry of a session."""
        return next((info for info in self.sessions if info.session_id == session_id), None)

    def index(self, session_id: str | None) -> int | None:
        """The position of a session in the list."""
        return next((at for at, info in enumerate(self.sessions) if info.session_id == session_id), None)
