"""Startup of a browser: start or reach the agent and open the connection. The block closes both at its end."""

from __future__ import annotations

import contextlib
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager

import acp_generated as acp
from acp_generated import transports

from .connection import Dial
from .controller import Browser
from .errors import Trouble
from .sanitize import one_line
from .validation import OWN, Rules


@contextlib.asynccontextmanager
async def connect(
    command: Sequence[str],
    *,
    patience: float,
    undo: float,
    on_frame: acp.connection.FrameHook | None = None,
    bearer: str | None = None,
    rules: Rules = OWN,
) -> AsyncGenerator[Browser, None]:
    """Start an agent or connect to its address. The block ends it and sends pending deletions. Raises Trouble."""
    browser = Browser(one_line(command[0], 80), patience, undo, rules)
    browser.local = not is_address(command)
    if on_frame is not None:
        browser.breakpoints.on_frame.append(on_frame)

    def dial() -> AbstractAsyncContextManager[transports.Transport]:
        if not browser.local:
            return transports.dial(acp.methods.PROTOCOL, command[0], bearer=bearer)
        return transports.process_transport(*command, stderr=browser.log.feed, grace=1.0, inherit_env=True)

    async with attached(browser, dial):
        yield browser


def is_address(command: Sequence[str]) -> bool:
    """Return whether an argument is an address instead of a command."""
    return len(command) == 1 and re.match(r"(?:https?|wss?|tcp)://|unix:", command[0]) is not None


@contextlib.asynccontextmanager
async def attached(browser: Browser, dial: Dial) -> AsyncGenerator[None, None]:
    """Open the connection to an agent. The block closes it and sends pending deletions. Raises Trouble."""
    browser.dial = dial
    greeted = False
    with browser.log:
        try:
            await browser.open_connection()
            greeted = True
            yield
            await browser.leave()
        except Trouble as trouble:
            if greeted and browser.dead is None:
                raise
            raise Trouble("\n".join([str(trouble), *browser.last_words()])) from trouble
        finally:
            await browser.terminals.close()
            await browser.close_connection()
