"""The client: its errors when the server cannot be reached, what it keeps, and what it does when the server goes."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import subprocess
import sys
from collections.abc import AsyncGenerator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from remote_agents import RUNTIME, Agent, Client, LoadingAgent, begin_session, holding, prompt
from remote_hosts import browsing, served, under_hypercorn
from remote_raw import connections

import generated as acp
from acp_remote import Endpoint, ServerConnection
from generated import transports

SECURE = [{"profile": "http"}, {"profile": "websocket"}]
IDS = ["http", "websocket"]


async def problem(url: str, **options: Any) -> str:
    """What is said when a connection cannot be made."""
    with pytest.raises(acp.ConnectionClosed) as raised:
        async with asyncio.timeout(60), acp.connect(url, Client(), **options) as agent:
            await agent.initialize()
    text = str(raised.value)
    assert "\n" not in text
    return text


# --- TLS ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of 127.0.0.1 that only those trust who are told to, with its key in the same file."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not installed")
    folder = tmp_path_factory.mktemp("tls")
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost".split()
    )
    names = ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "cert.pem"]
    subprocess.run([*command, *names], cwd=folder, check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_bytes((folder / "cert.pem").read_bytes() + (folder / "key.pem").read_bytes())
    return both


@pytest.mark.parametrize("way", SECURE, ids=IDS)
async def test_over_tls(certificate: Path, way: dict[str, Any]) -> None:
    tls = ssl.create_default_context(cafile=certificate)
    client = Client()
    async with (
        served(Agent, "https://127.0.0.1:0", certificate=certificate) as url,
        acp.connect(url, client, tls=tls, **way) as agent,
    ):
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt("say 2"))
        assert client.said[session] == ["0", "1"]


@pytest.mark.parametrize("way", SECURE, ids=IDS)
async def test_a_server_that_is_not_trusted_is_one_line(certificate: Path, way: dict[str, Any]) -> None:
    async with served(Agent, "https://127.0.0.1:0", certificate=certificate) as url:
        text = await problem(url, **way)
    assert "127.0.0.1" in text
    assert (
        "its certificate is not trusted: self-signed certificate. Give `tls` a context that trusts its authority"
        in text
    )


@pytest.mark.parametrize("way", SECURE, ids=IDS)
async def test_a_server_that_speaks_no_tls_is_one_line(way: dict[str, Any]) -> None:
    async with served(Agent) as url:
        assert "the TLS connection failed" in await problem(url.replace("http", "https"), **way)


async def test_a_certificate_that_is_none_is_said_before_anything_is_served(tmp_path: Path) -> None:
    (tmp_path / "none.pem").write_text("none")
    with pytest.raises(ValueError, match="cannot be used"):
        await acp.serve(Agent, "https://127.0.0.1:0", certificate=tmp_path / "none.pem")
    with pytest.raises(ValueError, match="needs a certificate"):
        await acp.serve(Agent, "https://127.0.0.1:0")


# --- an unreachable server ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["http", "ws", "tcp"])
async def test_nobody_there(scheme: str) -> None:
    text = await problem(f"{scheme}://127.0.0.1:9")
    assert text.startswith(f"{scheme}://127.0.0.1:9")


async def test_no_socket_there(tmp_path: Path) -> None:
    assert "No such file" in await problem(f"unix:{tmp_path / 'none.sock'}")


async def test_a_token_that_is_refused(profile: dict[str, Any]) -> None:
    async with served(Agent, identify=acp.bearer({"one": "alice"})) as url:
        text = await problem(url, bearer="two", **profile)
    assert "the server rejected the request with 401" in text
    assert "two" not in text


async def test_a_path_where_nothing_is(profile: dict[str, Any]) -> None:
    async with served(Agent) as url:
        assert "the server rejected the request with 404" in await problem(url + "/other", **profile)


async def test_a_user_in_the_address_and_a_token_exclude_each_other() -> None:
    with pytest.raises(ValueError, match="carries only one of them"):
        async with acp.connect("http://me:secret@127.0.0.1:9/acp", Client(), bearer="token"):
            pass


async def test_what_is_secret_in_an_address_is_not_shown() -> None:
    assert "secret" not in await problem("http://me:secret@127.0.0.1:9/acp?token=secret")


@pytest.mark.parametrize("url", ["ftp://host", "host:80", "", "tcp://host"])
async def test_an_address_that_is_none(url: str) -> None:
    with pytest.raises(ValueError, match=r"expected one of tcp:|has no host"):
        async with acp.connect(url, Client()):
            pass


@pytest.mark.parametrize("value", ["a\r\nX: b", "a\nb", "a\0b"])
async def test_a_header_with_a_line_break_is_not_sent(value: str) -> None:
    with pytest.raises(ValueError, match="is invalid"):
        async with acp.connect("http://127.0.0.1:9", Client(), headers={"X-Mine": value}):
            pass
    with pytest.raises(ValueError, match="is invalid"):
        async with acp.connect("ws://127.0.0.1:9", Client(), bearer=value):
            pass


@pytest.mark.parametrize(
    ("module", "url"),
    [
        ("httpx", "https://127.0.0.1:9"),
        ("httptools", "http://127.0.0.1:9"),
        ("websockets.asyncio.client", "ws://127.0.0.1:9"),
    ],
)
async def test_what_is_not_installed_is_named(module: str, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    for own in ("backend_httptools", "backend_httpx", "client_websocket"):
        monkeypatch.delitem(sys.modules, f"acp_remote.{own}", raising=False)
    with pytest.raises(ImportError, match="pip install acp-remote"):
        async with acp.connect(url, Client()):
            pass


async def test_what_a_server_needs_and_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hypercorn.asyncio.tcp_server", None)
    with pytest.raises(ImportError, match="pip install acp-remote"):
        await acp.serve(Agent, "http://127.0.0.1:0")


@pytest.mark.parametrize("scheme", ["https", "wss"])
async def test_a_proxy_of_the_environment_is_used(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(await reader.readline())
        writer.write(b"HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n")
        writer.close()

    server = await asyncio.start_server(refuse, "127.0.0.1", 0)
    async with server:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        assert "agent.example" in await problem(f"{scheme}://agent.example/acp")
    assert asked == [b"CONNECT agent.example:443 HTTP/1.1\r\n"]


# --- what it keeps -----------------------------------------------------------------------------------------------------


class Cookies:
    """An application that sets a cookie, and notes those that come."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.came: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "lifespan":
            found = [value.decode() for name, value in scope["headers"] if name == b"cookie"]
            self.came.append("; ".join(found))

        async def sending(event: Any) -> None:
            if event["type"] in ("http.response.start", "websocket.accept"):
                event["headers"] = [*event["headers"], (b"set-cookie", b"server=7; Path=/")]
            await send(event)

        await self.app(scope, receive, sending)


async def test_cookies_are_kept_and_sent_back_also_on_the_next_connection(profile: dict[str, Any]) -> None:
    app = Cookies(acp.asgi(Agent))
    jar = CookieJar()
    async with under_hypercorn(app) as url:
        for _ in range(2):
            async with acp.connect(url, Client(), cookies=jar, **profile) as agent:
                await agent.initialize()
                await agent.new_session(cwd="/", mcp_servers=[])
    first, *others = app.came
    assert first == ""
    assert others
    assert set(others) == {"server=7"}


async def test_headers_and_the_token_are_in_every_request(profile: dict[str, Any]) -> None:
    seen: list[tuple[str | None, str | None]] = []

    def identify(caller: acp.connection.Caller) -> str:
        seen.append((caller.headers.get("authorization"), caller.headers.get("x-mine")))
        return "someone"

    async with (
        served(Agent, identify=identify) as url,
        acp.connect(url, Client(), bearer="token", headers={"X-Mine": "yes"}, **profile) as agent,
    ):
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
    assert set(seen) == {("Bearer token", "yes")}


async def test_the_agreed_version_is_in_the_requests_behind_the_opening_one() -> None:
    seen: list[str | None] = []

    def identify(caller: acp.connection.Caller) -> str:
        seen.append(caller.headers.get("acp-protocol-version"))
        return "someone"

    async with served(Agent, identify=identify) as url, acp.connect(url, Client()) as agent:
        await agent.initialize()
        await agent.new_session(cwd="/", mcp_servers=[])
    assert seen[0] is None
    assert set(seen[1:]) == {"1"}


# --- the server goes ---------------------------------------------------------------------------------------------------


async def test_a_call_ends_when_the_server_does(profile: dict[str, Any]) -> None:
    stack, kind = contextlib.AsyncExitStack(), holding()
    url = await stack.enter_async_context(served(kind))
    async with acp.connect(url, Client(), **profile) as agent:
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("hold")))
        await kind.begun.wait()
        await stack.aclose()
        with pytest.raises((acp.ConnectionClosed, acp.RequestError)):
            async with asyncio.timeout(60):
                await turn
        async with asyncio.timeout(60):
            await agent.wait_closed()


async def test_leaving_tells_the_server(profile: dict[str, Any]) -> None:
    async with served(Agent) as url, browsing(url):
        async with acp.connect(url, Client(), **profile) as agent:
            await agent.initialize()
        await connections(0)


class Cutting:
    """An application whose event streams break off after so many bytes, as behind a proxy that has had enough."""

    def __init__(self, app: Any) -> None:
        self.app = app
        self.streams = 0

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        streams = scope["type"] == "http" and scope["method"] == "GET" and scope["path"] == "/acp"
        self.streams += streams
        gone = asyncio.Event()

        async def receiving() -> Any:
            waits = [asyncio.ensure_future(receive()), asyncio.ensure_future(gone.wait())]
            done, pending = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for each in pending:
                each.cancel()
            return {"type": "http.disconnect"} if waits[1] in done else waits[0].result()

        async def sending(event: Any) -> None:
            await send(event)
            if b"cut" in event.get("body", b""):
                gone.set()

        await self.app(scope, receiving if streams else receive, sending)


async def test_a_stream_that_breaks_off_is_opened_anew_and_nothing_is_lost_that_waited() -> None:
    app = Cutting(acp.asgi(Agent))
    client = Client()
    async with under_hypercorn(app) as url, acp.connect(url, client) as agent:
        session = await begin_session(agent)

        async with asyncio.timeout(60):
            await agent.prompt(session_id=session, prompt=prompt("say 1"))
            with contextlib.suppress(acp.RequestError):
                await agent.prompt(session_id=session, prompt=prompt("cut"))
            await agent.prompt(session_id=session, prompt=prompt("say 3"))
    assert client.said[session] == ["0", "0", "1", "2"]


async def test_a_client_that_survives_its_server(profile: dict[str, Any]) -> None:
    client = Client()
    async with contextlib.AsyncExitStack() as stack:
        url = await stack.enter_async_context(served(LoadingAgent))
        port = url.rpartition(":")[2].partition("/")[0]
        opener = lambda: acp.connect(url, client, **profile)  # noqa: E731
        async with asyncio.timeout(60), acp.ReconnectingAgent(opener) as agent:
            session = await begin_session(agent)
            await agent.prompt(session_id=session, prompt=prompt("say 1"))
            await stack.aclose()
            async with served(LoadingAgent, f"http://127.0.0.1:{port}"):
                with contextlib.suppress(acp.errors.CallLost):  # over HTTP it may be this call that finds out
                    await agent.prompt(session_id=session, prompt=prompt("nothing"))
                await agent.prompt(session_id=session, prompt=prompt("say 2"))
    assert client.said[session][-2:] == ["0", "1"]


async def test_what_comes_before_the_handshake_is_refused_as_over_every_wire(profile: dict[str, Any]) -> None:
    async with served(Agent) as url, acp.connect(url, Client(), **profile) as agent:
        async with asyncio.timeout(60):
            with pytest.raises(acp.RequestError) as raised:
                await agent.new_session(cwd="/", mcp_servers=[])
            assert raised.value.code == -32600
            await agent.initialize()
            assert (await agent.new_session(cwd="/", mcp_servers=[])).session_id == "s1"


# --- frames alone ------------------------------------------------------------------------------------------------------


@contextlib.asynccontextmanager
async def echoing() -> AsyncGenerator[str]:
    """An endpoint that knows nothing of agents: it sends every frame back, answered."""

    async def accept(visit: ServerConnection) -> None:
        while frames := await visit.transport.receive():
            for frame in frames:
                visit.transport.write(
                    frame.replace(b'"method":"initialize"', b'"result":{}').replace(b'"params"', b'"echo"')
                )

    async with under_hypercorn(Endpoint(RUNTIME, "agent", accept)) as url:
        yield url


async def test_frames_pass_without_a_word_about_agents(way: dict[str, Any]) -> None:
    async with echoing() as url, transports.dial(acp.methods.PROTOCOL, url, **way) as wire, asyncio.timeout(60):
        wire.write(b'{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}')
        (frame,) = await wire.receive()
        assert frame.startswith(b'{"jsonrpc":"2.0","id":1,"result":{')
        wire.write(b'{"jsonrpc":"2.0","method":"_note","params":[1]}')
        assert await wire.receive() == [b'{"jsonrpc":"2.0","method":"_note","echo":[1]}'] or way


async def test_a_pump_passes_frames_between_a_wire_and_a_process(way: dict[str, Any]) -> None:
    """A stdio agent behind the endpoint, a process for each connection: what a bridge is made of."""
    script = Path(__file__).with_name("stdio_agent.py")

    async def accept(visit: ServerConnection) -> None:
        process = await asyncio.create_subprocess_exec(
            sys.executable, str(script), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert process.stdin is not None
        assert process.stdout is not None
        lines = transports.NdjsonTransport(process.stdout, process.stdin)
        back = asyncio.ensure_future(transports.relay(lines, visit.transport))
        await transports.relay(visit.transport, lines)
        lines.close()
        await process.wait()
        await back

    client = Client()
    async with under_hypercorn(Endpoint(RUNTIME, "agent", accept)) as url, asyncio.timeout(60):
        async with acp.connect(url, client, **way) as agent:
            session = await begin_session(agent)
            await agent.prompt(session_id=session, prompt=prompt("say 50"))
        assert client.said[session] == [str(number) for number in range(50)]
