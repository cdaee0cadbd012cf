"""Messages of a conversation: requests of the probe with their responses, and messages of the peer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from .frame_log import Frame
from .json_types import is_json_object, one_object


class Answer(Struct):
    """The outcome of a request: its frame and the frame of its response, or None without one."""

    request: Frame | None
    frame: Frame | None = None
    value: Any = None
    came: int = 0
    """The number of messages received so far, including the response."""
    id: Any = None
    late: bool = False
    """True for a turn that was cancelled because it took too long."""
    ending: Mapping[str, str] | None = None
    """The constants of the update that ends the turn. The response then only accepts the prompt."""
    session: Any = None
    accepted: Frame | None = None
    """The response that accepts a prompt whose turn ends later."""
    end: Message | None = None
    """The update that ended the turn."""

    @property
    def frames(self) -> tuple[Frame | None, ...]:
        """The frames of the request and its response."""
        return (self.request, self.accepted, self.frame)

    @property
    def ok(self) -> bool:
        """True if the response is a result."""
        return is_json_object(self.value) and "result" in self.value and self.value.get("error") is None

    @property
    def result(self) -> dict[str, Any]:
        """The result; empty if there is none."""
        return one_object(self.value.get("result")) if self.ok else {}

    @property
    def error(self) -> dict[str, Any]:
        """The error; empty if there is none."""
        return one_object(one_object(self.value).get("error"))

    @property
    def code(self) -> int | None:
        """The error code; None if there is no error."""
        code = self.error.get("code")
        return code if isinstance(code, int) else None

    @property
    def told(self) -> str:
        """Describe the outcome with a verb, to follow the name of the request."""
        if self.frame is None:
            return "got no response"
        if self.ok:
            return "succeeded"
        return f"failed with error {self.code} {json.dumps(self.error.get('message'), ensure_ascii=False)[:120]}"


class Message(Struct):
    """A request or notification of the peer. `place`: the number of messages before it."""

    frame: Frame
    value: dict[str, Any]
    place: int

    @property
    def method(self) -> str:
        """The method."""
        return str(self.value.get("method"))

    @property
    def params(self) -> dict[str, Any]:
        """The params; empty if they are not an object."""
        return one_object(self.value.get("params"))

    @property
    def session(self) -> str:
        """The id of the session that it names."""
        return str(self.params.get("sessionId"))

    @property
    def update(self) -> dict[str, Any]:
        """The update of a session; empty if it has none."""
        return one_object(self.params.get("update"))

    @property
    def kind(self) -> str:
        """The tag of the update."""
        return str(self.update.get("sessionUpdate"))

    def ends(self, ending: Mapping[str, str]) -> bool:
        """Return whether its update has the constants that end a turn."""
        return all(self.update.get(name) == value for name, value in ending.items())

    @property
    def text(self) -> str:
        """The text of the update; empty if there is none."""
        return str(one_object(self.update.get("content")).get("text", ""))
