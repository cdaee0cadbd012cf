"""What can be done, on which key, and why not: rows of a table.

Nothing in here knows a capability: an action names the calls that it makes, and the connection says what is against one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from examples import acp

__all__ = ["IN_LIST", "IN_SESSION", "Action", "closed_gates", "reason_against"]

Objection = Callable[[str], acp.CapabilityError | None]
"""`connection.objection`: what is against a call, by its Python name."""


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


def closed_gates(objection: Objection, actions: Iterable[Action]) -> list[str]:
    """The capabilities that these actions miss, each once."""
    against = (objection(call) for action in actions for call in action.calls)
    return list(dict.fromkeys(error.capability for error in against if error))


def reason_against(objection: Objection, action: Action) -> str | None:
    """Why the agent does not let the user do this; None: it does."""
    missing = [error.capability for call in action.calls if (error := objection(call))]
    if not missing or len(missing) < len(action.calls):
        return None
    return f"the agent did not advertise {' or '.join(missing)}"
