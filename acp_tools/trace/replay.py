"""Replay the client's side of a transcript to an agent, and report responses that differ.

A frame is sent when the agent has sent everything that preceded the frame in the recording. The agent assigns new ids each
time; the client's frames are rewritten with them. Each connection of the recording gets its own agent.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ..codegen_api import console, errors, escape, json_types
from .diff import ABSENT, Difference, Names, compare, differences, kind_of, merged
from .redaction import MASK
from .transcript import Heard, loads, read

__all__ = ["replay"]

_LINE = 1 << 26
_SETTLED = 0.5
"""Seconds that the agent has for notifications that the recording has at a place: of some there may be fewer."""
_END = 5.0


def replay(path: Path, command: Sequence[str], *, patience: float) -> int:
    """Play, print what differs; 1 where anything does."""
    try:
        return _replay(path, command, patience)
    except RecursionError:
        raise errors.InputError(str(path), "or a message of the agent is nested too deeply to compare") from None


def _replay(path: Path, command: Sequence[str], patience: float) -> int:
    connections = read(path)
    sent = [heard for _, frames in connections for heard in frames if heard.direction == "client-to-agent"]
    if any(MASK.encode() in heard.raw for heard in sent):
        console.note("warning: secrets were masked when this was recorded, and are sent so")
    differ = 0
    try:
        for number, (line, frames) in enumerate(connections, 1):
            name = f"connection {number}, from line {line}: " if len(connections) > 1 else ""
            differ |= asyncio.run(_Player(frames, patience, name).play(command))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise errors.InputError(command[0], f"the agent does not start: {reason}") from None
    return differ


class _Player:
    """Plays one connection. `name` begins what is said of all of it."""

    def __init__(self, frames: Sequence[Heard], patience: float, name: str) -> None:
        self._frames, self._patience, self._name = frames, patience, name
        self._then: list[Any] = []
        """What the agent had said by now in the recording."""
        self._now: list[Any] = []
        self._due: Counter[tuple[str, ...]] = Counter()
        """How many more frames of a kind the agent had said than it has; none of them is 0."""
        self._came = asyncio.Event()
        self._over = False
        self._names = Names()
        self._told = 0

    async def play(self, command: Sequence[str]) -> int:
        """Start the agent, play all, compare."""
        agent = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, limit=_LINE, start_new_session=os.name == "posix"
        )
        reading = asyncio.create_task(self._listen(agent))
        try:
            for heard in self._frames:
                if heard.direction != "client-to-agent":
                    self._then.append(heard.frame)
                    self._count(heard.frame, 1)
                    continue
                await self._catch_up()
                if not await self._send(agent, heard):
                    break
            await self._catch_up()
            await self._end(agent, reading)
        finally:
            await _stop(agent)
            reading.cancel()
            await asyncio.wait([reading])
        self._compare()
        return 1 if self._told else 0

    async def _listen(self, agent: Process) -> None:
        assert agent.stdout is not None
        with contextlib.suppress(ValueError):  # a line that is longer than any of ours
            while line := await agent.stdout.readline():
                try:
                    self._now.append(loads(line))
                except (ValueError, RecursionError):
                    self._now.append(line.decode(errors="replace"))
                self._count(self._now[-1], -1)
                self._came.set()
        self._over = True
        self._came.set()

    async def _catch_up(self) -> None:
        """Wait for what the agent had said by now: for answers and requests patiently, for the others a moment."""
        await self._until(("answer", "request"), self._patience)
        await self._until(("answer", "request", "notification"), _SETTLED)
        self._learn()

    def _count(self, frame: Any, more: int) -> None:
        kind = kind_of(frame)
        self._due[kind] += more
        if not self._due[kind]:
            del self._due[kind]

    async def _until(self, kinds: tuple[str, ...], seconds: float) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self._over and any(n > 0 and kind[0] in kinds for kind, n in self._due.items()):
                    self._came.clear()
                    await self._came.wait()

    def _learn(self) -> None:
        for _, then, now in self._answers():
            if now is not ABSENT:
                list(differences(then, now, self._names))

    def _answers(self) -> Iterator[tuple[str, Any, Any]]:
        """Each answer of the recording with its id and the answer now. An id that was used twice has two, in their order."""
        now: dict[tuple[str, ...], list[Any]] = {}
        for frame in self._now:
            now.setdefault(kind_of(frame), []).append(frame)
        seen: Counter[tuple[str, ...]] = Counter()
        for frame in self._then:
            if (kind := kind_of(frame))[0] == "answer":
                answers, nth = now.get(kind, []), seen[kind]
                seen[kind] += 1
                yield kind[1], frame, answers[nth] if nth < len(answers) else ABSENT

    async def _send(self, agent: Process, heard: Heard) -> bool:
        """Send a frame of the recording as it has to be now; False where nobody listens."""
        assert agent.stdin is not None
        frame = heard.frame
        if kind_of(frame)[0] == "answer":
            asked = self._asked_now(frame.get("id"))
            if asked is ABSENT:
                return True  # nobody asks; the comparison says so
            frame = {**frame, "id": asked}
        frame = frame if isinstance(frame, str) else self._names.renamed(frame)
        # What is the same is sent as it was: numbers that no double holds, text that is none, names that came twice.
        sent = heard.raw if frame == heard.frame else json.dumps(frame).encode()
        try:
            agent.stdin.write(sent + b"\n")
            async with asyncio.timeout(self._patience):
                await agent.stdin.drain()
        except OSError:  # TimeoutError is one
            self._tell("the agent reads no more", [])
            return False
        return True

    def _asked_now(self, id_: Any) -> Any:
        """The id, now, of the last request that had one in the recording: the same one of its method in its session."""
        then = [frame for frame in self._then if kind_of(frame)[0] == "request"]
        last = next((at for at in reversed(range(len(then))) if then[at]["id"] == id_), None)
        if last is None:
            return ABSENT
        where = _place(then[last])
        index = sum(_place(frame) == where for frame in then[:last])
        where = self._names.renamed(list(where))
        now = [f["id"] for f in self._now if kind_of(f)[0] == "request" and list(_place(f)) == where]
        return now[index] if index < len(now) else ABSENT

    async def _end(self, agent: Process, reading: asyncio.Task[None]) -> None:
        assert agent.stdin is not None
        agent.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(_END, self._patience)):
                await agent.wait()
                await asyncio.shield(reading)

    def _compare(self) -> None:
        asked: dict[str, list[str]] = {}
        for direction, frame in ((heard.direction, heard.frame) for heard in self._frames):
            if direction == "client-to-agent" and kind_of(frame)[0] == "request":
                asked.setdefault(str(frame.get("id")), []).append(frame["method"])
        answers = list(self._answers())
        for id_, then, now in answers:
            methods = asked.get(id_, ["?"])
            what = f"{methods.pop(0) if len(methods) > 1 else methods[0]} #{id_}"
            if now is ABSENT:
                self._tell(f"{what}: no answer", [])
            elif found := list(differences(then, now, self._names)):
                self._tell(what, found)
        counts = [f"{len(answers)} answers"]
        for wanted in ("request", "notification"):
            before = [frame for frame in merged(self._then) if kind_of(frame)[0] == wanted]
            after = [frame for frame in merged(self._now) if kind_of(frame)[0] == wanted]
            counts.append(f"{len(before)} {wanted}s")
            for kind, found in compare(before, after, self._names):
                self._tell(" ".join(filter(None, kind[1:])), found)
        others = sum(kind_of(frame)[0] == "other" for frame in self._now)
        if others:
            self._tell(f"{others} lines that are no messages", [])
        console.say(f"{self._name}{', '.join(counts)}: " + (f"{self._told} differ" if self._told else "all the same"))

    def _tell(self, what: str, found: Sequence[Difference]) -> None:
        self._told += 1
        console.say(escape.line(what) + (":" if found else ""))
        for one in found[:10]:
            console.say(f"    {escape.line(one.path)}: {_shown(one.then)}, now {_shown(one.now)}")
        if len(found) > 10:
            console.say(f"    and {len(found) - 10} more")


async def _stop(agent: Process) -> None:
    """End an agent and what it started. A program that left its group may hold its pipes: they are closed on our side."""
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


def _place(request: Any) -> tuple[Any, Any]:
    """Where requests come in an order: a method, in a session."""
    params = request.get("params")
    return request["method"], params.get("sessionId") if json_types.is_json_object(params) else None


def _shown(value: Any) -> str:
    return "nothing" if value is ABSENT else escape.quoted(value)
