"""The sessions of a connection, built from live or recorded frames with the same result.

Invariants: a frame changes only its own session, and an unreadable frame changes nothing. A session that is being
loaded starts empty, and is restored if loading fails.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

import acp_generated as acp

from .. import sandbox_extension
from ..json_types import members
from .frames import CLIENT_TO_AGENT, Frame
from .session import Session

_STRANGERS = 1_000
"""Maximum number of sessions with updates that were not opened here."""


class Story:
    """The state of all sessions."""

    def __init__(self) -> None:
        self.sessions: dict[str, Session] = {}
        """The states of sessions that received updates, open or not."""
        self.open: set[str] = set()
        """Sessions that are open."""
        self.about: Callable[[str], tuple[str, str]] = lambda _: ("", "")
        """Returns the directory and title of a session, from the list."""
        self._asked: dict[Frame, Any] = {}
        """The params of pending requests."""
        self._before: dict[Frame, Session | None] = {}
        """The previous state of each session that is being loaded."""

    def session(self, session_id: str) -> Session:
        """Return the session with this id, and create its record if necessary."""
        if session_id not in self.sessions:
            strangers = [known for known in self.sessions if known not in self.open]
            for stranger in strangers[: max(len(strangers) - _STRANGERS, 0)]:
                del self.sessions[stranger]
            self.sessions[session_id] = Session(session_id, *self.about(session_id))
        return self.sessions[session_id]

    def over(self) -> None:
        """Record the end of the connection: no session is open any more."""
        self.open.clear()
        self._asked.clear()
        self._before.clear()
        for session in self.sessions.values():
            session.end_turn()

    def take(self, frame: Frame, value: Any) -> None:
        """Process a frame."""
        if frame.is_answer:
            self._answered(frame, value)
        elif frame.kind == "request":
            self._called(frame, value)
        elif frame.kind == "notification":
            self._told(frame, value)

    # Calls

    def _called(self, frame: Frame, value: Any) -> None:
        params = _read(frame, "params", value.get("params"))
        if params is None:
            return
        self._asked[frame] = params
        match params:
            case acp.LoadSessionRequest():
                self._before[frame] = self.sessions.pop(params.session_id, None)
                self.session(params.session_id).cwd = params.cwd
            case acp.PromptRequest():
                session = self.session(params.session_id)
                session.running = True
                session.take(params, frame.number)
            case acp.RequestPermissionRequest():
                self.session(params.session_id).take(params, frame.number)
            case _:
                pass

    def _told(self, frame: Frame, value: Any) -> None:
        if (end := sandbox_extension.ended(frame.method, value.get("params"))) is not None:
            self.session(end[0]).note(end[1], "warning", frame.number)
            self.open.discard(end[0])
            return
        match _read(frame, "params", value.get("params")):
            case acp.SessionNotification(session_id=session_id, update=update):
                self.session(session_id).take(update, frame.number)
            case acp.CancelNotification(session_id=session_id):
                session = self.session(session_id)
                session.cancelling = session.running
            case _:
                pass

    # Answers

    def _answered(self, frame: Frame, value: Any) -> None:
        asked = frame.partner
        params = None if asked is None else self._asked.pop(asked, None)
        if asked is None or params is None:
            return
        result = None if frame.kind == "refusal" else _read(frame, "result", value.get("result"))
        went_well = frame.kind == "answer"
        match params:
            case acp.NewSessionRequest() | acp.ForkSessionRequest() if result is not None:
                self._opened(result.session_id, params.cwd, result, frame)
            case acp.LoadSessionRequest() | acp.ResumeSessionRequest():
                before = self._before.pop(asked, None)
                if went_well and result is not None:
                    self._opened(params.session_id, params.cwd, result, frame)
                elif isinstance(params, acp.LoadSessionRequest):
                    self.sessions.pop(params.session_id, None)
                    if before is not None:
                        self.sessions[params.session_id] = before
            case acp.PromptRequest():
                session = self.session(params.session_id)
                if result is not None:
                    session.take(result, frame.number)
                self._turn_ended(session, result, value, frame)
            case acp.SetSessionModeRequest() if went_well:
                self.session(params.session_id).take(params, frame.number)
            case acp.SetSessionConfigOptionRequestBoolean() | acp.SetSessionConfigOptionRequestValueId() if result:
                self.session(params.session_id).take(result, frame.number)
            case acp.CloseSessionRequest() if went_well:
                self.open.discard(params.session_id)
            case acp.DeleteSessionRequest() if went_well:
                self.forget(params.session_id)
            case acp.RequestPermissionRequest() if result is not None:
                self._permitted(params, result, asked, frame)
            case _:
                pass

    def forget(self, session_id: str) -> None:
        """Remove a deleted session."""
        self.open.discard(session_id)
        self.sessions.pop(session_id, None)

    def _opened(self, session_id: str, cwd: str, result: Any, frame: Frame) -> None:
        session = self.session(session_id)
        session.cwd = cwd
        session.take(result, frame.number)
        self.open.add(session_id)

    def _turn_ended(self, session: Session, result: Any, value: Any, frame: Frame) -> None:
        cancelled = session.cancelling
        session.end_turn()
        if frame.kind == "refusal":
            session.note(f"the turn failed: {_reason(value.get('error'))}", "error", frame.number)
        elif result is None:
            session.note("the turn ended with an invalid result", "error", frame.number)
        elif result.stop_reason != "end_turn":
            session.note(f"the turn ended: {str(result.stop_reason).replace('_', ' ')}", "warning", frame.number)
        elif cancelled:
            session.note("the turn was cancelled, but did not end as cancelled", "warning", frame.number)

    def _permitted(self, params: acp.RequestPermissionRequest, result: Any, asked: Frame, frame: Frame) -> None:
        chosen = getattr(result.outcome, "option_id", None)
        named = next((option.name for option in params.options if option.option_id == chosen), chosen or "cancelled")
        session = self.session(params.session_id)
        known = session.tool_call(params.tool_call.tool_call_id)
        title = params.tool_call.title or (known.title if known else "") or params.tool_call.tool_call_id
        session.note(f"permission for {title}: {named}", "info", asked.number, frame.number)


def _read(frame: Frame, part: str, value: Any) -> Any:
    """The typed params or result of a frame; None if the method is unknown or they are invalid."""
    asked = frame.partner.direction if part == "result" and frame.partner else frame.direction
    side = "agent" if asked == CLIENT_TO_AGENT else "client"
    kind = "notification" if frame.kind == "notification" else "request"
    row = acp.methods.METHODS.get((side, frame.method, kind))
    wanted = None if row is None else getattr(row, part)
    if wanted is None:
        return None
    try:
        return acp.from_dict(wanted, {} if value is None else value, lenient_enums=True)
    except (msgspec.ValidationError, RecursionError, ValueError):
        return None


def _reason(error: Any) -> str:
    """The message of an error, with the reason that many agents add in the data."""
    known = members(error)
    if not known:
        return "an invalid error"
    data = known.get("data")
    more = [data, *(members(data).get(name) for name in ("reason", "details", "message"))]
    told = next((f": {each}" for each in more if isinstance(each, str)), "")
    return f"{known.get('message')}{told} ({known.get('code')})"
