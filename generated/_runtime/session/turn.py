# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""One turn of a session on its client: a request that can be awaited, iterated or cancelled."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Generator
from typing import Any, TypeVar

from ..connection.update_stream import Stream
from ..errors import ConnectionClosed

Update = TypeVar("Update")
Answer = TypeVar("Answer")


class Turn(Stream[Update, Answer]):
    """``await turn`` gives the answer, ``async for update in turn`` the updates; afterwards ``await turn`` gives the answer, too.

    The request is sent when the turn is awaited or iterated. A task that is cancelled while it awaits the turn ends the request.
    """

    def __await__(self) -> Generator[Any, Any, Answer]:
        answer: Answer = yield from self._held.whole().__await__()  # a generator, so that the turn lives as long as this
        return answer

    async def cancel(self) -> None:
        """Tell the agent to end the turn. It then answers: take the remaining updates, or await the turn."""
        with contextlib.suppress(ConnectionClosed):  # whoever awaits the turn is told
            await self._held.cancel()

    def __del__(self) -> None:
        if not self._held.used:
            warnings.warn("a turn was neither awaited nor iterated: nothing was sent", RuntimeWarning, stacklevel=2)
        super().__del__()
