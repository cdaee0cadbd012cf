"""A published schema, which says nothing of gates or sessions: those come from ours, as far as they fit."""

from __future__ import annotations

import io

import pytest

from codegen.check.findings import Finding
from codegen.validate.protocol import Protocol
from codegen.validate.summary import Summary
from codegen.validate.transcripts import read_transcript

from .support import ROOT, RULES

UPSTREAM = ROOT.parent / "shared" / "upstream"
RELEASES = sorted(UPSTREAM.rglob("schema*.json")) if UPSTREAM.is_dir() else []


@pytest.mark.skipif(not RELEASES, reason="the published schemas are not here")
@pytest.mark.parametrize("rule", ["not-advertised", "session-closed", "session-unknown", "before-handshake"])
@pytest.mark.parametrize("release", RELEASES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_was_negotiated_counts_with_a_published_schema_too(release: object, rule: str) -> None:
    found: list[Finding] = []
    data = (RULES / rule / "trips.ndjson").read_bytes()
    read_transcript(io.BytesIO(data), "t", Protocol.read(release), Summary(), found.append)  # type: ignore[arg-type]
    assert rule in {finding.id for finding in found}
