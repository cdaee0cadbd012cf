"""A run of `probe --client`: each scenario starts the client once."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import IO, Any

import acp_generated as acp

from .. import requirements
from ..cases import framing
from ..context import Facts, Settings
from ..conversation import Gone, Talk
from ..frame_log import Log
from ..isolation.network import tell
from ..payloads import protocol
from ..peer import Launcher
from ..requirements import Requirement
from ..results import Sheet, Status
from ..runner import Outcome
from ..validation import Judge
from .scenarios import SCENARIOS, Scenario, after, further
from .scene import Scene
from .scripted_agent import Stage

ROWS: tuple[Requirement, ...] = (
    *(row for row in requirements.WIRE if not row.id.startswith("order/update")),
    *requirements.CLIENT,
    *(row for row in framing.ROWS if not row.id.startswith("code/")),
    *requirements.of_rfds("client"),
)
_GATES = {f"{path.replace('/', '-')}/gate-checked" for _, path, _ in acp.methods.AGENT_METHODS}
"""Requirements that the frame validator checks: gated calls. Only `gate/agent` covers properties."""
_OF_FRAMES = (*(row.id for row in requirements.WIRE if not row.id.startswith("order/update")), "gate/agent")


async def examine_client(
    launcher: Launcher, how: Settings, *, record: IO[bytes] | None = None, say: Callable[[str], None] = lambda _: None
) -> Outcome:
    """Probe a client. Raises OSError if it cannot be started."""
    clock = asyncio.get_running_loop().time
    sheet, log, facts = Sheet(ROWS), Log(clock, record), Facts()
    deadline = clock() + how.bound
    for scenario in SCENARIOS:
        say(scenario.name)
        reason = (
            await _play(launcher, how, sheet, log, facts, scenario) if clock() < deadline else "there was no time left"
        )
        for id_, result in sheet.results.items():
            if reason and scenario.covers and id_.startswith(scenario.covers) and result.status is Status.SKIPPED:
                sheet.skipped(id_, reason)
    tell(launcher, sheet)
    for id_ in _OF_FRAMES if facts.opened else ():
        sheet.passed(id_)
    for id_ in sheet.results:
        if facts.opened and id_ in _GATES:
            sheet.passed(id_)
    return Outcome(sheet, facts, log)


async def _play(launcher: Launcher, how: Settings, sheet: Sheet, log: Log, facts: Facts, scenario: Scenario) -> str:
    """Play one scenario until the client ends. Returns the reason if it could not be played."""
    stage = Stage(offers=scenario.offers, version=scenario.version)
    try:
        async with launcher.start() as link:
            judge = Judge(protocol(how.schema, how.extend), sheet, "client")
            judge.muted = scenario.version != 1
            talk = Talk(link, log, judge, sheet, side="client", answering=stage.answer, patience=lambda: how.patience)
            scene = Scene(talk, stage, sheet, launcher.cwd, how.patience, getattr(launcher, "outside", ""))
            done = asyncio.Event()

            async def turn(session: str) -> dict[str, Any]:
                try:
                    if scenario.turn is None:
                        return {"stopReason": "end_turn"}
                    return await (further if done.is_set() else scenario.turn)(scene, session)
                except Gone:
                    return {"stopReason": "end_turn"}
                finally:
                    done.set()

            stage.turn = turn
            try:
                return await _watched(scene, scenario, how, facts, done)
            finally:
                await talk.close()
    except TimeoutError:
        sheet.judged("client/handshake", good=facts.opened, text="the client did not start its agent")
        return "the client did not start its agent"


async def _watched(scene: Scene, scenario: Scenario, how: Settings, facts: Facts, done: asyncio.Event) -> str:
    """Wait for a client's handshake, its prompt, and its end. Returns the reason if one is missing."""
    talk, sheet = scene.talk, scene.sheet
    opened = await talk.until(lambda: bool(talk.messages), how.start)
    first = talk.messages[0] if opened else None
    good = first is not None and first.method == "initialize"
    text = f"the client sent nothing, and {await talk.fate()}" if first is None else f"it began with `{first.method}`"
    if not sheet.judged("client/handshake", good=good, text=text, frames=[first.frame if first is not None else None]):
        return "the client did not open the connection"
    assert first is not None
    facts.opened = True
    facts.info = first.params.get("clientInfo") or facts.info
    facts.capabilities = first.params.get("clientCapabilities") or facts.capabilities
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(how.patience):
            while not done.is_set() and not talk.gone.is_set():
                await talk.until(lambda: any(m.method == "session/prompt" for m in talk.messages), how.patience)
                if any(m.method == "session/prompt" for m in talk.messages):
                    break
    if any(m.method == "session/prompt" for m in talk.messages) and scenario.turn is not None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(how.bound):
                await done.wait()
    ended = await talk.until(talk.gone.is_set, how.patience)
    if not ended and scenario.name == "an agent that dies":
        sheet.notice("client/agent-gone", "the client keeps running after its agent has ended")
    after(scene, scenario)
    return "" if done.is_set() or scenario.turn is None else "the client sent no prompt"
