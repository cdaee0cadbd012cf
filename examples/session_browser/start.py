"""From a command to a browser: the agent is started, greeted, and ended when the block is."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager

from examples import acp

from .browser import Browser
from .text import one_line
from .troubles import Trouble

__all__ = ["attached", "connect"]


@contextlib.asynccontextmanager
async def connect(
    command: Sequence[str], *, patience: float, undo: float, on_frame: acp.FrameHook | None = None
) -> AsyncGenerator[Browser, None]:
    """Start an agent and open the connection; at the end send what waits, and end the agent. Raises Trouble."""
    browser = Browser(one_line(command[0], 80), patience, undo)
    agent = acp.spawn_agent(
        browser.client, *command, stderr=browser.log.feed, grace=1.0, on_frame=on_frame, inherit_env=True
    )
    async with attached(browser, agent):
        yield browser


@contextlib.asynccontextmanager
async def attached(
    browser: Browser, agent: AbstractAsyncContextManager[acp.ClientSideConnection]
) -> AsyncGenerator[None, None]:
    """Open the connection to an agent; at the end send what waits, and close it. Raises Trouble."""
    async with contextlib.AsyncExitStack() as stack:
        stack.enter_context(browser.log)
        try:
            browser.connection = await stack.enter_async_context(agent)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise Trouble(one_line(f"cannot start {browser.name}: {reason}")) from error
        stack.push_async_callback(browser.terminals.close)
        greeted = False
        try:
            await browser.greet()
            greeted = True
            watcher = asyncio.create_task(browser.watch())
            stack.callback(watcher.cancel)
            yield
            await browser.leave()
        except Trouble as trouble:
            if greeted and browser.dead is None:
                raise
            raise Trouble("\n".join([str(trouble), *browser.last_words()])) from trouble
