"""Helpers of agents: `tool_calls` keeps the state of tool calls, `permissions` asks for permissions."""

from .permissions import PermissionBroker, default_permission_options
from .tool_calls import ToolCallTracker

__all__ = ["PermissionBroker", "ToolCallTracker", "default_permission_options"]
