"""The command line: run a command, and turn errors into messages and exit codes."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import CodegenError, InputError, without_module
from ..limits import VARIABLE, set_limits
from . import author, bridge, check, console, docs, generate, untrusted, validate
from .commands import AGENT, DOCS, GROUPS, SETTINGS, Group
from .console import note, put
from .options import tool_version

_MODULES = (generate, check, bridge, validate, author, docs)
"""Modules that add commands to the groups."""
_COMPLETE = "_ACP_CODEGEN_COMPLETE"
"""The environment variable of shell completion scripts."""
_WELCOME = """\
acp-codegen turns schema.json, the definition of a protocol, into a typed Python package. This directory has no schema.json.

Start with one of these:

  acp-codegen new agent my-agent          create a project: an agent, its package and a test
  acp-codegen vendor src/my_app/acp       write the package into your source tree
  acp-codegen validate session.ndjson     find errors in recorded messages

`acp-codegen --help` lists all commands.
"""


class _Program(Group):
    """The program: all groups, and all their commands directly."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        return super().get_command(ctx, cmd_name) or AGENT.get_command(ctx, cmd_name)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*self.commands, *AGENT.list_commands(ctx)})

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for group in GROUPS:
            if group.name not in self.commands:
                continue
            rows: list[tuple[str, str]] = []
            for name in group.list_commands(ctx):
                command = group.get_command(ctx, name)
                if command is not None and not command.hidden and (group is not AGENT or name not in self.commands):
                    shown = str(group.name) if name == group.default else name
                    rows.append((shown, command.get_short_help_str(limit=200)))
            with formatter.section(str(group.name).capitalize()):
                formatter.write_dl(rows)


def _version(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # click's signature
    if value:
        put(f"acp-codegen {tool_version()}\n")
        ctx.exit()


@click.group(
    "acp-codegen",
    cls=_Program,
    default="generate",
    context_settings=SETTINGS,
    help="Generate a typed Python package from schema.json, and check changes of the schema.",
    epilog="Groups can be omitted: `acp-codegen check` runs `acp-codegen schema check`.",
)
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_version, help="Show the version.")
def _program() -> None:
    pass


for _group in GROUPS:
    if _group.commands or _group is AGENT:
        _program.add_command(_group)
        for _command in _group.commands.values():
            if _group is not DOCS and _command.name != _group.default:
                _program.add_command(_command)


@_program.command("completion", hidden=True)
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish", "powershell")))
def _completion(shell: str) -> None:
    """Print a script that completes commands and options in a shell."""
    from click.shell_completion import get_completion_class  # noqa: PLC0415

    kind = get_completion_class(shell)
    assert kind is not None
    put(kind(_program, {}, "acp-codegen", _COMPLETE).source() + "\n")


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    gc.set_threshold(100_000)  # what a command builds mostly lives until its end, so collecting it often is in vain
    arguments = list(sys.argv[1:] if argv is None else argv)
    if instruction := os.environ.get(_COMPLETE):
        from click.shell_completion import shell_complete  # noqa: PLC0415

        return shell_complete(_program, {}, "acp-codegen", _COMPLETE, instruction)
    if not arguments and not Path("schema.json").exists():
        put(_WELCOME)
        return 0
    return run_program(_program, "acp-codegen", arguments)


def run_program(program: click.Command, name: str, arguments: Sequence[str]) -> int:
    """Run a program and return its exit code."""
    console.begin()
    code = _run(program, name, arguments)
    untrusted.leave(code)
    return code


def _run(program: click.Command, name: str, arguments: Sequence[str]) -> int:
    meta: dict[str, Any] = {}
    try:
        set_limits(os.environ.get(VARIABLE, ""))
        with program.make_context(name, list(arguments), obj=meta) as context:
            code: int = program.invoke(context)
    except click.exceptions.Exit:  # --help and --version
        return 0
    except (Exception, KeyboardInterrupt) as error:
        told = _told(error, meta.get("extra", ""))
        if told is None:
            raise
        if told:
            note(told)
        return 2
    return code


def _told(error: BaseException, extra: str) -> str | None:
    """The message for an error that ended a command; empty for no message, None to show the traceback."""
    match error:
        case click.exceptions.NoArgsIsHelpError():
            error.show()
            return ""
        case click.UsageError(ctx=click.Context() as context):
            console.note_lines(f"{context.get_usage()}\n")
            return f"{context.command_path}: error: {error.format_message()}"
        case CodegenError() | click.ClickException():
            return str(error)
        case OSError():
            if error.filename is None:
                console.give_up_output()
            if isinstance(error, BrokenPipeError):  # the reader has left, and there is nobody to tell
                return ""
            return str(InputError(str(error.filename or "standard output"), f"failed: {error.strerror}"))
        case MemoryError() if untrusted.is_child():
            return "error: the documents need more memory than --untrusted allows; read fewer documents at once"
        case KeyboardInterrupt():
            return "interrupted; nothing was changed"
        case _ if os.environ.get("CODEGEN_DEBUG"):
            return None
        case ModuleNotFoundError():
            return without_module(error, extra)
        case _:  # a traceback helps no user
            problem = f"{type(error).__name__}: {str(error)[:500]}"
            return f"internal error: {problem} (please report it; CODEGEN_DEBUG=1 shows the traceback)"
