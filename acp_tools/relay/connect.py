"""A remote agent on the standard streams of this process, as an editor expects."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import acp_generated as acp
from acp_generated import transports

from ..codegen_api import console

_LAST = 5.0
"""Seconds for the remote agent to finish after the editor has closed the input."""


async def connect(
    url: str,
    token: str | None,
    headers: Mapping[str, str],
    profile: Literal["http", "websocket"] | None,
    *,
    http2: bool,
    once: bool,
) -> int:
    """Relay frames until the editor disconnects (0) or the agent is lost permanently (1). `once`: after its first
    loss.
    """
    options: transports.DialOptions = {
        "bearer": token,
        "headers": headers,
        "profile": profile,
        "http2": http2,
        "cookies": CookieJar(),  # one for all connections, so that a balancer finds the server again
    }
    parts = urlsplit(url)
    shown = urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path, "", ""))
    if once:
        return await _once(url, shown, options)
    from acp_remote import ReconnectingTransport  # noqa: PLC0415  # it may be missing, and that is said in a line

    async with transports.stdio_transport() as editor:
        await ReconnectingTransport(
            transports.runtime(acp.methods.PROTOCOL),
            editor,
            lambda: transports.dial(acp.methods.PROTOCOL, url, **options),
            tell=lambda what: console.note(f"{shown}: {what}"),
        ).run()
    return 0


async def _once(url: str, shown: str, options: transports.DialOptions) -> int:
    # The address first: where nobody answers, the editor sees an agent that does not start.
    async with transports.dial(acp.methods.PROTOCOL, url, **options) as agent, transports.stdio_transport() as editor:
        asking = asyncio.create_task(transports.relay(editor, agent))
        answering = asyncio.create_task(transports.relay(agent, editor))
        try:
            await asyncio.wait([asking, answering], return_when=asyncio.FIRST_COMPLETED)
            if not answering.done():
                asking.result()
                agent.close()
                await asyncio.wait([answering], timeout=_LAST)
                return 0
            answering.result()
            console.note(f"{shown}: the agent has ended the connection")
            return 1
        finally:
            for task in (asking, answering):
                task.cancel()
            with contextlib.suppress(asyncio.CancelledError, ConnectionError):
                await asyncio.gather(asking, answering)
