"""An open schema: findings of `check`, hover texts and completions. It does not know the protocol."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..catalogue import explanation
from ..check.baseline import baseline
from ..check.command import EXAMPLES, Earlier, check
from ..check.lint.lint import refused
from ..check.rules import RULES
from ..diagnostics import TOO_MUCH
from ..document.json_types import is_json_object
from ..document.read import Document, parse
from ..document.vocabulary import MEANINGS
from ..document.walk import part_at, schemas
from ..errors import CodegenError, SchemaError
from ..findings.finding import Finding, Level
from ..load.schema import load
from ..model.nodes.capabilities import advertised, fields
from ..model.nodes.types import Schema, Type
from ..time_limit import OutOfTime, within_time
from ..validate.sources.files import findings_of
from ..validate.values.schema import Protocol
from .navigation import named, senders
from .positions import Span, Spot, offset, pointer_at, span_at

_SCHEMA = "schema"
"""The prefix of a schema's file name."""
_REFERENCE = "#/$defs/"
_VALUE = re.compile(r'"(\$ref|x-[\w-]+)"\s*:\s*"?([^",}\n]*)$')
"""The start of a line up to the value of a keyword."""
_KEY = re.compile(r'(?:^|[{,])\s*"(x-[\w-]*)$')
"""The start of a line up to one of our keywords."""
_REST_OF_KEY = re.compile(rb"[\w-]*")


class Choice(Struct, frozen=True):
    """A completion: the text, its place, and its description."""

    text: str
    span: Span
    words: str = ""


class Desk:
    """An open schema: its current text, and its last valid state."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = b""
        self.findings: list[Finding] = []
        self.earlier: Earlier | None = None
        self._edited = False
        self._quick: list[Finding] = []
        self._slow: list[Finding] = []
        self._document: Document | None = None
        self._schema: Schema | None = None
        self._loaded: bytes | None = None
        self._protocol: tuple[int, Protocol] | None = None

    @property
    def document(self) -> Document | None:
        """The schema as JSON, or its last valid state."""
        if self._document is None or self._document.text != self.text:
            try:
                found = parse(self.text, str(self.path))
            except SchemaError:
                return self._document
            self._document = found if is_json_object(found.value) else self._document
        return self._document

    @property
    def schema(self) -> Schema | None:
        """The loaded schema, or its last valid state."""
        document = self.document
        if document is not None and self._loaded != document.text:
            self._loaded = document.text
            with suppress(SchemaError):  # what was known before still helps while this is being written
                self._schema, _ = load(document)
        return self._schema

    def forget(self) -> None:
        """Forget the baseline, because a branch may have changed or a file may have been saved."""
        self.earlier = None

    def write(self, text: bytes) -> list[Finding]:
        """Replace the text and return its findings. Findings of `settle` stay until its next run."""
        self.text = text
        self._quick = self._judged(quick=True)
        known = {(finding.id, finding.pointer) for finding in self._quick}
        slow = [finding for finding in self._slow if (finding.id, finding.pointer) not in known]
        self.findings = sorted([*self._quick, *slow], key=Finding.order)
        return self.findings

    def settle(self) -> list[Finding]:
        """All findings of the text, which take longer."""
        known = {(finding.id, finding.pointer) for finding in self._quick}
        self.findings = self._judged(quick=False)
        self._slow = [finding for finding in self.findings if (finding.id, finding.pointer) not in known]
        return self.findings

    def _judged(self, *, quick: bool) -> list[Finding]:
        if (schema := _schema_of(self.path)) is not None:
            return self._of_example(schema) if quick else self._quick
        if b'"$defs"' not in self.text and not self.path.name.startswith(_SCHEMA):
            return []  # another JSON file
        edited = not self.path.is_file() or self.text != self.path.read_bytes()
        try:
            with within_time():
                if self.earlier is None or edited is not self._edited:
                    self._edited = edited
                    self.earlier = Earlier(baseline(self.path, (), None, edited=edited))
                if self._document is None or not quick:
                    _ = self.document  # completion needs it when the next keystroke makes the text invalid
                outcome = check(self.path, text=self.text, earlier=self.earlier, quick=quick)
        except OutOfTime as late:
            limit = late.limit
            return refused(SchemaError(str(self.path), 1, 1, "", limit.problem, TOO_MUCH, limit.instead))
        except CodegenError:
            return []
        return [finding for finding in outcome.findings if finding.place.file == str(self.path)]

    def _of_example(self, schema: Path) -> list[Finding]:
        """Findings of an example message, according to the saved schema."""
        try:
            with within_time():
                changed = schema.stat().st_mtime_ns
                if self._protocol is None or self._protocol[0] != changed:
                    self._protocol = changed, Protocol.read(schema, ())
                return findings_of(self.text, self.path, self._protocol[1])
        except (OSError, CodegenError, OutOfTime):
            return []  # the schema itself says what is wrong with it

    def span(self, finding: Finding) -> Span:
        """The range of a finding."""
        return span_at(self.text, finding.place.line, finding.place.column)

    # --- hover ------------------------------------------------------------------------------------------------------------

    def hover(self, at: Spot) -> str:
        """The hover text of a place, as Markdown; empty if there is none."""
        parts = [*self._explained(at), *self._described(at)]
        return "\n\n---\n\n".join(parts)

    def _explained(self, at: Spot) -> Iterator[str]:
        told: set[str] = set()
        for finding in self.findings:
            span = self.span(finding)
            if (span.start.line, span.start.column) <= (at.line, at.column) < (span.end.line, span.end.column):
                yield f"**{finding.id}**: {finding.message}"
                if finding.id not in told and finding.id in RULES:
                    told.add(finding.id)
                    yield f"```text\n{explanation(finding.id).strip()}\n```"

    def _described(self, at: Spot) -> Iterator[str]:
        if self.document is None or self.document.text != self.text:
            return
        steps = pointer_at(self.text, at)
        name = steps[-1] if steps else ""
        if name in MEANINGS:
            yield f"`{name}`: {MEANINGS[name].words}"
        table, entry = named(self.document, at) or ("", "")
        target = part_at(self.document.value, (table, entry))
        if is_json_object(target) and table == "x-rfds":
            yield f"`{entry}`: {target.get('title', '')} ({target.get('stage', '')})"
        elif is_json_object(target):
            said = f"`{entry}`: {target.get('description', 'has no description')}"
            yield f"{said}\n\n{senders(self.schema, entry) if self.schema is not None else ''}".strip()

    # --- completion --------------------------------------------------------------------------------------------------------

    def choices(self, at: Spot) -> list[Choice]:
        """The completions at a position: our keywords, and values of keywords."""
        where = offset(self.text, at)
        begin = self.text.rfind(b"\n", 0, where) + 1
        line = self.text[begin:where].decode(errors="replace")
        if (key := _KEY.search(line)) is not None:
            rest = _REST_OF_KEY.match(self.text, where)
            after = len(rest[0]) if rest is not None else 0
            whole = Span(Spot(at.line, at.column - len(key[1])), Spot(at.line, at.column + after))
            return [Choice(name, whole, meaning.words) for name, meaning in MEANINGS.items()]
        found = _VALUE.search(line)
        if found is None:
            return []
        keyword, typed = found.groups()
        start = Spot(at.line, at.column - len(typed.encode("utf-16-le")) // 2)
        span = Span(start, at)
        is_open = line[: found.start(2)].endswith('"')
        plain = [] if is_open else [Choice(text, span) for text in _literals(keyword)]
        named = self.known(keyword)
        return [*plain, *(Choice(text if is_open else f'"{text}"', span, words) for text, words in named)]

    def known(self, keyword: str) -> Iterator[tuple[str, str]]:
        """The possible values of a keyword, with descriptions."""
        document: dict[str, Any] = self.document.value if self.document is not None else {}
        match keyword:
            case "$ref":
                for name, node in document.get("$defs", {}).items():
                    yield _REFERENCE + name, node.get("description", "") if is_json_object(node) else ""
            case "x-rfd":
                for name, entry in document.get("x-rfds", {}).items():
                    yield name, f"{entry.get('title')} ({entry.get('stage')})" if is_json_object(entry) else ""
            case "x-method" | "x-side":  # what other definitions have
                nodes = [node for _, node in schemas(document.get("$defs", {}), "/$defs", "schemas")]
                used = (node.get(keyword) for node in nodes)
                yield from ((text, "") for text in dict.fromkeys(used) if isinstance(text, str))
            case _ if keyword in MEANINGS and keyword != "x-capability":
                return
            case _:
                yield from self._capabilities()

    def _capabilities(self) -> Iterator[tuple[str, str]]:
        schema = self.schema
        if schema is None or schema.handshake is None:
            return
        for side in schema.handshake.capabilities:
            root = advertised(schema, side)
            if root is not None:
                yield from _paths(schema, root, "", f"of the {side}: ", frozenset())


def _paths(schema: Schema, type_: Type, above: str, words: str, seen: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The dotted paths of capabilities, with descriptions."""
    for field in fields(schema, type_):
        if not field.name.startswith("_") and field.pointer not in seen:
            yield above + field.name, words + (field.description or "")
            yield from _paths(schema, field.type, f"{above}{field.name}.", words, seen | {field.pointer})


def _literals(keyword: str) -> tuple[str, ...]:
    """The values of a keyword that need no quotes."""
    values = MEANINGS[keyword].values if keyword in MEANINGS else {}
    either = {"type": "boolean"} in (values, *values.get("anyOf", ()))
    return ("true", "false") if either else ("false",) if {"const": False} in values.get("anyOf", ()) else ()


def _schema_of(path: Path) -> Path | None:
    """The schema of an example message; None for any other file."""
    for folder in path.parents:
        schema = folder.parent.parent / "schema.json"
        if folder.parent / folder.name == schema.parent / EXAMPLES and schema.is_file():
            return schema
    return None


def severity(finding: Finding) -> int:
    """The severity as a number of the protocol: 1 error, 2 warning, 3 information."""
    return {Level.error: 1, Level.warning: 2, Level.info: 3}[finding.level]


def words(finding: Finding) -> str:
    """The text of a finding in the editor."""
    lines = [finding.message, *(f"breaks: {who}" for who in finding.breaks)]
    if finding.completed is not None:
        lines.append(f"once the RFD is completed: {finding.completed.name}")
    return "\n".join([*lines, f"instead: {finding.instead}"] if finding.instead else lines)
