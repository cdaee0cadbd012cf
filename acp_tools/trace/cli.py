"""The command `acp-codegen trace`, which records, follows or replays."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ..codegen_api import commands, errors
from ..codegen_api import options as shared


@click.group(cls=commands.Group, default="record", any_word=True)
def trace() -> None:
    """Record, validate and replay the messages between an editor and an agent.

    Put `acp-codegen trace -- COMMAND` into the editor's configuration instead of COMMAND.
    """


@trace.command(
    interactive=True,
    extra="[trace]",
    example="acp-codegen trace -- python my_agent.py\nacp-codegen trace --attach",
    exits={0: "the exit code is the agent's", 1: "--attach: validation found an error"},
)
@click.argument("words", nargs=-1, metavar="COMMAND...")
@click.option("--record", type=shared.PATH, metavar="FILE", show_default="below the user's state", help="A new file.")
@click.option(
    "--findings",
    type=shared.PATH,
    metavar="FILE",
    show_default="beside the record",
    help="The file for the findings of the validator.",
)
@click.option("--no-judge", is_flag=True, help="Record only.")
@shared.schema_options()
@click.option("--no-mask", is_flag=True, help="Also record secrets, such as values named token or key.")
@click.option("--attach", is_flag=True, help="Follow a record while it is written: FILE, or the newest.")
@click.option("--findings-only", is_flag=True, help="With --attach: show findings, but no frames.")
def record(
    words: Sequence[str],
    record: Path | None,
    findings: Path | None,
    no_judge: bool,
    schema: Path | None,
    extend: Sequence[Path],
    no_mask: bool,
    attach: bool,
    findings_only: bool,
) -> int:
    """Relay every byte unchanged, and record and validate every frame (the default of `trace`)."""
    if attach:
        from .follow import follow, newest  # noqa: PLC0415

        if len(words) > 1:
            raise errors.InputError(words[1], "is an additional file, but --attach reads only one")
        try:
            return follow(Path(words[0]) if words else newest(), schema, extend, findings_only=findings_only)
        except KeyboardInterrupt:
            return 130
    if not words:
        raise errors.InputError("trace", "requires an agent: acp-codegen trace -- COMMAND ...")
    from .proxy import trace  # noqa: PLC0415

    options = [f"--schema={schema}"] if schema else []
    options += [f"--extend={path}" for path in extend]
    return trace(list(words), record, findings, mask=not no_mask, judge=None if no_judge else options)


@trace.command(
    "replay",
    interactive=True,
    extra="[trace]",
    example="acp-codegen trace replay session.ndjson -- python my_agent.py",
    exits={0: "the agent answered as recorded", 1: "it answered otherwise"},
)
@click.argument("words", nargs=-1, metavar="FILE -- COMMAND...")
@click.option("--patience", type=shared.Seconds(0), default=30.0, metavar="SECONDS", help="The timeout for the agent.")
def _replay(words: Sequence[str], patience: float) -> int:
    """Replay the client's side of a recording to an agent, and compare the responses."""
    from .replay import replay  # noqa: PLC0415

    if len(words) < 2:
        raise errors.InputError("replay", "needs a file and an agent: acp-codegen trace replay FILE -- COMMAND ...")
    return replay(Path(words[0]), list(words[1:]), patience=patience)


@trace.command(
    "share",
    extra="[trace]",
    example="acp-codegen trace share session.ndjson\nacp-codegen trace share session.ndjson --out shared.ndjson",
    exits={0: "the copy was shown, and written with --out"},
)
@click.argument("file", type=shared.PATH)
@click.option("--out", type=shared.PATH, metavar="FILE", help="Write the copy to a new file.")
@click.option("--keep", multiple=True, metavar="PLACE", help="Keep the text of a place in the preview.")
@shared.schema_option()
def _share(file: Path, out: Path | None, keep: Sequence[str], schema: Path | None) -> int:
    """Preview or write a shareable copy of a recording: structure and types, without texts, names and paths."""
    from .share import share  # noqa: PLC0415

    return share(file, out, keep, schema)


@trace.command(
    "mock",
    interactive=True,
    extra="[trace]",
    example="acp-codegen trace mock session.ndjson\nacp-codegen trace mock --client session.ndjson",
    exits={0: "the peer behaved as recorded", 1: "the peer left something out, or sent more requests"},
)
@click.argument("file", type=shared.PATH)
@click.option("--client", is_flag=True, help="Play the client. The default is the agent.")
@click.option(
    "--connection", type=click.IntRange(1), default=1, metavar="N", help="The connection of the record to play."
)
@click.option(
    "--patience", type=shared.Seconds(0), metavar="SECONDS", show_default="no limit", help="The timeout for the peer."
)
def _mock(file: Path, client: bool, connection: int, patience: float | None) -> int:
    """Play one side of a recording on the standard streams: a fake agent or client, without a model."""
    from .mock import mock  # noqa: PLC0415

    return mock(file, "client" if client else "agent", connection, patience)
