"""The command `docs`, if its folder exists. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
import re
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import console
from .console import note
from .generate import bring_up_to_date, look
from .options import add_schema, path_argument

if TYPE_CHECKING:
    from ..write.diff import Change


def add_site(commands: Any) -> None:
    """Add the command to those of the command line."""
    if find_spec("..docsite", __package__) is None:
        return
    docs = commands.add_parser(
        "docs",
        help="write the documentation site: a page for each method, type, capability, RFD, release and rule",
        description="Writes a static site, which can be read from disk, or with --format mdx pages for a site that Mintlify "
        "builds. Needs `pip install 'acp-codegen[docs]'`.",
    )
    add_schema(docs)
    docs.add_argument(
        "--out", type=path_argument, default=Path("site"), metavar="DIR", help="the target (default: ./site)"
    )
    docs.add_argument("--format", choices=("html", "mdx"), default="html", help="default: html")
    docs.add_argument(
        "--base",
        type=_base,
        default="/reference",
        metavar="PATH",
        help="where the pages of --format mdx will be (default: /reference)",
    )
    docs.add_argument(
        "--examples",
        type=path_argument,
        metavar="DIR",
        help="the example messages (default: examples/messages beside the schema)",
    )
    docs.add_argument(
        "--guides",
        type=path_argument,
        metavar="DIR",
        help="Markdown files to include (default: docs beside the schema)",
    )
    docs.add_argument(
        "--release",
        type=_release,
        action="append",
        default=[],
        metavar="NAME=FILE",
        help="an earlier release, the oldest first; may be given several times",
    )
    docs.add_argument(
        "--name",
        default="unreleased",
        metavar="NAME",
        help="what this schema is called among releases (default: unreleased)",
    )
    docs.add_argument(
        "--check", action="store_true", help="write nothing; list stale files and exit 1 if there are any"
    )
    docs.set_defaults(run=_docs, writes_unless=("check",))


def _release(text: str) -> tuple[str, Path]:
    name, equals, file = text.partition("=")
    if not (name and equals and file):
        raise argparse.ArgumentTypeError(f"expected NAME=FILE, got {text!r}")
    return name, Path(file)


def _base(text: str) -> str:
    if not re.fullmatch(r"(/[\w.~-]+)*/?", text, re.ASCII):
        raise argparse.ArgumentTypeError(f"expected a path that begins with a slash, as /reference, got {text!r}")
    return text


def _docs(options: argparse.Namespace) -> int:
    from ..docsite.command import Options, planned  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    asked = Options(
        schema=options.schema or default_schema(),
        extend=options.extend or (),
        examples=options.examples,
        guides=options.guides,
        releases=options.release,
        name=options.name,
        format=options.format,
        base=options.base,
    )

    def plan() -> list[Change]:
        return planned(asked, options.out, note=note, progress=console.progress)

    return look(options.out, plan) if options.check else bring_up_to_date(options.out, plan)
