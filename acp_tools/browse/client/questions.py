"""Questions to the user, shown one after the other. Each caller waits for its answer, or for None."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import acp_generated as acp


@dataclass(frozen=True)
class Option:
    """One possible answer."""

    id: str
    name: str
    kind: str
    """`allow_once`, `allow_always`, `reject_once`, `reject_always`."""


@dataclass(frozen=True, eq=False)
class Question:
    """A question: its session, its subject and its options. The answer is the id of an option, or None."""

    session_id: str
    heading: str
    about: acp.ToolCall
    options: tuple[Option, ...]
    answer: asyncio.Future[str | None] = field(repr=False)


class Asks:
    """The queue of open questions."""

    def __init__(self, changed: Callable[[], object]) -> None:
        self.open: list[Question] = []
        self._changed = changed

    async def ask(self, session_id: str, heading: str, about: acp.ToolCall, options: tuple[Option, ...]) -> str | None:
        """Ask and wait for the answer. If the caller is cancelled, the question is withdrawn."""
        answer: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        question = Question(session_id, heading, about, options, answer)
        self.open.append(question)
        self._changed()
        try:
            return await answer
        finally:
            answer.cancel()  # where nobody waits any more, nobody need answer
            self.open.remove(question)
            self._changed()

    def withdraw(self, session_id: str | None = None) -> None:
        """Withdraw the questions of a session, or of all sessions, without an answer."""
        for question in self.open:
            if session_id in (None, question.session_id) and not question.answer.done():
                question.answer.set_result(None)
