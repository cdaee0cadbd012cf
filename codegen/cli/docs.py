"""The command `docs`, if its folder exists. Arguments in, text and exit codes out."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from . import console
from .commands import DOCS
from .console import note
from .generate import bring_up_to_date, look
from .options import PATH, check_option, schema_options

if TYPE_CHECKING:
    from ..write.diff import Change


def _release(_ctx: click.Context, _parameter: click.Parameter, texts: Sequence[str]) -> list[tuple[str, Path]]:
    """Earlier releases: NAME=FILE."""
    found = [text.partition("=") for text in texts]
    if wrong := [text for text, parts in zip(texts, found, strict=True) if not all(parts)]:
        raise click.BadParameter(f"expected NAME=FILE, found {wrong[0]!r}")
    return [(name, Path(file)) for name, _, file in found]


@click.command(
    cls=DOCS.command_class,
    writes_unless=("check",),
    extra="[docs]",
    foreign=True,
    target="out",
    example="acp-codegen docs --out site\nacp-codegen docs --release 1.0=v1.0.json --name 1.1",
    exits={0: "written, or up to date", 1: "--check: files are stale"},
)
@schema_options()
@click.option("--out", type=PATH, default="site", metavar="DIR", help="The target.")
@click.option(
    "--examples",
    type=PATH,
    metavar="DIR",
    show_default="examples/messages beside the schema",
    help="The example messages.",
)
@click.option(
    "--guides", type=PATH, metavar="DIR", show_default="docs beside the schema", help="Markdown files to include."
)
@click.option(
    "--release",
    "releases",
    callback=_release,
    multiple=True,
    metavar="NAME=FILE",
    help="An earlier release, the oldest first. May be given several times.",
)
@click.option("--name", default="unreleased", metavar="NAME", help="The name of this schema among the releases.")
@click.option(
    "--edit", default="", metavar="URL", help="The folder of the guides in a repository, for links to edit them."
)
@check_option
def build(schema: Path | None, out: Path, check: bool, **given: Any) -> int:
    """Write the documentation site: a page for each method, type, capability, RFD, release and rule.

    Zensical builds the site without network access. The static site, including its search, also works from disk.
    Requires `pip install 'acp-codegen[docs]'`.
    """
    from ..docsite.command import Options, planned  # noqa: PLC0415
    from ..pipeline import default_schema  # noqa: PLC0415

    asked = Options(schema=schema or default_schema(), **given)

    def plan() -> list[Change]:
        return planned(asked, out, note=note, progress=console.progress)

    return look(out, plan) if check else bring_up_to_date(out, plan)


if find_spec("..docsite", __package__) is not None:
    DOCS.add_command(build)
