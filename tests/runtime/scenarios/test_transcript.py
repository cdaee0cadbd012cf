"""The frame hook, and the transcript that it writes."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from peers import connected, wired_agent

from generated import Agent, Client
from generated._runtime.connection.telemetry import Transcript


async def test_the_hook_sees_every_frame_in_both_directions() -> None:
    frames: list[tuple[str, Any]] = []

    def hook(direction: str, frame: bytes) -> None:
        frames.append((direction, json.loads(frame)))

    async with connected(Agent(), Client(), on_frame=hook) as connection:
        await connection.cancel(session_id="s")
    seen = [(direction, frame.get("method")) for direction, frame in frames]
    assert seen == [
        ("client-to-agent", "initialize"),
        ("agent-to-client", None),
        ("client-to-agent", "session/cancel"),
    ]


async def test_a_hook_that_fails_does_not_harm_the_connection() -> None:
    def hook(direction: str, frame: bytes) -> None:
        raise RuntimeError("full")

    async with connected(Agent(), Client(), on_frame=hook) as connection:
        assert connection.protocol_version == 1


async def test_a_transcript_keeps_frames_as_they_were(tmp_path: Path) -> None:
    path = tmp_path / "transcript.jsonl"
    with Transcript(path) as transcript:
        async with wired_agent(Agent(), opened=False, on_frame=transcript) as wire:
            await wire.send(b"no json \xff", b'{"jsonrpc": "2.0", "method": "_x", "params": ["\\ud83d", 1.0]}')
            await wire.receive()
            await wire.open()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    received = [line for line in lines if line["dir"] == "client-to-agent"]
    assert received[0]["raw"] == "no json \ufffd"
    assert received[1]["msg"]["params"] == ["\ufffd", 1.0]
    assert {line["dir"] for line in lines} == {"client-to-agent", "agent-to-client"}
    assert [line["t"] for line in lines] == sorted(line["t"] for line in lines)
    assert len(lines) == 5


def test_a_transcript_leaves_a_file_open_that_it_did_not_open() -> None:
    file = io.BytesIO()
    with Transcript(file) as transcript:
        transcript("client-to-agent", b"{}")
    assert json.loads(file.getvalue()) == {"t": 0, "dir": "client-to-agent", "msg": {}}
