# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Test helpers for agents and clients of Agent Client Protocol: both ends in memory, a scripted peer, a client that records, any message.

No process or socket is needed. Sent messages are checked against their types. `messages` requires hypothesis.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, Protocol, Unpack

from ._runtime.connection.connection import Options
from ._runtime.strategies import messages as _messages
from ._runtime.testing import Scripted, pair, scripted
from .agent import Agent, AgentSideConnection
from .client import Client, ClientSideConnection
from .methods import PROTOCOL
from .models import SessionId, SessionNotification, SessionUpdate, RequestPermissionRequest, RequestPermissionResponse
from .permissions import Permissions
from .state import SessionState

__all__ = [
    "Connect",
    "RecordingClient",
    "Scripted",
    "ScriptedAgent",
    "ScriptedClient",
    "connected",
    "messages",
    "scripted_agent",
    "scripted_client",
]


def messages(type: Any) -> Any:
    """A Hypothesis strategy for valid values of a type: `@given(messages(acp.SomeRequest))`. Raises ImportError without hypothesis."""
    return _messages(type, PROTOCOL)


@asynccontextmanager
async def connected(
    agent: Agent | Callable[[], Agent],
    client: Client | Callable[[], Client] = Client,
    *,
    opened: bool = True,
    agent_options: Options | None = None,
    **options: Unpack[Options],
) -> AsyncGenerator[tuple[AgentSideConnection, ClientSideConnection], None]:
    """Connect an agent and a client in memory: the agent's connection, and the client's connection.

    `opened`: perform the handshake. The options apply to the client's side.
    """
    async with pair(
        AgentSideConnection, agent, ClientSideConnection, client, {**(agent_options or {})}, {**options}
    ) as sides:
        if opened:
            await sides[1].initialize()
        yield sides


def scripted_agent(
    client: Client | Callable[[], Client] = Client, *, patience: float = 5.0, **options: Unpack[Options]
) -> AbstractAsyncContextManager[tuple[Scripted, ClientSideConnection]]:
    """A scripted agent, and the client's connection to it. The test must also perform the handshake."""
    return scripted(ClientSideConnection, client, patience=patience, **options)


def scripted_client(
    agent: Agent | Callable[[], Agent], *, patience: float = 5.0, **options: Unpack[Options]
) -> AbstractAsyncContextManager[tuple[Scripted, AgentSideConnection]]:
    """A scripted client, and the agent's connection to it. The test must also perform the handshake."""
    return scripted(AgentSideConnection, agent, patience=patience, **options)


class Connect(Protocol):
    """The type of `connected` and of the fixture `connect`."""

    def __call__(
        self,
        agent: Agent | Callable[[], Agent],
        client: Client | Callable[[], Client] = ...,
        *,
        opened: bool = ...,
        agent_options: Options | None = ...,
        **options: Unpack[Options],
    ) -> AbstractAsyncContextManager[tuple[AgentSideConnection, ClientSideConnection]]: ...


class ScriptedAgent(Protocol):
    """The type of `scripted_agent` and of its fixture."""

    def __call__(
        self, client: Client | Callable[[], Client] = ..., *, patience: float = ..., **options: Unpack[Options]
    ) -> AbstractAsyncContextManager[tuple[Scripted, ClientSideConnection]]: ...


class ScriptedClient(Protocol):
    """The type of `scripted_client` and of its fixture."""

    def __call__(
        self, agent: Agent | Callable[[], Agent], *, patience: float = ..., **options: Unpack[Options]
    ) -> AbstractAsyncContextManager[tuple[Scripted, AgentSideConnection]]: ...


class RecordingClient(Client):
    """A client that records `updates` in order of arrival, and maintains a state for each session.

    `permissions` answers the requests of agents. By default, all are rejected.
    """

    def __init__(self, permissions: Permissions | None = None) -> None:
        self.updates: list[SessionUpdate] = []
        self.states: dict[SessionId, SessionState] = {}
        self.permissions = permissions or Permissions()
        self.asked: list[RequestPermissionRequest] = []
        """The permission requests so far."""

    def session_update(self, params: SessionNotification) -> None:
        """Record an update."""
        self.updates.append(params.update)
        self.states.setdefault(params.session_id, SessionState()).apply(params.update)

    async def request_permission(self, params: RequestPermissionRequest) -> RequestPermissionResponse:
        """Record a permission request and answer it with `permissions`."""
        self.asked.append(params)
        return await self.permissions.answer(params)

    @property
    def state(self) -> SessionState:
        """The state of the only session. Raises LookupError if there is none, or more than one."""
        if len(self.states) != 1:
            raise LookupError(f"there are updates of {len(self.states)} sessions: use `states`")
        return next(iter(self.states.values()))

    @property
    def text(self) -> str:
        """The joined texts of all messages, for `assert client.text == "..."`. Empty without updates."""
        entries = self.state.timeline if self.states else ()
        return "".join(entry.text for entry in entries if hasattr(entry, "text"))
