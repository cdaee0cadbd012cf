"""How fast `validate` reads a long transcript, against `jsonschema` with the full schema, and whether its memory stays flat.

Run: python benchmarks/validate.py [MESSAGES]   (1,000,000 unless told otherwise; the transcript goes to a temporary folder)

`jsonschema` judges a sample of the messages, because it would take most of an hour for all; the sample is taken in slices
between slices of ours, and all seconds are the processor's, so that whatever else the machine does counts for neither.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from benchmarks.model import Probe, Row, Setting, Target  # noqa: E402

SAMPLE = 400
SLICES = 8


def conversation(messages: int, seed: int = 5) -> Iterator[bytes]:
    """The lines of a transcript: sessions with prompts, answered in chunks, plans, tool calls, questions to the client."""
    chance = random.Random(seed)
    clock = 0.0
    ids = iter(range(10**9))

    def line(direction: str, **message: Any) -> bytes:
        nonlocal clock
        clock += chance.random() / 100
        frame = {"t": round(clock, 6), "dir": direction, "msg": {"jsonrpc": "2.0", **message}}
        return json.dumps(frame, separators=(",", ":")).encode() + b"\n"

    def ask(direction: str, method: str, params: Any, result: Any) -> Iterator[bytes]:
        id_ = next(ids)
        back = "agent-to-client" if direction == "client-to-agent" else "client-to-agent"
        yield line(direction, id=id_, method=method, params=params)
        yield line(back, id=id_, result=result)

    def words(count: int) -> str:
        return " ".join(chance.choice(("the", "file", "déjà", "return", "x = 1\n", "test")) for _ in range(count))

    def update(session: str, tag: str, **more: Any) -> bytes:
        params = {"sessionId": session, "update": {"sessionUpdate": tag, **more}}
        return line("agent-to-client", method="session/update", params=params)

    def turn(session: str) -> Iterator[bytes]:
        id_ = next(ids)
        prompt = [{"type": "text", "text": words(12)}]
        yield line("client-to-agent", id=id_, method="session/prompt", params={"sessionId": session, "prompt": prompt})
        entries = [{"content": words(4), "priority": "high", "status": "pending"} for _ in range(3)]
        yield update(session, "plan", entries=entries)
        for number in range(chance.randint(2, 5)):
            for _ in range(chance.randint(5, 20)):
                chunk = {"type": "text", "text": words(chance.randint(1, 8))}
                yield update(session, chance.choice(("agent_message_chunk", "agent_thought_chunk")), content=chunk)
            call = f"call_{id_}_{number}"
            raw = {"path": "/srv/app/main.py", "limit": 20}
            yield update(session, "tool_call", toolCallId=call, title=words(3), kind="read", rawInput=raw)
            path = {"sessionId": session, "path": "/srv/app/main.py"}
            yield from ask("agent-to-client", "fs/read_text_file", path, {"content": words(60)})
            diff = [{"type": "diff", "path": "/srv/app/main.py", "oldText": words(5), "newText": words(6)}]
            yield update(session, "tool_call_update", toolCallId=call, status="completed", content=diff)
        yield line("agent-to-client", id=id_, result={"stopReason": "end_turn"})

    def everything() -> Iterator[bytes]:
        able = {"fs": {"readTextFile": True, "writeTextFile": True}}
        ours = {"protocolVersion": 1, "clientCapabilities": able}
        theirs = {"protocolVersion": 1, "agentCapabilities": {"sessionCapabilities": {"close": {}}}}
        yield from ask("client-to-agent", "initialize", ours, theirs)
        number = 0
        while True:
            number += 1
            session = f"sess_{number}"
            opening = {"cwd": "/srv/app", "mcpServers": []}
            yield from ask("client-to-agent", "session/new", opening, {"sessionId": session})
            for _ in range(5):
                yield from turn(session)
            yield from ask("client-to-agent", "session/close", {"sessionId": session}, {})

    for _, text in zip(range(messages), everything(), strict=False):
        yield text


def write(path: Path, messages: int) -> None:
    """Write a transcript."""
    with open(path, "wb") as file:
        file.writelines(conversation(messages))


def run(path: Path) -> tuple[float, float]:
    """Seconds of the processor, and megabytes at the peak, of one run of the command over a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "codegen", "validate", str(path)], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    _, _, used = os.wait4(process.pid, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def compared(path: Path) -> tuple[float, float]:
    """Seconds a message, ours (the whole command on a slice, its start aside) and those of `jsonschema`."""
    from codegen.validate.results.summary import Summary  # noqa: PLC0415
    from codegen.validate.sources.transcripts import read_transcript  # noqa: PLC0415
    from codegen.validate.values.schema import Protocol  # noqa: PLC0415

    published = subprocess.run([sys.executable, "-m", "codegen", "schema"], cwd=ROOT, capture_output=True, check=True)
    full = jsonschema.Draft202012Validator(json.loads(published.stdout))
    protocol = Protocol.read(ROOT / "schema.json")
    with open(path, "rb") as file:
        lines = list(islice(file, 20_000))
    chosen = random.Random(1).sample(lines, min(SAMPLE, len(lines)))
    ours = theirs = 0.0
    part = path.with_name("slice.ndjson")
    part.write_bytes(b"".join(lines))
    for index in range(SLICES):
        with open(part, "rb") as file:
            start = time.process_time()
            read_transcript(file, "slice", protocol, Summary(), lambda _: None)
            ours += time.process_time() - start
        sample = [json.loads(text)["msg"] for text in chosen[index::SLICES]]
        start = time.process_time()
        for message in sample:
            full.is_valid(message)
        theirs += time.process_time() - start
    return ours / (SLICES * len(lines)), theirs / len(chosen)


_LINES = 4_000
_FEW = 40


def _ours(setting: Setting) -> Probe:
    from codegen.validate.results.summary import Summary  # noqa: PLC0415
    from codegen.validate.sources.transcripts import read_transcript  # noqa: PLC0415
    from codegen.validate.values.schema import Protocol  # noqa: PLC0415

    protocol = Protocol.read(setting.root / "schema.json")
    part = setting.scratch / "slice.ndjson"
    write(part, _LINES)

    def probe() -> float:
        with open(part, "rb") as file:
            start = time.process_time()
            read_transcript(file, "slice", protocol, Summary(), lambda _: None)
            return (time.process_time() - start) / _LINES

    return probe


def _jsonschema(setting: Setting) -> Probe:
    published = subprocess.run(
        [sys.executable, "-m", "codegen", "schema"], cwd=setting.root, capture_output=True, check=True
    )
    full = jsonschema.Draft202012Validator(json.loads(published.stdout))
    messages = [json.loads(line)["msg"] for line in random.Random(1).sample(list(conversation(_LINES)), _FEW)]

    def probe() -> float:
        start = time.process_time()
        for message in messages:
            full.is_valid(message)
        return (time.process_time() - start) / _FEW

    return probe


ROWS = (
    Row(
        "validate/message",
        "validate a message of a transcript",
        "s",
        {"ours": _ours, "jsonschema": _jsonschema},
        (Target("jsonschema", "faster"),),
        rounds=7,
        note="`jsonschema` judges the frame alone, by the full schema; `validate` the conversation too.",
    ),
)

if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    with tempfile.TemporaryDirectory() as folder:
        small, large = Path(folder, "small.ndjson"), Path(folder, "large.ndjson")
        write(small, min(10_000, total))
        write(large, total)
        size = large.stat().st_size / 1e6
        # First, while this process is small: what a new one starts with counts as its own.
        short, flat = run(small)
        seconds, memory = run(large)
        ours, theirs = compared(large)
        print(
            f"a message: {ours * 1e6:.1f} µs; jsonschema with the full schema: {theirs * 1e6:.0f} µs, {theirs / ours:.0f} x"
        )
        print(f"{min(10_000, total):>9,} messages: {short:6.1f} s, {flat:5.0f} MB at the peak")
        per = theirs * total / seconds
        print(f"{total:>9,} messages, {size:.0f} MB: {seconds:6.1f} s, {memory:5.0f} MB at the peak, {per:.0f} x")
