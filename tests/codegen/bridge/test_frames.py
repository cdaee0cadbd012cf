"""Whole connections through the bridge: golden messages, the recordings of docs/interop, and the state machines."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest

from codegen.contracts import plan as p
from codegen.model.algebra.conformance import fits
from codegen.model.nodes.types import Reference
from codegen.runtime.bridge.frames import Bridge
from tests.wire.documents import examples
from tests.wire.instances import constants, mutated

from .conftest import ROOT, SCHEMAS, Published

RECORDINGS = sorted(path for path in (ROOT / "docs/interop").glob("*.jsonl") if ".findings." not in path.name)
SENDERS = {"client-to-agent": "client", "agent-to-client": "agent"}
Sent = tuple[str, dict[str, Any]]


class Wire:
    """A bridge that takes and returns messages as JSON, and keeps what was reported."""

    def __init__(self, published: Published, *, agent: int, local: bool = False) -> None:
        self.reported: list[tuple[str, str, bool]] = []
        ids = count(1)
        plan, fresh = published.bridge.plan, lambda: f"id{next(ids)}"
        self.bridge = Bridge(plan, agent=agent, has_local=local, report=self._report, fresh=fresh)

    def _report(self, method: str, problems: list[Any], rejected: bool) -> None:
        self.reported += [(method, str(each), rejected) for each in problems]

    def send(self, sender: str, **message: Any) -> list[Sent]:
        frame = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return [(out.to, json.loads(out.frame)) for out in self.bridge.translate(sender, frame)]


def shown(sent: list[Sent]) -> list[Any]:
    """Messages without what all have."""
    return [(to, {name: value for name, value in message.items() if name != "jsonrpc"}) for to, message in sent]


def update(**members: Any) -> dict[str, Any]:
    return {"method": "session/update", "params": {"sessionId": "s", "update": members}}


def conforms(published: Published, version: int, message: Any, method: str, side: str) -> bool:
    """Return whether the params or the result of a message conform to a version."""
    kind = "notification" if "id" not in message else "request"
    schema = published.schemas[version - 1]
    found = next(
        (m for m in schema.methods if (m.path, m.kind) == (method, kind) and m.side in (side, "protocol")), None
    )
    if found is None:
        return False
    if "result" in message:
        return fits(published.forms[version - 1], Reference(found.result or ""), message["result"])
    return fits(published.forms[version - 1], Reference(found.params), message.get("params", {}))


def recorded(path: Path) -> Iterator[tuple[str, Any]]:
    for line in path.read_text().splitlines():
        entry = json.loads(line)
        if isinstance(entry.get("msg"), dict) and entry.get("dir") in SENDERS:
            yield SENDERS[entry["dir"]], entry["msg"]


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_every_message_of_a_recording_is_converted_answered_or_reported(published: Published, path: Path) -> None:
    """A version 1 agent serves a version 2 client: each recorded frame goes through, and none disappears."""
    wire = Wire(published, agent=1)
    methods = {key.split(" ")[2] for key in published.bridge.plan.back.routes}
    for sender, message in recorded(path):
        if sender == "client":
            continue  # the recorded clients speak version 1: their requests are made below
        before = len(wire.reported)
        if "method" not in message:
            continue
        sent = wire.send(sender, **{name: value for name, value in message.items() if name != "jsonrpc"})
        assert sent or len(wire.reported) > before, message
        for to, out in sent:
            if (
                to == "client"
                and out.get("method") in methods
                and conforms(published, 1, message, message["method"], "client")
            ):
                assert conforms(published, 2, out, out["method"], "client"), (message, out)


@pytest.mark.parametrize("path", RECORDINGS, ids=lambda path: path.stem)
def test_a_recorded_conversation_comes_back(published: Published, path: Path) -> None:
    """Version 1 to 2 and back: what no loss was reported for is as it was recorded."""
    there, back = Wire(published, agent=2), Wire(published, agent=1)
    plain = p.Plan(1, 2, published.bridge.plan.forward, published.bridge.plan.back)
    there.bridge, back.bridge = (
        Bridge(plain, agent=agent, report=wire._report) for agent, wire in ((2, there), (1, back))
    )
    compared = 0
    for sender, message in recorded(path):
        if "method" not in message or sender != "client":
            continue
        before = len(there.reported)
        sent = there.send(sender, **{name: value for name, value in message.items() if name != "jsonrpc"})
        assert sent, message
        for to, out in sent:
            if to == "agent" and len(there.reported) == before:
                again = back.send("client", **{name: value for name, value in out.items() if name != "jsonrpc"})
                assert [each.get("params") for _, each in again] == [message.get("params")], message
                compared += 1
    assert compared > 0


@pytest.mark.parametrize("forward", [True, False], ids=["1 to 2", "2 to 1"])
def test_golden_messages_are_converted_or_rejected_with_a_reason(published: Published, forward: bool) -> None:
    version = 1 if forward else 2
    counts = {"passed": 0, "reported": 0}
    for example in examples():
        if example.kind == "response":
            continue
        sender = "client" if example.side == "agent" else "agent"
        wire = Wire(published, agent=(version if sender == "agent" else 3 - version))
        id_ = {"id": 1} if example.kind == "request" else {}
        message = {"method": example.method, "params": example.value, **id_}
        if not conforms(published, version, message, example.method, example.side):
            continue
        sent = wire.send(sender, **message)
        rejected = [each for each in wire.reported if each[2]]
        counts["reported" if rejected else "passed"] += 1
        for to, out in sent:
            if to != sender and "method" in out and not rejected:
                assert conforms(published, 3 - version, out, out["method"], example.side), (message, out)
        assert sent or rejected, message
    assert counts["passed"] > 20


class TestTurns:
    def test_a_prompt_of_a_new_client_is_accepted_at_the_first_message_of_an_old_agent(
        self, published: Published
    ) -> None:
        wire = Wire(published, agent=1)
        prompt = {"sessionId": "s", "prompt": [{"type": "text", "text": "hi"}]}
        assert shown(wire.send("client", id=7, method="session/prompt", params=prompt)) == [
            ("agent", {"id": 7, "method": "session/prompt", "params": prompt})
        ]
        chunk = {"sessionUpdate": "agent_message_chunk", "content": {"type": "text", "text": "x"}}
        sent = shown(wire.send("agent", **update(**chunk)))
        assert [each[1] for each in sent] == [
            {"id": 7, "result": {"messageId": "id1"}},
            update(sessionUpdate="state_update", state="running"),
            update(messageId="id2", **chunk),
        ]
        assert shown(wire.send("agent", id=7, result={"stopReason": "end_turn"})) == [
            ("client", update(sessionUpdate="state_update", state="idle", stopReason="end_turn"))
        ]

    def test_an_error_before_and_after_acceptance(self, published: Published) -> None:
        wire = Wire(published, agent=1)
        prompt = {"sessionId": "s", "prompt": [{"type": "text", "text": "hi"}]}
        error = {"code": -32000, "message": "log in"}
        wire.send("client", id=1, method="session/prompt", params=prompt)
        assert shown(wire.send("agent", id=1, error=error)) == [("client", {"id": 1, "error": error})]
        wire.send("client", id=2, method="session/prompt", params=prompt)
        wire.send("agent", **update(sessionUpdate="agent_message_chunk", content={"type": "text", "text": "x"}))
        assert shown(wire.send("agent", id=2, error=error)) == [
            ("client", update(sessionUpdate="state_update", state="idle", stopReason="error", error=error))
        ]

    @pytest.mark.parametrize("reason", ["end_turn", "cancelled", "error", None])
    def test_a_new_agent_ends_the_prompt_of_an_old_client(self, published: Published, reason: str | None) -> None:
        wire = Wire(published, agent=2)
        prompt = {"sessionId": "s", "prompt": [{"type": "text", "text": "hi"}]}
        wire.send("client", id=7, method="session/prompt", params=prompt)
        assert wire.send("agent", id=7, result={"messageId": "m"}) == []
        assert wire.send("agent", **update(sessionUpdate="state_update", state="running")) == []
        ended = {} if reason is None else {"stopReason": reason}
        ((to, sent),) = shown(wire.send("agent", **update(sessionUpdate="state_update", state="idle", **ended)))
        assert (to, sent["id"]) == ("client", 7)
        assert sent.get("result") == ({"stopReason": reason} if reason in {"end_turn", "cancelled"} else None)
        assert ("error" in sent) is (reason not in {"end_turn", "cancelled"})


def test_modes_of_an_old_agent_are_an_option_of_a_new_client(published: Published) -> None:
    wire = Wire(published, agent=1)
    wire.send("client", id=1, method="session/new", params={"cwd": "/"})
    modes = {"currentModeId": "ask", "availableModes": [{"id": "ask", "name": "Ask"}, {"id": "code", "name": "Code"}]}
    ((_, sent),) = wire.send("agent", id=1, result={"sessionId": "s", "modes": modes})

    def option(current: str) -> dict[str, Any]:
        choices = [{"value": "ask", "name": "Ask"}, {"value": "code", "name": "Code"}]
        return {
            "type": "select",
            "configId": "mode",
            "name": "Mode",
            "category": "mode",
            "currentValue": current,
            "options": choices,
        }

    assert sent["result"] == {"sessionId": "s", "configOptions": [option("ask")]}
    select = {"sessionId": "s", "configId": "mode", "type": "id", "value": "code"}
    assert shown(wire.send("client", id=2, method="session/set_config_option", params=select)) == [
        ("agent", {"id": 2, "method": "session/set_mode", "params": {"sessionId": "s", "modeId": "code"}})
    ]
    assert shown(wire.send("agent", id=2, result={})) == [
        ("client", {"id": 2, "result": {"configOptions": [option("code")]}})
    ]
    assert shown(wire.send("agent", **update(sessionUpdate="current_mode_update", currentModeId="ask"))) == [
        ("client", update(sessionUpdate="config_option_update", configOptions=[option("ask")]))
    ]


def test_the_first_update_of_a_tool_call_creates_it_for_an_old_client(published: Published) -> None:
    wire = Wire(published, agent=2)
    call = {"toolCallId": "t", "kind": "read"}
    ((_, first),) = wire.send("agent", **update(sessionUpdate="tool_call_update", **call))
    ((_, second),) = wire.send("agent", **update(sessionUpdate="tool_call_update", **call))
    assert first["params"]["update"] == {"sessionUpdate": "tool_call", "title": "", **call}
    assert second["params"]["update"] == {"sessionUpdate": "tool_call_update", **call}


def test_a_whole_message_becomes_pieces_once(published: Published) -> None:
    wire = Wire(published, agent=2)
    texts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    whole = update(sessionUpdate="agent_message", messageId="m", content=texts)
    assert [each[1]["params"]["update"] for each in wire.send("agent", **whole)] == [
        {"sessionUpdate": "agent_message_chunk", "messageId": "m", "content": text} for text in texts
    ]
    assert wire.send("agent", **whole) == []
    assert wire.reported[-1] == ("session/update", "(root): an update that replaces earlier ones", True)


@pytest.mark.parametrize(
    ("sender", "method", "params", "code", "reason"),
    [
        ("agent", "fs/read_text_file", {"sessionId": "s", "path": "/x"}, -32601, "version 2 has no such method"),
        ("client", "terminal/cancel", {"sessionId": "s", "terminalId": "t"}, -32601, "version 1 has no such method"),
        (
            "client",
            "session/prompt",
            {"sessionId": "s", "prompt": [{"type": "new"}]},
            -32602,
            "'new' has no counterpart",
        ),
    ],
)
def test_a_request_without_a_counterpart_gets_an_error(
    published: Published, sender: str, method: str, params: Any, code: int, reason: str
) -> None:
    wire = Wire(published, agent=1)
    ((to, sent),) = wire.send(sender, id=3, method=method, params=params)
    assert (to, sent["id"], sent["error"]["code"]) == (sender, 3, code)
    assert sent["error"]["data"]["problems"][0]["reason"] == reason


@pytest.mark.parametrize("agent", [1, 2])
def test_no_frame_of_a_peer_raises_or_disappears(published: Published, agent: int) -> None:
    """Values with one thing wrong, as params and as results of every method."""
    wire, chance = Wire(published, agent=agent), Random(agent)
    tags = sorted({tag for schema in SCHEMAS for tag in constants(json.loads(schema.read_bytes()))})
    for way in published.ways:
        version = 1 if way.forward else 2
        method = next((m for m in published.schemas[version - 1].methods if m.params == way.name), None)
        if method is None or (sender := "client" if method.side != "client" else "agent") is None:
            continue
        if version != (agent if sender == "agent" else 3 - agent):
            continue
        for number in range(20):
            value = mutated(published.instances[version - 1].of(way.name, chance), chance, tags)
            id_ = {"id": number} if method.kind == "request" else {}
            before = len(wire.reported)
            sent = wire.send(sender, method=method.path, params=value, **id_)
            assert sent or len(wire.reported) > before or "state_update" in json.dumps(value), (method.path, value)
            if id_ and sent[-1][0] != sender:
                answers = wire.send(sent[-1][0], id=number, result=value)
                assert answers or (agent == 2 and method.path == "session/prompt"), (method.path, value)


@pytest.mark.parametrize(
    "frame", [b"{", b"[]", b'{"jsonrpc":"2.0","id":9,"result":{}}', b'{"jsonrpc":"2.0","method":"_x/y"}']
)
def test_what_no_schema_has_passes_unchanged(published: Published, frame: bytes) -> None:
    wire = Wire(published, agent=1)
    assert [out.to for out in wire.bridge.translate("client", frame)] == ["agent"]


@pytest.mark.parametrize("modes", [5, "m", [[]], {}, {"availableModes": []}, {"currentModeId": 1, "availableModes": 2}])
def test_modes_that_an_old_agent_has_wrong_are_reported_and_the_session_opens(published: Published, modes: Any) -> None:
    wire = Wire(published, agent=1)
    wire.send("client", id=1, method="session/new", params={"cwd": "/", "mcpServers": []})
    ((to, answer),) = wire.send("agent", id=1, result={"sessionId": "s", "modes": modes})
    assert (to, answer["result"]["sessionId"]) == ("client", "s")
    assert "/modes" in str(wire.reported)


NUMBERS = {"1e999": b"1e999", "5,000 digits": b"9" * 5000}


@pytest.mark.parametrize("number", NUMBERS.values(), ids=NUMBERS)
def test_numbers_that_no_reader_accepts_pass_unchanged_as_malformed_frames_do(
    published: Published, number: bytes
) -> None:
    """The receiver answers, as it would without a bridge."""
    wire = Wire(published, agent=1)
    request = b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%s}}' % number
    assert wire.bridge.translate("client", request) == [("agent", request)]
    answer = b'{"jsonrpc":"2.0","id":2,"result":{"sessionId":%s}}' % number
    wire.send("client", id=2, method="session/new", params={"cwd": "/", "mcpServers": []})
    assert wire.bridge.translate("agent", answer) == [("client", answer)]


@pytest.mark.parametrize("depth", [100, 300, 500, 800, 2_000])
def test_deep_params_are_converted_rejected_or_passed_on(published: Published, depth: int) -> None:
    wire = Wire(published, agent=1)
    deep = (
        b'{"cwd":"/","mcpServers":[{"type":"stdio","name":"n","command":"c","args":[],"env":[],"_meta":{"a":%s}}]}'
        % (b"[" * depth + b"]" * depth)
    )
    assert wire.bridge.translate("client", b'{"jsonrpc":"2.0","id":1,"method":"session/new","params":%s}' % deep)


def test_load_and_resume(published: Published) -> None:
    wire = Wire(published, agent=1)
    for id_, (more, method) in enumerate([({}, "session/resume"), ({"replayFrom": {"type": "start"}}, "session/load")]):
        params = {"sessionId": "s", "cwd": "/", "mcpServers": [], **more}
        ((_, sent),) = wire.send("client", id=id_, method="session/resume", params=params)
        assert (sent["method"], sent["params"]) == (method, {"sessionId": "s", "cwd": "/", "mcpServers": []})
