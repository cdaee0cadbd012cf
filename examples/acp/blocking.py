# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Blocking connections of Agent Client Protocol, for programs without an event loop. The names are those of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

from . import client as _client
from generated import blocking as _base
from generated._runtime.blocking import BlockingStream, Call, with_connection
from generated._runtime.blocking import view as _view
from generated._runtime.connection.extensions import viewed
from generated._runtime.entrypoints.process import SpawnOptions

if TYPE_CHECKING:
    from generated._runtime.entrypoints.connect import ConnectOptions

__all__ = ["BlockingStream", "Client", "ClientSideConnection", "connect", "spawn_agent", "view"]


class ClientSideConnection(_base.ClientSideConnection):
    """The client's connection to an agent, with blocking calls: `with ClientSideConnection(lambda: acp.spawn_agent(...)) as agent`."""

    terminate_session = Call(_client.ClientSideConnection.terminate_session)


class Client(_base.Client, _client.Client):
    """Base of a client without an event loop: handlers run in threads, so they may block and call `self.agent`."""

    @property  # type: ignore[override]
    def agent(self) -> ClientSideConnection:  # pyright: ignore
        """The connection to the agent, set before the first handler runs."""
        found: ClientSideConnection | None = vars(self).get("_blocking")
        if found is None:
            raise AttributeError("this client has no agent: connect it with `spawn_agent` or `connect` of `blocking`")
        return found

    @agent.setter  # type: ignore[override]
    def agent(self, connection: _client.ClientSideConnection) -> None:  # pyright: ignore
        vars(self)["_blocking"] = _view(ClientSideConnection, connection)


def view(connection: _base.ClientSideConnection) -> ClientSideConnection:
    """The same connection with the calls of this package. Raises TypeError if it was opened without this package."""
    return with_connection(
        ClientSideConnection, connection, viewed(_client.ClientSideConnection, connection.connection)
    )


def spawn_agent(client: _client.Client, *command: str, **options: Unpack[SpawnOptions]) -> ClientSideConnection:
    """Start an agent as a subprocess and connect to it by `with`; leaving the block ends it. Options: see `SpawnOptions`."""
    return ClientSideConnection(lambda: _client.spawn_agent(client, *command, **options))


def connect(url: str, client: _client.Client | None = None, **options: Unpack[ConnectOptions]) -> ClientSideConnection:
    """Connect to an agent at a URL by `with`; leaving the block ends the connection. Options: see `ConnectOptions`."""
    return ClientSideConnection(lambda: _client.connect(url, client, **options))
