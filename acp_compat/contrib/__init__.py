"""Helpers: `tool_calls` keeps the state of tool calls, `permissions` asks for permissions, `session_state` keeps sessions."""

from .permissions import PermissionBroker, default_permission_options
from .session_state import SessionAccumulator, SessionSnapshot, ToolCallView
from .tool_calls import ToolCallTracker

__all__ = [
    "PermissionBroker",
    "SessionAccumulator",
    "SessionSnapshot",
    "ToolCallTracker",
    "ToolCallView",
    "default_permission_options",
]
