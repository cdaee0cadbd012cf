"""What our ends make of each network fault, over each transport: the table of docs/remote.md, with a ledger behind each cell.

Run as a program, it writes the table.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import sys
import tempfile
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from remote_agents import Agent, Client, begin_session, prompt
from remote_hosts import WAYS, served
from remote_page import PAGE, ROOT

import generated as acp
from acp_tools.relay.chaos import NONE, Faults, proxied
from tests.support.waiting import unhurried

BEGIN, END = "<!-- Written by tests/remote/remote_faults.py. -->\n", "<!-- The end of what it writes. -->\n"
TURNS, PARTS = 10, 3
AFTER = 4000
"""Bytes of a side after which a connection is lost: some turns into the conversation."""
FAULTS: dict[str, dict[str, Any]] = {
    "latency of 50 ms": {"latency": 0.05},
    "jitter up to 50 ms": {"jitter": 0.05},
    "40 KB per second": {"bandwidth": 40_000},
    "half-open, once": {"half_open": AFTER, "times": 1},
    "cut, once": {"cut": AFTER, "times": 1},
    "reset, once": {"reset": AFTER, "times": 1},
    "three duplicated": {"duplicate": True, "times": 3},
    "reordered by up to 300 ms": {"reorder": 0.3},
}
ROWS = [(fault, side) for fault in FAULTS for side in ("client", "server")]
TRANSPORTS = ("HTTP/1.1", "HTTP/2", "WebSocket", "tcp", "unix", "stdio")
_SECONDS = 2.0
DEADLINES: dict[str, dict[str, Any]] = {
    **{name: {"answer_timeout": _SECONDS, "silence": _SECONDS} for name in ("HTTP/1.1", "HTTP/2")},
    "WebSocket": {"ping": _SECONDS},
    **{name: {"keepalive": _SECONDS} for name in ("tcp", "unix")},
    "stdio": {"keepalive": 5 * _SECONDS},
}
"""Shorter ones than usual, where a connection falls silent. Only the time in which this process runs counts; agents on stdio have others."""


class Noting(Agent):
    """Writes each turn down, then tells of it; its sessions are known to every agent."""

    def resume_session(self, params: acp.ResumeSessionRequest) -> acp.ResumeSessionResponse:
        return acp.ResumeSessionResponse()

    async def do_note(self, session: str, ledger: str, turn: str, padding: str) -> None:
        write_down(Path(ledger), turn)
        for part in range(PARTS):
            await self.say(session, f"{turn}.{part}".ljust(400))


def write_down(ledger: Path, turn: str) -> None:
    with ledger.open("a", encoding="utf-8") as file:
        file.write(f"{turn}\n")


@contextlib.asynccontextmanager
async def behind(transport: str, faults: Faults, folder: Path) -> AsyncGenerator[tuple[Callable[[Client], Any], Any]]:
    """A function that connects a client to an agent behind faults, and a function that tells how often one happened and ends them."""
    options: dict[str, Any] = {**WAYS.get(transport.lower(), {})}
    options |= DEADLINES[transport] if faults.half_open is not None else {}
    if transport == "stdio":
        changed = [(name, value) for name, value in vars(faults).items() if value != getattr(NONE, name)]
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in changed]
        agent = [sys.executable, str(Path(__file__)), "agent"]
        started = itertools.count()

        def spawn(client: Client) -> Any:
            first = [sys.executable, "-m", "codegen", "chaos", *flags, "--"] if not next(started) else []
            return acp.spawn_agent(client, *first, *agent, cwd=ROOT, stderr=lambda _: None, **options)

        yield spawn, lambda: 1
        return
    address = {"tcp": "tcp://127.0.0.1:0", "unix": f"unix:{folder / 'socket'}"}.get(transport, "http://127.0.0.1:0")
    async with served(Noting, address) as url, proxied(url, faults) as proxy:

        def heal() -> int:
            proxy.faults = NONE
            return proxy.struck

        yield lambda client: acp.connect(proxy.url, client, close_timeout=0.3, **options), heal


async def cell(transport: str, fault: str, side: Any) -> str:
    """What a conversation comes to; AssertionError where the ledger differs from what the client was told."""
    if transport == "stdio" and {"duplicate", "reorder"} & FAULTS[fault].keys():
        return "no connections"
    unhurried()
    client, losses, ended = Client(), list[object](), dict[str, str]()
    with tempfile.TemporaryDirectory() as name:
        ledger = Path(name) / "turns"
        ledger.touch()
        faults = Faults(**FAULTS[fault], side=side)
        async with asyncio.timeout(100), behind(transport, faults, Path(name)) as (connect, heal):
            async with acp.ReconnectingAgent(lambda: connect(client), delay=0.01, on_reconnect=losses.append) as agent:
                session = await begin_session(agent)
                for turn in map(str, range(TURNS)):
                    try:
                        await agent.prompt(session_id=session, prompt=prompt(f"note {ledger} {turn} {'.' * 600}"))
                        ended[turn] = ""
                    except (acp.ConnectionClosed, TimeoutError) as error:
                        ended[turn] = type(error).__name__
                        if list(ended.values())[-2:] == [ended[turn]] * 2:
                            break
            assert heal() or faults.latency or faults.jitter or faults.bandwidth < 1e9, "the fault has not happened"
            async with connect(Client()) as other:  # the next client is served
                await other.initialize()
        executed = ledger.read_text(encoding="utf-8").split()
    return judged(ended, Counter(executed), [text.strip() for text in client.said.get(session, [])], len(losses))


def judged(ended: Mapping[str, str], executed: Counter[str], said: list[str], losses: int) -> str:
    """The words for an outcome; AssertionError where something was lost or came twice without a word."""
    done = [turn for turn, error in ended.items() if not error]
    errors = [error for error in ended.values() if error]
    assert [text for text in said if not ended[text.partition(".")[0]]] == [
        f"{turn}.{part}" for turn in done for part in range(PARTS)
    ], "each update of a turn that ended, once and in order"
    assert len(said) == len({*said}), "no update twice"
    assert all(executed[turn] for turn in done), "a turn that ended did run"
    assert {*executed} <= {*ended}
    words = ["completes"]
    if len(errors) > 1:
        words = [f"every turn fails, `{errors[0]}`"]
    elif errors:
        words = [f"one turn fails, `{errors[0]}`"]
    words += ["reconnects"] * bool(losses)
    words += ["runs as two clients"] * any(count > 1 for count in executed.values())
    return ", ".join(words)


async def table(
    rows: list[tuple[str, str]] = ROWS, transports: tuple[str, ...] = TRANSPORTS
) -> dict[tuple[str, str], list[str]]:
    """The cells of some rows, five at a time."""
    few = asyncio.Semaphore(5)

    async def one(transport: str, row: tuple[str, str]) -> str:
        async with few:
            return await cell(transport, *row)

    cells = iter(await asyncio.gather(*(one(transport, row) for row in rows for transport in transports)))
    return {row: [next(cells) for _ in transports] for row in rows}


def shown(cells: Mapping[tuple[str, str], list[str]]) -> str:
    """The table as Markdown."""
    lines = [f"| | of | {' | '.join(TRANSPORTS)} |", "| --- " * (2 + len(TRANSPORTS)) + "|"]
    lines += [f"| {fault} | {side} | {' | '.join(texts)} |" for (fault, side), texts in cells.items()]
    return "\n".join(lines) + "\n"


def on_page() -> str:
    """The table that docs/remote.md has."""
    return PAGE.partition(BEGIN)[2].partition(END)[0]


if __name__ == "__main__" and sys.argv[1:] == ["agent"]:
    asyncio.run(acp.run_agent(Noting()))
elif __name__ == "__main__":
    before, _, rest = PAGE.partition(BEGIN)
    text = before + BEGIN + shown(asyncio.run(table())) + END + rest.partition(END)[2]
    (ROOT / "docs" / "remote.md").write_text(text, encoding="utf-8")
