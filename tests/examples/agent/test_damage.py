"""A store that is not as it should be: rows that something else has written, a file that is damaged, a full disk."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest

from examples.acp.stores import SQLiteStore, StoredSession

from .test_process import run
from .test_termination import TERMINATE
from .wire import CWD, House, house, said, started

BAD_ROWS: list[tuple[str, object]] = [
    ("place", b"/srv\xff"),
    ("fields", "no JSON"),
    ("fields", "[1]"),
    ("fields", "[" * 100_000),
    ("data", b"\xff\xfe"),
    ("title", b"\xff"),
    ("changed_at", "yesterday"),
    ("changed_at", 2**62),
    ("changed_at", -1),
    ("changed_at", 1.5),
]


async def write(home: House, statement: str, *arguments: object) -> None:
    lanes = home.store.lanes  # type: ignore[attr-defined]
    await lanes.run(None, lambda: lanes.engine.execute(statement, arguments).fetchall())


@pytest.mark.parametrize(("column", "value"), BAD_ROWS, ids=range(len(BAD_ROWS)))
@pytest.mark.parametrize("page_size", [1, 50])
async def test_one_bad_row_does_not_hide_the_others(column: str, value: object, page_size: int) -> None:
    async with house(page_size=page_size) as home, home.connected() as wire:
        sessions = [await wire.new() for _ in range(3)]
        bad = sessions.pop(1)
        await wire.call("session/close", sessionId=bad)
        await write(home, f"UPDATE sessions SET {column} = ? WHERE session_key = ?", value, bad)
        assert await wire.listed() == sessions[::-1]
        refusal = await wire.refused("session/load", sessionId=bad, cwd=CWD, mcpServers=[])
        assert (refusal.code, refusal.data["sessionId"]) == (-32603, bad)
        assert "cannot be read" in refusal.data["reason"]
        assert await wire.call("session/delete", sessionId=bad) == {}, "there is a way to get rid of it"


async def test_text_that_is_no_utf_8_does_not_hide_the_others() -> None:
    async with house() as home, home.connected() as wire:
        session, other = await wire.new(), await wire.new()
        await write(home, "UPDATE sessions SET title = CAST(x'ff41' AS TEXT) WHERE session_key = ?", session)
        titles = {entry["sessionId"]: entry.get("title") for entry in await wire.entries()}
        assert titles == {session: "\N{REPLACEMENT CHARACTER}A", other: None}


async def test_a_bad_entry_of_the_history_does_not_hide_the_rest() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo one")
        await write(home, "UPDATE entries SET payloads = CAST('no JSON' AS BLOB) WHERE number = 1")
        await wire.prompt(session, "/echo two")
        assert said(await wire.history(session)) == "two"
        assert await wire.fork(session)


async def test_how_a_session_ended_and_who_had_it_open_may_be_unreadable() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await wire.call("session/close", sessionId=session)
        await write(home, "UPDATE sessions SET ended = 'no JSON'")
        await write(home, "INSERT INTO leases VALUES (?, 'nobody', (SELECT identity FROM sessions), NULL)", session)
        assert (await wire.call(TERMINATE, sessionId=session))["reason"] == "completed"


# A file of which a part is overwritten


def pages(file: Path, tree: str) -> list[int]:
    """The pages that hold the rows of a table or an index."""
    with sqlite3.connect(file) as database:
        size = database.execute("PRAGMA page_size").fetchone()[0]
        try:
            rows = database.execute(
                "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'", (tree,)
            ).fetchall()
        except sqlite3.OperationalError:
            pytest.skip("this SQLite does not tell where it keeps what")
    database.close()
    return [(page - 1) * size for (page,) in rows]


async def many(file: Path, count: int = 300) -> list[str]:
    store = SQLiteStore(file)
    await store.open()
    for number in range(count):
        place = f"/srv/{number % 2}"
        fields = json.dumps({"cwd": place})
        await store.create(
            StoredSession(session_key=f"s{number:030}", identity="", place=place, fields=fields, changed_at=number)
        )
    await store.close()
    return [f"s{number:030}" for number in range(count)]


def overwrite(file: Path, place: int) -> None:
    with file.open("r+b") as damaged:
        damaged.seek(place)
        damaged.write(b"\xde\xad\xbe\xef" * 256)


async def test_a_page_of_the_table_that_is_damaged_does_not_hide_the_others(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    sessions = await many(file)
    leaves = pages(file, "sessions")
    overwrite(file, leaves[len(leaves) // 2])
    async with started("--store", str(file), "--page-size", "7") as wire:
        listed = await wire.listed()
        assert listed == [session for session in sessions[::-1] if session in set(listed)], "newest first, none twice"
        assert len(sessions) - len(listed) < 2 * len(sessions) / len(leaves), "no more than what the page held"
        assert len(listed) < len(sessions)
        half = await wire.listed(cwd="/srv/1")
        assert half == [session for session in listed if session in set(sessions[1::2])]
        wire.process.terminate()
        stderr = (await wire.process.communicate())[1].decode() if wire.listener.cancel() else ""
        assert "the session store is corrupted: restore it" in stderr
        assert "Traceback" not in stderr


@pytest.mark.parametrize("tree", ["sessions_listed", "sessions_listed_by_cwd"])
async def test_an_index_that_is_damaged_hides_nothing(tmp_path: Path, tree: str) -> None:
    file = tmp_path / "store.db"
    sessions = await many(file)
    for leaf in pages(file, tree):
        overwrite(file, leaf)
    async with started("--store", str(file), "--page-size", "100") as wire:
        assert await wire.listed() == sessions[::-1]
        assert await wire.listed(cwd="/srv/1") == sessions[::-2]


async def test_where_nothing_can_be_read_the_error_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    await many(file)
    async with started("--store", str(file)) as wire:
        for tree in ("sessions", "sessions_listed"):
            for leaf in pages(file, tree):
                overwrite(file, leaf)
        (refusal, again) = [await wire.refused("session/list") for _ in range(2)]
        assert refusal.code == again.code == -32603
        assert "corrupted: restore it from a backup, or recover it" in refusal.data["reason"]


async def test_a_store_that_is_damaged_from_the_start_is_an_error_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    await many(file)
    with file.open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"\xff" * 4000)
    done = await asyncio.to_thread(run, "--store", str(file))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)


# A full disk


async def fill(home: House) -> None:
    """From now on the file cannot grow: what SQLite makes of that is what it makes of a full disk."""
    await write(home, "PRAGMA max_page_count = 1")


FULL = "the disk of the session store is full: free some space and try again (database or disk is full)"


async def test_a_full_disk_is_told_as_one() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await fill(home)
        error = (await wire.prompting(session, "/echo " + "x" * 9_000))["error"]
        assert (error["code"], error["data"]) == (-32603, {"sessionId": session, "reason": FULL})


async def test_a_disk_that_is_full_in_a_turn_fails_it_and_the_next_one_goes_on_when_there_is_room(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with house(pace=0.005) as home, home.connected() as wire:
        session = await wire.new()
        turn = wire.prompting(session, "/echo " + f"{'x' * 400} " * 20)
        await wire.until_update("agent_message_chunk")
        await fill(home)
        assert (await turn)["error"]["data"]["reason"] == FULL
        await write(home, "PRAGMA max_page_count = 1000000")
        assert await wire.prompt(session, "/echo on") == "end_turn"
        assert said(await wire.history(session)).endswith("on")
    assert [record for record in caplog.records if record.exc_info] == [], "nor is it told by a traceback"


async def test_a_session_that_could_not_be_kept_was_never_opened() -> None:
    async with house() as home, home.connected() as wire:
        kept = await wire.new()
        await fill(home)
        for _ in range(100):
            answer = await wire.start("session/new", {"cwd": "/srv/" + "x" * 1000, "mcpServers": []})
            if "error" in answer:
                break
        assert answer["error"]["data"] == {"reason": FULL}
        assert set(await wire.listed()) == {key[1] for key in home.host.sessions}
        assert kept in await wire.listed()
