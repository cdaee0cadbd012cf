"""The command `import-extension`. Arguments in, text and exit codes out."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from .console import note, put


def add_import(commands: Any) -> None:
    """Add the command to those of the command line."""
    parser = commands.add_parser(
        "import-extension",
        help="print a vendor's published schema of its own methods as an extension document",
        description="Turns a schema in the style of the protocol's, with x-side and x-method, into an extension document for --extend.",
    )
    parser.add_argument("file", type=Path, metavar="FILE", help="the vendor's schema")
    parser.add_argument("--vendor", metavar="KEY", help="the vendor's key (default: the first segment of its methods)")
    parser.add_argument("--title", metavar="T", help="the extension's title (default: the schema's)")
    parser.add_argument(
        "--schema", type=Path, metavar="F", help="the schema to extend (default: ./schema.json, else the packaged one)"
    )
    parser.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from ..import_extension import import_extension, text_of  # noqa: PLC0415

    found = import_extension(options.file, vendor=options.vendor, title=options.title, schema=options.schema, note=note)
    put(text_of(found), "json")
    return 0
