"""The command line: arguments in, text and exit codes out; what happens in between is in `pipeline`.

Exit codes: 0 clean, 1 findings or stale files, 2 wrong usage, unreadable or unwritable files, internal errors,
3 something was not compared.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import console
from .cli_author import add_author
from .console import note, put, say
from .deadline import within_time
from .errors import CodegenError, InputError
from .limits import VARIABLE, set_limits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .emit.write import Change
    from .findings.finding import Finding, Level
    from .findings.verdict import Outcome, Verdict

    Plan = Callable[[], list[Change]]

_CHECKERS = ("jsonschema", "jsonschema_rs")
"""The modules that the extra `check` brings."""


REPORTS = ("text", "json", "github", "sarif", "markdown", "html", "junit")
"""The formats of `check` and `diff`."""
DOCUMENTS = ("markdown", "html")
"""Those for reviewers, who want to see messages before and after."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "generate")
    options = _parser().parse_args(arguments)
    console.begin()
    try:
        set_limits(os.environ.get(VARIABLE, ""))
        with nullcontext() if _writes(options) else within_time():
            code: int = options.run(options)
            console.flush()
    except CodegenError as error:
        note(str(error))
        return 2
    except OSError as error:
        if error.filename is None:
            console.give_up_output()
        if not isinstance(error, BrokenPipeError):  # then the reader has left, and there is nobody to tell
            note(str(InputError(str(error.filename or "standard output"), f"failed: {error.strerror}")))
        return 2
    except KeyboardInterrupt:
        note("interrupted; nothing was changed")
        return 2
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing == __package__ or os.environ.get("CODEGEN_DEBUG"):
            raise
        extra = "[check]" if missing in _CHECKERS else ""
        note(
            f'error: this Python has no module "{error.name}", which this {"command" if extra else "tool"} needs; '
            f"install 'acp-codegen{extra}' into it, or run `make generate` in a checkout and then .venv/bin/python -m codegen"
        )
        return 2
    except Exception as error:  # a traceback helps no user
        if os.environ.get("CODEGEN_DEBUG"):
            raise
        problem = f"{type(error).__name__}: {str(error)[:500]}"
        note(f"internal error: {problem} (CODEGEN_DEBUG=1 shows where; please report it)")
        return 2
    return code


def _writes(options: argparse.Namespace) -> bool:
    """Whether a command changes files: whoever runs it waits for it, and nothing may end it half way."""
    return options.run in (_generate, _vendor) and not (options.check or getattr(options, "diff", False))


def _parser() -> argparse.ArgumentParser:
    parser = console.Parser(
        prog="acp-codegen",
        description="Turns schema.json into typed Python models, agent and client stubs, and the method table.",
        epilog="Without a command: generate. `acp-codegen COMMAND --help` tells what each takes.",
    )
    parser.add_argument("--version", action="version", version=f"acp-codegen {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    source = console.Parser(add_help=False)
    source.add_argument(
        "--schema", type=_path, metavar="F", help="the schema (default: ./schema.json, else the packaged one)"
    )
    source.add_argument(
        "--extend",
        type=_path,
        action="append",
        metavar="F",
        help="an extension document, applied to the schema; may be given several times",
    )
    source.add_argument("--stable", action="store_true", help="only what is stable: no RFD that is not completed")

    generate = commands.add_parser("generate", parents=[source], help="write the package (the default command)")
    generate.add_argument(
        "--bare",
        action="store_true",
        help="don't fill gaps in the given schema from the annotation documents (see `acp-codegen annotate`)",
    )
    generate.add_argument(
        "--out", type=_path, default=Path("generated"), metavar="DIR", help="where to (default: ./generated)"
    )
    mode = generate.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; exit 1 and list the files if any is stale")
    mode.add_argument("--diff", action="store_true", help="write nothing; print a unified diff, exit 1 if there is any")
    generate.set_defaults(run=_generate)

    schema = commands.add_parser("schema", parents=[source], help="print the schema in its published form")
    schema.add_argument("--annotated", action="store_true", help="keep our own keywords (x-capability, x-rfd, ...)")
    schema.set_defaults(run=_schema)

    annotate = commands.add_parser(
        "annotate",
        help="print a schema with what it leaves unsaid filled in: gates, the handshake, cancellation, ordering, sessions",
        description="Published schemas lack the keywords that gate, order and cancel. This prints FILE with them.",
    )
    annotate.add_argument("file", type=_path, metavar="FILE", help="a schema")
    annotate.add_argument(
        "--overlay", action="store_true", help="print only what is filled in, as an extension document"
    )
    annotate.set_defaults(run=_annotate)

    vendor = commands.add_parser(
        "vendor", parents=[source], help="write the package into your own source tree, or bring it up to date there"
    )
    vendor.add_argument(
        "dest", type=_path, metavar="DEST", help="the directory of the package; its name is yours to choose"
    )
    vendor.add_argument("--no-extend", action="store_true", help="without the extensions of the last time")
    vendor.add_argument("--no-stable", action="store_true", help="not with --stable as the last time")
    mode = vendor.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; exit 1 and list the files if any is stale")
    mode.add_argument("--plan", action="store_true", help="write nothing; say what an update means for your project")
    mode.add_argument("--force", action="store_true", help="overwrite files that were edited by hand, too")
    vendor.set_defaults(run=_vendor)

    _add_checks(commands)
    return parser


def _add_checks(commands: Any) -> None:
    """The commands that judge a schema."""
    report = console.Parser(add_help=False)
    report.add_argument("--unstable", action="store_true", help="judge what RFDs in progress brought like the rest")
    report.add_argument("--format", choices=REPORTS, default="text", help="default: text")
    report.add_argument(
        "--most", type=_count, metavar="N", help="show so many findings in Markdown and HTML, the worst first"
    )
    report.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="what makes the exit code 1 (default: error)"
    )
    report.add_argument(
        "--fail-on-completed",
        choices=("error", "warning"),
        metavar="LEVEL",
        help="the same for what findings will be once their RFDs are completed (default: nothing)",
    )

    report.add_argument(
        "--accepted",
        type=_path,
        metavar="F",
        help="the ledger of accepted breaks (default: the accepted-breaks.toml beside the new schema)",
    )
    report.add_argument(
        "--next-version",
        action="store_true",
        help="work on the next protocol version: breaks don't fail, the report lists what peers have to migrate",
    )

    check = commands.add_parser("check", parents=[report], help="judge an edit of the schema: what it breaks, for whom")
    check.add_argument("--schema", type=_path, metavar="F", help="the schema (default: ./schema.json)")
    check.add_argument(
        "--extend", type=_path, action="append", metavar="F", help="an extension document, applied to the schema"
    )
    check.add_argument(
        "--against",
        metavar="GITREF|GITREF:PATH|FILE",
        help="what to compare with (default: HEAD while the schema is being edited, else where this branch began)",
    )
    check.add_argument(
        "--no-compare", action="store_true", help="judge the schema by itself, without comparing it with anything"
    )
    check.add_argument(
        "--config",
        type=_path,
        metavar="F",
        help="where suppressions are (default: the pyproject.toml beside the schema)",
    )
    check.set_defaults(run=_check, command="check")

    diff = commands.add_parser("diff", parents=[report], help="what changed between two schemas, and whom it breaks")
    diff.add_argument("old", type=_path, metavar="OLD", help="a file, or GITREF:PATH")
    diff.add_argument("new", type=_path, metavar="NEW", help="a file, or GITREF:PATH")
    diff.set_defaults(run=_diff, command="diff")

    changelog = commands.add_parser(
        "changelog",
        help="what changed from release to release, and whom it breaks",
        description="A POINT is a file, a git revision, REVISION:PATH, or FROM..TO, which takes in the tags between.",
    )
    changelog.add_argument("points", nargs="+", metavar="POINT", help="the releases, the oldest first")
    changelog.add_argument(
        "--schema", type=_path, default=Path("schema.json"), metavar="F", help="the schema (default: ./schema.json)"
    )
    changelog.add_argument("--unstable", action="store_true", help="judge what RFDs in progress brought like the rest")
    changelog.add_argument(
        "--accepted", type=_path, metavar="F", help="the ledger of accepted breaks (default: beside the schema)"
    )
    changelog.add_argument(
        "--format", choices=("markdown", "html", "json"), default="markdown", help="default: markdown"
    )
    changelog.set_defaults(run=_changelog)

    _add_validate(commands)
    add_author(commands)

    rules = commands.add_parser("rules", help="list the rules of check, diff and validate")
    rules.set_defaults(run=_rules)
    explain = commands.add_parser("explain", help="what a rule is for, why, and an example")
    explain.add_argument("rule", metavar="RULE")
    explain.set_defaults(run=_explain)


def _add_validate(commands: Any) -> None:
    validate = commands.add_parser(
        "validate",
        help="judge messages, transcripts and the examples in documents",
        description="Reads JSON messages, NDJSON transcripts, Markdown and MDX, and says what does not fit the schema.",
    )
    validate.add_argument(
        "files",
        type=_path,
        nargs="+",
        metavar="FILE",
        help="messages (.json), transcripts (.ndjson, .jsonl), documents (.md, .mdx), directories of these; - reads standard input",
    )
    validate.add_argument(
        "--schema", type=_path, metavar="F", help="the schema (default: ./schema.json, else the packaged one)"
    )
    validate.add_argument(
        "--extend", type=_path, action="append", metavar="F", help="an extension document, applied to the schema"
    )
    validate.add_argument("--lenient", action="store_true", help="accept what a tolerant peer reads")
    validate.add_argument("--format", choices=("text", "json", "github", "sarif"), default="text", help="default: text")
    validate.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="what makes the exit code 1 (default: error)"
    )
    validate.set_defaults(run=_validate)


def _path(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("expected a path, got an empty string")
    return Path(text)


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError("expected a number")
    return int(text)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("acp-codegen")
    except PackageNotFoundError:
        return "(not installed)"


def _generate(options: argparse.Namespace) -> int:
    from .pipeline import default_schema, generate  # noqa: PLC0415

    path = options.schema or default_schema()

    def plan() -> list[Change]:
        return generate(
            path,
            options.out,
            extend=options.extend or (),
            stable=options.stable,
            bare=options.bare,
            note=note,
            progress=console.progress,
        )

    if options.check or options.diff:
        return _look(options.out, plan, with_text=options.diff)
    return _bring_up_to_date(options.out, plan)


def _look(out: Path, plan: Plan, *, with_text: bool = False, causes: Sequence[str] = ()) -> int:
    """Say what would have to change; nothing is written."""
    from .emit.transaction import settled  # noqa: PLC0415
    from .emit.write import diff  # noqa: PLC0415

    shown = str(out)
    with settled(out, note) as is_whole:
        if not is_whole:
            say(f"{shown}: a run that wrote here was interrupted; run the command that writes it again")
            return 1
        found = _planned(plan)
    if with_text:
        put("".join(diff(found)))
        return 1 if found else 0
    return _stale(shown, found, causes) if found else _up_to_date(shown)


def _bring_up_to_date(out: Path, plan: Plan, is_refused: Callable[[list[Change]], bool] = lambda _: False) -> int:
    """Write what has to change; nothing where the plan is refused."""
    from .emit.transaction import apply, locked  # noqa: PLC0415

    shown = str(out)
    with locked(out, note) as folder:
        found = _planned(plan)
        if is_refused(found):
            return 1
        apply(folder, found)
    return _written(shown, found) if found else _up_to_date(shown)


def _planned(plan: Plan) -> list[Change]:
    try:
        return plan()
    finally:
        console.clear_progress()


def _up_to_date(shown: str) -> int:
    say(f"{shown} is up to date")
    return 0


def _stale(shown: str, found: list[Change], causes: Sequence[str]) -> int:
    for change in found:
        say(f"{shown}/{change.path}: {change.state}")
    for cause in causes:
        say(cause)
    say(f"{len(found)} of the files in {shown} are not what the schema makes; run the command without --check")
    return 1


def _written(shown: str, found: list[Change]) -> int:
    removed = sum(change.text is None for change in found)
    written = len(found) - removed
    say(f"{shown}: {written} file{'' if written == 1 else 's'} written, {removed} removed")
    return 0


def _vendor(options: argparse.Namespace) -> int:
    from .vendor import coverage_hint, note_of, plan  # noqa: PLC0415

    if (options.extend and options.no_extend) or (options.stable and options.no_stable):
        raise InputError(str(options.dest), "an option and its opposite were both given")
    shown = str(options.dest)
    causes: list[str] = []
    migration: list[str] = []

    def planned() -> list[Change]:
        found = plan(
            options.dest,
            schema=options.schema,
            extend=[] if options.no_extend else options.extend,
            stable=options.stable or (False if options.no_stable else None),
            note=note,
            progress=console.progress,
        )
        causes.extend(f"{shown}: {cause}" for cause in found.causes)
        if not options.check:
            migration.extend(note_of(options.dest, found.changes))  # before anything is written
        return found.changes

    def is_refused(found: list[Change]) -> bool:
        return not options.force and _edited(shown, found)

    def told(code: int) -> int:
        if migration:
            say(f"{shown}: what this means for the project:")
        for line in migration:
            say(f"  {line}")
        return code

    if options.plan:
        return told(_foresee(options.dest, planned, causes))
    if options.check:
        return _look(options.dest, planned, causes=causes)
    hint = "" if options.dest.exists() else coverage_hint(options.dest)
    code = told(_bring_up_to_date(options.dest, planned, is_refused))
    if hint and code == 0:
        say(hint)
    return code


def _foresee(out: Path, plan: Plan, causes: Sequence[str]) -> int:
    """Say what an update would do; nothing is written, and nothing is wrong where there is something to do."""
    from .emit.transaction import settled  # noqa: PLC0415

    with settled(out, note) as is_whole:
        if not is_whole:
            say(f"{out}: a run that wrote here was interrupted; run the command that writes it again")
            return 1
        found = _planned(plan)
    if not found:
        return _up_to_date(str(out))
    for cause in causes:
        say(cause)
    removed = sum(change.text is None for change in found)
    say(
        f"{out}: {len(found) - removed} file{'' if len(found) - removed == 1 else 's'} would be written, {removed} removed"
    )
    return 0


def _edited(shown: str, found: list[Change]) -> bool:
    """Whether changes would undo what somebody wrote by hand; says so."""
    from .emit.write import diff  # noqa: PLC0415
    from .vendor import edited  # noqa: PLC0415

    by_hand = edited(found)
    for change in by_hand:
        say(f"{shown}/{change.path}: {change.state}; this would be lost:")
        put("".join(diff([change])))
    if by_hand:
        say("nothing was written: keep the edits elsewhere (a subclass, an extension), or go on with --force")
    return bool(by_hand)


def _schema(options: argparse.Namespace) -> int:
    from .document.extend import check_names  # noqa: PLC0415
    from .document.project import stable  # noqa: PLC0415
    from .emit.publish import publish  # noqa: PLC0415
    from .pipeline import default_schema, load_extended, read_extended  # noqa: PLC0415

    document = read_extended(options.schema or default_schema(), options.extend or ())
    check_names(document)
    schema = load_extended(document)
    if options.stable:
        document = stable(document)
        schema = load_extended(document)
    put(publish(document, schema, annotated=options.annotated), "json")
    return 0


def _annotate(options: argparse.Namespace) -> int:
    from .annotate import annotate_file  # noqa: PLC0415

    put(annotate_file(options.file, overlay=options.overlay, note=note), "json")
    return 0


def _diff(options: argparse.Namespace) -> int:
    from .check.command import compare_files  # noqa: PLC0415

    return _compared(
        options,
        lambda: compare_files(
            options.old,
            options.new,
            unstable=options.unstable,
            accepted=options.accepted,
            next_version=options.next_version,
            wires=options.format in DOCUMENTS,
        ),
    )


def _check(options: argparse.Namespace) -> int:
    from .check.command import check  # noqa: PLC0415

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
            note=note,
        ),
    )


def _compared(options: argparse.Namespace, compare: Callable[[], Outcome]) -> int:
    """Report what a comparison comes to; a program that asked for a document gets one, whatever happened."""
    from .findings.verdict import Gap, Outcome  # noqa: PLC0415

    try:
        outcome = compare()
    except CodegenError as error:
        if options.format not in ("text", "github"):
            _report(options, Outcome(gaps=(Gap(what=options.command, why=str(error)),)))
        raise
    _report(options, outcome)
    return _verdict(options, outcome).code


def _changelog(options: argparse.Namespace) -> int:
    from .check.changelog import changelog  # noqa: PLC0415
    from .findings.finding import Level  # noqa: PLC0415
    from .findings.pages import changelog_page  # noqa: PLC0415
    from .findings.review import review, step_json  # noqa: PLC0415

    steps = changelog(options.points, options.schema, accepted=options.accepted, unstable=options.unstable, note=note)
    reviews = [(step, review(step.outcome, step.outcome.verdict(Level.error).value)) for step in reversed(steps)]
    if options.format == "json":
        put("".join(step_json(step.old, step.new, found) for step, found in reviews), "json")
    else:
        put(changelog_page(reviews, options.format), options.format)
    return 3 if any(step.outcome.gaps for step in steps) else 0


def _sink(format_: str, *, colour: bool) -> str:
    return "coloured" if format_ == "text" and colour else format_


def _levels(options: argparse.Namespace) -> tuple[Level, Level | None]:
    """What fails a run, now and at completion."""
    from .findings.finding import Level  # noqa: PLC0415

    return Level[options.fail_on], Level[options.fail_on_completed] if options.fail_on_completed else None


def _verdict(options: argparse.Namespace, outcome: Outcome) -> Verdict:
    return outcome.verdict(*_levels(options))


def _report(options: argparse.Namespace, outcome: Outcome) -> None:
    from .check.rules import RULES  # noqa: PLC0415
    from .findings.report import FORMATS, render  # noqa: PLC0415

    if options.format not in FORMATS:
        put(_page(options, outcome), options.format)
        return
    source = outcome.sources.get if console.is_terminal() else None
    colour = console.has_colour()
    text = render(
        outcome.findings,
        options.format,
        rules=RULES,
        version=_version(),
        source=source,
        colour=colour,
        verdict=_verdict(options, outcome),
        gaps=outcome.gaps,
        against=outcome.against,
        release=outcome.release,
        exists=lambda name: Path(name).is_file(),
    )
    put(text, _sink(options.format, colour=colour))


def _page(options: argparse.Namespace, outcome: Outcome) -> str:
    """A report that is a document."""
    from .findings.pages import page  # noqa: PLC0415
    from .findings.review import review  # noqa: PLC0415

    found = review(outcome, _verdict(options, outcome).value, options.most)
    return page(
        found, options.format, version=_version(), fails=lambda finding: outcome.fails(finding, *_levels(options))
    )


def _validate(options: argparse.Namespace) -> int:
    from .findings.finding import Level  # noqa: PLC0415
    from .findings.report import in_text, render  # noqa: PLC0415
    from .pipeline import default_schema  # noqa: PLC0415
    from .validate.command import validate  # noqa: PLC0415
    from .validate.rules import CATALOGUE  # noqa: PLC0415

    colour = console.has_colour()
    collected: list[Finding] = []

    def emit(finding: Finding) -> None:
        # What is found is shown at once: a transcript may be longer than any list of its faults should be.
        console.clear_progress()
        if options.format == "text":
            put(in_text(finding, colour=colour), _sink("text", colour=colour))
        elif options.format == "sarif":
            collected.append(finding)
        else:
            put(render([finding], options.format, rules=CATALOGUE), options.format)

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
        put(render(collected, "sarif", rules=CATALOGUE, version=_version()), "sarif")
    show = put if options.format == "text" else console.note_lines
    show(summary.text())
    return 1 if summary.failed(Level[options.fail_on]) else 0


def _rules(_options: argparse.Namespace) -> int:
    from .check.explain import listing  # noqa: PLC0415

    put(listing())
    return 0


def _explain(options: argparse.Namespace) -> int:
    from .check.explain import explanation  # noqa: PLC0415

    put(explanation(options.rule))
    return 0
