"""The program as its user has it: in a terminal, on keys, to its end."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from .conftest import Journal
from .fake_agent import HOSTILE
from .terminal import ROOT, Terminal

Command = Callable[..., list[str]]


def browse(agent: list[str], *options: str) -> list[str]:
    return [sys.executable, "-m", "acp_tools.browse", *options, "--", *agent]


@pytest.mark.slow
def test_from_the_list_through_a_conversation_to_the_end(command: Command, journal: Journal) -> None:
    with Terminal(browse(command(sessions=8, page=5))) as terminal:
        terminal.play("── more: ↓ or m, M", ["end", "down"], "8 sessions", ["enter"], "an old answer")
        terminal.play(["work", "enter"], "Yes, edit it", ["down", "enter"], "All done.", ["wait", "enter"])
        terminal.play("waiting for you to cancel", ["ctrl+c"], "the turn ended: cancelled", ["escape"])
        terminal.play("● Session number 4", ["f"], "fork_1", ["escape"], "The fork", "9 sessions", ["d"])
        terminal.play("deleting 'The fork' in", ["q"], "'The fork' will be deleted", ["d"])
        assert terminal.end() == 0
    assert journal("answer")[0]["outcome"] == {"outcome": "selected", "optionId": "yes"}
    assert journal("cancel")
    assert len(journal("delete_session")) == 1, "what waits to be deleted is deleted at the end"


@pytest.mark.slow
def test_a_terminal_that_is_gone_takes_the_program_with_it(command: Command) -> None:
    with Terminal(browse(command(sessions=8, page=5))) as terminal:
        terminal.until("── more: ↓ or m, M")
        terminal.hang_up()
        assert terminal.process.wait() is not None


@pytest.mark.environment
@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(40, 120)])
def test_hostile_text_leaves_the_frame_where_it_is(command: Command, rows: int, columns: int) -> None:
    agent = command(titles=[HOSTILE, "an honest title"], history=[HOSTILE, HOSTILE], junk=True, chatty=True)
    with Terminal(browse(agent), rows, columns) as terminal:
        terminal.until(lambda lines: lines[0].startswith(" Fake agent 1.0   2 sessions"))
        terminal.until(lambda lines: lines[2].startswith("  an honest title"))
        terminal.until(lambda lines: "? all keys" in "".join(lines[-2:]))
        assert "chatter" not in "".join(terminal.lines)
        terminal.play(["enter"], "Your prompt", ["hostile", "enter"], "survived")
        terminal.play(lambda lines: "? all keys" in "".join(lines[-2:]), "─" * columns)


def test_an_agent_that_dies_ends_in_exit_code_1_and_its_last_words(command: Command) -> None:
    with Terminal(browse(command(die="load_session"))) as terminal:
        terminal.play("Session number 0", ["enter"], "exited with code 3", ["q"])
        assert terminal.end() == 1
        left = "\n".join(terminal.lines)
        assert "exited with code 3" in left
        assert "last words on stderr red" in left


def test_a_program_that_is_told_to_end_gives_the_terminal_back_and_deletes_nothing(
    command: Command, journal: Journal
) -> None:
    with Terminal(browse(command())) as terminal:
        terminal.play("Session number 0", ["d"], "u: undo")
        terminal.process.terminate()
        assert terminal.end() == 1
        assert b"\x1b[?1049l" in terminal.raw, "back to the screen that was there before"
        assert b"acp-browse: not deleted: Session number 0: the program was ended by a signal" in terminal.raw
    assert not journal("delete_session")


@pytest.mark.environment
def test_the_window_can_be_resized(command: Command) -> None:
    with Terminal(browse(command(sessions=50))) as terminal:
        terminal.until("Session number 0")
        terminal.resize(30, 100)
        terminal.until(lambda lines: "? all keys" in "".join(lines[-2:]) and "Session number 20" in "".join(lines))
        terminal.resize(12, 40)
        # So low a window has no room for the keys, nor for the details of a session.
        terminal.until(lambda lines: "Session number 9" in lines[10] and "? all keys" not in "".join(lines))


@pytest.mark.environment
@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "examples" / "session_agent").is_dir(), reason="the reference agent is not here")
def test_the_reference_agent_offers_all_but_few(tmp_path: Path) -> None:
    agent = [sys.executable, "-m", "examples.session_agent", "--store", str(tmp_path / "sessions.db")]
    with Terminal(browse(agent, "--cwd", str(tmp_path)), 40, 120) as terminal:
        terminal.play("No sessions. n starts one.", ["n"], "A new session in which directory?", ["enter"])
        terminal.play("Your prompt", ["a prompt of mine", "enter"], "The agent asks", ["escape"])
        terminal.play("permission for Write NOTES.md: cancelled", ["escape"], "1 session  in", "a prompt of mine")
        terminal.press("q")
        assert terminal.end() == 0
