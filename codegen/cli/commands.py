"""The kinds of commands and groups, and the groups themselves: examples, exit codes, time limit, default commands,
suggestions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import click
from click.core import augment_usage_errors

from ..errors import CodegenError
from ..time_limit import within_time
from . import console, untrusted

SETTINGS: dict[str, Any] = {"help_option_names": ["-h", "--help"], "show_default": True, "max_content_width": 100}
"""The settings of a program, which its commands inherit."""
_UNTRUSTED = "Read the documents in a process without network and write access, with limits on memory and time."
_EXITS = {0: "done", 2: "wrong usage, unreadable or unwritable files, or an internal error"}


class Formatter(click.HelpFormatter):
    """Help with bold headings in terminals."""

    def write_heading(self, heading: str) -> None:
        """Write a heading."""
        super().write_heading(click.style(heading, bold=True) if console.has_colour() else heading)


click.Context.formatter_class = Formatter


class Command(click.Command):
    """A command with examples and exit codes in its help.

    `exits` completes the usual exit codes. A run changes files unless it has a flag of `writes_unless`. With None, it
    never changes files. Runs that change nothing are under the time limit, unless the command is `interactive`: it
    takes as long as its user wants. At most one flag of `exclusive` may be given. `extra` is the extra of the
    distribution that brings its modules. A `foreign` command reads documents of other authors and has --untrusted,
    which lets it write only below its parameter `target`.
    """

    def __init__(
        self,
        *arguments: Any,
        example: str = "",
        exits: Mapping[int, str] = {},  # nobody changes it
        writes_unless: tuple[str, ...] | None = None,
        interactive: bool = False,
        exclusive: Sequence[str] = (),
        extra: str = "",
        foreign: bool = False,
        target: str = "",
        **options: Any,
    ) -> None:
        super().__init__(*arguments, **options)
        if foreign:
            self.params.append(click.Option(["--untrusted"], is_flag=True, help=_UNTRUSTED))
        self.target = target
        self.examples, self.exits = example.splitlines(), dict(sorted({**_EXITS, **exits}.items()))
        self.writes_unless, self.interactive, self.exclusive, self.extra = writes_unless, interactive, exclusive, extra

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the arguments. Every error names the command."""
        with augment_usage_errors(ctx):
            return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> int:
        """Run the command and return its exit code."""
        if len(given := [f"--{flag}" for flag in self.exclusive if ctx.params[flag]]) > 1:
            raise click.UsageError(f"{' and '.join(given)} cannot be combined", ctx)
        flags = self.writes_unless
        writes = flags is not None and not any(ctx.params[flag] for flag in flags)
        ctx.ensure_object(dict)["extra"] = self.extra
        if ctx.params.pop("untrusted", False):
            ended = untrusted.fork(ctx.params.get(self.target) if writes else None, is_timed=not self.interactive)
            if ended is not None:
                return ended
            writes = False  # a child can end anywhere
        with (
            nullcontext() if writes or self.interactive else within_time(),
            nullcontext() if self.interactive else console.ticking(ctx.command_path),
        ):
            code: int | None = super().invoke(ctx)
            console.flush()
        return code or 0

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples and the exit codes."""
        super().format_epilog(ctx, formatter)
        with formatter.section("Examples"):
            for example in self.examples:
                formatter.write(f"{'':{formatter.current_indent}}{example}\n")
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(code), meaning) for code, meaning in self.exits.items()])


class Group(click.Group):
    """Commands of one kind. If the first argument is not a command, the `default` command gets all of them.

    Without `any_word`, this applies only to options: another word is a misspelt command.
    """

    command_class = Command

    def __init__(self, *arguments: Any, default: str = "", any_word: bool = False, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.no_args_is_help = not default
        self.default, self.any_word = default, any_word

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert the default command if necessary."""
        first = args[0] if args else "-"
        if self.any_word and first.startswith("-"):  # options before the command
            own = args[: args.index("--")] if "--" in args else args
            first = next((name for name in self.commands if name in own), first)
            if first in own:
                args.insert(0, args.pop(args.index(first)))
        asks = first in ctx.help_option_names or first == "--version" or (ctx.resilient_parsing and not args)
        if self.default and not asks and (first.startswith("-") or (self.any_word and first not in self.commands)):
            args.insert(0, self.default)
        return super().parse_args(ctx, args)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a command. For a misspelt one, suggest similar commands."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand:
            raise click.NoSuchCommand(args[0], possibilities=self.list_commands(ctx), ctx=ctx) from None

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the effect of omitting the command."""
        if self.default:
            text = f"Without a command: {self.default}. `{ctx.command_path} {self.default} --help` lists its options."
            formatter.write_paragraph()
            formatter.write_text(text)
        super().format_epilog(ctx, formatter)


class Tools(Group):
    """A group with commands that packages register as entry points, each a `click.Command`.

    Finding and loading them takes milliseconds, so it only happens in runs that may need them.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click's signature
        """List the names of all commands."""
        from importlib.metadata import entry_points  # noqa: PLC0415

        return sorted({*self.commands, *entry_points(group="acp_codegen.commands").names})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command. If a module is missing, the command is hidden, and reports that when it runs."""
        from importlib.metadata import entry_points  # noqa: PLC0415

        point = next(iter(entry_points(group="acp_codegen.commands", name=cmd_name)), None)
        if cmd_name in self.commands or point is None:
            return super().get_command(ctx, cmd_name)
        try:
            command: click.Command = point.load()
        except ModuleNotFoundError as error:
            extras = point.dist.metadata.get_all("Provides-Extra") or [] if point.dist is not None else []
            remedy = f": pip install '{point.dist.name}[{cmd_name}]'" if point.dist and cmd_name in extras else ""
            text = f'error: the command "{cmd_name}" needs the module "{error.name}", which is not installed{remedy}'

            def lacks() -> None:
                raise CodegenError(text)

            anything = {"ignore_unknown_options": True, "allow_extra_args": True}
            return click.Command(
                cmd_name, callback=lacks, hidden=True, add_help_option=False, context_settings=anything
            )
        return command


SCHEMA = Group("schema", default="print", help="Print, check, compare and edit the schema, and validate messages.")
PACKAGE = Group("package", help="Generate a package, vendor it, and create projects that use it.")
AGENT = Tools("agent", help="Run, watch and test agents and clients.")
DOCS = Group("docs", default="build", help="Write the documentation site.")
GROUPS = (PACKAGE, SCHEMA, AGENT, DOCS)
"""All groups. Each of their commands is also a command of the program."""
