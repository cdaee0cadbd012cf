"""Termination of sessions, an extension of some daemons (`_sandboxagent`), used if it is advertised.

Only this module knows its names. The extension is not sent to other agents, and is hidden from their users.
"""

from __future__ import annotations

from typing import Any

import acp_generated as acp

from .json_types import members

CALL = "terminate_session"
"""The name of the call in actions."""

_VENDOR, _FLAG = "sandboxagent", "terminate"
_TERMINATE, _ENDED = "_sandboxagent/session/terminate", "_sandboxagent/session/ended"


def objection(agent: acp.InitializeResponse) -> acp.CapabilityError | None:
    """The error that the call would raise; None if it is possible."""
    meta = (agent.agent_capabilities or acp.AgentCapabilities()).meta
    offered = members(members(meta).get(_VENDOR)).get(_FLAG)
    return None if offered is True else acp.CapabilityError(_TERMINATE, f"_meta.{_VENDOR}.{_FLAG}", "agent")


async def terminate(connection: acp.ClientSideConnection, session_id: str) -> str:
    """End a session permanently. Returns a sentence about the result."""
    answer = members(await connection.ext_request(_TERMINATE, {"sessionId": session_id}))
    if not answer.get("terminated"):
        return "it had ended already"
    return f"terminated by the {answer.get('terminatedBy', 'agent')}"


def ended(method: str, params: Any) -> tuple[str, str] | None:
    """The session whose end a notification reports, with the cause; None for other notifications."""
    told = members(params)
    if method != _ENDED or not isinstance(told.get("sessionId"), str):
        return None
    code, head = told.get("exitCode"), members(told.get("stderr")).get("head")
    how = f"{told.get('reason')}, by the {told.get('terminatedBy')}"
    text = f"the session has ended ({how}{'' if code is None else f', exit code {code}'})"
    text += f": {told['message']}" if told.get("message") else ""
    return told["sessionId"], f"{text}\n{head}" if head else text
