"""Arguments and exit codes: 0 all went well, 1 the agent failed or cannot do it, 2 wrong usage, 130 interrupted.

Imports nothing that is slow or may be missing: `acp-codegen --help` reads this module, too.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import os
import shlex
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from acp_tools import codegen_api

__all__ = ["add", "main"]

NAME = "acp-browse"
_DOES = "browse the sessions of any agent in the terminal"
_EXTRA = "`pip install 'acp-codegen[browse]'`"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; its exit code."""
    parser = argparse.ArgumentParser(prog=NAME, **_about())
    _describe(parser)
    given = parser.parse_args(arguments)
    return _run(parser, given)


def add(commands: Any) -> None:
    """Add the command `browse` to those of `acp-codegen`."""
    parser: argparse.ArgumentParser = commands.add_parser("browse", help=_DOES, **_about())
    _describe(parser)
    parser.set_defaults(run=partial(_run, parser), writes_unless=())  # it takes as long as its user wants


def _about() -> dict[str, Any]:
    return {
        "usage": "%(prog)s [OPTIONS] (-- COMMAND ... | URL)\n       %(prog)s --open FILE",
        "description": f"{_DOES[0].upper()}{_DOES[1:]}.",
        "epilog": "COMMAND starts the agent, which speaks ACP on its standard streams. URL is where one is: "
        "https://, http://, wss://, ws://, tcp:// or unix:.",
    }


def _describe(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("command", nargs="*", metavar="COMMAND", help=argparse.SUPPRESS)
    parser.add_argument("--open", metavar="FILE", help="step through a recorded transcript, without an agent")
    parser.add_argument(
        "--beside", metavar="COMMAND", help="another agent, as one text, or its URL: both get the same prompts"
    )
    parser.add_argument("--json", action="store_true", help="print all sessions as one JSON document, show no screen")
    parser.add_argument("--cwd", metavar="DIR", type=os.path.abspath, help="only the sessions of this directory")
    parser.add_argument("--login", metavar="METHOD", help="log in by this method of the agent's first")
    parser.add_argument("--bearer", metavar="VARIABLE", help="environment variable that holds the token for URL")
    parser.add_argument("--timeout", metavar="SECONDS", type=_seconds, default=60.0, help="for an answer (default: 60)")
    parser.add_argument(
        "--undo", metavar="SECONDS", type=_seconds, default=8.0, help="before a deletion is sent (default: 8)"
    )
    parser.add_argument("--schema", metavar="F", type=Path, help="what the wire is judged by (default: the protocol's)")
    parser.add_argument(
        "--extend",
        metavar="F",
        type=Path,
        action="append",
        default=[],
        help="an extension document to apply to the schema; may be given several times",
    )
    parser.add_argument("--transcript", metavar="FILE", help="write every message to a file, one JSON line each")


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 <= (value := float(text)) <= 86_400:
            return value
    raise argparse.ArgumentTypeError(f"a number between 0 and 86400, not {text!r}")


def _words(text: str) -> list[str]:
    """The words of a command, none where it is not one."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _run(parser: argparse.ArgumentParser, given: argparse.Namespace) -> int:
    if given.open is not None and (given.command or given.beside or given.json):
        parser.error("--open FILE goes without an agent")
    if given.open is None and not given.command:
        parser.error("the following arguments are required: COMMAND")
    if given.command and not given.command[0]:
        parser.error("COMMAND is empty")
    if given.bearer is not None and given.bearer not in os.environ:
        parser.error(f"--bearer: there is no environment variable {given.bearer!r}")
    if given.beside is not None and not _words(given.beside):
        parser.error(f"--beside: no command can be read from {given.beside!r}")
    if not given.json and not (sys.stdin.isatty() and sys.stdout.isatty()):
        parser.error("the screen needs a terminal; --json lists the sessions without one")
    if not given.json and importlib.util.find_spec("textual") is None:
        parser.error(f"the screen needs Textual ({_EXTRA}); --json lists the sessions without it")
    try:
        from .run import run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        parser.error(f"this Python has no module {error.name!r}: {_EXTRA}")
    given.rules = _rules(parser, given)
    given.beside = None if given.beside is None else _words(given.beside)
    return run(given, _complain)


def _rules(parser: argparse.ArgumentParser, given: argparse.Namespace) -> Any:
    """What the wire is judged by. Files that cannot be read are wrong usage, told before anything starts."""
    from .validation import OWN, Rules  # noqa: PLC0415

    rules = Rules(given.schema, tuple(given.extend))
    if rules != OWN:
        try:
            rules.protocol()
        except ModuleNotFoundError as error:
            parser.error(f"--schema and --extend need the module {error.name!r}: `pip install 'acp-codegen[check]'`")
        except (OSError, ValueError, codegen_api.errors.CodegenError) as error:
            parser.error(str(error))
    return rules


def _complain(text: str) -> None:
    for line in text.splitlines():
        print(f"{NAME}: {line}", file=sys.stderr)
