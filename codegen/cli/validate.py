"""The command that validates messages: `validate`. Arguments in, text and exit codes out."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from . import console
from .commands import SCHEMA
from .console import put
from .options import PATH, fail_on_option, format_option, schema_options, sink, tool_version

if TYPE_CHECKING:
    from ..findings.finding import Finding


@SCHEMA.command(
    extra="[check]",
    foreign=True,
    example="acp-codegen validate session.ndjson\nacp-codegen validate --fail-on warning README.md docs/*.md examples/messages",
    exits={0: "no finding at the level of --fail-on", 1: "findings"},
)
@click.argument("files", type=PATH, nargs=-1, required=True, metavar="FILE...")
@schema_options()
@click.option("--lenient", is_flag=True, help="Accept everything that a tolerant peer accepts.")
@format_option("text", "json", "github", "sarif")
@fail_on_option
def validate(
    files: Sequence[Path], schema: Path | None, extend: Sequence[Path], lenient: bool, format_: str, fail_on: str
) -> int:
    """Validate messages, transcripts and the examples in documents.

    FILE is a message (.json), a transcript (.ndjson, .jsonl), a document (.md, .mdx), a directory of these, or - for
    standard input.
    """
    from ..catalogue import RULES  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415
    from ..findings.report import in_text, render  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415
    from ..validate import command  # noqa: PLC0415

    colour = console.has_colour()
    collected: list[Finding] = []

    def emit(finding: Finding) -> None:
        # Shown at once, because the findings of a long transcript might not fit in memory.
        console.clear_progress()
        if format_ == "text":
            put(in_text(finding, colour=colour), sink("text", colour=colour))
        elif format_ == "sarif":
            collected.append(finding)
        else:
            put(render([finding], format_, rules=RULES), format_)

    try:
        summary = command.validate(
            files,
            schema or default_schema(),
            extend=extend,
            lenient=lenient,
            emit=emit,
            progress=console.progress,
            brief=format_ in ("text", "github"),
        )
    finally:
        console.clear_progress()
    if format_ == "sarif":
        put(render(collected, "sarif", rules=RULES, version=tool_version()), "sarif")
    show = put if format_ == "text" else console.note_lines
    show(summary.text())
    return 1 if summary.failed(Level[fail_on]) else 0
