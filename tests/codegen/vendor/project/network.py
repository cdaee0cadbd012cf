"""Serves, mounts and connects over HTTP and WebSocket, which needs a distribution that is not installed: prints what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from app.acp import Agent, Client, asgi, bearer, connect, serve, transports
from app.acp.connection import Caller
from app.acp.methods import PROTOCOL
from app.acp.transports import Application


def name(caller: Caller) -> str | None:
    return caller.headers.get("x-user")


async def served() -> None:
    await serve(Agent, "http://127.0.0.1:0", identify=name, origins=["https://example.com"])


async def mounted() -> None:
    app: Application = asgi(Agent, identify=bearer({"s3cret": "alice"}), path="/agents")
    await app.drain()


async def connected() -> None:
    async with connect("wss://127.0.0.1:9", Client(), bearer="s3cret", silence=5) as agent:
        await agent.initialize()


async def dialled() -> None:
    options: transports.DialOptions = {"profile": "websocket"}
    async with transports.dial(PROTOCOL, "http://127.0.0.1:9", **options) as transport:
        transport.write(b"{}")


async def told(use: Callable[[], Awaitable[None]]) -> str:
    try:
        await use()
    except ImportError as error:
        return str(error)
    return "nothing"


async def main() -> None:
    for use in (served, mounted, connected, dialled):
        print(await told(use))


if __name__ == "__main__":
    asyncio.run(main())
