"""Options that several commands share, the type of paths, and the tool's version."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from pathlib import Path
from typing import Any, TypeVar

import click

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


class _Path(click.Path):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            self.fail("expected a path, got an empty string", param, ctx)
        return super().convert(value, param, ctx)


class Seconds(click.FloatRange):
    """A number of seconds from the command line, except NaN."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number."""
        number: float = super().convert(value, param, ctx)
        return number if number == number else self.fail("expected a number, got NaN", param, ctx)  # noqa: PLR0124


PATH = _Path(path_type=Path)
"""A path from the command line."""


def tool_version() -> str:
    """The version of this tool."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("acp-codegen")
    except PackageNotFoundError:
        return "(not installed)"


def together(*decorators: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Combine several options into one decorator."""
    return lambda function: reduce(lambda given, decorator: decorator(given), reversed(decorators), function)


def schema_option(default: str = "./schema.json, else the packaged one") -> Callable[[Decorated], Decorated]:
    """The option that names the schema."""
    return click.option("--schema", type=PATH, metavar="F", show_default=default, help="The schema.")


def schema_options(default: str = "./schema.json, else the packaged one") -> Callable[[Decorated], Decorated]:
    """The options that name the schema and its extensions."""
    many = "An extension document to apply to the schema. May be given several times."
    return together(schema_option(default), click.option("--extend", type=PATH, multiple=True, metavar="F", help=many))


check_option = click.option(
    "--check", is_flag=True, help="Write nothing; list stale files and exit with 1 if there are any."
)
stable_option = click.option("--stable", is_flag=True, help="Leave out RFDs that are not completed.")
fail_on_option = click.option(
    "--fail-on",
    type=click.Choice(("error", "warning")),
    default="error",
    help="The lowest level of findings that fails the run.",
)


def format_option(*formats: str) -> Callable[[Decorated], Decorated]:
    """The option that selects the output format. The first format is the default."""
    return click.option(
        "--format", "format_", type=click.Choice(formats), default=formats[0], help="The output format."
    )


def sink(format_: str, *, colour: bool) -> str:
    """The name of the escaper for a format, see `escape.SINKS`."""
    return "coloured" if format_ == "text" and colour else format_
