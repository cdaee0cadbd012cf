"""Commands that write: `generate`, `vendor`, `schema`, `openrpc`, `annotate` and `new`. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..emit.parts import EVERY, PARTS, parse_parts
from ..errors import InputError
from . import console
from .console import note, put, say
from .options import add_schema, path_argument

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ..document.read import Document
    from ..model.nodes.types import Schema
    from ..write.diff import Change

    Plan = Callable[[], list[Change]]

STARTERS = ("agent", "client")
"""What `new` can begin: the folders of `examples/starters`."""
STARTER_PARTS = ("testing",)
"""The parts that starters use."""


def add_package(commands: Any) -> None:
    """Add the commands to those of the command line. A run changes files unless it has a flag of `writes_unless`."""
    source = console.Parser(add_help=False)
    add_schema(source)
    source.add_argument("--stable", action="store_true", help="leave out RFDs that are not completed")

    generate = commands.add_parser("generate", parents=[source], help="write the package (the default command)")
    generate.add_argument(
        "--bare",
        action="store_true",
        help="don't fill gaps in the schema from the annotation documents (see `acp-codegen annotate`)",
    )
    generate.add_argument(
        "--out", type=path_argument, default=Path("generated"), metavar="DIR", help="the target (default: ./generated)"
    )
    mode = generate.add_mutually_exclusive_group()
    mode.add_argument(
        "--check", action="store_true", help="write nothing; list stale files and exit 1 if there are any"
    )
    mode.add_argument(
        "--diff", action="store_true", help="write nothing; print a unified diff and exit 1 if it isn't empty"
    )
    generate.set_defaults(run=_generate, writes_unless=("check", "diff"))

    schema = commands.add_parser("schema", parents=[source], help="print the schema in its published form")
    schema.add_argument("--annotated", action="store_true", help="keep our own keywords (x-capability, x-rfd, ...)")
    schema.set_defaults(run=_schema)

    openrpc = commands.add_parser(
        "openrpc",
        parents=[source],
        help="print the method table as an OpenRPC document, for tools of other ecosystems",
        description="Prints an OpenRPC document with the methods, their types, errors and examples. `x-side` says who implements a method.",
    )
    openrpc.add_argument("--side", default="", metavar="S", help="only the methods that one side implements")
    openrpc.set_defaults(run=_openrpc)

    annotate = commands.add_parser(
        "annotate",
        help="print a published schema completed with gates, the handshake, cancellation, ordering and sessions",
        description="Published schemas lack the keywords for gates, the handshake, cancellation, ordering and sessions. "
        "This prints FILE with them.",
    )
    annotate.add_argument("file", type=path_argument, metavar="FILE", help="a schema")
    annotate.add_argument("--overlay", action="store_true", help="print only what is added, as an extension document")
    annotate.set_defaults(run=_annotate)

    vendor = commands.add_parser(
        "vendor", parents=[source], help="write the package into your own source tree, or update it there"
    )
    vendor.add_argument(
        "dest", type=path_argument, metavar="DEST", help="the directory of the package; you choose its name"
    )
    vendor.add_argument("--no-extend", action="store_true", help="drop the extensions of the previous run")
    vendor.add_argument(
        "--on",
        metavar="PACKAGE",
        help="only add what the extensions bring to another package, by its import name ('' for a package of its own again)",
    )
    vendor.add_argument("--no-stable", action="store_true", help="drop the --stable of the previous run")
    _add_parts(vendor, "default: none, or those of the previous run")
    vendor.add_argument(
        "--without",
        action="append",
        default=[],
        metavar="PART[,PART...]",
        help="remove parts that the previous run wrote",
    )
    mode = vendor.add_mutually_exclusive_group()
    mode.add_argument(
        "--check", action="store_true", help="write nothing; list stale files and exit 1 if there are any"
    )
    mode.add_argument("--plan", action="store_true", help="write nothing; say what an update means for your project")
    mode.add_argument("--force", action="store_true", help="overwrite files even if they were edited by hand")
    vendor.set_defaults(run=_vendor, writes_unless=("check", "plan"))

    new = commands.add_parser(
        "new",
        help="begin a project: an agent or a client, with the package, a test and the wiring for editors",
        description="Writes a small project into DIR, which must be empty or not exist. Its test passes as it is.",
    )
    new.add_argument("kind", choices=STARTERS, metavar="KIND", help=f"what to begin: {' or '.join(STARTERS)}")
    new.add_argument("target", type=path_argument, metavar="DIR", help="the directory; its name is that of the package")
    _add_parts(new, f"besides {', '.join(STARTER_PARTS)}, which its test uses")
    new.set_defaults(run=_new, writes_unless=())


def _add_parts(parser: Any, default: str) -> None:
    parser.add_argument(
        "--with",
        action="append",
        default=[],
        dest="add",
        metavar="PART[,PART...]",
        help=f"add parts to the package: {', '.join(PARTS)}, or {EVERY} ({default})",
    )


# --- generate --------------------------------------------------------------------------------------------------------


def _generate(options: argparse.Namespace) -> int:
    from ..pipeline import default_schema, generate, read_source  # noqa: PLC0415

    path = options.schema or default_schema()

    def plan() -> list[Change]:
        source = read_source(path, options.extend or (), stable=options.stable, bare=options.bare)
        return generate(source, options.out, refuse=_refuse, note=note, progress=console.progress)

    if options.check or options.diff:
        return look(options.out, plan, with_text=options.diff)
    return bring_up_to_date(options.out, plan)


def _refuse(document: Document, schema: Schema | None) -> None:
    """Raise SchemaError for what blocks generation; only extensions can bring any of it, so other runs import no checks."""
    from ..document.extend import Extended  # noqa: PLC0415

    if isinstance(document, Extended):
        from ..check.lint.generate_errors import refuse  # noqa: PLC0415

        refuse(document, schema)


def look(out: Path, plan: Plan, *, with_text: bool = False, causes: Sequence[str] = ()) -> int:
    """Report what would change; writes nothing."""
    from ..write.diff import diff  # noqa: PLC0415
    from ..write.transaction import settled  # noqa: PLC0415

    shown = str(out)
    with settled(out, note) as is_whole:
        if not is_whole:
            say(f"{shown}: an earlier run was interrupted while it wrote here; run that command again")
            return 1
        found = _planned(plan)
    if with_text:
        put("".join(diff(found)))
        return 1 if found else 0
    return _stale(shown, found, causes) if found else _up_to_date(shown)


def bring_up_to_date(out: Path, plan: Plan, is_refused: Callable[[list[Change]], bool] = lambda _: False) -> int:
    """Make the changes, or none if they are refused."""
    from ..write.transaction import apply, locked  # noqa: PLC0415

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


# --- vendor ----------------------------------------------------------------------------------------------------------


def _vendor(options: argparse.Namespace) -> int:
    from ..vendor import coverage_hint, note_of, plan  # noqa: PLC0415

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
            on=options.on,
            add_parts=options.add,
            drop_parts=options.without,
            refuse=_refuse,
            note=note,
            progress=console.progress,
        )
        causes.extend(f"{shown}: {cause}" for cause in found.causes)
        if not options.check and found.is_alike:
            migration.extend(note_of(options.dest, found))  # before anything is written
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
        return look(options.dest, planned, causes=causes)
    hint = "" if options.dest.exists() else coverage_hint(options.dest)
    code = told(bring_up_to_date(options.dest, planned, is_refused))
    if hint and code == 0:
        say(hint)
    return code


def _new(options: argparse.Namespace) -> int:
    from ..scaffold import begin  # noqa: PLC0415
    from ..vendor import plan  # noqa: PLC0415

    parts = sorted({*STARTER_PARTS} | parse_parts("--with", options.add))

    def planned(dest: Path) -> list[Change]:
        return plan(dest, add_parts=parts, refuse=_refuse, note=note, progress=console.progress).changes

    def vendored(dest: Path) -> None:
        from ..write.transaction import apply, locked  # noqa: PLC0415

        dest.mkdir(parents=True)
        with locked(dest, note) as folder:
            apply(folder, _planned(lambda: planned(dest)))

    for file in begin(options.kind, options.target, vendored):
        say(f"{options.target}/{file}: written")
    say(f"{options.target}/README.md lists the next steps")
    return 0


def _foresee(out: Path, plan: Plan, causes: Sequence[str]) -> int:
    """Report what an update would do; writes nothing, and pending changes are no failure."""
    from ..write.transaction import settled  # noqa: PLC0415

    with settled(out, note) as is_whole:
        if not is_whole:
            say(f"{out}: an earlier run was interrupted while it wrote here; run that command again")
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
    """Whether changes would overwrite edits by hand; reports them if so."""
    from ..vendor import edited  # noqa: PLC0415
    from ..write.diff import diff  # noqa: PLC0415

    by_hand = edited(found)
    for change in by_hand:
        say(f"{shown}/{change.path}: {change.state}; this would be lost:")
        put("".join(diff([change])))
    if by_hand:
        say("nothing was written: move the edits elsewhere (a subclass, an extension), or overwrite them with --force")
    return bool(by_hand)


# --- schema, annotate ------------------------------------------------------------------------------------------------


def _schema(options: argparse.Namespace) -> int:
    from ..document.extend import check_names  # noqa: PLC0415
    from ..document.projection import stable  # noqa: PLC0415
    from ..pipeline import default_schema, load_extended, read_extended  # noqa: PLC0415
    from ..publish.published_schema import publish  # noqa: PLC0415

    document = read_extended(options.schema or default_schema(), options.extend or ())
    check_names(document)
    if options.stable:
        document = stable(document)
    put(publish(document, load_extended(document), annotated=options.annotated), "json")
    return 0


def _openrpc(options: argparse.Namespace) -> int:
    from ..check.lint.lint import examples_by_definition  # noqa: PLC0415
    from ..document.annotations import annotated  # noqa: PLC0415
    from ..document.extend import check_names  # noqa: PLC0415
    from ..document.projection import stable  # noqa: PLC0415
    from ..pipeline import default_schema, load_extended, read_extended  # noqa: PLC0415
    from ..publish.openrpc import openrpc  # noqa: PLC0415

    path = options.schema or default_schema()
    document = read_extended(path, options.extend or ())
    check_names(document)
    document = annotated(document)
    if options.stable:
        document = stable(document)
    schema = load_extended(document)
    sides = sorted({method.side for method in schema.methods})
    if options.side and options.side not in sides:
        raise InputError(options.side, f"is not a side of this schema; its sides are {', '.join(sides)}")
    examples = examples_by_definition(path.parent / "examples" / "messages", schema)
    put(openrpc(document, schema, examples, side=options.side), "json")
    return 0


def _annotate(options: argparse.Namespace) -> int:
    from ..annotate import annotate_file  # noqa: PLC0415

    put(annotate_file(options.file, overlay=options.overlay, note=note), "json")
    return 0
