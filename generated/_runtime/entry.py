# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file
# isort: skip_file
# fmt: off
"""An entry of a session's state that this side begins, tells about, and ends."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, ClassVar, Self

from .errors import ConnectionClosed

__all__ = ["Entry"]


class Entry:
    """``async with`` sends the update that creates the entry; leaving sends how it has ended, unless an update said so.

    Ended well, or failed where the block was left by an exception, a cancelled turn among them.
    """

    _stage: ClassVar[str] = ""
    _done: ClassVar[str] = ""
    _failed: ClassVar[str] = ""

    def __init__(self, send: Callable[[Any], Awaitable[None]], first: Any, key: Any) -> None:
        self._send = send
        self._first = first
        self.key = key
        """What names the entry."""
        self.ended = False
        """Whether an update has said that the entry is done, or has failed."""

    async def __aenter__(self) -> Self:
        await self._send(self._first)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.ended or not self._stage:
            return
        # What left the block says more than that nobody is there to be told.
        with contextlib.nullcontext() if kind is None else contextlib.suppress(ConnectionClosed):
            await self._tell(self._patch(**{self._stage: self._done if kind is None else self._failed}))

    async def _tell(self, patch: Any) -> None:
        self.ended = self.ended or getattr(patch, self._stage, None) in (self._done, self._failed)
        await self._send(patch)

    def _patch(self, **changes: Any) -> Any:
        """The update that patches the entry."""
        raise NotImplementedError
