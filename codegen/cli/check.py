"""Commands that check schemas: `check`, `diff`, `changelog`, `rules` and `explain`. Arguments in, text and exit codes
out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..errors import CodegenError, InputError, printable
from . import console
from .commands import SCHEMA, Command
from .console import note, put
from .options import PATH, fail_on_option, format_option, schema_options, sink, together, tool_version

if TYPE_CHECKING:
    from ..findings.finding import Finding, Level
    from ..findings.verdict import Outcome

REPORTS = ("text", "json", "github", "sarif", "markdown", "html", "junit")
"""The formats of `check` and `diff`."""
DOCUMENTS = ("markdown", "html")
"""The formats for reviewers, which show messages before and after."""
EXITS = {0: "no finding at the level of --fail-on", 1: "findings", 3: "something was not compared"}
"""The exit codes of comparisons."""

unstable_option = click.option("--unstable", is_flag=True, help="Treat parts of unfinished RFDs as stable.")
most_help = "Show at most N findings in Markdown and HTML, the most severe first."
completed_help = "Like --fail-on, but for the levels that findings will have when their RFDs are completed."
accepted_help = "The file with accepted breaks."
next_help = "Work on the next protocol version: breaks do not fail the run, and the report is a migration list."
report_options = together(
    unstable_option,
    format_option(*REPORTS),
    click.option("--most", type=click.IntRange(0), metavar="N", help=most_help),
    fail_on_option,
    click.option("--fail-on-completed", type=click.Choice(("error", "warning")), help=completed_help),
    click.option("--accepted", type=PATH, show_default="accepted-breaks.toml beside the schema", help=accepted_help),
    click.option("--next-version", is_flag=True, help=next_help),
)


@SCHEMA.command(
    extra="[check]",
    foreign=True,
    exclusive=("fix", "sdk", "untrusted"),
    example="acp-codegen check\nacp-codegen check --against v1.0.0 --format sarif > check.sarif\n"
    "acp-codegen check --fleet docs/interop --sdk pypi:agent-client-protocol==0.12.1",
    exits=EXITS,
)
@schema_options("./schema.json")
@click.option(
    "--against",
    metavar="GITREF|GITREF:PATH|FILE",
    show_default="HEAD for uncommitted edits, else the start of this branch; on main, HEAD~1",
    help="The baseline.",
)
@click.option("--no-compare", is_flag=True, help="Check only the schema, without a comparison.")
@click.option(
    "--config", type=PATH, show_default="pyproject.toml beside the schema", help="The file with suppressions."
)
@click.option(
    "--fleet",
    "transcripts",
    type=PATH,
    multiple=True,
    metavar="TRANSCRIPT|FOLDER",
    help="Show what the edit breaks for the programs in recorded traffic. May be given several times.",
)
@click.option(
    "--sdk",
    multiple=True,
    metavar="SPEC",
    help="Install pypi:NAME==VERSION or npm:NAME@VERSION into a temporary folder, and test it with the changed messages.",
)
@click.option(
    "--fix", is_flag=True, help="Make the safe fixes, and reserve the names of removed parts that live releases had."
)
@report_options
def check(
    schema: Path | None,
    no_compare: bool,
    fix: bool,
    format_: str,
    most: int | None,
    fail_on: str,
    fail_on_completed: str | None,
    **given: Any,
) -> int:
    """Check the schema, and report the released peers that an edit breaks."""
    from msgspec.structs import replace  # noqa: PLC0415

    from ..check import command  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    path = schema or Path("schema.json")
    bundled = schema is None and not path.exists()
    if bundled:
        if not given["extend"]:
            raise InputError(
                "schema.json", "does not exist in this directory; go to the clone, or pass the schema with --schema"
            )
        path, no_compare = default_schema(), True  # an extension of the bundled schema
    report = _Report("check", format_, most, fail_on, fail_on_completed)

    def judged(*, fix: bool) -> Outcome:
        outcome = command.check(path, compare=not no_compare, wires=format_ in DOCUMENTS, reserving=fix, **given)
        if bundled:  # an author of an extension cannot change the bundled schema
            own = [found for found in outcome.findings if found.place.file != str(path) or found.level is Level.error]
            outcome = replace(outcome, findings=own)
        made = command.mend(path, outcome) if fix else []
        for each in made:
            note(printable(each))
        return judged(fix=False) if made else outcome

    return report.of(lambda: judged(fix=fix))


class _Diff(Command):
    """A `diff` command whose option `--replay` takes all following words."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        at = args.index("--replay") + 1 if "--replay" in args else len(args)
        end = next((i for i in range(at, len(args)) if args[i].startswith("-")), len(args))
        args[at:end] = [word for file in args[at:end] for word in ("--replay", file)][1:]
        return super().parse_args(ctx, args)


@SCHEMA.command(
    cls=_Diff,
    extra="[check]",
    foreign=True,
    example="acp-codegen diff main:schema.json schema.json --format html > report.html\n"
    "acp-codegen diff v1.json v2.json --replay session.ndjson",
    exits=EXITS,
)
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@click.option(
    "--replay",
    "transcripts",
    type=PATH,
    multiple=True,
    metavar="TRANSCRIPT...",
    help="Count the recorded messages of released peers that the new schema rejects.",
)
@report_options
def diff(
    old: Path,
    new: Path,
    format_: str,
    most: int | None,
    fail_on: str,
    fail_on_completed: str | None,
    **given: Any,
) -> int:
    """Compare two schemas, and report the peers that the changes break.

    OLD and NEW are files, or GITREF:PATH.
    """
    from ..check.command import compare_files  # noqa: PLC0415

    report = _Report("diff", format_, most, fail_on, fail_on_completed)
    return report.of(lambda: compare_files(old, new, wires=format_ in DOCUMENTS, **given))


@dataclass(frozen=True)
class _Report:
    """The options for the report of a comparison, and for the findings that fail it."""

    command: str
    format: str
    most: int | None
    fail_on: str
    fail_on_completed: str | None

    def of(self, compare: Callable[[], Outcome]) -> int:
        """Run a comparison and print its report. A requested document is written even if the comparison failed."""
        from ..findings.verdict import Gap, Outcome  # noqa: PLC0415

        try:
            outcome = compare()
        except CodegenError as error:
            if self.format not in ("text", "github"):
                self._show(Outcome(gaps=(Gap(what=self.command, why=str(error)),)))
            raise
        self._show(outcome)
        return outcome.verdict(*self._levels()).code

    def _levels(self) -> tuple[Level, Level | None]:
        """The levels that fail a run, now and once RFDs are completed."""
        from ..findings.finding import Level  # noqa: PLC0415

        return Level[self.fail_on], Level[self.fail_on_completed] if self.fail_on_completed else None

    def _show(self, outcome: Outcome) -> None:
        from ..check.rules import RULES  # noqa: PLC0415
        from ..findings.report import FORMATS, render  # noqa: PLC0415

        levels = self._levels()
        verdict = outcome.verdict(*levels)
        if self.format not in FORMATS:
            from ..findings.review import review  # noqa: PLC0415
            from ..findings.templates import page  # noqa: PLC0415

            found = review(outcome, verdict.value, self.most)

            def fails(finding: Finding) -> bool:
                return outcome.fails(finding, *levels)

            put(page(found, self.format, version=tool_version(), fails=fails), self.format)
            return
        colour = console.has_colour()
        text = render(
            outcome.findings,
            self.format,
            rules=RULES,
            version=tool_version() if self.format == "sarif" else "",  # reading it takes 15 ms
            source=outcome.sources.get if console.is_terminal() else None,
            colour=colour,
            verdict=verdict,
            gaps=outcome.gaps,
            against=outcome.against,
            release=outcome.release,
            traffic=outcome.traffic,
            exists=lambda name: Path(name).is_file(),
        )
        put(text, sink(self.format, colour=colour))


@SCHEMA.command(
    foreign=True,
    example="acp-codegen changelog v1.0.0..HEAD\nacp-codegen changelog v1.json v2.json --format html > changes.html",
    exits={0: "listed", 3: "something was not compared"},
)
@click.argument("points", nargs=-1, required=True, metavar="POINT...")
@click.option("--schema", type=PATH, default="schema.json", metavar="F", help="The schema.")
@unstable_option
@click.option(
    "--accepted", type=PATH, metavar="F", show_default="beside the schema", help="The file with accepted breaks."
)
@format_option("markdown", "html", "json")
def changelog(points: Sequence[str], schema: Path, unstable: bool, accepted: Path | None, format_: str) -> int:
    """List the changes from release to release, and the peers that they break.

    A POINT is a file, a git revision, REVISION:PATH, or FROM..TO, which includes the tags in between. The oldest is
    first.
    """
    from ..check import changelog as releases  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415
    from ..findings.review import review, step_json  # noqa: PLC0415
    from ..findings.templates import changelog_page  # noqa: PLC0415

    steps = releases.changelog(points, schema, accepted=accepted, unstable=unstable, note=note)
    reviews = [(step, review(step.outcome, step.outcome.verdict(Level.error).value)) for step in reversed(steps)]
    if format_ == "json":
        put("".join(step_json(step.old, step.new, found) for step, found in reviews), "json")
    else:
        put(changelog_page(reviews, format_), format_)
    return 3 if any(step.outcome.gaps for step in steps) else 0


@SCHEMA.command(
    extra="[check]",
    example="acp-codegen compatible 1.18 1.21 v2:schema.json\nacp-codegen compatible v1.json v2.json --format json",
    exits=EXITS,
)
@click.argument("points", nargs=-1, required=True, metavar="VERSION...")
@click.option("--schema", type=PATH, default="schema.json", metavar="F", help="The schema in the revisions.")
@unstable_option
@fail_on_option
@format_option("text", "json")
def compatible(points: Sequence[str], schema: Path, unstable: bool, fail_on: str, format_: str) -> int:
    """Show the losses between clients of one version and agents of another, for each pair of versions.

    A VERSION is a file, a git revision, REVISION:PATH or FROM..TO. 1.18 also means the newest tag v1.18.*. The oldest
    is first.
    """
    from ..check import changelog as releases  # noqa: PLC0415
    from ..check import compatible as table  # noqa: PLC0415
    from ..findings.finding import Level  # noqa: PLC0415

    rows = table.compatible(releases.releases(points, schema, note), unstable=unstable)
    put(table.in_json(rows) if format_ == "json" else table.in_text(rows), format_)
    codes = [row.outcome.verdict(Level[fail_on]).code for row in rows]
    return next((code for code in (1, 3) if code in codes), 0)


@SCHEMA.command(example="acp-codegen rules", exits={0: "printed"})
def rules() -> int:
    """List the rules of check, diff and validate."""
    from ..catalogue import listing  # noqa: PLC0415

    put(listing())
    return 0


@SCHEMA.command(example="acp-codegen explain field-removed", exits={0: "printed"})
@click.argument("rule")
def explain(rule: str) -> int:
    """Explain a rule: its purpose, its reason, and an example."""
    from ..catalogue import explanation  # noqa: PLC0415

    put(explanation(rule))
    return 0
