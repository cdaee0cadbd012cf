# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The base class of an agent, and its typed calls to the client."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TYPE_CHECKING, Unpack

from msgspec import UNSET, UnsetType

from generated._runtime.connection.connection import Options
from generated._runtime.connection.handlers import Peer
from generated.agent import Agent as _Base
from generated.agent import AgentSideConnection as _Connection
from generated.models import SessionId
from .methods import METHODS, PROTOCOL
from .models import (
    SessionEndReason, SessionEndedNotification, StderrOutput, TerminateSessionRequest, TerminateSessionResponse,
    TerminatedBy,
)  # fmt: skip

if TYPE_CHECKING:
    from .sessions import AgentSession

if TYPE_CHECKING:  # networking is slow to import, and most agents do not need it
    from generated._runtime.entrypoints.remote import Application
    from generated._runtime.entrypoints.serve import HostOptions, ServeOptions


class AgentMixin(Peer):
    """The handlers that this package adds. A class may inherit the handlers of several packages, followed by their base class."""

    def terminate_session(
        self, params: TerminateSessionRequest
    ) -> TerminateSessionResponse | Awaitable[TerminateSessionResponse]:
        """Asks the runtime to end a session: its agent process is stopped, and what the runtime holds of it is
        freed. The conversation that the agent has stored stays until it is deleted. Ending a session that has
        ended already succeeds and changes nothing.

        Method: `_sandboxagent/session/terminate`. Gate: `_meta.sandboxagent.terminate`.

        Required of the agent:

        - MUST: An agent that ends sessions advertises `terminate` under the vendor's key of `_meta`.
        - MUST: `session/cancel` ends only the turn; this method ends the session.
        - MUST: The agent finds the session and the process that runs it; an unknown session is an error.
        - MUST: If the session has a process of its own, the agent stops the process: SIGTERM, and SIGKILL after
          a grace period.
        - MUST: If sessions share a process, the agent ends only this session.
        - MUST: The agent frees what it holds of the session.
        - MUST: The result says that the session has ended, why, and who ended it.
        - MUST: Ending a session that has ended succeeds and changes nothing.
        - MUST: `terminatedBy` is `agent` if the process left by itself, and `daemon` if the runtime stopped it.
        - MAY: The agent may keep the conversation, so that it can be loaded again.
        """
        return self._unimplemented("_sandboxagent/session/terminate")


class Agent(AgentMixin, _Base):
    """Base of an agent: override the methods that it supports. Other requests get a method-not-found error."""

    client: AgentSideConnection  # pyright: ignore[reportIncompatibleVariableOverride]
    """The connection to the client, set before the first handler runs."""

    session: AgentSession  # pyright: ignore[reportIncompatibleVariableOverride]


class AgentSideConnection(_Connection):
    """The typed calls of an agent to its client."""

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

        Arguments:

        - `session_id`: Session that ended.
        - `reason`: Why it ended.
        - `terminated_by`: Who ended it.
        - `message`: What went wrong, for people; only with the reason `error`. Null is the same as leaving it
          out: there is nothing to say.
        - `exit_code`: Exit code of the agent process; with the reasons `error` and `terminated`. Null is the
          same as leaving it out: there was none, or it is not known.
        - `stderr`: What the agent process wrote to standard error; with the reasons `error` and `terminated`.
          Null is the same as leaving it out: nothing was captured.
        - `meta`: Extra data for implementations. The protocol attaches no meaning to its keys.

        Required of the agent:

        - MUST: Every client that watches the session is told that it has ended.
        - MUST: No other client is told.
        - MUST: A session whose process leaves or fails by itself has ended, too, with the reason `completed` or
          `error`.
        - MUST: `terminatedBy` is `agent` if the process left by itself, and `daemon` if the runtime stopped it.
        - MUST: After the notification, the agent sends no update for the session until it is opened again.
        - MAY: The notification may have the exit code and a message for people.
        - MAY: The notification may have the process's standard error: all of it, or its first and last lines
          and how many there were.

        Raises ConnectionClosed if the connection is lost.
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

    def session(self, session_id: SessionId) -> AgentSession:
        """An open session as an object. In a handler whose params name it, use `self.session`."""
        from .sessions import AgentSession

        return AgentSession(self, session_id)


Agent.connection_class = AgentSideConnection


async def run_agent(agent: Agent, *, versions: Sequence[Any] = (), **options: Unpack[Options]) -> None:
    """Serve an agent on standard input and output until the client closes them. Options: see `Options`.

    `versions`: agents for other protocol versions, each with its own package. The client selects one.
    """
    from generated._runtime.entrypoints.process import serve_stdio

    await serve_stdio(AgentSideConnection, agent, versions, **options)


def asgi(
    factory: Callable[[], Agent], *, versions: Sequence[Callable[[], Any]] = (), **options: Unpack[HostOptions]
) -> Application:
    """Create an ASGI application that serves one agent per connection, over HTTP and WebSocket. Options: see `HostOptions`.

    Needs the distribution `acp-remote`, as `serve` does for `http://` and `https://`.
    """
    from generated._runtime.entrypoints.serve import asgi as make

    return make(AgentSideConnection, factory, versions, **options)


async def serve(
    factory: Callable[[], Agent],
    address: str | None = None,
    *,
    versions: Sequence[Callable[[], Any]] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Serve one agent per client at an address, or on standard input and output, until a signal arrives.

    Addresses: `unix:/path`, `tcp://host:port`, `http://host:port` (also for WebSocket) or `https://host:port`. Options: see `ServeOptions`.
    `versions`: functions that create agents for other protocol versions. Each client selects one.
    """
    from generated._runtime.entrypoints.serve import serve as run

    await run(AgentSideConnection, factory, address, versions, **options)


def run_server(
    factory: Callable[[], Agent],
    address: str,
    *,
    versions: Sequence[Callable[[], Any]] = (),
    **options: Unpack[ServeOptions],
) -> None:
    """Run `serve` in a new event loop: uvloop's if it is installed, otherwise asyncio's."""
    from generated._runtime.entrypoints.serve import run_server as run

    run(AgentSideConnection, factory, address, versions, **options)
