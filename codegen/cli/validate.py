"""The command that validates messages: `validate`. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from . import console
from .console import put
from .options import add_fail_on, add_schema, path_argument, sink, tool_version

if TYPE_CHECKING:
    from ..findings.finding import Finding


def add_validate(commands: Any) -> None:
    """Add the command to those of the command line."""
    validate = commands.add_parser(
        "validate",
        help="judge messages, transcripts and the examples in documents",
        description="Reads JSON messages, NDJSON transcripts, Markdown and MDX, and reports what does not fit the schema.",
    )
    validate.add_argument(
        "files",
        type=path_argument,
        nargs="+",
        metavar="FILE",
        help="messages (.json), transcripts (.ndjson, .jsonl), documents (.md, .mdx), directories of these, or - for standard input",
    )
    add_schema(validate)
    validate.add_argument("--lenient", action="store_true", help="accept everything that a tolerant peer accepts")
    validate.add_argument("--format", choices=("text", "json", "github", "sarif"), default="text", help="default: text")
    add_fail_on(validate)
    validate.set_defaults(run=_validate)


def _validate(options: argparse.Namespace) -> int:
    from ..catalogue import RULES  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415
    from ..findings.report import in_text, render  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415
    from ..validate.command import validate  # noqa: PLC0415

    colour = console.has_colour()
    collected: list[Finding] = []

    def emit(finding: Finding) -> None:
        # Shown at once, because the findings of a long transcript might not fit in memory.
        console.clear_progress()
        if options.format == "text":
            put(in_text(finding, colour=colour), sink("text", colour=colour))
        elif options.format == "sarif":
            collected.append(finding)
        else:
            put(render([finding], options.format, rules=RULES), options.format)

    try:
        summary = validate(
            options.files,
            options.schema or default_schema(),
            extend=options.extend or (),
            lenient=options.lenient,
            emit=emit,
            progress=console.progress,
            brief=options.format in ("text", "github"),
        )
    finally:
        console.clear_progress()
    if options.format == "sarif":
        put(render(collected, "sarif", rules=RULES, version=tool_version()), "sarif")
    show = put if options.format == "text" else console.note_lines
    show(summary.text())
    return 1 if summary.failed(Level[options.fail_on]) else 0
