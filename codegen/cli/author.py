"""Commands for authors: `examples`, `rfd`, `keywords`, `lsp` for RFDs, `migrate` for programs. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ..errors import InputError
from .console import note, put, say
from .options import tool_version


def add_author(commands: Any) -> None:
    """Add the commands to those of the command line."""
    examples = commands.add_parser(
        "examples",
        help="list the example messages beside the schema, or write those that are missing",
        description="Lists the example messages beside a schema. With --missing: those that `check` asks for.",
    )
    examples.add_argument("--schema", type=Path, metavar="F", help="the schema (default: ./schema.json)")
    examples.add_argument(
        "--extend", type=Path, action="append", metavar="F", help="an extension document, applied to the schema"
    )
    examples.add_argument(
        "--missing", action="store_true", help="print the messages that are missing; exit 1 if any is"
    )
    examples.add_argument("--write", action="store_true", help="with --missing: write them to their files")
    examples.set_defaults(run=_examples)

    rfd = commands.add_parser(
        "rfd",
        usage="acp-codegen rfd [-h] [--schema F] [--json] [NAME | new NAME [--title T] [--method PATH] [--side S] [--notification]]",
        help="list the RFDs of the schema, show what one adds and what promoting it means, or begin a new one",
        description="Without a name: all RFDs. With one: what it adds, what it requires, and what promoting it means. `new NAME` begins one: it "
        "writes its entry, a method with params, result and capability, and their examples.",
    )
    rfd.add_argument("words", nargs="*", metavar="[NAME | new NAME]")
    rfd.add_argument(
        "--schema", type=Path, metavar="F", help="the schema (default: ./schema.json, else the packaged one)"
    )
    rfd.add_argument("--json", action="store_true", help="title, stage and requirements of the RFD, or of all, as JSON")
    rfd.add_argument("--title", default="", metavar="T", help="what the RFD is called (default: its name, in words)")
    rfd.add_argument("--method", default="", metavar="PATH", help="the method (default: made from the name)")
    rfd.add_argument("--side", default="agent", choices=("agent", "client"), help="who implements it (default: agent)")
    rfd.add_argument("--notification", action="store_true", help="a notification instead of a request")
    rfd.set_defaults(run=_rfd)

    migrate = commands.add_parser(
        "migrate",
        help="move programs from the official Python SDK to a generated package",
        description="Rewrites programs that use the official Python SDK: imports, names, handlers, helpers, calls. Shows what would "
        "change; --write changes the files. Lists what is left to you with file and line, and exits with 1 if anything is. Needs "
        "`pip install 'acp-codegen[migrate]'`.",
    )
    migrate.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a program")
    migrate.add_argument(
        "--package", default="acp_generated", metavar="NAME", help="the package to import (default: acp_generated)"
    )
    migrate.add_argument("--write", action="store_true", help="change the files")
    migrate.set_defaults(run=_migrate, writes_unless=())

    keywords = commands.add_parser(
        "keywords",
        help="print a JSON Schema of our keywords, for editors",
        description="Prints a JSON Schema of the keywords in schema.json and in extension documents. An editor that knows JSON "
        "Schema then completes and describes them.",
    )
    keywords.set_defaults(run=_keywords)
    if find_spec("..lsp", __package__) is not None:
        lsp = commands.add_parser(
            "lsp",
            help="serve an editor: findings as you type, explanations, completion, fixes",
            description="A language server for schema.json on standard input and output. Needs `pip install 'acp-codegen[lsp]'`.",
        )
        lsp.set_defaults(run=_lsp)


def _migrate(options: argparse.Namespace) -> int:
    from ..migrate.files import moved  # noqa: PLC0415

    files = [moved(path, options.package) for path in options.files]
    for file in files:
        if options.write:
            file.write()
        else:
            put(file.difference())
    for file in files:
        for remark in file.remarks:
            note(f"{file.path}:{remark.line}: {remark.text}")
    return 1 if any(file.remarks for file in files) else 0


def _keywords(_options: argparse.Namespace) -> int:
    import json  # noqa: PLC0415

    from ..document.vocabulary import keyword_schema  # noqa: PLC0415

    put(json.dumps(keyword_schema(), indent=2) + "\n", "json")
    return 0


def _lsp(_options: argparse.Namespace) -> int:
    from ..lsp.server import serve  # noqa: PLC0415

    serve(tool_version())
    return 0


def _own_schema(options: argparse.Namespace) -> Path:
    """The schema that is to be worked on; never the packaged one."""
    path: Path = options.schema or Path("schema.json")
    if options.schema is None and not path.exists():
        raise InputError("schema.json", "is not in this directory; name the schema with --schema")
    return path


def _rfd(options: argparse.Namespace) -> int:
    from ..check.rfd.status import as_json, describe, overview  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    if options.json and options.words[:1] == ["new"]:
        raise InputError("--json", "does not go with `new`")
    match options.words:
        case ["new", name]:
            return _new(options, name)
        case ["new"] | [_, _, *_]:
            raise InputError("rfd", "takes one name, or `new` and one: acp-codegen rfd new session-rename")
        case names if options.json:
            put(as_json(options.schema or default_schema(), *names))
        case [name]:
            put(describe(options.schema or default_schema(), name))
        case _:
            put(overview(options.schema or default_schema()))
    return 0


def _new(options: argparse.Namespace, name: str) -> int:
    from ..check.rfd.examples import begin  # noqa: PLC0415
    from ..check.rfd.skeleton import planned  # noqa: PLC0415

    plan = planned(
        name, title=options.title, method=options.method, side=options.side, notification=options.notification
    )
    for file in begin(_own_schema(options), plan):
        say(f"{file}: written")
    say("write what is still to be described, add properties, then: acp-codegen check")
    return 0


def _examples(options: argparse.Namespace) -> int:
    from ..check.rfd.examples import as_text, lacking, listing, write  # noqa: PLC0415

    path, extend = _own_schema(options), options.extend or ()
    if not options.missing:
        if options.write:
            raise InputError("--write", "goes with --missing: it writes the examples that are missing")
        put(listing(path, extend))
        return 0
    found = lacking(path, extend)
    unknown = [each for each in found if not each.path]
    for each in unknown:
        note(f"{each}; write one by hand, no message was found that does")
    if not options.write:
        put("\n".join(as_text(found)))
        return 1 if found else 0
    for file in write(found):
        say(f"{file}: written")
    if not found:
        say("no example is missing")
    return 1 if unknown else 0
