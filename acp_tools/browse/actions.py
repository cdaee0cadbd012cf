"""The table of actions: the key of each action, its calls, and the reason if it is unavailable.

This table names calls instead of capabilities. The connection gives the reason why a call is not possible.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import acp_generated as acp

from . import sandbox_extension

FOOTER = 5
"""Number of keys at the bottom of a screen, including the key of the help."""

_NAMED = 3
"""Maximum number of actions in a sentence."""

Objection = Callable[[str], acp.CapabilityError | None]
"""`connection.objection`: the error that a call (by Python name) would raise; None if the call is possible."""


@dataclass(frozen=True)
class Action:
    """Something the user can do on a screen."""

    name: str
    key: str
    hint: str
    """The key, as shown."""
    label: str
    calls: tuple[str, ...] = ()
    """The calls to the agent that perform it (Python names). One possible call is sufficient."""
    rank: int = 9
    """Its order among the keys at the bottom of the screen. Actions from 9 on appear only in the help and the
    palette.
    """
    rare: bool = False
    """True for an extension, which is hidden for agents without it."""


IN_LIST = (
    Action("open", "enter", "Enter", "open", ("load_session", "resume_session"), rank=1),
    Action("new", "n", "n", "new", ("new_session",), rank=2),
    Action("find", "slash", "/", "find", rank=3),
    Action("sort", "s", "s", "sort", rank=6),
    Action("more", "m", "m", "more", ("list_sessions",)),
    Action("all", "M", "M", "load all", ("list_sessions",)),
    Action("refresh", "r", "r", "refresh", ("list_sessions",)),
    Action("directory", "g", "g", "directory", ("list_sessions",)),
    Action("fork", "f", "f", "fork", ("fork_session",)),
    Action("rename", "t", "t", "title", ("set_session_title",)),
    Action("close", "c", "c", "close", ("close_session",)),
    Action("terminate", "x", "x", "terminate", (sandbox_extension.CALL,), rare=True),
    Action("delete", "d", "d", "delete", ("delete_session",), rank=5),
    Action("undo", "u", "u", "undo", ("delete_session",)),
    Action("wire", "w", "w", "frames", rank=4),
    Action("copy", "y", "y", "copy its id"),
    Action("export", "e", "e", "export as Markdown"),
    Action("login", "a", "a", "log in"),
    Action("logout", "o", "o", "log out", ("logout",)),
    Action("log", "l", "l", "log", rank=7),
    Action("reconnect", "R", "R", "start the agent again"),
    Action("palette", "ctrl+p", "^P", "commands, themes"),
    Action("help", "question_mark,f1", "?", "all keys"),
    Action("quit", "q", "q", "quit", rank=8),
)

IN_SESSION = (
    Action("send", "enter", "Enter", "send", ("prompt",), rank=2),
    Action("newline", "ctrl+j", "^J", "new line"),
    Action("cancel", "ctrl+c", "^C", "cancel turn", ("cancel",), rank=1),
    Action("read", "tab", "Tab", "read", rank=4),
    Action("mode", "f2", "F2", "mode", ("set_session_mode",), rank=6),
    Action("options", "f3", "F3", "options", ("set_session_config_option",), rank=7),
    Action("fork", "f4", "F4", "fork", ("fork_session",)),
    Action("reload", "f5", "F5", "reload", ("load_session",)),
    Action("close", "f6", "F6", "close", ("close_session",)),
    Action("delete", "f7", "F7", "delete", ("delete_session",)),
    Action("log", "f8", "F8", "log", rank=8),
    Action("wire", "f9", "F9", "frames", rank=5),
    Action("find", "ctrl+f", "^F", "find"),
    Action("export", "ctrl+s", "^S", "export"),
    Action("reconnect", "ctrl+r", "^R", "start the agent again"),
    Action("palette", "ctrl+p", "^P", "commands, themes"),
    Action("help", "f1", "?", "all keys"),
    Action("back", "escape", "Esc", "back", rank=3),
)

IN_FRAMES = (
    Action("release", "p", "p", "release", rank=0),
    Action("change", "c", "c", "change, then release", rank=0),
    Action("whole", "enter,o", "Enter", "whole frame", rank=1),
    Action("filter", "slash,f", "/", "filter", rank=2),
    Action("hold", "b", "b", "breakpoint", rank=3),
    Action("again", "S", "S", "edit, send again", rank=5),
    Action("session", "s", "s", "this session only"),
    Action("faulty", "e", "e", "findings only"),
    Action("next_fault", "E", "E", "next finding"),
    Action("partner", "r", "r", "request ↔ response"),
    Action("everything", "x", "x", "all frames"),
    Action("copy", "y", "y", "copy"),
    Action("unhold", "B", "B", "remove all breakpoints"),
)


def footer(
    actions: Sequence[Action], why_not: Callable[[Action], str | None], needs: Callable[[Action], bool]
) -> list[Action]:
    """The most relevant available actions: urgent ones first, then the others by rank. The help is last."""
    last = [action for action in actions if action.name == "help"]
    ranked = sorted(actions, key=lambda action: 0 if needs(action) else action.rank)
    possible = [a for a in ranked if (a.rank < 9 or needs(a)) and a not in last and why_not(a) is None]
    return [*possible[: FOOTER - len(last)], *last]


def not_offered(objection: Objection, actions: Iterable[Action]) -> str:
    """A sentence that lists the actions that the agent does not support; empty if it supports all."""
    missing = [a.label for a in actions if not a.rare and reason_against(objection, a) is not None]
    named = ", ".join(missing) if len(missing) <= _NAMED else f"{len(missing)} actions"
    return f"not supported by this agent: {named} (? shows the reasons)" if missing else ""


def reason_against(objection: Objection, action: Action) -> str | None:
    """The reason why the agent does not support this action; None if it does."""
    missing = [error.capability for call in action.calls if (error := objection(call))]
    if not missing or len(missing) < len(action.calls):
        return None
    return f"the agent did not advertise {' or '.join(missing)}"
