"""The command `acp-codegen probe`: arguments in, a report and an exit code out."""

from __future__ import annotations

import argparse
import contextlib
import os
from pathlib import Path
from typing import Any

from . import baseline, codegen_api, payloads
from .client.launch import Client
from .client.runner import ROWS as CLIENT_ROWS
from .client.runner import examine_client
from .context import Settings
from .isolation.home import Home
from .isolation.network import Network
from .isolation.shutdown import finished
from .peer import Command, Launcher, resolved
from .report import FORMATS, Report
from .requirements import Level
from .results import Status
from .runner import ROWS, Outcome, examine
from .transports import Address, is_address


def add(commands: Any) -> None:
    """Add the command to those of the command line."""
    parser = commands.add_parser(
        "probe",
        help="find out whether an agent, or a client, keeps the protocol",
        description="Starts an agent in a clean home, without login, and reports each requirement of the protocol as pass, fail, skipped or not "
        "reachable without an account. With --client it plays the agent for a client.",
        epilog="Exit code 0: nothing fails at the level of --fail-on; 1: something does; 2: it could not be tried.",
    )
    parser.add_argument(
        "command",
        nargs="+",
        metavar="COMMAND",
        help="the agent's command and its arguments, after `--`; or its address: https://, wss://, tcp://HOST:PORT, unix:PATH",
    )
    parser.add_argument(
        "--client",
        action="store_true",
        help="COMMAND is a client; {agent} in it becomes the command of the agent that we play",
    )
    parser.add_argument(
        "--hostile", action="store_true", help="flood it, read slowly, kill it, send deep and huge frames"
    )
    parser.add_argument(
        "--prompt",
        action="append",
        metavar="TEXT",
        help="what is said in turns; may be given several times (default: Hello)",
    )
    parser.add_argument(
        "--keep-env", action="append", metavar="NAME", default=[], help="a variable of ours that the command may have"
    )
    parser.add_argument(
        "--share-network",
        action="store_true",
        help="leave the command in the network of this machine, for an agent whose model is served here",
    )
    codegen_api.add_schema(parser)
    parser.add_argument("--bearer-env", metavar="NAME", help="the variable that has the token for an address")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the generated messages (default: 0)")
    parser.add_argument(
        "--generated", type=_count, default=5, metavar="N", help="generated messages of each method (default: 5)"
    )
    parser.add_argument(
        "--patience", type=_seconds, default=5.0, metavar="S", help="seconds that an answer may take (default: 5)"
    )
    parser.add_argument(
        "--bound", type=_seconds, default=180.0, metavar="S", help="seconds that the run may take (default: 180)"
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="default: text")
    parser.add_argument("--verbose", action="store_true", help="list what passes, too")
    parser.add_argument(
        "--fail-on",
        choices=("must", "should", "may"),
        default="must",
        help="the lowest level that fails the run (default: must)",
    )
    parser.add_argument(
        "--record", type=codegen_api.path_argument, metavar="FILE", help="write every frame to a transcript"
    )
    parser.add_argument(
        "--expected",
        type=codegen_api.path_argument,
        metavar="FILE",
        help="expected failures, each with a reason (TOML)",
    )
    parser.add_argument(
        "--baseline",
        type=codegen_api.path_argument,
        metavar="FILE",
        help="the failures of an earlier run, which do not fail this one",
    )
    parser.add_argument(
        "--write-baseline", type=codegen_api.path_argument, metavar="FILE", help="write the failures of this run"
    )
    parser.set_defaults(extra="[probe]", run=_run, writes_unless=())


def _seconds(text: str) -> float:
    with contextlib.suppress(ValueError):
        if 0 < (value := float(text)) < 1e6:
            return value
    raise argparse.ArgumentTypeError(f"expected seconds, more than 0, got {text!r}")


def _count(text: str) -> int:
    if text.isdecimal() and int(text) <= 10_000:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a number between 0 and 10000, got {text!r}")


def _run(options: argparse.Namespace) -> int:
    reasons = {
        **(baseline.read_baseline(options.baseline) if options.baseline else {}),
        **(baseline.read_expected(options.expected) if options.expected else {}),
    }
    settings = Settings(
        seed=options.seed,
        count=options.generated,
        prompts=tuple(options.prompt or ("Hello",)),
        patience=options.patience,
        start=max(30.0, options.patience),
        bound=options.bound,
        schema=options.schema,
        extend=tuple(options.extend or ()),
    )
    payloads.protocol(settings.schema, settings.extend)  # an unreadable schema is reported before any agent starts
    command = resolved(options.command)
    if not command[0]:
        raise codegen_api.InputError("COMMAND", "is empty: name the program that starts the agent")
    network = Network(shared=options.share_network)
    outcome, offers = examined(command, settings, options, network)
    if outcome.log.lost:
        codegen_api.note(f"{options.record}: the record ends early: {outcome.log.lost}")
    sheet = outcome.sheet
    known = [row.id for row in (CLIENT_ROWS if options.client else ROWS)]
    strange = baseline.unknown(reasons, sheet, known)
    if strange:
        raise codegen_api.InputError(str(options.expected or options.baseline), f"unknown requirement {strange[0]!r}")
    report = Report(
        _subject(outcome, command),
        offers,
        sheet,
        reasons,
        codegen_api.tool_version(),
        options.verbose,
        _network(command, network),
    )
    codegen_api.put(FORMATS[options.format](report), options.format)
    if options.write_baseline:
        options.write_baseline.write_text(baseline.baseline(sheet), encoding="utf-8")
    for id_ in (stale := baseline.stale(reasons, sheet)):
        codegen_api.note(f"{id_} is an expected failure, and does not fail: remove it from the list")
    level = Level[options.fail_on.upper()]
    failures = baseline.surprising([r for r in sheet.of(Status.FAIL) if r.requirement.level >= level], reasons)
    return 1 if failures or stale else 0


def examined(
    command: tuple[str, ...], settings: Settings, options: argparse.Namespace, network: Network
) -> tuple[Outcome, tuple[str, ...]]:
    with contextlib.ExitStack() as stack:
        record = stack.enter_context(open(options.record, "wb", buffering=0)) if options.record else None
        home = stack.enter_context(Home(options.keep_env))
        try:
            if options.client:
                launcher = Client(command, home, settings.start, network)
                outcome = finished(examine_client(launcher, settings, record=record, say=_say))
            else:
                outcome = finished(
                    examine(
                        _agent(command, home, options, network),
                        settings,
                        record=record,
                        say=_say,
                        hostile=options.hostile,
                    )
                )
        except OSError as error:
            if isinstance(error, ConnectionRefusedError) and is_address(command[0]):
                raise codegen_api.InputError(command[0], f"cannot connect: {error}") from None
            if error.filename is None or str(error.filename) != command[0]:
                raise
            raise codegen_api.InputError(command[0], f"cannot be started: {error.strerror}") from None
        finally:
            codegen_api.clear_progress()
    return outcome, _offers(outcome)


def _agent(command: tuple[str, ...], home: Home, options: argparse.Namespace, network: Network) -> Launcher:
    """The agent to start, or to connect to."""
    if not is_address(command[0]):
        return Command(command, home, network)
    if command[1:]:
        raise codegen_api.InputError(command[0], "an address takes no arguments")
    if options.bearer_env is None:
        return Address(command[0], home)
    if options.bearer_env not in os.environ:
        raise codegen_api.InputError(options.bearer_env, "--bearer-env names a variable that is not set")
    return Address(command[0], home, bearer=os.environ[options.bearer_env])


def _network(command: tuple[str, ...], network: Network) -> str:
    return "" if is_address(command[0]) else network.text


def _say(text: str) -> None:
    codegen_api.progress(f"probe: {text}")


def _offers(outcome: Outcome) -> tuple[str, ...]:
    """What is advertised, as paths."""

    def paths(value: Any, path: str) -> list[str]:
        if value is True:
            return [path]
        if codegen_api.is_json_object(value):
            inner = [
                p
                for name, child in value.items()
                if name != "_meta"
                for p in paths(child, f"{path}.{name}" if path else name)
            ]
            return inner or ([path] if path else [])
        return []

    return tuple(paths(outcome.facts.capabilities, ""))


def _subject(outcome: Outcome, command: tuple[str, ...]) -> str:
    info = outcome.facts.info
    named = " ".join(str(info[key]) for key in ("name", "version") if info.get(key))
    return named or Path(command[0]).name
