"""The work of `acp-codegen probe`: from its options to a report and an exit code."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from . import baseline, codegen_api, payloads
from .client.launch import Client
from .client.runner import ROWS as CLIENT_ROWS
from .client.runner import examine_client
from .context import Settings
from .isolation.home import Home
from .isolation.needs import ours
from .isolation.network import Network
from .isolation.shutdown import finished
from .peer import Command, Launcher, resolved
from .report import FORMATS, Report
from .requirements import Level
from .results import Status
from .runner import ROWS, Outcome, examine
from .transports import Address, is_address

DEEP = 600.0
"""Seconds for sequences of actions with --deep."""


def run(options: SimpleNamespace) -> int:
    """Run the probe with the options of the command and return the exit code."""
    reasons = {
        **(baseline.read_baseline(options.baseline) if options.baseline else {}),
        **(baseline.read_expected(options.expected) if options.expected else {}),
    }
    settings = Settings(
        seed=options.seed,
        count=options.generated,
        prompts=options.prompt,
        patience=options.patience,
        start=max(30.0, options.patience),
        bound=options.bound + (DEEP if options.deep else 0),
        depth=DEEP if options.deep else options.depth,
        walks=200 if options.deep else Settings().walks,
        failures=options.failures,
        login=options.login,
        schema=options.schema,
        extend=options.extend,
    )
    payloads.protocol(settings.schema, settings.extend)  # an unreadable schema is reported before any agent starts
    command = resolved(options.command)
    if not command[0]:
        raise codegen_api.InputError("COMMAND", "is empty: name the program that starts the agent")
    network = Network(shared=options.share_network, reads=[*(p.absolute() for p in options.allow_read), *ours()])
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
        "" if is_address(command[0]) else network.files,
    )
    codegen_api.put(FORMATS[options.format_](report), options.format_)
    if options.write_baseline:
        options.write_baseline.write_text(baseline.baseline(sheet), encoding="utf-8")
    for id_ in (stale := baseline.stale(reasons, sheet)):
        codegen_api.note(f"{id_} is an expected failure, and does not fail: remove it from the list")
    level = Level[options.fail_on.upper()]
    failures = baseline.surprising([r for r in sheet.of(Status.FAIL) if r.requirement.level >= level], reasons)
    if outcome.facts.unprobed and not failures:
        codegen_api.note(f"nothing was probed: {outcome.facts.unprobed}")
        return 2
    return 1 if failures or stale else 0


def examined(
    command: tuple[str, ...], settings: Settings, options: SimpleNamespace, network: Network
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


def _agent(command: tuple[str, ...], home: Home, options: SimpleNamespace, network: Network) -> Launcher:
    """The launcher for an agent's command or address."""
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
    """The advertised capabilities, as paths."""

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
