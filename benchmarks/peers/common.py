"""What the peers' workers share: taking orders, and timing. Standard library alone: it runs in every environment."""

from __future__ import annotations

import asyncio
import gc
import inspect
import json
import os
import resource
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol


def serve(actions: Mapping[str, Callable[..., Any]]) -> None:
    """Do what each line on stdin says, `{"do": name, ...}`, and answer with one line, `{"result": ...}`: the harness decides whose turn it is."""
    loop = asyncio.new_event_loop()
    for line in sys.stdin:
        order = json.loads(line)
        result = actions[order.pop("do")](**order)
        if inspect.isawaitable(result):
            result = loop.run_until_complete(result)
        print(json.dumps({"result": result}), flush=True)


def agent(peer: str) -> tuple[str, str]:
    """What starts the agent of a peer."""
    return sys.executable, str(Path(__file__).with_name(f"{peer}_agent.py"))


def per_call(call: Callable[..., object], arguments: tuple[Any, ...], count: int) -> float:
    """Seconds that one call takes, of `count` in a row."""
    gc.collect()
    start = time.perf_counter()
    for _ in range(count):
        call(*arguments)
    return (time.perf_counter() - start) / count


def resident(pid: int | str = "self") -> int:
    """Bytes of memory that a process holds; where there is no /proc, the most that this one ever held."""
    try:
        pages = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1]
    except OSError:
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _children() -> list[str]:
    return [pid for file in Path("/proc/self/task").glob("*/children") for pid in file.read_text("ascii").split()]


def retained(make: Callable[[int], object], count: int) -> float:
    """Bytes that each of `count` objects takes, all held at once."""
    make(0)
    held: list[object] = [None] * count
    gc.collect()
    before = resident()
    for number in range(count):
        held[number] = make(number)
    gc.collect()
    return (resident() - before) / count


class Pair(Protocol):
    """A client in this process and an agent in another, a pipe in each direction between them."""

    received: int
    """Updates that the client's handler has seen."""

    async def connect(self) -> None:
        """Start the agent and shake hands."""
        ...

    async def session(self) -> str:
        """Open a session: a request, and its answer with an id."""
        ...

    async def turn(self, session: str, count: int, size: int) -> None:
        """A prompt during which the agent sends `count` updates with texts of `size`; with -1 it never answers."""
        ...


def traffic(pair: Pair) -> dict[str, Callable[..., Any]]:
    """What is timed between two processes, by action."""
    connected = False
    waiting: list[asyncio.Future[None]] = []

    async def ready() -> str:
        nonlocal connected
        if not connected:
            await pair.connect()
            connected = True
        return await pair.session()

    async def updates(count: int, size: int = 40) -> float:
        """Seconds for each update of one turn, from the prompt to the last update handled and the turn's answer."""
        session = await ready()
        expected = pair.received + count
        start = time.perf_counter()
        await pair.turn(session, count, size)
        while pair.received < expected:  # noqa: ASYNC110  the peers' handlers know of no event
            await asyncio.sleep(0)
        return (time.perf_counter() - start) / count

    async def one_at_a_time(count: int) -> float:
        """Seconds from a request to its answer."""
        await ready()
        start = time.perf_counter()
        for _ in range(count):
            await pair.session()
        return (time.perf_counter() - start) / count

    async def turns(count: int) -> float:
        """Seconds from a request to its answer, all in one session: peers may open a stream for each session over HTTP."""
        session = await ready()
        start = time.perf_counter()
        for _ in range(count):
            await pair.turn(session, 0, 0)
        return (time.perf_counter() - start) / count

    async def in_flight(count: int) -> float:
        """Seconds for each of `count` requests that are sent together, until the last is answered."""
        await ready()
        start = time.perf_counter()
        await asyncio.gather(*(pair.session() for _ in range(count)))
        return (time.perf_counter() - start) / count

    async def sessions(count: int) -> float:
        """Seconds for each of `count` sessions on one connection, all with a turn of ten updates at the same time."""
        await ready()
        start = time.perf_counter()
        opened = await asyncio.gather(*(pair.session() for _ in range(count)))
        await asyncio.gather(*(pair.turn(session, 10, 40) for session in opened))
        return (time.perf_counter() - start) / count

    async def session_memory(count: int) -> float:
        """Bytes for each of `count` sessions that wait in the middle of a turn, client and agent together."""
        await ready()
        processes = ["self", *_children()]
        before = sum(map(resident, processes))
        turns = [asyncio.ensure_future(pair.turn(await pair.session(), -1, 0)) for _ in range(count)]
        await pair.session()
        after = sum(map(resident, processes))
        waiting.extend(turns)
        return (after - before) / count

    actions = (updates, one_at_a_time, turns, in_flight, sessions, session_memory)
    return {action.__name__: action for action in actions}
