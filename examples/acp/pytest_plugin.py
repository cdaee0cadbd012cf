# @generated from Agent Client Protocol, version 1, extended by Sandbox Agent session termination 1.0.0. Do not edit.
# Regenerate with: acp-codegen vendor DEST
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""Fixtures for pytest: `pytest_plugins = ["your_package.pytest_plugin"]` in conftest.py.

    connect             async with connect(agent, client) as (agent_side, client_side): see `testing.connected`
    scripted_agent      async with scripted_agent(client) as (agent, connection): the test controls each message of the agent
    scripted_client     async with scripted_client(agent) as (client, connection): the test controls each message of the client
    recording_client    a client that records all updates and tracks the state

Their types are `Connect`, `ScriptedAgent`, `ScriptedClient` and `RecordingClient` of `testing`. No other module of the
package imports pytest.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from . import testing

# Not imported by name: type checkers of a project without pytest would miss it.
_fixture: Any = import_module("pytest").fixture


def _connect() -> testing.Connect:
    return testing.connected


def _scripted_agent() -> testing.ScriptedAgent:
    return testing.scripted_agent


def _scripted_client() -> testing.ScriptedClient:
    return testing.scripted_client


connect: Callable[[], testing.Connect] = _fixture(name="connect")(_connect)
scripted_agent: Callable[[], testing.ScriptedAgent] = _fixture(name="scripted_agent")(_scripted_agent)
scripted_client: Callable[[], testing.ScriptedClient] = _fixture(name="scripted_client")(_scripted_client)


def _recording_client() -> testing.RecordingClient:
    return testing.RecordingClient()


recording_client: Callable[[], testing.RecordingClient] = _fixture(name="recording_client")(_recording_client)
