"""Handlers that may block: each call of one runs in a thread of its own, in the turn that it would have on the event loop.

Nobody waits for a thread whose call was cancelled, nor does the program at its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Callable
from inspect import isawaitable, iscoroutinefunction
from typing import Any

__all__ = ["off_loop"]


def off_loop(handler: Callable[..., Any]) -> Callable[..., Any]:
    """The handler, called in a thread unless it is ``async def``."""
    if iscoroutinefunction(handler):
        return handler

    async def called(*arguments: Any) -> Any:
        outcome = await _in_thread(handler, arguments)
        return await outcome if isawaitable(outcome) else outcome

    return called


def _in_thread(call: Callable[..., Any], arguments: tuple[Any, ...]) -> asyncio.Future[Any]:
    loop = asyncio.get_running_loop()
    result: asyncio.Future[Any] = loop.create_future()

    def work() -> None:
        try:
            outcome, failure = call(*arguments), None
        except BaseException as error:  # noqa: BLE001  # it is raised where the handler is awaited
            outcome, failure = None, RuntimeError(repr(error)) if isinstance(error, StopIteration) else error
        with contextlib.suppress(RuntimeError):  # the loop has ended meanwhile
            loop.call_soon_threadsafe(end, outcome, failure)

    def end(outcome: Any, failure: BaseException | None) -> None:
        if result.cancelled():
            return
        if failure is None:
            result.set_result(outcome)
        else:
            result.set_exception(failure)

    threading.Thread(target=contextvars.copy_context().run, args=(work,), name="handler", daemon=True).start()
    return result
