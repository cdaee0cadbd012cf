"""Terminals, files and contents: what a client of version 1 sees of an agent of version 2, and the reverse."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from codegen.runtime.bridge import contents, state

from .conftest import Published
from .test_frames import Wire, conforms, shown, update


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def text(value: str) -> Any:
    return {"type": "content", "content": {"type": "text", "text": value}}


def tool_call(**members: Any) -> Any:
    return update(sessionUpdate="tool_call_update", toolCallId="t", **members)


def contents_of(published: Published, sent: list[Any]) -> Any:
    """The contents in the only frame, which conforms to version 1."""
    ((to, message),) = sent
    assert to == "client"
    assert conforms(published, 1, message, "session/update", "client"), message
    return message["params"]["update"]["content"]


class TestContentsForAnOldClient:
    def test_the_output_of_a_terminal_is_a_text_of_the_tool_calls_that_have_it(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        assert wire.send("agent", **update(sessionUpdate="terminal_update", terminalId="x", command="ls")) == []
        embedded = [{"type": "terminal", "terminalId": "x"}]
        assert contents_of(published, wire.send("agent", **tool_call(title="Run", content=embedded))) == [text("")]
        chunk = {"sessionUpdate": "terminal_output_chunk", "terminalId": "x"}
        assert contents_of(published, wire.send("agent", **update(**chunk, data=encoded("a")))) == [text("a")]
        assert contents_of(published, wire.send("agent", **update(**chunk, data=encoded("b")))) == [text("ab")]
        whole = update(sessionUpdate="terminal_update", terminalId="x", output={"data": encoded("c")})
        assert contents_of(published, wire.send("agent", **whole)) == [text("c")]
        assert {each[1:] for each in wire.reported} == {
            ("(root): what is told about an output, except its text", False)
        }

    def test_a_terminal_of_another_session_has_its_own_output(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        wire.send("agent", **tool_call(content=[{"type": "terminal", "terminalId": "x"}]))
        chunk = {"sessionUpdate": "terminal_output_chunk", "terminalId": "x", "data": encoded("a")}
        assert wire.send("agent", method="session/update", params={"sessionId": "other", "update": chunk}) == []

    def test_an_output_that_is_not_in_base64_is_reported(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        for data in ("?", 5, None):
            assert wire.send("agent", **update(sessionUpdate="terminal_output_chunk", terminalId="x", data=data)) == []
        assert [each[2] for each in wire.reported] == [True] * 3

    def test_a_chunk_of_contents_is_added_to_the_whole(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        wire.send("agent", **tool_call(content=[text("a")]))
        chunk = update(sessionUpdate="tool_call_content_chunk", toolCallId="t", content=text("b"))
        assert contents_of(published, wire.send("agent", **chunk)) == [text("a"), text("b")]
        wire.send("agent", **tool_call(content=None))
        assert contents_of(published, wire.send("agent", **chunk)) == [text("b")]

    def test_the_patch_of_a_diff_or_else_its_paths_are_a_text(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        diff = {"type": "diff", "changes": [{"operation": "modify", "path": "/x"}]}
        patch = {"format": "git_patch", "text": "@@ -1 +1 @@"}
        sent = wire.send("agent", **tool_call(content=[{**diff, "patch": patch}]))
        assert contents_of(published, sent) == [text("@@ -1 +1 @@")]
        assert contents_of(published, wire.send("agent", **tool_call(content=[diff]))) == [text("modify /x")]
        assert [each[2] for each in wire.reported] == [False, False]

    def test_a_permission_shows_them_too(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        data = encoded("a")
        wire.send("agent", **update(sessionUpdate="terminal_output_chunk", terminalId="x", data=data))
        call = {"toolCallId": "t", "content": [{"type": "terminal", "terminalId": "x"}]}
        options = [{"optionId": "o", "name": "Yes", "kind": "allow_once"}]
        subject = {"type": "tool_call", "toolCall": call}
        params = {"sessionId": "s", "title": "Run?", "subject": subject, "options": options}
        ((_, sent),) = wire.send("agent", id=1, method="session/request_permission", params=params)
        assert sent["params"]["toolCall"]["content"] == [text("a")]

    def test_what_is_kept_is_bounded(self, published: Published) -> None:
        wire = Wire(published, agent=2)
        for number in range(state.KEPT + 10):
            terminal = {"terminalId": f"x{number}", "data": encoded("a")}
            wire.send("agent", **update(sessionUpdate="terminal_output_chunk", **terminal))
            wire.send("agent", **update(sessionUpdate="tool_call_update", toolCallId=f"t{number}", content=[]))
        states: Any = wire.bridge._states
        tables = [each for one in states for each in vars(one).values() if isinstance(each, dict)]
        assert max(map(len, tables)) == state.KEPT
        long = {"terminalId": "x", "data": encoded("a" * contents.OUTPUT * 2)}
        wire.send("agent", **tool_call(content=[{"type": "terminal", "terminalId": "x"}]))
        sent = wire.send("agent", **update(sessionUpdate="terminal_output_chunk", **long))
        assert len(contents_of(published, sent)[0]["content"]["text"]) == contents.OUTPUT


class TestLocalHandlerOfAnOldAgent:
    def opened(self, published: Published) -> Wire:
        wire = Wire(published, agent=1, local=True)
        params = {"protocolVersion": 2, "info": {"name": "c", "version": "1"}, "capabilities": {}}
        ((_, sent),) = wire.send("client", id=1, method="initialize", params=params)
        offered = {"fs": {"readTextFile": True, "writeTextFile": True}, "terminal": True}
        assert sent["params"]["clientCapabilities"] == offered
        opening = {"method": "initialize", "params": {"protocolVersion": 1}}
        assert wire.send("local", id=0, **opening) == []
        result = {"protocolVersion": 1, "agentCapabilities": {}}
        sent_ = shown(wire.send("agent", id=1, result=result))
        assert ("local", {"id": 0, "result": result}) in sent_
        return wire

    def test_it_serves_files_and_its_errors_come_back(self, published: Published) -> None:
        wire = self.opened(published)
        read = {"method": "fs/read_text_file", "params": {"sessionId": "s", "path": "/x"}}
        assert shown(wire.send("agent", id=3, **read)) == [("local", {"id": 3, **read})]
        error = {"code": -32002, "message": "no such file"}
        assert shown(wire.send("local", id=3, error=error)) == [("agent", {"id": 3, "error": error})]

    def test_the_client_sees_a_terminal(self, published: Published) -> None:
        wire = self.opened(published)
        create = {"sessionId": "s", "command": "ls", "args": ["a b"], "cwd": "/"}
        wire.send("agent", id=3, method="terminal/create", params=create)
        told, answer = shown(wire.send("local", id=3, result={"terminalId": "x"}))
        terminal = {"sessionUpdate": "terminal_update", "terminalId": "x"}
        assert told == ("client", update(**terminal, command="ls 'a b'", cwd="/"))
        assert answer == ("agent", {"id": 3, "result": {"terminalId": "x"}})
        where = {"sessionId": "s", "terminalId": "x"}
        wire.send("agent", id=4, method="terminal/wait_for_exit", params=where)
        (to, asked), answer = shown(wire.send("local", id=4, result={"exitCode": 1}))
        assert (to, asked["method"], answer) == (
            "local",
            "terminal/output",
            ("agent", {"id": 4, "result": {"exitCode": 1}}),
        )
        status = {"exitCode": 1, "signal": None}
        result = {"output": "hi", "truncated": True, "exitStatus": status}
        told = update(**terminal, output={"data": encoded("hi")}, exitStatus=status)
        assert shown(wire.send("local", id=asked["id"], result=result)) == [("client", told)]
        assert wire.reported[-1] == ("terminal/output", "/truncated: the property is dropped", False)
        assert conforms(published, 2, told, "session/update", "client")
        sent = shown(wire.send("agent", id=5, method="terminal/release", params=where))
        assert [(to, each["method"]) for to, each in sent] == [
            ("local", "terminal/output"),
            ("local", "terminal/release"),
        ]

    def test_it_can_ask_nothing_of_the_agent(self, published: Published) -> None:
        wire = self.opened(published)
        ((to, sent),) = wire.send("local", id=9, method="session/new", params={"cwd": "/"})
        assert (to, sent["error"]["code"]) == ("local", -32601)
        assert wire.send("local", method="session/cancel", params={"sessionId": "s"}) == []
        assert wire.send("local", id=10, result={}) == []


@pytest.mark.parametrize(("before", "operation"), [("a\n", "modify"), (None, "add")])
def test_a_diff_of_an_old_agent_has_a_patch(published: Published, before: str | None, operation: str) -> None:
    wire = Wire(published, agent=1)
    diff = {"type": "diff", "path": "/x", "oldText": before, "newText": "b\n"}
    ((_, sent),) = wire.send("agent", **tool_call(content=[diff]))
    (item,) = sent["params"]["update"]["content"]
    assert (item["changes"], item["patch"]["format"]) == ([{"path": "/x", "operation": operation}], "git_patch")
    assert item["patch"]["text"].endswith("+b\n")
    assert conforms(published, 2, sent, "session/update", "client")
