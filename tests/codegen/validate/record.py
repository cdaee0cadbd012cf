"""Transcripts for tests, written message by message, and what `validate` finds in them with the extension that ends sessions."""

from __future__ import annotations

import io
import json
from functools import cache
from typing import Any

from codegen.validate.results.summary import Summary
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol

from .support import ROOT

EXTENSION = ROOT / "examples" / "extensions" / "sandboxagent.json"
CAPABILITIES = {
    "sessionCapabilities": {"list": {}, "delete": {}, "close": {}, "resume": {}, "fork": {}},
    "loadSession": True,
    "_meta": {"sandboxagent": {"terminate": True}},
}


class Record:
    """A transcript, written message by message."""

    def __init__(self, capabilities: Any = CAPABILITIES, *, opened: bool = True) -> None:
        self.lines: list[str] = []
        self.count = 0
        if opened:
            self.open(capabilities)

    def open(self, capabilities: Any = CAPABILITIES) -> None:
        self.call("initialize", {"protocolVersion": 1}, {"protocolVersion": 1, "agentCapabilities": capabilities})

    def reopen(self) -> None:
        """A second connection: its clock begins again."""
        self.lines = [line.replace('"t": 0,', '"t": 0.5,') for line in self.lines]
        self.open()

    def ask(self, method: str, params: Any) -> int:
        self.count += 1
        self._line("client-to-agent", id=self.count, method=method, params=params)
        return self.count

    def answer(self, id_: int, result: Any) -> None:
        self._line("agent-to-client", id=id_, result=result)

    def call(self, method: str, params: Any, result: Any) -> None:
        self.answer(self.ask(method, params), result)

    def new(self, *sessions: str) -> None:
        for name in sessions:
            self.call("session/new", {"cwd": "/srv", "mcpServers": []}, {"sessionId": name})

    def listed(self, params: Any, *sessions: str, then: str | None = None) -> None:
        entries = [{"sessionId": name, "cwd": "/srv"} for name in sessions]
        self.call("session/list", params, {"sessions": entries, **({"nextCursor": then} if then else {})})

    def update(self, session: str) -> None:
        said = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "Hi"}}
        self.tell("session/update", {"sessionId": session, "update": said})

    def tell(self, method: str, params: Any) -> None:
        self._line("agent-to-client", method=method, params=params)

    def ended(self, session: str) -> None:
        params = {"sessionId": session, "reason": "terminated", "terminatedBy": "daemon"}
        self.tell("_sandboxagent/session/ended", params)

    def _line(self, direction: str, **message: Any) -> None:
        self.lines.append(json.dumps({"t": 0, "dir": direction, "msg": {"jsonrpc": "2.0", **message}}))

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


@cache
def extended() -> Protocol:
    return Protocol.read(ROOT / "schema.json", [EXTENSION])


def found(record: Record) -> list[tuple[str, int]]:
    """The rules of what is found with the extension, and the lines."""
    findings: list[Any] = []
    read_transcript(io.BytesIO(record.text.encode()), "t.ndjson", extended(), Summary(), findings.append)
    return [(each.id, each.place.line) for each in findings]
