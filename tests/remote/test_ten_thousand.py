"""Ten thousand clients that say hello and then nothing: each costs little, and whoever comes next is served as before."""

from __future__ import annotations

import asyncio
import base64
import json
import os
import resource
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

import generated as acp

pytestmark = [
    pytest.mark.environment,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc"),
    pytest.mark.skipif(
        sys.platform == "linux" and resource.getrlimit(resource.RLIMIT_NOFILE)[1] < 11_000,
        reason="a process here may not have eleven thousand files open: ulimit -Hn",
    ),
]

HERE = Path(__file__).parent
COUNT = 10_000
AT_ONCE = 100
MOST_EACH = 100_000
SERVER = f"""
import asyncio, resource, sys
sys.path[:0] = [{str(HERE)!r}, {str(HERE.parents[1])!r}]
limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
import generated as acp
from remote_agents import Agent
asyncio.run(acp.serve(Agent, "ws://127.0.0.1:0", on_ready=lambda url: print(url, flush=True)))
"""
HELLO = json.dumps(
    {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": acp.PROTOCOL_VERSION}}
).encode()
FRAME = bytes([0x81, 0x80 | len(HELLO), 0, 0, 0, 0]) + HELLO
"""A short text frame, masked by zeroes."""


def memory(process: subprocess.Popen[str]) -> int:
    pages = Path(f"/proc/{process.pid}/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


async def hello(host: str, port: int, path: str, clients: list[asyncio.StreamWriter]) -> None:
    """Open a connection and wait for the answer to the first request."""
    reader, writer = await asyncio.open_connection(host, port)
    clients.append(writer)
    key = base64.b64encode(os.urandom(16)).decode()
    head = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13")
    writer.write("\r\n".join((f"GET {path} HTTP/1.1", f"Host: {host}:{port}", *head, "", "")).encode())
    answer = await reader.readuntil(b"\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 101"), answer
    writer.write(FRAME)
    assert b'"id":1' in await reader.readuntil(b"}")


async def turn(url: str) -> str:
    async with acp.connect(url) as agent:
        await agent.initialize()
        session = await agent.new_session(cwd="/", mcp_servers=[])
        answer = await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="nothing")])
        return answer.stop_reason


def started() -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)


async def test_ten_thousand_idle_clients_leave_room_for_the_next() -> None:
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
    clients: list[asyncio.StreamWriter] = []
    with started() as server:
        try:
            assert server.stdout is not None
            url = server.stdout.readline().strip()
            place = urlsplit(url)
            host, port = place.hostname or "", place.port or 0
            assert await turn(url) == "end_turn"
            before = memory(server)
            for _ in range(COUNT // AT_ONCE):
                async with asyncio.TaskGroup() as group:
                    for _ in range(AT_ONCE):
                        group.create_task(hello(host, port, place.path, clients))
            each = (memory(server) - before) // COUNT
            assert each < MOST_EACH, f"{each} bytes for an idle connection"
            assert await turn(url) == "end_turn"
            for client in clients:
                client.transport.abort()
            assert await turn(url) == "end_turn"
        finally:
            server.kill()
            for client in clients:
                client.transport.abort()
