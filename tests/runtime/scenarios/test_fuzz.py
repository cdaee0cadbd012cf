"""Broken frames at the sans-IO core: nothing is raised, no good frame is lost, memory stays flat.

`make test` sends 250,000, `make test-environments` a million. FUZZ_FRAMES in the environment makes it more, FUZZ_SEED others.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from msgspec import Raw
from peers import ROOT

from generated._runtime.jsonrpc.parser import Notification, Reader

FRAMES = int(os.environ.get("FUZZ_FRAMES", "250000"))
SEED = int(os.environ.get("FUZZ_SEED", "20261121"))
LIMIT = 4096
BATCH = 2_000

NASTY = [
    b"\0", b"\xff", b"\xc3", b'"', b"\\", b"\\ud83d", b"\\u12", b"{", b"}", b"[", b"]", b",", b":", b"1e400", b"NaN",
    b"-", b"null", b"true", b'"id":null,', b'"id":1.5,', b'"method":7,', b'"jsonrpc":"2.0",', b"\r", b"\t", b" ",
    b"[" * 600, b"9" * 400, b"x" * LIMIT,
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("total", [FRAMES // 5, pytest.param(4 * FRAMES, marks=pytest.mark.environment)])
def test_mutated_frames_do_no_harm(total: int) -> None:
    random_ = random.Random(SEED)
    seeds = _seeds()
    reader = Reader(LIMIT)
    frames = 0
    memory: list[int] = []
    while frames < total:
        lines: list[bytes] = []
        for number in range(BATCH):
            lines.append(_mutate(random_, seeds[random_.randrange(len(seeds))]))
            if number % 20 == 0:
                lines.append(b'{"jsonrpc":"2.0","method":"sentinel","params":%d}' % number)
        found = _feed(random_, reader, b"\n".join(lines) + b"\n")
        assert found == list(range(0, BATCH, 20)), "a valid frame was lost after a bad one"
        frames += BATCH
        memory.append(_memory())
    # The allocator settles in the first tenth.
    assert memory[-1] - memory[len(memory) // 10] < 16 * 2**20, "memory grows"


def _memory() -> int:
    """Bytes of this process that are in memory; 0 where the system does not say."""
    status = Path("/proc/self/statm")
    return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") if status.exists() else 0


def _feed(random_: random.Random, reader: Reader, data: bytes) -> list[int]:
    """Feed the data in chunks of odd sizes; the sentinels that came out."""
    found: list[int] = []
    at = 0
    while at < len(data):
        size = random_.choice((1, 100, 65_536, 262_144))
        for _, message in reader.feed(data[at : at + size]):
            if isinstance(message, Notification) and message.method == "sentinel":
                assert isinstance(message.params, Raw)
                found.append(int(bytes(message.params)))
        at += size
    return found


def _mutate(random_: random.Random, frame: bytes) -> bytes:
    """The frame with one to three faults; never more than a line."""
    for _ in range(random_.randrange(1, 4)):
        at = random_.randrange(len(frame) + 1)
        match random_.randrange(6):
            case 0:
                frame = frame[:at]
            case 1:
                frame = frame[:at] + random_.choice(NASTY) + frame[at:]
            case 2:
                frame = frame[:at] + bytes((random_.randrange(256),)) + frame[at + 1 :]
            case 3:
                frame = frame[:at] + frame[at + random_.randrange(1, 20) :]
            case 4:
                frame = frame[:at] + frame[at // 2 :]
            case _:
                frame = frame[at:] + frame[:at]
    return frame.replace(b"\n", b"\r")


def _seeds() -> list[bytes]:
    """Frames of every kind, with the example messages as params and results."""
    seeds = [
        b'{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found","data":{"method":"x"}}}',
        b'{"jsonrpc":"2.0","method":"m","params":["\\ud83d\\ude00 \\ud83d \xc3\xa9"]}',
    ]
    for path in sorted(Path(ROOT, "examples", "messages").rglob("*.json")):
        body = b"".join(path.read_bytes().split(b"\n"))
        if len(body) > LIMIT // 4:
            continue
        match path.suffixes[-2]:
            case ".request":
                seeds.append(b'{"jsonrpc":"2.0","id":"abc","method":"some/method","params":%b}' % body)
            case ".notification":
                seeds.append(b'{"jsonrpc":"2.0","method":"some/method","params":%b}' % body)
            case _:
                seeds.append(b'{"jsonrpc":"2.0","id":12,"result":%b}' % body)
    assert len(seeds) > 50
    return seeds
