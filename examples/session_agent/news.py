"""What clients are reported for their sessions without having asked: commands, titles, ends."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Final

from .. import acp
from .brain import Ending
from .model import COMMANDS
from .session import Session, Watcher
from .store import SessionRow
from .titles import iso

__all__ = ["NEWS_WITHIN", "announce", "announce_commands", "announce_title", "tell_ending"]

NEWS_WITHIN: Final = 1.0
"""Seconds for which a watcher that does not read holds up the others."""


async def announce_commands(watcher: Watcher, session: Session) -> None:
    """Tell a client the session's commands; before the answer to whatever opened it."""
    update = acp.AvailableCommandsUpdate(available_commands=COMMANDS)
    await watcher.client.session_update(session_id=session.key[1], update=update)


async def announce(watcher: Watcher, session: Session, row: SessionRow) -> None:
    """The same of a new session, and its title, if it has one: a fork is born with it."""
    await announce_commands(watcher, session)
    if row.title is not None:
        await announce_title(watcher, session, row)


async def announce_title(watcher: Watcher, session: Session, row: SessionRow) -> None:
    """Tell a client the session's title and when something last happened in it."""
    info = acp.SessionInfoUpdate(title=row.title or acp.UNSET, updated_at=iso(row.updated_at))
    await watcher.client.session_update(session_id=session.key[1], update=info)


async def tell_ending(watchers: Iterable[Watcher], session: Session, ending: Ending) -> None:
    """Tell clients that a session has ended, all at once."""
    news = [asyncio.create_task(ending.tell(watcher.client, session.key[1])) for watcher in watchers]
    if news:
        _, slow = await asyncio.wait(news, timeout=NEWS_WITHIN)
        for task in slow:
            task.cancel()
