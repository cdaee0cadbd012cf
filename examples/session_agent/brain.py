"""What answers the prompts of an open session, and how it ends. Here in this process; `isolate.py` has the other."""

from __future__ import annotations

import contextlib
from typing import Protocol

import msgspec

from .. import acp
from . import model
from .journal import JournalStage
from .stage import Task

__all__ = ["COMPLETED", "Brain", "Ending", "Script"]


class Ending(msgspec.Struct, frozen=True):
    """How a session ended, in the words of the termination extension."""

    reason: acp.SessionEndReason
    terminated_by: acp.TerminatedBy
    message: str | None = None
    exit_code: int | None = None
    stderr: acp.StderrOutput | None = None

    @classmethod
    def read(cls, kept: str | None) -> Ending:
        """What was kept; a session of which nothing is, or nothing that can be read, has been completed."""
        try:
            return COMPLETED if kept is None else msgspec.json.decode(kept, type=cls)
        except msgspec.DecodeError:
            return COMPLETED

    def kept(self) -> str:
        """What the store keeps of it."""
        return msgspec.json.encode({"reason": self.reason, "terminated_by": self.terminated_by}).decode()

    async def tell(self, client: acp.AgentSideConnection, session_id: str) -> None:
        """Tell a client that watches the session."""
        with contextlib.suppress(ConnectionError):
            await client.session_ended(
                session_id=session_id,
                reason=self.reason,
                terminated_by=self.terminated_by,
                message=self.message or acp.UNSET,
                exit_code=acp.UNSET if self.exit_code is None else self.exit_code,
                stderr=self.stderr or acp.UNSET,
            )


COMPLETED = Ending("completed", "agent")
TERMINATED = Ending("terminated", "daemon")


class Brain(Protocol):
    """Answers the prompts of one session."""

    async def reply(self, stage: JournalStage, task: Task) -> acp.StopReason:
        """Answer one prompt. Cancelled, it stops at once; Died where it cannot answer any more."""
        ...

    async def close(self) -> Ending:
        """Free everything: how it ended. No prompt is being answered."""
        ...

    async def terminate(self, grace: float | None = None) -> Ending:
        """End at once, whatever is going on; by force after so many seconds, if they are given. More than once is fine."""
        ...

    async def died(self) -> Ending | None:
        """Return when it has ended: how, if it was by itself; None if it was closed or terminated."""
        ...


class Script:
    """The offline model, in this process. It holds nothing."""

    async def reply(self, stage: JournalStage, task: Task) -> acp.StopReason:
        return await model.reply(stage, task)

    async def close(self) -> Ending:
        return COMPLETED

    async def terminate(self, grace: float | None = None) -> Ending:
        return TERMINATED

    async def died(self) -> Ending | None:
        return None
