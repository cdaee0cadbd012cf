"""Plays one side of a recorded connection to a live peer.

A frame is sent when the peer has sent all frames that preceded it in the recording. Ids differ in each run, so the
played frames are rewritten with the peer's current ids.
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

LINE = 1 << 26
"""Maximum bytes of a frame."""


class Lines(Protocol):
    """Read the peer's frames line by line. Raises ValueError for a line that is too long."""

    async def readline(self) -> bytes: ...


class Output(Protocol):
    """The destination of the played frames."""

    def write(self, data: bytes, /) -> object: ...
    async def drain(self) -> None: ...


class Player:
    """Plays one side of one connection. `settled`: seconds to wait for notifications that precede a frame in the
    recording.
    """

    def __init__(self, frames: Sequence[Heard], direction: str, patience: float | None, settled: float) -> None:
        self.frames, self.direction = frames, direction
        self._patience, self._settled = patience, settled
        self.then: list[Any] = []
        """The peer's recorded frames up to the current point."""
        self.now: list[Any] = []
        self._due: Counter[tuple[str, ...]] = Counter()
        """Number of frames of each kind that the peer has yet to send; never 0."""
        self._came = asyncio.Event()
        self.over = False
        self.names = Names()

    async def play(self, output: Output) -> bool:
        """Send the frames of this side, each at its point of the conversation. Returns False if the peer has
        disconnected.
        """
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
        """Process the peer's frames until it disconnects."""
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
        """Record a frame of the peer."""
        self.now.append(frame)
        self._count(frame, -1)

    async def catch_up(self) -> None:
        """Wait for the peer's frames up to this point: patiently for requests and responses, briefly for
        notifications.
        """
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
        """Each response of the recording with its id and the current response. A repeated id has several, in order."""
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
        """Send a frame of the recording with current ids. Returns False if the peer has disconnected."""
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
        """The current id of the latest request with a recorded id: the same request of its method and session."""
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
    """The key of an ordered group of requests: method and session."""
    params = request.get("params")
    return request["method"], params.get("sessionId") if json_types.is_json_object(params) else None
