"""The names of all methods, by the SDK's keys."""

from acp_generated.methods import METHODS, PROTOCOL

import acp_generated as acp


def _keys(side: str) -> dict[str, str]:
    return {row.method.replace("/", "_"): row.method for row in METHODS.values() if row.side == side}


AGENT_METHODS = _keys("agent")
CLIENT_METHODS = _keys("client")
PROTOCOL_VERSION: int = acp.PROTOCOL_VERSION if hasattr(acp, "PROTOCOL_VERSION") else PROTOCOL.handshake.version_number
