"""One start of a client, as its scenarios see it."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from ..conversation import Talk
from ..messages import Answer
from ..results import Sheet
from .scripted_agent import Stage


class Scene(Struct):
    """One start of a client: our end, and what we play."""

    talk: Talk
    stage: Stage
    sheet: Sheet
    cwd: str
    patience: float

    def must_answer(self, answer: Answer) -> bool:
        """Whether the client answered; if not, that is a failure."""
        if answer.frame is None:
            self.sheet.failed("wire/answer-every", "this request was not answered", [answer.request])
            self.talk.forget(answer)
        return answer.frame is not None

    async def call(self, method: str, params: Any) -> Answer:
        """A request that has to be answered."""
        answer = await self.talk.wait(await self.talk.begin(method, params))
        self.must_answer(answer)
        return answer
