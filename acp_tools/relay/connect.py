"""A remote agent on our standard streams: to the editor that started us, we are that agent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from http.cookiejar import CookieJar
from typing import Literal
from urllib.parse import urlsplit, urlunsplit

import acp_generated as acp

from ..tool import console

__all__ = ["connect"]

_LAST = 5.0
"""Seconds that the remote agent has to finish after the editor has closed our input."""


async def connect(
    url: str,
    token: str | None,
    headers: Mapping[str, str],
    profile: Literal["http", "websocket"] | None,
    *,
    http2: bool,
    once: bool,
) -> int:
    """Pass frames on until the editor has left (0), or the agent has for good (1): after its first loss if that is to be enough."""
    options: acp.DialOptions = {
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
    async with acp.stdio_wire() as editor:
        await acp.Lasting(
            acp.PROTOCOL,
            editor,
            lambda: acp.dial(acp.PROTOCOL, url, **options),
            tell=lambda what: console.note(f"{shown}: {what}"),
        ).run()
    return 0


async def _once(url: str, shown: str, options: acp.DialOptions) -> int:
    # The address first: where nobody answers, the editor sees an agent that does not start.
    async with acp.dial(acp.PROTOCOL, url, **options) as agent, acp.stdio_wire() as editor:
        asking = asyncio.create_task(acp.pump(editor, agent))
        answering = asyncio.create_task(acp.pump(agent, editor))
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
