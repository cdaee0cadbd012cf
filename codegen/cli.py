"""The command line: arguments in, text and exit codes out; what happens in between is in `pipeline`.

Exit codes: 0 clean, 1 findings or stale files, 2 wrong usage, unreadable or unwritable files, internal errors.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from .errors import CodegenError, printable




def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "generate")
    options = _parser().parse_args(arguments)
    try:
        code: int = options.run(options)
        sys.stdout.flush()
    except CodegenError as error:
        print(error, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has left; there is nobody to tell.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 2
    except KeyboardInterrupt:
        print("interrupted; nothing was changed", file=sys.stderr)
        return 2
    except Exception as error:  # noqa: BLE001  # a traceback helps no user
        if os.environ.get("CODEGEN_DEBUG"):
            raise
        problem = f"{type(error).__name__}: {printable(str(error))}"
        print(f"internal error: {problem} (CODEGEN_DEBUG=1 shows where; please report it)", file=sys.stderr)
        return 2
    return code


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="acp-codegen",
        description="Turns schema.json into typed Python models, agent and client stubs, and the method table.",
        epilog="Without a command: generate. `acp-codegen COMMAND --help` tells what each takes.",
    )
    parser.add_argument("--version", action="version", version=f"acp-codegen {_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    source = argparse.ArgumentParser(add_help=False)
    source.add_argument("--schema", type=Path, metavar="F", help="the schema (default: ./schema.json, else the packaged one)")
    source.add_argument("--stable", action="store_true", help="only what is stable: no RFD that is not completed")

    generate = commands.add_parser("generate", parents=[source], help="write the package (the default command)")
    generate.add_argument("--bare", action="store_true", help="take nothing from our own schema that the given one lacks")
    generate.add_argument("--out", type=Path, default=Path("generated"), metavar="DIR", help="where to (default: ./generated)")
    mode = generate.add_mutually_exclusive_group()
    mode.add_argument("--check", action="store_true", help="write nothing; exit 1 and list the files if any is stale")
    mode.add_argument("--diff", action="store_true", help="write nothing; print a unified diff, exit 1 if there is any")
    generate.set_defaults(run=_generate)

    schema = commands.add_parser("schema", parents=[source], help="print the schema in its published form")
    schema.add_argument("--annotated", action="store_true", help="keep our own keywords (x-capability, x-rfd, ...)")
    schema.set_defaults(run=_schema)
    return parser


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("acp-codegen")
    except PackageNotFoundError:
        return "(not installed)"


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text} ...", end="", file=sys.stderr, flush=True)


def _clear_progress() -> None:
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _generate(options: argparse.Namespace) -> int:
    from .pipeline import default_schema, generate  # noqa: PLC0415

    path = options.schema or default_schema()
    try:
        found = generate(
            path, options.out, stable=options.stable, bare=options.bare, note=_note, progress=_progress
        )
    finally:
        _clear_progress()
    shown = printable(str(options.out))
    if not found:
        if not options.diff:
            print(f"{shown} is up to date")
        return 0
    from .emit.write import apply, diff  # noqa: PLC0415

    if options.check:
        for change in found:
            print(f"{shown}/{change.path}: {change.state}")
        print(f"{len(found)} of the files in {shown} are not what the schema makes; run the command without --check")
        return 1
    if options.diff:
        sys.stdout.writelines(diff(found))
        return 1
    apply(options.out, found)
    removed = sum(change.text is None for change in found)
    print(f"{shown}: {len(found) - removed} files written, {removed} removed")
    return 0


def _schema(options: argparse.Namespace) -> int:
    from .pipeline import default_schema  # noqa: PLC0415
    from .schema.load import load  # noqa: PLC0415
    from .schema.project import stable  # noqa: PLC0415
    from .schema.publish import publish  # noqa: PLC0415
    from .schema.read import read  # noqa: PLC0415

    document = read(options.schema or default_schema())
    load(document)
    if options.stable:
        document = stable(document)
    schema, _ = load(document)
    sys.stdout.write(publish(document, schema, annotated=options.annotated))
    return 0
