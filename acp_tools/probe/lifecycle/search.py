"""Sequences of actions: fixed tours, then random walks. A failing sequence is shortened until every step is needed.

Each sequence has its own connection. The same seed gives the same sequences.
"""

from __future__ import annotations

import asyncio
import io
import random
from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from ..context import Probe, Step
from ..conversation import Gone
from ..frame_log import Frame
from ..requirements import LIFE_CYCLE
from ..results import Status
from .actions import ACTIONS, SLOTS, played

Steps = tuple[tuple[str, int], ...]
_PAGES = 25
"""Number of sessions that are created so that a list has several pages."""
_LENGTH = 14
_NO_LOAD = "`session/load` is not advertised"
_SHORTENING = 600
"""Number of steps that are played to shorten all failures of a run. A count, so that each run shows the same steps."""


def _tour(text: str) -> Steps:
    """Parse steps: `new`, or an action with a slot, such as `prompt:0`."""
    parts = (part.partition(":") for part in text.replace("_", " ").split("; "))
    return tuple((name, int(slot or 0)) for name, _, slot in parts)


TOURS: tuple[Steps, ...] = (
    _tour("new; prompt:0; prompt:0; prompt:0; load:0; prompt:0; load:0"),
    _tour("new; new; begin:0; begin:1; cancel:0; wait:0; wait:1; prompt:0; load:1"),
    _tour("new; new; prompt:1; set mode:0; set option:0; prompt:0; load:0; load:1; resume:0; close:0; load:0"),
    _tour("new; reject; prompt:0; prompt:0; allow; prompt:0; dismiss; prompt:0"),
    _tour("new; interrupt:0; prompt:0"),
    _tour("new; prompt:0; prompt:0; prompt:0; fork:0; prompt:1; list; load:0; load:1; close:0; resume:0; prompt:0"),
    _tour("new; always; prompt:0; load:0; prompt:0"),
    _tour("new; prompt:0; begin:0; cancel:0; cancel:0; cancel:0; wait:0; prompt:0; cancel idle:0; prompt:0"),
    _tour("new; prompt:0; new; prompt:1; initialize:0; prompt:1; load:1; new"),
    _tour("new; new; begin:0; begin:1; wait:1; wait:0; load:0; load:1; fork:0; new; list"),
    _tour("; ".join(f"new; prompt:{n}" for n in range(_PAGES)) + "; list; delete:3; list"),
)


class Play(Struct):
    """The result of one play: the requirements that it tested, and those that were violated."""

    tried: set[str] = field(default_factory=set[str])
    broken: dict[str, tuple[str, tuple[Frame | None, ...]]] = field(
        default_factory=dict[str, tuple[str, tuple[Frame | None, ...]]]
    )
    frames: tuple[Frame, ...] = ()
    record: bytes = b""


async def explore(probe: Probe) -> None:
    """Play sequences until the time limit or the last random walk, and record the results."""
    sheet, clock = probe.sheet, asyncio.get_running_loop().time
    end = clock() + probe.settings.depth
    found: dict[str, tuple[Steps, Play]] = {}
    tried: set[str] = set()
    played_, late = 0, False
    for steps in (*TOURS, *_walks(probe.settings.seed, probe.settings.walks)):
        if clock() >= end:
            late = True
            break
        play = await _once(probe, steps)
        played_ += 1
        tried |= play.tried
        for id_ in play.broken:
            found.setdefault(id_, (steps, play))
    end = clock() + probe.settings.depth / 2
    for id_, (steps, play) in found.items():
        await _tell(probe, id_, *await _shortest(probe, id_, steps, play, _SHORTENING // len(found), end))
    for id_ in tried - set(found):
        sheet.passed(id_)
    why = "the time for sequences of actions ended first; use --deep" if late else "no sequence of actions reached it"
    for id_, result in sheet.results.items():
        if id_.startswith(STEP.covers) and result.status is Status.SKIPPED:
            sheet.skipped(id_, why if probe.offers_method("session/load") or not id_.startswith("load/") else _NO_LOAD)
    if played_:
        sheet.notice("sequences", f"the probe played {played_} sequences of actions")


def _walks(seed: int, count: int) -> Iterator[Steps]:
    """Random sequences that begin with opening sessions."""
    chance = random.Random(seed)  # noqa: S311  # no secret
    names = [name for name, action in ACTIONS.items() for _ in range(action.weight)]
    for _ in range(count):
        rest = tuple((chance.choice(names), chance.randrange(SLOTS)) for _ in range(_LENGTH))
        yield (("new", 0), ("new", 0), ("prompt", 0), *rest)


async def _once(probe: Probe, steps: Steps) -> Play:
    play, record = Play(), io.BytesIO()

    def report(id_: str, good: bool, text: str, frames: Sequence[Frame | None]) -> None:
        play.tried.add(id_)
        if not good:
            play.broken.setdefault(id_, (text, tuple(frames)))

    probe.log.copy(record)
    first = len(probe.log.frames)
    try:
        await played(probe, steps, report)
    except Gone:
        talk = probe.talk
        how = await talk.fate() if talk is not None else "ended"
        play.broken.setdefault("end/stays", (f"the agent {how}", (talk.last if talk else None,)))
    finally:
        probe.log.copy(None)
    play.frames, play.record = tuple(probe.log.frames[first:]), record.getvalue()
    return play


async def _shortest(probe: Probe, id_: str, steps: Steps, play: Play, left: int, end: float) -> tuple[Steps, Play]:
    """Shorten a failing sequence: leave out steps as long as the requirement is still violated and steps are left."""
    clock, size = asyncio.get_running_loop().time, max(len(steps) // 2, 1)
    while size and left > 0 and clock() < end:
        at = 0
        while at < len(steps) and left > 0 and clock() < end:
            fewer = steps[:at] + steps[at + size :]
            left -= len(fewer)
            again = await _once(probe, fewer)
            if id_ in again.broken:
                steps, play = fewer, again
            else:
                at += size
        size //= 2
    return steps, play


async def _tell(probe: Probe, id_: str, steps: Steps, play: Play) -> None:
    text, frames = play.broken[id_]
    words = "; ".join(
        f"{name} {slot + 1}" if name not in {"new", "allow", "always", "reject", "dismiss", "list"} else name
        for name, slot in steps
    )
    probe.sheet.failed(id_, f"{text} (after: {words})", frames)
    folder = probe.settings.failures
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{id_.replace('/', '-')}.ndjson").write_bytes(play.record)


STEP = Step("life cycle of sessions", explore, (*(row.id for row in LIFE_CYCLE), "load/"), "turn")
