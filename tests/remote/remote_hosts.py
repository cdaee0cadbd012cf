"""Agents served in the event loop of a test, and raw requests to them."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncGenerator, Callable
from typing import Any

import httpx

import generated as acp


@contextlib.asynccontextmanager
async def served(
    factory: Callable[[], acp.Agent], address: str = "http://127.0.0.1:0", **options: Any
) -> AsyncGenerator[str]:
    """The address at which an agent of the factory is served to each client."""
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    options = {"drain_timeout": 0.3, **options}
    task = asyncio.ensure_future(acp.serve(factory, address, on_ready=ready.set_result, **options))
    await asyncio.wait([task, ready], return_when=asyncio.FIRST_COMPLETED)
    if task.done():
        task.result()
    try:
        yield ready.result()
    finally:
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task


WAYS: dict[str, dict[str, Any]] = {
    "websocket": {"profile": "websocket"},
    "http/1.1": {"profile": "http"},
    "http/2": {"profile": "http", "http2": True},
}


@contextlib.asynccontextmanager
async def browsing(url: str, **options: Any) -> AsyncGenerator[httpx.AsyncClient]:
    """Raw requests to an endpoint, over HTTP/2."""
    async with httpx.AsyncClient(
        http1=False, http2=True, base_url=url.removesuffix("/acp"), timeout=60, **options
    ) as client:
        yield client


@contextlib.asynccontextmanager
async def under_hypercorn(app: Any, **settings: Any) -> AsyncGenerator[str]:
    """The address of an application under hypercorn, whose end is the test's business."""
    from hypercorn.asyncio import serve
    from hypercorn.config import Config

    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    listening.listen()
    listening.setblocking(False)
    port = listening.getsockname()[1]
    config = Config()
    config.bind = [f"fd://{listening.detach()}"]
    config.errorlog = None
    for name, value in settings.items():
        setattr(config, name, value)
    over = asyncio.Event()
    task = asyncio.ensure_future(serve(app, config, shutdown_trigger=over.wait))  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]
    try:
        yield f"http://127.0.0.1:{port}/acp"
    finally:
        over.set()
        await task
