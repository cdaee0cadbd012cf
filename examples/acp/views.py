# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""The typed calls of this package on a connection of its base package."""

from __future__ import annotations

from typing import overload

from generated._runtime.connection.extensions import viewed
from generated.agent import AgentSideConnection as _AgentSideConnection
from generated.client import ClientSideConnection as _ClientSideConnection
from .agent import AgentSideConnection
from .client import ClientSideConnection


@overload
def view(connection: _AgentSideConnection) -> AgentSideConnection: ...
@overload
def view(connection: _ClientSideConnection) -> ClientSideConnection: ...
def view(connection: _AgentSideConnection | _ClientSideConnection) -> AgentSideConnection | ClientSideConnection:
    """The same connection with the typed calls of this package. Raises TypeError if it was opened without this package.

    To open it with the package, pass the package in the option `extensions`.
    """
    if isinstance(connection, _AgentSideConnection):
        return viewed(AgentSideConnection, connection)
    return viewed(ClientSideConnection, connection)
