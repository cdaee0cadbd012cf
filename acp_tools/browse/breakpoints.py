"""A transport that holds frames at breakpoints until the user releases them, and sends frames that the user has edited.

Invariants: frames of one direction keep their order, so frames behind a held frame wait, too. The frame log records a
frame when it passes, in its final form. The connection never sees the response to a request that the user sent.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from acp_generated import transports

from .errors import Trouble
from .model.frames import AGENT_TO_CLIENT, CLIENT_TO_AGENT, Frame, Tape


@dataclass
class _Queue:
    """The waiting frames of one direction."""

    frames: deque[bytes] = field(default_factory=deque[bytes])
    since: float = 0.0
    """The time when the first of them was held."""


class Breakpoints(transports.Transport):
    """A browser's transport, wrapped around the transport of each connection."""

    ordered = True
    _inner: transports.Transport

    def __init__(self, tape: Tape, changed: Callable[[], object]) -> None:
        self.on_frame: list[Callable[[str, bytes], object]] = [tape]
        """Called with the direction and the bytes of each frame that passes."""
        self.subjects: list[str] = []
        """The subjects of frames to hold (`Frame.subject`). A method without an update matches all its updates."""
        self._tape, self._changed = tape, changed
        self._queues = {CLIENT_TO_AGENT: _Queue(), AGENT_TO_CLIENT: _Queue()}
        self._ready: list[bytes] = []
        """Frames of the agent that the user released."""
        self._released = asyncio.Event()
        self._count = 0
        self._ours: set[Any] = set()
        """Ids of the user's requests that are not answered yet."""

    def open(self, inner: transports.Transport) -> Breakpoints:
        """Begin another connection. Held frames of the previous one are dropped."""
        self._inner = inner
        self.ordered = getattr(inner, "ordered", True)
        self._queues = {direction: _Queue() for direction in self._queues}
        self._ready.clear()
        self._ours.clear()
        return self

    # What the user does

    @property
    def held(self) -> list[tuple[Frame, int]]:
        """The held frame of each direction, the oldest first, with the number of frames behind it."""
        stuck = [(queue.since, direction, queue) for direction, queue in self._queues.items() if queue.frames]
        stuck.sort(key=lambda each: each[0])
        return [
            (self._tape.identify(direction, queue.frames[0]), len(queue.frames) - 1) for _, direction, queue in stuck
        ]

    def toggle(self, subject: str) -> bool:
        """Set or remove a breakpoint. Returns whether it is now set."""
        subject = " ".join(subject.split())
        if subject in self.subjects:
            self.subjects.remove(subject)
            self._flow()
            return False
        self.subjects.append(subject)
        self._changed()
        return True

    def clear(self) -> None:
        """Remove all breakpoints, and release all frames."""
        self.subjects.clear()
        self._flow()

    def release(self, data: bytes | None = None) -> Frame:
        """Release the oldest held frame, or replace it with other bytes."""
        if not self.held:
            raise Trouble("no frame is held")
        frame = self.held[0][0]
        queue = self._queues[frame.direction]
        queue.frames.popleft()
        queue.since = 0.0
        passing = frame.data if data is None else data
        if frame.direction == CLIENT_TO_AGENT:
            self._send(passing)
        else:
            self._ready.append(passing)
        self._flow()
        return frame

    def next_id(self) -> str:
        """A new id for a request of the user."""
        self._count += 1
        return f"again-{self._count}"

    def send(self, data: bytes) -> None:
        """Send a frame of the user. Its response only appears in the frame log."""
        frame = self._tape.identify(CLIENT_TO_AGENT, data)
        if frame.kind == "request":
            self._ours.add(frame.id)
        self._send(data)

    # The transport

    async def receive(self) -> Sequence[bytes]:
        queue = self._queues[AGENT_TO_CLIENT]
        while True:
            frames = [*self._ready, *self._passing(AGENT_TO_CLIENT)]
            self._ready.clear()
            if frames := [frame for frame in frames if not self._answers_user(frame)]:
                return frames
            if queue.frames:
                self._released.clear()
                await self._released.wait()
            elif received := await self._inner.receive():
                queue.frames.extend(received)
            else:
                return ()

    def received(self, direction: str, data: bytes) -> None:
        """The frame hook of the connection."""
        if direction == AGENT_TO_CLIENT:
            self._tell(direction, data)

    def write(self, frame: bytes) -> None:
        self._queues[CLIENT_TO_AGENT].frames.append(frame)
        for passing in self._passing(CLIENT_TO_AGENT):
            self._send(passing)

    def full(self) -> bool:
        return self._inner.full()

    async def drain(self) -> None:
        await self._inner.drain()

    def close(self) -> None:
        self._inner.close()

    async def wait_closed(self) -> None:
        await self._inner.wait_closed()

    def abort(self) -> None:
        self._inner.abort()

    def hung_up(self) -> bool:
        return self._inner.hung_up() and not self._queues[AGENT_TO_CLIENT].frames

    def when_deaf(self, told: Callable[[], None]) -> None:
        self._inner.when_deaf(told)

    @property
    def crowded(self) -> Collection[str]:
        return self._inner.crowded

    async def drain_session(self, session: str) -> None:
        await self._inner.drain_session(session)

    def _send(self, frame: bytes) -> None:
        self._tell(CLIENT_TO_AGENT, frame)
        self._inner.write(frame)

    def _tell(self, direction: str, frame: bytes) -> None:
        for hook in self.on_frame:
            hook(direction, frame)

    def _flow(self) -> None:
        """Pass on the frames that no breakpoint holds any more."""
        for frame in self._passing(CLIENT_TO_AGENT):
            self._send(frame)
        self._released.set()
        self._changed()

    def _passing(self, direction: str) -> list[bytes]:
        """Take the frames up to the next that a breakpoint holds."""
        queue, passing = self._queues[direction], list[bytes]()
        while queue.frames and not self._stops(direction, queue.frames[0]):
            passing.append(queue.frames.popleft())
        if not queue.frames:
            queue.since = 0.0
        elif passing or not queue.since:
            queue.since = time.monotonic()
            self._changed()
        return passing

    def _stops(self, direction: str, data: bytes) -> bool:
        if not self.subjects:
            return False
        frame = self._tape.identify(direction, data)
        return frame.subject in self.subjects or (not frame.is_answer and frame.method in self.subjects)

    def _answers_user(self, data: bytes) -> bool:
        """Return whether a frame answers a request of the user. If so, it is added to the frame log."""
        if not self._ours:
            return False
        frame = self._tape.identify(AGENT_TO_CLIENT, data)
        if not frame.is_answer or frame.id not in self._ours:
            return False
        self._ours.discard(frame.id)
        self._tell(AGENT_TO_CLIENT, data)
        return True
