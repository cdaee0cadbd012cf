"""Runs the rules on a fixture directory: `after.json`, `before.json` where a rule compares, and what else the rule reads."""

from __future__ import annotations

import json
from pathlib import Path

from codegen.check.command import _load, _of_settings
from codegen.check.inputs import judged
from codegen.check.lint.lint import lint, refused
from codegen.check.parts.side import Side
from codegen.check.releases import Releases
from codegen.check.rules import RULES
from codegen.document.extend import extend
from codegen.document.overlay import parse_extension
from codegen.document.read import Document, parse
from codegen.errors import SchemaError
from codegen.findings.accepted_breaks import read_ledger
from codegen.findings.cascades import explained, grouped
from codegen.findings.finding import Finding
from codegen.findings.rule import Effect
from codegen.findings.suppressions import read_config
from codegen.model.nodes.types import Schema

FIXTURES = Path(__file__).parents[2] / "rules"


def document(path: Path) -> Document:
    return parse(path.read_bytes(), path.name)


def run(directory: Path, rule: str) -> list[Finding]:
    """The findings of a fixture: those of `diff` for a rule that compares, else those of the lints."""
    try:
        after = document(directory / "after.json")
        extension = directory / "extension.json"
        if extension.exists():
            after = extend(after, (parse_extension(extension.read_bytes(), extension.name),))
    except SchemaError as error:
        return explained(refused(error))
    schema = _load(after)
    before = directory / "before.json"
    old = document(before) if before.exists() else None
    base = _load(old) if old is not None else None
    assert not isinstance(base, SchemaError)
    if RULES[rule].effect is Effect.LINT:
        settings = read_config(None, directory / "after.json", RULES)
        ledger = read_ledger(None, directory / "after.json", RULES, Releases(directory / "after.json").ended)
        found = lint(after, schema, base=base, examples=[directory / "examples" / "messages"])
        kept = settings.keep(explained(found, settings.excuses))
        return [*kept, *_of_settings("suppression-unused", settings), *_of_settings("accepted-break-over", ledger)]
    assert isinstance(schema, Schema)
    assert old is not None
    assert base is not None
    return grouped(explained(judged(Side(old, base), Side(after, schema))))


def shown(finding: Finding) -> str:
    """The first line of a finding: place, level, rule, pointer, directions; the file too where it is another one."""
    file = "" if finding.place.file == "after.json" else f"{Path(finding.place.file).name}:"
    place = f"{file}{finding.place.line}:{finding.place.column}"
    return " ".join([place, f"{finding.level.name}[{finding.id}]", finding.pointer or "/", *finding.directions])


def told(finding: Finding) -> str:
    """A finding as `expected` has it: its first line, and a line for each text that a report shows."""
    said = {
        "message": [finding.message],
        "breaks": finding.breaks,
        "lost": [finding.lost],
        "completed": [finding.completed.name] if finding.completed is not None else [],
        "via": finding.via,
        "also": finding.also,
        "base": [finding.base_pointer if finding.base_pointer != finding.pointer else ""],
        "instead": [finding.instead if finding.instead != RULES[finding.id].instead else ""],
        "example": [json.dumps(finding.example.message), finding.example.told()] if finding.example is not None else [],
    }
    return "\n".join(
        [shown(finding), *(f"    {name}: {text}" for name, texts in said.items() for text in texts if text)]
    )
