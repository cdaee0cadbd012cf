"""What can be done, on which key, and why not: rows of a table, their gates read off the method table.

Nothing in here knows a capability: an action names the calls that it makes, `acp.AGENT_METHODS` says what each needs,
and the connection what the agent advertised.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from examples import acp
from examples.acp.capabilities import is_open

__all__ = ["IN_LIST", "IN_SESSION", "Action", "closed_gates", "offers", "reason_against"]

_CALLS = {row.python_name: row for row in acp.AGENT_METHODS.values()}


@dataclass(frozen=True)
class Action:
    """Something the user can do on a screen."""

    name: str
    key: str
    hint: str
    """The key, as shown."""
    label: str
    calls: tuple[str, ...] = ()
    """The calls to the agent that do it (Python names); one that is open is enough."""


IN_LIST = (
    Action("open", "enter", "Enter", "open", ("load_session", "resume_session")),
    Action("new", "n", "n", "new", ("new_session",)),
    Action("more", "m", "m", "more", ("list_sessions",)),
    Action("refresh", "r", "r", "refresh", ("list_sessions",)),
    Action("filter", "slash", "/", "directory", ("list_sessions",)),
    Action("fork", "f", "f", "fork", ("fork_session",)),
    Action("rename", "t", "t", "title", ("set_session_title",)),
    Action("close", "c", "c", "close", ("close_session",)),
    Action("terminate", "x", "x", "terminate", ("terminate_session",)),
    Action("delete", "d", "d", "delete", ("delete_session",)),
    Action("undo", "u", "u", "undo", ("delete_session",)),
    Action("login", "a", "a", "log in"),
    Action("logout", "o", "o", "log out", ("logout",)),
    Action("log", "l", "l", "log"),
    Action("help", "question_mark", "?", "why grey"),
    Action("quit", "q", "q", "quit"),
)

IN_SESSION = (
    Action("send", "enter", "Enter", "send", ("prompt",)),
    Action("newline", "ctrl+j", "^J", "new line"),
    Action("cancel", "ctrl+c", "^C", "cancel turn", ("cancel",)),
    Action("mode", "f2", "F2", "mode", ("set_session_mode",)),
    Action("options", "f3", "F3", "options", ("set_session_config_option",)),
    Action("fork", "f4", "F4", "fork", ("fork_session",)),
    Action("reload", "f5", "F5", "reload", ("load_session",)),
    Action("close", "f6", "F6", "close", ("close_session",)),
    Action("delete", "f7", "F7", "delete", ("delete_session",)),
    Action("log", "f8", "F8", "log"),
    Action("help", "f1", "F1", "why grey"),
    Action("back", "escape", "Esc", "back"),
)


def offers(capabilities: Any, call: str) -> bool:
    """Whether an agent with these capabilities takes a call (its Python name)."""
    gate = _CALLS[call].capability
    return gate is None or is_open(acp.PROTOCOL, "agent", gate, acp.to_dict(capabilities))


def closed_gates(capabilities: Any, actions: Iterable[Action]) -> list[str]:
    """The capabilities that these actions miss, each once."""
    calls = (call for action in actions for call in action.calls if not offers(capabilities, call))
    return list(dict.fromkeys(gate for call in calls if (gate := _CALLS[call].capability)))


def reason_against(capabilities: Any, action: Action) -> str | None:
    """Why an agent with these capabilities does not let the user do this; None: it does."""
    if not action.calls or any(offers(capabilities, call) for call in action.calls):
        return None
    gates = [_CALLS[call].capability for call in action.calls]
    return f"the agent did not advertise {' or '.join(gate for gate in gates if gate)}"
