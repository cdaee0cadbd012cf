"""The floor over the network: an ASGI application that answers what it must, and orjson. `serve` is the server, else a worker with the client's side."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import raw
import remote
from websockets.asyncio.client import connect

_UPDATE = {"sessionUpdate": "agent_message_chunk"}
_EVENTS = "text/event-stream"
_CONNECTION = b"acp-connection-id"
_RESULT = {"protocolVersion": 1, "sessionId": "sess_1", "stopReason": "end_turn"}
Say = Callable[[bytes], Awaitable[None]]
streams: asyncio.Queue[bytes] = asyncio.Queue()
"""What the one event stream is to bring that is read; those that are idle have nothing to say."""


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answers requests, a turn with as many updates as it is asked for."""
    if scope["type"] == "websocket":
        await _converse(receive, send)
    elif scope["type"] == "http":
        await (_stream(send) if scope["method"] == "GET" else _post(receive, send))


async def _converse(receive: Any, send: Any) -> None:
    await receive()
    await send({"type": "websocket.accept"})

    async def say(text: bytes) -> None:
        await send({"type": "websocket.send", "text": text.decode()})

    while (event := await receive())["type"] != "websocket.disconnect":
        await _answer(orjson.loads(event["text"]), say)


async def _post(receive: Any, send: Any) -> None:
    body = (await receive())["body"]
    message = orjson.loads(body)
    if message["method"] == "initialize":
        answer = orjson.dumps({"jsonrpc": "2.0", "id": message["id"], "result": _RESULT})
        await _respond(send, 200, (_CONNECTION, b"one"), body=answer)
    else:
        await _answer(message, streams.put)
        await _respond(send, 202)


async def _stream(send: Any) -> None:
    headers = [(b"content-type", _EVENTS.encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b":\n\n", "more_body": True})
    while True:
        text = await streams.get()
        await send({"type": "http.response.body", "body": b"data: %b\n\n" % text, "more_body": True})


async def _respond(send: Any, status: int, *headers: tuple[bytes, bytes], body: bytes = b"") -> None:
    whole = [(b"content-length", b"%d" % len(body)), *headers]
    await send({"type": "http.response.start", "status": status, "headers": whole})
    await send({"type": "http.response.body", "body": body})


async def _answer(message: dict[str, Any], say: Say) -> None:
    if message["method"] == "session/prompt":
        params = message["params"]
        count, size = map(int, params["prompt"][0]["text"].split())
        text = ("and then it reads\n" * (size // 18 + 1))[:size]
        for _ in range(count):
            update = {**_UPDATE, "content": {"type": "text", "text": text}}
            told = {"sessionId": params["sessionId"], "update": update}
            await say(orjson.dumps({"jsonrpc": "2.0", "method": "session/update", "params": told}))
    await say(orjson.dumps({"jsonrpc": "2.0", "id": message["id"], "result": _RESULT}))


class Pair(raw.Pair):
    def __init__(self, server: remote.Server, profile: str) -> None:
        super().__init__()
        self.server = server
        self.profile = profile
        self.send = self.send_frame if profile == "websocket" else self.post  # type: ignore[method-assign]
        self.reader: Any = None
        self.writer: Any = None
        self.place = ""

    async def connect(self) -> None:
        url = await self.server.url(self.profile)
        self.place = url.partition("://")[2].partition("/")[0]
        if self.profile == "websocket":
            self.process = await connect(url, compression=None)
            self.reading = asyncio.create_task(self.read())
            await self.call("initialize", {"protocolVersion": 1})
        else:
            self.reader, self.writer = await self.open()
            self.reading = asyncio.create_task(self.follow())
            await self.post({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}})

    async def open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, _, port = self.place.partition(":")
        return await asyncio.open_connection(host, int(port))

    async def read(self) -> None:
        async for text in self.process:
            await self.take(orjson.loads(text))

    async def follow(self) -> None:
        reader, writer = await self.open()
        writer.write(f"GET /acp HTTP/1.1\r\nHost: {self.place}\r\nAccept: {_EVENTS}\r\n\r\n".encode())
        await reader.readuntil(b"\r\n\r\n")
        while line := await reader.readline():
            if line.startswith(b"data: "):
                await self.take(orjson.loads(line[6:]))

    async def send_frame(self, message: dict[str, Any]) -> None:
        await self.process.send(orjson.dumps(message).decode())

    async def post(self, message: dict[str, Any]) -> None:
        body = orjson.dumps(message)
        kind = "Content-Type: application/json\r\nAcp-Connection-Id: one\r\nAcp-Session-Id: sess_1"
        head = f"POST /acp HTTP/1.1\r\nHost: {self.place}\r\n{kind}\r\nContent-Length: {len(body)}\r\n\r\n"
        if self.reader.at_eof():  # the server closes what is idle for long
            self.reader, self.writer = await self.open()
        self.writer.write(head.encode() + body)
        head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
        await self.reader.readexactly(int(head.partition(b"content-length: ")[2].partition(b"\r")[0]))


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        remote.run(app)
    else:
        remote.common.serve(remote.actions("raw", Pair))
