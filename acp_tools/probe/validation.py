"""Validation of each frame of a connection. `validate` checks it; its rules are mapped to requirements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from .codegen_api import Conversation, FindingLevel, NotJson, Parsed, Protocol, Text
from .frame_log import Frame
from .json_types import is_json_object, one_object
from .keywords import keyword
from .payloads import opening
from .results import Sheet

RULES: Final = {
    "frame-not-json": "wire/json",
    "message-not-json": "wire/json",
    "key-twice": "wire/clean",
    "lone-surrogate": "wire/clean",
    "number-out-of-range": "wire/clean",
    "integer-with-fraction": "wire/clean",
    "envelope-invalid": "wire/envelope",
    "batch": "wire/one-message",
    "params-invalid": "schema/params",
    "result-invalid": "schema/result",
    "error-invalid": "schema/error",
    "method-unknown": "schema/method",
    "method-wrong-kind": "schema/method",
    "method-wrong-direction": "schema/method",
    "property-undeclared": "schema/undeclared",
    "id-reused": "wire/own-ids",
    "not-advertised": "gate/",
    "session-unknown": "order/session-known",
    "update-unopened": "order/update-begun",
    "update-reversed": "order/update-forward",
}
"""The requirement for each rule of `validate`. Cases check the remaining requirements, because they know the sent
frames.
"""

_FIRST = 200
"""Number of frames before the end of the handshake that are kept."""


def _is_of_transport(id_: str, message: str) -> bool:
    """Return whether an undeclared property is the one that a transport adds to the handshake."""
    return (
        id_ == "property-undeclared"
        and f'"{keyword("x-remote").get("property")}"' in message
        and "$.result " in message
    )


class Judge:
    """Validates one connection. The probe's frames are processed without findings. `side`: the peer's side."""

    def __init__(self, protocol: Protocol, sheet: Sheet, side: str) -> None:
        self._sheet = sheet
        self._receiver = "client" if side == "agent" else "agent"
        self._conversation, self.schema, self._opening = Conversation(protocol), protocol.schema, opening(protocol)
        self.muted = False
        """True if the peer's frames are also processed without findings."""
        self._opened = False
        self._first: dict[int, Frame] = {}

    def sent(self, frame: Frame, data: bytes, parsed: Parsed) -> None:
        """Process a message of the probe. A repeated opening request is ignored: it opens no connection."""
        if one_object(parsed.value).get("method") == self._opening.method:
            if self._opened:
                return
            self._opened = True
        for note in self._notes(frame, data, parsed):
            self._too_early(note)

    def came(self, frame: Frame, data: bytes, parsed: Parsed, about: Sequence[Frame | None] = ()) -> None:
        """Validate a message of the peer. `about`: related frames."""
        if len(self._first) < _FIRST:
            self._first[frame.number] = frame
        text = Text("frame", data, frame.number)
        ours = self._opening.version_number
        version = one_object(one_object(parsed.value).get("result")).get(self._opening.version, ours)
        self.muted |= version != ours  # a schema describes one version only
        found = [
            *text.oddities(parsed),
            *(text.finding(note) for note in self._notes(frame, data, parsed) if not self._too_early(note)),
        ]
        for finding in found:
            id_ = RULES.get(finding.id)
            if (
                self.muted
                or _is_of_transport(finding.id, finding.message)
                or id_ is None
                or finding.level < FindingLevel.warning
                or (id_ not in self._sheet.results and id_ != "gate/")
            ):
                continue
            if id_ == "gate/":
                self._gate((*about, frame), finding.message, parsed.value)
                id_ += self._receiver
            self._sheet.failed(id_, finding.message, (*about, frame), pointer=finding.pointer, path=finding.path)

    def _too_early(self, note: Any) -> bool:
        """Return whether a finding concerns a message of the peer before the handshake. It is reported after the
        handshake.
        """
        if note.rule != "before-handshake":
            return False
        frame = self._first.get(note.at.line)
        if frame is not None and not self.muted:
            self._sheet.failed("order/handshake", note.text, [frame])
        return True

    def _gate(self, frames: Sequence[Frame | None], text: str, value: Any) -> None:
        """Report an ungated call. It may also violate an RFD's requirement."""
        method = value.get("method") if is_json_object(value) else None
        id_ = f"{str(method).replace('/', '-')}/gate-checked"
        if id_ in self._sheet.results:
            self._sheet.failed(id_, text, frames)

    def broken(self, frame: Frame, error: NotJson) -> None:
        """Report a frame that is not JSON."""
        utf8 = "UTF-8" in error.problem
        self._sheet.failed("wire/utf-8" if utf8 else "wire/json", f"{error.problem} (byte {error.offset})", [frame])

    def plainly(self, frame: Frame, value: dict[str, Any]) -> None:
        """Check the fields that every response must have."""
        error = value.get("error")
        if "id" not in value:
            self._sheet.failed(
                "wire/envelope", 'the response has no "id"; use null if the request is unreadable', [frame]
            )
        if value.get("jsonrpc") != "2.0" or (error is not None) == ("result" in value):
            self._sheet.failed(
                "wire/envelope", 'the response needs "jsonrpc": "2.0" and either a result or an error', [frame]
            )
        if error is not None and not (
            is_json_object(error) and type(error.get("code")) is int and isinstance(error.get("message"), str)
        ):
            self._sheet.failed("schema/error", "the error needs an integer code and a message", [frame])

    def _notes(self, frame: Frame, data: bytes, parsed: Parsed) -> list[Any]:
        text = Text("frame", data, frame.number)
        return self._conversation.message(parsed.value, parsed, data, frame.direction, text.start)
