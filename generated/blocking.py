# @generated from Agent Client Protocol, version 1. Do not edit.
# Regenerate with: acp-codegen
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Blocking connections of Agent Client Protocol, for programs without an event loop. The names are those of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Unpack, overload

from msgspec import UNSET, UnsetType

from . import client as _client
from ._runtime.blocking import Blocking, BlockingStream, Call, Streaming
from ._runtime.blocking import view as _view
from ._runtime.entrypoints.process import SpawnOptions

if TYPE_CHECKING:
    from ._runtime.entrypoints.connect import ConnectOptions
    from .models import (
        SessionConfigId, SessionConfigValueId, SessionId, SetSessionConfigOptionRequest, SetSessionConfigOptionResponse,
    )  # fmt: skip


__all__ = ["BlockingStream", "Client", "ClientSideConnection", "connect", "spawn_agent"]


class ClientSideConnection(Blocking):
    """The client's connection to an agent, with blocking calls: `with ClientSideConnection(lambda: acp.spawn_agent(...)) as agent`."""

    initialize = Call(_client.ClientSideConnection.initialize)
    authenticate = Call(_client.ClientSideConnection.authenticate)
    logout = Call(_client.ClientSideConnection.logout)
    auth_status = Call(_client.ClientSideConnection.auth_status)
    new_session = Call(_client.ClientSideConnection.new_session)
    load_session = Call(_client.ClientSideConnection.load_session)
    resume_session = Call(_client.ClientSideConnection.resume_session)
    list_sessions = Call(_client.ClientSideConnection.list_sessions)
    fork_session = Call(_client.ClientSideConnection.fork_session)
    close_session = Call(_client.ClientSideConnection.close_session)
    delete_session = Call(_client.ClientSideConnection.delete_session)
    archive_session = Call(_client.ClientSideConnection.archive_session)
    unarchive_session = Call(_client.ClientSideConnection.unarchive_session)
    session_status = Call(_client.ClientSideConnection.session_status)
    set_session_title = Call(_client.ClientSideConnection.set_session_title)
    set_session_mode = Call(_client.ClientSideConnection.set_session_mode)
    if TYPE_CHECKING:
        # A descriptor takes only one signature.
        @overload
        def set_session_config_option(
            self, params: SetSessionConfigOptionRequest, /
        ) -> SetSessionConfigOptionResponse: ...
        @overload
        def set_session_config_option(
            self,
            /,
            *,
            type: Literal["boolean"],
            session_id: SessionId,
            config_id: SessionConfigId,
            value: bool,
            meta: dict[str, Any] | None | UnsetType = UNSET,
        ) -> SetSessionConfigOptionResponse: ...
        @overload
        def set_session_config_option(
            self,
            /,
            *,
            session_id: SessionId,
            config_id: SessionConfigId,
            value: SessionConfigValueId,
            meta: dict[str, Any] | None | UnsetType = UNSET,
        ) -> SetSessionConfigOptionResponse: ...

        def set_session_config_option(self, params: Any = None, /, **given: Any) -> Any: ...

    else:
        set_session_config_option = Call(_client.ClientSideConnection.set_session_config_option)
    prompt = Call(_client.ClientSideConnection.prompt)
    cancel = Call(_client.ClientSideConnection.cancel)
    list_providers = Call(_client.ClientSideConnection.list_providers)
    set_provider = Call(_client.ClientSideConnection.set_provider)
    disable_provider = Call(_client.ClientSideConnection.disable_provider)
    message_mcp_notification = Call(_client.ClientSideConnection.message_mcp_notification)
    prompt_stream = Streaming(_client.ClientSideConnection.prompt_stream)
    ext_request = Call(_client.ClientSideConnection.ext_request)
    ext_notify = Call(_client.ClientSideConnection.ext_notify)


class Client(_client.Client):
    """Base of a client without an event loop: handlers run in threads, so they may block and call `self.agent`."""

    threads = True

    @property  # type: ignore[override]
    def agent(self) -> ClientSideConnection:  # pyright: ignore
        """The connection to the agent, set before the first handler runs."""
        found: ClientSideConnection | None = vars(self).get("_blocking")
        if found is None:
            raise AttributeError("this client has no agent: connect it with `spawn_agent` or `connect` of `blocking`")
        return found

    @agent.setter
    def agent(self, connection: _client.ClientSideConnection) -> None:  # pyright: ignore
        vars(self)["_blocking"] = _view(ClientSideConnection, connection)


def spawn_agent(client: _client.Client, *command: str, **options: Unpack[SpawnOptions]) -> ClientSideConnection:
    """Start an agent as a subprocess and connect to it by `with`; leaving the block ends it. Options: see `SpawnOptions`."""
    return ClientSideConnection(lambda: _client.spawn_agent(client, *command, **options))


def connect(url: str, client: _client.Client | None = None, **options: Unpack[ConnectOptions]) -> ClientSideConnection:
    """Connect to an agent at a URL by `with`; leaving the block ends the connection. Options: see `ConnectOptions`."""
    return ClientSideConnection(lambda: _client.connect(url, client, **options))
