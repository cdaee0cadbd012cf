"""The command `acp-codegen browse`, and `acp-browse`.

This module must import quickly and without optional packages, because `acp-codegen --help` reads it.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import click

from acp_tools import codegen_api
from acp_tools.codegen_api import options as shared

NAME = "acp-browse"
_EXTRA = "`pip install 'acp-codegen[browse]'`"
_SECONDS = shared.Seconds(0, 86_400)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code."""
    return codegen_api.main.run_program(browse, NAME, sys.argv[1:] if arguments is None else arguments)


@click.command(
    cls=codegen_api.commands.Command,
    context_settings=codegen_api.commands.SETTINGS,
    interactive=True,
    extra="[browse]",
    example="acp-codegen browse -- python my_agent.py\nacp-codegen browse --open session.ndjson\n"
    "acp-codegen browse --json wss://agent.example/acp",
    exits={1: "the agent failed, or does not support the operation", 130: "interrupted"},
)
@click.argument("command", nargs=-1, metavar="(-- COMMAND... | URL)")
@click.option("--open", metavar="FILE", help="Step through a recorded transcript, without an agent.")
@click.option(
    "--beside", metavar="COMMAND", help="A second agent as one argument, or its URL. Both get the same prompts."
)
@click.option("--json", is_flag=True, help="Print all sessions as one JSON document instead of showing a screen.")
@click.option("--cwd", metavar="DIR", help="List only the sessions of this directory.")
@click.option("--login", metavar="METHOD", help="First log in with this method of the agent.")
@click.option("--bearer", metavar="VARIABLE", help="The environment variable with the token for URL.")
@click.option("--timeout", metavar="SECONDS", type=_SECONDS, default=60.0, help="Seconds to wait for a response.")
@click.option("--undo", metavar="SECONDS", type=_SECONDS, default=8.0, help="Seconds before a deletion is sent.")
@shared.schema_options("the protocol's")
@click.option("--transcript", metavar="FILE", help="Write every message to a file, one JSON line each.")
def browse(**given: Any) -> int:
    """Browse the sessions of any agent in the terminal.

    COMMAND starts an agent that speaks ACP on its standard streams. URL is the address of a running agent: https://,
    http://, wss://, ws://, tcp:// or unix:.
    """
    return _run(SimpleNamespace(**given))


def _words(text: str) -> list[str]:
    """The words of a command; empty if its quoting is invalid."""
    try:
        return shlex.split(text)
    except ValueError:
        return []


def _run(given: SimpleNamespace) -> int:
    if given.open is not None and (given.command or given.beside or given.json):
        raise click.UsageError("--open FILE cannot be combined with an agent")
    if given.open is None and not given.command:
        raise click.UsageError("Missing argument 'COMMAND'.")
    if given.command and not given.command[0]:
        raise click.UsageError("COMMAND is empty")
    if given.bearer is not None and given.bearer not in os.environ:
        raise click.UsageError(f"--bearer: the environment variable {given.bearer!r} is not set")
    if given.beside is not None and not _words(given.beside):
        raise click.UsageError(f"--beside: not a valid command: {given.beside!r}")
    if not given.json and not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError("the screen needs a terminal; --json lists the sessions without one")
    if not given.json and importlib.util.find_spec("textual") is None:
        raise click.UsageError(f"the screen needs Textual ({_EXTRA}); --json lists the sessions without it")
    try:
        from .run import is_address, run  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise click.UsageError(f"the module {error.name!r} is not installed: {_EXTRA}") from None
    # Without a screen, a directory that is gone still selects its sessions; another machine has directories of its own.
    if given.cwd is not None and not (given.json or is_address(given.command) or os.path.isdir(given.cwd)):
        raise click.UsageError(f"--cwd: no such directory: {given.cwd}")
    given.rules = _rules(given)
    given.command = list(given.command)
    given.cwd = given.cwd and os.path.abspath(given.cwd)
    given.beside = None if given.beside is None else _words(given.beside)
    return run(given, _complain)


def _rules(given: SimpleNamespace) -> Any:
    """The schema and extensions that check the frames. Unreadable files are usage errors, reported before the start."""
    from .validation import OWN, Rules  # noqa: PLC0415

    rules = Rules(given.schema, given.extend)
    if rules != OWN:
        try:
            rules.protocol()
        except ModuleNotFoundError as error:
            lacking = f"--schema and --extend need the module {error.name!r}: `pip install 'acp-codegen[check]'`"
            raise click.UsageError(lacking) from None
        except (OSError, ValueError, codegen_api.errors.CodegenError) as error:
            raise click.UsageError(str(error)) from None
    return rules


def _complain(text: str) -> None:
    for line in text.splitlines():
        print(f"{NAME}: {line}", file=sys.stderr)
