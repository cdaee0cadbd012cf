"""What the frames of a connection tell of its sessions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

import pytest

import acp_generated as acp
from acp_tools.browse.model import frames as tape_module
from acp_tools.browse.model import session as session_module
from acp_tools.browse.model.frames import Frame, Tape
from acp_tools.browse.model.history import Story
from acp_tools.browse.model.session import Note, Session, TerminalView

from .conftest import text_in

TO_AGENT, TO_CLIENT = "client-to-agent", "agent-to-client"


class Wire:
    """A tape with a story behind it, and an easy way to put frames on it."""

    def __init__(self) -> None:
        self.tape, self.story = Tape(), Story()
        self.tape.hears.append(self.story.take)
        self._ids = itertools.count()

    def put(self, direction: str, **message: Any) -> Frame:
        return self.tape.add(direction, json.dumps({"jsonrpc": "2.0", **message}).encode(), 0.0)

    def call(self, method: str, result: Any = None, error: Any = None, **params: Any) -> tuple[Frame, Frame]:
        """A request of the client, answered."""
        asked = self.ask(method, **params)
        answer = {"result": {} if result is None else result} if error is None else {"error": error}
        return asked, self.put(TO_CLIENT, id=asked.id, **answer)

    def ask(self, method: str, direction: str = TO_AGENT, **params: Any) -> Frame:
        return self.put(direction, id=next(self._ids), method=method, params=params)

    def tell(self, *updates: dict[str, Any], session: str = "s") -> list[Frame]:
        params = [{"sessionId": session, "update": update} for update in updates]
        return [self.put(TO_CLIENT, method="session/update", params=each) for each in params]

    @property
    def session(self) -> Session:
        return self.story.sessions["s"]


def said(words: str, role: str = "agent_message", **more: Any) -> dict[str, Any]:
    return {"sessionUpdate": f"{role}_chunk", "content": {"type": "text", "text": words}, **more}


def told(*updates: dict[str, Any]) -> Session:
    wire = Wire()
    wire.tell(*updates)
    return wire.session


def kinds(session: Session) -> list[str]:
    return [entry.kind for entry in session.entries]


def notes(session: Session) -> list[str]:
    return [entry.source.text for entry in session.entries if isinstance(entry.source, Note)]


OPENED = {"modes": {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}]}}
TOOL = {"sessionUpdate": "tool_call", "toolCallId": "1", "title": "Edit"}


# A conversation


def test_pieces_of_a_message_run_together() -> None:
    session = told(said("Hel"), said("lo"))
    assert (kinds(session), text_in(session, "agent_message_chunk")) == (["agent_message_chunk"], "Hello")


def test_another_id_is_another_message_and_a_thought_parts_two_pieces() -> None:
    assert len(told(said("one", messageId="1"), said("two", messageId="2")).entries) == 2
    assert len(told(said("a"), said("hm", "agent_thought"), said("b")).entries) == 3


def test_an_entry_changes_in_place_and_counts_its_changes() -> None:
    wire = Wire()
    wire.tell(TOOL)
    entry = wire.session.entries[0]
    before = entry.revision
    done = {"sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "completed", "title": None}
    frame = wire.tell(said("meanwhile"), done)[1]
    assert wire.session.entries[0] is entry
    assert (entry.source.title, entry.source.status) == ("Edit", "completed")
    assert entry.revision > before
    assert entry.frames[-1] == frame.number, "an entry knows the frames that made it"


def test_the_update_of_a_tool_call_that_nothing_began_begins_it() -> None:
    wire = Wire()
    frame = wire.tell({"sessionUpdate": "tool_call_update", "toolCallId": "1", "status": "failed"})[0]
    assert [(entry.kind, entry.source.status) for entry in wire.session.entries] == [("tool_calls", "failed")]
    assert wire.session.entries[0].frames == [frame.number]


def test_the_removal_of_what_nothing_began_is_noted_with_its_frame() -> None:
    wire = Wire()
    frame = wire.tell({"sessionUpdate": "plan_removed", "planId": "1"})[0]
    assert notes(wire.session) == ["an update of '1', which no update created"]
    assert wire.session.entries[0].frames == [frame.number]


def test_an_update_of_an_unknown_kind_is_noted_and_one_that_does_not_fit_changes_nothing() -> None:
    assert notes(told({"sessionUpdate": "telepathy"})) == ["unknown update: telepathy"]
    wire = Wire()
    wire.tell({"sessionUpdate": "tool_call", "title": 7})
    assert not wire.story.sessions


def test_a_terminal_changes_the_tool_call_that_holds_it_and_no_other() -> None:
    held = {**TOOL, "content": [{"type": "terminal", "terminalId": "t"}]}
    session = told(held, {**TOOL, "toolCallId": "2"})
    before = [entry.revision for entry in session.entries]
    session.show_terminal("t", TerminalView("out", "exit code 0"))
    assert [entry.revision for entry in session.entries] == [before[0] + 1, before[1]]


def test_an_endless_conversation_keeps_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "_ENTRIES", 100)
    session = told(*({**TOOL, "toolCallId": str(number)} for number in range(105)))
    assert (len(session.entries), session.dropped) == (95, 10)
    assert session.entries[-1].source.tool_call_id == "104"


# Turns


def prompted(wire: Wire, text: str = "hello") -> Frame:
    return wire.ask("session/prompt", sessionId="s", prompt=[{"type": "text", "text": text}])


def test_a_prompt_is_shown_at_once_and_an_echo_of_it_is_not_shown_again() -> None:
    wire = Wire()
    prompted(wire)
    assert wire.session.running
    wire.tell(said("hel", "user_message"), said("lo", "user_message"), said("hello"))
    assert kinds(wire.session) == ["user_message_chunk", "agent_message_chunk"]


@pytest.mark.parametrize(
    ("answer", "note"),
    [
        ({"result": {"stopReason": "end_turn"}}, []),
        ({"result": {"stopReason": "max_tokens"}}, ["the turn ended: max tokens"]),
        ({"result": {"stop": 1}}, ["the turn ended with an invalid result"]),
        (
            {"error": {"code": -32603, "message": "Internal error", "data": {"details": "out of credits"}}},
            ["the turn failed: Internal error: out of credits (-32603)"],
        ),
        ({"error": 7}, ["the turn failed: an invalid error"]),
    ],
)
def test_how_a_turn_ends_stays_in_the_conversation(answer: dict[str, Any], note: list[str]) -> None:
    wire = Wire()
    asked = prompted(wire)
    wire.put(TO_CLIENT, id=asked.id, **answer)
    assert notes(wire.session) == note
    assert not wire.session.running


def test_a_permission_and_what_was_answered_stay_in_the_conversation() -> None:
    wire = Wire()
    options = [{"optionId": "y", "name": "Yes, do", "kind": "allow_once"}]
    call = {"toolCallId": "1", "title": "Delete it all"}
    asked = wire.ask("session/request_permission", TO_CLIENT, sessionId="s", toolCall=call, options=options)
    wire.put(TO_AGENT, id=asked.id, result={"outcome": {"outcome": "selected", "optionId": "y"}})
    assert notes(wire.session) == ["permission for Delete it all: Yes, do"]


# Sessions


def test_a_session_is_open_once_the_agent_has_said_so() -> None:
    wire = Wire()
    wire.call("session/new", {"sessionId": "s", **OPENED}, cwd="/srv", mcpServers=[])
    assert wire.story.open == {"s"}
    assert (wire.session.cwd, wire.session.mode and wire.session.mode.shown) == ("/srv", "Ask")
    wire.call("session/close", sessionId="s")
    assert not wire.story.open
    assert "s" in wire.story.sessions, "what was said can still be read"


def test_loading_tells_a_session_anew_and_a_load_that_fails_leaves_it_as_it_was() -> None:
    wire = Wire()
    wire.tell(said("before"))
    asked = wire.ask("session/load", sessionId="s", cwd="/srv", mcpServers=[])
    wire.tell(said("replayed"))
    wire.put(TO_CLIENT, id=asked.id, error={"code": 1, "message": "no"})
    assert text_in(wire.session, "agent_message_chunk") == "before"
    asked = wire.ask("session/load", sessionId="s", cwd="/srv", mcpServers=[])
    wire.tell(said("replayed"))
    wire.put(TO_CLIENT, id=asked.id, result={})
    assert text_in(wire.session, "agent_message_chunk") == "replayed"


def test_a_mode_counts_once_it_was_agreed_to() -> None:
    wire = Wire()
    wire.call("session/new", {"sessionId": "s", **OPENED}, cwd="/srv", mcpServers=[])
    wire.call("session/set_mode", None, {"code": 1, "message": "no"}, sessionId="s", modeId="code")
    assert wire.session.state.mode == "ask"
    wire.call("session/set_mode", {}, sessionId="s", modeId="code")
    assert wire.session.state.mode == "code"


def test_the_end_of_a_connection_ends_what_ran() -> None:
    wire = Wire()
    prompted(wire)
    wire.story.over()
    assert not wire.session.running


def test_strangers_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acp_tools.browse.model.history._STRANGERS", 10)
    wire = Wire()
    for number in range(50):
        wire.tell(said("hi"), session=str(number))
    assert len(wire.story.sessions) < 15


# The tape


def test_answers_are_paired_with_their_requests_in_both_directions() -> None:
    wire = Wire()
    ours = wire.put(TO_AGENT, id=1, method="session/list", params={})
    theirs = wire.put(TO_CLIENT, id=1, method="fs/read_text_file", params={"sessionId": "s", "path": "/f"})
    answer = wire.put(TO_AGENT, id=1, result={"content": ""})
    refusal = wire.put(TO_CLIENT, id=1, error={"code": 1, "message": ""})
    lost = wire.put(TO_CLIENT, id=1, result={})
    assert (answer.partner, refusal.partner, lost.partner) == (theirs, ours, None)
    assert (answer.label, refusal.label) == ("fs/read_text_file ✓", "session/list ✗")
    assert (answer.session_id, lost.label) == ("s", "(no request) ✓")


@pytest.mark.parametrize(
    "data", [b"", b"not json", b"[1, 2]", b"null", b'{"id": 1}', b'{"method": 7}', b"[" * 100_000, b"\xff\xfe"]
)
def test_whatever_is_no_message_is_on_the_tape_and_nothing_is_raised(data: bytes) -> None:
    wire = Wire()
    frame = wire.tape.add(TO_CLIENT, data, 0.0)
    assert (frame.kind, frame.data) == ("junk", data)
    assert isinstance(frame.shown(), str)


def test_a_tape_drops_its_oldest_frames_and_numbers_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tape_module, "FRAMES", 100)
    wire = Wire()
    frames = [wire.tape.add(TO_CLIENT, b"{}", 0.0) for _ in range(150)]
    assert len(wire.tape.frames) <= 100
    assert wire.tape.find(150) is frames[149]
    assert wire.tape.find(1) is None


Written = Callable[[str], Tape]


@pytest.fixture
def written(tmp_path: Any) -> Written:
    """A tape read from a file of these lines."""

    def reading(text: str) -> Tape:
        (tmp_path / "t.jsonl").write_text(text, encoding="utf-8")
        tape = Tape()
        tape_module.read(tmp_path / "t.jsonl", tape)
        return tape

    return reading


def test_a_transcript_is_read_as_it_was_written(written: Written, tmp_path: Any) -> None:
    wire = Wire()
    with acp.Transcript(tmp_path / "own.jsonl") as transcript:
        for direction, data in ((TO_AGENT, b'{"id":1,"method":"session/list"}'), (TO_CLIENT, b"rubbish")):
            wire.tape.add(direction, data, 0.0)
            transcript(direction, data)
    tape = written((tmp_path / "own.jsonl").read_text())
    assert [(f.direction, f.data) for f in tape.frames] == [(f.direction, f.data) for f in wire.tape.frames]


def test_messages_alone_have_the_direction_of_their_method(written: Written) -> None:
    lines = [
        {"id": 1, "method": "session/prompt"},
        {"id": 1, "result": {}},
        {"method": "session/update", "params": {}},
    ]
    tape = written("\n".join(map(json.dumps, lines)))
    assert [frame.direction for frame in tape.frames] == [TO_AGENT, TO_CLIENT, TO_CLIENT]


def test_a_file_without_a_message_says_so(written: Written) -> None:
    with pytest.raises(Exception, match="contains no message"):
        written("hello\nworld\n")


@pytest.mark.parametrize(
    ("reason", "note"),
    [
        ("cancelled", "the turn ended: cancelled"),
        ("end_turn", "the turn was cancelled, but did not end as cancelled"),
    ],
)
def test_a_turn_that_was_cancelled_says_how_it_ended(reason: str, note: str) -> None:
    wire = Wire()
    asked = prompted(wire)
    wire.put(TO_AGENT, method="session/cancel", params={"sessionId": "s"})
    wire.put(TO_CLIENT, id=asked.id, result={"stopReason": reason})
    assert notes(wire.session) == [note]
