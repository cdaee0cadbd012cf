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

from examples.session_browser.browser import Browser
from examples.session_browser.screens.app import BrowserApp
from examples.session_browser.screens.views import SessionList

from .conftest import TIMEOUT, Journal, Start
from .fake_agent import HOSTILE

SMALL, LARGE = (80, 24), (120, 40)


class Shown:
    """A running program: what it shows, and its keys."""

    def __init__(self, app: BrowserApp, pilot: Pilot[None], browser: Browser) -> None:
        self.app, self.pilot, self.browser = app, pilot, browser

    @property
    def lines(self) -> list[str]:
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        self.app.screen.query_one(TextArea).insert(text)

    async def until(self, what: str | Callable[[], Any]) -> None:
        try:
            async with asyncio.timeout(TIMEOUT / 2):
                while not (what in self.text if isinstance(what, str) else what()):
                    await self.pilot.pause(0.03)
        except TimeoutError:
            pytest.fail(f"never came: {what}, but this:\n{self.text}")

    @property
    def selected(self) -> str | None:
        info = self.app.screen.query_one(SessionList).selected
        return info.session_id if info else None


@pytest.fixture
def show(start: Start) -> Callable[..., Any]:
    """The screen, on an agent in a mood."""

    @asynccontextmanager
    async def showing(size: tuple[int, int] = SMALL, **mood: Any) -> AsyncGenerator[Shown, None]:
        async with start(**mood) as browser:
            app = BrowserApp(browser)
            async with app.run_test(size=size) as pilot:
                yield Shown(app, pilot, browser)

    return showing


async def test_the_list_shows_titles_directories_and_keys(show: Any) -> None:
    async with show(sessions=5) as shown:
        await shown.until("Session number 4")
        assert "/srv/project" in shown.text
        assert "── the end ──" in shown.text
        for hint in ("Enter open", "n new", "/ directory", "d delete", "q quit"):
            assert hint in shown.text


async def test_going_beyond_the_last_row_reads_the_next_page(show: Any, journal: Journal) -> None:
    async with show(sessions=8, page=5) as shown:
        await shown.until("── more: ↓ or m ──")
        await shown.press("end", "down")
        await shown.until("Session number 7")
        assert len(journal("list_sessions")) == 2


async def test_a_selected_session_stays_selected_while_others_come_and_go(show: Any) -> None:
    async with show(sessions=6) as shown:
        await shown.until("Session number 5")
        await shown.press("down", "down", "down")
        await shown.browser.connection.delete_session(session_id="sess_0")
        await shown.browser.connection.new_session(cwd="/srv/other", mcp_servers=[])
        await shown.press("r")
        await shown.until("/srv/other")
        assert shown.selected == "sess_3"


async def test_what_was_not_advertised_says_why_when_its_key_is_pressed(show: Any, journal: Journal) -> None:
    async with show(lacks=["fork_session"]) as shown:
        await shown.until("Session number 0")
        await shown.press("f")
        await shown.until("fork: the agent did not advertise sessionCapabilities.fork")
        assert not journal("fork_session")


async def test_a_wide_screen_shows_the_reasons_all_the_time(show: Any) -> None:
    async with show(LARGE, lacks=["fork_session", "close_session"]) as shown:
        await shown.until("sessionCapabilities.fork")
        assert "sessionCapabilities.close" in shown.text


async def test_a_small_screen_shows_the_reasons_on_demand(show: Any) -> None:
    async with show(lacks=["load_session", "resume_session"]) as shown:
        await shown.until("Session number 0")
        await shown.press("question_mark")
        await shown.until("the agent did not advertise loadSession or")
        await shown.press("escape")


async def test_an_agent_without_a_list_still_takes_new_sessions(show: Any) -> None:
    async with show(lacks=["list_sessions"]) as shown:
        await shown.until("No list: the agent did not advertise it.")
        await shown.press("n", "enter")
        await shown.until("Your prompt")
        await shown.press("escape")
        await shown.until("(no title) new_")
        assert shown.selected == "new_3"


async def test_a_deletion_is_marked_and_undone(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("d")
        await shown.until("it will be deleted in 60 s; u takes it back")
        await shown.press("u")
        await shown.until("taken back, nothing was deleted")
        assert shown.selected == "sess_0"
    assert not journal("delete_session")


async def test_the_directory_filter_asks_the_agent(show: Any) -> None:
    async with show(sessions=6, two_directories=True) as shown:
        await shown.until("Session number 5")
        await shown.press("down", "slash", "enter")
        await shown.until(lambda: len(shown.browser.shown) == 3)
        await shown.until("3 sessions  in /srv/project1")


async def test_a_session_shows_its_history_and_streams_an_answer(show: Any) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("an old answer")
        await shown.type("hello there")
        await shown.press("enter")
        await shown.until("You said: hello there")


async def test_enter_alone_never_allows_anything(show: Any, journal: Journal) -> None:
    async with show(LARGE) as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.type("work")
        await shown.press("enter")
        await shown.until("Yes, edit it")
        assert "+print('hello')" in shown.text
        await shown.press("enter", "enter")
        assert not journal("answer")
        await shown.press("down", "enter")
        await shown.until("All done.")
    assert journal("answer")[0]["outcome"]["optionId"] == "yes"


async def test_escape_answers_a_permission_with_cancelled(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.type("work")
        await shown.press("enter")
        await shown.until("No, leave it")
        await shown.press("escape")
        await shown.until("All done.")
    assert journal("answer")[0]["outcome"] == {"outcome": "cancelled"}


async def test_a_running_turn_is_cancelled_and_goes_on_behind_the_list(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.type("wait")
        await shown.press("enter")
        await shown.until("waiting for you to cancel")
        await shown.press("escape")
        await shown.until("▶ Session number 0")
        await shown.press("enter")
        await shown.until("working …")
        await shown.press("ctrl+c")
        await shown.until("the turn ended: cancelled")
    assert journal("cancel")


async def test_modes_and_options_are_shown_and_set(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.press("f2")
        await shown.until("Code")
        await shown.press("down", "enter")
        await shown.until("set: mode")
        await shown.press("f3")
        await shown.until("Loud: on")
        await shown.press("down", "enter")
        await shown.until("off")
        await shown.press("down", "enter")
        await shown.until("set: Loud")
    assert (journal("set_session_mode")[0]["mode"], journal("set_session_config_option")[0]["value"]) == ("code", False)


async def test_a_login_is_offered_and_what_wanted_it_goes_on(show: Any) -> None:
    async with show(auth=True) as shown:
        await shown.until("API key")
        await shown.press("down", "enter")
        await shown.until("Session number 0")


async def test_an_agent_that_dies_leaves_a_screen_that_says_so(show: Any) -> None:
    async with show(die="load_session") as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("the agent is gone: python")
        await shown.press("n")
        await shown.press("l")
        await shown.until("last words on stderr red")
        await shown.press("escape")


async def test_an_answer_that_does_not_come_leaves_the_keys_alive(show: Any) -> None:
    async with show(hang="load_session") as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("waiting for the agent: session/load")
        await shown.press("down")
        await shown.until(lambda: shown.selected == "sess_1")


@pytest.mark.parametrize("size", [SMALL, LARGE, (40, 12)])
async def test_hostile_text_garbles_nothing(show: Any, size: tuple[int, int]) -> None:
    async with show(size, titles=[HOSTILE, None, "x" * 10_000, ""], cwd=HOSTILE, history=[HOSTILE, HOSTILE]) as shown:
        await shown.until("(no title)")
        check(shown.lines, size)
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.type("hostile")
        await shown.press("enter")
        await shown.until("survived")
        check(shown.lines, size)


def check(lines: list[str], size: tuple[int, int]) -> None:
    width, height = size
    assert len(lines) == height
    assert {cell_len(line) for line in lines} == {width}
    assert all(line.isprintable() for line in lines)


async def test_ten_thousand_sessions_in_one_page_scroll_to_the_end(show: Any) -> None:
    async with show(sessions=10_000, page=10_000) as shown:
        await shown.until("10,000 sessions")
        await shown.press("end")
        await shown.until("Session number 9999")
        check(shown.lines, SMALL)


async def test_a_flood_of_updates_ends_at_its_end(show: Any) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("Your prompt")
        await shown.type("flood")
        await shown.press("enter")
        await shown.until("end of the flood")


async def test_resizing_wraps_anew(show: Any) -> None:
    async with show(history=["q", "word " * 100]) as shown:
        await shown.until("Session number 0")
        await shown.press("enter")
        await shown.until("word word")
        await shown.pilot.resize_terminal(50, 20)
        await shown.until(lambda: len(shown.lines) == 20)
        check(shown.lines, (50, 20))
