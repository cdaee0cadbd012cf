"""Shared parts of the commands: types of arguments, common options, the tool's version."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def path_argument(text: str) -> Path:
    """A path from the command line."""
    if not text:
        raise argparse.ArgumentTypeError("expected a path, got an empty string")
    return Path(text)


def count_argument(text: str) -> int:
    """A number from the command line, 0 or more."""
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"expected a number, got {text!r}")
    return int(text)


def tool_version() -> str:
    """The version of this tool."""
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version("acp-codegen")
    except PackageNotFoundError:
        return "(not installed)"


def add_schema(parser: Any, default: str = "./schema.json, else the packaged one") -> None:
    """Add the options that name the schema and its extensions."""
    parser.add_argument("--schema", type=path_argument, metavar="F", help=f"the schema (default: {default})")
    parser.add_argument(
        "--extend",
        type=path_argument,
        action="append",
        metavar="F",
        help="an extension document to apply to the schema; may be given several times",
    )


def add_fail_on(parser: Any) -> None:
    """Add the option that says which findings fail a run."""
    parser.add_argument(
        "--fail-on", choices=("error", "warning"), default="error", help="what makes the exit code 1 (default: error)"
    )


def sink(format_: str, *, colour: bool) -> str:
    """The name of the escaper for a format, see `escape.SINKS`."""
    return "coloured" if format_ == "text" and colour else format_
