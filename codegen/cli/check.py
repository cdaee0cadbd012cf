"""Commands that check schemas: `check`, `diff`, `changelog`, `rules` and `explain`. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import CodegenError, InputError
from . import console
from .console import note, put
from .options import add_fail_on, add_schema, count_argument, path_argument, sink, tool_version

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..findings.finding import Level
    from ..findings.verdict import Outcome, Verdict

REPORTS = ("text", "json", "github", "sarif", "markdown", "html", "junit")
"""The formats of `check` and `diff`."""
DOCUMENTS = ("markdown", "html")
"""The formats for reviewers, which show messages before and after."""


def add_check(commands: Any) -> None:
    """Add the commands to those of the command line."""
    report = console.Parser(add_help=False)
    report.add_argument("--unstable", action="store_true", help="judge parts of unfinished RFDs like stable ones")
    report.add_argument("--format", choices=REPORTS, default="text", help="default: text")
    report.add_argument(
        "--most", type=count_argument, metavar="N", help="show at most N findings in Markdown and HTML, worst first"
    )
    add_fail_on(report)
    report.add_argument(
        "--fail-on-completed",
        choices=("error", "warning"),
        metavar="LEVEL",
        help="the same, judging findings as if their RFDs were completed (default: nothing)",
    )
    report.add_argument(
        "--accepted",
        type=path_argument,
        metavar="F",
        help="the ledger of accepted breaks (default: the accepted-breaks.toml beside the new schema)",
    )
    report.add_argument(
        "--next-version",
        action="store_true",
        help="work on the next protocol version: breaks don't fail, the report lists what peers have to migrate",
    )

    check = commands.add_parser(
        "check", parents=[report], help="judge an edit of the schema: what it breaks, and for whom"
    )
    add_schema(check, "./schema.json")
    check.add_argument(
        "--against",
        metavar="GITREF|GITREF:PATH|FILE",
        help="what to compare with (default: HEAD for uncommitted edits, else the start of this branch; on main, HEAD~1)",
    )
    check.add_argument("--no-compare", action="store_true", help="judge the schema by itself, without a comparison")
    check.add_argument(
        "--config",
        type=path_argument,
        metavar="F",
        help="the file with suppressions (default: the pyproject.toml beside the schema)",
    )
    check.set_defaults(run=_check, command="check")

    diff = commands.add_parser("diff", parents=[report], help="compare two schemas: what changed, and whom it breaks")
    diff.add_argument("old", type=path_argument, metavar="OLD", help="a file, or GITREF:PATH")
    diff.add_argument("new", type=path_argument, metavar="NEW", help="a file, or GITREF:PATH")
    diff.add_argument(
        "--replay",
        type=path_argument,
        nargs="+",
        default=(),
        metavar="TRANSCRIPT",
        help="judge recorded messages of released peers: how many the new schema would refuse",
    )
    diff.set_defaults(run=_diff, command="diff")

    changelog = commands.add_parser(
        "changelog",
        help="list what changed from release to release, and whom it breaks",
        description="A POINT is a file, a git revision, REVISION:PATH, or FROM..TO, which includes the tags in between.",
    )
    changelog.add_argument("points", nargs="+", metavar="POINT", help="the releases, oldest first")
    changelog.add_argument(
        "--schema",
        type=path_argument,
        default=Path("schema.json"),
        metavar="F",
        help="the schema (default: ./schema.json)",
    )
    changelog.add_argument("--unstable", action="store_true", help="judge parts of unfinished RFDs like stable ones")
    changelog.add_argument(
        "--accepted", type=path_argument, metavar="F", help="the ledger of accepted breaks (default: beside the schema)"
    )
    changelog.add_argument(
        "--format", choices=("markdown", "html", "json"), default="markdown", help="default: markdown"
    )
    changelog.set_defaults(run=_changelog)


def add_rules(commands: Any) -> None:
    """Add the commands about rules."""
    rules = commands.add_parser("rules", help="list the rules of check, diff and validate")
    rules.set_defaults(run=_rules)
    explain = commands.add_parser("explain", help="what a rule is for, why, and an example")
    explain.add_argument("rule", metavar="RULE")
    explain.set_defaults(run=_explain)


def _diff(options: argparse.Namespace) -> int:
    from ..check.command import compare_files  # noqa: PLC0415

    return _compared(
        options,
        lambda: compare_files(
            options.old,
            options.new,
            unstable=options.unstable,
            accepted=options.accepted,
            next_version=options.next_version,
            wires=options.format in DOCUMENTS,
            transcripts=options.replay,
        ),
    )


def _check(options: argparse.Namespace) -> int:
    from ..check.command import check  # noqa: PLC0415

    path = options.schema or Path("schema.json")
    if options.schema is None and not path.exists():
        raise InputError("schema.json", "is not in this directory; name the schema to judge with --schema")
    return _compared(
        options,
        lambda: check(
            path,
            extend=options.extend or (),
            against=options.against,
            compare=not options.no_compare,
            config=options.config,
            accepted=options.accepted,
            next_version=options.next_version,
            unstable=options.unstable,
            wires=options.format in DOCUMENTS,
        ),
    )


def _compared(options: argparse.Namespace, compare: Callable[[], Outcome]) -> int:
    """Report the result of a comparison. A program that asked for a document gets one even if the comparison failed."""
    from ..findings.verdict import Gap, Outcome  # noqa: PLC0415

    try:
        outcome = compare()
    except CodegenError as error:
        if options.format not in ("text", "github"):
            _report(options, Outcome(gaps=(Gap(what=options.command, why=str(error)),)))
        raise
    _report(options, outcome)
    return _verdict(options, outcome).code


def _changelog(options: argparse.Namespace) -> int:
    from ..check.command import changelog  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415
    from ..findings.review import review, step_json  # noqa: PLC0415
    from ..findings.templates import changelog_page  # noqa: PLC0415

    steps = changelog(options.points, options.schema, accepted=options.accepted, unstable=options.unstable, note=note)
    reviews = [(step, review(step.outcome, step.outcome.verdict(Level.error).value)) for step in reversed(steps)]
    if options.format == "json":
        put("".join(step_json(step.old, step.new, found) for step, found in reviews), "json")
    else:
        put(changelog_page(reviews, options.format), options.format)
    return 3 if any(step.outcome.gaps for step in steps) else 0


def _levels(options: argparse.Namespace) -> tuple[Level, Level | None]:
    """The levels that fail a run, now and once RFDs are completed."""
    from ..findings.finding import Level  # noqa: PLC0415

    return Level[options.fail_on], Level[options.fail_on_completed] if options.fail_on_completed else None


def _verdict(options: argparse.Namespace, outcome: Outcome) -> Verdict:
    return outcome.verdict(*_levels(options))


def _report(options: argparse.Namespace, outcome: Outcome) -> None:
    from ..check.rules import RULES  # noqa: PLC0415
    from ..findings.report import FORMATS, render  # noqa: PLC0415

    if options.format not in FORMATS:
        put(_page(options, outcome), options.format)
        return
    source = outcome.sources.get if console.is_terminal() else None
    colour = console.has_colour()
    text = render(
        outcome.findings,
        options.format,
        rules=RULES,
        version=tool_version(),
        source=source,
        colour=colour,
        verdict=_verdict(options, outcome),
        gaps=outcome.gaps,
        against=outcome.against,
        release=outcome.release,
        traffic=outcome.traffic,
        exists=lambda name: Path(name).is_file(),
    )
    put(text, sink(options.format, colour=colour))


def _page(options: argparse.Namespace, outcome: Outcome) -> str:
    """A report that is a document."""
    from ..findings.review import review  # noqa: PLC0415
    from ..findings.templates import page  # noqa: PLC0415

    found = review(outcome, _verdict(options, outcome).value, options.most)
    return page(
        found, options.format, version=tool_version(), fails=lambda finding: outcome.fails(finding, *_levels(options))
    )


def _rules(_options: argparse.Namespace) -> int:
    from ..catalogue import listing  # noqa: PLC0415

    put(listing())
    return 0


def _explain(options: argparse.Namespace) -> int:
    from ..catalogue import explanation  # noqa: PLC0415

    put(explanation(options.rule))
    return 0
