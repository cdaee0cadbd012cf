# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Sessions of Agent Client Protocol as objects: a method for each update and each call that names a session."""

from __future__ import annotations

from typing import TYPE_CHECKING
from typing import Any

from msgspec import UNSET, UnsetType

from generated.sessions import ClientSession as _ClientSession
from generated.sessions import AgentSession as _AgentSession
from .methods import METHODS
from .models import SessionEndReason, StderrOutput, TerminateSessionRequest, TerminateSessionResponse, TerminatedBy

if TYPE_CHECKING:
    from .agent import AgentSideConnection
    from .client import ClientSideConnection


class AgentSession(_AgentSession):
    """A session on the agent's side: `self.session` in a handler, `self.client.session(id)` elsewhere.

    It has a method for each update and each call to the client about the session. They fill in the session id.
    """

    client: AgentSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]

    async def ended(
        self,
        *,
        reason: SessionEndReason,
        terminated_by: TerminatedBy,
        message: str | None | UnsetType = UNSET,
        exit_code: int | None | UnsetType = UNSET,
        stderr: StderrOutput | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Tells every client that watches a session that it has ended. Raises the errors of
        `AgentSideConnection.session_ended`.
        """
        await self.client.session_ended(
            session_id=self.id,
            reason=reason,
            terminated_by=terminated_by,
            message=message,
            exit_code=exit_code,
            stderr=stderr,
            meta=meta,
        )


class ClientSession(_ClientSession):
    """A session on the client's side, returned by `session` or `open` of the connection.

    `state` follows its updates. It has a method for each call to the agent about the session, which fills in the session id.
    """

    agent: ClientSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]

    async def terminate(self, *, meta: dict[str, Any] | None | UnsetType = UNSET) -> TerminateSessionResponse:
        """Asks the runtime to end a session: its agent process is stopped, and what the runtime holds of it is
        freed. Raises the errors of `ClientSideConnection.terminate_session`.
        """
        response: TerminateSessionResponse = await self.request(
            METHODS["agent", "_sandboxagent/session/terminate", "request"],
            TerminateSessionRequest(session_id=self.id, meta=meta),
        )
        return response
