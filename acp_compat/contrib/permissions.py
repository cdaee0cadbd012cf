"""Permission requests for tracked tool calls."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from .. import schema
from ..helpers import text_block, tool_content  # type: ignore[attr-defined]
from .tool_calls import ToolCallTracker

_models: dict[str, Any] = vars(schema)
_OPTIONS = (
    ("approve", "Approve", "allow_once"),
    ("approve_for_session", "Approve for session", "allow_always"),
    ("reject", "Reject", "reject_once"),
)


def default_permission_options() -> tuple[Any, ...]:
    """The options to approve once, to approve for the session, and to reject."""
    make = _models["PermissionOption"]
    return tuple(make(option_id=each, name=name, kind=kind) for each, name, kind in _OPTIONS)


class PermissionBroker:
    """Asks for permissions in one session."""

    def __init__(
        self,
        session_id: str,
        requester: Callable[[Any], Awaitable[Any]],
        *,
        tracker: ToolCallTracker | None = None,
        default_options: Sequence[Any] | None = None,
    ) -> None:
        self._session_id = session_id
        self._requester = requester
        self._tracker = tracker
        self._options = [*(default_options or default_permission_options())]

    async def request_for(
        self,
        external_id: str,
        *,
        description: str | None = None,
        options: Sequence[Any] | None = None,
        content: Sequence[Any] | None = None,
        tool_call: Any = None,
    ) -> Any:
        """Ask for one tool call. Raises ValueError without a tool call."""
        if tool_call is None and self._tracker is None:
            raise ValueError("pass tool_call, or create the broker with a tracker")
        call = (
            tool_call if self._tracker is None or tool_call is not None else self._tracker.tool_call_model(external_id)
        )
        parts = [*(content if content is not None else call.content or ())]
        parts += [tool_content(text_block(description))] if description else []
        request = _models["RequestPermissionRequest"](
            session_id=self._session_id,
            tool_call=call.model_copy(update={"content": parts or None}),
            options=[*(options or self._options)],
        )
        return await self._requester(request)
