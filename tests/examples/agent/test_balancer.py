"""Agents in two processes on one database, behind a balancer that keeps a client with its process by a cookie."""

from __future__ import annotations

import asyncio
import contextlib
import http.cookiejar
import json
import shutil
import signal
import socket
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

import pytest

from examples import acp
from examples.acp.stores import PostgresStore, Store, using
from tests.support.cluster import Cluster

from .wire import AGENT, CWD, ROOT

HAPROXY = shutil.which("haproxy")
pytestmark = [
    pytest.mark.environment,
    pytest.mark.skipif(HAPROXY is None, reason="there is no HAProxy: apt-get install haproxy"),
]

CONFIGURATION = """
global
    maxconn 500
defaults
    mode http
    timeout connect 1s
    timeout client 30s
    timeout server 30s
    timeout tunnel 5m
    option redispatch
    retries 3
frontend front
    bind fd@{listener}
    default_backend agents
backend agents
    balance roundrobin
    cookie AGENT insert indirect nocache
    default-server check inter 100ms fall 1 rise 1
{servers}
"""

WORDS = 12
"""In an answer."""
WAYS: dict[str, dict[str, Any]] = {"websocket": {"profile": "websocket"}, "http": {"profile": "http", "http2": True}}


@contextlib.asynccontextmanager
async def serving(store: str, pace: str = "0.004") -> AsyncGenerator[tuple[asyncio.subprocess.Process, int]]:
    """An agent's process, and the port at which it listens."""
    process = await asyncio.create_subprocess_exec(
        *AGENT,
        f"--pace={pace}",
        f"--store={store}",
        "--listen=http://127.0.0.1:0",
        cwd=ROOT,
        stderr=asyncio.subprocess.PIPE,
        stdin=asyncio.subprocess.DEVNULL,
    )
    assert process.stderr is not None
    try:
        line = (await process.stderr.readline()).decode()
        assert line.startswith("listening on http://127.0.0.1:"), line + (await process.stderr.read()).decode()
        yield process, int(line.split(":")[-1].split("/")[0])
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()
        process._transport.close()  # type: ignore[attr-defined]  # asyncio leaves it to the garbage collector


@contextlib.asynccontextmanager
async def balanced(folder: Path, ports: list[int]) -> AsyncGenerator[str]:
    """The address of a balancer."""
    assert HAPROXY is not None
    with socket.create_server(("127.0.0.1", 0)) as listener:
        servers = "\n".join(f"    server s{port} 127.0.0.1:{port} cookie s{port}" for port in ports)
        file = folder / "haproxy.cfg"
        file.write_text(CONFIGURATION.format(listener=listener.fileno(), servers=servers))
        process = await asyncio.create_subprocess_exec(
            HAPROXY,
            "-db",
            "-f",
            str(file),
            pass_fds=[listener.fileno()],
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            process.kill()
            await process.wait()
            process._transport.close()  # type: ignore[attr-defined]


class Client(acp.Client):
    """Keeps what it is shown, turn by turn."""

    def __init__(self) -> None:
        self.said = ""

    async def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk) and isinstance(params.update.content, acp.TextContent):
            self.said += params.update.content.text

    async def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())


class Editor:
    """A client with a session of its own, which it keeps busy with turns, and goes on with when its agent dies."""

    def __init__(self, url: str, way: dict[str, Any]) -> None:
        self.jar = http.cookiejar.CookieJar()
        self.client = Client()
        self.session = ""
        self.committed: list[tuple[str, str]] = []
        """What was asked in the turns that were answered, and what was shown in them."""
        self.lost: list[str] = []
        """What was shown in the turns that were lost."""
        self.reasons: set[str] = set()
        """Why they were."""
        self.agent = acp.ReconnectingAgent(
            lambda: acp.connect(url, self.client, cookies=self.jar, **way), delay=0.05, patience=20
        )

    def server(self) -> str:
        (cookie,) = self.jar
        return str(cookie.value)

    async def turn(self, number: int) -> None:
        words = " ".join(f"{number}.{word}" for word in range(WORDS))
        self.client.said = ""
        try:
            answer = await self.agent.prompt(session_id=self.session, prompt=[acp.TextContent(text=f"/echo {words}")])
        except acp.RequestError as error:
            self.lost.append(self.client.said)
            self.reasons.add(error.data["reason"])
        else:
            assert answer.stop_reason == "end_turn"
            self.committed.append((words, self.client.said))

    @contextlib.asynccontextmanager
    async def working(self, until: asyncio.Event) -> AsyncGenerator[asyncio.Task[None]]:
        async def work() -> None:
            number = 0
            while not until.is_set():
                number += 1
                await self.turn(number)

        async with self.agent:
            await self.agent.initialize()
            self.session = (await self.agent.new_session(cwd=CWD, mcp_servers=[])).session_id
            task = asyncio.create_task(work())
            try:
                yield task
            finally:
                task.cancel()
                await asyncio.wait([task])


async def turns_of(store: Store, session: str) -> list[str]:
    """What was shown in each turn of a session."""
    found: dict[int, str] = {}
    for turn, _, payloads in await store.history("", session, limit=100_000):
        for update in map(json.loads, payloads):
            said = update["content"]["text"] if update["sessionUpdate"] == "agent_message_chunk" else ""
            found[turn] = found.get(turn, "") + said
    return list(found.values())


async def until(condition: Callable[[], bool]) -> None:
    while not condition():  # noqa: ASYNC110  # counts of several clients
        await asyncio.sleep(0.01)


async def kill_in_turns(process: asyncio.subprocess.Process, editors: list[Editor]) -> None:
    """Kill an agent when each of these clients is in a turn of which it has seen something, and no answer is under way."""
    while True:
        process.send_signal(signal.SIGSTOP)
        seen: list[object] = []
        for _ in range(100):  # what had been sent arrives
            now: list[object] = [(len(editor.committed), editor.client.said) for editor in editors]
            seen = [*seen, now] if now in seen else [now]
            if len(seen) > 25:
                break
            await asyncio.sleep(0.02)
        if all(0 < len(editor.client.said.split()) < WORDS - 1 for editor in editors):
            process.kill()
            return
        process.send_signal(signal.SIGCONT)
        await asyncio.sleep(0.02)


@pytest.mark.parametrize("way", WAYS)
async def test_a_process_that_is_killed_in_its_turns_loses_no_committed_turn_and_its_clients_go_on(
    postgres: Cluster, tmp_path: Path, way: str
) -> None:
    address, over = postgres.create(), asyncio.Event()
    async with (
        serving(address) as (first, one),
        serving(address) as (_, two),
        balanced(tmp_path, [one, two]) as url,
        contextlib.AsyncExitStack() as stack,
    ):
        editors = [Editor(url, WAYS[way]) for _ in range(6)]
        tasks = [await stack.enter_async_context(editor.working(over)) for editor in editors]
        assert {editor.server() for editor in editors} == {f"s{one}", f"s{two}"}, "both have clients"
        await until(lambda: all(len(editor.committed) >= 2 for editor in editors))
        theirs = [editor for editor in editors if editor.server() == f"s{one}"]
        await kill_in_turns(first, theirs)
        before = [len(editor.committed) for editor in editors]
        await until(
            lambda: all(len(editor.committed) >= count + 2 for editor, count in zip(editors, before, strict=True))
        )
        over.set()
        await asyncio.gather(*tasks)
        assert [editor.agent.reconnections for editor in editors] == [int(editor in theirs) for editor in editors]
        assert {editor.server() for editor in editors} == {f"s{two}"}
    async with using(PostgresStore(address)) as store:
        await store.open()
        for editor in editors:
            turns = await turns_of(store, editor.session)
            assert all(asked == shown for asked, shown in editor.committed)
            committed = [asked for asked, _ in editor.committed]
            whole = [said for said in turns if said in committed]
            assert whole == committed
            cut = [said for said in turns if said not in committed]
            assert len(cut) == len(editor.lost)
            assert editor.reasons <= {"the turn was interrupted: its process ended"}
            # The last half second of a turn that was cut may be lost.
            assert all(
                shown.startswith(kept) or kept.startswith(shown) for kept, shown in zip(cut, editor.lost, strict=True)
            )
    assert sum(len(editor.lost) for editor in editors) == len(theirs)
    postgres.drop(address)


async def test_a_process_that_is_asked_to_end_finishes_its_turns(postgres: Cluster) -> None:
    address = postgres.create()
    async with serving(address, "0.02") as (process, port):
        client = Client()
        async with acp.connect(f"ws://127.0.0.1:{port}", client) as agent:
            await agent.initialize()
            session = (await agent.new_session(cwd=CWD, mcp_servers=[])).session_id
            words = " ".join(map(str, range(20)))
            turn = asyncio.create_task(
                agent.prompt(session_id=session, prompt=[acp.TextContent(text=f"/echo {words}")])
            )
            await until(lambda: bool(client.said))
            process.terminate()
            assert (await turn).stop_reason == "end_turn"
            assert client.said == words
        assert await process.wait() == 0
    async with using(PostgresStore(address)) as store:
        await store.open()
        assert await turns_of(store, session) == [words]
        assert (await store.find("", session)).outcome == "end_turn"
    postgres.drop(address)
