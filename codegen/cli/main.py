"""The command line: run a command, and turn errors into messages and exit codes.

Exit codes: 0 clean; 1 findings or stale files; 2 wrong usage, unreadable or unwritable files, internal errors; 3 something
was not compared.
"""

from __future__ import annotations

import argparse
import os
import sys
from contextlib import nullcontext

from ..errors import CodegenError, InputError
from ..limits import VARIABLE, set_limits
from ..time_limit import within_time
from . import console
from .author import add_author
from .check import add_check, add_rules
from .console import note
from .docs import add_site
from .generate import add_package
from .import_extension import add_import
from .options import tool_version
from .plugins import add_tools
from .validate import add_validate

_EXTRAS = {
    "jsonschema": "[check]",
    "jsonschema_rs": "[check]",
    "libcst": "[migrate]",
    "lsprotocol": "[lsp]",
    "pygls": "[lsp]",
    "hypothesis": "[probe]",
    "pygments": "[docs]",
    "markdown_it": "[docs]",
}
"""The modules that extras bring."""


def main(argv: list[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or (arguments[0].startswith("-") and arguments[0] not in ("-h", "--help", "--version")):
        arguments.insert(0, "generate")
    options = _parser(arguments).parse_args(arguments)
    console.begin()
    try:
        set_limits(os.environ.get(VARIABLE, ""))
        with nullcontext() if _writes(options) else within_time():
            code: int = options.run(options)
            console.flush()
    except (Exception, KeyboardInterrupt) as error:
        told = _told(error, options)
        if told is None:
            raise
        if told:
            note(told)
        return 2
    return code


def _told(error: BaseException, options: argparse.Namespace) -> str | None:
    """What a user is told of an error that ended a command: nothing if the text is empty; None: its traceback is shown."""
    match error:
        case CodegenError():
            return str(error)
        case OSError():
            if error.filename is None:
                console.give_up_output()
            if isinstance(error, BrokenPipeError):  # the reader has left, and there is nobody to tell
                return ""
            return str(InputError(str(error.filename or "standard output"), f"failed: {error.strerror}"))
        case KeyboardInterrupt():
            return "interrupted; nothing was changed"
        case _ if os.environ.get("CODEGEN_DEBUG"):
            return None
        case ModuleNotFoundError():
            return _without_module(error, getattr(options, "extra", None))
        case _:  # a traceback helps no user
            problem = f"{type(error).__name__}: {str(error)[:500]}"
            return f"internal error: {problem} (CODEGEN_DEBUG=1 shows where; please report it)"


def _without_module(error: ModuleNotFoundError, extra: str | None) -> str | None:
    missing = (error.name or "").partition(".")[0]
    if missing == __name__.partition(".")[0]:
        return None
    extra = extra or _EXTRAS.get(missing, "")
    return (
        f'error: this Python has no module "{error.name}", which this {"command" if extra else "tool"} needs; '
        f"install 'acp-codegen{extra}' into it, or run `make generate` in a checkout and then .venv/bin/python -m codegen"
    )


def _writes(options: argparse.Namespace) -> bool:
    """Whether a run changes files, so that nothing may stop it half way."""
    flags: tuple[str, ...] | None = options.writes_unless
    return flags is not None and not any(getattr(options, flag) for flag in flags)


def _parser(arguments: list[str]) -> argparse.ArgumentParser:
    parser = console.Parser(
        prog="acp-codegen",
        description="Turns schema.json into typed Python models, agent and client stubs, and the method table.",
        epilog="Without a command: generate. `acp-codegen COMMAND --help` lists its options.",
    )
    parser.add_argument("--version", action="version", version=f"acp-codegen {tool_version()}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    parser.set_defaults(writes_unless=None)
    for add_commands in (add_package, add_site, add_import, add_check, add_validate, add_author, add_rules):
        add_commands(commands)
    add_tools(commands, arguments)
    return parser
