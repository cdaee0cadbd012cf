# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""A WebSocket of the library that hands over all frames of a read at once, and sends what fits at once.

The law: pings, closing and the limit of a message are the library's; only what carries messages goes another way than its queue, where
each frame takes a turn of the event loop and is made a text that would be made bytes again.
"""

# Its library is an extra: where it is not installed, type checkers know nothing of its types.
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportUnknownArgumentType=false, reportUntypedBaseClass=false

from __future__ import annotations

import asyncio
from typing import Any

from websockets.asyncio.client import ClientConnection  # type: ignore[import-not-found,unused-ignore]
from websockets.frames import Opcode  # type: ignore[import-not-found,unused-ignore]
from websockets.protocol import State  # type: ignore[import-not-found,unused-ignore]

__all__ = ["FrameSocket"]

_ROOM = 1 << 18
"""Bytes that may wait to be taken before no more are read."""
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class FrameSocket(ClientConnection):  # type: ignore[misc,unused-ignore]
    """A connection whose messages are taken by ``frames``."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._came: list[bytes] = []
        self._size = 0
        self._waiter: asyncio.Future[None] | None = None
        self._begun: list[bytes] | None = None
        """The parts of a message that has not come to its end; None where it is not a text."""

    async def frames(self) -> list[bytes]:
        """The texts that have come; none once it is closed."""
        while not self._came:
            if self.state is State.CLOSED:
                return []
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        came, self._came = self._came, []
        if self._size > _ROOM:
            self.transport.resume_reading()
        self._size = 0
        return came

    def send_now(self, frame: bytes) -> bool:
        """Send a text at once; False where it would have to wait, or the connection is closed."""
        if self.state is not State.OPEN or self.transport.get_write_buffer_size():
            return False
        self.protocol.send_text(frame)
        self.send_data()
        return True

    def process_event(self, event: Any) -> None:
        if self.response is None or event.opcode not in _DATA:
            super().process_event(event)
        elif event.opcode is Opcode.TEXT and event.fin:
            self._take(bytes(event.data))
        else:
            self._gather(event)

    def _gather(self, event: Any) -> None:
        """Take a part of a message; those that are no text are ignored."""
        if event.opcode is not Opcode.CONT:
            self._begun = [] if event.opcode is Opcode.TEXT else None
        if self._begun is None:
            return
        self._begun.append(bytes(event.data))
        if event.fin:
            self._take(b"".join(self._begun))
            self._begun = None

    def _take(self, frame: bytes) -> None:
        full = self._size > _ROOM
        self._came.append(frame)
        self._size += len(frame)
        if self._size > _ROOM and not full:
            self.transport.pause_reading()
        self._stir()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stir()

    def _stir(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
