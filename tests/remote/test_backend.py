"""A client's HTTP, by httpx and by httptools: the same contract, against servers that do what they like with a network connection."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

import httpx
import pytest
from remote_agents import RUNTIME

import generated as acp
from acp_remote import backend_httptools, backend_httpx
from acp_remote.address import Address
from acp_remote.backend import HttpBackend
from acp_remote.sse import EventParser
from tests.support.waiting import advance, settled, still

Respond = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OPENERS = {"httptools": backend_httptools.opener, "httpx": backend_httpx.opener}
ACCEPTED = b"HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n"
EVENTS = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"


class Server:
    """Calls a function with each network connection."""

    def __init__(self, respond: Respond) -> None:
        self._respond = respond
        self.tasks: list[asyncio.Task[None]] = []

    def enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.tasks.append(asyncio.ensure_future(self._serve(reader, writer)))

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._respond(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()

    @property
    def connections(self) -> int:
        return len(self.tasks)


@pytest.fixture(params=OPENERS)
def http(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextlib.asynccontextmanager
async def reached(http: str, respond: Respond, **options: Any) -> AsyncGenerator[tuple[HttpBackend, Server]]:
    """HttpBackend to a server that calls a function with each network connection."""
    server = Server(respond)
    async with asyncio.timeout(60), await asyncio.start_server(server.enter, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        backend = OPENERS[http](Address(RUNTIME, f"http://127.0.0.1:{port}/acp", options))()
        try:
            yield backend, server
        finally:
            await backend.close()
            for task in server.tasks:
                task.cancel()
            await asyncio.wait([*server.tasks, asyncio.ensure_future(asyncio.sleep(0))])


async def request(reader: asyncio.StreamReader) -> bytes:
    """A request that came, its body as well."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
    return head + (await reader.readexactly(int(length[0].partition(b":")[2])) if length else b"")


async def test_one_network_connection_carries_one_request_after_the_other(http: str) -> None:
    came: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            came.append(await request(reader))
            writer.write(ACCEPTED)

    async with reached(http, respond) as (backend, server):
        for number in range(3):
            assert (await backend.request("POST", {"X-Mine": "yes"}, b"%d" % number)).status == 202
        assert server.connections == 1
    assert [each[-1:] for each in came] == [b"0", b"1", b"2"]
    assert all(each.startswith(b"POST /acp HTTP/1.1\r\n") and b"\r\nx-mine: yes\r\n" in each.lower() for each in came)


async def test_httpx_changes_its_network_connection_before_a_server_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend_httpx, "_REQUESTS", 2)

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await request(reader)
            writer.write(ACCEPTED)

    async with reached("httpx", respond) as (backend, server):
        for _ in range(5):
            assert (await backend.request("POST", {}, b"{}")).status == 202
        assert server.connections == 3


async def test_one_that_the_server_has_closed_meanwhile_is_opened_anew(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(ACCEPTED)

    async with reached(http, respond) as (backend, server):
        for number in range(3):
            assert (await backend.request("POST", {}, b"%d" % number)).status == 202
            await asyncio.wait(server.tasks)
        assert server.connections == 3


async def test_so_is_one_whose_end_the_event_loop_has_not_read_yet(http: str) -> None:
    writers: list[asyncio.StreamWriter] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        while True:
            await request(reader)
            writer.write(ACCEPTED)

    async with reached(http, respond) as (backend, server):
        await backend.request("POST", {}, b"1")
        with socket.socket(
            fileno=os.dup(writers[0].get_extra_info("socket").fileno())
        ) as copy:  # uvloop's has no shutdown
            copy.shutdown(socket.SHUT_RDWR)
        assert (await backend.request("POST", {}, b"2")).status == 202
        assert server.connections == 2


async def test_an_answer_that_asks_for_it_closes_its_network_connection(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            await request(reader)
            writer.write(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok")

    async with reached(http, respond) as (backend, server):
        for _ in range(2):
            assert (await backend.request("POST", {}, b"{}")).content == b"ok"
        assert server.connections == 2


async def test_what_was_posted_is_never_posted_again_by_itself(http: str) -> None:
    came: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        came.append(await request(reader))
        writer.write(ACCEPTED)
        came.append(await request(reader))

    async with reached(http, respond) as (backend, _):
        await backend.request("POST", {}, b"1")
        with pytest.raises(OSError):  # each library has words of its own
            await backend.request("POST", {}, b"2")
    assert [each[-1:] for each in came] == [b"1", b"2"]


async def test_requests_at_the_same_time_each_have_a_network_connection(http: str) -> None:
    both: asyncio.Event = asyncio.Event()

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        body = (await request(reader))[-1:]
        if server.connections == 2:
            both.set()
        await both.wait()
        writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n" + body)

    async with reached(http, respond) as (backend, server):
        answers = await asyncio.gather(backend.request("POST", {}, b"a"), backend.request("POST", {}, b"b"))
    assert [answer.content for answer in answers] == [b"a", b"b"]


@pytest.mark.parametrize(
    "answer",
    [
        b"what is this\r\n\r\n",
        b"HTTP/1.1 200 OK\r\ncontent-length: many\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nbad header\r\n\r\n",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nx",
        b"",
    ],
)
async def test_what_is_not_http_is_one_line(http: str, answer: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(answer)

    async with reached(http, respond) as (backend, _):
        with pytest.raises(OSError) as raised:
            await backend.request("POST", {}, b"{}")
    assert str(raised.value)
    assert "\n" not in str(raised.value)
    assert caplog.records == []  # asyncio would log an error that escapes from its protocol


async def test_headers_without_an_end_are_not_kept_for_ever(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(b"HTTP/1.1 200 OK\r\n")
        while True:
            writer.write(b"x: " + b"y" * 10_000 + b"\r\n")
            await writer.drain()

    async with reached(http, respond) as (backend, _):
        with pytest.raises(OSError):
            await backend.request("POST", {}, b"{}")


async def endless(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer with a body without an end."""
    await request(reader)
    writer.write(EVENTS)
    while True:
        writer.write(b"10000\r\n" + bytes(0x10000) + b"\r\n")
        await writer.drain()


async def test_a_body_ends_at_the_limit(http: str) -> None:
    async with reached(http, endless, limits=acp.Limits(frame=1 << 20)) as (backend, _):
        with pytest.raises(ConnectionError, match="the response has more than 1048576 bytes"):
            await backend.request("POST", {}, b"{}")


async def test_a_compressed_body_is_rejected_before_it_is_read(http: str) -> None:
    asked: list[bytes] = []

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await request(reader))
        bomb = gzip.compress(bytes(1 << 20))
        head = f"content-encoding: gzip\r\ncontent-type: text/event-stream\r\ncontent-length: {len(bomb)}"
        writer.write(f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + bomb)

    async with reached(http, respond) as (backend, _):
        with pytest.raises(ConnectionError, match=r"the server compressed its response \(gzip\)"):
            await backend.request("POST", {}, b"{}")
        with pytest.raises(ConnectionError, match="the server compressed its response"):
            async with backend.stream({}, 5):
                pass
    assert all(b"accept-encoding: identity\r\n" in head.lower() for head in asked)


def test_lines_without_text_count_towards_the_limit_of_an_event() -> None:
    events = EventParser(1000)
    assert events.feed(b"data:\n" * 900) == []
    with pytest.raises(ValueError, match="more than 1000 bytes"):
        events.feed(b"data:\n" * 900)


async def test_an_answer_that_comes_before_all_was_sent_is_taken(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 413 Too Large\r\ncontent-length: 3\r\nconnection: close\r\n\r\nno!")
        while await reader.read(1 << 16):
            pass

    async with reached(http, respond) as (backend, _):
        answer = await backend.request("POST", {}, bytes(8 << 20))
    assert (answer.status, answer.refusal) == (413, "the server rejected the request with 413 no!")


async def test_a_server_that_takes_nothing_of_a_request_is_given_up(http: str) -> None:
    begun, over = asyncio.Event(), asyncio.Event()

    async def respond(reader: asyncio.StreamReader, _: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        begun.set()
        await over.wait()

    async with reached(http, respond, open_timeout=20) as (backend, _):
        sending = asyncio.ensure_future(backend.request("POST", {}, bytes(64 << 20)))
        await begun.wait()
        await settled()
        advance(21)
        with pytest.raises(TimeoutError, match="the server read no part of the request for 20 s"):
            await sending
        over.set()


async def test_a_stream_gives_what_came_and_ends(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(EVENTS + b"3\r\nabc\r\n")
        await writer.drain()
        await asyncio.sleep(0)
        writer.write(b"2\r\nde\r\n0\r\n\r\n")

    async with reached(http, respond) as (backend, _), backend.stream({"Accept": "text/event-stream"}, 5) as response:
        assert response.status == 200
        assert response.headers["content-type"] == "text/event-stream"
        found = b""
        while part := await response.more():
            found += part
    assert found == b"abcde"


async def test_a_stream_that_breaks_off_is_an_error_behind_what_came(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(EVENTS + b"3\r\nabc\r\n")

    async with reached(http, respond) as (backend, _), backend.stream({}, 5) as response:
        assert await response.more() == b"abc"
        with pytest.raises(OSError):
            await response.more()


async def test_a_stream_without_a_sign_of_life_is_silent(http: str) -> None:
    over = asyncio.Event()
    said = ""

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(EVENTS + b"3\r\nabc\r\n")
        await over.wait()

    async with reached(http, respond) as (backend, _):
        for silence in (0.2, 2.0, 20.0):  # a busy machine may need more than the first for the headers
            try:
                async with backend.stream({}, silence) as response:
                    assert await response.more() == b"abc"
                    await response.more()
            except TimeoutError as error:
                said = str(error)
            if said == f"no data on the event stream for {silence:g} s":
                break
        else:
            pytest.fail(said)
        over.set()


def test_a_request_that_a_silent_stream_of_its_network_connection_ended_says_so() -> None:
    said = "another stream of the same network connection was silent"
    with pytest.raises(ConnectionError, match=said), backend_httpx._in_our_words(5.0):
        raise httpx.ReadTimeout("")


async def test_a_stream_that_nobody_takes_makes_its_server_wait(http: str) -> None:
    sent = 0

    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal sent
        await request(reader)
        writer.write(EVENTS)
        for _ in range(400):
            writer.write(b"40000\r\n" + bytes(0x40000) + b"\r\n")
            await writer.drain()
            sent += 0x40000
        writer.write(b"0\r\n\r\n")

    async with reached(http, respond) as (backend, _), backend.stream({}, 30) as response:
        await still(lambda: sent)
        assert sent < 60 << 20
        came = 0
        while part := await response.more():
            came += len(part)
        assert came == 400 * 0x40000


async def test_a_header_that_cannot_be_sent_is_one_line(http: str) -> None:
    async def respond(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await request(reader)
        writer.write(ACCEPTED)

    async with reached(http, respond) as (backend, _):
        for value in ("\u20ac", "a\r\nb: c"):
            with pytest.raises(OSError):
                await backend.request("POST", {"X-Mine": value}, b"{}")


@pytest.mark.parametrize(
    ("url", "options", "plain"),
    [
        ("http://127.0.0.1:1/acp", {}, True),
        ("http://agent.example/acp?a=b", {}, True),
        ("https://agent.example/acp", {}, False),
        ("http://agent.example/acp", {"http2": True}, False),
        ("http://me:secret@agent.example/acp", {}, False),
        ("http://b\u00fccher.example/acp", {}, False),
        ("http://agent.example/a b", {}, False),
    ],
)
def test_what_needs_more_than_http_1_1_goes_by_httpx(
    url: str, options: dict[str, Any], plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    assert backend_httptools.suits(Address(RUNTIME, url, options)) == plain  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_so_does_what_a_proxy_of_the_environment_is_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:3128")
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    assert not backend_httptools.suits(Address(RUNTIME, "http://agent.example/acp", {}))
    assert backend_httptools.suits(Address(RUNTIME, "http://127.0.0.1:1/acp", {}))
