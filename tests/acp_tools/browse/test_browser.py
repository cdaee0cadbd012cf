"""Every action, with a real agent at the other end of real pipes."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

import pytest

import acp_generated as acp
from acp_tools.browse.errors import LoginNeeded, Trouble
from acp_tools.browse.model.session import Session
from acp_tools.browse.run import connect

from .conftest import Journal, Start, text_in, until
from .fake_agent import FakeAgent


def said(session: Session, role: str = "agent") -> str:
    return text_in(session, f"{role}_message_chunk")


def notes(session: Session) -> str:
    return "\n".join(entry.source.text for entry in session.entries if entry.kind == "note")


# The list


async def test_pages_are_read_on_demand(start: Start, journal: Journal) -> None:
    async with start(sessions=25, page=10) as browser:
        await browser.refresh()
        assert (len(browser.shown), len(journal("list_sessions"))) == (10, 1)
        await browser.more()
        await browser.more()
        assert len(browser.shown) == 25
        with pytest.raises(Trouble, match="the last page"):
            await browser.more()


async def test_a_refresh_reads_as_far_as_was_read(start: Start) -> None:
    async with start(sessions=30, page=10) as browser:
        await browser.refresh()
        await browser.more()
        await browser.connection.delete_session(session_id="sess_0")  # by someone else
        await browser.refresh()
        assert len(browser.shown) == 20
        assert browser.shown[0].session_id == "sess_1"


async def test_a_page_that_comes_while_news_are_awaited_stays(start: Start) -> None:
    async with start(sessions=25, page=10) as browser:
        await browser.refresh()
        await asyncio.gather(browser.more(), browser.glance())
        assert len(browser.shown) == 20


async def test_a_filter_is_the_agents_to_apply(start: Start, journal: Journal) -> None:
    async with start(sessions=10, two_directories=True) as browser:
        await browser.filter("/srv/project1")
        assert {info.cwd for info in browser.shown} == {"/srv/project1"}
        assert journal("list_sessions")[-1]["cwd"] == "/srv/project1"


async def test_a_filter_that_fails_leaves_the_list_as_it_was(start: Start) -> None:
    async with start(refuse="list_sessions") as browser:
        with pytest.raises(Trouble, match="the disk is on fire"):
            await browser.filter("/srv")
        assert browser.directory is None


# Sessions


async def test_opening_a_session_replays_its_history(start: Start) -> None:
    async with start() as browser:
        await browser.refresh()
        session = await browser.enter(browser.shown[0])
        assert (said(session, "user"), said(session)) == ("an old question", "an old answer")


async def test_an_agent_that_only_resumes_has_no_history_to_show(start: Start, journal: Journal) -> None:
    async with start(lacks=["load_session"]) as browser:
        await browser.refresh()
        session = await browser.enter(browser.shown[0])
        assert "did not advertise loadSession" in notes(session)
        assert journal("resume_session")
        assert not journal("load_session")


async def test_opening_it_a_second_time_asks_nobody(start: Start, journal: Journal) -> None:
    async with start() as browser:
        await browser.refresh()
        first = await browser.enter(browser.shown[0])
        assert await browser.enter(browser.shown[0]) is first
        assert len(journal("load_session")) == 1


async def test_a_session_that_cannot_be_opened_is_not_open(start: Start) -> None:
    async with start(refuse="load_session") as browser:
        await browser.refresh()
        with pytest.raises(Trouble, match=r"session/load: Internal error: the disk is on fire \(-32603\)"):
            await browser.enter(browser.shown[0])
        assert not browser.open


async def test_a_fork_is_opened_with_its_history_and_stands_in_the_list(start: Start) -> None:
    async with start() as browser:
        await browser.refresh()
        fork = await browser.fork("sess_0", "/srv/project")
        assert (fork.session_id, said(fork)) == ("fork_1", "an old answer")
        assert browser.shown[0].session_id == "fork_1"


async def test_the_answer_to_a_prompt_is_streamed_into_the_history(start: Start) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        await browser.prompt(session, "hello")
        assert said(session) == "You said: hello "


async def test_a_second_prompt_during_a_turn_is_refused_here(start: Start, journal: Journal) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        turn = asyncio.create_task(browser.prompt(session, "wait"))
        await until(lambda: said(session))
        with pytest.raises(Trouble, match="a turn is running"):
            await browser.prompt(session, "hello")
        await browser.cancel(session)
        await turn
        assert "cancelled" in notes(session)
        assert len(journal("prompt")) == 1


async def test_cancelling_a_turn_answers_its_questions_with_cancelled(start: Start, journal: Journal) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        turn = asyncio.create_task(browser.prompt(session, "work"))
        await until(lambda: browser.asks.open)
        await browser.cancel(session)
        await turn
        assert journal("answer") == [{"method": "answer", "outcome": {"outcome": "cancelled"}}]


async def test_an_answered_permission_tells_the_option(start: Start, journal: Journal) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        turn = asyncio.create_task(browser.prompt(session, "work"))
        question = (await until(lambda: browser.asks.open))[0]
        assert [option.name for option in question.options] == ["Yes, edit it", "No, leave it"]
        question.answer.set_result("yes")
        await turn
        assert journal("answer")[0]["outcome"] == {"outcome": "selected", "optionId": "yes"}
        assert session.state.tool_calls["call_1"].status == "completed"


async def test_modes_and_options_are_set(start: Start) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        assert session.mode is not None
        await browser.set(session, session.mode, "code")
        model, loud = session.options
        await browser.set(session, model, "deep")
        await browser.set(session, loud, False)
        assert (session.mode.shown, session.options[1].shown) == ("Code", "off")


async def test_a_login_opens_what_wanted_one(start: Start) -> None:
    async with start(auth=True) as browser:
        with pytest.raises(LoginNeeded):
            await browser.refresh()
        await browser.login(browser.auth_methods[0].id)
        await browser.refresh()
        assert browser.shown


# Elsewhere


@pytest.mark.parametrize("way", ["tcp://127.0.0.1:0", "http://127.0.0.1:0", "ws", "unix:"])
async def test_an_agent_at_an_address_answers_as_one_that_was_started(way: str, tmp_path: Path) -> None:
    at = {"ws": "http://127.0.0.1:0", "unix:": f"unix:{tmp_path}/s"}.get(way, way)
    ready: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    serving = acp.serve(lambda: FakeAgent({}), at, on_ready=ready.set_result, drain_timeout=0.1)
    server = asyncio.ensure_future(serving)
    await asyncio.wait([server, ready], return_when=asyncio.FIRST_COMPLETED)
    url = ready.result().replace("http:", "ws:") if way == "ws" else ready.result()
    try:
        async with connect([url], patience=60, undo=60) as browser:
            session = await browser.new("/srv/project")
            await browser.prompt(session, "hello")
            assert said(session) == "You said: hello "
            assert {frame.direction for frame in browser.tape.frames} == {"client-to-agent", "agent-to-client"}
    finally:
        server.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await server


async def test_an_address_where_nobody_is_and_one_that_is_none_are_said_to_be_so() -> None:
    for url in ("tcp://127.0.0.1:1", "http://127.0.0.1:1", "tcp://nowhere"):
        with pytest.raises(Trouble, match=url):
            async with connect([url], patience=60, undo=60):
                pass


# Deleting


async def test_a_deletion_that_is_undone_is_never_sent(start: Start, journal: Journal) -> None:
    async with start() as browser:
        await browser.refresh()
        browser.delete("sess_1")
        assert browser.undo() == "sess_1"
    assert not journal("delete_session")


async def test_a_deletion_is_sent_when_its_time_is_over(start: Start, journal: Journal) -> None:
    async with start(undo=0.01) as browser:
        await browser.refresh()
        browser.delete("sess_1")
        await until(lambda: len(browser.shown) == 2)
        with pytest.raises(Trouble, match="nothing to undo"):
            browser.undo()
    assert [note["id"] for note in journal("delete_session")] == ["sess_1"]


async def test_what_waits_at_the_end_is_sent_then(start: Start, journal: Journal) -> None:
    async with start(undo=600) as browser:
        await browser.refresh()
        browser.delete("sess_1")
        browser.delete("sess_2")
    assert {note["id"] for note in journal("delete_session")} == {"sess_1", "sess_2"}
    assert not browser.failures


async def test_a_deletion_that_the_agent_refuses_brings_the_session_back(start: Start) -> None:
    async with start(undo=0.01, refuse="delete_session") as browser:
        await browser.refresh()
        browser.delete("sess_1")
        await until(lambda: browser.failures)
        assert len(browser.shown) == 3
        assert "the disk is on fire" in browser.status


# What the client does for the agent


async def ask_for(browser_start: Start, tmp_path: Path, prompt: str, answer: str | None) -> None:
    async with browser_start() as browser:
        session = await browser.new(str(tmp_path))
        turn = asyncio.create_task(browser.prompt(session, prompt))
        await until(lambda: browser.asks.open or turn.done())
        for question in browser.asks.open:
            question.answer.set_result(answer)
        await turn


async def test_a_file_is_read_once_that_is_allowed(start: Start, journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("contents")
    await ask_for(start, tmp_path, f"read {tmp_path / 'file'}", "once")
    assert journal("result")[0]["value"] == {"content": "contents"}


@pytest.mark.parametrize("answer", ["no", None])
async def test_a_file_is_not_read_where_that_is_refused(
    start: Start, journal: Journal, tmp_path: Path, answer: str | None
) -> None:
    (tmp_path / "file").write_text("contents")
    await ask_for(start, tmp_path, f"read {tmp_path / 'file'}", answer)
    assert journal("result")[0]["message"] == "The user did not allow it"


@pytest.mark.parametrize("path", ["/etc/passwd", "link/passwd", "../file", "relative"])
async def test_nothing_outside_the_session_is_read_even_if_asked(
    start: Start, journal: Journal, tmp_path: Path, path: str
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "link").symlink_to("/etc")
    await ask_for(start, root, f"read {path if path == 'relative' else root / path}", "once")
    assert journal("result")[0]["error"] == -32602


async def test_a_file_that_is_not_there_is_said_to_be_so(start: Start, journal: Journal, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, f"read {tmp_path / 'nothing'}", "once")
    assert journal("result")[0]["error"] == -32002


async def test_a_file_is_written_once_that_is_allowed(start: Start, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, f"write {tmp_path / 'new' / 'file'}", "session")
    assert (tmp_path / "new" / "file").read_text() == "written by the agent\n"


async def test_a_file_is_not_written_where_that_is_refused(start: Start, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, f"write {tmp_path / 'file'}", "no")
    assert not (tmp_path / "file").exists()


async def test_a_command_runs_and_its_output_is_told(start: Start, journal: Journal, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, "run printf out; pwd >&2; exit 3", "once")
    assert journal("result") == [{"method": "result", "code": 3, "output": f"out{tmp_path}\n"}]


async def test_a_command_does_not_run_where_that_is_refused(start: Start, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, "run touch ran", "no")
    assert not (tmp_path / "ran").exists()


async def test_a_command_ends_though_it_leaves_something_behind(start: Start, journal: Journal, tmp_path: Path) -> None:
    await ask_for(start, tmp_path, "run sleep 600 & echo started", "once")
    assert journal("result")[0]["output"] == "started\n"


async def test_the_client_advertises_what_it_does(start: Start, journal: Journal) -> None:
    async with start():
        pass
    assert journal("initialize")[0]["client"]["clientCapabilities"] == {
        "fs": {"readTextFile": True, "writeTextFile": True},
        "terminal": True,
        "plan": {},
        "session": {"notices": {}, "configOptions": {"boolean": {}}},
    }


# An agent that fails


async def test_an_agent_that_dies_says_how_and_what_its_last_words_were(start: Start) -> None:
    async with start(process=True) as browser:
        session = await browser.new("/srv/project")
        with pytest.raises(Trouble, match="exited with code 3"):
            await browser.prompt(session, "die")
        await until(lambda: browser.dead)
        assert "last words on stderr" in " ".join(browser.last_words())


async def test_deletions_that_a_dead_agent_cannot_take_are_reported(start: Start) -> None:
    async with start(die="new_session") as browser:
        browser.delete("sess_1")
        with pytest.raises(Trouble):
            await browser.new("/srv/project")
    assert [failure.partition(": ")[2].endswith("exited with code 3") for failure in browser.failures] == [True]


async def test_an_agent_that_never_answers_is_given_up(start: Start) -> None:
    async with start(hang="list_sessions") as browser:
        browser.patience = 0.05
        with pytest.raises(Trouble, match=r"no response to session/list within 0.05 s"):
            await browser.refresh()


async def test_what_is_no_message_goes_to_the_log(start: Start) -> None:
    async with start(junk=True, chatty=True) as browser:
        await browser.refresh()
        assert browser.shown
        await until(lambda: "chatter on stderr" in "".join(browser.log.lines))
        assert "in 'not json at all'" in "".join(browser.log.lines)


async def test_a_session_that_ends_elsewhere_is_no_longer_open(start: Start) -> None:
    async with start() as browser:
        session = await browser.new("/srv/project")
        await browser.prompt(session, "ended")
        assert "the session has ended (terminated, by the daemon, exit code 143)" in notes(session)
        assert session.session_id not in browser.open
