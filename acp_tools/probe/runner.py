"""A run: the order of the cases, the time limit, and the results of untested requirements."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import IO

from msgspec import Struct

from . import requirements
from .cases import (
    framing,
    handshake,
    login,
    metadata,
    methods,
    session_list,
    settings,
    shutdown,
    stored_sessions,
    turns,
)
from .cases import robustness as attacks
from .context import Facts, Probe, Settings, Step
from .conversation import Gone
from .frame_log import Log
from .isolation.network import tell
from .lifecycle.search import STEP as SEARCH
from .peer import Command, Launcher
from .results import UNTRIED, Sheet, Status

STEPS: tuple[Step, ...] = (
    *handshake.STEPS,
    login.STEP,
    turns.FIRST,
    handshake.BARE,
    *framing.STEPS,
    *turns.STEPS,
    *session_list.STEPS,
    *stored_sessions.STEPS,
    SEARCH,
    *metadata.STEPS,
    *settings.STEPS,
    *methods.STEPS,
    *shutdown.STEPS,
)
ROWS = (
    *requirements.WIRE,
    *requirements.AGENT,
    *requirements.LIFE_CYCLE,
    *framing.ROWS,
    *requirements.of_rfds("agent"),
)
OF_FRAMES = (*(row.id for row in requirements.WIRE), "gate/client", "end/stays")
"""Requirements on every frame: passed if frames arrived and none violated them."""
_OF_RFDS = tuple({f"{row.source.removeprefix('RFD ')}/" for row in requirements.of_rfds("agent")})
_LOOK = 1.0

Say = Callable[[str], None]


class Outcome(Struct):
    """The result of a run."""

    sheet: Sheet
    facts: Facts
    log: Log


async def examine(
    launcher: Launcher,
    how: Settings,
    *,
    record: IO[bytes] | None = None,
    say: Say = lambda _: None,
    hostile: bool = False,
) -> Outcome:
    """Probe an agent. Raises OSError if it cannot be started."""
    clock = asyncio.get_running_loop().time
    sheet, log = Sheet((*ROWS, *(attacks.ROWS if hostile else ()))), Log(clock, record)
    probe = Probe(launcher, sheet, log, how)
    deadline = clock() + how.bound
    watching = asyncio.ensure_future(_watch(launcher, sheet))
    try:
        say("handshake")
        await _step(probe, Step("handshake", handshake.open_), how.bound)
        for step in (*STEPS, *(attacks.STEPS if hostile else ())):
            say(step.name)
            reason = _obstacle(probe, step)
            if not probe.facts.opened:
                _leave(probe, step, probe.facts.unprobed or "the handshake failed")
            elif reason:
                _leave(probe, step, *reason)
            elif clock() >= deadline:
                _leave(probe, step, "there was no time left")
            else:
                await _step(probe, step, deadline - clock())
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
    tell(launcher, sheet)
    for id_ in OF_FRAMES if log.count else ():
        sheet.passed(id_)
    for id_, result in sheet.results.items():
        if result.status is Status.SKIPPED and result.reason == UNTRIED and id_.startswith(_OF_RFDS):
            may = result.requirement.level is requirements.Level.MAY
            sheet.skipped(id_, "it is a permission, and cannot be violated" if may else "the probe has no case for it")
    return Outcome(sheet, probe.facts, log)


async def _step(probe: Probe, step: Step, seconds: float) -> None:
    """Run a step. If the peer ends during the step, record a failure."""
    try:
        async with asyncio.timeout(seconds):
            await step.run(probe)
    except Gone:
        talk = probe.talk
        if talk is not None:
            how = await talk.fate()
            probe.sheet.failed("end/stays", f"in the step {step.name!r}, the agent {how}", [talk.last])
        _leave(probe, step, "the agent had exited")
    except TimeoutError:
        _leave(probe, step, "there was no time left")
    if step is turns.FIRST:
        _close_off(probe)


def _obstacle(probe: Probe, step: Step) -> tuple[str, bool] | None:
    """The reason why a step cannot run, and whether a login would help."""
    facts = probe.facts
    if "/" in step.needs and not probe.offers_method(step.needs):
        return f"`{step.needs}` is not advertised", False
    if step.needs and step.needs != "auth/status" and facts.locked:
        return facts.locked, True
    if step.needs == "turn" and facts.silent:
        return facts.silent, True
    return None


def _leave(probe: Probe, step: Step, reason: str, login: bool = False) -> None:
    for id_, result in probe.sheet.results.items():
        if id_.startswith(step.covers) and step.covers and result.status is Status.SKIPPED:
            (probe.sheet.unreachable if login else probe.sheet.skipped)(id_, reason)


def _close_off(probe: Probe) -> None:
    """Report the requirements of the first step as not reached if there was no session or no turn."""
    reason = probe.facts.locked or probe.facts.silent
    if reason:
        _leave(probe, turns.FIRST, reason, login=True)


async def _watch(launcher: Launcher, sheet: Sheet) -> None:
    """Kill a peer that fills the disk."""
    if not isinstance(launcher, Command):
        return
    with contextlib.suppress(asyncio.CancelledError):
        while True:
            await asyncio.sleep(_LOOK)
            used = await asyncio.to_thread(launcher.home.used)
            if used > launcher.home.room:
                sheet.notice("limit/disk", f"the agent wrote {used / 1e9:.1f} GB into its home, and was killed")
                await launcher.home.sweep(wait=0)
