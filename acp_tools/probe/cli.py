"""The command `acp-codegen probe`. Imports nothing that is slow or may be missing: `acp-codegen --help` reads this module, too."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import click

from ..codegen_api import commands
from ..codegen_api import options as shared

_SECONDS = shared.Seconds(0, 1e6, min_open=True, max_open=True)


@click.command(
    cls=commands.Command,
    interactive=True,
    extra="[probe]",
    example="acp-codegen probe -- python my_agent.py\nacp-codegen probe --client -- my-editor --agent {agent}\n"
    "acp-codegen probe --bearer-env TOKEN wss://agent.example/acp",
    exits={
        0: "nothing fails at the level of --fail-on",
        1: "a requirement fails, or an expected failure does not",
        2: "it could not be tried",
    },
)
@click.argument("command", nargs=-1, required=True, metavar="COMMAND...")
@click.option(
    "--client", is_flag=True, help="COMMAND is a client; {agent} in it becomes the command of the agent that we play."
)
@click.option("--hostile", is_flag=True, help="Flood it, read slowly, kill it, send deep and huge frames.")
@click.option(
    "--prompt",
    multiple=True,
    metavar="TEXT",
    default=("Hello",),
    help="What is said in turns. May be given several times.",
)
@click.option("--keep-env", multiple=True, metavar="NAME", help="A variable of ours that the command may have.")
@click.option(
    "--share-network",
    is_flag=True,
    help="Leave the command in the network of this machine, for an agent whose model is served here.",
)
@shared.schema_options()
@click.option("--bearer-env", metavar="NAME", help="The variable that has the token for an address.")
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the generated messages.")
@click.option(
    "--generated", type=click.IntRange(0, 10_000), default=5, metavar="N", help="Generated messages of each method."
)
@click.option("--patience", type=_SECONDS, default=5.0, metavar="S", help="Seconds that an answer may take.")
@click.option("--bound", type=_SECONDS, default=180.0, metavar="S", help="Seconds that the run may take.")
@shared.format_option("text", "json", "junit", "markdown")
@click.option("--verbose", is_flag=True, help="List what passes, too.")
@click.option(
    "--fail-on",
    type=click.Choice(("must", "should", "may")),
    default="must",
    help="The lowest level that fails the run.",
)
@click.option("--record", type=shared.PATH, metavar="FILE", help="Write every frame to a transcript.")
@click.option("--expected", type=shared.PATH, metavar="FILE", help="Expected failures, each with a reason (TOML).")
@click.option(
    "--baseline", type=shared.PATH, metavar="FILE", help="The failures of an earlier run, which do not fail this one."
)
@click.option("--write-baseline", type=shared.PATH, metavar="FILE", help="Write the failures of this run.")
def probe(**given: Any) -> int:
    """Find out whether an agent, or a client, keeps the protocol.

    Starts an agent in a clean home, without login, and reports each requirement of the protocol as pass, fail, skipped or
    not reachable without an account. COMMAND is the agent's command and its arguments, after `--`; or its address:
    https://, wss://, tcp://HOST:PORT, unix:PATH. With --client it plays the agent for a client.
    """
    from .command import run  # noqa: PLC0415

    return run(SimpleNamespace(**given))
