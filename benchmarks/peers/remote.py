"""What the peers over the network share: a server under hypercorn or uvicorn, and idle connections. Standard library alone, except for the server libraries."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import common

PROFILES = {"websocket": "ws", "http": "http"}
LIBRARIES = ("hypercorn", "uvicorn")
_OPENING = {
    "jsonrpc": "2.0",
    "id": 0,
    "method": "initialize",
    "params": {"protocolVersion": 1, "clientCapabilities": {}},
}


def run(app: Any) -> None:
    """Serve an ASGI application at a free port until killed, by the library of the last argument; prints the address."""
    listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(f"127.0.0.1:{listening.getsockname()[1]}", flush=True)
    threading.Thread(target=_end_with_the_worker, daemon=True).start()
    {"hypercorn": _hypercorn, "uvicorn": _uvicorn}[sys.argv[2]](app, listening)


def _hypercorn(app: Any, listening: socket.socket) -> None:
    from hypercorn.asyncio import serve  # noqa: PLC0415  # the client's side goes without
    from hypercorn.config import Config  # noqa: PLC0415

    config = Config()
    config.bind = [f"fd://{listening.fileno()}"]
    config.errorlog = None
    config.keep_alive_max_requests = 1 << 62
    asyncio.run(serve(app, config))


def _uvicorn(app: Any, listening: socket.socket) -> None:
    import uvicorn  # noqa: PLC0415  # the client's side goes without

    config = uvicorn.Config(
        app, http="httptools", loop="uvloop", ws="websockets-sansio", ws_per_message_deflate=False, log_config=None
    )
    uvicorn.Server(config).run([listening])


def _end_with_the_worker() -> None:
    sys.stdin.read()
    os._exit(0)


class Server:
    """The process of a peer's server under a library, started on first use."""

    def __init__(self, peer: str, library: str) -> None:
        self.peer = peer
        self.library = library
        self.process: asyncio.subprocess.Process | None = None
        self.place = ""

    async def url(self, profile: str) -> str:
        """Its address for a profile."""
        if self.process is None:
            program = str(Path(__file__).with_name(f"{self.peer}_remote.py"))
            pipe = asyncio.subprocess.PIPE
            self.process = await asyncio.create_subprocess_exec(
                sys.executable, program, "serve", self.library, stdin=pipe, stdout=pipe
            )
            assert self.process.stdout is not None
            self.place = (await self.process.stdout.readline()).decode().strip()
        return f"{PROFILES[profile]}://{self.place}/acp"

    async def idle(self, profile: str, count: int) -> float:
        """Bytes that the server holds for each of `count` connections that were opened, and on which nothing happens."""
        await self.url(profile)
        assert self.process is not None
        opener = _open_socket if profile == "websocket" else _open_stream
        host, _, port = self.place.partition(":")
        held = [await opener(host, int(port)) for _ in range(50)]  # what the first ones make is there for all
        before = common.resident(self.process.pid)
        held += [await opener(host, int(port)) for _ in range(count)]
        after = common.resident(self.process.pid)
        for writer in held:
            writer.transport.abort()
        self.process.kill()
        await self.process.wait()
        self.process = None
        return (after - before) / count


async def _open_socket(host: str, port: int) -> asyncio.StreamWriter:
    reader, writer = await asyncio.open_connection(host, port)
    key = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
    writer.write(
        f"GET /acp HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n{key}\r\n".encode()
    )
    await reader.readuntil(b"\r\n\r\n")
    frame = json.dumps(_OPENING).encode()
    writer.write(b"\x81" + bytes([0x80 | len(frame)]) + bytes(4) + frame)  # shorter than 126 bytes, masked by nothing
    await reader.readuntil(b"protocolVersion")
    return writer


async def _open_stream(host: str, port: int) -> asyncio.StreamWriter:
    reader, writer = await asyncio.open_connection(host, port)
    body = json.dumps(_OPENING).encode()
    head = f"Host: {host}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(f"POST /acp HTTP/1.1\r\n{head}".encode() + body)
    answer = await reader.readuntil(b"\r\n\r\n")
    lines = [line.partition(b": ") for line in answer.split(b"\r\n")]
    (named,) = [value.decode() for name, _, value in lines if name.lower() == b"acp-connection-id"]
    await reader.readuntil(b"protocolVersion")
    writer.write(
        f"GET /acp HTTP/1.1\r\nHost: {host}\r\nAccept: text/event-stream\r\nAcp-Connection-Id: {named}\r\n\r\n".encode()
    )
    await reader.readuntil(b"text/event-stream")
    return writer


def actions(peer: str, pair: Callable[[Server, str], common.Pair]) -> dict[str, Callable[..., Any]]:
    """What is timed, by action: that of two processes under each library and profile, and memory."""
    timed: dict[str, Callable[..., Any]] = {}
    for library in LIBRARIES:
        server = Server(peer, library)
        timed[f"{library}_idle"] = server.idle
        for profile in PROFILES:
            timed |= {
                f"{library}_{profile}_{name}": action for name, action in common.traffic(pair(server, profile)).items()
            }
    return timed
