"""A store that is not as it should be: rows that something else has written, a file that is damaged, a full disk."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from examples.session_agent.database import MIGRATIONS
from examples.session_agent.store import Store

from .test_process import run
from .test_termination import TERMINATE
from .wire import CWD, House, house, said, started

BAD_ROWS: list[tuple[str, object]] = [
    ("cwd", b"/srv\xff"),
    ("directories", "no JSON"),
    ("directories", "{}"),
    ("directories", "[1]"),
    ("directories", "[" * 100_000),
    ("settings", b"\xff\xfe"),
    ("title", b"\xff"),
    ("updated_at", "yesterday"),
    ("updated_at", 2**62),
    ("updated_at", -1),
    ("updated_at", 1.5),
]


async def write(home: House, statement: str, *arguments: object) -> None:
    await home.host.store(lambda store: store._db.execute(statement, arguments).fetchall())


@pytest.mark.parametrize(("column", "value"), BAD_ROWS, ids=range(len(BAD_ROWS)))
@pytest.mark.parametrize("page_size", [1, 50])
async def test_one_bad_row_does_not_hide_the_others(column: str, value: object, page_size: int) -> None:
    async with house(page_size=page_size) as home, home.connected() as wire:
        sessions = [await wire.new() for _ in range(3)]
        bad = sessions.pop(1)
        await wire.call("session/close", sessionId=bad)
        await write(home, f"UPDATE sessions SET {column} = ? WHERE session_id = ?", value, bad)
        assert await wire.listed() == sessions[::-1]
        refusal = await wire.refused("session/load", sessionId=bad, cwd=CWD, mcpServers=[])
        assert (refusal.code, refusal.data["sessionId"]) == (-32603, bad)
        assert "cannot be read" in refusal.data["reason"]
        assert await wire.call("session/delete", sessionId=bad) == {}, "there is a way to get rid of it"


async def test_text_that_is_no_utf_8_does_not_hide_the_others() -> None:
    async with house() as home, home.connected() as wire:
        session, other = await wire.new(), await wire.new()
        await write(home, "UPDATE sessions SET title = CAST(x'ff41' AS TEXT) WHERE session_id = ?", session)
        titles = {entry["sessionId"]: entry.get("title") for entry in await wire.entries()}
        assert titles == {session: "\N{REPLACEMENT CHARACTER}A", other: None}


async def test_a_bad_entry_of_the_history_does_not_hide_the_rest() -> None:
    async with house() as home, home.connected() as wire:
        session = await wire.new()
        await wire.prompt(session, "/echo one")
        await write(home, "UPDATE entries SET payload = 'no JSON' WHERE number = 1")
        await wire.prompt(session, "/echo two")
        assert said(await wire.history(session)) == "onetwo"
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


def many(file: Path, count: int = 300) -> list[str]:
    store = Store(str(file))
    sessions = [
        store.create(f"os:{os.getuid()}", f"/srv/{number % 2}", [], "{}", number).session_id for number in range(count)
    ]
    store.close()
    return sessions


def overwrite(file: Path, place: int) -> None:
    with file.open("r+b") as damaged:
        damaged.seek(place)
        damaged.write(b"\xde\xad\xbe\xef" * 256)


async def test_a_page_of_the_table_that_is_damaged_does_not_hide_the_others(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    sessions = many(file)
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
        assert "the session store is damaged: restore it" in stderr
        assert "Traceback" not in stderr


@pytest.mark.parametrize("tree", ["sessions_listed", "sessions_listed_by_cwd"])
async def test_an_index_that_is_damaged_hides_nothing(tmp_path: Path, tree: str) -> None:
    file = tmp_path / "store.db"
    sessions = many(file)
    for leaf in pages(file, tree):
        overwrite(file, leaf)
    async with started("--store", str(file), "--page-size", "100") as wire:
        assert await wire.listed() == sessions[::-1]
        assert await wire.listed(cwd="/srv/1") == sessions[::-2]


async def test_where_nothing_can_be_read_the_error_says_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    many(file)
    async with started("--store", str(file)) as wire:
        for tree in ("sessions", "sessions_listed"):
            for leaf in pages(file, tree):
                overwrite(file, leaf)
        (refusal, again) = [await wire.refused("session/list") for _ in range(2)]
        assert refusal.code == again.code == -32603
        assert "damaged: restore it, or save what is left" in refusal.data["reason"]


def test_a_store_that_is_damaged_from_the_start_is_an_error_in_a_line(tmp_path: Path) -> None:
    file = tmp_path / "store.db"
    many(file)
    with file.open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"\xff" * 4000)
    done = run("--store", str(file))
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, b"", 1)


# A full disk


async def fill(home: House) -> None:
    """From now on the file cannot grow: what SQLite makes of that is what it makes of a full disk."""
    await write(home, "PRAGMA max_page_count = 1")


FULL = "the session store cannot grow, since the disk is full: make room and try again (database or disk is full)"


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


# Older files


def test_directories_of_an_older_store_are_found_however_they_are_spelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "store.db")
    with monkeypatch.context() as older:
        older.setattr("examples.session_agent.database.MIGRATIONS", MIGRATIONS[:1])
        store = Store(file)
        for cwd in ("/srv/", "/srv"):
            store._db.execute(
                "INSERT INTO sessions (session_id, identity, cwd, directories, settings, updated_at) "
                "VALUES (?, 'me', ?, '[]', '{}', 1)",
                (cwd, cwd),
            )
        store.close()
    store = Store(file)
    rows, last = store.page("me", "/srv/.", None, 10)
    assert (sorted(row.cwd for row in rows), last) == (["/srv", "/srv/"], None)
    store.close()
