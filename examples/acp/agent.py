# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""The stubs for whoever writes an agent: what it implements, and its calls to the client."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Any, Unpack

from msgspec import UNSET, UnsetType

from generated._runtime.connection import Options
from generated._runtime.process import serve_stdio
from generated.agent import Agent as _Base
from generated.agent import AgentSideConnection as _Connection
from generated.models import SessionId
from .methods import METHODS, PROTOCOL
from .models import (
    SessionEndReason,
    SessionEndedNotification,
    StderrOutput,
    TerminateSessionRequest,
    TerminateSessionResponse,
    TerminatedBy,
)


class Agent(_Base):
    """Base of an agent: override what it implements; the rest answers method-not-found."""

    client: AgentSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]
    """The connection to the client; set before anything is dispatched."""

    def terminate_session(
        self, params: TerminateSessionRequest
    ) -> TerminateSessionResponse | Awaitable[TerminateSessionResponse]:
        """Asks the runtime to end a session: its agent process is stopped, and what the runtime holds of it is
        freed. The conversation that the agent has stored stays until it is deleted. Ending a session that has
        ended already succeeds and changes nothing.

        Method: `_sandboxagent/session/terminate`. Gate: `_meta.sandboxagent.terminate`.
        """
        return self._unimplemented("_sandboxagent/session/terminate")


class AgentSideConnection(_Connection):
    """What an agent holds to call its client."""

    _protocol = PROTOCOL
    _side = "agent"
    _peer_side = "client"

    async def session_ended(
        self,
        *,
        session_id: SessionId,
        reason: SessionEndReason,
        terminated_by: TerminatedBy,
        message: str | None | UnsetType = UNSET,
        exit_code: int | None | UnsetType = UNSET,
        stderr: StderrOutput | None | UnsetType = UNSET,
        meta: dict[str, Any] | None | UnsetType = UNSET,
    ) -> None:
        """Tells every client that watches a session that it has ended.

        Method: `_sandboxagent/session/ended`.
        """
        await self._notify(
            METHODS["client", "_sandboxagent/session/ended", "notification"],
            SessionEndedNotification(
                session_id=session_id,
                reason=reason,
                terminated_by=terminated_by,
                message=message,
                exit_code=exit_code,
                stderr=stderr,
                meta=meta,
            ),
        )


async def run_agent(agent: Agent, **options: Unpack[Options]) -> None:
    """Serve an agent on standard input and output until the client closes them. Options: see `Options`."""
    await serve_stdio(AgentSideConnection, agent, **options)
