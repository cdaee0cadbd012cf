"""The screens, driven by keys, at the sizes that people have."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import TextArea

import acp_generated as acp
from acp_tools.browse.controller import Browser
from acp_tools.browse.model.frames import Tape
from acp_tools.browse.screens.app import BrowserApp
from acp_tools.browse.screens.dialogs import Permission
from acp_tools.browse.screens.entries import MessageView
from acp_tools.browse.screens.replay import ReplayApp
from acp_tools.browse.screens.virtual_list import SessionList

from .conftest import TIMEOUT, Journal, Start
from .fake_agent import HOSTILE
from .test_story import Wire, said

SMALL, LARGE = (80, 24), (120, 40)


class Shown:
    """A running program: what it shows, and its keys."""

    def __init__(self, app: Any, pilot: Pilot[None], browser: Browser | None) -> None:
        self.app, self.pilot = app, pilot
        self.browser: Any = browser

    @property
    def lines(self) -> list[str]:
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def send(self, text: str) -> None:
        """Write a prompt, and send it."""
        self.app.screen.query_one(TextArea).insert(text)
        await self.press("enter")

    async def play(self, *steps: str | list[str] | Callable[[], Any]) -> None:
        """Take one step after the other: a text or a condition is waited for, a list of keys is pressed."""
        for step in steps:
            await (self.press(*step) if isinstance(step, list) else self.until(step))

    async def until(self, what: str | Callable[[], Any]) -> None:
        try:
            async with asyncio.timeout(TIMEOUT / 2):
                while not (what in self.text if isinstance(what, str) else what()):
                    await self.pilot.pause(0.03)
        except TimeoutError:
            pytest.fail(f"never came: {what}, but this:\n{self.text}")

    async def notified(self, text: str) -> None:
        """Wait for a note that appears for a while; it may be wrapped."""
        await self.until(lambda: any(text in note.message for note in self.app._notifications))

    @property
    def selected(self) -> str | None:
        info = self.app.screen.query_one(SessionList).selected
        return info.session_id if info else None


@pytest.fixture
def show(start: Start, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The screen, on an agent in a mood. Keys of a permission are awake at once."""
    monkeypatch.setattr(Permission, "ASLEEP", 0)

    @asynccontextmanager
    async def showing(size: tuple[int, int] = SMALL, **mood: Any) -> AsyncGenerator[Shown, None]:
        async with start(**mood) as browser:
            app = BrowserApp(browser)
            async with app.run_test(size=size, notifications=True) as pilot:
                yield Shown(app, pilot, browser)

    return showing


async def test_the_list_shows_titles_directories_and_keys(show: Any) -> None:
    async with show(sessions=5) as shown:
        await shown.until("Session number 4")
        assert "/srv/project" in shown.text
        assert "── the end ──" in shown.text
        assert shown.lines[-1].split("  ")[:5] == [" Enter open", "n new", "/ find", "w frames", "? all keys"]


async def test_going_beyond_the_last_row_reads_the_next_page(show: Any, journal: Journal) -> None:
    async with show(sessions=8, page=5) as shown:
        await shown.play("── more: ↓ or m, M loads all ──", lambda: shown.app.screen.query_one(SessionList).has_focus)
        await shown.play(["end"], lambda: shown.selected == "sess_4", ["down"], "Session number 7")
        assert len(journal("list_sessions")) == 2


async def test_a_selected_session_stays_selected_while_others_come_and_go(show: Any) -> None:
    async with show(sessions=6) as shown:
        await shown.play("Session number 5", ["down", "down", "down"])
        await shown.browser.connection.delete_session(session_id="sess_0")
        await shown.browser.connection.new_session(cwd="/srv/other", mcp_servers=[])
        await shown.play(["r"], "/srv/other")
        assert shown.selected == "sess_3"


async def test_what_was_not_advertised_says_why_when_its_key_is_pressed(show: Any, journal: Journal) -> None:
    async with show(lacks=["fork_session"]) as shown:
        await shown.play("Session number 0", ["f"], "fork: the agent did not advertise sessionCapabilities.fork")
        assert not journal("fork_session")


async def test_a_wide_screen_previews_what_is_known_of_the_selected_session(show: Any) -> None:
    async with show(LARGE) as shown:
        await shown.play("Enter: open the session and show its conversation.", ["enter"], "an old answer", ["escape"])
        await shown.until("the end of 2 entries")
        assert "an old question" in shown.text


async def test_a_small_screen_shows_the_reasons_on_demand(show: Any) -> None:
    async with show(lacks=["load_session", "resume_session"]) as shown:
        await shown.play("Session number 0", ["question_mark"], "or sessionCapabilities.resume", ["escape"])


async def test_an_agent_without_a_list_still_takes_new_sessions(show: Any) -> None:
    async with show(lacks=["list_sessions"]) as shown:
        await shown.play(
            "No list: the agent did not advertise session/list.", ["n", "enter"], "Your prompt", ["escape"]
        )
        await shown.until("(no title) new_")
        assert shown.selected == "new_3"


async def test_a_deletion_is_marked_and_undone(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await shown.play("Session number 0", ["d"], "deleting 'Session number 0' in 60 s; u: undo", ["u"])
        await shown.until("undone, nothing was deleted")
        assert shown.selected == "sess_0"
    assert not journal("delete_session")


async def test_the_directory_filter_asks_the_agent(show: Any) -> None:
    async with show(sessions=6, two_directories=True) as shown:
        await shown.play("Session number 5", ["down", "g", "enter"], lambda: len(shown.browser.shown) == 3)
        await shown.until("3 sessions  in /srv/project1")


async def test_a_session_shows_its_history_and_streams_an_answer(show: Any) -> None:
    async with show() as shown:
        await shown.play("Session number 0", ["enter"], "an old answer")
        await shown.send("hello there")
        await shown.until("You said: hello there")


async def test_enter_alone_never_allows_anything(show: Any, journal: Journal) -> None:
    async with show(LARGE) as shown:
        await entered(shown, "work")
        await shown.until("Yes, edit it")
        assert "+ print('hello')" in shown.text
        await shown.press("enter", "enter")
        assert not journal("answer")
        await shown.play(["down", "enter"], "All done.")
    assert journal("answer")[0]["outcome"]["optionId"] == "yes"


async def test_escape_answers_a_permission_with_cancelled(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown, "work")
        await shown.play("No, leave it", ["escape"], "All done.")
    assert journal("answer")[0]["outcome"] == {"outcome": "cancelled"}


async def test_a_running_turn_is_cancelled_and_goes_on_behind_the_list(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown, "wait")
        await shown.play("waiting for you to cancel", ["escape"], "▶ Session number 0", ["enter"], "working …")
        await shown.play(["ctrl+c"], "the turn ended: cancelled")
    assert journal("cancel")


@pytest.mark.environment
async def test_modes_and_options_are_shown_and_set(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown)
        await shown.play(["f2"], "Code", ["down", "enter"], "set: mode", ["f3"], "Loud: on", ["down", "enter"], "off")
        await shown.play(["down", "enter"], "set: Loud")
    assert (journal("set_session_mode")[0]["mode"], journal("set_session_config_option")[0]["value"]) == ("code", False)


async def test_a_login_is_offered_and_what_wanted_it_goes_on(show: Any) -> None:
    async with show(auth=True) as shown:
        await shown.play("API key", ["down", "enter"], "Session number 0")


async def test_an_agent_that_dies_leaves_a_screen_that_says_so(show: Any) -> None:
    async with show(die="load_session") as shown:
        await shown.play("Session number 0", ["enter"], "the agent has exited: python", ["n"], ["l"])
        await shown.play("last words on stderr red", ["escape"])


async def test_an_answer_that_does_not_come_leaves_the_keys_alive(show: Any) -> None:
    async with show(hang="load_session") as shown:
        await shown.play("Session number 0", ["enter"], "waiting for the agent: session/load", ["down"])
        await shown.until(lambda: shown.selected == "sess_1")


@pytest.mark.parametrize("size", [SMALL, (20, 5)])
async def test_hostile_text_garbles_nothing(show: Any, size: tuple[int, int]) -> None:
    async with show(
        size, titles=[HOSTILE, None, "x" * 10_000, ""], cwd=f"/{HOSTILE}", history=[HOSTILE, HOSTILE]
    ) as shown:
        await shown.until(lambda: shown.browser.shown)
        check(shown.lines, size)
        await shown.play(["enter"], lambda: shown.app.screen.query(TextArea))
        await shown.send("hostile")
        await shown.until("survived")
        check(shown.lines, size)


def check(lines: list[str], size: tuple[int, int]) -> None:
    width, height = size
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}
    assert all(line.isprintable() for line in lines)


@pytest.mark.environment
async def test_ten_thousand_sessions_in_one_page_scroll_to_the_end(show: Any) -> None:
    async with show(sessions=10_000, page=10_000) as shown:
        await shown.play("10,000 sessions", ["end"], "Session number 9999")
        check(shown.lines, SMALL)


@pytest.mark.environment
@pytest.mark.slow
async def test_a_flood_of_updates_ends_at_its_end(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "flood")
        await shown.until("end of the flood")


# In a session


async def test_text_that_grows_while_it_is_laid_out_is_drawn_to_its_end(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "hello")
        await shown.until(lambda: shown.app.screen.query(MessageView))
        view = next(view for view in shown.app.screen.query(MessageView) if view.entry.kind == "user_message_chunk")

        def say(text: str) -> None:
            view.entry.source.items.append(acp.TextContent(text=text))
            view.entry.revision += 1
            view.look()

        text = view.query_one(".text")
        say("line\n" * 100)
        await shown.until(lambda: text.size.height > 99)
        say("more\n" * 100)
        while text._layout_required:  # noqa: ASYNC110 (until its own task has seen the change)
            await asyncio.sleep(0)
        say("more\n" * 100)
        shown.app.screen._refresh_layout()  # a timer does so on a busy machine, before that task runs again
        say("more\n" * 100 + "the end")
        await shown.until("the end")


async def entered(shown: Shown, prompt: str = "") -> None:
    """Open the first session, and send a prompt."""
    await shown.play("Session number 0", ["enter"], "Your prompt")
    if prompt:
        await shown.send(prompt)


@pytest.mark.environment
async def test_markdown_is_drawn_and_hides_neither_html_nor_where_a_link_leads(show: Any) -> None:
    async with show(LARGE) as shown:
        await entered(shown, "markdown")
        await shown.until("<b>HTML</b> stays text.")
        assert "(https://docs.python.org/3/library/functions.html#sum)" in shown.text
        assert "## What" not in shown.text
        assert "**one too early**" not in shown.text
        assert "Plan 1/3" in shown.text
        assert "test_20 PASSED" not in shown.text, "the output of a call that is done is folded"
        await shown.play(["tab", "k", "enter"], "test_20 PASSED", ["slash", *"early", "enter"], "found 'early'")
        await shown.play(["escape", "escape"], "Enter open")
        assert "found 'early'" not in shown.text, "its keys are those of the conversation"


async def test_a_question_shows_what_would_run_and_a_key_answers_it(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown, "danger")
        await shown.play("rm -rf ~/work && echo done", ["R"], "permission for bash: Never")
    assert journal("answer")[0]["outcome"] == {"outcome": "selected", "optionId": "reject_always"}


async def test_who_types_as_a_question_appears_does_not_answer_it(
    show: Any, journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with show() as shown:
        monkeypatch.setattr(Permission, "ASLEEP", 3_600)
        await entered(shown, "danger")
        await shown.play("rm -rf", ["a", "A", "r", "enter"])
        await shown.pilot.pause(0.1)
        assert not journal("answer")
        await shown.play(["escape"], "permission for bash: cancelled")


async def test_an_error_of_a_turn_stays_in_the_conversation(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "fail")
        await shown.until("─ the turn failed: Internal error: out of credits (-32603)")
        await shown.send("hello")
        await shown.until("You said: hello")
        assert shown.text.count("─ the turn failed") == 1


@pytest.mark.environment
async def test_an_agent_that_can_neither_load_nor_resume_does_not_lock_its_user_out(show: Any) -> None:
    async with show(lacks=["load_session", "resume_session", "list_sessions"]) as shown:
        await shown.play("No list", ["n", "enter"], "Your prompt")
        await shown.send("wait")
        await shown.play("waiting for you to cancel", ["escape"], "▶ (no title)", ["enter"])
        await shown.play("waiting for you to cancel", ["ctrl+c"], "the turn ended: cancelled")


async def test_quitting_asks_before_it_ends_a_turn_or_deletes(show: Any, journal: Journal) -> None:
    async with show(undo=600) as shown:
        await entered(shown, "wait")
        await shown.play("waiting for you to cancel", ["ctrl+q"], "a turn runs in 'Session number 0'")
        await shown.play(["escape", "escape"], "▶ Session number 0", ["down", "d", "q"])
        await shown.play("'Session number 1' will be deleted", ["k"], lambda: not shown.app.is_running)
    assert not journal("delete_session")


@pytest.mark.environment
async def test_slash_commands_complete_and_a_draft_survives(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "markdown")
        await shown.play("commands of this agent: /review /compact", ["slash", "c"], "/compact   Summarise", ["tab"])
        await shown.play(lambda: shown.app.screen.query_one(TextArea).text == "/compact ", ["escape", "enter"])
        await shown.until(lambda: shown.app.screen.query(TextArea))
        assert shown.app.screen.query_one(TextArea).text == "/compact "


async def test_letters_find_sessions_and_escape_shows_all(show: Any) -> None:
    async with show(titles=["Fix the login", "Port the parser", "Explain billing"]) as shown:
        await shown.play("Explain billing", ["slash", *"prsr", "enter"], "1 of 3 sessions")
        assert shown.selected == "sess_1"
        await shown.play(["escape", "s", "s"], "3 sessions  by title")
        assert "Explain billing" in shown.lines[1]


async def test_all_pages_are_loaded_on_one_key(show: Any) -> None:
    async with show(sessions=8, page=2) as shown:
        await shown.play("2+ sessions", ["M"], "all 8 sessions are loaded")


async def test_the_palette_has_the_actions_and_the_themes(show: Any) -> None:
    async with show() as shown:
        await shown.play("Session number 0", ["ctrl+p"], "Copy its id", [*"theme", "enter"], "Search for themes")
        await shown.play([*"nord", "enter"], lambda: shown.app.theme == "nord")


async def test_a_double_click_opens(show: Any) -> None:
    async with show() as shown:
        await shown.until("Session number 2")
        await shown.pilot.click(SessionList, offset=(5, 1), times=2)
        await shown.until("an old answer")


@pytest.mark.environment
async def test_an_agent_that_died_is_started_again_with_its_sessions(show: Any) -> None:
    async with show(process=True) as shown:
        await entered(shown, "die")
        await shown.play("the turn failed: python", "^R: start it again", ["ctrl+r"], "1 of 1 sessions were reopened")
        await shown.send("hello")
        await shown.until("You said: hello")
        assert shown.browser.judge.found == 0


# The wire


@pytest.mark.environment
async def test_a_frame_that_does_not_fit_is_found_as_it_comes(show: Any) -> None:
    async with show(LARGE) as shown:
        await entered(shown, "wrong")
        await shown.play("that was wrong", "⚠ 1 on the wire", ["f9"], "; 1 finding", ["e"], "error[params-invalid]")
        assert '"type": "text"' in shown.text
        await shown.play(["x", "slash", *"prompt", "enter"], "2 of ", ["end", "r"], "is answered by frame")
        await shown.play(["escape", "escape"], "Your prompt")


@pytest.mark.environment
async def test_a_message_leads_to_its_frames(show: Any) -> None:
    async with show() as shown:
        await entered(shown)
        await shown.play("an old answer", ["tab", "k", "w"], "1 of ")
        assert "user_message_chunk" in shown.text


async def test_a_wide_screen_shows_the_wire_beside_the_conversation(show: Any) -> None:
    async with show((160, 30)) as shown:
        await entered(shown, "hello")
        await shown.play("You said: hello", ["f9"], "session/prompt ✓")
        assert "You said: hello" in shown.text


async def test_a_transcript_is_stepped_through(tmp_path: Any) -> None:
    tape = Tape()
    wire = Wire()
    wire.tape = tape
    tape.hears.append(wire.story.take)
    wire.ask("session/prompt", sessionId="s", prompt=[{"type": "text", "text": "my question"}])
    wire.tell(said("first "), said("second"))
    app = ReplayApp("t.jsonl", tape)
    async with app.run_test(size=LARGE) as pilot:
        shown = Shown(app, pilot, None)
        await shown.play("frame 1 of 3", ["j", "j"], "first second", ["k"], "frame 2 of 3")
        await shown.play(lambda: "second" not in shown.text, ["home"], lambda: "first" not in shown.text)
        assert "my question" in shown.text
        await shown.until("warning[handshake-missing]")  # nothing opened this connection
        await shown.press("q")


async def test_what_frames_are_can_be_read_in_80_columns() -> None:
    tape = Tape()
    wire = Wire()
    wire.tape = tape
    wire.call("session/set_config_option", {}, sessionId="s", configId="c", value="v")
    wire.tell(said("a word"))
    async with ReplayApp("t.jsonl", tape).run_test(size=SMALL) as pilot:
        shown = Shown(pilot.app, pilot, None)
        await shown.until("session/set_config_option  #0")
        await shown.until("session/update · agent_mess")


@pytest.mark.environment
async def test_two_agents_get_the_same_prompt(start: Start) -> None:
    async with start() as left, start(sessions=1) as right:
        app = BrowserApp(left, right)
        async with app.run_test(size=LARGE) as pilot:
            shown = Shown(app, pilot, left)
            await shown.play("  Ask", lambda: all(browser.open for browser in (left, right)))
            await shown.send("hello")
            await shown.play(lambda: shown.text.count("You said: hello") == 2, ["f10"], "Frames: Fake agent")
            await shown.press("escape", "ctrl+q")
