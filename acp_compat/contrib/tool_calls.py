"""State of tool calls by the program's own ids."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from .. import schema
from ..helpers import text_block, tool_content  # type: ignore[attr-defined]

_models: dict[str, Any] = vars(schema)


class ToolCallTracker:
    """Keeps each tool call, and makes the updates that report its changes."""

    def __init__(self, *, id_factory: Callable[[], str] | None = None) -> None:
        self._make_id = id_factory or (lambda: uuid.uuid4().hex)
        self._calls: dict[str, Any] = {}
        self._texts: dict[str, str] = {}

    def start(self, external_id: str, *, title: str, **fields: Any) -> Any:
        """Begin a tool call; the update that reports it."""
        self._calls[external_id] = _models["ToolCall"](tool_call_id=self._make_id(), title=title, **fields)
        self._texts.pop(external_id, None)
        return self._calls[external_id].model_copy(deep=True)

    def progress(self, external_id: str, **fields: Any) -> Any:
        """Change a tool call; the update that reports the change. Raises KeyError for an unknown one."""
        call = self._calls[external_id]
        known = {name: value for name, value in fields.items() if value is not None}
        self._calls[external_id] = call.model_copy(update=known)
        return _models["ToolCallProgress"](tool_call_id=call.tool_call_id, **known)

    def append_stream_text(self, external_id: str, text: str, **fields: Any) -> Any:
        """Add to the text of a tool call; the update has the whole text."""
        self._texts[external_id] = self._texts.get(external_id, "") + text
        return self.progress(external_id, content=[tool_content(text_block(self._texts[external_id]))], **fields)

    def forget(self, external_id: str) -> None:
        """Drop a tool call."""
        self._calls.pop(external_id, None)
        self._texts.pop(external_id, None)

    def view(self, external_id: str) -> Any:
        """A copy of a tool call. Raises KeyError for an unknown one."""
        return self._calls[external_id].model_copy(deep=True)

    def tool_call_model(self, external_id: str) -> Any:
        """A tool call as a permission request has it."""
        kind = _models["ToolCallUpdate"]
        call = self._calls[external_id]
        return kind(**{name: getattr(call, name) for name in kind.model_fields if hasattr(call, name)})
