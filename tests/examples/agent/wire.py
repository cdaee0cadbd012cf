"""The client of these tests: raw JSON lines, so that what is asserted is what stands on the wire.

An agent runs in this process, on a socket pair, where a process of its own would add nothing; else as it would be
started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import sys
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from typing import Any

from examples import acp
from examples.acp.stores import Store, using
from examples.session_agent.__main__ import store_at
from examples.session_agent.agent import ReferenceAgent
from generated._runtime.stores.host import SessionHost

ROOT = Path(__file__).parents[3]
CWD = os.path.dirname(__file__)
AGENT = (sys.executable, "-m", "examples.session_agent")


UNKNOWN = "sess_00000000000000000000000000000000"

Json = dict[str, Any]


def new_store() -> str:
    """The address of a store for an agent of its own; PostgreSQL's tests have another one."""
    return ":memory:"


Policy = Callable[[Json], Json | None]
"""The answer to a request of the agent (its `result` or `error`); None to keep the agent waiting."""


class Refusal(Exception):
    """A request that was answered with an error."""

    def __init__(self, error: Json) -> None:
        super().__init__(error)
        self.code: int = error["code"]
        self.data: Any = error.get("data")


def allow(request: Json) -> Json | None:
    """Allows what it is asked; its terminals run everything without a fault."""
    answers: dict[str, Json] = {
        "session/request_permission": {
            "outcome": {"outcome": "selected", "optionId": request["params"].get("options", [{}])[0].get("optionId")}
        },
        "terminal/create": {"terminalId": "term_1"},
        "terminal/wait_for_exit": {"exitCode": 0},
        "terminal/output": {"output": "checked\n", "truncated": False},
        "terminal/release": {},
        "terminal/kill": {},
    }
    return {"result": answers[request["method"]]}


def silent(request: Json) -> None:
    """Answers nothing."""


class Wire:
    """One connection to an agent."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, policy: Policy = allow) -> None:
        self.reader, self.writer, self.policy = reader, writer, policy
        self.frames: list[Json] = []
        """Everything that the agent sent, in order."""
        self.pending: dict[int, asyncio.Future[Json]] = {}
        self.arrived = asyncio.Condition()
        self.ids = iter(range(1, 1_000_000))
        self.listener = asyncio.create_task(self.listen())

    async def listen(self) -> None:
        while line := await self.reader.readline():
            frame = json.loads(line)
            assert frame["jsonrpc"] == "2.0"
            self.frames.append(frame)
            if "method" in frame and "id" in frame and (answer := self.policy(frame)) is not None:
                self.send({"id": frame["id"], **answer})
            if "method" not in frame and (call := self.pending.get(frame["id"])) is not None and not call.done():
                call.set_result(frame)
            async with self.arrived:
                self.arrived.notify_all()

    def send(self, frame: Json) -> None:
        self.writer.write(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\n")

    def start(self, method: str, params: Json | None = None) -> asyncio.Future[Json]:
        """Send a request; the future is the frame that answers it."""
        number = next(self.ids)
        self.pending[number] = asyncio.get_running_loop().create_future()
        self.send({"id": number, "method": method, **({} if params is None else {"params": params})})
        return self.pending[number]

    async def call(self, method: str, **params: Any) -> Json:
        """The result of a request; Refusal where it is an error."""
        frame = await self.start(method, params)
        if "error" in frame:
            raise Refusal(frame["error"])
        return frame["result"]

    async def refused(self, method: str, **params: Any) -> Refusal:
        """The error of a request that is to have one."""
        try:
            result = await self.call(method, **params)
        except Refusal as refusal:
            return refusal
        raise AssertionError(f"{method} was answered with {result}")

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    async def until(self, wanted: Callable[[Json], bool]) -> Json:
        """The first frame like that, perhaps one that is yet to come."""
        async with self.arrived:
            while True:
                for frame in self.frames:
                    if wanted(frame):
                        return frame
                await self.arrived.wait()

    async def until_update(self, kind: str) -> Json:
        return await self.until(lambda frame: _kind(frame) == kind)

    # What tests do often

    async def initialize(self, **capabilities: Any) -> Json:
        return await self.call("initialize", protocolVersion=1, clientCapabilities=capabilities)

    async def new(self, cwd: str = CWD, **more: Any) -> str:
        return (await self.call("session/new", cwd=cwd, mcpServers=[], **more))["sessionId"]

    def prompting(self, session: str, text: str) -> asyncio.Future[Json]:
        return self.start("session/prompt", {"sessionId": session, "prompt": [{"type": "text", "text": text}]})

    async def prompt(self, session: str, text: str = "/echo hello") -> str:
        answer = await self.prompting(session, text)
        if "error" in answer:
            raise Refusal(answer["error"])
        return answer["result"]["stopReason"]

    async def load(self, session: str, cwd: str = CWD) -> Json:
        return await self.call("session/load", sessionId=session, cwd=cwd, mcpServers=[])

    async def resume(self, session: str, cwd: str = CWD) -> Json:
        return await self.call("session/resume", sessionId=session, cwd=cwd)

    async def fork(self, session: str, cwd: str = CWD) -> str:
        return (await self.call("session/fork", sessionId=session, cwd=cwd))["sessionId"]

    async def listed(self, **params: Any) -> list[str]:
        """The ids on all pages."""
        return [entry["sessionId"] for entry in await self.entries(**params)]

    async def entries(self, **params: Any) -> list[Json]:
        page = await self.call("session/list", **params)
        found = page["sessions"]
        while cursor := page.get("nextCursor"):
            page = await self.call("session/list", **{**params, "cursor": cursor})
            found += page["sessions"]
        return found

    async def history(self, session: str) -> list[Json]:
        """What a load replays."""
        before = len(self.frames)
        await self.load(session)
        return [update for update in self.updates(before) if update["sessionUpdate"] != "available_commands_update"]

    def updates(self, since: int = 0) -> list[Json]:
        return [frame["params"]["update"] for frame in self.frames[since:] if frame.get("method") == "session/update"]

    async def end(self) -> None:
        self.writer.close()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()
        self.listener.cancel()
        with contextlib.suppress(asyncio.CancelledError, ConnectionError):
            await self.listener


def _kind(frame: Json) -> str | None:
    return frame["params"]["update"]["sessionUpdate"] if frame.get("method") == "session/update" else None


def kinds(updates: list[Json]) -> list[str]:
    return [update["sessionUpdate"] for update in updates]


def said(updates: list[Json], kind: str = "agent_message_chunk") -> str:
    """The text of all the pieces of messages."""
    return "".join(update["content"]["text"] for update in updates if update["sessionUpdate"] == kind)


class SetClock:
    """A clock that stands until it is moved. Microseconds."""

    def __init__(self, now: int = 1_800_000_000_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        self.now += 1
        return self.now


class House:
    """A store in this process, and connections to agents on it."""

    def __init__(self, store: Store, clock: Callable[[], int], options: dict[str, Any]) -> None:
        self.store, self.clock, self.options = store, clock, options
        self.agents: list[ReferenceAgent] = []

    @property
    def host(self) -> SessionHost:
        """The sessions that are open in the store."""
        return self.agents[-1]._host

    @contextlib.asynccontextmanager
    async def connected(
        self, policy: Policy = allow, kind: type[ReferenceAgent] = ReferenceAgent, **capabilities: Any
    ) -> AsyncGenerator[Wire, None]:
        """A client, handshake done."""
        ours, theirs = socket.socketpair()
        agent = kind(self.store, **self.options)
        agent._host.clock = self.clock
        self.agents.append(agent)
        served = asyncio.create_task(
            acp.AgentSideConnection(agent, *await asyncio.open_connection(sock=theirs), linger=0.25).serve()
        )
        wire = Wire(*await asyncio.open_connection(sock=ours), policy)
        try:
            await wire.initialize(**capabilities)
            yield wire
        finally:
            await wire.end()
            await served
            await agent._host.leave(agent)


class Guest(ReferenceAgent):
    """The agent of a client of another identity."""

    def identity(self) -> str:
        return "guest"


@contextlib.asynccontextmanager
async def house(
    path: str | None = None, clock: Callable[[], int] | None = None, **options: Any
) -> AsyncGenerator[House, None]:
    """A store that clients can connect to."""
    async with using(store_at(path or new_store())) as store:
        yield House(store, clock or SetClock(), options)


@contextlib.asynccontextmanager
async def agent(policy: Policy = allow, **options: Any) -> AsyncGenerator[Wire, None]:
    """A client of an agent in this process, handshake done."""
    kind = options.pop("kind", ReferenceAgent)
    async with house(**options) as home, home.connected(policy, kind) as wire:
        yield wire


class Process(Wire):
    """A client of an agent that runs as it would be started."""

    process: asyncio.subprocess.Process

    async def leave(self) -> int:
        """Close the agent's stdin: its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self.process.wait()

    async def kill(self) -> None:
        self.process.kill()
        await self.process.wait()


@contextlib.asynccontextmanager
async def started(
    *arguments: str, policy: Policy = allow, handshake: bool = True, command: tuple[str, ...] = AGENT
) -> AsyncGenerator[Process, None]:
    """An agent in a process of its own; it answers without pause."""
    place = () if "--store" in arguments else ("--store", new_store())
    process = await asyncio.create_subprocess_exec(
        *command,
        "--pace=0",
        *place,
        *arguments,
        cwd=ROOT,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        limit=1 << 24,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    wire = Process(process.stdout, process.stdin, policy)
    wire.process = process
    try:
        if handshake:
            await wire.initialize()
        yield wire
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate() if wire.listener.cancel() else None
        await asyncio.wait([wire.listener])
        await process.wait()
        process._transport.close()  # type: ignore[attr-defined]  # asyncio leaves it to the garbage collector
