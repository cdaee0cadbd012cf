"""Coverage-guided fuzzing: `python -m tests.fuzz TARGET [libFuzzer options]`, with atheris.

A target reads bytes that anyone can send. What it may raise is named beside it; anything else is a fault, and so is an input
that takes longer than ten seconds (`-timeout=10`).
"""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["codegen", "generated"]):
    import msgspec

    import generated as acp
    from codegen.document.extend import extend
    from codegen.document.overlay import parse_extension
    from codegen.document.read import Document, read
    from codegen.errors import CodegenError
    from codegen.load.schema import load
    from codegen.validate.results.summary import Summary
    from codegen.validate.sources.transcripts import read_transcript
    from codegen.validate.values.schema import Protocol
    from generated._runtime.jsonrpc.parser import Reader

ROOT = Path(__file__).resolve().parents[2]
FRAME_LIMIT = 4096


def frames(data: bytes) -> None:
    """The frame reader: no bytes make it raise, and it goes on after all of them."""
    reader = Reader(FRAME_LIMIT)
    half = len(data) // 2
    read_ = [
        *reader.feed(data[:half]),
        *reader.feed(data[half:]),
        *reader.feed(b'\n{"jsonrpc":"2.0","method":"_last"}\n'),
    ]
    assert getattr(read_[-1][1], "method", None) == "_last"


def codec(data: bytes) -> None:
    """The decoder: a message or a named error; what was read is written and read again as the same."""
    for strict in (False, True):
        try:
            value = acp.decode(acp.SessionNotification, data, strict=strict)
        except (msgspec.ValidationError, msgspec.DecodeError):
            continue
        text = acp.encode(value)
        assert acp.encode(acp.decode(acp.SessionNotification, text)) == text


@cache
def schema() -> Document:
    return read(ROOT / "schema.json")


def overlay(data: bytes) -> None:
    """Extension documents: applied, or refused with a place."""
    with contextlib.suppress(CodegenError):
        load(extend(schema(), [parse_extension(data, "extension.json")]))


@cache
def protocol() -> Protocol:
    return Protocol.read(ROOT / "schema.json")


def validate(data: bytes) -> None:
    """Transcripts: whatever a line holds becomes findings."""
    read_transcript(io.BytesIO(data), "transcript", protocol(), Summary(), lambda _: None)


TARGETS: dict[str, Callable[[bytes], None]] = {each.__name__: each for each in (frames, codec, overlay, validate)}


if __name__ == "__main__":
    name, *options = sys.argv[1:]
    atheris.Setup([f"fuzz-{name}", "-timeout=10", *options], TARGETS[name])
    atheris.Fuzz()
