"""Termination of sessions, an addition of some daemons (`_sandboxagent`), used where it is advertised.

No other module knows its names. An agent that does not advertise it never receives it, and its user never sees it.
"""

from __future__ import annotations

from typing import Any

import acp_generated as acp

from .json_types import members

__all__ = ["CALL", "ended", "objection", "terminate"]

CALL = "terminate_session"
"""The name of the call in actions."""

_VENDOR, _FLAG = "sandboxagent", "terminate"
_TERMINATE, _ENDED = "_sandboxagent/session/terminate", "_sandboxagent/session/ended"


def objection(agent: acp.InitializeResponse) -> acp.CapabilityError | None:
    """The reason why the call is not possible."""
    meta = (agent.agent_capabilities or acp.AgentCapabilities()).meta
    offered = members(members(meta).get(_VENDOR)).get(_FLAG)
    return None if offered is True else acp.CapabilityError(_TERMINATE, f"_meta.{_VENDOR}.{_FLAG}", "agent")


async def terminate(connection: acp.ClientSideConnection, session_id: str) -> str:
    """End a session for good; a sentence that says how that went."""
    answer = members(await connection.ext_request(_TERMINATE, {"sessionId": session_id}))
    if not answer.get("terminated"):
        return "it had ended already"
    return f"terminated by the {answer.get('terminatedBy', 'agent')}"


def ended(method: str, params: Any) -> tuple[str, str] | None:
    """The session whose end a notification tells, and how it came; None: it is another notification."""
    told = members(params)
    if method != _ENDED or not isinstance(told.get("sessionId"), str):
        return None
    code, head = told.get("exitCode"), members(told.get("stderr")).get("head")
    how = f"{told.get('reason')}, by the {told.get('terminatedBy')}"
    text = f"the session has ended ({how}{'' if code is None else f', exit code {code}'})"
    text += f": {told['message']}" if told.get("message") else ""
    return told["sessionId"], f"{text}\n{head}" if head else text
