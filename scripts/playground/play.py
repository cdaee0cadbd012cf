"""The Python of the playground: texts of the page in, JSON out. It runs in Pyodide, and in any Python that has the tool."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from acp_codegen.check.command import compare_files
from acp_codegen.errors import CodegenError
from acp_codegen.findings.finding import Finding
from acp_codegen.findings.report import in_text, summary
from acp_codegen.resources import resource
from acp_codegen.validate.live import Live
from acp_codegen.validate.values.schema import Protocol

_TO_AGENT, _TO_CLIENT = "client-to-agent", "agent-to-client"
_PROTOCOL: list[Protocol] = []
"""The protocol, once it is loaded."""


def frames(transcript: str) -> str:
    """The frames of a transcript with their findings; a line is a record with `msg` and `dir`, or a message."""
    if not _PROTOCOL:
        _PROTOCOL.append(Protocol.read(resource("schema.json")))
    live, asked, found = Live(_PROTOCOL[0]), dict[str, tuple[str, str]](), list[dict[str, Any]]()
    for line in filter(str.strip, transcript.splitlines()):
        direction, text, message = _parsed(line)
        method, key = message.get("method"), json.dumps(message.get("id"))
        if isinstance(method, str):
            direction = direction or _direction(method)
            if "id" in message:
                asked[key + direction] = direction, method
            label = method
        else:
            guesses = [direction] if direction else [_TO_CLIENT, _TO_AGENT]
            request = next((asked.pop(key + _back(way), None) for way in guesses if key + _back(way) in asked), None)
            direction = direction or (_back(request[0]) if request else _TO_CLIENT)
            label = f"{'error' if 'error' in message else 'result'}{f' of {request[1]}' if request else ''}"
        findings = live.frame(direction, text.encode("utf-8", "surrogatepass"))
        found.append({"direction": direction, "label": label, "text": text, "findings": list(map(_shown, findings))})
    for late in live.end():
        if found:
            found[min(max(late.place.line, 1), len(found)) - 1]["findings"].append(_shown(late))
    return json.dumps(found)


def difference(before: str, after: str) -> str:
    """The report of `diff` on two schemas, and the number of errors; or the reason why they cannot be compared."""
    with TemporaryDirectory() as folder:
        old, new = Path(folder, "before.json"), Path(folder, "after.json")
        old.write_text(before, encoding="utf-8", errors="surrogatepass")
        new.write_text(after, encoding="utf-8", errors="surrogatepass")
        try:
            findings = compare_files(old, new).findings
        except CodegenError as error:
            return json.dumps({"text": str(error).replace(f"{folder}/", ""), "errors": -1})
        lines = [in_text(each, colour=False).replace(f"{folder}/", "") for each in findings]
        return json.dumps(
            {
                "text": "\n".join([*lines, summary(findings)]),
                "errors": sum(each.level == 2 for each in findings),  # Level.error
            }
        )


def _parsed(line: str) -> tuple[str, str, dict[str, Any]]:
    """The direction of a line, if it has one, the text of its message, and the message."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return "", line, {}
    if not isinstance(value, dict):
        return "", line, {}
    direction = value.get("dir") if value.get("dir") in (_TO_AGENT, _TO_CLIENT) else ""
    if isinstance(value.get("raw"), str):
        return str(direction), value["raw"], {}
    if isinstance(value.get("msg"), dict):
        return str(direction), json.dumps(value["msg"], ensure_ascii=False), value["msg"]
    return "", line, value


def _direction(method: str) -> str:
    rows = _PROTOCOL[0].methods.get(method, [])
    return _TO_CLIENT if rows and all(row.side == "client" for row in rows) else _TO_AGENT


def _back(direction: str) -> str:
    return _TO_CLIENT if direction == _TO_AGENT else _TO_AGENT


def _shown(finding: Finding) -> dict[str, Any]:
    return {"id": finding.id, "level": finding.level.name, "message": finding.message, "instead": finding.instead}
