"""The client's side of a transcript played to an agent again: what it answers otherwise than it did.

A frame is sent when the agent has said what it had said before it in the recording. Ids that the agent gives out are other ones
each time; what the client sends has the new ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from asyncio.subprocess import PIPE, Process
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..tool import console, errors, escape, jsonvalue
from .differences import ABSENT, Difference, Names, compare, differences, kind_of, merged
from .secrets import MASK

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
        raise errors.InputError(str(path), "or what the agent says is nested too deeply to be compared") from None


def _replay(path: Path, command: Sequence[str], patience: float) -> int:
    frames = _read(path)
    if any(direction == "client-to-agent" and MASK in json.dumps(frame) for direction, frame in frames):
        console.note("warning: secrets were masked when this was recorded, and are sent so")
    try:
        return asyncio.run(_Player(frames, patience).play(command))
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise errors.InputError(command[0], f"the agent does not start: {reason}") from None


def _read(path: Path) -> list[tuple[str, Any]]:
    """Directions and frames of a transcript; raises InputError."""
    found: list[tuple[str, Any]] = []
    try:
        with open(path, "rb") as file:
            for number, line in enumerate(file, 1):
                try:
                    read = json.loads(line)
                    found.append((read["dir"], read["msg"] if "msg" in read else read["raw"]))
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise errors.InputError(f"{path}:{number}", "is no line of a transcript") from None
    except OSError as error:
        raise errors.InputError(str(path), f"cannot be read: {error.strerror}") from None
    if not any(direction == "client-to-agent" for direction, _ in found):
        raise errors.InputError(str(path), "has nothing that a client said")
    return found


class _Player:
    def __init__(self, frames: Sequence[tuple[str, Any]], patience: float) -> None:
        self._frames, self._patience = frames, patience
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
        agent = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, limit=_LINE)
        reading = asyncio.create_task(self._listen(agent))
        try:
            for direction, frame in self._frames:
                if direction != "client-to-agent":
                    self._then.append(frame)
                    self._count(frame, 1)
                    continue
                await self._catch_up()
                if not await self._send(agent, frame):
                    break
            await self._catch_up()
            await self._end(agent, reading)
        finally:
            with contextlib.suppress(ProcessLookupError):
                agent.kill()
            await agent.wait()
            reading.cancel()
            await asyncio.wait([reading])
        self._compare()
        return 1 if self._told else 0

    async def _listen(self, agent: Process) -> None:
        assert agent.stdout is not None
        with contextlib.suppress(ValueError):  # a line that is longer than any of ours
            while line := await agent.stdout.readline():
                try:
                    self._now.append(json.loads(line))
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
        now = {kind: frame for frame in self._now if (kind := kind_of(frame))[0] == "answer"}
        for frame in self._then:
            if (kind := kind_of(frame))[0] == "answer" and kind in now:
                list(differences(frame, now[kind], self._names))

    async def _send(self, agent: Process, frame: Any) -> bool:
        """Send a frame of the recording as it has to be now; False where nobody listens."""
        assert agent.stdin is not None
        if kind_of(frame)[0] == "answer":
            asked = self._asked_now(frame.get("id"))
            if asked is ABSENT:
                return True  # nobody asks; the comparison says so
            frame = {**frame, "id": asked}
        text = frame if isinstance(frame, str) else json.dumps(self._names.renamed(frame), ensure_ascii=False)
        try:
            agent.stdin.write(text.encode(errors="replace") + b"\n")
            async with asyncio.timeout(self._patience):
                await agent.stdin.drain()
        except OSError:  # TimeoutError is one
            self._tell("the agent reads no more", [])
            return False
        return True

    def _asked_now(self, id_: Any) -> Any:
        """The id, now, of the request that had one in the recording: the same one of its method in its session."""
        then = [frame for frame in self._then if kind_of(frame)[0] == "request"]
        asked = next((frame for frame in then if frame["id"] == id_), None)
        if asked is None:
            return ABSENT
        where = _place(asked)
        same = [frame["id"] for frame in then if _place(frame) == where]
        where = self._names.renamed(list(where))
        now = [f["id"] for f in self._now if kind_of(f)[0] == "request" and list(_place(f)) == where]
        index = same.index(id_)
        return now[index] if index < len(now) else ABSENT

    async def _end(self, agent: Process, reading: asyncio.Task[None]) -> None:
        assert agent.stdin is not None
        agent.stdin.close()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(min(_END, self._patience)):
                await agent.wait()
                await asyncio.shield(reading)

    def _compare(self) -> None:
        asked = {
            str(frame.get("id")): frame["method"]
            for direction, frame in self._frames
            if direction == "client-to-agent" and kind_of(frame)[0] == "request"
        }
        answers_now = {kind: frame for frame in self._now if (kind := kind_of(frame))[0] == "answer"}
        answers = 0
        for frame in self._then:
            if (kind := kind_of(frame))[0] != "answer":
                continue
            answers += 1
            what = f"{asked.get(kind[1], '?')} #{kind[1]}"
            if kind not in answers_now:
                self._tell(f"{what}: no answer", [])
            elif found := list(differences(frame, answers_now[kind], self._names)):
                self._tell(what, found)
        counts = [f"{answers} answers"]
        for wanted in ("request", "notification"):
            then = [frame for frame in merged(self._then) if kind_of(frame)[0] == wanted]
            now = [frame for frame in merged(self._now) if kind_of(frame)[0] == wanted]
            counts.append(f"{len(then)} {wanted}s")
            for kind, found in compare(then, now, self._names):
                self._tell(" ".join(filter(None, kind[1:])), found)
        others = sum(kind_of(frame)[0] == "other" for frame in self._now)
        if others:
            self._tell(f"{others} lines that are no messages", [])
        console.say(f"{', '.join(counts)}: " + (f"{self._told} differ" if self._told else "all the same"))

    def _tell(self, what: str, found: Sequence[Difference]) -> None:
        self._told += 1
        console.say(escape.line(what) + (":" if found else ""))
        for one in found[:10]:
            console.say(f"    {escape.line(one.path)}: {_shown(one.then)}, now {_shown(one.now)}")
        if len(found) > 10:
            console.say(f"    and {len(found) - 10} more")


def _place(request: Any) -> tuple[Any, Any]:
    """Where requests come in an order: a method, in a session."""
    params = request.get("params")
    return request["method"], params.get("sessionId") if jsonvalue.is_json_object(params) else None


def _shown(value: Any) -> str:
    return "nothing" if value is ABSENT else escape.quoted(value)
