"""The keys at the bottom of every screen, all keys on `?`, and what is answered where nothing can be done."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widget import Widget
from textual.widgets import Input

from acp_tools.browse.model.frames import Tape
from acp_tools.browse.screens.app import BrowserApp
from acp_tools.browse.screens.conversation import Conversation
from acp_tools.browse.screens.frames import WirePane
from acp_tools.browse.screens.replay import ReplayApp
from acp_tools.browse.screens.virtual_list import SessionList

from .conftest import Journal, Start
from .test_screens import LARGE, SMALL, Shown, entered, show
from .test_story import Wire, said

__all__ = ["show"]

CONTENT = 18
"""Lines of 24 that show content, at least."""


def footer(shown: Shown) -> list[str]:
    """The keys at the bottom."""
    return [each for each in shown.lines[-1].strip().split("  ") if each]


def lines(shown: Shown, kind: type[Widget]) -> int:
    """The lines of a widget."""
    return shown.app.screen.query_one(kind).size.height


async def check(shown: Shown, help_key: str = "question_mark") -> None:
    """The footer has at most five keys on one line; the help lists more than the footer does."""
    keys = footer(shown)
    assert 3 <= len(keys) <= 5
    assert keys[-1] == "? all keys"
    await shown.play([help_key], "PgUp PgDn: scroll   Esc: back")
    for key in keys[:-1]:
        assert key.split()[0] in shown.text
    await shown.play(["escape"], lambda: footer(shown) == keys)


async def test_five_keys_and_eighteen_lines_on_every_screen(show: Any) -> None:
    async with show() as shown:
        await shown.until("Session number 0")
        await check(shown)
        assert lines(shown, SessionList) >= CONTENT
        await entered(shown, "markdown")
        await shown.until("Plan 1/3  ◐ Mend the loop")
        await check(shown)
        assert lines(shown, Conversation) >= CONTENT, "with a plan"
        await shown.press("tab")
        await check(shown)
        await shown.play(["f9"], "Frames: Fake agent")
        await check(shown)
        pane = shown.app.screen.query_one(WirePane)
        assert pane.rows.size.height + pane.query_one("#frame").size.height >= CONTENT


@pytest.mark.environment
async def test_five_keys_and_eighteen_lines_where_two_agents_are_compared(start: Start) -> None:
    async with start() as left, start() as right:
        app = BrowserApp(left, right)
        async with app.run_test(size=SMALL) as pilot:
            shown = Shown(app, pilot, left)
            await shown.until(lambda: all(browser.open for browser in (left, right)))
            await check(shown)
            assert app.screen.query(Conversation).first().size.height >= CONTENT


async def test_a_recording_has_five_keys_and_finds_text(tmp_path: Path) -> None:
    tape = Tape()
    wire = Wire()
    wire.tape = tape
    wire.tell(said("first "), said("second"))
    app = ReplayApp("t.jsonl", tape)
    async with app.run_test(size=SMALL, notifications=True) as pilot:
        shown = Shown(app, pilot, None)
        await shown.until("frame 1 of 2")
        await check(shown)
        await shown.press("b")
        assert not app.screen.query(Input).last().has_focus, "nothing can be held in a recording"
        await shown.press("j", "tab", "slash", *"nowhere", "enter")
        await shown.notified("nothing here contains 'nowhere'")


async def test_a_question_mark_in_a_prompt_is_text(show: Any) -> None:
    async with show() as shown:
        await entered(shown)
        await shown.play(["w", "h", "y", "question_mark"], "why?")


async def test_what_is_urgent_is_among_the_five(show: Any) -> None:
    async with show() as shown:
        await shown.play("Session number 0", ["d"], lambda: "u undo" in footer(shown), ["u", "down"])
        await entered(shown, "wait")
        await shown.play(lambda: footer(shown)[0] == "^C cancel turn", ["ctrl+c"])
        await shown.until(lambda: footer(shown)[0] == "Enter send")


async def test_frames_are_shown_while_a_permission_is_pending(show: Any, journal: Journal) -> None:
    async with show() as shown:
        await entered(shown, "danger")
        await shown.play("rm -rf", ["f9"], "Frames: Fake agent")
        assert "session/request_permission" in shown.text
        await shown.play(["escape"], "↑↓ Enter, or the option's key: answer", ["question_mark"], "none is preselected")
        await shown.play(["escape", "r"], "permission for bash: No")
    assert journal("answer")[0]["outcome"]["outcome"] == "selected"


async def test_a_permission_that_is_withdrawn_behind_the_frames_is_taken_down(show: Any) -> None:
    async with show() as shown:
        await entered(shown, "danger")
        await shown.play("rm -rf", ["f9"], "Frames: Fake agent")
        shown.browser.asks.withdraw()
        await shown.play(["escape"], "permission for bash: cancelled")


async def test_a_search_without_results_says_so(show: Any) -> None:
    async with show(sessions=8, page=5) as shown:
        await shown.play("Session number 4", ["slash", *"zzz"])
        await shown.play("No loaded session matches 'zzz'; Esc: show all, m loads more", ["escape"])
        await entered(shown)
        await shown.play(["f9", "slash", *"zzz", "enter"], "no frame matches; x: show all", ["x", "E"])
        await shown.notified("next finding: no frame in this list has findings")


@pytest.mark.parametrize("key", ["n", "g"])
async def test_a_directory_that_does_not_exist_is_rejected(
    show: Any, journal: Journal, tmp_path: Path, key: str
) -> None:
    async with show(LARGE) as shown:
        await shown.until("Session number 0")
        asked = len(journal("list_sessions"))
        await shown.play([key], "Enter: OK")
        field = shown.app.screen.query_one(Input)
        field.value = str(tmp_path / "nothing")
        await shown.play(["enter"], "no such directory")
        assert not journal("new_session")
        assert len(journal("list_sessions")) == asked
        field.value = str(tmp_path)
        await shown.press("enter")
        await shown.until(lambda: len(journal("new_session" if key == "n" else "list_sessions")) > (key == "g") * asked)


async def test_the_directories_of_another_machine_are_not_looked_for_here(show: Any, journal: Journal) -> None:
    async with show() as shown:
        shown.browser.local = False
        await shown.play("Session number 0", ["n", "enter"], "Your prompt")
    assert journal("new_session")[0]["cwd"] == "/srv/project"
