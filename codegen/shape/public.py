"""The public names of the emitted package that do not come from the schema's types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.naming.wire_names import pascal

PEERS = ("agent", "client")
"""The sides of a connection. `both` means these two."""
OPPOSITE: Final[Mapping[str, str]] = dict(zip(PEERS, reversed(PEERS), strict=True))
"""Maps each side of a connection to the other one."""

# Public names of the package itself, by the module that has them: those that most agents and clients use.
PUBLIC: Final[Mapping[str, tuple[str, ...]]] = {
    "_runtime.schema.definitions": ("UNSET", "UnknownVariant", "UnsetType", "given"),
    "_runtime.codec.codec": ("decode", "encode", "from_dict", "to_dict"),
    "_runtime.transport.limits": ("Limits",),
    "_runtime.bridge.transport": ("Bridged",),
    "_runtime.transport.options": ("bearer", "jwt"),
    "_runtime.connection.telemetry": ("Transcript",),
    "_runtime.errors": ("CapabilityError", "ConnectionClosed"),
    "errors": ("RequestError",),
    "methods": ("PROTOCOL_VERSION",),
}
PUBLIC_OF_BOTH: Final[Mapping[str, tuple[str, ...]]] = {"reconnecting": ("ReconnectingAgent",)}
"""Additional names of a package for both sides of a connection."""
PUBLIC_OF_SIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("asgi", "run_agent", "run_server", "serve"),
    "client": ("connect", "spawn_agent"),
}

RUNTIME: Final = "_runtime"
"""The package's folder for the modules of `codegen/runtime`, which are the same bytes for every schema."""
INSTALLED_RUNTIME: Final = "acp_runtime"
"""The import name of the installed runtime."""
RUNTIME_REQUIREMENT: Final = "acp-runtime>=0.1,<0.2"
"""The releases of the installed runtime that implement the interface of packages."""
PACKAGE_REQUIREMENT: Final = "acp-generated>=1.0.1,<1.0.2"
"""The releases of the distribution with the standard package and all parts."""

PASSED_ON: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "codec": {
        "codec.codec": ("decode", "encode", "from_dict", "meta", "to_dict"),
        "codec.readers": ("undeclared",),
        "schema.definitions": ("Extensible",),
    },
    "connection": {
        "connection.connection": ("Connection", "Options"),
        "connection.handlers": ("Peer",),
        "connection.update_stream": ("Stream",),
        "entrypoints.connect": ("ConnectOptions",),
        "entrypoints.process": ("SpawnOptions",),
        "entrypoints.serve": ("HostOptions", "ServeOptions"),
        "reconnect.connection": ("Reconnected",),
        "transport.base": ("Caller",),
        "transport.channel": ("FrameHook",),
        "transport.limits": ("Limits",),
    },
    "jsonrpc": {
        "jsonrpc.parser": (
            *("FRAME_LIMIT", "Fault", "Id", "LIMIT", "Message", "Notification", "Reader", "Request", "Response"),
            *("limit_in", "parse", "parse_batch", "peek"),
        ),
    },
    "mcp": {"session.tunnel_sessions": ("connect", "deliver")},
    "transports": {
        "entrypoints.connect": ("dial",),
        "entrypoints.process": ("process_transport", "stdio_transport"),
        "entrypoints.remote": ("INTERFACE_VERSION", "Application", "Runtime", "runtime"),
        "transport.base": ("NdjsonTransport", "Transport", "relay"),
        "transport.options": ("DialOptions",),
    },
}
"""Modules of the package that only re-export names, with the runtime modules of these names."""
PASSED_ON_FOR: Final[Mapping[str, str]] = {
    "codec": "Encoding and decoding: JSON to typed objects and back.",
    "connection": "Connections and the types of their options, for annotations.",
    "jsonrpc": "Parsed messages of JSON-RPC 2.0, without the types of the protocol.",
    "mcp": "Servers of the package `mcp` over the connection of an agent: sessions with them, and the handler of their notifications.",
    "transports": """Transports: they carry the frames of one connection, and do not interpret messages.

`dial` opens a transport to an address, and `NdjsonTransport` uses two byte streams. `process_transport` starts a
program, and `stdio_transport` uses the standard streams of this process. `relay` passes frames from one transport to
another. `runtime(PROTOCOL)` is the first argument of the functions of `acp_remote`, the distribution with networking.
""",
}
"""The docstrings of the re-exporting modules."""

SUBMODULES: Final = ("codec", "connection", "errors", "mcp", "methods", "models", "transports")
"""Public modules that are attributes of the package, as in `acp.errors.InvalidMessage`. The modules of the sides are
attributes, too.
"""

# Modules that every package has.
MODULES: Final = frozenset(
    {
        RUNTIME,
        *PASSED_ON,
        "_nodes",
        "blocking",
        "errors",
        "methods",
        "models",
        "permissions",
        "pydantic_models",
        "pytest_plugin",
        "reconnecting",
        "sessions",
        "state",
        "stores",
        "testing",
        "views",
    }
)


def side_classes(side: str) -> tuple[str, str]:
    """The names of a side's base class and of the connection that calls it."""
    base = pascal(side)
    return base, f"{base}SideConnection" if side in PEERS else f"{base}Connection"
