"""A published schema, which says nothing of gates or sessions: the annotations of its version do, as far as they fit."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.findings.finding import Finding
from codegen.validate.results.summary import Summary
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol
from tests.upstream import RELEASES, release_name

from .support import RULES

published = cache(Protocol.read)
every_release = pytest.mark.parametrize("release", RELEASES, ids=release_name)

CAPABILITIES: dict[int, Callable[[Any], dict[str, Any]]] = {
    1: lambda prompt: {"agentCapabilities": {"promptCapabilities": prompt}},
    2: lambda prompt: {
        "capabilities": {"session": {"prompt": {name: {} for name, on in prompt.items() if on}}},
        "info": {"name": "a", "version": "1"},
    },
}
"""An agent's half of the handshake, by the version of the protocol."""


def findings(release: Path, data: bytes) -> list[str]:
    found: list[Finding] = []
    read_transcript(io.BytesIO(data), "t", published(release), Summary(), found.append)
    return [finding.id for finding in found]


@pytest.mark.parametrize("rule", ["not-advertised", "session-closed", "session-unknown", "before-handshake"])
@every_release
def test_what_was_negotiated_counts_with_a_published_schema_too(release: Path, rule: str) -> None:
    assert rule in findings(release, (RULES / rule / "trips.ndjson").read_bytes())


@pytest.mark.parametrize(("advertised", "count"), [({}, 2), ({"image": True}, 1)], ids=str)
@every_release
def test_variants_inside_params_have_gates(release: Path, advertised: Any, count: int) -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    embedded = {"type": "resource", "resource": {"uri": "file:///a", "text": ""}}
    version = 2 if release.parent.name == "current-v2" else 1
    info = {"info": {"name": "c", "version": "1"}} if version == 2 else {}
    prompted = {"messageId": "m"} if version == 2 else {"stopReason": "end_turn"}
    opened = {"protocolVersion": version, **CAPABILITIES[version](advertised)}
    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": version, **info}},
        {"jsonrpc": "2.0", "id": 0, "result": opened},
        {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}},
        {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s"}},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "session/prompt",
            "params": {"sessionId": "s", "prompt": [image, embedded]},
        },
        {"jsonrpc": "2.0", "id": 2, "result": prompted},
    ]
    assert findings(release, "".join(json.dumps(line) + "\n" for line in lines).encode()) == ["not-advertised"] * count
