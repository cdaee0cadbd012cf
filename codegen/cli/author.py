"""Commands for authors: `examples`, `rfd`, `keywords`, `lsp`, `import-extension`, and `migrate` for programs."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import click

from ..errors import InputError
from .commands import PACKAGE, SCHEMA
from .console import note, put, say
from .options import PATH, schema_option, schema_options, tool_version


@SCHEMA.command(
    writes_unless=(),
    example="acp-codegen examples\nacp-codegen examples --missing --write",
    exits={0: "listed or written", 1: "--missing: an example is missing"},
)
@schema_options("./schema.json")
@click.option("--missing", is_flag=True, help="Print the missing messages; exit with 1 if there are any.")
@click.option("--write", is_flag=True, help="With --missing: write them to their files.")
def examples(schema: Path | None, extend: Sequence[Path], missing: bool, write: bool) -> int:
    """List the example messages beside the schema, or write the missing ones.

    With --missing: the examples that `check` requires.
    """
    from ..check.parts.missing_examples import MESSAGES  # noqa: PLC0415
    from ..check.rfd import examples  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415
    from ..resources import resource  # noqa: PLC0415
    from ..write.directory import replace_file  # noqa: PLC0415

    path = default_schema() if extend and schema is None else _own_schema(schema)
    kept = path.parent / MESSAGES if path == resource("schema.json") else None  # the bundled examples
    if not missing:
        if write:
            raise InputError("--write", "requires --missing: it writes the missing examples")
        put(examples.listing(path, extend))
        return 0
    if write:
        for incomplete, text in examples.repaired(path, extend).items():
            if kept is None or not incomplete.is_relative_to(kept):
                replace_file(incomplete, text.encode())
                say(f"{incomplete}: required properties added")
    found = examples.lacking(path, extend)
    unknown = [each for each in found if not each.path]
    for each in unknown:
        note(f"{each}; cannot generate a message, so write one by hand")
    if not write:
        put("\n".join(examples.as_text(found)))
        return 1 if found else 0
    for file in examples.write(found):
        say(f"{file}: written")
    if not found:
        say("no example is missing")
    return 1 if unknown else 0


@SCHEMA.command(
    writes_unless=(),
    example="acp-codegen rfd\nacp-codegen rfd session-rename\nacp-codegen rfd new session-rename --side client\n"
    "acp-codegen rfd promote session-rename",
    exits={0: "shown or written"},
)
@click.argument("words", nargs=-1, metavar="[NAME | new NAME | promote NAME | withdraw NAME]")
@schema_option()
@click.option(
    "--json", is_flag=True, help="Print the title, stage and requirements of an RFD, or of all RFDs, as JSON."
)
@click.option("--title", default="", metavar="T", show_default="its name, in words", help="The title of the RFD.")
@click.option("--method", default="", metavar="PATH", show_default="made from the name", help="The method.")
@click.option("--side", type=click.Choice(("agent", "client")), default="agent", help="The side that implements it.")
@click.option("--notification", is_flag=True, help="A notification instead of a request.")
@click.option("--to", default="", metavar="STAGE", show_default="the next one", help="promote: the stage.")
def rfd(
    words: Sequence[str],
    schema: Path | None,
    json: bool,
    title: str,
    method: str,
    side: str,
    notification: bool,
    to: str,
) -> int:
    """List the RFDs of the schema, show one, or begin, promote or withdraw one.

    Without a name: all RFDs. With a name: its parts, its requirements, and the effect of promoting it. `new NAME`
    writes its text, its entry, a method with params, result and capability, its requirements, and examples.
    `promote NAME` moves it to the next stage. `withdraw NAME` removes it from schema, requirements, examples and the
    lock of names; one in preview becomes to-be-removed first. Both list the open tasks.
    """
    from ..check.rfd import moves  # noqa: PLC0415
    from ..check.rfd.examples import begin  # noqa: PLC0415
    from ..check.rfd.skeleton import planned  # noqa: PLC0415
    from ..check.rfd.status import as_json, describe, overview  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    if json and words[:1] in (("new",), ("promote",), ("withdraw",)):
        raise InputError("--json", f"has no effect with `{words[0]}`")
    if to and words[:1] != ("promote",):
        raise InputError("--to", "goes with `promote`")
    match words:
        case ["promote" | "withdraw" as move, name]:
            path = _own_schema(schema)
            moved = moves.promote(path, name, to) if move == "promote" else moves.withdraw(path, name)
            for done in moved.done:
                say(done)
            for due in moved.due:
                say(f"due: {due}")
        case ["new", name]:
            plan = planned(name, title=title, method=method, side=side, notification=notification)
            for file in begin(_own_schema(schema), plan):
                say(f"{file}: written")
            say("replace each TODO, add properties, then run: acp-codegen check")
        case ["new" | "promote" | "withdraw"] | [_, _, *_]:
            raise InputError(
                "rfd", "expected a name, or `new`, `promote` or `withdraw` and a name: acp-codegen rfd new NAME"
            )
        case names if json:
            put(as_json(schema or default_schema(), *names))
        case [name]:
            put(describe(schema or default_schema(), name))
        case _:
            put(overview(schema or default_schema()))
    return 0


@PACKAGE.command(
    writes_unless=(),
    extra="[migrate]",
    foreign=True,
    exclusive=("write", "untrusted"),
    example="acp-codegen migrate src/my_agent/*.py\nacp-codegen migrate --write --package my_agent.acp src/my_agent/*.py",
    exits={0: "everything is rewritten", 1: "some places need manual work"},
)
@click.argument("files", nargs=-1, required=True, type=PATH, metavar="FILE...")
@click.option("--package", default="acp_generated", metavar="NAME", help="The package to import.")
@click.option(
    "--python",
    default=sys.executable,
    show_default="the tool's own",
    metavar="PATH",
    help="The interpreter that has the programs' dependencies.",
)
@click.option("--write", is_flag=True, help="Change the files: all, or none.")
def migrate(files: Sequence[Path], package: str, python: str, write: bool) -> int:
    """Move programs from the official Python SDK to a generated package.

    Rewrites imports, names, handlers, helpers and calls. Shows a diff, checks the result, and lists the places that
    need manual work. Pass all files of a program together. Needs `pip install 'acp-codegen[migrate]'`.
    """
    from ..migrate.files import moved  # noqa: PLC0415

    found = moved(files, package, python)
    if write:
        found.write()
    for file in found.files:
        if not write:
            put(file.difference())
    for line in found.notes:
        note(line)
    for file in found.files:
        for remark in file.remarks:
            note(f"{file.path}:{remark.line}:{remark.column}: {remark.text}")
    return 1 if any(file.remarks for file in found.files) else 0


@SCHEMA.command(example="acp-codegen keywords > keywords.schema.json", exits={0: "printed"})
def keywords() -> int:
    """Print a JSON Schema of our keywords, for editors.

    It describes the keywords in schema.json and in extension documents. Editors that support JSON Schema complete them.
    """
    import json  # noqa: PLC0415

    from ..document.vocabulary import keyword_schema  # noqa: PLC0415

    put(json.dumps(keyword_schema(), indent=2) + "\n", "json")
    return 0


@click.command(
    cls=SCHEMA.command_class,
    interactive=True,
    extra="[lsp]",
    foreign=True,
    example="acp-codegen lsp",
    exits={0: "the editor ended it"},
)
def lsp() -> int:
    """Run the language server: findings as you type, explanations, completion, fixes.

    A language server for schema.json on standard input and output. Requires `pip install 'acp-codegen[lsp]'`.
    """
    from ..lsp.server import serve  # noqa: PLC0415

    serve(tool_version())
    return 0


if find_spec("..lsp", __package__) is not None:
    SCHEMA.add_command(lsp)


@SCHEMA.command(
    "import-extension",
    foreign=True,
    example="acp-codegen import-extension vendor.json > acme.json",
    exits={0: "printed"},
)
@click.argument("file", type=PATH)
@click.option("--vendor", metavar="KEY", show_default="the first segment of its methods", help="The vendor's key.")
@click.option("--title", metavar="T", show_default="the schema's", help="The extension's title.")
@schema_option()
def import_extension(file: Path, vendor: str | None, title: str | None, schema: Path | None) -> int:
    """Print a vendor's published schema of its own methods as an extension document.

    FILE is a schema whose methods have x-side and x-method, as in the protocol's schema. Pass the document to --extend.
    """
    from .. import import_extension  # noqa: PLC0415

    found = import_extension.import_extension(file, vendor=vendor, title=title, schema=schema, note=note)
    put(import_extension.text_of(found), "json")
    return 0


def _own_schema(given: Path | None) -> Path:
    """The schema to work on. The bundled schema is never edited."""
    path = given or Path("schema.json")
    if given is None and not path.exists():
        raise InputError(
            "schema.json", "does not exist in this directory; go to the clone, or pass the schema with --schema"
        )
    return path


@PACKAGE.command(
    "merge-lock",
    writes_unless=(),
    example="git config merge.names-lock.driver 'acp-codegen package merge-lock %O %A %B'",
    exits={0: "merged", 1: "conflicts remain: the branches gave one part different names, or two parts the same name"},
)
@click.argument("base", type=PATH)
@click.argument("ours", type=PATH)
@click.argument("theirs", type=PATH)
def merge_lock(base: Path, ours: Path, theirs: Path) -> int:
    """Merge locks of names, as a merge driver of git.

    OURS gets the names of both branches. BASE is the lock before them, and may be empty.
    """
    from ..document.read import read_bytes  # noqa: PLC0415
    from ..model.naming.lock import merged, parse_lock  # noqa: PLC0415
    from ..write.directory import replace_file  # noqa: PLC0415

    locks = [parse_lock(read_bytes(path), str(path)) for path in (base, ours, theirs)]
    lock, problems = merged(*locks)
    replace_file(ours, lock.text().encode())
    for problem in problems:
        say(f"{problem}; the current branch keeps its name")
    return 1 if problems else 0
