"""One side of a connection of a recording, played again to whoever plays the other side now.

A frame is sent when the peer has sent everything that preceded the frame in the recording. A side assigns new ids each
time; our frames are rewritten with those that the peer has now.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from ..codegen_api import json_types
from .diff import ABSENT, Names, differences, kind_of
from .transcript import Heard, loads

__all__ = ["LINE", "Player", "place_of"]

LINE = 1 << 26
"""Bytes of a frame from which on one is not read."""


class Lines(Protocol):
    """Read the peer's frames line by line. Raises ValueError for a line that is too long."""

    async def readline(self) -> bytes: ...


class Output(Protocol):
    """The destination of frames for the peer."""

    def write(self, data: bytes, /) -> object: ...
    async def drain(self) -> None: ...


class Player:
    """Plays one side of one connection. `settled`: seconds that the peer has for notifications that the recording has at a place."""

    def __init__(self, frames: Sequence[Heard], direction: str, patience: float | None, settled: float) -> None:
        self.frames, self.direction = frames, direction
        self._patience, self._settled = patience, settled
        self.then: list[Any] = []
        """The peer's frames up to this point of the recording."""
        self.now: list[Any] = []
        self._due: Counter[tuple[str, ...]] = Counter()
        """The number of frames of each kind that the peer has yet to send; never 0."""
        self._came = asyncio.Event()
        self.over = False
        self.names = Names()

    async def play(self, output: Output) -> bool:
        """Send our frames, each in its place; False where nobody listens."""
        for heard in self.frames:
            if heard.direction != self.direction:
                self.then.append(heard.frame)
                self._count(heard.frame, 1)
                continue
            await self.catch_up()
            if not await self._send(output, heard):
                return False
        await self.catch_up()
        return True

    async def listen(self, peer: Lines) -> None:
        """Take what the peer says, until it says no more."""
        with contextlib.suppress(ValueError):  # a line that is longer than any of ours
            while line := await peer.readline():
                try:
                    frame = loads(line)
                except (ValueError, RecursionError):
                    frame = line.decode(errors="replace")
                self.taken(frame)
                self._came.set()
        self.over = True
        self._came.set()

    def taken(self, frame: Any) -> None:
        """Note a frame of the peer's."""
        self.now.append(frame)
        self._count(frame, -1)

    async def catch_up(self) -> None:
        """Wait for what the agent had said by now: for answers and requests patiently, for the others a moment."""
        await self._until(("answer", "request"), self._patience)
        await self._until(("answer", "request", "notification"), self._settled)
        self._learn()

    def _count(self, frame: Any, more: int) -> None:
        kind = kind_of(frame)
        self._due[kind] += more
        if not self._due[kind]:
            del self._due[kind]

    async def _until(self, kinds: tuple[str, ...], seconds: float | None) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while not self.over and any(n > 0 and kind[0] in kinds for kind, n in self._due.items()):
                    self._came.clear()
                    await self._came.wait()

    def _learn(self) -> None:
        for _, then, now in self.answers():
            if now is not ABSENT:
                list(differences(then, now, self.names))

    def answers(self) -> Iterator[tuple[str, Any, Any]]:
        """Each answer of the recording with its id and the answer now. An id that was used twice has two, in their order."""
        now: dict[tuple[str, ...], list[Any]] = {}
        for frame in self.now:
            now.setdefault(kind_of(frame), []).append(frame)
        seen: Counter[tuple[str, ...]] = Counter()
        for frame in self.then:
            if (kind := kind_of(frame))[0] == "answer":
                answers, nth = now.get(kind, []), seen[kind]
                seen[kind] += 1
                yield kind[1], frame, answers[nth] if nth < len(answers) else ABSENT

    async def _send(self, output: Output, heard: Heard) -> bool:
        """Send a frame of the recording as it has to be now; False where nobody listens."""
        frame = heard.frame
        if kind_of(frame)[0] == "answer":
            asked = self._asked_now(frame.get("id"))
            if asked is ABSENT:
                return True  # nobody asks
            frame = {**frame, "id": asked}
        frame = frame if isinstance(frame, str) else self.names.renamed(frame)
        # What is the same is sent as it was: numbers that no double holds, text that is none, names that came twice.
        sent = heard.raw if frame == heard.frame else json.dumps(frame).encode()
        try:
            output.write(sent + b"\n")
            async with asyncio.timeout(self._patience):
                await output.drain()
        except OSError:  # TimeoutError is one
            return False
        return True

    def _asked_now(self, id_: Any) -> Any:
        """The id, now, of the last request that had one in the recording: the same one of its method in its session."""
        then = [frame for frame in self.then if kind_of(frame)[0] == "request"]
        last = next((at for at in reversed(range(len(then))) if then[at]["id"] == id_), None)
        if last is None:
            return ABSENT
        where = place_of(then[last])
        index = sum(place_of(frame) == where for frame in then[:last])
        where = self.names.renamed(list(where))
        now = [f["id"] for f in self.now if kind_of(f)[0] == "request" and list(place_of(f)) == where]
        return now[index] if index < len(now) else ABSENT


def place_of(request: Any) -> tuple[Any, Any]:
    """The key of an ordered group of requests: a method in a session."""
    params = request.get("params")
    return request["method"], params.get("sessionId") if json_types.is_json_object(params) else None
