"""What agents that share a database do together: sessions and updates a second by 1, 2 and 4 processes, and what the database sees.

    python -m benchmarks.database            # some three minutes; prints a table
    python -m benchmarks.database --write    # and puts it into docs/scale.md

A PostgreSQL of its own, with the server's settings for durability (`fsync` on) but in a temporary folder; agents in processes
of their own, on TCP; for each a program that plays its clients: 32 sessions at once. SQLite and memory beside it, by one process.
With four cores or more, the database, the agents and the clients each have cores of their own. With fewer they share them, and the
rates of several processes say nothing about how agents scale; the counts of statements do not depend on that.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from examples import acp
from tests.support.cluster import Cluster, cluster, missing, name_of

from .machine import described

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "scale.md"
BEGIN, END = "<!-- measured with a database -->\n", "<!-- end of measured with a database -->\n"
SETTINGS = {"shared_preload_libraries": "pg_stat_statements", "max_connections": "100", "logging_collector": "off"}
MEMORY = ":memory:"
AT_ONCE = 32
ROUNDS = 3
LOADS = {
    "sessions": (3, 10),
    "updates": (1, 200),
}
"""Turns of each session one after the other (each in a new session for the first), and updates in a turn."""


class Client(acp.Client):
    """Counts what it is shown."""

    def __init__(self) -> None:
        self.count = 0

    def session_update(self, params: acp.SessionNotification) -> None:
        if isinstance(params.update, acp.AgentMessageChunk):
            self.count += 1

    def request_permission(self, params: acp.RequestPermissionRequest) -> acp.RequestPermissionResponse:
        return acp.RequestPermissionResponse(outcome=acp.RequestPermissionOutcomeCancelled())


async def play(address: str, sessions: int, words: int) -> None:
    """The clients of one agent: says that it is ready, waits for a line, and then prints what it was shown, and when it was done."""
    client = Client()
    async with acp.connect(address, client) as agent:
        await agent.initialize()
        prompt = [acp.TextContent(text="/echo " + " ".join(f"word{number}" for number in range(words)))]

        async def work() -> None:
            for _ in range(sessions):
                session = (await agent.new_session(cwd="/", mcp_servers=[])).session_id
                await agent.prompt(session_id=session, prompt=prompt)

        print("ready", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        begun = asyncio.get_running_loop().time()
        await asyncio.gather(*(work() for _ in range(AT_ONCE)))
        print(json.dumps({"seconds": asyncio.get_running_loop().time() - begun, "updates": client.count}), flush=True)


def pinned(part: int) -> Callable[[], None] | None:
    """What a process of the database (0), the agents (1) or the clients (2) does when it starts: take its share of the cores."""
    cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    if len(cores) < 4:
        return None
    agents = cores[1 : (len(cores) + 2) // 2]
    mine = (cores[:1], agents, cores[1 + len(agents) :])[part]
    return lambda: os.sched_setaffinity(0, mine)


def pin_database(server: Cluster) -> None:
    """Give the server its share; the processes that it forks inherit it."""
    if pinned(0) is not None:
        main = int((server.data / "postmaster.pid").read_text().split()[0])
        os.sched_setaffinity(main, sorted(os.sched_getaffinity(0))[:1])


@contextlib.contextmanager
def serving(store: str) -> Iterator[str]:
    """The address of an agent in a process of its own."""
    command = [
        sys.executable,
        "-m",
        "examples.session_agent",
        "--pace=0",
        *([] if store == MEMORY else [f"--store={store}"]),
    ]
    with subprocess.Popen(
        [*command, "--listen=tcp://127.0.0.1:0"], cwd=ROOT, stderr=subprocess.PIPE, text=True, preexec_fn=pinned(1)
    ) as process:
        assert process.stderr is not None
        try:
            line = process.stderr.readline()
            assert line.startswith("listening on "), line
            yield line.split()[-1]
        finally:
            process.terminate()


@contextlib.contextmanager
def playing(address: str, load: str) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "benchmarks.database", "--play", address, load]
    with subprocess.Popen(
        command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=pinned(2)
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        yield process


def run(store: str, processes: int, load: str, server: Cluster | None = None) -> dict[str, float]:
    """Sessions and updates a second, and what the database saw of it."""
    with contextlib.ExitStack() as stack:
        agents = [stack.enter_context(serving(store)) for _ in range(processes)]
        players = [stack.enter_context(playing(address, load)) for address in agents]
        before = seen(server, store)
        for each in players:
            assert each.stdin is not None
            each.stdin.write("go\n")
            each.stdin.flush()
        ended: list[dict[str, float]] = []
        for each in players:
            assert each.stdout is not None
            ended.append(json.loads(each.stdout.readline()))
        after = seen(server, store)
    sessions, words = LOADS[load]
    turns = sessions * AT_ONCE * processes
    updates = sum(one["updates"] for one in ended)
    assert updates == turns * words, "an update was lost"
    seconds = max(one["seconds"] for one in ended)
    changed = {name: (after[name] - before[name]) / turns for name in ("statements", "commits", "wal") if after}
    return {
        "sessions": turns / seconds,
        "updates": updates / seconds,
        "connections": after.get("connections", 0),
        **changed,
    }


def seen(server: Cluster | None, store: str) -> dict[str, float]:
    """What a database has seen so far."""
    if server is None:
        return {}
    with server.keeper(name_of(store)) as keeper:
        keeper.execute("SELECT pg_stat_clear_snapshot()")

        def number(query: str) -> float:
            found = keeper.execute(query.encode()).fetchone()
            assert found is not None
            return float(found[0])

        agents = "FROM pg_stat_statements WHERE userid = 'agent'::regrole"
        return {
            "statements": number(f"SELECT coalesce(sum(calls), 0) {agents} AND query !~* 'agents'"),
            "commits": number(f"SELECT coalesce(sum(calls), 0) {agents} AND query = 'COMMIT'"),
            "wal": number("SELECT pg_current_wal_insert_lsn() - '0/0'"),
            "connections": number("SELECT count(*) FROM pg_stat_activity WHERE usename = 'agent'"),
        }


Row = tuple[str, int, dict[str, dict[str, float]]]
"""Kind of store, processes, and for each load the medians; `ratio` is beside one process on PostgreSQL, in the same round."""


def measure() -> list[Row]:
    """For each kind of store and number of processes the medians of the rounds, whose contenders take turns."""
    contenders = [("memory", 1), ("SQLite", 1), *(("PostgreSQL", count) for count in (1, 2, 4))]
    samples: dict[tuple[str, int], dict[str, list[dict[str, float]]]] = {
        each: {load: [] for load in LOADS} for each in contenders
    }
    with cluster(SETTINGS) as server, tempfile.TemporaryDirectory() as folder:
        pin_database(server)
        for turn in range(ROUNDS):
            for kind, count in contenders[turn:] + contenders[:turn]:
                for load in LOADS:
                    store, used = MEMORY, None
                    if kind == "SQLite":
                        store = f"{folder}/{turn}{load}.db"
                    elif kind == "PostgreSQL":
                        store, used = server.create(), server
                        with server.keeper(name_of(store)) as keeper:
                            keeper.execute("CREATE EXTENSION pg_stat_statements")
                    samples[kind, count][load].append(run(store, count, load, used))
                    print(kind, count, load, samples[kind, count][load][-1], file=sys.stderr)
    for loads in samples.values():
        for load, runs in loads.items():
            for one, base in zip(runs, [dict(run) for run in samples["PostgreSQL", 1][load]], strict=True):
                one["ratio"] = one["updates"] / base["updates"]
    return [
        (
            kind,
            count,
            {
                load: {name: statistics.median(one[name] for one in runs) for name in runs[0]}
                for load, runs in loads.items()
            },
        )
        for (kind, count), loads in samples.items()
    ]


def machine() -> str:
    found: dict[str, Any] = described()
    it = found["machine"]
    return f"{found['date']}, {it['processor']}, {it['cores']} cores, {it['memory']}, {it['python']}"


def table(rows: list[Row]) -> str:
    """The measurements as the page shows them."""
    lines = [
        f"{machine()}. Medians of {ROUNDS} rounds; ×: as a multiple of one process on PostgreSQL in the same round.\n",
        "| store | agent processes | sessions with a turn of ten updates a second | × | updates a second | × |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for kind, count, loads in rows:
        sessions, updates = loads["sessions"]["sessions"], loads["updates"]["updates"]
        ratios = [f"{loads[load]['ratio']:.2f}" for load in ("sessions", "updates")]
        lines.append(f"| {kind} | {count} | {sessions:,.0f} | {ratios[0]} | {updates:,.0f} | {ratios[1]} |")
    lines += [
        "",
        "| load on PostgreSQL | 1 process | 2 | 4 |",
        "| --- | --- | --- | --- |",
    ]
    served = [loads for kind, _, loads in rows if kind == "PostgreSQL"]
    for label, load, name, unit in (
        ("statements, for a session and its turn of ten updates", "sessions", "statements", ""),
        ("transactions of several statements, of these", "sessions", "commits", ""),
        ("bytes of its log, the same", "sessions", "wal", " B"),
        ("statements, for a session and its turn of 200 updates", "updates", "statements", ""),
        ("bytes of its log, the same", "updates", "wal", " B"),
        ("connections", "sessions", "connections", ""),
    ):
        figures = " | ".join(f"{loads[load][name]:,.0f}{unit}" for loads in served)
        lines.append(f"| {label} | {figures} |")
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.database", description=__doc__)
    parser.add_argument("--write", action="store_true", help="put the table into docs/scale.md")
    parser.add_argument("--play", nargs=2, help=argparse.SUPPRESS)
    given: Any = parser.parse_args()
    if given.play:
        address, load = given.play
        asyncio.run(play(address, *LOADS[load]))
        return 0
    if (reason := missing()) is not None:
        print(f"benchmarks.database: {reason}", file=sys.stderr)
        return 2
    text = table(measure())
    print(text)
    if given.write:
        before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
        _, found, after = rest.partition(END)
        assert found, f"{PAGE} has no place for it: {BEGIN.strip()}"
        PAGE.write_text(f"{before}{BEGIN}{text}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
