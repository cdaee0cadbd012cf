"""Adversarial cases: floods, slow reading, deep and huge frames, a kill. They report survival, lost responses and
peak memory.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable

from ..context import Probe, Step
from ..conversation import Gone, Talk
from ..messages import Answer
from ..peer import Command, Process
from ..requirements import Level, Requirement
from .session_list import all_listed, ids_of, told_session

FLOOD = 5_000
SLOW = 2_000
HUGE = 32 << 20
DEPTH = 200_000
_AT_ONCE = 250

Attack = Callable[[Probe, Talk], Awaitable[tuple[int, int]]]
"""Performs an attack. Returns the number of expected responses and of lost ones."""


async def _asked(probe: Probe, talk: Talk, count: int) -> list[Answer]:
    answers: list[Answer] = []
    for number in range(count):
        id_ = f"flood-{number}"
        frame = talk.noted(b'{"jsonrpc":"2.0","id":"%b","method":"_probe/flood"}' % id_.encode())
        answers.append(talk.expect(id_, frame, crooked=True))
        talk.link.write(frame.data + b"\n")
        if number % _AT_ONCE == 0:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(probe.settings.patience):
                    await talk.link.drain()
    return answers


async def _counted(probe: Probe, talk: Talk, answers: list[Answer]) -> tuple[int, int]:
    await talk.until(lambda: all(answer.frame is not None for answer in answers), probe.settings.patience * 4)
    lost = [answer for answer in answers if answer.frame is None]
    for answer in answers:
        talk.forget(answer)
    return len(answers), len(lost)


async def flood(probe: Probe, talk: Talk) -> tuple[int, int]:
    """Many requests at once."""
    return await _counted(probe, talk, await _asked(probe, talk, FLOOD))


async def slow(probe: Probe, talk: Talk) -> tuple[int, int]:
    """Many requests from a client that reads no responses for a while."""
    talk.reads.clear()
    answers = await _asked(probe, talk, SLOW)
    await asyncio.sleep(min(2.0, probe.settings.patience))
    talk.reads.set()
    return await _counted(probe, talk, answers)


async def huge(probe: Probe, talk: Talk) -> tuple[int, int]:
    """One request of many megabytes."""
    return await _one(talk, b'"' + b"x" * HUGE + b'"', probe.settings.patience * 4)


async def deep(probe: Probe, talk: Talk) -> tuple[int, int]:
    """One deeply nested request, which need not be answered."""
    await _one(talk, b"[" * DEPTH + b"]" * DEPTH, probe.settings.quiet)
    return 0, 0


async def _one(talk: Talk, value: bytes, patience: float) -> tuple[int, int]:
    frame = talk.noted(b'{"jsonrpc":"2.0","id":"one","method":"_probe/one","params":{"a":...}}')
    answer = talk.expect("one", frame, crooked=True)
    talk.loose = True
    await talk.write(frame.data.replace(b"...", value) + b"\n")
    await talk.wait(answer, patience)
    lost = answer.frame is None and not talk.strays
    talk.forget(answer)
    return 1, int(lost)


ATTACKS: tuple[tuple[str, str, Attack], ...] = (
    ("flood", f"{FLOOD:,} requests at once", flood),
    ("slow-reading", f"{SLOW:,} requests of a client that reads late", slow),
    ("huge-frame", f"a frame of {HUGE >> 20} MB", huge),
    ("deep-frame", f"a frame that is nested {DEPTH:,} levels deep", deep),
)
ROWS = (
    *(
        Requirement(f"hostile/{name}", Level.SHOULD, f"The agent survives {what}, and answers.", "JSON-RPC 2.0, 5")
        for name, what, _ in ATTACKS
    ),
    Requirement("hostile/kill", Level.SHOULD, "What was listed before a kill is listed after it.", "RFD session-list"),
)


async def attacks(probe: Probe) -> None:
    """Perform each attack on its own connection."""
    for name, what, attack in ATTACKS:
        with contextlib.suppress(Gone):
            async with probe.opened() as talk:
                alive, due, lost = False, 0, 0
                with contextlib.suppress(Gone):
                    due, lost = await attack(probe, talk)
                    alive = await talk.barrier()
                peak = _peak(probe)
                fate = "survived" if alive else f"did not survive: it {await talk.fate()}"
                told = f"{fate}{f', {lost:,} of {due:,} responses lost' if due else ''}{f', peak {peak:,} MB' if peak else ''}"
                probe.sheet.judged(
                    f"hostile/{name}", good=alive and not lost, text=f"{what}: {told}", frames=[talk.last]
                )
                probe.sheet.notice(f"hostile/{name}", f"{what}: {told}")


def _peak(probe: Probe) -> int:
    return probe.launcher.home.peak_memory() >> 20 if isinstance(probe.launcher, Command) else 0


async def kill(probe: Probe) -> None:
    """Kill the agent after a turn and restart it."""
    if not probe.offers_method("session/list") or probe.facts.locked:
        probe.sheet.skipped("hostile/kill", "the agent lists no sessions")
        return
    async with probe.opened() as talk:
        session = await told_session(probe, talk)
        before, _ = await all_listed(probe, talk)
        if session not in ids_of(before) or not isinstance(talk.link, Process):
            probe.sheet.skipped("hostile/kill", "the agent does not list the session")
            return
        await talk.link.stop()
    async with probe.opened() as talk:
        after, frames = await all_listed(probe, talk)
        lost = sorted(set(ids_of(before)) - set(ids_of(after)))
        if len(lost) == len(before) and not after:
            probe.sheet.skipped("hostile/kill", "the agent keeps sessions only in memory")
            return
        text = f"the agent lost {len(lost)} of {len(before)} sessions"
        probe.sheet.judged("hostile/kill", good=not lost, text=text, frames=frames[-2:])
        probe.sheet.notice("hostile/kill", f"after a kill, {text}")


STEPS = (
    Step("attacks", attacks, ("hostile/",)),
    Step("a kill", kill, ("hostile/kill",)),
)
