"""What is kept: across restarts, across `kill -9`, between agents that share a file."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
import socket
import sqlite3
from pathlib import Path

import pytest

from examples.acp.stores import SQLiteStore, Store, StoredSession
from examples.session_agent.__main__ import store_at
from tests.support.sampling import exhaustive

from . import wire
from .forked import Forks, forks
from .wire import Json, Wire, said, silent, started


async def test_sessions_survive_a_restart_of_the_agent(store: str) -> None:
    async with started("--store", store) as wire:
        session = await wire.new()
        await wire.prompt(session, "hello there")
        entries, history = await wire.entries(), await wire.history(session)
        await wire.leave()
    async with started("--store", store) as wire:
        assert await wire.entries() == entries
        assert await wire.history(session) == history


async def test_a_cursor_survives_a_restart_of_the_agent(store: str) -> None:
    arguments = ("--store", store, "--page-size", "1")
    async with started(*arguments) as wire:
        older, _ = await wire.new(), await wire.new()
        cursor = (await wire.call("session/list"))["nextCursor"]
        await wire.leave()
    async with started(*arguments) as wire:
        assert (await wire.call("session/list", cursor=cursor))["sessions"][0]["sessionId"] == older


async def test_in_memory_nothing_is_kept() -> None:
    for _ in range(2):
        async with started() as wire:
            assert await wire.listed() == []
            await wire.new()


async def test_a_turn_that_was_cut_short_by_kill_9_is_closed_when_the_session_is_opened_again(store: str) -> None:
    async with started("--store", store, policy=silent) as wire:
        session = await wire.new()
        wire.prompting(session, "hello")
        await wire.until(lambda frame: frame.get("method") == "session/request_permission")
        await wire.kill()
    async with started("--store", store) as wire:
        asked, *shown = await wire.history(session)
        assert asked["content"]["text"] == "hello"
        # The last half second may be lost.
        assert not shown or shown[-1]["status"] == "failed"
        assert await wire.prompt(session) == "end_turn"


async def test_what_one_agent_does_the_other_sees_at_once(store: str) -> None:
    async with started("--store", store) as one, started("--store", store) as two:
        session = await one.new()
        assert await two.listed() == [session]
        await two.load(session)
        await one.prompt(session, "/echo one ")
        await two.prompt(session, "/echo two")
        assert said(await one.history(session)) == "one two"
        fork = await two.fork(session)
        assert await one.listed() == [fork, session]


async def test_a_session_that_one_agent_deletes_is_gone_from_the_other_at_once(store: str) -> None:
    async with started("--store", store) as one, started("--store", store) as two:
        session = await one.new()
        await two.call("session/delete", sessionId=session)
        assert await one.listed() == []
        assert (await one.prompting(session, "hello"))["error"]["code"] == -32002
        assert (await one.refused("session/set_mode", sessionId=session, modeId="auto")).code == -32002


async def test_a_turn_ends_when_another_agent_deletes_its_session(store: str) -> None:
    async with started("--store", store) as one, started("--store", store) as two:
        session = await one.new()
        turn = one.prompting(session, "/wait")
        await one.until_update("agent_message_chunk")
        await two.call("session/delete", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert await one.listed() == []


async def test_a_session_has_one_turn_at_a_time_in_all_agents_together(store: str) -> None:
    async with started("--store", store) as one, started("--store", store) as two:
        session = await one.new()
        await two.resume(session)
        turn = one.prompting(session, "/wait")
        await one.until_update("agent_message_chunk")
        assert (await two.prompting(session, "hello"))["error"]["code"] == -32600
        one.notify("session/cancel", sessionId=session)
        await turn
        assert await two.prompt(session) == "end_turn"


async def test_a_turn_of_an_agent_that_was_killed_does_not_block_the_session(store: str) -> None:
    async with started("--store", store) as one, started("--store", store) as two:
        session = await one.new()
        await two.resume(session)
        one.prompting(session, "/wait")
        await one.until_update("agent_message_chunk")
        await one.kill()
        assert await two.prompt(session) == "end_turn"


async def test_two_agents_that_start_at_once_create_one_store(store: str) -> None:
    async with started("--store", store, handshake=False) as one, started("--store", store, handshake=False) as two:
        await asyncio.gather(one.initialize(), two.initialize())
        assert set(await asyncio.gather(one.new(), two.new())) == set(await one.listed())


async def test_agents_wait_for_each_others_locks_and_stay_responsive(store: str) -> None:
    async with started("--store", store) as wire:
        session = await wire.new()
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        waiting = wire.start("session/delete", {"sessionId": session})
        await wire.call("initialize", protocolVersion=1)  # the loop is free
        assert not waiting.done()
        other.execute("COMMIT")
        other.close()
        assert (await waiting)["result"] == {}


# kill -9, two hundred times

KILLS = 200


class Ledger:
    """What the agents have acknowledged."""

    def __init__(self) -> None:
        self.turns: dict[str, list[str]] = {}
        """Session to the texts of its committed turns."""
        self.deleted: set[str] = set()
        self.in_doubt: set[str] = set()
        """Sessions whose deletion was asked for and not acknowledged."""


async def work(wire: Wire, ledger: Ledger, rng: random.Random) -> None:
    """Keep an agent busy until it dies."""
    await wire.initialize()
    known = [session for session in ledger.turns if session not in ledger.deleted | ledger.in_doubt]
    mine = [await wire.new()]
    ledger.turns[mine[0]] = []
    if known:
        mine.append(rng.choice(known))
        await wire.resume(mine[1])
    for number in range(10_000):
        session = rng.choice(mine)
        match rng.choice(("prompt", "prompt", "prompt", "fork", "delete")):
            case "prompt":
                words = f"{number} of {session} " * rng.randrange(1, 4)
                await wire.prompt(session, f"/echo {words}")
                ledger.turns[session].append(words)
            case "fork":
                # At least the turns that were committed when it was asked for; more cannot come, none runs.
                fork = await wire.fork(session)
                ledger.turns[fork] = list(ledger.turns[session])
                mine.append(fork)
            case "delete" if len(mine) > 1:
                ledger.in_doubt.add(session)
                mine.remove(session)
                await wire.call("session/delete", sessionId=session)
                ledger.in_doubt.discard(session)
                ledger.deleted.add(session)


async def check(path: str, ledger: Ledger) -> None:
    """What was acknowledged is there, and what is there is whole."""
    store = store_at(path)
    await store.open()
    try:
        await check_store(store, ledger)
    finally:
        await store.close()


async def check_store(store: Store, ledger: Ledger) -> None:
    rows, more = await store.page("", None, None, 100_000)
    assert not more
    listed = {row.session_key for row in rows}
    assert not listed & ledger.deleted, "a deleted session is listed"
    assert ledger.turns.keys() - ledger.deleted - ledger.in_doubt <= listed, "a session is lost"
    for row in rows:
        answers: dict[int, str] = {}
        questions: dict[int, str] = {}
        for turn, _, payloads in await store.history("", row.session_key, limit=100_000):
            for update in map(json.loads, payloads):
                kept = questions if update["sessionUpdate"] == "user_message_chunk" else answers
                kept[turn] = kept.get(turn, "") + update["content"]["text"]
        # The stop reason of the last turn is in its session; turns before it have ended.
        committed = {turn for turn in questions if turn < row.turn or row.outcome == "end_turn"}
        whole = {turn for turn in committed if questions[turn] == f"/echo {answers.get(turn, '')}"}
        said_in_turns = [answers[turn] for turn in whole]
        for words in ledger.turns.get(row.session_key, []):
            assert words in said_in_turns, "a committed turn is lost"
        if row.outcome == "end_turn":
            assert row.turn in whole, "a half-written turn"
    if isinstance(store, SQLiteStore):
        lanes = store.lanes
        assert await lanes.run(None, lambda: lanes.engine.execute("PRAGMA integrity_check").fetchall()) == [("ok",)]


async def reign(path: str, ledger: Ledger, rng: random.Random, agents: Forks) -> None:
    """One agent, from its start to its violent end."""
    (to, stdin), (back, stdout) = socket.socketpair(), socket.socketpair()
    pid = agents.start(stdin, stdout, path)
    stdin.close()
    stdout.close()
    _, writer = await asyncio.open_connection(sock=to)
    reader, unused = await asyncio.open_connection(sock=back)
    wire = Wire(reader, writer)
    busy = asyncio.create_task(work(wire, ledger, rng))
    # Counted in frames, so that a slow machine is not killed before it works; now and then while it starts.
    frames = rng.randrange(60) if rng.random() < 0.9 else 0
    if frames:
        seen = asyncio.create_task(wire.until(lambda _: len(wire.frames) >= frames))
        await asyncio.wait([seen, busy], return_when=asyncio.FIRST_COMPLETED)
        seen.cancel()
    await asyncio.sleep(rng.uniform(0, 0.002 if frames else 0.04))
    os.kill(pid, signal.SIGKILL)
    agents.wait()
    await wire.end()
    unused.close()
    if busy.done():
        await busy  # nothing but its death may have stopped it
    busy.cancel()
    await asyncio.wait([busy])


@pytest.mark.slow
@pytest.mark.parametrize("seed", exhaustive(range(4), stay=[0]))
async def test_kill_9_at_200_random_moments_loses_no_committed_turn_and_lists_no_half_written_session(
    tmp_path: Path, new_store: str, seed: int
) -> None:
    rng = random.Random(seed)
    turns = 0
    # A server needs a second to be sure that an agent is dead.
    kills = KILLS // 4 if new_store == "sqlite" else KILLS // 16
    with forks() as agents:
        for number in range(kills):
            if number % 20 == 0:  # a new store now and then, so that what has to be checked does not grow
                path = str(tmp_path / f"{number}.db") if new_store == "sqlite" else wire.new_store()
                ledger = Ledger()
            before = sum(map(len, ledger.turns.values()))
            await reign(path, ledger, rng, agents)
            await check(path, ledger)
            turns += sum(map(len, ledger.turns.values())) - before
    assert turns > kills, "the agents were killed at work"


async def test_the_check_of_the_kills_sees_a_lost_turn_and_a_half_written_one(store: str) -> None:
    def update(kind: str, text: str) -> bytes:
        payload: Json = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
        return json.dumps(payload).encode()

    opened = store_at(store)
    await opened.open()
    try:
        await opened.create(StoredSession(session_key="one", identity="", changed_at=1))
        message = [update("user_message_chunk", "/echo all of it")]
        _, turn = await opened.begin_turn("", "one", f"{opened.owner}/1", None, message, 2, lambda _: ())
        ledger = Ledger()
        ledger.turns["one"] = ["all of it"]
        await opened.append("", "one", turn, 1, [update("agent_message_chunk", "all of")])
        with pytest.raises(AssertionError, match="committed turn is lost"):
            await check_store(opened, ledger)
        await opened.finish_turn("", "one", turn, 2, [update("agent_message_chunk", " it")], "end_turn", 3)
        await check_store(opened, ledger)
        ledger.turns["one"] = []
        _, turn = await opened.begin_turn("", "one", f"{opened.owner}/2", None, message, 4, lambda _: ())
        await opened.finish_turn("", "one", turn, 1, [update("agent_message_chunk", "all")], "end_turn", 5)
        with pytest.raises(AssertionError, match="half-written turn"):
            await check_store(opened, ledger)
    finally:
        await opened.close()
