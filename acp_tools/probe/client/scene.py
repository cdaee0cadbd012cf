"""One run of a client, as its scenarios see it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..conversation import Talk
from ..messages import Answer
from ..results import Sheet
from .scripted_agent import Stage


class Scene(Struct):
    """One run of a client: the probe's end, and the scripted agent."""

    talk: Talk
    stage: Stage
    sheet: Sheet
    cwd: str
    patience: float
    outside: str = ""
    """A file outside of the client's directory; empty if there is none."""

    def must_answer(self, answer: Answer) -> bool:
        """Return whether the client answered. If not, record a failure."""
        if answer.frame is None:
            self.sheet.failed("wire/answer-every", "the client did not answer this request", [answer.request])
            self.talk.forget(answer)
        return answer.frame is not None

    async def call(self, method: str, params: Any) -> Answer:
        """Send a request that must be answered."""
        answer = await self.talk.wait(await self.talk.begin(method, params))
        self.must_answer(answer)
        return answer
