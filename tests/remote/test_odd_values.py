"""Addresses, headers, sessions and answers that are not what they should be: none of them hangs, or takes more with it than itself."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest
from remote_agents import Client, LoadingAgent, prompt
from remote_hosts import served

import generated as acp


async def problem(url: str, **options: Any) -> str:
    """What is said when a connection cannot be made."""
    with pytest.raises((acp.ConnectionClosed, ValueError)) as raised:
        async with asyncio.timeout(60), acp.connect(url, Client(), **options) as agent:
            await agent.initialize()
    text = str(raised.value)
    assert "\n" not in text
    return text


# --- addresses and headers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", ["exa mple", "a" * 300, "ex\u0661mple.invalid", "", "a..b", "-", "xn--"])
@pytest.mark.parametrize("scheme", ["http", "ws", "tcp"])
async def test_a_host_that_is_none_is_one_line(scheme: str, host: str) -> None:
    assert await problem(f"{scheme}://{host}:9")


@pytest.mark.parametrize("path", ["\0", "/a\0b", "/a\nb", "/ü", "/%zz"])
@pytest.mark.parametrize("scheme", ["http", "ws"])
async def test_a_path_that_is_none_is_one_line(scheme: str, path: str) -> None:
    assert await problem(f"{scheme}://127.0.0.1:9{path}")


@pytest.mark.parametrize(
    "url", ["tcp://me:secret@127.0.0.1:9?token=secret", "ws://me:secret@127.0.0.1:9/?token=secret"]
)
async def test_what_is_secret_in_an_address_is_not_shown_whatever_the_scheme(url: str) -> None:
    assert "secret" not in await problem(url)


@pytest.mark.parametrize("url", ["tcp://me:secret@127.0.0.1", "ftp://me:secret@host/?token=secret"])
async def test_what_is_secret_in_an_address_is_not_shown_where_it_is_no_address(url: str) -> None:
    assert "secret" not in await problem(url)


@pytest.mark.parametrize("value", ["tökén", "日本", "\x7f"])
async def test_a_header_that_no_server_reads_alike_is_not_sent(value: str, profile: dict[str, Any]) -> None:
    assert "is invalid" in await problem("http://127.0.0.1:9", bearer=value, **profile)


@pytest.mark.parametrize("name", ["", "X Y", "X\tY", "X:Y", "Ü", "X\n"])
async def test_a_header_whose_name_is_none_is_not_sent(name: str, profile: dict[str, Any]) -> None:
    assert "is invalid" in await problem("http://127.0.0.1:9", headers={name: "x"}, **profile)


async def test_a_profile_that_is_none_is_refused() -> None:
    assert "profile is 'sse'" in await problem("http://127.0.0.1:9", profile="sse")


# --- sessions ----------------------------------------------------------------------------------------------------------

ODD = ["sü", "日本😀", "a\nb", "a\r\nX-Y: z", "", " s ", "s" * 1025, "s" * 70_000, "a\0b", "a\x7fb", "a\tb", "\u2028"]
FIT = ["a,b", "%41", "s" * 1024, '"', "a b"]


class Odd(LoadingAgent):
    """Names one session oddly."""

    name = ""

    def new_session(self, params: acp.NewSessionRequest) -> acp.NewSessionResponse:
        return acp.NewSessionResponse(session_id=self.name if params.cwd == "/odd" else "plain")


@pytest.mark.parametrize("name", ODD + FIT, ids=lambda name: repr(name[:8]) + str(len(name)))
async def test_a_session_may_have_any_name(name: str, way: dict[str, Any]) -> None:
    client = Client()
    async with (
        served(type("Named", (Odd,), {"name": name})) as url,
        asyncio.timeout(60),
        acp.connect(url, client, **way) as agent,
    ):
        await agent.initialize()
        for cwd, expected in (("/odd", name), ("/", "plain")):
            assert (await agent.new_session(cwd=cwd, mcp_servers=[])).session_id == expected
        for session in (name, "plain", name):
            await agent.prompt(session_id=session, prompt=prompt("say 2"))
        await agent.close_session(session_id=name)
        await agent.prompt(session_id="plain", prompt=prompt("say 1"))
    assert {session: len(texts) for session, texts in client.said.items()} == {name: 4, "plain": 3}


# --- answers -----------------------------------------------------------------------------------------------------------

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n:\n\n"


def answer(status: int, body: bytes = b"", kind: str = "application/json", **headers: str) -> bytes:
    lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in headers.items())
    head = f"HTTP/1.1 {status} X\r\n{lines}Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


@contextlib.asynccontextmanager
async def answering(posted: Callable[[bytes], bytes]) -> AsyncGenerator[str]:
    """A server that opens connections and streams as it should, and answers all other posts as told."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
                body = await reader.readexactly(int(lengths[0].partition(b":")[2])) if lengths else b""
                if head.startswith(b"GET"):
                    writer.write(STREAM)
                elif b'"initialize"' in body:
                    result = b'{"jsonrpc":"2.0","id":%b,"result":{"protocolVersion":1}}' % id_of(body)
                    writer.write(answer(200, result, Acp_Connection_Id="c1"))
                else:
                    writer.write(posted(body))

    talks: set[asyncio.Task[None]] = set()
    server = await asyncio.start_server(
        lambda *streams: talks.add(asyncio.ensure_future(talk(*streams))), "127.0.0.1", 0
    )
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/acp"
    finally:
        server.close()
        for task in talks:
            task.cancel()
        await asyncio.wait(talks)


def id_of(frame: bytes) -> bytes:
    return frame.partition(b'"id":')[2].partition(b",")[0]


@pytest.mark.parametrize("kind", ["text/html", "text/plain; charset=utf-8", ""])
async def test_a_page_is_no_answer(kind: str) -> None:
    """What stands in front of a server may answer with a page to log in at."""
    page = answer(200, b"<html>Log in</html>", kind)
    async with answering(lambda body: page) as url, asyncio.timeout(60), acp.connect(url, Client()) as agent:
        await agent.initialize()
        with pytest.raises(acp.RequestError, match="rejected") as raised:
            await agent.new_session(cwd="/", mcp_servers=[])
        assert "Log in" in str(raised.value.data)


async def test_an_answer_at_once_is_taken() -> None:
    def posted(body: bytes) -> bytes:
        result = b'{"jsonrpc":"2.0","id":%b,"result":{"sessionId":"s1"}}' % id_of(body)
        return answer(200, result, "Application/JSON; charset=utf-8")

    async with answering(posted) as url, asyncio.timeout(60), acp.connect(url, Client()) as agent:
        await agent.initialize()
        assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"
