"""The names of the runtime that the compiler reads. This is the compiler's only import of the runtime.

The compiler and the runtime share these definitions: the rows of the root keywords, the nodes of the decoder's tables,
capability paths, error messages, and the strictness of a decoder.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .runtime import INTERFACE_VERSION
from .runtime.bridge import convert, plan
from .runtime.codec.readers import Readers, read_with
from .runtime.codec.values import LENIENT, STRICT, Reading
from .runtime.errors import MESSAGES, RequestError
from .runtime.schema import definitions
from .runtime.schema.capabilities import (
    Encoding,
    gates_by_member,
    gates_within,
    locate,
    says_yes,
    speaks,
    split,
    states,
    version_of,
)
from .runtime.schema.definitions import (
    Cancel,
    Handshake,
    Interrupt,
    Node,
    Remote,
    Sessions,
    Trace,
    Tunnel,
)
from .runtime.schema.registry import Tables

if TYPE_CHECKING:
    from .runtime.session.agent_session import AgentSessionBase
    from .runtime.session.client_session import ClientSessionBase
    from .runtime.session.state import State

__all__ = [
    "INTERFACE_VERSION",
    "LENIENT",
    "MESSAGES",
    "STRICT",
    "AgentSessionBase",
    "Cancel",
    "ClientSessionBase",
    "Encoding",
    "Handshake",
    "Interrupt",
    "Node",
    "Readers",
    "Reading",
    "Remote",
    "RequestError",
    "Sessions",
    "State",
    "Tables",
    "Trace",
    "Tunnel",
    "convert",
    "definitions",
    "gates_by_member",
    "gates_within",
    "locate",
    "plan",
    "read_with",
    "says_yes",
    "speaks",
    "split",
    "states",
    "version_of",
]

_LATE = {"AgentSessionBase": "agent_session", "ClientSessionBase": "client_session", "State": "state"}


def __getattr__(name: str) -> Any:
    """Import a class of `session/` on first use. Only `emit` needs them, and they import asyncio."""
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".runtime.session.{_LATE[name]}", __package__), name)
