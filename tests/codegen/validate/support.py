"""Runs `validate` on texts, and shows what it found as the fixtures have it."""

from __future__ import annotations

import io
from functools import cache
from pathlib import Path

from codegen.findings.finding import Finding
from codegen.validate.results.summary import Summary
from codegen.validate.sources.documents import read_document
from codegen.validate.sources.files import read_file
from codegen.validate.sources.transcripts import read_transcript
from codegen.validate.values.schema import Protocol

ROOT = Path(__file__).resolve().parents[3]
RULES = Path(__file__).parent / "rules"


@cache
def protocol(*, tolerant: bool = False) -> Protocol:
    """Our own schema."""
    return Protocol.read(ROOT / "schema.json", tolerant=tolerant)


def of_file(path: Path, *, tolerant: bool = False) -> list[Finding]:
    """The findings of a file."""
    found: list[Finding] = []
    read_file(path, protocol(tolerant=tolerant), Summary(), found.append, lambda _: None)
    return found


def of_transcript(text: bytes | str, *, tolerant: bool = False) -> list[Finding]:
    """The findings of a transcript."""
    found: list[Finding] = []
    data = text.encode() if isinstance(text, str) else text
    read_transcript(io.BytesIO(data), "t.ndjson", protocol(tolerant=tolerant), Summary(), found.append)
    return found


def of_document(text: bytes | str) -> list[Finding]:
    """The findings of a document."""
    found: list[Finding] = []
    read_document(text.encode() if isinstance(text, str) else text, "d.md", protocol(), Summary(), found.append)
    return found


def ids(findings: list[Finding]) -> list[str]:
    """The rules of some findings."""
    return [finding.id for finding in findings]


def places(findings: list[Finding]) -> list[tuple[str, int, int]]:
    """Rule, line and column of some findings."""
    return [(f.id, f.place.line, f.place.column) for f in findings]


def shown(finding: Finding) -> str:
    """A finding as `expected` has it: place, level, rule, what is wrong."""
    place = f"{Path(finding.place.file).name}:{finding.place.line}:{finding.place.column}"
    return f"{place}: {finding.level.name}[{finding.id}] {finding.message}"
