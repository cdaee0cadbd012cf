# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A client's connection to an agent of Agent Client Protocol, which is reopened when the agent dies."""

from __future__ import annotations

from collections.abc import Mapping

from ._runtime.reconnect.connection import Reconnecting
from .client import ClientSideConnection
from .methods import METHODS
from .models import SessionId
from .state import SessionState

__all__ = ["ReconnectingAgent"]


class ReconnectingAgent(Reconnecting, ClientSideConnection):
    """A connection to an agent that is reopened when the agent dies. It has the calls of `ClientSideConnection`.

    `ReconnectingAgent(lambda: spawn_agent(client, "my-agent"))` with
    `async with`. If the agent dies, pending calls raise `CallLost`. Later calls wait until the agent has restarted and its
    sessions are open again.
    """

    _keeps = (SessionState, METHODS["client", "session/update", "notification"], "update")

    @property
    def states(self) -> Mapping[SessionId, SessionState]:
        """The states of the sessions that were opened on this connection, by session."""
        found: Mapping[SessionId, SessionState] = self._kept_states()
        return found
