"""Replays the client's side of a transcript to an agent, and reports responses that differ.

Each connection of the recording gets its own agent.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..codegen_api import console, errors, escape
from .diff import ABSENT, Difference, compare, differences, kind_of, merged
from .player import LINE, Player
from .secrets import MASK
from .transcript import Heard, read

_SETTLED = 0.5
"""Seconds to wait for notifications that precede a frame in the recording. A run may send fewer of them."""
_END = 5.0


def replay(path: Path, command: Sequence[str], *, patience: float) -> int:
    """Replay and print differences. Returns 1 if there are any."""
    try:
        return _replay(path, command, patience)
    except RecursionError:
        raise errors.InputError(str(path), "or a message of the agent is nested too deeply to compare") from None


def _replay(path: Path, command: Sequence[str], patience: float) -> int:
    connections = read(path)
    sent = [heard for _, frames in connections for heard in frames if heard.direction == "client-to-agent"]
    if any(MASK.encode() in heard.raw for heard in sent):
        console.note("warning: secrets were masked in the recording, so masked values are sent")
    differ = 0
    try:
        for number, (line, frames) in enumerate(connections, 1):
            name = f"connection {number}, from line {line}: " if len(connections) > 1 else ""
            differ |= asyncio.run(_Replay(frames, patience, name).play(command))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise errors.InputError(command[0], f"cannot start the agent: {reason}") from None
    return differ


class _Replay:
    """One connection, replayed to an agent and compared. `name` prefixes its messages."""

    def __init__(self, frames: Sequence[Heard], patience: float, name: str) -> None:
        self._played = Player(frames, "client-to-agent", patience, _SETTLED)
        self._patience, self._name = patience, name
        self._told = 0

    async def play(self, command: Sequence[str]) -> int:
        """Start the agent, replay the connection and compare."""
        agent = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=LINE, start_new_session=os.name == "posix"
        )
        assert agent.stdin is not None
        assert agent.stdout is not None
        reading = asyncio.create_task(self._played.listen(agent.stdout))
        try:
            if not await self._played.play(agent.stdin):
                self._tell("the agent stopped reading", [])
            await self._end(agent, reading)
        finally:
            await _stop(agent)
            reading.cancel()
            await asyncio.wait([reading])
        self._compare()
        return 1 if self._told else 0

    async def _end(self, agent: Process, reading: asyncio.Task[None]) -> None:
        assert agent.stdin is not None
        agent.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(_END, self._patience)):
                await agent.wait()
                await asyncio.shield(reading)

    def _compare(self) -> None:
        played = self._played
        asked: dict[str, list[str]] = {}
        for direction, frame in ((heard.direction, heard.frame) for heard in played.frames):
            if direction == "client-to-agent" and kind_of(frame)[0] == "request":
                asked.setdefault(str(frame.get("id")), []).append(frame["method"])
        answers = list(played.answers())
        for id_, then, now in answers:
            methods = asked.get(id_, ["?"])
            what = f"{methods.pop(0) if len(methods) > 1 else methods[0]} #{id_}"
            if now is ABSENT:
                self._tell(f"{what}: no answer", [])
            elif found := list(differences(then, now, played.names)):
                self._tell(what, found)
        counts = [f"{len(answers)} answers"]
        for wanted in ("request", "notification"):
            before = [frame for frame in merged(played.then) if kind_of(frame)[0] == wanted]
            after = [frame for frame in merged(played.now) if kind_of(frame)[0] == wanted]
            counts.append(f"{len(before)} {wanted}s")
            for kind, found in compare(before, after, played.names):
                self._tell(" ".join(filter(None, kind[1:])), found)
        others = sum(kind_of(frame)[0] == "other" for frame in played.now)
        if others:
            self._tell(f"{others} lines that are not messages", [])
        console.say(f"{self._name}{', '.join(counts)}: " + (f"{self._told} differ" if self._told else "all the same"))

    def _tell(self, what: str, found: Sequence[Difference]) -> None:
        self._told += 1
        console.say(escape.line(what) + (":" if found else ""))
        for one in found[:10]:
            console.say(f"    {escape.line(one.path)}: {_shown(one.then)}, now {_shown(one.now)}")
        if len(found) > 10:
            console.say(f"    and {len(found) - 10} more")


async def _stop(agent: Process) -> None:
    """End an agent and its child processes. Pipes that a detached process holds are closed on our side."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if os.name == "posix":
            os.killpg(agent.pid, signal.SIGKILL)
        else:
            agent.kill()
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_END):
            await agent.wait()
    transport = getattr(agent, "_transport", None)
    if transport is not None:
        transport.close()


def _shown(value: Any) -> str:
    return "nothing" if value is ABSENT else escape.quoted(value)
