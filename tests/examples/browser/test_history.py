"""A conversation, told by updates."""

from __future__ import annotations

from typing import Any

from examples import acp
from examples.session_browser.history import (
    CHARACTERS,
    ENTRIES,
    PIECE,
    History,
    Message,
    Note,
    PlanEntry,
    TerminalView,
    ToolEntry,
)
from examples.session_browser.paint import entry


def text(words: str) -> acp.TextContent:
    return acp.TextContent(text=words)


def agent(words: str, message_id: str | None = None) -> acp.AgentMessageChunk:
    return acp.AgentMessageChunk(content=text(words), message_id=message_id or acp.UNSET)


def told(*updates: Any) -> History:
    history = History()
    for update in updates:
        history.apply(update)
    return history


def test_pieces_of_a_message_run_together() -> None:
    assert told(agent("Hel"), agent("lo")).entries == [Message("agent", "Hello")]


def test_another_id_is_another_message() -> None:
    assert len(told(agent("one", "1"), agent("two", "2")).entries) == 2


def test_a_thought_between_two_pieces_parts_them() -> None:
    history = told(agent("a"), acp.AgentThoughtChunk(content=text("hmm")), agent("b"))
    assert [item.role for item in history.entries if isinstance(item, Message)] == ["agent", "thought", "agent"]


def test_an_echoed_prompt_stands_there_once() -> None:
    history = History()
    history.ask("hello")
    for piece in ("hel", "lo"):
        history.apply(acp.UserMessageChunk(content=text(piece)))
    assert history.entries == [Message("user", "hello")]


def test_a_tool_call_keeps_what_its_update_leaves_out() -> None:
    history = told(
        acp.ToolCall(tool_call_id="1", title="Edit", kind="edit", content=[acp.Content(content=text("out"))]),
        agent("meanwhile"),
        acp.SessionUpdateToolCallUpdate(tool_call_id="1", status="completed", title=None),
    )
    call = history.entries[0]
    assert isinstance(call, ToolEntry)
    assert (call.title, call.status, len(call.content)) == ("Edit", "completed", 1)


def test_the_update_of_an_unknown_tool_call_makes_one() -> None:
    assert len(told(acp.SessionUpdateToolCallUpdate(tool_call_id="1", status="failed")).entries) == 1


def test_a_terminal_shows_in_the_tool_call_that_holds_it() -> None:
    history = told(acp.ToolCall(tool_call_id="1", title="Run", content=[acp.Terminal(terminal_id="t")]))
    before = history.entries[0]
    history.show_terminal("t", TerminalView("some output", "exit code 0"))
    assert history.entries[0] is not before
    assert "some output" in entry(history.entries[0]).plain


def test_a_plan_changes_in_place_until_the_next_turn() -> None:
    step = acp.PlanEntry(content="Look", priority="high", status="pending")
    history = told(acp.Plan(entries=[step]), agent("a"), acp.Plan(entries=[step, step]))
    assert [len(item.steps) for item in history.entries if isinstance(item, PlanEntry)] == [2]
    history.ask("go on")
    history.apply(acp.Plan(entries=[step]))
    assert len([item for item in history.entries if isinstance(item, PlanEntry)]) == 2


def test_an_update_of_an_unknown_kind_is_noted() -> None:
    update = acp.from_dict(acp.SessionNotification, {"sessionId": "s", "update": {"sessionUpdate": "telepathy"}}).update
    assert told(update).entries == [Note("an update that this program does not know: telepathy")]


def test_an_endless_history_keeps_its_end() -> None:
    history = told(*(agent(str(number), str(number)) for number in range(ENTRIES + 10)))
    assert (len(history.entries), history.dropped) == (ENTRIES, 10)


def test_a_long_message_is_kept_in_pieces_none_of_it_lost() -> None:
    said = [f"word{number} " for number in range(10_000)]
    pieces = [item for item in told(*map(agent, said)).entries if isinstance(item, Message)]
    assert "".join(piece.text for piece in pieces) == "".join(said)
    assert max(len(piece.text) for piece in pieces) <= PIECE
    assert [piece.continues for piece in pieces] == [False, *[True] * (len(pieces) - 1)]
    assert "".join(entry(piece).plain for piece in pieces).count("Agent") == 1


def test_one_huge_chunk_without_a_place_to_cut_is_cut() -> None:
    assert [len(item.text) for item in told(agent("x" * 25_000)).entries if isinstance(item, Message)] == [
        PIECE,
        PIECE,
        5_000,
    ]


def test_an_endless_message_keeps_its_end() -> None:
    history = told(*(agent("x" * PIECE) for _ in range(CHARACTERS // PIECE + 7)))
    assert (len(history.entries), history.dropped) == (CHARACTERS // PIECE, 7)


def test_a_tool_call_is_found_again_whatever_was_dropped_before_it() -> None:
    plan = acp.PlanUpdate(plan=acp.PlanMarkdown(plan_id="p", content="text"))
    calls = [acp.ToolCall(tool_call_id=str(number), title="t") for number in range(ENTRIES + 10)]
    last = acp.SessionUpdateToolCallUpdate(tool_call_id=str(ENTRIES + 9), status="completed")
    history = told(plan, *calls, agent("x"), acp.PlanRemoved(plan_id="p"), last)
    assert [item.call_id for item in history.entries if isinstance(item, ToolEntry) and item.status == "completed"] == [
        str(ENTRIES + 9)
    ]
    assert history.tool_call("3") is None


def test_a_plan_that_is_removed_leaves_the_tool_calls_where_they_are_found() -> None:
    plan = acp.PlanUpdate(plan=acp.PlanMarkdown(plan_id="p", content="text"))
    call = acp.ToolCall(tool_call_id="1", title="t")
    done = acp.SessionUpdateToolCallUpdate(tool_call_id="1", status="completed")
    assert [type(item) for item in told(plan, call, acp.PlanRemoved(plan_id="p"), done).entries] == [ToolEntry]


def test_a_difference_of_huge_files_is_only_counted() -> None:
    huge = "\n".join(map(str, range(100_000)))
    history = told(acp.ToolCall(tool_call_id="1", title="t", content=[acp.Diff(path="/f", old_text=huge, new_text="")]))
    assert "too many to compare" in entry(history.entries[0]).plain
