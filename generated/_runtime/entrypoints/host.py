# @generated: part of every package, the same for every schema. Do not edit.
# ruff: noqa: PGH004
# flake8: noqa
# pylint: skip-file  # isort: skip_file
# fmt: off
"""A running server, which shuts down gracefully at a signal, and the check of options against addresses."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager
from importlib import import_module
from typing import Any

from ..tasks import start
from ..transport.options import EndpointOptions
from .process import signalled

WEB = ("http", "https", "ws", "wss")
"""The schemes of addresses that networking handles."""
_HEEDED: Mapping[str, tuple[str, ...]] = {
    **dict.fromkeys(EndpointOptions.__annotations__, WEB),
    **dict.fromkeys(
        ("connections", "drain_timeout", "request_timeout", "sockets", "sockets_each"), (*WEB, "tcp", "unix")
    ),
    **dict.fromkeys(("certificate", "private_key"), ("https", "wss")),
    "mode": ("unix",),
}
"""Options and the schemes at which they have an effect. With any other scheme, a server does not start."""


class Host:
    """A server that runs in a task and can shut down gracefully."""

    def __init__(
        self, address: str, run: Coroutine[Any, Any, Any], end: Callable[[], Coroutine[Any, Any, None]]
    ) -> None:
        self.address = address
        self.task = start(run)
        self._end = end

    async def end(self) -> None:
        """Shut the server down gracefully, and wait until its task has ended."""
        await self._end()
        await self.task


async def serve_host(
    host_: AbstractAsyncContextManager[Host], place: str, scheme: str, options: Mapping[str, Any]
) -> None:
    """Run a server until a signal arrives, then shut it down gracefully. SIGTERM is a normal end.

    Without `on_ready`, it prints its address in a terminal. If the address is in use, the program ends with a
    one-line error.
    """
    check_heeded(place, scheme, options)
    ready, ended = options.get("on_ready"), asyncio.Event()
    async with contextlib.AsyncExitStack() as stack:
        came = stack.enter_context(signalled(ended.set))
        try:
            host = await stack.enter_async_context(host_)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            ways = "stop the program that listens there, or choose another port (0: any that is free)"
            text = f"cannot serve at {place}: address already in use; {ways}"
            raise (SystemExit(f"error: {text}") if ready is None else OSError(error.errno, text)) from None
        (ready or _announce)(host.address)
        stop = start(ended.wait())
        try:
            await asyncio.wait([stop, host.task], return_when=asyncio.FIRST_COMPLETED)
        finally:  # a cancellation shuts it down gracefully, too
            stop.cancel()
            await host.end()
    if came and came[0] != signal.SIGTERM:
        raise SystemExit(128 + came[0])


def fastest_loop() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """uvloop's event loop if it is installed; None for asyncio's own."""
    try:
        loop: Any = import_module("uvloop")
    except ImportError:
        return None
    made: Callable[[], asyncio.AbstractEventLoop] = loop.new_event_loop
    return made


def _announce(address: str) -> None:
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write(f"serving at {address}; Ctrl-C ends it\n")


def check_heeded(place: str, scheme: str, options: Mapping[str, Any]) -> None:
    """Raise ValueError for an option that has no effect at an address."""
    for name, schemes in _HEEDED.items():
        if options.get(name) is not None and scheme not in schemes:
            listed = " and ".join([", ".join(schemes[:-1]), schemes[-1]][len(schemes) == 1 :])
            raise ValueError(f"`{name}` has no effect at {place}: it applies to {listed}")
