"""Cases for shutdown: the agent ends when its input ends, even during a turn, and leaves no process behind."""

from __future__ import annotations

from ..context import Probe, Step
from ..peer import Process

GRACE = 3.0


async def ends(probe: Probe) -> None:
    """Close the agent's input after a handshake, then during a turn."""
    await _end(probe, turn=False)
    if not probe.facts.locked:
        await _end(probe, turn=True)


async def _end(probe: Probe, *, turn: bool) -> None:
    sheet = probe.sheet
    async with probe.opened() as talk:
        if not isinstance(talk.link, Process):
            for id_ in ("end/terminated", "end/left"):
                sheet.skipped(id_, "the agent is not a process of ours")
            return
        if turn:
            session = await probe.new_session(talk)
            if session is None:
                return
            await talk.begin("session/prompt", probe.prompt(session))
        frame = talk.last
        ending = await talk.link.end(min(GRACE, probe.settings.patience))
        when = " in a turn" if turn else ""
        by_itself = ending.how == "by itself"
        sheet.judged(
            "end/terminated",
            good="killed" not in ending.how,
            text=f"after the end of its input{when}, the agent {ending.how}",
            frames=[frame],
        )
        left = f"the agent left {len(ending.left)} processes behind{when}: {'; '.join(ending.left)[:300]}"
        sheet.judged("end/left", good=not ending.left, text=left, frames=[frame])
        if not by_itself:
            sheet.notice(f"end/input{'-turn' if turn else ''}", f"the agent does not exit when its input ends{when}")
        elif ending.code:
            sheet.notice("end/code", f"the agent exits with code {ending.code} when its input ends{when}")


STEPS = (Step("the end", ends, ("end/terminated", "end/left")),)
