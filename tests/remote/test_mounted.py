"""The application under other servers, inside other applications, and its end."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import fastapi
import httpx
import pytest
import starlette.applications
import starlette.routing
import uvicorn
from remote_agents import Agent, Client, begin_session, holding, prompt
from remote_hosts import browsing, served, under_hypercorn
from remote_page import PAGE, ROOT
from remote_raw import INITIALIZE, opened, post, request, streaming

import generated as acp


@contextlib.asynccontextmanager
async def under_uvicorn(app: Any, **settings: Any) -> AsyncGenerator[str]:
    """The address of an application under uvicorn."""
    listening = socket.socket()
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", **settings))
    task = asyncio.ensure_future(server.serve(sockets=[listening]))
    while not server.started:  # noqa: ASYNC110  # uvicorn has no event for it
        await asyncio.sleep(0.005)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        await task
        listening.close()


WAYS: list[dict[str, Any]] = [{"profile": "http"}, {"profile": "websocket"}]
IDS = ["http", "websocket"]


async def one_turn(url: str, text: str = "say 3", **way: Any) -> list[str]:
    client = Client()
    async with asyncio.timeout(60), acp.connect(url, client, **way) as agent:
        session = await begin_session(agent)
        await agent.prompt(session_id=session, prompt=prompt(text))
        return client.said[session]


@pytest.mark.parametrize("way", WAYS, ids=IDS)
@pytest.mark.parametrize(("http", "ws"), [("h11", "wsproto"), ("httptools", "websockets-sansio")])
async def test_under_uvicorn(way: dict[str, Any], http: str, ws: str) -> None:
    async with under_uvicorn(acp.asgi(Agent), http=http, ws=ws) as url:
        assert await one_turn(url, **way) == ["0", "1", "2"]


UVICORN = """
import asyncio, sys
sys.path[:0] = {path}
import generated as acp
from remote_agents import Agent

class MyAgent(Agent):
    async def do_loop(self, session):
        await self.say(session, type(asyncio.get_running_loop()).__module__)

app = acp.asgi(MyAgent)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no uvloop")
@pytest.mark.parametrize("way", WAYS, ids=IDS)
async def test_the_command_of_the_page_for_uvicorn_with_uvloop(way: dict[str, Any], tmp_path: Path) -> None:
    (command,) = re.findall(r"^    uvicorn (server:app .*)$", PAGE, re.MULTILINE)
    (tmp_path / "server.py").write_text(UVICORN.format(path=[str(ROOT), str(Path(__file__).parent)]))
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "uvicorn", *command.split(), "--port", "0"), cwd=tmp_path, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    try:
        async with asyncio.timeout(60):
            while not (found := re.search(rb"running on (http://\S+)", await process.stderr.readline())):
                pass
        assert await one_turn(found[1].decode(), "loop", **way) == ["uvloop"]
    finally:
        process.terminate()
        await process.communicate()
    assert process.returncode in (0, -signal.SIGTERM)


def test_an_application_refuses_what_only_a_listening_socket_can_do() -> None:
    with pytest.raises(ValueError, match="`sockets_each` is an option of `serve`"):
        acp.asgi(Agent, sockets_each=1)


@pytest.mark.parametrize("way", WAYS, ids=IDS)
async def test_in_starlette(way: dict[str, Any]) -> None:
    app = starlette.applications.Starlette(routes=[starlette.routing.Mount("/agents/one", app=acp.asgi(Agent))])
    async with under_uvicorn(app) as url:
        assert await one_turn(f"{url}/agents/one/acp", **way) == ["0", "1", "2"]
        async with httpx.AsyncClient() as client:
            assert (await client.get(f"{url}/agents/one/health")).json()["status"] == "ok"
            assert (await client.post(f"{url}/agents/one/other")).status_code == 404


@pytest.mark.parametrize("way", WAYS, ids=IDS)
async def test_in_fastapi_at_a_path_of_its_own(way: dict[str, Any]) -> None:
    app = fastapi.FastAPI()

    @app.get("/")
    def root() -> str:
        return "hello"

    lines = [line.partition("  #")[0].strip() for line in PAGE.splitlines() if "fastapi_app.mount(" in line]
    assert len(lines) == 1
    exec(lines[0], {"fastapi_app": app, "acp": acp, "MyAgent": Agent})  # the line of docs/remote.md
    async with under_uvicorn(app) as url:
        assert await one_turn(f"{url}/assistant", **way) == ["0", "1", "2"]
        assert await one_turn(f"{url}/assistant/", **way) == ["0", "1", "2"]
        async with httpx.AsyncClient() as client:
            assert (await client.get(url)).json() == "hello"
            assert (await client.get(f"{url}/assistant/health")).status_code == 404


@pytest.mark.parametrize("way", WAYS, ids=IDS)
async def test_behind_a_proxy_that_names_a_root_path(way: dict[str, Any]) -> None:
    async with under_uvicorn(acp.asgi(Agent), root_path="/behind") as url:
        assert await one_turn(f"{url}/acp", **way) == ["0", "1", "2"]


async def test_a_factory_that_fails_fails_its_connection_alone(caplog: pytest.LogCaptureFixture) -> None:
    made: list[int] = []

    def make() -> acp.Agent:
        made.append(1)
        if len(made) == 1:
            raise ValueError("no model")
        return Agent()

    async with served(make) as url, browsing(url) as client:
        answer = await post(client, INITIALIZE)
        assert (answer.status_code, list(answer.json())) == (502, ["error"])
        assert (await post(client, INITIALIZE)).status_code == 200
    assert "no model" in caplog.text


def test_an_agent_instead_of_a_factory_is_refused() -> None:
    with pytest.raises(
        TypeError, match=r"a server needs a function that creates an object per connection: lambda: Agent\(\)"
    ):
        acp.asgi(Agent())  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_a_misspelt_option_is_refused() -> None:
    with pytest.raises(TypeError, match="did you mean origins"):
        acp.asgi(Agent, origin=["*"])  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


# --- its end -----------------------------------------------------------------------------------------------------------


async def test_draining_lets_turns_end_and_takes_nothing_new(profile: dict[str, Any]) -> None:
    kind = holding()
    app = acp.asgi(kind)
    host: Any = Client()
    async with under_hypercorn(app) as url, browsing(url) as other:
        async with acp.connect(url, host, **profile) as agent:
            session = await begin_session(agent)
            turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("hold")))
            await kind.begun.wait()
            draining = asyncio.ensure_future(app.drain(60))
            await asyncio.sleep(0)
            ready = await other.get("/ready")
            assert (ready.status_code, ready.json()["status"]) == (503, "draining")
            assert (await other.get("/health")).status_code == 200
            assert (await post(other, INITIALIZE)).status_code == 503
            assert not draining.done()
            kind.go_on.set()
            assert (await turn).stop_reason == "end_turn"
            async with asyncio.timeout(60):
                await draining
                await agent.wait_closed()
        assert app.manager.connections == {}


async def test_a_turn_that_does_not_end_is_ended(profile: dict[str, Any]) -> None:
    kind = holding()
    app = acp.asgi(kind)
    async with under_hypercorn(app) as url, acp.connect(url, Client(), **profile) as agent:
        session = await begin_session(agent)
        turn = asyncio.ensure_future(agent.prompt(session_id=session, prompt=prompt("hold")))
        await kind.begun.wait()
        async with asyncio.timeout(60):
            await app.drain(0.1)
            with pytest.raises((acp.RequestError, acp.ConnectionClosed)):
                await turn
        assert app.manager.connections == {}


async def test_the_streams_of_a_connection_end_with_the_server() -> None:
    app = acp.asgi(Agent)
    async with under_hypercorn(app) as url, browsing(url) as client:
        connection = await opened(client)
        async with streaming(client, connection) as main:
            await post(client, request(1, "session/new", cwd="/", mcpServers=[]), connection)
            assert (await main.next())["id"] == 1
            await app.drain(1)
            assert await main.next() is None
        assert (await post(client, request(2, "session/new"), connection)).status_code == 404
