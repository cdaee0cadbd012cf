"""Which session a message belongs to: pure, from the method table. And the events that carry messages, cut as they come."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from remote_agents import RUNTIME

import generated as acp
from acp_remote.routing import Route, Routes
from acp_remote.sse import EventParser, EventQueue, event


def frame(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


def came(routes: Routes, **members: Any) -> Route:
    route = routes.came(frame(**members))
    assert route is not None
    return route


def sent(routes: Routes, **members: Any) -> Route:
    route = routes.sent(frame(**members))
    assert route is not None
    return route


def test_a_request_belongs_to_the_session_of_its_params_and_so_does_its_answer() -> None:
    routes = Routes(RUNTIME)
    asked = came(routes, id=1, method="session/prompt", params={"sessionId": "s", "prompt": []})
    assert (asked.session, asked.answers, routes.needs_session(asked)) == ("s", False, True)
    answer = sent(routes, id=1, result={"stopReason": "end_turn"})
    assert (answer.session, answer.answers, answer.method) == ("s", True, "session/prompt")
    assert routes.served == {}, "nothing is kept of what is answered"


def test_an_answer_that_opens_a_session_belongs_to_the_connection_and_names_the_session() -> None:
    routes = Routes(RUNTIME)
    came(routes, id="a", method="session/new", params={})
    opened = sent(routes, id="a", result={"sessionId": "s"})
    assert (opened.session, opened.opens, opened.named) == (None, True, "s")
    came(routes, id="b", method="session/load", params={"sessionId": "old"})
    loaded = sent(routes, id="b", result={})
    assert (loaded.session, loaded.named, loaded.about) == (None, "old", "old")
    came(routes, id="c", method="session/fork", params={"sessionId": "old"})
    forked = sent(routes, id="c", result={"sessionId": "new"})
    assert (forked.named, forked.about) == ("new", "old")


def test_giving_up_belongs_to_the_session_of_what_is_given_up() -> None:
    routes = Routes(RUNTIME)
    sent(routes, id=7, method="session/request_permission", params={"sessionId": "s"})
    assert sent(routes, method="$/cancel_request", params={"requestId": 7}).session == "s"
    assert sent(routes, method="$/cancel_request", params={"requestId": 8}).session is None


def test_ids_of_two_types_are_two_requests() -> None:
    routes = Routes(RUNTIME)
    came(routes, id=1, method="session/prompt", params={"sessionId": "number"})
    came(routes, id="1", method="session/prompt", params={"sessionId": "text"})
    assert (sent(routes, id="1", result={}).session, sent(routes, id=1, result={}).session) == ("text", "number")


@pytest.mark.parametrize(
    ("method", "needs"),
    [
        ("session/prompt", True),
        ("session/cancel", True),
        ("session/set_mode", True),
        ("session/load", False),
        ("session/resume", False),
        ("session/close", False),
        ("session/list", False),
        ("_mine", False),
    ],
)
def test_what_has_to_name_its_session_in_a_header_too(method: str, needs: bool) -> None:
    routes = Routes(RUNTIME)
    assert routes.needs_session(came(routes, method=method, params={"sessionId": "s"})) is needs


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b"{}",
        b'{"id":1.5,"method":"a"}',
        b'{"id":[1],"result":1}',
        b'{"method":5}',
        b"\xff",
        b"[" * 99_999,
    ],
)
def test_what_is_no_message_has_no_route(text: bytes) -> None:
    routes = Routes(RUNTIME)
    assert routes.came(text) is None
    assert (routes.asked, routes.served) == ({}, {})


@pytest.mark.parametrize("params", [None, [], "s", {"sessionId": ["s"]}, {"sessionId": 5}])
def test_a_session_is_a_text(params: Any) -> None:
    assert came(Routes(RUNTIME), id=1, method="session/prompt", params=params).session is None


# --- events ------------------------------------------------------------------------------------------------------------

MESSAGES = [frame(id=number, result={"text": "a\u2028b é"}) for number in range(3)]


def test_what_is_written_as_events_is_read_however_it_is_cut() -> None:
    stream = b":\n\n".join(map(event, MESSAGES))
    for size in (1, 2, 3, 7, len(stream)):
        events = EventParser(1000)
        found = [each for at in range(0, len(stream), size) for each in events.feed(stream[at : at + size])]
        assert found == [(b"", message) for message in MESSAGES]


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_lines_end_as_they_like(end: bytes) -> None:
    stream = b"\xef\xbb\xbf" + end.join(
        (b"event: message", b"id: 1", b"data:{", b'data: "a":1}', b"retry: 5", b"", b"data", b"", b": x", b"")
    )
    for size in (1, 5, len(stream)):
        events = EventParser(1000)
        stream += end
        found = [each for at in range(0, len(stream), size) for each in events.feed(stream[at : at + size])]
        assert found[0] == (b"1", b'{\n"a":1}')


def test_line_breaks_between_tokens_do_not_break_an_event() -> None:
    assert EventParser(1000).feed(event(b'{\r\n"a":\n1}')) == [(b"", b'{  "a": 1}')]


@pytest.mark.parametrize("stream", [b"data: " + b"x" * 200, b"data: x\n" * 200])
def test_an_event_without_end_is_refused(stream: bytes) -> None:
    with pytest.raises(ValueError, match="an event has more than 100 bytes"):
        EventParser(100).feed(stream)


# --- what waits --------------------------------------------------------------------------------------------------------


async def test_what_waits_is_taken_in_order_and_at_once() -> None:
    box = EventQueue(lambda: None)
    reader = box.attach()
    for message in MESSAGES:
        box.put(message)
    assert await box.take(reader, 1) == b"".join(map(event, MESSAGES))
    assert box.size == 0
    assert await box.take(reader, 0.01) == b":\n\n"


async def test_a_call_waits_for_what_is_being_sent() -> None:
    box, called = EventQueue(lambda: None), list[str]()
    box.after(lambda: called.append("nobody reads"))
    reader = box.attach()
    box.put(b"1")
    box.after(lambda: called.append("sent"))
    await box.take(reader, 1)
    assert called == ["nobody reads"]
    box.finish()
    assert await box.take(reader, 1) is None
    assert called == ["nobody reads", "sent"]


async def test_a_call_does_not_wait_for_who_is_gone() -> None:
    box, called = EventQueue(lambda: None), list[int]()
    reader = box.attach()
    box.put(b"1")
    box.after(lambda: called.append(1))
    box.detach(reader)
    assert called == [1]


async def test_a_reader_that_was_taken_over_from_gets_nothing() -> None:
    box = EventQueue(lambda: None)
    first = box.attach()
    waiting = asyncio.ensure_future(box.take(first, 5))
    await asyncio.sleep(0)
    second = box.attach()
    also = asyncio.ensure_future(box.take(second, 5))
    assert await waiting is None
    box.put(b"{}")
    assert await also == b"data: {}\n\n"
    box.detach(first)
    assert box.reader is second, "that who was before is gone changes nothing"


def test_the_protocol_says_what_it_is_called_over_http() -> None:
    assert acp.methods.PROTOCOL.remote is not None
    assert acp.methods.PROTOCOL.remote.path == "/acp"
