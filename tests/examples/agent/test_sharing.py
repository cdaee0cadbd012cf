"""What is kept: across restarts, across `kill -9`, between agents that share a file."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import random
import signal
import socket
import sqlite3
from pathlib import Path

import pytest

from examples.session_agent.journal import settle
from examples.session_agent.owners import is_alive, new_owner
from examples.session_agent.sqlite import SQLite
from examples.session_agent.store import Store
from examples.session_agent.thread import StoreThread

from . import wire
from .forked import Forks, forks
from .wire import CWD, Json, Wire, said, silent, started, with_patience


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
        history = await wire.history(session)
        assert history[-1] == {"sessionUpdate": "tool_call_update", "toolCallId": "edit_1", "status": "failed"}
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


async def test_the_process_of_a_session_that_another_agent_deletes_ends_with_its_turn(store: str) -> None:
    async with started("--store", store, "--isolate") as one, started("--store", store) as two:
        session = await one.new()
        turn = one.prompting(session, "/wait")
        await one.until_update("agent_message_chunk")
        await two.call("session/delete", sessionId=session)
        assert (await turn)["result"] == {"stopReason": "cancelled"}
        assert (await one.refused("session/close", sessionId=session)).code == -32002, "it is not held any more"


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


def test_a_process_that_has_the_number_of_a_dead_one_is_not_taken_for_it() -> None:
    assert is_alive(new_owner())
    assert not is_alive(f"{os.getpid()}@1#0")


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


async def test_an_agent_that_ends_does_not_wait_for_another_ones_lock(store: str) -> None:
    async with started("--store", store, command=with_patience("thread", "thread.PATIENCE = 3600.0")) as wire:
        session = await wire.new()
        other = sqlite3.connect(store, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        wire.prompting(session, "hello")
        await wire.call("initialize", protocolVersion=1)
        async with asyncio.timeout(60):
            assert await wire.leave() == 0
        other.execute("ROLLBACK")
        other.close()


@pytest.mark.parametrize("code", [sqlite3.SQLITE_BUSY, sqlite3.SQLITE_BUSY_RECOVERY, sqlite3.SQLITE_BUSY_TIMEOUT])
async def test_an_operation_is_tried_again_whatever_the_lock_was_for(code: int) -> None:
    tries = []

    def operation(store: Store) -> str:
        tries.append(store)
        if len(tries) < 3:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = code
            raise error
        return "done"

    async with StoreThread(":memory:") as store:
        assert await store(operation) == "done"


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


def check(path: str, ledger: Ledger) -> None:
    """What was acknowledged is there, and what is there is whole."""
    with contextlib.closing(Store(path)) as store:
        check_store(store, ledger)


def check_store(store: Store, ledger: Ledger) -> None:
    identity = f"os:{os.getuid()}"
    rows, more = store.page(identity, None, None, 100_000)
    assert not more
    listed = {row.session_id for row in rows}
    assert not listed & ledger.deleted, "a deleted session is listed"
    assert ledger.turns.keys() - ledger.deleted - ledger.in_doubt <= listed, "a session is lost"
    for row in rows:
        committed = [
            number
            for number, reason in store.rows(
                "SELECT number, stop_reason FROM turns WHERE session = ? ORDER BY number", (row.id,)
            )
            if reason == "end_turn"
        ]
        answers: dict[int, str] = {}
        questions: dict[int, str] = {}
        for (turn, _), payload in store.history(identity, row.session_id, limit=100_000):
            update = json.loads(payload)
            kept = questions if update["sessionUpdate"] == "user_message_chunk" else answers
            kept[turn] = kept.get(turn, "") + update["content"]["text"]
        assert all(questions[turn] == f"/echo {answers[turn]}" for turn in committed), "a half-written turn"
        said_in_turns = [answers[turn] for turn in committed]
        for words in ledger.turns.get(row.session_id, []):
            assert words in said_in_turns, "a committed turn is lost"
    if isinstance(store.engine, SQLite):
        assert store.rows("PRAGMA integrity_check", ()) == [("ok",)]
        assert store.rows("PRAGMA foreign_key_check", ()) == []


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
@pytest.mark.parametrize("seed", range(4))
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
            check(path, ledger)
            turns += sum(map(len, ledger.turns.values())) - before
    assert turns > kills, "the agents were killed at work"


def test_the_check_of_the_kills_sees_a_lost_turn_and_a_half_written_one(store: str) -> None:
    path = store
    with contextlib.closing(Store(path)) as opened:
        _check_sees_faults(path, opened)


def _check_sees_faults(path: str, store: Store) -> None:
    identity = f"os:{os.getuid()}"
    session = store.create(identity, CWD, [], "{}", 1).session_id

    def update(kind: str, text: str) -> bytes:
        payload: Json = {"sessionUpdate": kind, "content": {"type": "text", "text": text}}
        return json.dumps(payload).encode()

    message = [update("user_message_chunk", "/echo all of it")]
    row, turn = store.begin_turn(identity, session, None, message, "1@?#x", 2, settle)
    store.append(identity, session, turn, "1@?#x", 1, [update("agent_message_chunk", "all of it")])
    ledger = Ledger()
    ledger.turns[session] = ["all of it"]
    with pytest.raises(AssertionError, match="committed turn is lost"):
        check(path, ledger)
    store.finish_turn(identity, session, turn, "1@?#x", 2, "end_turn", 3)
    check(path, ledger)
    with store.transaction():
        store._append(row.id, turn, [update("agent_message_chunk", " and more")])
    with pytest.raises(AssertionError, match="half-written turn"):
        check(path, ledger)
