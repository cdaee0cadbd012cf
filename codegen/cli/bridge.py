"""The command `bridge`."""

from __future__ import annotations

from pathlib import Path

import click

from .commands import SCHEMA
from .console import put
from .options import PATH


@SCHEMA.command(
    extra="[check]",
    foreign=True,
    exclusive=("table", "markdown", "changes", "json", "plan"),
    example="acp-codegen bridge v1.json v2.json --overlay examples/bridge/v1-v2.json\n"
    "acp-codegen bridge v1.json v2.json --overlay examples/bridge/v1-v2.json --plan > bridge.json",
    exits={0: "derived"},
)
@click.argument("old", type=PATH)
@click.argument("new", type=PATH)
@click.option(
    "--overlay",
    type=PATH,
    metavar="F",
    help="Document with the correspondences that the schemas do not show, such as renamed parts.",
)
@click.option("--table", is_flag=True, help="Print a row for each message, then losses and rejections (the default).")
@click.option("--markdown", is_flag=True, help="Print the table and the lists for a page.")
@click.option("--changes", is_flag=True, help="Print what changes for agents, clients and vendors, for a page.")
@click.option("--json", is_flag=True, help="Print a JSON line for each message and direction, with example messages.")
@click.option("--plan", is_flag=True, help="Print the converters as JSON, for the runtime.")
def bridge(
    old: Path, new: Path, overlay: Path | None, table: bool, markdown: bool, changes: bool, json: bool, plan: bool
) -> int:
    """Derive how messages of one version of a protocol become messages of another, in both directions.

    OLD and NEW are files, or parts of a git revision: REVISION:PATH. The table shows the messages that convert exactly,
    that lose information, and that cannot be converted.
    """
    from ..bridge import changes as page  # noqa: PLC0415
    from ..bridge import table as reports  # noqa: PLC0415
    from ..bridge.command import plan_text, read_bridge  # noqa: PLC0415

    del table
    found = read_bridge(old, new, overlay)
    if plan or json:
        put(plan_text(found) if plan else reports.in_json(found), "json")
    elif changes:
        put(page.in_markdown(found))
    else:
        put(reports.in_markdown(found) if markdown else reports.in_text(found))
    return 0
