"""The public names of the emitted package that do not come from the schema's types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.names import pascal

PEERS = ("agent", "client")
"""The sides of a connection; `both` stands for the two of them."""
OPPOSITE: Final[Mapping[str, str]] = dict(zip(PEERS, reversed(PEERS), strict=True))
"""Each side of a connection to the other one."""

# Public names of the hand-written modules, and of the emitted ones that do not depend on the schema.
PUBLIC: Final[Mapping[str, tuple[str, ...]]] = {
    "_runtime._base": ("UNSET", "Extensible", "Method", "Protocol", "UnknownVariant", "UnsetType", "given"),
    "_runtime.codec": ("decode", "encode", "from_dict", "to_dict"),
    "_runtime.between": ("process_wire", "stdio_wire"),
    "_runtime.channel": ("FrameHook",),
    "_runtime.connection": ("Connection", "Options"),
    "_runtime.dial": ("ConnectOptions", "DialOptions", "dial"),
    "_runtime.doors": ("Caller", "bearer"),
    "_runtime.endpoint": ("Endpoint", "Visit"),
    "_runtime.errors": (
        "CallLost",
        "CapabilityError",
        "ConnectionClosed",
        "FrameTooLong",
        "InvalidMessage",
        "InvalidResponse",
        "QueueOverflow",
        "SessionLost",
        "VersionError",
    ),
    "errors": ("RequestError",),
    "_runtime.hosting": ("HostOptions", "ServeOptions", "serve_endpoint"),
    "_runtime.lasting": ("Lasting",),
    "_runtime.lines": ("LineWire", "pump"),
    "_runtime.meta": ("meta",),
    "methods": ("AGENT_METHODS", "CLIENT_METHODS", "METHODS", "PROTOCOL", "PROTOCOL_VERSION"),
    "_runtime.peer": ("Peer",),
    "_runtime.process": ("SpawnOptions",),
    "_runtime.requirements": ("requirements",),
    "_runtime.transcript": ("Transcript",),
    "_runtime.undeclared": ("undeclared",),
    "_runtime.wire": ("Wire",),
}
PUBLIC_OF_STATE: Final = ("StateChange", "Streamed")
"""What a package whose schema says how updates change a session has beside the class of the state."""
PUBLIC_OF_BOTH: Final[Mapping[str, tuple[str, ...]]] = {
    "reconnecting": ("ReconnectingAgent",),
    "_runtime.reconnecting": ("Reconnected",),
}
"""What a package for both sides of a connection has beside them."""
PUBLIC_OF_SIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "agent": ("asgi", "run_agent", "serve"),
    "client": ("connect", "spawn_agent"),
}

RUNTIME: Final = "_runtime"
"""The package's folder for the modules of `codegen/runtime`, which are the same bytes for every schema."""

TESTING: Final = frozenset(
    {"testing.py", "pytest_plugin.py", *(f"{RUNTIME}/{name}.py" for name in ("strategies", "testing"))}
)
"""The modules for tests, which nothing else in a package imports: `vendor --no-testing` leaves them out."""

# Runtime modules that users import by name: a module of the package re-exports their public names.
PASSED_ON: Final = ("codec", "connection", "jsonrpc")

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
        "pytest_plugin",
        "reconnecting",
        "state",
        "testing",
    }
)


def side_classes(side: str) -> tuple[str, str]:
    """The names of a side's base class and of the connection that calls it."""
    base = pascal(side)
    return base, f"{base}SideConnection" if side in PEERS else f"{base}Connection"
