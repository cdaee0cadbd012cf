"""The official SDK's names on this project's runtime: change `import acp` to `import acp_compat as acp`.

bases      what the models differ in from the package's pydantic models
schema     the models, read from the package's source with those bases
tables     the SDK's names, from `codegen/migrate/official.toml` and the package's method table
handlers   handlers of the SDK's form, called with the params of a message
connection connections that pass plain JSON
core       connections of agents and clients, run_agent, connect_to_agent
helpers    functions that make objects
contrib    state of tool calls and sessions, permission requests
stdio      agents and clients as subprocesses
"""

import sys

from . import core, helpers, schema
from .core import AgentSideConnection, ClientSideConnection, connect_to_agent, run_agent
from .exceptions import RequestError
from .helpers import *  # noqa: F403
from .interfaces import Agent, Client
from .meta import AGENT_METHODS, CLIENT_METHODS, PROTOCOL_VERSION
from .schema import *  # noqa: F403
from .stdio import default_environment, spawn_agent_process, spawn_client_process, spawn_stdio_transport, stdio_streams

__all__ = [  # noqa: PLE0604
    "AGENT_METHODS",
    "CLIENT_METHODS",
    "PROTOCOL_VERSION",
    "Agent",
    "AgentSideConnection",
    "Client",
    "ClientSideConnection",
    "RequestError",
    "connect_to_agent",
    "default_environment",
    "run_agent",
    "schema",
    "spawn_agent_process",
    "spawn_client_process",
    "spawn_stdio_transport",
    "stdio_streams",
    *helpers.__all__,
    *schema.__all__,
]

for _module in ("agent.connection", "client.connection"):  # the SDK has each class in a module of its own, too
    sys.modules[f"{__name__}.{_module}"] = core
    sys.modules.setdefault(f"{__name__}.{_module.partition('.')[0]}", core)
