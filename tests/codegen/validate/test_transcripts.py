"""Transcripts: who said what to whom, in which order; and files that are none."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

import generated as acp

from .support import ROOT, ids, of_file, of_transcript, places

TO_AGENT, TO_CLIENT = "client-to-agent", "agent-to-client"


def line(direction: str | None, **message: Any) -> str:
    frame = {"jsonrpc": "2.0", **message}
    return json.dumps(frame if direction is None else {"t": 0.5, "dir": direction, "msg": frame}) + "\n"


def opening(direction: bool = True, agent: Any = None, client: Any = None) -> str:
    asked = {"protocolVersion": 1, "clientCapabilities": client or {}}
    answer = {"protocolVersion": 1, "agentCapabilities": agent or {}}
    there, back = (TO_AGENT, TO_CLIENT) if direction else (None, None)
    return line(there, id=0, method="initialize", params=asked) + line(back, id=0, result=answer)


def prompt(direction: str | None, id_: Any) -> str:
    return line(direction, id=id_, method="session/prompt", params={"sessionId": "s", "prompt": []})


END = {"stopReason": "end_turn"}
LIST = {"sessions": []}
KNOWN = line(TO_AGENT, id="n", method="session/new", params={"cwd": "/", "mcpServers": []}) + line(
    TO_CLIENT, id="n", result={"sessionId": "s"}
)


# --- who answers whom ---------------------------------------------------------------------------------------------------


def test_the_same_id_may_be_open_in_both_directions() -> None:
    read = line(TO_CLIENT, id=1, method="fs/read_text_file", params={"sessionId": "s", "path": "/a"})
    answers = line(TO_AGENT, id=1, result={"content": ""}) + line(TO_CLIENT, id=1, result=END)
    text = opening(client={"fs": {"readTextFile": True}}) + KNOWN + prompt(TO_AGENT, 1) + read + answers
    assert ids(of_transcript(text)) == []


def test_bare_lines_are_paired_by_the_methods_and_by_what_fits() -> None:
    new = line(None, id="n", method="session/new", params={"cwd": "/", "mcpServers": []})
    new += line(None, id="n", result={"sessionId": "s"})
    read = line(None, id=1, method="fs/read_text_file", params={"sessionId": "s", "path": "/a"})
    answers = line(None, id=1, result={"content": ""}) + line(None, id=1, result=END)
    text = opening(direction=False, client={"fs": {"readTextFile": True}}) + new + prompt(None, 1) + read + answers
    assert ids(of_transcript(text)) == []


def test_ids_of_different_types_are_different() -> None:
    text = opening() + KNOWN + line(TO_AGENT, id=1, method="_a") + line(TO_AGENT, id="1", method="_b")
    assert ids(of_transcript(text + line(TO_CLIENT, id="1", result={}) + line(TO_CLIENT, id=1, result={}))) == []


def test_an_answer_comes_from_the_other_side() -> None:
    text = opening() + line(TO_AGENT, id=1, method="_a") + line(TO_AGENT, id=1, result={})
    assert ids(of_transcript(text)) == ["answer-unasked", "answer-missing"]


def test_a_second_answer_is_an_answer_to_nothing() -> None:
    text = opening() + line(TO_AGENT, id=1, method="_a") + 2 * line(TO_CLIENT, id=1, result={})
    assert ids(of_transcript(text)) == ["answer-unasked"]


def test_a_cancelled_request_may_be_answered_by_an_error() -> None:
    cancel = line(TO_AGENT, method="$/cancel_request", params={"requestId": 1})
    failed = line(TO_CLIENT, id=1, error={"code": -32800, "message": "Request cancelled"})
    assert ids(of_transcript(opening() + KNOWN + prompt(TO_AGENT, 1) + cancel + failed)) == []


def test_the_error_of_a_response_is_judged() -> None:
    failed = line(TO_CLIENT, id=1, error={"message": 5})
    assert ids(of_transcript(opening() + KNOWN + prompt(TO_AGENT, 1) + failed)) == ["error-invalid", "error-invalid"]


def test_both_a_result_and_an_error_are_no_response() -> None:
    both = line(TO_CLIENT, id=1, error={"code": 1, "message": ""}, result={})
    assert ids(of_transcript(opening() + KNOWN + prompt(TO_AGENT, 1) + both)) == ["envelope-invalid"]


@pytest.mark.parametrize("params", [{}, {"params": None}])
def test_params_may_be_left_out_where_nothing_is_required(params: Any) -> None:
    text = opening(agent={"sessionCapabilities": {"list": {}}}) + line(TO_AGENT, id=1, method="session/list", **params)
    assert ids(of_transcript(text + line(TO_CLIENT, id=1, result=LIST))) == []


@pytest.mark.parametrize("id_", [True, [], {}, 1.5])
def test_an_id_of_another_type_is_told_and_answers_nothing(id_: Any) -> None:
    found = of_transcript(opening() + line(TO_AGENT, id=id_, method="_a") + line(TO_CLIENT, id=id_, result={}))
    assert ids(found) == ["envelope-invalid", "envelope-invalid", "answer-unasked"]


# --- what was negotiated ------------------------------------------------------------------------------------------------


def gated(agent: Any, method: str, params: Any, result: Any) -> list[str]:
    text = (
        opening(agent=agent) + line(TO_AGENT, id=1, method=method, params=params) + line(TO_CLIENT, id=1, result=result)
    )
    return ids(of_transcript(text))


@pytest.mark.parametrize(("value", "found"), [({}, []), (None, ["not-advertised"]), ({"x": 1}, [])])
def test_an_object_opens_a_gate_and_null_does_not(value: Any, found: list[str]) -> None:
    rules = gated({"sessionCapabilities": {"list": value}}, "session/list", {}, LIST)
    assert [rule for rule in rules if rule != "property-undeclared"] == found


def test_a_property_and_a_variant_have_gates_too() -> None:
    server = {"type": "http", "name": "x", "url": "https://x", "headers": []}
    params = {"cwd": "/", "mcpServers": [server], "additionalDirectories": ["/a"]}
    assert gated({}, "session/new", params, {"sessionId": "s"}) == ["not-advertised", "not-advertised"]
    able = {"mcpCapabilities": {"http": True}, "sessionCapabilities": {"additionalDirectories": {}}}
    assert gated(able, "session/new", params, {"sessionId": "s"}) == []


OPTION = {"type": "boolean", "id": "o", "name": "Loud", "currentValue": True}
LOGIN = {"type": "terminal", "id": "t", "name": "Log in"}


@pytest.mark.parametrize(
    ("client", "found"), [({}, ["not-advertised"]), ({"session": {"configOptions": {"boolean": {}}}}, [])]
)
def test_parts_of_an_answer_have_gates_too(client: Any, found: list[str]) -> None:
    text = opening(client=client) + line(TO_AGENT, id=1, method="session/new", params={"cwd": "/", "mcpServers": []})
    assert (
        ids(of_transcript(text + line(TO_CLIENT, id=1, result={"sessionId": "s", "configOptions": [OPTION]}))) == found
    )


@pytest.mark.parametrize(("client", "found"), [({}, ["not-advertised"]), ({"auth": {"terminal": True}}, [])])
def test_the_answer_that_opens_a_connection_is_judged_by_what_its_request_advertised(
    client: Any, found: list[str]
) -> None:
    text = line(TO_AGENT, id=0, method="initialize", params={"protocolVersion": 1, "clientCapabilities": client})
    findings = of_transcript(text + line(TO_CLIENT, id=0, result={"protocolVersion": 1, "authMethods": [LOGIN]}))
    assert ids(findings) == found
    assert not found or "$.result.authMethods[0]: this requires auth.terminal" in findings[0].message


def test_a_gate_of_the_sender_is_looked_up_in_what_the_sender_advertised() -> None:
    told = line(TO_CLIENT, method="auth/status_update", params={"state": "authenticated"})
    (finding,) = of_transcript(opening() + told)
    assert finding.message.endswith("requires auth.status of the agent, which was not advertised")
    assert ids(of_transcript(opening(agent={"auth": {"status": {}}}) + told)) == []


@pytest.mark.parametrize(("mode", "found"), [("form", []), ("url", ["not-advertised"])])
def test_of_params_that_are_a_union_the_variant_decides(mode: str, found: list[str]) -> None:
    forms = {"mode": "form", "requestedSchema": {"type": "object", "properties": {}}}
    links = {"mode": "url", "url": "https://x", "elicitationId": "e"}
    params = {"sessionId": "s", "message": "?", **(forms if mode == "form" else links)}
    asked = line(TO_CLIENT, id=1, method="elicitation/create", params=params)
    answered = line(TO_AGENT, id=1, result={"action": "cancel"})
    text = opening(client={"elicitation": {"form": {}}}) + KNOWN + asked + answered
    assert ids(of_transcript(text)) == found


def test_a_gate_of_the_other_side_counts_for_the_receiver_alone() -> None:
    image = {"type": "image", "data": "", "mimeType": "image/png"}
    update = {"sessionId": "s", "update": {"sessionUpdate": "agent_message_chunk", "content": image}}
    assert ids(of_transcript(opening() + KNOWN + line(TO_CLIENT, method="session/update", params=update))) == []


def test_before_the_answer_of_the_opening_request_it_is_too_early() -> None:
    first, second = opening().splitlines(keepends=True)
    early = line(TO_AGENT, id=1, method="session/new", params={"cwd": "/", "mcpServers": []})
    found = of_transcript(first + early + second + line(TO_CLIENT, id=1, result={"sessionId": "s"}))
    assert places(found) == [("before-handshake", 2, 1)]


def test_a_failed_opening_is_none() -> None:
    failed = opening().splitlines(keepends=True)[0] + line(TO_CLIENT, id=0, error={"code": 1, "message": ""})
    assert ids(of_transcript(failed + opening() + KNOWN)) == []


ODD = {"vendorKey": [{"otherKey": {"thirdKey": 1}}]}


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"_meta": ODD}, []),
        ({"rawInput": ODD, "rawOutput": [ODD]}, []),
        ({"vendorKey": 1}, ["$.params.update.vendorKey"]),
        ({"_meta": ODD, "vendorKey": ODD}, ["$.params.update.vendorKey"]),
        (
            {"content": [{"type": "diff", "path": "/a", "newText": "", "oldTxt": ""}]},
            ["$.params.update.content[0].oldTxt"],
        ),
    ],
    ids=str,
)
def test_a_key_that_nothing_declares_is_told_but_where_anything_may_stand(more: Any, told: list[str]) -> None:
    update = {"sessionUpdate": "tool_call_update", "toolCallId": "c", **more}
    begun = {"sessionUpdate": "tool_call", "toolCallId": "c", "title": "Read"}
    text = opening() + KNOWN
    for each in (begun, update):
        text += line(TO_CLIENT, method="session/update", params={"sessionId": "s", "update": each})
    assert [(f.id, f.path) for f in of_transcript(text)] == [("property-undeclared", path) for path in told]


# --- text ---------------------------------------------------------------------------------------------------------------


def test_a_place_in_the_middle_of_a_long_line_is_exact() -> None:
    params = {
        "sessionId": "s",
        "update": {
            "sessionUpdate": "user_message_chunk",
            "content": {"type": "text", "text": "é" * 2**20},
            "messageId": 5,
        },
    }
    text = json.dumps(
        {"t": 1, "dir": TO_CLIENT, "msg": {"jsonrpc": "2.0", "method": "session/update", "params": params}},
        ensure_ascii=False,
    )
    found = of_transcript(opening() + KNOWN + text + "\n")
    assert places(found) == [("params-invalid", 5, text.index('"messageId": 5') + len('"messageId": ') + 1)]


def test_requests_that_are_open_where_the_file_breaks_off_are_not_told() -> None:
    assert ids(of_transcript(opening() + KNOWN + prompt(TO_AGENT, 1) + '{"t": 1, "dir": "agent-to-cl')) == [
        "line-truncated"
    ]


def test_a_last_line_without_its_end_is_read() -> None:
    assert ids(of_transcript(opening().rstrip("\n"))) == []


@pytest.mark.parametrize("end", ["\n", "\r\n", "\n\n \n"])
def test_lines_may_end_in_any_way(end: str) -> None:
    assert ids(of_transcript((opening() + KNOWN).replace("\n", end))) == []


def test_a_byte_order_mark_is_no_part_of_the_first_line() -> None:
    assert ids(of_transcript(b"\xef\xbb\xbf" + opening().encode())) == []


@pytest.mark.parametrize(
    "broken",
    [
        b"oops",
        b"\x00\xff\xfe",
        b"[" * 100_000,
        b'{"jsonrpc": "2.0", "method": "_a", "params": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"jsonrpc": "2.0", "method": "_a", "params": NaN}',
        b'{"a": 1} {"b": 2}',
        b'{"a": "\xed\xa0\xbd"}',
        '{"jsonrpc": "2.0", "method": "_a"}'.encode("utf-16"),
    ],
    ids=lambda text: repr(text[:24]),
)
def test_a_line_that_is_no_json_is_one_finding_and_the_next_is_read(broken: bytes) -> None:
    text = opening().encode() + broken.replace(b"\n", b" ") + b"\n" + line(TO_AGENT, id=1, method="_a").encode()
    assert [rule for rule in ids(of_transcript(text)) if rule != "answer-missing"] == ["message-not-json"]


def test_a_file_that_is_something_else_is_not_read_to_its_end() -> None:
    found = of_transcript(b"\xff\n" * 1000)
    assert (set(ids(found)), len(found)) == ({"message-not-json"}, 21)


def test_an_integer_of_five_thousand_digits_is_read() -> None:
    text = opening() + '{"jsonrpc": "2.0", "method": "_a", "params": {"n": ' + "9" * 5000 + "}}\n"
    assert ids(of_transcript(text)) == ["number-out-of-range"]


@pytest.mark.parametrize(
    "text",
    ['{"msg": null}', '{"raw": 1}', '{"dir": 3, "msg": {}}', "{}", "3", '"x"', "null", "[3]", '{"jsonrpc": 2}'],
    ids=str,
)
def test_json_that_is_no_message_is_told(text: str) -> None:
    assert "envelope-invalid" in ids(of_transcript(opening() + text + "\n"))


ANSWER = 'a message: "method", or "id" with "result" or "error"'


@pytest.mark.parametrize(
    ("message", "told"),
    [
        ({"result": {}}, '$: expected a property "id", found a response without one'),
        ({"error": {"code": 1, "message": "m"}}, '$: expected a property "id", found a response without one'),
        ({"method": 3}, "$.method: expected a string, found 3"),
        ({"metod": "_a"}, f"$: expected {ANSWER}, found an object with metod; did you mean method?"),
        ({"params": {}}, f'$: expected {ANSWER}, found an object with "jsonrpc", "params"'),
    ],
)
def test_it_is_told_why_an_object_is_no_message(message: dict[str, Any], told: str) -> None:
    found = [each.message for each in of_transcript(opening() + line(TO_AGENT, **message))]
    assert found == [told]


@pytest.mark.parametrize(("requests", "told"), [(2, []), (3, ["answer-missing", "answer-unasked"])])
def test_requests_beyond_the_limit_are_told_as_unanswered_and_forgotten(
    requests: int, told: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codegen.validate.conversation.conversation.LIMIT", 2)
    numbers = range(1, requests + 1)
    asked = "".join(line(TO_AGENT, id=number, method="_a", params={}) for number in numbers)
    answered = "".join(line(TO_CLIENT, id=number, result={}) for number in numbers)
    assert ids(of_transcript(opening() + asked + answered)) == told


# --- sessions -----------------------------------------------------------------------------------------------------------


def said(session: str) -> str:
    update = {"sessionUpdate": "session_info_update", "title": "t"}
    return line(TO_CLIENT, method="session/update", params={"sessionId": session, "update": update})


def test_an_agent_may_speak_of_a_session_that_it_is_about_to_open() -> None:
    asked = line(TO_AGENT, id=1, method="session/new", params={"cwd": "/", "mcpServers": []})
    answered = line(TO_CLIENT, id=1, result={"sessionId": "s"})
    assert ids(of_transcript(opening() + asked + said("s") + answered + said("s"))) == []
    refused = line(TO_CLIENT, id=1, error={"code": -32603, "message": "no"})
    assert ids(of_transcript(opening() + asked + refused + said("s"))) == ["session-unknown"]


def test_several_connections_may_be_recorded_in_one_file() -> None:
    first = opening() + KNOWN + prompt(TO_AGENT, 1)
    second = first.replace('"t": 0.5', '"t": 0.1') + line(TO_CLIENT, id=1, result=END)
    assert ids(of_transcript(first + second)) == []
    assert ids(of_transcript(first + first + line(TO_CLIENT, id=1, result=END))) == ["handshake-repeated"]


def test_the_answer_to_a_method_that_the_schema_lacks_may_name_a_session() -> None:
    asked = line(TO_AGENT, id=1, method="_vendor/open", params={})
    assert ids(of_transcript(opening() + asked + line(TO_CLIENT, id=1, result={"sessionId": "s"}) + said("s"))) == []


def test_a_session_that_is_closed_while_it_is_opened_again_is_not_closed() -> None:
    agent = {"loadSession": True, "sessionCapabilities": {"close": {}}}
    close = line(TO_AGENT, id=1, method="session/close", params={"sessionId": "s"})
    load = line(TO_AGENT, id=2, method="session/load", params={"sessionId": "s", "cwd": "/", "mcpServers": []})
    closed, loaded = line(TO_CLIENT, id=1, result={}), line(TO_CLIENT, id=2, result={})
    assert ids(of_transcript(opening(agent=agent) + KNOWN + close + load + closed + said("s") + loaded)) == []
    assert ids(of_transcript(opening(agent=agent) + KNOWN + close + closed + said("s"))) == ["session-closed"]


# --- a real one ---------------------------------------------------------------------------------------------------------


class Quiet(acp.Client):
    async def session_update(self, params: acp.SessionNotification) -> None:
        pass


async def talk(path: Path) -> None:
    with acp.Transcript(path) as transcript:
        command = (sys.executable, str(ROOT / "examples" / "echo_agent.py"))
        async with acp.spawn_agent(Quiet(), *command, env={"PYTHONPATH": str(ROOT)}, on_frame=transcript) as agent:
            await agent.initialize()
            session = await agent.new_session(cwd=str(ROOT), mcp_servers=[])
            for _ in range(2):
                await agent.prompt(session_id=session.session_id, prompt=[acp.TextContent(text="Hello")])


@pytest.mark.slow
def test_what_a_connection_records_has_no_finding(tmp_path: Path) -> None:
    asyncio.run(talk(tmp_path / "session.ndjson"))
    assert len((tmp_path / "session.ndjson").read_bytes().splitlines()) == 10
    assert ids(of_file(tmp_path / "session.ndjson")) == []


# --- what a notification ends -------------------------------------------------------------------------------------------


def interrupted(*, asked_first: bool, direction: str | None = TO_AGENT) -> str:
    """A turn that ends as if it had not been cancelled, after the answer to a request sent before or after the cancel."""
    back = TO_CLIENT if direction else None
    other = line(direction, id=5, method="session/new", params={"cwd": "/", "mcpServers": []})
    cancel = line(direction, method="session/cancel", params={"sessionId": "s"})
    between = other + cancel if asked_first else cancel + other
    known = line(direction, id="n", method="session/new", params={"cwd": "/", "mcpServers": []})
    known += line(back, id="n", result={"sessionId": "s"})
    answers = line(back, id=5, result={"sessionId": "t"}) + line(back, id=1, result=END)
    return opening(direction=direction is not None) + known + prompt(direction, 1) + between + answers


@pytest.mark.parametrize("direction", [TO_AGENT, None])
def test_a_cancelled_turn_that_ends_otherwise_is_an_error_once_the_peer_has_read_the_cancel(
    direction: str | None,
) -> None:
    (finding,) = of_transcript(interrupted(asked_first=False, direction=direction))
    assert (finding.id, finding.level.name) == ("interrupt-ignored", "error")


@pytest.mark.parametrize("direction", [TO_AGENT, None])
def test_an_answer_that_may_have_crossed_the_cancel_is_a_warning(direction: str | None) -> None:
    (finding,) = of_transcript(interrupted(asked_first=True, direction=direction))
    assert (finding.id, finding.level.name) == ("interrupt-ignored", "warning")


def test_a_result_that_is_invalid_anyway_is_not_told_twice() -> None:
    text = interrupted(asked_first=False).replace(json.dumps(END), '{"stopReason": "finished"}')
    assert ids(of_transcript(text)) == ["result-invalid"]
