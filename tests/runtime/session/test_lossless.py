"""A `SessionState` loses nothing: turns stay apart, and a replay, a copy, a pickle and a JSON text hold all of it."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from types import ModuleType
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import generated as acp
from tests.upstream import HERE as UPSTREAM
from tests.wire.instances import Instances

if TYPE_CHECKING:
    from tests.conftest import Package

ROOT = Path(__file__).parents[3]
MODES = acp.SessionModeState(
    current_mode_id="ask", available_modes=[acp.SessionMode(id="ask", name="Ask", meta={"x/icon": 1})]
)
END = acp.PromptResponse(stop_reason="end_turn")


def asked(*texts: str) -> acp.PromptRequest:
    return acp.PromptRequest(session_id="s", prompt=[acp.TextContent(text=text) for text in texts])


def said(text: str, **more: Any) -> acp.AgentMessageChunk:
    return acp.AgentMessageChunk(content=acp.TextContent(text=text), **more)


def user(text: str, **more: Any) -> acp.UserMessageChunk:
    return acp.UserMessageChunk(content=acp.TextContent(text=text), **more)


def state(*messages: Any, of: Any = acp.SessionState) -> Any:
    made = of()
    for message in messages:
        made.apply(message)
    return made


def texts(made: Any) -> list[str]:
    return [f"{message.kind.split('_')[0]}: {message.text}" for message in made.messages]


def pickled(made: Any) -> Any:
    return pickle.loads(pickle.dumps(made))  # our own


def through_json(made: Any) -> Any:
    return made.__class__.from_json(made.to_json())


def replayed(made: Any) -> Any:
    return state(*made.replay(), of=type(made))


COPIES: dict[str, Callable[[Any], Any]] = {
    "replay": replayed,
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": pickled,
    "json": through_json,
}
copies = pytest.mark.parametrize("copied", COPIES.values(), ids=[*COPIES])

# --- turns --------------------------------------------------------------------------------------------------------------


def test_two_prompts_give_two_answers() -> None:
    made = state(asked("One?"), said("One."), END, asked("Two?"), said("Two."), END)
    assert texts(made) == ["user: One?", "agent: One.", "user: Two?", "agent: Two."]
    assert made.timeline == made.messages


def test_the_end_of_a_turn_ends_its_message_where_the_prompts_are_not_known() -> None:
    made = state(said("One."), END, said("T"), said("wo."), END)
    assert texts(made) == ["agent: One.", "agent: Two."]


def test_a_prompt_without_content_ends_the_message_before_it_too() -> None:
    assert texts(state(said("One."), asked(), said("Two."))) == ["agent: One.", "agent: Two."]


@copies
def test_prompts_that_follow_each_other_stay_apart(copied: Callable[[Any], Any]) -> None:
    made = state(asked("a"), asked("b"), asked("c"), asked("c"))
    assert texts(made) == ["user: a", "user: b", "user: c", "user: c"]
    assert copied(made) == made
    assert texts(copied(made)) == texts(made)


def test_a_message_that_is_told_apart_for_a_replay_goes_on() -> None:
    assert texts(state(said("a"), END, said("b"), said("c"))) == ["agent: a", "agent: bc"]


# --- prompts that the agent repeats -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pieces", [["Hello, you"], ["Hel", "lo, ", "", "you"], ["Hello, "]], ids=len)
@pytest.mark.parametrize("key", [acp.UNSET, "m1"])
def test_a_prompt_that_the_agent_repeats_is_there_once(pieces: list[str], key: Any) -> None:
    made = state(asked("Hello, you"), *(user(piece, message_id=key) for piece in pieces), said("Hi"))
    assert texts(made) == ["user: Hello, you", "agent: Hi"]
    assert made.messages[0].key == key
    assert replayed(made) == made


def test_blocks_of_a_prompt_may_be_repeated_one_by_one() -> None:
    link = acp.ResourceLink(name="a", uri="file:///a")
    prompt = acp.PromptRequest(session_id="s", prompt=[acp.TextContent(text="See"), link, acp.TextContent(text="now")])
    made = state(prompt, user("See"), acp.UserMessageChunk(content=link), user("now"))
    assert texts(made) == ["user: Seenow"]
    assert made.messages[0].items == prompt.prompt


@pytest.mark.parametrize("key", [acp.UNSET, "m1"])
def test_a_message_of_the_user_that_only_begins_like_the_prompt_is_another_one(key: Any) -> None:
    made = state(asked("Hello"), user("Hel", message_id=key), user("p", message_id=key))
    assert texts(made) == ["user: Hello", "user: Help"]
    assert made.messages[1].key == ("user_message_chunk-2" if key is acp.UNSET else key)
    assert replayed(made) == made


def test_two_prompts_that_wait_are_each_repeated() -> None:
    made = state(asked("a"), asked("b"), user("a", message_id="1"), END, user("b", message_id="2"))
    assert [(message.key, message.text) for message in made.messages] == [("1", "a"), ("2", "b")]


def test_what_another_turn_says_is_no_repetition() -> None:
    assert texts(state(asked("go on"), said("Done."), END, user("go on"))) == [
        "user: go on",
        "agent: Done.",
        "user: go on",
    ]


# --- nothing is lost ----------------------------------------------------------------------------------------------------

FULL: list[Any] = [
    acp.NewSessionResponse(session_id="s", modes=MODES, config_options=None),
    acp.AvailableCommandsUpdate(available_commands=[], meta={"a": 1}),
    acp.SessionInfoUpdate(title="T", meta={"b": 1, "c": 2}),
    acp.SessionInfoUpdate(title=None, meta={"c": None}),
    asked("Write"),
    user("Write", message_id="u1", meta={"shown": True}),
    said("I ", meta={"signature": "x"}),
    said("will"),
    acp.RequestPermissionRequest(
        session_id="s", tool_call=acp.ToolCallUpdate(tool_call_id="t", raw_input={"a": [1]}), options=[]
    ),
    acp.CompactionSummaryChunk(compaction_id="c", content=acp.TextContent(text="So far"), meta={"d": 1}),
    acp.Plan(entries=[acp.PlanEntry(content="x", priority="high", status="pending")], meta={"rev": 1}),
    acp.UsageUpdate(used=1, size=2, meta={"e": 1}),
    END,
    said("More"),
]


@copies
def test_a_copy_has_modes_meta_and_everything_else(copied: Callable[[Any], Any]) -> None:
    made = state(*FULL)
    again = copied(made)
    assert again == made
    assert again.modes == [acp.SessionMode(id="ask", name="Ask", meta={"x/icon": 1})]
    assert (again.mode, again.options, again.title) == ("ask", None, None)
    assert [getattr(message, "meta", None) for message in again.messages] == [
        {"shown": True},
        {"signature": "x"},
        None,
    ]
    assert again.extra == {
        "available_commands_update": {"meta": {"a": 1}},
        "plan": {"meta": {"rev": 1}},
        "session_info_update": {"meta": {"b": 1}},
    }


def holders(value: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """Every object in a value that can be changed."""
    if id(value) in seen or isinstance(value, (str, int, float, bool, bytes, type, type(None), msgspec.UnsetType)):
        return
    seen[id(value)] = value
    inside: Any
    if value.__class__ is dict:
        yield value
        inside = [*value.values()]
    elif value.__class__ in (list, tuple):
        yield from [value] if value.__class__ is list else []
        inside = value
    elif isinstance(value, msgspec.Struct):
        yield from [] if value.__struct_config__.frozen else [value]
        inside = [getattr(value, name) for name in value.__struct_fields__]
    else:
        yield value
        names = [name for each in type(value).__mro__ for name in getattr(each, "__slots__", ())]
        inside = (
            [*vars(value).values()] if hasattr(value, "__dict__") else [getattr(value, name, None) for name in names]
        )
    for each in inside:
        yield from holders(each, seen)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled, through_json])
def test_a_copy_shares_nothing_and_lives_on_its_own(copied: Callable[[Any], Any]) -> None:
    made = state(*FULL, asked("Half"), user("Ha"))
    again = copied(made)
    shared = {id(each) for each in holders(made, {})} & {id(each) for each in holders(again, {})}
    # The table of how texts are joined belongs to the class.
    kind: Any = acp.SessionState
    assert shared <= {id(kind._joining)}
    before = copied(made)
    again.apply(said("x", message_id="new"))
    again.tool_calls["t"].raw_input["a"].append(2)
    assert made == before
    assert again != before


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickled, through_json])
def test_a_copy_goes_on_where_the_original_would(copied: Callable[[Any], Any]) -> None:
    for before in ([said("a")], [said("a"), END], [*FULL, said("a")], [*FULL, END]):
        made = state(*before)
        again = copied(made)
        for one in (made, again):
            one.apply(said("b"))
        assert again == made


def test_the_entries_of_a_copy_are_those_of_its_timeline() -> None:
    again = copy.deepcopy(state(*FULL))
    again.apply(acp.ToolCallProgress(tool_call_id="t", title="Changed"))
    assert [entry.title for entry in again.timeline if isinstance(entry, acp.ToolCall)] == ["Changed"]


def test_updates_are_what_an_agent_can_send() -> None:
    made = state(*FULL)
    assert made.replay() == [
        *made.updates(),
        acp.state.StateValues({"modes": MODES.available_modes, "options": None}, True),
    ]
    for update in made.updates():
        assert acp.decode(acp.SessionUpdate, acp.encode(update), strict=True) == update


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("{", "truncated"),
        ('{"updates": [1]}', "Expected"),
        ('{"updates": [], "values": {"colour": 1}}', "no value 'colour'"),
        ('{"updates": [], "values": {"modes": 1}}', "Expected"),
        ('{"values": {}}', "updates"),
    ],
)
def test_a_text_that_is_no_state_is_refused(text: str, problem: str) -> None:
    with pytest.raises((msgspec.DecodeError, msgspec.ValidationError), match=problem):
        acp.SessionState.from_json(text)


# --- what is no message -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("text", "not str"),
        ({"sessionUpdate": "plan"}, "not dict; decode it first"),
        (None, "not NoneType"),
        (acp.TextContent(text="a"), "not TextContent"),
        (acp.ToolCallUpdate(tool_call_id="t"), "not ToolCallUpdate; the update is ToolCallProgress"),
        ([said("a")], "not list"),
    ],
)
def test_what_is_no_message_is_refused_by_name(value: Any, named: str) -> None:
    made = acp.SessionState()
    with pytest.raises(
        TypeError, match=f"SessionState.apply takes an update, or the params or result of a call, {named}"
    ):
        made.apply(value)
    assert made == acp.SessionState()


def test_the_notification_with_an_update_is_taken_as_the_update() -> None:
    assert texts(state(acp.SessionNotification(session_id="s", update=said("a")))) == ["agent: a"]


# --- recordings ---------------------------------------------------------------------------------------------------------

RECORDINGS = sorted(p for p in (ROOT / "docs" / "interop").glob("*.jsonl") if "findings" not in p.name)


def recorded(path: Path) -> Iterator[tuple[str, Any]]:
    """The sessions and messages of a recording, in order, as a connection would decode them."""
    table: dict[Any, Any] = {(row.method, row.kind): row for row in acp.methods.METHODS.values()}
    calls: dict[tuple[str, Any], tuple[Any, str]] = {}
    for line in path.read_text().splitlines():
        record: dict[str, Any] = json.loads(line)
        message: dict[str, Any] = record.get("msg") or {}
        sender = record.get("dir")
        method: Any = message.get("method")
        row = table.get((method, "request" if "id" in message else "notification"))
        if method is not None and row is not None and isinstance(message.get("params"), dict):
            try:
                params = acp.from_dict(row.params, message["params"])
            except msgspec.ValidationError:
                continue  # a probe sends what is no message, too
            session = str(message["params"].get("sessionId", ""))
            yield session, params
            if "id" in message:
                calls[str(sender), json.dumps(message["id"])] = (row, session)
        elif method is None and "result" in message:
            other = {"client-to-agent": "agent-to-client", "agent-to-client": "client-to-agent"}[str(sender)]
            found = calls.pop((other, json.dumps(message.get("id"))), None)
            if found is not None:
                try:
                    result = acp.from_dict(found[0].result, message["result"])
                except msgspec.ValidationError:
                    continue
                yield getattr(result, "session_id", found[1]), result


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_the_sessions_of_real_agents_are_rebuilt(path: Path) -> None:
    sessions: dict[str, acp.SessionState] = {}
    for session, message in recorded(path):
        made = sessions.setdefault(session, acp.SessionState())
        made.apply(message)
        for copied in COPIES.values():
            assert copied(made) == made
    assert sessions


def test_the_recording_with_the_most_updates_is_kept_whole() -> None:
    """Every text, id and `_meta` of the TypeScript SDK's agent is in the replay; its tool calls have all that was said."""
    found = [
        message for session, message in recorded(ROOT / "docs/interop/typescript-sdk.jsonl") if session == "sess_1"
    ]
    made = state(*found)
    replay = acp.encode(made.updates()).decode()
    for key in ("signature", "tags", "revision", "owner", "words", "builtin"):
        assert f"quill.example/{key}" in replay


# --- any updates --------------------------------------------------------------------------------------------------------

KEYS = ("toolCallId", "messageId", "planId", "compactionId", "sessionId", "terminalId")


def drawn(package: Any, instances: Instances, chance: Random, count: int) -> list[Any]:
    """Messages of every kind; few keys and texts, so that they meet."""
    found: list[Any] = []
    union = package.SessionState._union
    for _ in range(count):
        if chance.random() < 0.3 and package is acp:
            blocks = [acp.TextContent(text=chance.choice("ab")) for _ in range(chance.choice((0, 1, 1, 2)))]
            more = acp.RequestPermissionRequest(
                session_id="s", tool_call=acp.ToolCallUpdate(tool_call_id=chance.choice("ab")), options=[]
            )
            modes = acp.NewSessionResponse(session_id="s", modes=MODES)
            asks = acp.PromptRequest(session_id="s", prompt=blocks)
            found.append(chance.choice([asks, asks, asks, END, END, more, modes, user(chance.choice("ab"))]))
            continue
        value: dict[str, Any] = instances.of("SessionUpdate", chance)
        plan: Any = value.get("plan")
        both: list[dict[str, Any]] = [value, plan] if isinstance(plan, dict) else [value]
        for holder in both:
            for key in KEYS:
                if isinstance(holder.get(key), str):
                    holder[key] = chance.choice("ab")
        found.append(package.decode(union, json.dumps(value)))
    return found


INSTANCES = Instances(json.loads((ROOT / "schema.json").read_text()))


@settings(max_examples=120, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 30))
def test_any_messages_give_a_state_that_can_be_copied(seed: int, count: int) -> None:
    made = state(*drawn(acp, INSTANCES, Random(seed), count))
    for copied in COPIES.values():
        assert copied(made) == made
    assert replayed(made).replay() == made.replay()


@pytest.fixture(scope="module")
def two(package: Package) -> ModuleType:
    return package(UPSTREAM / "current-v2" / "schema.json", bare=False)


def test_any_messages_of_version_two_give_a_state_that_can_be_copied(two: ModuleType) -> None:
    instances = Instances(json.loads((UPSTREAM / "current-v2" / "schema.json").read_text()))

    @settings(max_examples=60, deadline=None)
    @given(st.integers(0, 2**32), st.integers(0, 30))
    def rebuilt(seed: int, count: int) -> None:
        made = state(*drawn(two, instances, Random(seed), count), of=two.SessionState)
        for copied in COPIES.values():
            assert copied(made) == made

    rebuilt()


def test_a_permission_request_of_version_two_begins_its_tool_call(two: ModuleType) -> None:
    call = two.ToolCallUpdate(tool_call_id="t", title="Write", content=[])
    subject = two.ToolCallPermissionSubject(tool_call=call)
    request = two.RequestPermissionRequest(session_id="s", title="May I?", subject=subject, options=[])
    made = state(request, of=two.SessionState)
    assert made.tool_calls["t"].title == "Write"
    assert replayed(made) == made


def test_output_of_a_terminal_of_version_two_keeps_what_came_with_it(two: ModuleType) -> None:
    output = two.TerminalOutput(data="aGk=", meta={"encoding": "utf-8"})
    made = state(
        two.TerminalUpdate(terminal_id="t", output=output),
        two.TerminalOutputChunk(terminal_id="t", data="IQ==", meta={"stderr": True}),
        of=two.SessionState,
    )
    assert made.terminals["t"].text == "hi!"
    for copied in COPIES.values():
        again = copied(made)
        assert again == made
        assert (again.terminals["t"].beside, again.terminals["t"].meta) == (
            {"meta": {"encoding": "utf-8"}},
            {"stderr": True},
        )
