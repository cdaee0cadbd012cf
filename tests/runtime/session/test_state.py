"""`SessionState`: what updates mean for the state of a session, as the keywords of schema.json say it."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import generated as acp
from generated._runtime.session.streamed import Joining, Streamed
from generated.models import ToolCallProgress as ToolCallChanged
from tests.wire.instances import Instances

ROOT = Path(__file__).parents[3]
UPDATES = json.loads((ROOT / "schema.json").read_text())["$defs"]["SessionUpdate"]["oneOf"]


def said(text: str, **more: Any) -> acp.AgentMessageChunk:
    return acp.AgentMessageChunk(content=acp.TextContent(text=text), **more)


def state(*messages: Any) -> acp.SessionState:
    made = acp.SessionState()
    for message in messages:
        made.apply(message)
    return made


def texts(made: acp.SessionState) -> list[tuple[str, str]]:
    return [(message.kind, message.text) for message in made.messages]


# --- messages -----------------------------------------------------------------------------------------------------------


def test_chunks_of_one_message_are_one_entry_and_one_text() -> None:
    made = state(said("Hel"), said("lo"))
    assert texts(made) == [("agent_message_chunk", "Hello")]
    assert made.messages[0].items == [acp.TextContent(text="Hello")]


def test_chunks_with_ids_find_their_message_whatever_came_between() -> None:
    made = state(said("a", message_id="1"), said("x", message_id="2"), said("b", message_id="1"))
    assert [(m.key, m.text) for m in made.messages] == [("1", "ab"), ("2", "x")]


def test_a_thought_with_the_id_of_a_message_is_another_entry() -> None:
    thought = acp.AgentThoughtChunk(content=acp.TextContent(text="hm"), message_id="1")
    assert texts(state(said("a", message_id="1"), thought)) == [
        ("agent_message_chunk", "a"),
        ("agent_thought_chunk", "hm"),
    ]


@pytest.mark.parametrize(
    "between",
    [
        acp.ToolCall(tool_call_id="t", title="Read"),
        acp.UserMessageChunk(content=acp.TextContent(text="go on")),
        said("with an id", message_id="1"),
    ],
    ids=["a tool call", "the user", "a message with an id"],
)
def test_a_chunk_without_id_begins_a_message_where_something_came_between(between: Any) -> None:
    made = state(said("a"), between, said("b"))
    assert [m.text for m in made.messages if m.key is acp.UNSET and m.kind == "agent_message_chunk"] == ["a", "b"]


def test_the_prompt_is_a_message_of_the_user_and_parts_two_replies() -> None:
    prompt = acp.PromptRequest(session_id="s", prompt=[acp.TextContent(text="Again")])
    assert texts(state(said("One."), prompt, said("Two."))) == [
        ("agent_message_chunk", "One."),
        ("user_message_chunk", "Again"),
        ("agent_message_chunk", "Two."),
    ]


def test_items_that_are_more_than_text_stay_apart() -> None:
    image = acp.ImageContent(data="aGk=", mime_type="image/png")
    quoted = acp.TextContent(text="b", annotations=acp.Annotations(priority=1))
    made = state(said("a"), acp.AgentMessageChunk(content=image), acp.AgentMessageChunk(content=quoted), said("c"))
    assert made.messages[0].items == [acp.TextContent(text="a"), image, quoted, acp.TextContent(text="c")]
    assert made.messages[0].text == "abc"


def test_an_update_is_never_changed_by_those_that_follow() -> None:
    first, call = said("a"), acp.ToolCall(tool_call_id="t", title="Read", meta={"x": 1})
    state(first, said("b"), call, ToolCallChanged(tool_call_id="t", title="Write", meta={"y": 2}))
    assert first == said("a")
    assert call == acp.ToolCall(tool_call_id="t", title="Read", meta={"x": 1})


# --- entries with a key -------------------------------------------------------------------------------------------------


def test_a_patch_replaces_what_it_has_and_keeps_the_rest() -> None:
    made = state(
        acp.ToolCall(tool_call_id="t", title="Read", status="pending", meta={"a": 1}),
        ToolCallChanged(tool_call_id="t", status="completed", title=None, meta={"b": 2}),
    )
    expected = acp.ToolCall(tool_call_id="t", title="Read", status="completed", meta={"a": 1, "b": 2})
    assert made.tool_calls == {"t": expected}


def test_a_patch_of_what_nobody_began_begins_it() -> None:
    made = acp.SessionState()
    (change,) = made.apply(ToolCallChanged(tool_call_id="t", status="completed", meta={"a": 1}))
    assert (change.part, change.does, change.key) == ("tool_calls", "create", "t")
    assert made.tool_calls == {"t": acp.ToolCall(tool_call_id="t", title="", status="completed", meta={"a": 1})}
    assert made.timeline == [made.tool_calls["t"]]


def test_a_tool_call_that_first_appears_in_a_permission_request_is_kept() -> None:
    """Gemini CLI announces every tool call that needs a confirmation in this way."""
    asked = acp.ToolCallUpdate(tool_call_id="t", title="Write a.txt", kind="edit", status="pending")
    made = state(
        acp.RequestPermissionRequest(session_id="s", tool_call=asked, options=[]),
        ToolCallChanged(tool_call_id="t", status="completed"),
    )
    assert made.tool_calls == {
        "t": acp.ToolCall(tool_call_id="t", title="Write a.txt", kind="edit", status="completed")
    }


def test_null_clears_where_the_schema_does_not_say_otherwise() -> None:
    made = state(
        acp.SubagentUpdate(session_id="s", title="Search", cwd="/a"), acp.SubagentUpdate(session_id="s", title=None)
    )
    assert made.subagents == {"s": acp.SubagentUpdate(session_id="s", cwd="/a")}


def test_a_plan_that_is_removed_is_gone() -> None:
    plan = acp.PlanUpdate(plan=acp.PlanMarkdown(plan_id="p", content="- a"))
    made = state(plan)
    assert made.plans == {"p": plan}
    assert [c.does for c in made.apply(acp.PlanRemoved(plan_id="p"))] == ["remove"]
    assert made.plans == {}
    assert [c.does for c in made.apply(acp.PlanRemoved(plan_id="p"))] == ["stray"]


def test_chunks_that_came_before_the_upsert_stay_unless_it_replaces_them() -> None:
    chunk = acp.CompactionSummaryChunk(compaction_id="c", content=acp.TextContent(text="So far"))
    made = state(chunk, acp.CompactionUpdate(compaction_id="c", status="completed"))
    assert made.compactions["c"].text == "So far"
    assert made.compactions["c"].status == "completed"
    made.apply(acp.CompactionUpdate(compaction_id="c", status="completed", summary=[acp.TextContent(text="All")]))
    assert made.compactions["c"].text == "All"


# --- values -------------------------------------------------------------------------------------------------------------


def test_values_come_from_results_and_updates_alike() -> None:
    mode = acp.SessionMode(id="ask", name="Ask")
    modes = acp.SessionModeState(current_mode_id="ask", available_modes=[mode])
    made = state(acp.NewSessionResponse(session_id="s", modes=modes))
    assert (made.mode, made.modes, made.options) == ("ask", [mode], acp.UNSET)
    made.apply(acp.CurrentModeUpdate(current_mode_id="code"))
    assert made.mode == "code"


def test_what_is_absent_stays_and_null_is_null() -> None:
    made = state(acp.SessionInfoUpdate(title="A", updated_at="2026-01-01T00:00:00Z"), acp.SessionInfoUpdate(title=None))
    assert (made.title, made.updated_at) == (None, "2026-01-01T00:00:00Z")


def test_what_says_nothing_of_the_state_changes_nothing() -> None:
    made = acp.SessionState()
    messages: list[Any] = [
        acp.Notice(severity="info", title="Hi"),
        acp.UnknownVariant("later", {"sessionUpdate": "later"}),
        acp.CancelNotification(session_id="s"),
        acp.CloseSessionResponse(),
        acp.models.CreateElicitationRequestUrlSession(message="m", url="u", elicitation_id="e", session_id="s"),
    ]
    for message in messages:
        assert made.apply(message) == ()
    assert made == acp.SessionState()


def test_the_timeline_has_the_entries_that_stay_in_the_order_in_which_they_began() -> None:
    made = state(said("a"), acp.ToolCall(tool_call_id="t", title="Read"), said("b"))
    assert made.timeline == [made.messages[0], made.tool_calls["t"], made.messages[1]]


# --- laws ---------------------------------------------------------------------------------------------------------------


def updates(chance: Random, count: int) -> list[Any]:
    """Updates of every kind; few keys, so that they meet."""
    made = Instances(json.loads((ROOT / "schema.json").read_text()))
    found: list[Any] = []
    for _ in range(count):
        value: dict[str, Any] = made.of("SessionUpdate", chance)
        plan: Any = value.get("plan")
        holders: list[dict[str, Any]] = [value, plan] if isinstance(plan, dict) else [value]
        for key in ("toolCallId", "messageId", "planId", "compactionId", "sessionId"):
            for holder in holders:
                if isinstance(holder.get(key), str):
                    holder[key] = chance.choice("ab")
        found.append(acp.decode(acp.SessionUpdate, json.dumps(value)))
    return found


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 40))
def test_the_replay_of_a_state_rebuilds_it(seed: int, count: int) -> None:
    made = state(*updates(Random(seed), count))
    replay = made.replay()
    again = state(*replay)
    assert again == made
    assert again.replay() == replay
    assert len(replay) <= count


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32))
def test_updates_of_different_parts_may_come_in_any_order(seed: int) -> None:
    chance = Random(seed)
    drawn = updates(chance, 25)
    parts: dict[str, list[Any]] = {}
    for update in drawn:
        # Chunks without an id mean the entry before them, so they depend on everything.
        if getattr(update, "message_id", "") not in ("", None, acp.UNSET) or not hasattr(update, "message_id"):
            parts.setdefault(type(update).__name__.replace("Chunk", ""), []).append(update)
    groups = [
        ["ToolCall", "ToolCallProgress"],
        ["PlanUpdate", "PlanRemoved"],
        ["CompactionUpdate", "CompactionSummary"],
        ["SessionMessage"],
        ["AgentMessage"],
        ["UsageUpdate", "CurrentModeUpdate", "SessionInfoUpdate", "Plan"],
    ]
    lines = [[u for u in drawn if any(u in parts.get(name, []) for name in group)] for group in groups]
    first = state(*(u for line in lines for u in line))
    second = state(*(u for line in reversed(lines) for u in line))
    assert all(getattr(first, part) == getattr(second, part) for part in acp.SessionState._parts)


def test_every_variant_says_what_it_does_to_the_state() -> None:
    values = {
        tag
        for tag, names in {
            v["properties"]["sessionUpdate"]["const"]: v["$ref"].rpartition("/")[2] for v in UPDATES
        }.items()
        if any(
            "x-update" in p
            for p in json.loads((ROOT / "schema.json").read_text())["$defs"][names].get("properties", {}).values()
        )
    }
    silent = [v["properties"]["sessionUpdate"]["const"] for v in UPDATES if "x-update" not in v]
    assert set(silent) <= values


def test_a_long_stream_is_held_as_one_text() -> None:
    made = state(*(said("word ") for _ in range(5_000)))
    assert made.messages[0].items == [acp.TextContent(text="word " * 5_000)]
    assert made.replay() == [said("word " * 5_000)]


# --- absent and null ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "found"), [(acp.UNSET, "default"), (None, "default"), ("", ""), (0, 0), (False, False), ("x", "x")]
)
def test_what_is_absent_or_null_has_the_default_and_nothing_else_has(value: Any, found: Any) -> None:
    assert acp.given(value, "default") == found
    assert acp.given(acp.UNSET) is None


@pytest.mark.parametrize("plan", [{"type": "later", "planId": [1]}, {"type": "later"}, {"type": "later", "planId": {}}])
def test_an_update_without_a_key_that_could_be_one_is_a_stray(plan: dict[str, Any]) -> None:
    made = acp.SessionState()
    update = acp.from_dict(acp.SessionUpdate, {"sessionUpdate": "plan_update", "plan": plan})
    assert [change.does for change in made.apply(update)] == ["stray"]
    assert made == acp.SessionState()


# --- what may be patched key by key ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("before", [acp.UNSET, None, True, 0, "text", [1], {}, {"a": 1, "b": {"c": 2}}])
@pytest.mark.parametrize("after", [True, 0, "text", [1], {}, {"a": 3}, {"d": None}])
def test_a_value_of_any_kind_is_replaced_as_a_whole(before: Any, after: Any) -> None:
    """`rawInput` is "exactly as the tool received it": nothing of the one before is in the next."""
    call = acp.ToolCall(tool_call_id="c", title="t", raw_input=before, raw_output=before)
    made = state(call, ToolCallChanged(tool_call_id="c", raw_input=after, raw_output=after))
    assert (made.tool_calls["c"].raw_input, made.tool_calls["c"].raw_output) == (after, after)
    assert state(*made.replay()) == made


def test_an_open_object_is_patched_key_by_key() -> None:
    call = acp.ToolCall(tool_call_id="c", title="t", meta={"a": 1, "b": 2})
    made = state(call, ToolCallChanged(tool_call_id="c", meta={"a": None, "c": 3}))
    assert made.tool_calls["c"].meta == {"b": 2, "c": 3}


def test_items_that_replace_others_are_not_joined_with_these() -> None:
    entry = Streamed[Any]("said", acp.UNSET, {acp.TextContent: Joining(text="text", absent=("annotations", "meta"))})
    for text in "abc":
        entry.append(acp.TextContent(text=text))
    entry.replace([acp.TextContent(text="x")])
    entry.append(acp.TextContent(text="y"))
    assert entry.text == "xy"
