"""The table of actions: for each, its key, the calls it makes, and the reasons why it is not possible.

No capability is named here: an action names its calls, and the connection gives the reason against one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import acp_generated as acp

from . import sandbox_extension

__all__ = ["IN_LIST", "IN_SESSION", "Action", "reason_against", "struck_through"]

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
    minor: bool = False
    """Not among the keys at the bottom, only in the help and the palette."""
    rare: bool = False
    """An extension: who talks to an agent without it shall not read of it."""


IN_LIST = (
    Action("open", "enter", "Enter", "open", ("load_session", "resume_session")),
    Action("new", "n", "n", "new", ("new_session",)),
    Action("find", "slash", "/", "find"),
    Action("sort", "s", "s", "sort"),
    Action("more", "m", "m", "more", ("list_sessions",)),
    Action("all", "M", "M", "load all", ("list_sessions",), minor=True),
    Action("refresh", "r", "r", "refresh", ("list_sessions",), minor=True),
    Action("directory", "g", "g", "directory", ("list_sessions",)),
    Action("fork", "f", "f", "fork", ("fork_session",)),
    Action("rename", "t", "t", "title", ("set_session_title",)),
    Action("close", "c", "c", "close", ("close_session",)),
    Action("terminate", "x", "x", "terminate", (sandbox_extension.CALL,), rare=True),
    Action("delete", "d", "d", "delete", ("delete_session",)),
    Action("undo", "u", "u", "undo", ("delete_session",)),
    Action("wire", "w", "w", "wire"),
    Action("copy", "y", "y", "copy its id", minor=True),
    Action("export", "e", "e", "export as Markdown", minor=True),
    Action("login", "a", "a", "log in", minor=True),
    Action("logout", "o", "o", "log out", ("logout",), minor=True),
    Action("log", "l", "l", "log"),
    Action("reconnect", "R", "R", "start the agent again", minor=True),
    Action("palette", "ctrl+p", "^P", "commands, themes", minor=True),
    Action("help", "question_mark", "?", "all keys"),
    Action("quit", "q", "q", "quit"),
)

IN_SESSION = (
    Action("send", "enter", "Enter", "send", ("prompt",)),
    Action("newline", "ctrl+j", "^J", "new line", minor=True),
    Action("cancel", "ctrl+c", "^C", "cancel turn", ("cancel",)),
    Action("read", "tab", "Tab", "read"),
    Action("mode", "f2", "F2", "mode", ("set_session_mode",)),
    Action("options", "f3", "F3", "options", ("set_session_config_option",)),
    Action("fork", "f4", "F4", "fork", ("fork_session",)),
    Action("reload", "f5", "F5", "reload", ("load_session",), minor=True),
    Action("close", "f6", "F6", "close", ("close_session",)),
    Action("delete", "f7", "F7", "delete", ("delete_session",), minor=True),
    Action("log", "f8", "F8", "log", minor=True),
    Action("wire", "f9", "F9", "wire"),
    Action("find", "ctrl+f", "^F", "find"),
    Action("export", "ctrl+s", "^S", "export", minor=True),
    Action("reconnect", "ctrl+r", "^R", "start the agent again", minor=True),
    Action("palette", "ctrl+p", "^P", "commands, themes", minor=True),
    Action("help", "f1", "F1", "all keys"),
    Action("back", "escape", "Esc", "back"),
)


def struck_through(objection: Objection, actions: Iterable[Action]) -> str:
    """What to say of the keys at the bottom that the agent does not let the user press; empty where there are none."""
    actions = tuple(actions)
    shown = [action for action in actions if not action.rare and not action.minor]
    count = sum(reason_against(objection, action) is not None for action in shown)
    keys = next(action.hint for action in actions if action.name == "help")
    return f"this agent does not offer what is struck through; {keys} says why" if count else ""


def reason_against(objection: Objection, action: Action) -> str | None:
    """Why the agent does not let the user do this; None: it does."""
    missing = [error.capability for call in action.calls if (error := objection(call))]
    if not missing or len(missing) < len(action.calls):
        return None
    return f"the agent did not advertise {' or '.join(missing)}"
