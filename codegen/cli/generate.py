"""Commands that write: `generate`, `vendor`, `schema`, `openrpc`, `annotate` and `new`. Arguments in, text and exit
codes out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import click

from ..emit.parts import EVERY, PARTS, parse_parts
from ..errors import InputError
from . import console
from .commands import PACKAGE, SCHEMA, Group
from .console import note, put, say
from .options import PATH, check_option, schema_option, schema_options, stable_option

if TYPE_CHECKING:
    from ..document.read import Document
    from ..model.nodes.types import Schema
    from ..write.diff import Change

    Plan = Callable[[], list[Change]]

STARTERS = ("agent", "client")
"""The folders of `examples/starters` that `new` supports."""
STARTER_PARTS = ("testing",)
"""The parts of the starters' packages."""


def with_option(default: str) -> Callable[[Any], Any]:
    """The option that adds parts to a package."""
    parts = f"Add parts to the package: {', '.join(PARTS)}, or {EVERY}. {default}"
    return click.option("--with", "add", multiple=True, metavar="PART[,PART...]", help=parts)


def runtime_option(default: str) -> Callable[[Any], Any]:
    """The option that selects the vendored or the installed runtime."""
    told = f"Copy the runtime into the package, or use the distribution acp-runtime. {default}"
    return click.option("--runtime", type=click.Choice(("copied", "installed")), help=told)


# --- generate --------------------------------------------------------------------------------------------------------


@PACKAGE.command(
    writes_unless=("check", "diff"),
    exclusive=("check", "diff"),
    foreign=True,
    target="out",
    example="acp-codegen\nacp-codegen generate --schema schema.json --out generated\nacp-codegen generate --check",
    exits={0: "written, or up to date", 1: "--check and --diff: files are stale"},
)
@schema_options()
@stable_option
@click.option("--bare", is_flag=True, help="Do not complete the schema from annotations (see `acp-codegen annotate`).")
@runtime_option("The default is copied.")
@click.option("--out", type=PATH, default="generated", metavar="DIR", help="The target.")
@check_option
@click.option(
    "--diff", is_flag=True, help="Write nothing; print a unified diff and exit with 1 if there is a difference."
)
def generate(
    schema: Path | None, extend: Sequence[Path], runtime: str | None, out: Path, check: bool, diff: bool, **flags: bool
) -> int:
    """Generate the package (the default command)."""
    from .. import pipeline  # noqa: PLC0415

    path = schema or pipeline.default_schema()

    def plan() -> list[Change]:
        source = pipeline.read_source(path, extend, installed=runtime == "installed", **flags)
        return pipeline.generate(source, out, refuse=_refuse, note=note, progress=console.progress)

    return look(out, plan, with_text=diff) if check or diff else bring_up_to_date(out, plan)


def _refuse(document: Document, schema: Schema | None) -> None:
    """Raise SchemaError for errors that block generation. Only extensions have such errors, so other runs import no
    checks.
    """
    from ..document.extend import Extended  # noqa: PLC0415

    if isinstance(document, Extended):
        from ..check.lint.generate_errors import refuse  # noqa: PLC0415

        refuse(document, schema)


def look(out: Path, plan: Plan, *, with_text: bool = False, causes: Sequence[str] = (), is_failure: bool = True) -> int:
    """Report the pending changes without writing. With `is_failure`, they set the exit code."""
    from ..write.diff import diff  # noqa: PLC0415
    from ..write.transaction import settled  # noqa: PLC0415

    shown = str(out)
    with settled(out, note) as is_whole:
        if not is_whole:
            say(f"{shown}: an earlier run was interrupted while it wrote to this directory; run that command again")
            return 1
        found = _planned(plan)
    if with_text:
        put("".join(diff(found)))
        return 1 if found else 0
    if not found:
        return _up_to_date(shown)
    for change in found if is_failure else ():
        say(f"{shown}/{change.path}: {change.state}")
    for cause in causes:
        say(cause)
    if is_failure:
        say(f"{len(found)} files in {shown} are out of date; run the command without --check")
        return 1
    say(f"{shown}: {_count(found, 'would be written')}")
    return 0


def bring_up_to_date(out: Path, plan: Plan, is_refused: Callable[[list[Change]], bool] = lambda _: False) -> int:
    """Make the changes, or none if `is_refused` returns True."""
    from ..write.transaction import apply, locked  # noqa: PLC0415

    shown = str(out)
    with locked(out, note) as folder:
        found = _planned(plan)
        if is_refused(found):
            return 1
        apply(folder, found)
    if not found:
        return _up_to_date(shown)
    say(f"{shown}: {_count(found, 'written')}")
    return 0


def _planned(plan: Plan) -> list[Change]:
    try:
        return plan()
    finally:
        console.clear_progress()


def _up_to_date(shown: str) -> int:
    say(f"{shown} is up to date")
    return 0


def _count(found: list[Change], done: str) -> str:
    removed = sum(change.text is None for change in found)
    written = len(found) - removed
    return f"{written} file{'' if written == 1 else 's'} {done}, {removed} removed"


# --- vendor ----------------------------------------------------------------------------------------------------------


@PACKAGE.command(
    writes_unless=("check", "plan"),
    exclusive=("check", "plan", "force"),
    example="acp-codegen vendor src/my_app/acp\nacp-codegen vendor src/my_app/acp --with testing\n"
    "acp-codegen vendor src/my_app/acp --plan",
    exits={0: "written, or up to date", 1: "--check: files are stale; without it: manual edits would be lost"},
)
@click.argument("dest", type=PATH)
@schema_options()
@stable_option
@click.option("--no-extend", is_flag=True, help="Drop the extensions of the previous run.")
@click.option(
    "--on",
    metavar="PACKAGE",
    help="Write only the additions of the extensions to the package with this import name ('' restores a complete package).",
)
@click.option("--no-stable", is_flag=True, help="Undo --stable of the previous run.")
@with_option("The default is none, or the parts of the previous run.")
@click.option("--without", multiple=True, metavar="PART[,PART...]", help="Remove parts that the previous run wrote.")
@click.option(
    "--models",
    type=click.Choice(("msgspec", "pydantic")),
    help="pydantic: add the types as pydantic models (the part pydantic_models). msgspec: remove them.",
)
@runtime_option("The default is copied, or the choice of the previous run.")
@check_option
@click.option("--plan", is_flag=True, help="Write nothing; show the effects of an update on your project.")
@click.option("--force", is_flag=True, help="Overwrite files even if they contain manual edits.")
@click.option(
    "--resolve",
    is_flag=True,
    help="After a merge with conflicts: combine the extensions of both branches and write all files.",
)
def vendor(dest: Path, **given: Any) -> int:
    """Write the package into your own source tree, or update it there.

    DEST is the directory of the package. You choose its name.
    """
    from ..vendor import coverage_hint, note_of, plan  # noqa: PLC0415

    options = SimpleNamespace(**given)
    if (options.extend and options.no_extend) or (options.stable and options.no_stable):
        raise InputError(str(dest), "an option and its opposite cannot be combined")
    shown = str(dest)
    causes: list[str] = []
    migration: list[str] = []

    def planned() -> list[Change]:
        found = plan(
            dest,
            schema=options.schema,
            extend=[] if options.no_extend else options.extend or None,
            stable=options.stable or (False if options.no_stable else None),
            on=options.on,
            add_parts=(*options.add, *(["pydantic_models"] if options.models == "pydantic" else ())),
            drop_parts=(*options.without, *(["pydantic_models"] if options.models == "msgspec" else ())),
            installed=options.runtime and options.runtime == "installed",
            resolve=options.resolve,
            refuse=_refuse,
            note=note,
            progress=console.progress,
        )
        causes.extend(f"{shown}: {cause}" for cause in found.causes)
        if not options.check and found.is_alike:
            migration.extend(note_of(dest, found))  # before anything is written
        return found.changes

    def is_refused(found: list[Change]) -> bool:
        return not (options.force or options.resolve) and _edited(shown, found)

    def told(code: int) -> int:
        if migration:
            say(f"{shown}: effects on the project:")
        for line in migration:
            say(f"  {line}")
        return code

    if options.plan:
        return told(look(dest, planned, causes=causes, is_failure=False))
    if options.check:
        return look(dest, planned, causes=causes)
    hint = "" if dest.exists() else coverage_hint(dest)
    code = told(bring_up_to_date(dest, planned, is_refused))
    if hint and code == 0:
        say(hint)
    return code


@PACKAGE.group("new", cls=Group)
def new() -> None:
    """Create a project for an agent or a client, or an extension document."""


def _starter(kind: str) -> None:
    begins = f"Create a project for {'an' if kind[0] in 'aeiou' else 'a'} {kind} in DIR: the package, a test and the configuration for editors."

    @new.command(kind, help=begins, writes_unless=(), example=f"acp-codegen new {kind} my-{kind}", exits={0: "written"})
    @click.argument("target", type=PATH, metavar="DIR")
    @with_option(f"{', '.join(STARTER_PARTS)} is always included, because the test uses it.")
    @click.option("--installed", is_flag=True, help="Depend on the distribution acp-generated instead of a copy.")
    def start(target: Path, add: Sequence[str], installed: bool) -> int:
        return _new(kind, target, add, installed=installed)


for _kind in STARTERS:
    _starter(_kind)


@new.command(
    writes_unless=(),
    example="acp-codegen new extension _acme/review/start\nacp-codegen check --extend acme.json",
    exits={0: "written"},
)
@click.argument("method")
@schema_option()
@click.option("--side", type=click.Choice(("agent", "client")), default="agent", help="Who implements the method.")
@click.option("--notification", is_flag=True, help="A notification instead of a request.")
@click.option("--out", type=PATH, metavar="F", show_default="the vendor's key, .json", help="The document.")
def extension(method: str, schema: Path | None, side: str, notification: bool, out: Path | None) -> int:
    """Create an extension: a document with METHOD, its params, result and capability, and example messages.

    If the document exists, add METHOD to it. METHOD starts with an underscore and the vendor's key: _acme/review/start.
    """
    from ..check.rfd.examples import begin_extension  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    target = out or Path(f"{method[1:].partition('/')[0]}.json")
    for file in begin_extension(schema or default_schema(), target, method, side, notification=notification):
        say(f"{file}: written")
    say(f"replace each TODO, add properties, then run: acp-codegen check --extend {target}")
    return 0


def _new(kind: str, target: Path, add: Sequence[str], *, installed: bool) -> int:
    from ..scaffold import begin  # noqa: PLC0415
    from ..vendor import plan  # noqa: PLC0415

    parts = sorted({*STARTER_PARTS} | parse_parts("--with", add))
    if installed and add:
        raise InputError(
            "--with", "adds parts to a copy of the package, but acp-generated (--installed) already has all parts"
        )

    def planned(dest: Path) -> list[Change]:
        return plan(dest, add_parts=parts, refuse=_refuse, note=note, progress=console.progress).changes

    def vendored(dest: Path) -> None:
        from ..write.transaction import apply, locked  # noqa: PLC0415

        dest.mkdir(parents=True)
        with locked(dest, note) as folder:
            apply(folder, _planned(lambda: planned(dest)))

    for file in begin(kind, target, None if installed else vendored):
        say(f"{target}/{file}: written")
    say(f"{target}/README.md lists the next steps")
    return 0


def _edited(shown: str, found: list[Change]) -> bool:
    """Report changes that would overwrite manual edits, and return whether there are any."""
    from ..vendor import edited  # noqa: PLC0415
    from ..write.diff import diff  # noqa: PLC0415

    by_hand = edited(found)
    for change in by_hand:
        say(f"{shown}/{change.path}: {change.state}; these edits would be lost:")
        put("".join(diff([change])))
    if by_hand:
        say("nothing was written: move the edits to a subclass or an extension, or overwrite them with --force")
    return bool(by_hand)


# --- schema, annotate ------------------------------------------------------------------------------------------------


@SCHEMA.command(
    "print",
    exclusive=("annotated", "normalised"),
    example="acp-codegen schema --stable > published.json",
    exits={0: "printed"},
)
@schema_options()
@stable_option
@click.option("--annotated", is_flag=True, help="Keep our own keywords (x-capability, x-rfd, ...).")
@click.option("--normalised", is_flag=True, help="Resolve and name every type, for code generators of other languages.")
def schema_(schema: Path | None, extend: Sequence[Path], stable: bool, annotated: bool, normalised: bool) -> int:
    """Print the schema in its published form (the default of `schema`)."""
    if normalised:
        put(_normalised(schema, extend, stable=stable), "json")
        return 0
    from ..document import projection  # noqa: PLC0415
    from ..document.extend import check_names  # noqa: PLC0415
    from ..pipeline import default_schema, load_extended, read_extended  # noqa: PLC0415
    from ..publish.published_schema import publish  # noqa: PLC0415

    document = read_extended(schema or default_schema(), extend)
    check_names(document)
    if stable:
        document = projection.stable(document)
    put(publish(document, load_extended(document), annotated=annotated), "json")
    return 0


def _normalised(schema: Path | None, extend: Sequence[Path], *, stable: bool) -> str:
    from ..document.extend import check_names  # noqa: PLC0415
    from ..model.naming.lock import parse_lock  # noqa: PLC0415
    from ..pipeline import default_schema, load_shapes, read_extended, read_lock  # noqa: PLC0415
    from ..publish.normalised_schema import normalised_schema  # noqa: PLC0415
    from ..shape.package import package  # noqa: PLC0415

    path = schema or default_schema()
    document = read_extended(path, extend)
    check_names(document)
    lock = parse_lock(read_lock(path), f"{path}: its lock")
    found = load_shapes(document, stable=stable, bare=False, note=note, lock=lock)
    return normalised_schema(package(found.schema, found.shapes))


@SCHEMA.command(example="acp-codegen openrpc --side agent > agent.openrpc.json", exits={0: "printed"})
@schema_options()
@stable_option
@click.option("--side", default="", metavar="S", help="Only the methods that one side implements.")
def openrpc(schema: Path | None, extend: Sequence[Path], stable: bool, side: str) -> int:
    """Print the method table as an OpenRPC document, for tools of other ecosystems.

    The document has the methods, their types, errors and examples. `x-side` names the side that implements a method.
    """
    from ..check.lint.lint import examples_by_definition  # noqa: PLC0415
    from ..document import projection  # noqa: PLC0415
    from ..document.annotations import annotated  # noqa: PLC0415
    from ..document.extend import check_names  # noqa: PLC0415
    from ..pipeline import default_schema, load_extended, read_extended  # noqa: PLC0415
    from ..publish import openrpc  # noqa: PLC0415

    path = schema or default_schema()
    document = read_extended(path, extend)
    check_names(document)
    document = annotated(document)
    if stable:
        document = projection.stable(document)
    loaded = load_extended(document)
    sides = sorted({method.side for method in loaded.methods})
    if side and side not in sides:
        raise InputError(side, f"is not a side of this schema; expected {', '.join(sides)}")
    examples = examples_by_definition(path.parent / "examples" / "messages", loaded)
    put(openrpc.openrpc(document, loaded, examples, side=side), "json")
    return 0


@SCHEMA.command(example="acp-codegen annotate published.json > schema.json", exits={0: "printed"})
@click.argument("file", type=PATH)
@click.option("--overlay", is_flag=True, help="Print only the additions, as an extension document.")
def annotate(file: Path, overlay: bool) -> int:
    """Add the keywords for gates, the handshake, cancellation, ordering and sessions to a published schema.

    Prints the result. FILE is a published schema, which lacks these keywords.
    """
    from ..annotate import annotate_file  # noqa: PLC0415

    put(annotate_file(file, overlay=overlay, note=note), "json")
    return 0
