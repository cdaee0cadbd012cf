"""The public names of the emitted package that do not come from the schema's types."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ..model.names import pascal
from ..resources import runtime_modules

PEERS = ("agent", "client")
"""The sides of a connection; `both` stands for the two of them."""

# Public names of the hand-written modules, and of the emitted ones that do not depend on the schema.
PUBLIC: Final[Mapping[str, tuple[str, ...]]] = {
    "_base": ("UNSET", "Extensible", "Method", "Protocol", "UnknownVariant", "UnsetType"),
    "codec": ("decode", "encode", "from_dict", "to_dict"),
    "channel": ("FrameHook",),
    "connection": ("Connection", "Options"),
    "errors": ("CapabilityError", "ConnectionClosed", "QueueOverflow", "RequestError", "VersionError"),
    "methods": ("AGENT_METHODS", "CLIENT_METHODS", "METHODS", "PROTOCOL", "PROTOCOL_VERSION"),
    "peer": ("Peer",),
    "process": ("SpawnOptions",),
    "transcript": ("Transcript",),
}
PUBLIC_OF_SIDE: Final[Mapping[str, tuple[str, ...]]] = {"agent": ("run_agent",), "client": ("spawn_agent",)}

# Modules of the package: those of `codegen/runtime`, and the emitted ones that every schema makes.
MODULES: Final = frozenset(name.removesuffix(".py") for name in runtime_modules()) | {"_nodes", "methods", "models"}


def side_classes(side: str) -> tuple[str, str]:
    """What a module of stubs calls the base of a side, and the connection that calls it."""
    base = pascal(side)
    return base, f"{base}SideConnection" if side in PEERS else f"{base}Connection"
