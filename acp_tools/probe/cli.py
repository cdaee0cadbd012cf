"""The command `acp-codegen probe`. This module must import quickly and without optional packages, because
`acp-codegen --help` reads it.
"""

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
        2: "the command could not be started, or wrong usage",
    },
)
@click.argument("command", nargs=-1, required=True, metavar="COMMAND...")
@click.option(
    "--client", is_flag=True, help="COMMAND is a client. The probe replaces {agent} with the command of its own agent."
)
@click.option(
    "--hostile",
    is_flag=True,
    help="Also flood and kill the agent, read slowly, and send huge and deeply nested frames.",
)
@click.option(
    "--prompt",
    multiple=True,
    metavar="TEXT",
    default=("Hello",),
    help="The text of prompts. May be given several times.",
)
@click.option("--keep-env", multiple=True, metavar="NAME", help="An environment variable to pass on to the command.")
@click.option(
    "--share-network",
    is_flag=True,
    help="Let the command use the network of this machine, for example to reach a local model server.",
)
@click.option("--allow-read", type=shared.PATH, multiple=True, metavar="PATH", help="A path that the command may read.")
@shared.schema_options()
@click.option("--bearer-env", metavar="NAME", help="The environment variable with the token for an address.")
@click.option("--seed", type=int, default=0, metavar="N", help="The seed of the generated messages.")
@click.option(
    "--generated",
    type=click.IntRange(0, 10_000),
    default=5,
    metavar="N",
    help="The number of generated messages per method.",
)
@click.option("--patience", type=_SECONDS, default=5.0, metavar="S", help="Seconds to wait for a response.")
@click.option("--bound", type=_SECONDS, default=180.0, metavar="S", help="Seconds that the run may take.")
@shared.format_option("text", "json", "junit", "markdown")
@click.option(
    "--depth", type=shared.Seconds(0), default=60.0, metavar="S", help="Seconds for sequences of actions on sessions."
)
@click.option("--login", metavar="METHOD", help="Log in by this method, which the agent offers, on each connection.")
@click.option("--deep", is_flag=True, help="Play more sequences of actions: ten minutes instead of one.")
@click.option(
    "--failures", type=shared.PATH, metavar="DIR", help="Keep the shortest run of each failed sequence as a recording."
)
@click.option("--verbose", is_flag=True, help="Also list passed requirements.")
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
    """Test whether an agent or a client conforms to the protocol.

    Starts an agent in a clean home and reports each requirement of the protocol as pass, fail, skipped or not
    reachable without an account. Logs in only if --login names a method. COMMAND is the agent's command and its
    arguments, after `--`; or its address: https://, wss://, tcp://HOST:PORT, unix:PATH. With --client it plays the
    agent for a client.
    """
    from .command import run  # noqa: PLC0415

    return run(SimpleNamespace(**given))
