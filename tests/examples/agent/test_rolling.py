"""A rolling restart of agents that share a store, under load: no turn is lost or repeated, and no client of ours sees an error."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import subprocess
from collections.abc import AsyncGenerator, Iterator
from pathlib import Path
from typing import Any

import pytest

from acp_tools.relay.chaos import FaultProxy, proxied
from examples import acp
from examples.acp.stores import PostgresStore, SQLiteStore, Store, using
from tests.support import official_sdks

from .test_balancer import Client, serving, turns_of, until
from .wire import CWD, ROOT

pytestmark = pytest.mark.environment
CLIENTS = 6
RESTARTS = 2


@pytest.fixture(params=["postgres", "sqlite"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, Any]]:
    """The address of a store for a process, and what opens it here."""
    if request.param == "sqlite":
        path = str(tmp_path / "store.db")
        yield path, lambda: SQLiteStore(path)
        return
    server = request.getfixturevalue("postgres")
    address = server.create()
    yield address, lambda: PostgresStore(address)
    server.drop(address)


class Restarting:
    """A proxy with an agent behind it, which is replaced by another one."""

    def __init__(self, proxy: FaultProxy, store: str, stack: contextlib.AsyncExitStack) -> None:
        self.proxy = proxy
        self._store = store
        self._stack = stack
        self._process: asyncio.subprocess.Process | None = None

    async def replace(self) -> None:
        """Lead new connections to a new process, and ask the one before to end, which it does in order."""
        before = self._process
        self._process, port = await self._stack.enter_async_context(serving(self._store))
        self.proxy.target = f"http://127.0.0.1:{port}"
        if before is not None:
            before.terminate()
            assert await before.wait() == 0


@contextlib.asynccontextmanager
async def restarting(store: str) -> AsyncGenerator[Restarting]:
    async with contextlib.AsyncExitStack() as stack, proxied("http://127.0.0.1:1") as proxy:
        servers = Restarting(proxy, store, stack)
        await servers.replace()
        yield servers


class Editor:
    """A client that prompts one turn after the other. `asked`: what was asked, and answered with what was shown."""

    def __init__(self, url: str, profile: Any) -> None:
        self.client = Client()
        self.asked: list[str] = []
        self.session = ""
        self.agent = acp.ReconnectingAgent(
            lambda: acp.connect(url, self.client, profile=profile), delay=0.01, attempts=1000
        )

    async def work(self, number: int, over: asyncio.Event) -> None:
        async with self.agent:
            await self.agent.initialize()
            self.session = (await self.agent.new_session(cwd=CWD, mcp_servers=[])).session_id
            for turn in itertools.count():
                if over.is_set():
                    return
                words = " ".join(f"{number}.{turn}.{word}" for word in range(5))
                self.client.said = ""
                prompt = [acp.TextContent(text=f"/echo {words}")]
                answer = await self.agent.prompt(session_id=self.session, prompt=prompt)
                assert answer.stop_reason == "end_turn"
                assert self.client.said == words
                self.asked.append(words)


async def moved(editors: list[Editor]) -> None:
    """Wait until each client has had another turn answered."""
    before = [len(editor.asked) for editor in editors]
    await until(lambda: all(len(editor.asked) > count for editor, count in zip(editors, before, strict=True)))


@pytest.mark.parametrize("profile", ["http", "websocket"])
async def test_our_clients_see_no_error_and_no_turn_is_lost_or_repeated(place: Any, profile: str) -> None:
    address, opener = place
    over = asyncio.Event()
    async with asyncio.timeout(60), restarting(address) as servers:
        editors = [Editor(servers.proxy.url, profile) for _ in range(CLIENTS)]
        async with asyncio.TaskGroup() as group:
            for number, editor in enumerate(editors):
                group.create_task(editor.work(number, over))
            for restart in range(RESTARTS + 1):
                await moved(editors)
                if restart < RESTARTS:
                    await servers.replace()
            over.set()
        assert all(editor.agent.reconnections >= 1 for editor in editors)
    async with using(opener()) as store:
        await store.open()
        for editor in editors:
            assert await turns_of(store, editor.session) == editor.asked


@pytest.mark.parametrize("scheme", ["http", "ws"])
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
async def test_what_the_typescript_client_is_refused_may_be_sent_again(place: Any, scheme: str) -> None:
    address, opener = place
    home = official_sdks.typescript()
    async with asyncio.timeout(60), restarting(address) as servers:
        client = await asyncio.create_subprocess_exec(
            *("node", str(ROOT / "tests/runtime/interop/typescript_sdk.mjs"), "turns"),
            f"{servers.proxy.url}/acp".replace("http", scheme),
            env={**os.environ, "INTEROP_NODE_DIR": str(home)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        async with using(opener()) as store:
            await store.open()
            for restart in range(RESTARTS + 1):
                await progress(store)
                if restart < RESTARTS:
                    await servers.replace()
        output, log = await client.communicate(b"")
    assert client.returncode == 0, log.decode()
    report = json.loads(output)
    async with using(opener()) as store:
        await store.open()
        assert await turns_of(store, report["session"]) == [str(number) for number in range(report["asked"])]
    # A connection without a turn is closed, and one that has ended answers 404; a turn that was asked for meanwhile has
    # not begun either, as the store shows.
    retryable = ("503", "404", '"mayRepeat":true', "closed")
    assert all(any(word in failure for word in retryable) for failure in report["failures"]), report["failures"]
    assert report["turns"] <= RESTARTS


async def progress(store: Store) -> None:
    """Wait for more turns in the only session."""
    before = None
    while True:
        found, _ = await store.page("", None, None, 1)
        turns = found[0].turn if found else 0
        before = turns if before is None else before
        if turns > before + 3:
            return
        await asyncio.sleep(0.02)
