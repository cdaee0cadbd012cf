"""What a client does wrong, or an attacker on purpose: each has a defined answer, and others are served meanwhile."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from remote_agents import Agent, Client, begin_session, holding, prompt
from remote_hosts import browsing, served, under_hypercorn
from remote_raw import CONNECTION, INITIALIZE, connections, opened, post, request, socketed, streaming, text_frame

import generated as acp
from tests.support.sampling import exhaustive
from tests.support.waiting import advance, settled

NEW = request(1, "session/new", cwd="/", mcpServers=[])


@contextlib.asynccontextmanager
async def bytes_to(url: str) -> AsyncGenerator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    """A network connection to the server."""
    place = httpx.URL(url)
    reader, writer = await asyncio.open_connection(place.host, place.port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


async def answered(reader: asyncio.StreamReader) -> str:
    """The first line of an answer."""
    async with asyncio.timeout(60):
        return (await reader.readline()).decode().strip()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server answers at once, and does not wait for the rest of a body that it refuses."""
    monkeypatch.setattr("acp_remote.asgi._DISCARDED", 0.0)


def head(url: str, length: int, *more: str) -> bytes:
    lines = [
        "POST /acp HTTP/1.1",
        f"Host: {httpx.URL(url).host}:{httpx.URL(url).port}",
        "Content-Type: application/json",
        f"Content-Length: {length}",
        *more,
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def served_as_ever(client: httpx.AsyncClient) -> None:
    connection = await opened(client)
    async with streaming(client, connection) as main:
        assert (await post(client, NEW, connection)).status_code == 202
        assert (await main.next())["result"] == {"sessionId": "s1"}


@pytest.mark.usefixtures("impatient")
async def test_a_body_that_takes_for_ever() -> None:
    async with served(Agent, body_timeout=30) as url, bytes_to(url) as (reader, writer), browsing(url) as client:
        writer.write(head(url, 1000) + b'{"jsonrpc"')
        await settled()
        advance(31)
        assert " 408" in await answered(reader)
        await served_as_ever(client)


async def test_a_body_that_breaks_off_opens_nothing() -> None:
    async with served(Agent) as url, browsing(url) as client:
        async with bytes_to(url) as (_, writer):
            writer.write(head(url, 1000) + json.dumps(INITIALIZE).encode())
            await settled()
        await connections(0)
        await served_as_ever(client)


@pytest.mark.usefixtures("impatient")
async def test_a_body_that_is_said_to_be_too_large() -> None:
    async with served(Agent, limits=acp.Limits(frame=1000)) as url, bytes_to(url) as (reader, writer):
        writer.write(head(url, 1001))
        assert " 413" in await answered(reader)


async def test_a_body_that_turns_out_to_be_too_large() -> None:
    async def parts() -> AsyncGenerator[bytes]:
        for _ in range(20):
            yield b" " * 100

    async with served(Agent, limits=acp.Limits(frame=1000)) as url, browsing(url) as client:
        answer = await client.post("/acp", content=parts(), headers={"content-type": "application/json"})
        assert answer.status_code == 413
        assert (await post(client, b" " * 900 + json.dumps(INITIALIZE).encode())).status_code == 413
        assert (await post(client, INITIALIZE)).status_code == 200


@pytest.mark.parametrize(
    "header", [f"{CONNECTION}: a\r\n b", f"{CONNECTION}: a\rb", f"{CONNECTION}: \x01", f"{CONNECTION}: é"]
)
async def test_header_injection(header: str) -> None:
    async with served(Agent) as url, bytes_to(url) as (reader, writer), browsing(url) as client:
        body = json.dumps(NEW).encode()
        writer.write(head(url, len(body), header) + body)
        assert await answered(reader) in (
            "",
            *(f"HTTP/1.1 {status} " for status in (400, 404)),
            "HTTP/1.1 400",
            "HTTP/1.1 404",
        )
        await served_as_ever(client)


@pytest.mark.parametrize(
    "keys", [("x",), ("",), ("dGhlIHNhbXBsZSBub25jZQ==",) * 2, ("dGhlIHNhbXBsZSBub25jZR==",), ("/" * 24,)]
)
async def test_a_websocket_with_a_key_that_is_none(keys: tuple[str, ...]) -> None:
    async with served(Agent) as url, bytes_to(url) as (reader, writer), browsing(url) as client:
        place = httpx.URL(url)
        fixed = f"Host: {place.host}:{place.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        given = "".join(f"Sec-WebSocket-Key: {key}\r\n" for key in keys)
        writer.write(f"GET /acp HTTP/1.1\r\n{fixed}{given}\r\n".encode())
        assert " 400" in await answered(reader)
        await connections(0)
        await served_as_ever(client)


@pytest.mark.parametrize("count", exhaustive([100, 1000], stay=[100]))
async def test_many_posts_at_once_have_an_answer_each(count: int) -> None:
    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            asked = [request(number, "session/new", cwd="/", mcpServers=[]) for number in range(count)]
            taken = await asyncio.gather(*(post(client, one, connection) for one in asked))
            assert {answer.status_code for answer in taken} == {202}
            assert {(await main.next())["id"] for _ in asked} == set(range(count))


async def test_a_connection_that_is_deleted_amid_a_post() -> None:
    goes_on = asyncio.Event()

    async def parts() -> AsyncGenerator[bytes]:
        yield b'{"jsonrpc": "2.0", '
        await goes_on.wait()
        yield json.dumps(NEW).encode().partition(b",")[2]

    async with served(Agent) as url, browsing(url) as client:
        connection = await opened(client)
        headers = {"content-type": "application/json", CONNECTION: connection}
        posting = asyncio.ensure_future(client.post("/acp", content=parts(), headers=headers))
        assert (await client.delete("/acp", headers={CONNECTION: connection})).status_code == 202
        goes_on.set()
        assert (await posting).status_code == 404
        again = await asyncio.gather(*(client.delete("/acp", headers={CONNECTION: connection}) for _ in range(5)))
        assert {answer.status_code for answer in again} == {404}
        await connections(0)


async def test_two_streams_that_are_asked_for_at_once_and_one_over_http_1_0() -> None:
    async with served(Agent) as url, bytes_to(url) as (reader, writer), browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as one, streaming(client, connection) as other:
            assert await one.next() is None
            place = httpx.URL(url)
            lines = f"Host: {place.host}:{place.port}\r\nAccept: text/event-stream\r\n{CONNECTION}: {connection}\r\n"
            writer.write(f"GET /acp HTTP/1.0\r\n{lines}\r\n".encode())
            assert " 200" in await answered(reader)
            assert await other.next() is None
            await post(client, NEW, connection)
            assert b"data: " in await reader.readuntil(b"}\n\n")


async def test_a_trailer_names_no_connection() -> None:
    async with served(Agent) as url, bytes_to(url) as (reader, writer), browsing(url) as client:
        connection = await opened(client)
        place, body = httpx.URL(url), json.dumps(NEW)
        lines = f"Host: {place.host}:{place.port}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n"
        trailer = f"{CONNECTION}: {connection}"
        writer.write(f"POST /acp HTTP/1.1\r\n{lines}\r\n{len(body):x}\r\n{body}\r\n0\r\n{trailer}\r\n\r\n".encode())
        assert " 400" in await answered(reader)


async def test_of_strangers_no_more_is_read_than_an_opening_request_needs() -> None:
    async with served(Agent) as url, browsing(url) as client:
        assert (await post(client, json.dumps(INITIALIZE).encode() + b" " * (1 << 20))).status_code == 413
        await served_as_ever(client)


async def test_bodies_that_arrive_at_the_same_time_are_bounded_together() -> None:
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(served(Agent, limits=acp.Limits(frame=1000)))
        client = await stack.enter_async_context(browsing(url))
        connection = await opened(client)
        slow = [await stack.enter_async_context(bytes_to(url)) for _ in range(2)]
        for _, writer in slow:
            writer.write(head(url, 1000, f"{CONNECTION}: {connection}") + b" " * 990)
        async with asyncio.timeout(60):
            while (status := (await post(client, NEW, connection)).status_code) == 202:  # noqa: ASYNC110
                await asyncio.sleep(0.01)  # the others have not arrived
        assert status == 429
        for reader, writer in slow:
            writer.write(b" " * 10)
            assert " 400" in await answered(reader)
        assert (await post(client, NEW, connection)).status_code == 202


@pytest.mark.usefixtures("impatient")
async def test_what_a_body_took_that_never_ended_is_free_again() -> None:
    async with served(Agent, limits=acp.Limits(frame=1000), body_timeout=30) as url, browsing(url) as client:
        connection = await opened(client)
        for _ in range(3):
            async with bytes_to(url) as (reader, writer):
                writer.write(head(url, 1000, f"{CONNECTION}: {connection}") + b" " * 990)
                await settled()
                advance(31)
                assert " 408" in await answered(reader)
        async with browsing(url) as another:  # the time that passed has ended the first one's network connection
            assert (await post(another, NEW, connection)).status_code == 202


async def test_two_connections_named_at_once() -> None:
    async with served(Agent) as url, browsing(url) as client:
        first, second = await opened(client), await opened(client)
        body = json.dumps(NEW).encode()
        async with bytes_to(url) as (reader, writer):
            writer.write(head(url, len(body), f"{CONNECTION}: {first}", f"{CONNECTION}: {second}") + body)
            assert " 404" in await answered(reader)


async def test_what_was_asked_for_is_never_in_a_header_of_the_answer() -> None:
    async with served(Agent, origins=["*"]) as url, browsing(url) as client:
        asked = "x-one\x7f"
        answer = await client.options(
            "/acp", headers={"Origin": "https://a.example", "Access-Control-Request-Headers": asked}
        )
        assert answer.headers["access-control-allow-headers"] == ""


async def test_an_event_stream_whose_reader_is_gone_without_a_word() -> None:
    app = acp.asgi(Agent)
    async with under_hypercorn(app) as url, browsing(url) as client:
        connection = await opened(client)
        wire: Any = app.manager.connections[connection].transport
        async with bytes_to(url) as (reader, writer):
            lines = ["GET /acp HTTP/1.1", "Host: localhost", "Accept: text/event-stream", f"{CONNECTION}: {connection}"]
            writer.write(("\r\n".join(lines) + "\r\n\r\n").encode())
            assert " 200 " in await answered(reader) + " "
            assert wire.read
        async with asyncio.timeout(60):
            while wire.read:  # noqa: ASYNC110  # that its reader is gone is seen by the server alone
                await asyncio.sleep(0.01)
        assert (await post(client, NEW, connection)).status_code == 202
        async with streaming(client, connection) as main:
            assert (await main.next())["id"] == 1, "nothing is sent to who is gone"


async def test_binary_frames_are_ignored_and_a_frame_may_have_several_lines() -> None:
    async with served(Agent) as url, socketed(url) as (reader, writer):
        spread = json.dumps(NEW, indent=2).replace("\n", "\r\n").encode()
        writer.writelines(
            [text_frame(b"\0\1", kind=2), text_frame(INITIALIZE), text_frame(b"{", kind=2), text_frame(spread)]
        )
        async with asyncio.timeout(60):
            got = await reader.readuntil(b'"sessionId":"s1"')
    assert b"error" not in got


@pytest.mark.parametrize(
    "data", [text_frame(b"\xff\xfe"), b"\x81\x05hello", b"\xff" * 50], ids=["no UTF-8", "unmasked", "noise"]
)
async def test_what_is_no_frame_ends_its_connection_alone(data: bytes) -> None:
    async with served(Agent) as url, browsing(url) as client:
        async with socketed(url) as (reader, writer):
            writer.write(text_frame(INITIALIZE))
            async with asyncio.timeout(60):
                await reader.readuntil(b"protocolVersion")
                writer.write(data)
                await reader.read()
        await connections(0)
        await served_as_ever(client)


async def test_a_frame_beyond_the_limit_ends_its_connection_alone() -> None:
    async with served(Agent, limits=acp.Limits(frame=2000)) as url, browsing(url) as client:
        async with socketed(url) as (reader, writer):
            writer.write(text_frame(INITIALIZE))
            async with asyncio.timeout(60):
                await reader.readuntil(b"protocolVersion")
                writer.write(text_frame(b" " * 3000))
                await reader.readuntil(b"\x88\x02\x03\xf1")  # close, 1009
        await connections(0)
        await served_as_ever(client)


async def test_a_socket_that_says_nothing_is_no_trouble_and_one_that_leaves_amid_a_turn_neither() -> None:
    async with served(Agent) as url, browsing(url) as client:
        async with socketed(url), socketed(url) as (reader, writer):
            turn = request(2, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "wait"}])
            writer.writelines(map(text_frame, (INITIALIZE, NEW, turn)))
            await reader.readuntil(b'"sessionId":"s1"')
            await served_as_ever(client)
        # The connection over HTTP stays until it is idle.
        await connections(1)


async def test_a_flood_of_requests_is_bounded(profile: dict[str, Any]) -> None:
    kind = holding()
    async with served(kind, limits=acp.Limits(requests=10)) as url, acp.connect(url, Client(), **profile) as agent:
        session = await begin_session(agent)
        turns = [asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("hold"))) for _ in range(40)]
        async with asyncio.timeout(60):
            await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
            kind.go_on.set()
            ended = await asyncio.gather(*turns, return_exceptions=True)
        refused = [each for each in ended if isinstance(each, acp.RequestError)]
        assert 0 < len(refused) < 40
        assert (await agent.prompt(session_id=session, prompt=prompt("nothing"))).stop_reason == "end_turn"


async def test_the_same_id_twice() -> None:
    kind = holding()
    async with served(kind) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, NEW, connection)
            await main.next()
            async with streaming(client, connection, "s1") as stream:
                turn = request(5, "session/prompt", sessionId="s1", prompt=[{"type": "text", "text": "hold"}])
                for _ in range(2):
                    assert (await post(client, turn, connection, session="s1")).status_code == 202
                assert (await stream.next())["error"]["code"] == -32600
                kind.go_on.set()
                assert (await main.next())["id"] == 5, (
                    "whose answer it is cannot be told: it leaves on the connection's stream"
                )


async def test_an_agent_that_never_answers_the_opening_request() -> None:
    class Deaf(Agent):
        async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            await asyncio.Event().wait()
            raise AssertionError

    async with served(Deaf, opening_timeout=30) as url, browsing(url) as client:
        opening = asyncio.ensure_future(post(client, INITIALIZE))
        await connections(1)
        advance(31)
        assert (await opening).status_code == 504
        await connections(0)


async def test_an_opening_request_that_is_given_up_leaves_nothing() -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    class Slow(Agent):
        async def initialize(self, params: acp.InitializeRequest) -> acp.InitializeResponse:
            begun.set()
            await go_on.wait()
            return acp.InitializeResponse(protocol_version=1)

    async with served(Slow, idle_timeout=30) as url, browsing(url) as client:
        opening = asyncio.ensure_future(client.post("/acp", json=INITIALIZE))
        await begun.wait()
        opening.cancel()
        await asyncio.wait([opening])
        await connections(1)
        go_on.set()
        await settled()
        advance(31)
        await connections(0)
