"""A published schema, which says nothing of gates or sessions: those come from ours, as far as they fit."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from codegen.findings.finding import Finding
from codegen.validate.protocol import Protocol
from codegen.validate.summary import Summary
from codegen.validate.transcripts import read_transcript

from .support import ROOT, RULES

UPSTREAM = ROOT.parent / "shared" / "upstream"
published = cache(Protocol.read)
RELEASES = sorted(UPSTREAM.rglob("schema*.json")) if UPSTREAM.is_dir() else []


@pytest.mark.skipif(not RELEASES, reason="the published schemas are not here")
@pytest.mark.parametrize("rule", ["not-advertised", "session-closed", "session-unknown", "before-handshake"])
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_negotiated_counts_with_a_published_schema_too(release: Path, rule: str) -> None:
    found: list[Finding] = []
    data = (RULES / rule / "trips.ndjson").read_bytes()
    read_transcript(io.BytesIO(data), "t", published(release), Summary(), found.append)
    assert rule in {finding.id for finding in found}


@pytest.mark.skipif(not RELEASES, reason="the published schemas are not here")
@pytest.mark.parametrize(("advertised", "count"), [({}, 2), ({"image": True}, 1)], ids=str)
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_variants_inside_params_have_the_gates_that_ours_have(release: Path, advertised: Any, count: int) -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    embedded = {"type": "resource", "resource": {"uri": "file:///a", "text": ""}}
    handshake = {"protocolVersion": 1, "agentCapabilities": {"promptCapabilities": advertised}}
    lines = [
        {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}},
        {"jsonrpc": "2.0", "id": 0, "result": handshake},
        {"jsonrpc": "2.0", "id": 1, "method": "session/new", "params": {"cwd": "/", "mcpServers": []}},
        {"jsonrpc": "2.0", "id": 1, "result": {"sessionId": "s"}},
        {
            "jsonrpc": "2.0",
            "id": 2,
            "method": "session/prompt",
            "params": {"sessionId": "s", "prompt": [image, embedded]},
        },
        {"jsonrpc": "2.0", "id": 2, "result": {"stopReason": "end_turn"}},
    ]
    found: list[Finding] = []
    data = "".join(json.dumps(line) + "\n" for line in lines).encode()
    read_transcript(io.BytesIO(data), "t", published(release), Summary(), found.append)
    assert [finding.id for finding in found] == ["not-advertised"] * count
