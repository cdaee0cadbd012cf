"""The state of a session, from its updates."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

_LISTS: Mapping[str, str] = {
    "user_message_chunk": "user_messages",
    "agent_message_chunk": "agent_messages",
    "agent_thought_chunk": "agent_thoughts",
}
"""The updates that are appended to a list, and the list."""
_VALUES: Mapping[str, tuple[str, str]] = {
    "plan": ("plan_entries", "entries"),
    "available_commands_update": ("available_commands", "available_commands"),
    "current_mode_update": ("current_mode_id", "current_mode_id"),
}
"""The updates that replace a value: the value and their property."""


class SessionNotificationMismatchError(ValueError):
    """An update of another session than the one whose state is kept."""


class SessionSnapshotUnavailableError(RuntimeError):
    """There is no state before the first update."""


class ToolCallView(BaseModel):
    """A tool call."""

    model_config = ConfigDict(frozen=True)
    tool_call_id: str
    title: str | None = None
    kind: str | None = None
    status: str | None = None
    content: tuple[Any, ...] | None = None
    locations: tuple[Any, ...] | None = None
    raw_input: Any = None
    raw_output: Any = None


class SessionSnapshot(BaseModel):
    """The state of a session at one time."""

    model_config = ConfigDict(frozen=True)
    session_id: str
    tool_calls: dict[str, ToolCallView] = {}
    plan_entries: tuple[Any, ...] = ()
    current_mode_id: str | None = None
    available_commands: tuple[Any, ...] = ()
    user_messages: tuple[Any, ...] = ()
    agent_messages: tuple[Any, ...] = ()
    agent_thoughts: tuple[Any, ...] = ()


class SessionAccumulator:
    """Keeps the state of a session. With ``auto_reset_on_session_change``, an update of another session begins anew;
    otherwise it raises SessionNotificationMismatchError.
    """

    def __init__(self, *, auto_reset_on_session_change: bool = True) -> None:
        self._resets = auto_reset_on_session_change
        self._state: SessionSnapshot | None = None
        self._callbacks: list[Callable[[SessionSnapshot, Any], None]] = []

    def reset(self) -> None:
        """Forget the state."""
        self._state = None

    def subscribe(self, callback: Callable[[SessionSnapshot, Any], None]) -> Callable[[], None]:
        """Call a function with the state and the notification after each update. The result ends that."""
        self._callbacks.append(callback)
        return lambda: self._callbacks.remove(callback) if callback in self._callbacks else None

    def apply(self, notification: Any) -> SessionSnapshot:
        """Apply an update; the new state."""
        session, update = notification.session_id, notification.update.model_copy(deep=True)
        state = self._state or SessionSnapshot(session_id=session)
        if state.session_id != session:
            if not self._resets:
                raise SessionNotificationMismatchError(f"the state is of session {state.session_id}, not {session}")
            state = SessionSnapshot(session_id=session)
        self._state = state.model_copy(update=_change(state, update))
        snapshot = self.snapshot()
        for callback in list(self._callbacks):
            callback(snapshot, notification)
        return snapshot

    def snapshot(self) -> SessionSnapshot:
        """A copy of the state. Raises SessionSnapshotUnavailableError before the first update."""
        if self._state is None:
            raise SessionSnapshotUnavailableError("no update has been applied")
        return self._state.model_copy(deep=True)


def _change(state: SessionSnapshot, update: Any) -> dict[str, Any]:
    """What an update changes in a state."""
    kind: str = update.session_update
    if (name := _LISTS.get(kind)) is not None:
        return {name: (*getattr(state, name), update)}
    if kind in _VALUES:
        name, source = _VALUES[kind]
        value = getattr(update, source)
        return {name: tuple(value) if isinstance(value, list) else value}  # pyright: ignore[reportUnknownArgumentType]
    if kind in ("tool_call", "tool_call_update"):
        id_: str = update.tool_call_id
        known = state.tool_calls.get(id_) if kind == "tool_call_update" else None
        given = {name: value for name in ToolCallView.model_fields if (value := getattr(update, name)) is not None}
        kept = {} if known is None else {name: getattr(known, name) for name in ToolCallView.model_fields}
        return {"tool_calls": {**state.tool_calls, id_: ToolCallView(**{**kept, **given})}}
    return {}
