"""Frames that no honest peer sends, and raw peers that send them over each transport, as clients and as servers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import sys
from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import msgspec
from remote_hosts import served, under_hypercorn
from remote_raw import CONNECTION, INITIALIZE, JSON, opened, post, streaming
from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

import generated as acp
from tests.runtime.peers import streams

LIMIT = 20_000
OPTIONS: dict[str, Any] = {"limits": acp.Limits(frame=LIMIT)}

V = b'"jsonrpc":"2.0"'
RESULT, ERROR, STAYS = "result", "error", "stays"
ANSWERED = "answered"
REFUSED = "refused"


class Hostile(NamedTuple):
    """A frame, how it ends the open call (or that this stays open), and the reply: a result, an error, or the code of one."""

    frame: bytes
    call: str = STAYS
    reply: int | str | None = None


UNREAD = "a frame beyond the limit", "a request beyond the limit"
"""Frames that end a WebSocket, and are not read to their end over HTTP."""
NO_TEXT = "invalid UTF-8 in a result", "invalid UTF-8 in a method"
"""Frames that end a WebSocket where its library checks texts."""

FRAMES: dict[str, Hostile] = {
    # No JSON, or no text
    "half a response": Hostile(b'{%b,"id":ID,"result":{"a":' % V, ERROR),
    "half a request": Hostile(b'{%b,"id":"h","method":"_x","params":{"a' % V, STAYS, -32700),
    "a response and more": Hostile(b'{%b,"id":ID,"result":{}}}' % V, ERROR),
    "two responses in one frame": Hostile(b'{%b,"id":ID,"result":{}}{%b,"id":ID,"result":{}}' % (V, V), ERROR),
    "a byte order mark": Hostile(b'\xef\xbb\xbf{%b,"id":ID,"result":{}}' % V, ERROR),
    "invalid UTF-8 in a result": Hostile(b'{%b,"id":ID,"result":{"a":"\xff"}}' % V, ERROR),
    "invalid UTF-8 in a method": Hostile(b'{%b,"id":"h","method":"_\xc3"}' % V, STAYS, -32700),
    "UTF-16": Hostile('{"jsonrpc":"2.0","id":ID,"result":{}}'.encode("utf-16-le"), STAYS, -32700),
    "NUL before a response": Hostile(b'\0{%b,"id":ID,"result":{}}' % V, ERROR),
    "NUL in a result": Hostile(b'{%b,"id":ID,"result":{"a":"\0"}}' % V, ERROR),
    "an escaped NUL": Hostile(b'{%b,"id":ID,"result":{"a":"\\u0000"}}' % V, RESULT),
    "a lone surrogate in a result": Hostile(b'{%b,"id":ID,"result":{"a":"\\ud800"}}' % V, RESULT),
    "a lone surrogate in a method": Hostile(b'{%b,"id":"h","method":"_\\udfff"}' % V, STAYS, ANSWERED),
    "NaN": Hostile(b'{%b,"id":ID,"result":NaN}' % V, ERROR),
    "a result nested deeply": Hostile(b'{%b,"id":ID,"result":%b%b}' % (V, b"[" * 9000, b"]" * 9000), ERROR),
    "params nested deeply": Hostile(
        b'{%b,"id":"h","method":"_x","params":%b1%b}' % (V, b'{"a":' * 3000, b"}" * 3000), STAYS, -32700
    ),
    "arrays that never close": Hostile(b"[" * 9000, STAYS, -32700),
    "a frame beyond the limit": Hostile(b'{%b,"id":ID,"result":"%b"}' % (V, b"x" * 2 * LIMIT), ERROR),
    "a request beyond the limit": Hostile(
        b'{%b,"id":"h","method":"_x","params":["%b"]}' % (V, b"x" * 2 * LIMIT), STAYS, -32600
    ),
    # Numbers
    "a number beyond a double": Hostile(b'{%b,"id":ID,"result":1e999}' % V, ERROR),
    "a number of 4,000 digits": Hostile(b'{%b,"id":ID,"result":%b}' % (V, b"9" * 4000), RESULT),
    "params with a number beyond a double": Hostile(b'{%b,"id":"h","method":"_x","params":[1e999]}' % V, STAYS, -32602),
    "an error code beyond 64 bits": Hostile(b'{%b,"id":ID,"error":{"code":%b,"message":"m"}}' % (V, b"9" * 40), ERROR),
    "an error code beyond a double": Hostile(b'{%b,"id":ID,"error":{"code":-1e999,"message":"m"}}' % V, ERROR),
    # Ids
    "a response without an id": Hostile(b'{%b,"result":{}}' % V),
    "a response with the id null": Hostile(b'{%b,"id":null,"result":{}}' % V),
    "an error with the id null": Hostile(b'{%b,"id":null,"error":{"code":-32700,"message":"Parse error"}}' % V, ERROR),
    "a response to no request": Hostile(b'{%b,"id":987654,"result":{}}' % V),
    "an error for no request": Hostile(b'{%b,"id":"nobody","error":{"code":-32000,"message":"m"}}' % V),
    "the id as text": Hostile(b'{%b,"id":"ID","result":{}}' % V, RESULT),
    "the id with a fraction": Hostile(b'{%b,"id":ID.0,"result":{}}' % V, RESULT),
    "the id as an array": Hostile(b'{%b,"id":[ID],"result":{}}' % V),
    "the id as an object": Hostile(b'{%b,"id":{"id":ID},"result":{}}' % V),
    "the id true": Hostile(b'{%b,"id":true,"result":{}}' % V),
    "an id of 400 digits": Hostile(b'{%b,"id":%b,"result":{}}' % (V, b"9" * 400)),
    "a request with an id beyond 64 bits": Hostile(b'{%b,"id":%b,"method":"_x"}' % (V, b"9" * 30), STAYS, ANSWERED),
    "a request with the id null": Hostile(b'{%b,"id":null,"method":"_x"}' % V, STAYS, ANSWERED),
    "a request with the id of our call": Hostile(b'{%b,"id":ID,"method":"_x"}' % V, STAYS, ANSWERED),
    "a request with an object as id": Hostile(b'{%b,"id":{},"method":"_x"}' % V, STAYS, -32600),
    "the id twice": Hostile(b'{%b,"id":987654,"id":ID,"result":{}}' % V, RESULT),
    "the result twice": Hostile(b'{%b,"id":ID,"result":1,"result":{}}' % V, RESULT),
    # Members
    "both result and error": Hostile(b'{%b,"id":ID,"result":{},"error":{"code":-32001,"message":"m"}}' % V, ERROR),
    "method and result": Hostile(b'{%b,"id":ID,"method":"_x","result":{}}' % V, STAYS, ANSWERED),
    "neither result nor error": Hostile(b'{%b,"id":ID}' % V, ERROR),
    "no version": Hostile(b'{"id":ID,"result":{}}', RESULT),
    "version 1.0": Hostile(b'{"jsonrpc":"1.0","id":ID,"result":{}}', RESULT),
    "an error of null": Hostile(b'{%b,"id":ID,"error":null}' % V, RESULT),
    "an error of text": Hostile(b'{%b,"id":ID,"error":"broken"}' % V, ERROR),
    "an error of an array": Hostile(b'{%b,"id":ID,"error":[1,2]}' % V, ERROR),
    "an error with a code of text": Hostile(b'{%b,"id":ID,"error":{"code":"x","message":[]}}' % V, ERROR),
    "an error nested deeply": Hostile(b'{%b,"id":ID,"error":%b%b}' % (V, b"[" * 9000, b"]" * 9000), ERROR),
    "a method of a number": Hostile(b'{%b,"id":"h","method":5}' % V, STAYS, -32600),
    "params of text": Hostile(b'{%b,"id":"h","method":"session/new","params":"x"}' % V, STAYS, REFUSED),
    "params of the wrong types": Hostile(
        b'{%b,"id":"h","method":"session/new","params":{"cwd":[1]}}' % V, STAYS, REFUSED
    ),
    "an unknown method": Hostile(b'{%b,"id":"h","method":"no/such"}' % V, STAYS, -32601),
    "an unknown notification": Hostile(b'{%b,"method":"no/such"}' % V),
    "a notification of an unknown session": Hostile(
        b'{%b,"method":"session/cancel","params":{"sessionId":"none"}}' % V
    ),
    "a notification without params": Hostile(b'{%b,"method":"session/cancel"}' % V),
    "a cancellation of no request": Hostile(b'{%b,"method":"$/cancel_request","params":{"requestId":{"a":1}}}' % V),
    # Other JSON
    "an empty frame": Hostile(b""),
    "white space": Hostile(b" \t "),
    "null": Hostile(b"null", STAYS, -32600),
    "a text": Hostile(b'"x"', STAYS, -32600),
    "an empty object": Hostile(b"{}", STAYS, -32600),
    "an empty batch": Hostile(b"[]", STAYS, -32600),
    "a batch of responses": Hostile(b'[{%b,"id":ID,"result":{}},{%b,"id":987654,"result":{}}]' % (V, V), RESULT),
    "a batch of requests": Hostile(
        b'[{%b,"id":"h","method":"_x"},{%b,"id":"i","method":"_x"}]' % (V, V), STAYS, -32600
    ),
    "a batch of batches": Hostile(b'[[[{%b,"id":ID,"result":{}}]]]' % V, STAYS, -32600),
}
"""ID stands for the id of a call that has no answer yet."""


class Probed:
    """Handlers of a side: a request ``_ask`` calls the peer, and answers with how that call ended; all others are echoed."""

    def __init__(self) -> None:
        self.peer: Any = None

    async def ext_method(self, method: str, params: Any) -> Any:
        if method != "_ask":
            return {}
        try:
            return {"ended": "result", "value": await self.caller().ext_request("_call", {})}
        except acp.RequestError as error:
            return {"ended": f"error {error.code}"}
        except (acp.ConnectionClosed, msgspec.ValidationError) as error:
            return {"ended": f"error {error}"}

    def caller(self) -> Any:
        raise NotImplementedError


class ProbedAgent(Probed, acp.Agent):
    async def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id="s1")

    def caller(self) -> Any:
        return self.client


class ProbedClient(Probed, acp.Client):
    def caller(self) -> Any:
        return self.agent


class Peer(ABC):
    """A peer of raw frames, whose connection is open. `came` has the messages of the other side; None is its end."""

    def __init__(self) -> None:
        self.came: asyncio.Queue[Any] = asyncio.Queue()

    @abstractmethod
    async def send(self, frame: bytes) -> None:
        """Send a frame; ConnectionError where the connection is over."""

    @abstractmethod
    async def send_endlessly(self, piece: bytes, times: int) -> None:
        """Send pieces of a frame that does not end."""

    async def receive(self) -> Any:
        async with asyncio.timeout(30):
            return await self.came.get()


class Lines(Peer):
    """A peer on two byte streams."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        super().__init__()
        self._reader, self._writer = reader, writer

    async def send(self, frame: bytes) -> None:
        self._writer.write(frame + b"\n")
        await self._writer.drain()

    async def send_endlessly(self, piece: bytes, times: int) -> None:
        for part in itertools.repeat(piece, times):
            self._writer.write(part)
            await self._writer.drain()

    async def pump(self) -> None:
        while line := await self._reader.readline():
            self.came.put_nowait(json.loads(line))
        self.came.put_nowait(None)


class Socket(Peer):
    """A peer on a WebSocket."""

    def __init__(self, socket: Any) -> None:
        super().__init__()
        self._socket = socket

    async def send(self, frame: bytes) -> None:
        try:
            await self._socket.send(frame, text=True)
        except ConnectionClosed as error:
            raise ConnectionError from error

    async def send_endlessly(self, piece: bytes, times: int) -> None:
        try:
            await self._socket.send(itertools.repeat(piece, times), text=True)
        except ConnectionClosed as error:
            raise ConnectionError from error

    async def pump(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self._socket:
                self.came.put_nowait(json.loads(text))
        self.came.put_nowait(None)


class Posts(Peer):
    """A client that posts; a refusal counts as the error of a request that cannot be named."""

    def __init__(self, client: httpx.AsyncClient, connection: str, stream: Any) -> None:
        super().__init__()
        self._client, self._connection, self._stream = client, connection, stream

    async def send(self, frame: bytes) -> None:
        status, said = 413, {}
        for _ in range(2):  # hypercorn ends the network connection when a body is refused over HTTP/2
            with contextlib.suppress(httpx.TransportError):
                answer = await post(self._client, frame, self._connection)
                status, said = answer.status_code, answer.json() if answer.content else {}
                break
        if status >= 300:
            self.came.put_nowait(said if "jsonrpc" in said else {"id": None, "error": {"code": status}})

    async def send_endlessly(self, piece: bytes, times: int) -> None:
        async def body() -> AsyncGenerator[bytes]:
            for _ in range(times):
                yield piece

        with contextlib.suppress(httpx.TransportError):
            await self._client.post("/acp", content=body(), headers={**JSON, CONNECTION: self._connection})

    async def pump(self) -> None:
        while (message := await self._stream.next()) is not None:
            self.came.put_nowait(message)
        self.came.put_nowait(None)


class Events(Peer):
    """A server that sends frames as events, the first after a call, if `at_once`, as the response to its POST."""

    def __init__(self, at_once: bool) -> None:
        super().__init__()
        self._at_once = at_once
        self._events: asyncio.Queue[bytes | None] = asyncio.Queue(10)
        self._response: asyncio.Future[bytes] | None = None

    async def send(self, frame: bytes) -> None:
        if self._response is not None and not self._response.done():
            self._response.set_result(frame)
        else:
            await self._events.put(b"data: %b\n\n" % frame)

    async def send_endlessly(self, piece: bytes, times: int) -> None:
        for part in (b"data: ", *itertools.repeat(piece, times)):
            await self._events.put(part)

    async def finish(self) -> None:
        """End the stream."""
        await self._events.put(None)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def respond(
            status: int, body: bytes = b"", kind: bytes = b"application/json", more: bool = False
        ) -> None:
            headers = [(b"content-type", kind), (CONNECTION.lower().encode(), b"c")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body, "more_body": more})

        if scope["type"] != "http":
            return
        if scope["method"] == "GET":
            await respond(200, b":\n\n", b"text/event-stream", more=True)
            await receive()
            gone = asyncio.ensure_future(receive())
            while (frame := await self._events.get()) is not None:
                await asyncio.sleep(0)
                if not gone.done():  # hypercorn would keep what it cannot send
                    await send({"type": "http.response.body", "body": frame, "more_body": True})
            gone.cancel()
        elif scope["method"] == "POST":
            body = b""
            while True:
                event = await receive()
                body += event["body"]
                if not event.get("more_body"):
                    break
            message = json.loads(body)
            self.came.put_nowait(message)
            if message.get("method") == "initialize" or (self._at_once and message.get("method") == "_call"):
                self._response = asyncio.get_running_loop().create_future()
                await respond(200, await self._response)
            else:
                await respond(202)
        else:
            await respond(202)


@contextlib.asynccontextmanager
async def pumping(peer: Any) -> AsyncGenerator[Any]:
    task = asyncio.ensure_future(peer.pump())
    try:
        yield peer
    finally:
        task.cancel()
        await asyncio.wait([task])


async def shaken(peer: Peer) -> None:
    """Shake hands as a client."""
    await peer.send(json.dumps(INITIALIZE).encode())
    assert (await peer.receive())["id"] == INITIALIZE["id"]


async def accepted(peer: Peer) -> None:
    """Shake hands as a server."""
    request = await peer.receive()
    result = {"jsonrpc": "2.0", "id": request["id"], "result": {"protocolVersion": 1}}
    await peer.send(json.dumps(result).encode())


Meets = Callable[[], AbstractAsyncContextManager[Peer]]
"""Opens a connection to the side under test; all are open to the same one."""


@contextlib.asynccontextmanager
async def agents_on_stdio() -> AsyncGenerator[Meets]:
    @contextlib.asynccontextmanager
    async def meet() -> AsyncGenerator[Peer]:
        pipe = asyncio.subprocess.PIPE
        script = str(Path(__file__).with_name("stdio_agent.py"))
        command = [sys.executable, script, "ProbedAgent"]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL
        )
        assert process.stdin is not None
        assert process.stdout is not None
        async with pumping(Lines(process.stdout, process.stdin)) as peer:
            await shaken(peer)
            yield peer
            process.stdin.close()
            await process.wait()

    yield meet


@contextlib.asynccontextmanager
async def agents_on_websockets() -> AsyncGenerator[Meets]:
    async with served(ProbedAgent, **OPTIONS) as url:

        @contextlib.asynccontextmanager
        async def meet() -> AsyncGenerator[Peer]:
            async with (
                connect(url.replace("http", "ws"), compression=None, max_size=None) as socket,
                pumping(Socket(socket)) as peer,
            ):
                await shaken(peer)
                yield peer

        yield meet


@contextlib.asynccontextmanager
async def agents_over_http() -> AsyncGenerator[Meets]:
    async with served(ProbedAgent, **OPTIONS) as url:

        @contextlib.asynccontextmanager
        async def meet() -> AsyncGenerator[Peer]:
            async with httpx.AsyncClient(base_url=url.removesuffix("/acp"), timeout=60) as client:
                connection = await opened(client)
                async with streaming(client, connection) as stream, pumping(Posts(client, connection, stream)) as peer:
                    yield peer

        yield meet


@contextlib.asynccontextmanager
async def opening(connection: Any, peer: Peer) -> AsyncGenerator[Peer]:
    """A peer whose handshake with a connection of ours is done, and which learns of its end."""

    async def watch() -> None:
        await connection.wait_closed()
        peer.came.put_nowait(None)

    handshake = asyncio.ensure_future(connection.initialize())
    await accepted(peer)
    await handshake
    watching = asyncio.ensure_future(watch())
    yield peer
    watching.cancel()
    await asyncio.wait([watching])


@contextlib.asynccontextmanager
async def clients_on_streams() -> AsyncGenerator[Meets]:
    @contextlib.asynccontextmanager
    async def meet() -> AsyncGenerator[Peer]:
        ours, theirs = await streams()
        try:
            async with (
                acp.ClientSideConnection(ProbedClient(), *ours, **OPTIONS) as connection,
                pumping(Lines(*theirs)) as peer,
                opening(connection, peer),
            ):
                yield peer
        finally:
            theirs[1].close()

    yield meet


@contextlib.asynccontextmanager
async def clients_on_websockets() -> AsyncGenerator[Meets]:
    peers: asyncio.Queue[Peer] = asyncio.Queue()

    async def host(socket: Any) -> None:
        peer = Socket(socket)
        peers.put_nowait(peer)
        await peer.pump()

    async with serve(host, "127.0.0.1", 0, compression=None, max_size=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]

        @contextlib.asynccontextmanager
        async def meet() -> AsyncGenerator[Peer]:
            async with (
                acp.connect(f"ws://127.0.0.1:{port}/", ProbedClient(), **OPTIONS) as connection,
                opening(connection, await peers.get()) as peer,
            ):
                yield peer

        yield meet


def clients_over_http(at_once: bool) -> Callable[[], AbstractAsyncContextManager[Meets]]:
    @contextlib.asynccontextmanager
    async def clients() -> AsyncGenerator[Meets]:
        @contextlib.asynccontextmanager
        async def meet() -> AsyncGenerator[Peer]:
            peer = Events(at_once)
            async with under_hypercorn(peer) as url:
                async with acp.connect(url, ProbedClient(), **OPTIONS) as connection, opening(connection, peer):
                    yield peer
                await peer.finish()

        yield meet

    return clients


SIDES: dict[str, Callable[[], AbstractAsyncContextManager[Meets]]] = {
    "an agent on stdio": agents_on_stdio,
    "an agent on WebSockets": agents_on_websockets,
    "an agent over HTTP": agents_over_http,
    "a client on streams": clients_on_streams,
    "a client on WebSockets": clients_on_websockets,
    "a client over HTTP, by events": clients_over_http(False),
    "a client over HTTP, by responses": clients_over_http(True),
}
