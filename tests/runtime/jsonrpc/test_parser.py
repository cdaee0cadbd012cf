"""The sans-IO core: what bytes mean, and that whatever is wrong with them is a value."""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generated._runtime.jsonrpc.encoder import write_error, write_notification, write_request, write_result
from generated._runtime.jsonrpc.parser import (
    LIMIT,
    Fault,
    Message,
    Notification,
    Reader,
    Request,
    Response,
    parse,
    peek,
)
from generated._runtime.jsonrpc.recovery import of_json

NESTED = b'{"jsonrpc":"2.0","method":"m","params":' + b"[" * 100_000 + b"]" * 100_000 + b"}"


def read(*chunks: bytes, limit: int = 1000) -> list[Message]:
    reader = Reader(limit)
    messages = [message for chunk in chunks for _, message in reader.feed(chunk)]
    return messages + [message for _, message in reader.end()]


def methods(messages: list[Message]) -> list[Any]:
    return [getattr(message, "method", None) for message in messages]


def raw(params: Any) -> bytes:
    """Params or a result as their JSON text."""
    return bytes(params)


def frame(**members: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **members}).encode()


@pytest.mark.parametrize("id", [1, -7, 0, 2**63, 10**30, "a", "", None])
def test_a_method_with_an_id_is_a_request(id: Any) -> None:
    message = parse(frame(id=id, method="m", params={"a": 1}))
    assert isinstance(message, Request)
    assert (message.id, message.method, json.loads(raw(message.params))) == (id, "m", {"a": 1})


def test_a_method_without_an_id_is_a_notification() -> None:
    message = parse(frame(method="m"))
    assert isinstance(message, Notification)
    assert message.params is msgspec.UNSET


def test_frames_that_are_not_kept_come_as_empty_bytes_whatever_characters_they_have() -> None:
    reader = Reader(1000, keep=False)
    reader.feed(frame(method="first") + b"\n")
    for name in ("plain", "größer"):
        line = json.dumps({"jsonrpc": "2.0", "method": name}, ensure_ascii=False).encode()
        ((kept, message),) = reader.feed(line + b"\n")
        assert (kept, methods([message])) == (b"", [name])


def test_a_byte_order_mark_may_open_the_stream() -> None:
    assert methods(read(b"\xef\xbb", b"\xbf" + frame(method="m") + b"\n" + frame(method="n"))) == ["m", "n"]


def test_a_byte_order_mark_in_the_stream_is_no_json() -> None:
    first, second = read(frame(method="m") + b"\n\xef\xbb\xbf" + frame(method="n"))
    assert isinstance(first, Notification)
    assert isinstance(second, Fault)


def test_an_id_with_a_result_is_a_response() -> None:
    message = parse(frame(id=1, result={"a": 1}))
    assert isinstance(message, Response)
    assert (bytes(message.result), message.error) == (b'{"a": 1}', None)


def test_an_id_with_an_error_is_a_response_that_failed() -> None:
    message = parse(frame(id=1, error={"code": 5, "message": "no", "data": [1]}))
    assert isinstance(message, Response)
    assert message.error is not None
    assert (message.error.code, message.error.message, message.error.data) == (5, "no", [1])


def test_an_error_of_null_is_none() -> None:
    message = parse(frame(id=1, result=3, error=None))
    assert isinstance(message, Response)
    assert message.error is None


@pytest.mark.parametrize("error", [5, "no", {}, {"code": "x", "message": "y"}, []])
def test_a_malformed_error_is_still_an_error(error: Any) -> None:
    message = parse(frame(id=1, error=error))
    assert isinstance(message, Response)
    assert message.error is not None
    assert message.error.code == -32603


@pytest.mark.parametrize(
    "data",
    [
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"method":"m"}]',
        b"1",
        b"null",
        b'"text"',
        b"{}",
        b'{"jsonrpc":"2.0"}',
        b'{"jsonrpc":"2.0","id":1}',
        b'{"jsonrpc":"1.0","id":1,"method":"m"}',
        b'{"id":1,"method":"m"}',
        b'{"jsonrpc":"2.0","id":true,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1.0,"method":"m"}',
        b'{"jsonrpc":"2.0","id":1e400,"method":"m"}',
        b'{"jsonrpc":"2.0","id":[],"method":"m"}',
        b'{"jsonrpc":"2.0","id":1,"method":1}',
        b'{"jsonrpc":"2.0","id":1' + b"0" * 5000 + b',"method":"m"}',
    ],
)
def test_json_that_is_no_message_is_an_invalid_request(data: bytes) -> None:
    message = parse(data)
    assert isinstance(message, Fault)
    assert message.error.code == -32600


@pytest.mark.parametrize(
    "data",
    [
        b"junk",
        b'{"jsonrpc":"2.0","method":"m"',
        b'{"jsonrpc":"2.0","id":true,"method":"m", junk',
        b'{"jsonrpc":"2.0","method":"m"}\0',
        b'\0{"jsonrpc":"2.0","method":"m"}',
        b'{"jsonrpc":"2.0","method":"m","params":{"a":"\xff"}}',
        b'{"jsonrpc":"2.0","method":"m","params":{"a":NaN}}',
        b'{"jsonrpc":"2.0","method":"m"} {"jsonrpc":"2.0","method":"m"}',
        NESTED,
    ],
)
def test_what_is_no_json_is_a_parse_error(data: bytes) -> None:
    message = parse(data)
    assert isinstance(message, Fault)
    assert message.error.code == -32700


@pytest.mark.parametrize(
    ("data", "quote"),
    [
        (b"Loading \x1b[31mmodel", r"'Loading \x1b[31mmodel'"),
        (b'{"jsonrpc":"2.0"}', '\'{"jsonrpc":"2.0"}\''),
        (b"\xffx", "'\ufffdx'"),
        (b"x" * 500, f"'{'x' * 100}' ..."),
    ],
)
def test_a_fault_quotes_how_its_frame_starts_escaped(data: bytes, quote: str) -> None:
    assert [message.quote for message in read(data + b"\n") if isinstance(message, Fault)] == [quote]


def test_a_fault_among_many_frames_quotes_its_own() -> None:
    lines = [frame(method="a"), b'{"jsonrpc":"2.0"}', frame(method="b")]
    reader = Reader(keep=False)
    reader.feed(b"\n")  # what comes first is looked at line by line
    found = [message for _, message in reader.feed(b"\n".join(lines) + b"\n")]
    assert [message.quote for message in found if isinstance(message, Fault)] == ['\'{"jsonrpc":"2.0"}\'']
    assert methods([message for message in found if not isinstance(message, Fault)]) == ["a", "b"]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        (r"\ud83d", "\ufffd"),
        (r"\ude00 and", "\ufffd and"),
        (r"\uD83D\uDE00", "\U0001f600"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
    ],
)
def test_an_escaped_lone_surrogate_is_read_as_a_replacement_character(text: str, read_as: str) -> None:
    message = parse(b'{"jsonrpc":"2.0","method":"m","params":["%s"]}' % text.encode())
    assert isinstance(message, Notification)
    assert json.loads(raw(message.params)) == [read_as]


def test_lines_end_in_lf_or_crlf_and_blank_ones_are_nothing() -> None:
    assert methods(read(frame(method="a") + b"\r\n\n  \r\n" + frame(method="b") + b"\n")) == ["a", "b"]


def test_the_last_line_may_lack_its_end() -> None:
    assert methods(read(frame(method="a") + b"\n" + frame(method="b"))) == ["a", "b"]


def test_chunks_may_end_anywhere() -> None:
    data = frame(method="a", params="\u00e9") + b"\r\n" + frame(method="b") + b"\n"
    assert methods(read(*(data[at : at + 1] for at in range(len(data))))) == ["a", "b"]


@pytest.mark.parametrize("chunk", [1, 7, 4096])
def test_a_frame_over_the_limit_is_skipped_with_one_fault(chunk: int) -> None:
    data = frame(method="a") + b"\n" + frame(method="x" * 2000) + b"\n" + frame(method="b") + b"\n"
    messages = read(*(data[at : at + chunk] for at in range(0, len(data), chunk)))
    assert methods(messages) == ["a", None, "b"]
    assert isinstance(messages[1], Fault)
    assert messages[1].error.code == -32600
    assert messages[1].error.data == {"reason": messages[1].reason, LIMIT: 1000}


def test_what_is_wrong_with_a_frame_of_ordinary_length_is_the_data_of_its_error() -> None:
    (fault,) = read(b"{}\n")
    assert isinstance(fault, Fault)
    assert fault.error.data == fault.reason
    assert fault.reason


def test_a_frame_of_exactly_the_limit_is_read() -> None:
    data = frame(method="a")
    assert methods(read(data + b"\n", limit=len(data))) == ["a"]
    assert methods(read(data + b"\n", limit=len(data) - 1)) == [None]


def test_a_line_that_never_ends_takes_no_memory() -> None:
    reader = Reader(limit=1000)
    for _ in range(1000):
        assert list(reader.feed(b"x" * 1000)) == []
    assert len(reader._kept) <= 1000


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (write_request(1, "m", b"{}"), {"id": 1, "method": "m", "params": {}}),
        (write_request("a", "m", None), {"id": "a", "method": "m"}),
        (write_notification("m", b"[1,\n2]"), {"method": "m", "params": [1, 2]}),
        (write_result(None, b"null"), {"id": None, "result": None}),
        (write_error(1, -1, 'a "b"'), {"id": 1, "error": {"code": -1, "message": 'a "b"'}}),
        (write_error(1, -1, "m", b"{}"), {"id": 1, "error": {"code": -1, "message": "m", "data": {}}}),
    ],
)
def test_a_written_frame_is_one_line_of_json(written: bytes, expected: Any) -> None:
    assert written.endswith(b"\n")
    assert written.count(b"\n") == 1
    assert json.loads(written) == {"jsonrpc": "2.0", **expected}


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        (b'{"x":{},"key":"a"}', "a"),
        (b'{"key":5}', 5),
        (b'{"key":true}', None),
        (b'{"key":1.0}', None),
        (b'{"key":[[]]}', None),
        (b"{}", None),
        (b"[]", None),
        (msgspec.UNSET, None),
        (None, None),
    ],
)
def test_one_member_can_be_read_without_the_rest(params: Any, expected: Any) -> None:
    assert peek("key")(params) == expected


@given(
    st.one_of(st.integers(), st.text(), st.none()),
    st.text(),
    st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(), st.lists, max_leaves=10),
)
def test_what_is_written_is_read_back(id: Any, method: str, params: Any) -> None:
    data = write_request(id, method, json.dumps(params).encode())
    (message,) = read(data, limit=1_000_000)
    assert isinstance(message, Request)
    assert (message.id, message.method, json.loads(raw(message.params))) == (id, method, params)


LINES = [
    b'{"jsonrpc":"2.0","method":"m","params":{"a":1}}', b'{"jsonrpc":"2.0","id":1,"method":"m"}', b"{}", b"{}{}", b"[]",
    b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","method":"m","params":[', b"{}]}", b"", b" ", b"\r", b"x",
    b'{"jsonrpc":"2.0","method":"\xc3\xa9"}', b'{"jsonrpc":"2.0","method":"m","params":"\xff"}', b'{"a":[{}', b'{"a":1}',
    b'{"jsonrpc":"2.0","method":"m","params":"\\ud800"}',
]  # fmt: skip


def plainly(found: list[tuple[bytes, Message]]) -> list[str]:
    """Messages as texts, raw JSON and errors and all."""
    return [re.sub(r"<msgspec.Raw .*?>", repr(raw_of(message)), f"{message!r}") for _, message in found]


def raw_of(message: Message) -> bytes | None:
    value = getattr(message, "params", getattr(message, "result", None))
    return bytes(value) if isinstance(value, msgspec.Raw) else None


@given(st.lists(st.sampled_from(LINES), max_size=6), st.integers(0, 150))
def test_frames_read_at_once_or_in_two_pieces_are_those_read_one_by_one(lines: list[bytes], cut: int) -> None:
    stream = b"".join(line + b"\n" for line in lines)
    at_once, one_by_one = Reader(keep=False), Reader()
    at_once.feed(b"\n")
    assert plainly(at_once.feed(stream[:cut]) + at_once.feed(stream[cut:])) == plainly(one_by_one.feed(stream))


def test_a_frame_that_came_whole_is_one_message_line_breaks_and_all() -> None:
    reader = Reader(100)
    for _ in range(2):  # the first of a wire may begin with a byte order mark
        ((frame, message),) = reader.whole(b'{\n"jsonrpc":"2.0",\r\n"method":"_a"}')
        assert (frame, type(message)) == (b'{\n"jsonrpc":"2.0",\r\n"method":"_a"}', Notification)
        ((_, fault),) = reader.whole(b'{"jsonrpc":"2.0","method":"' + b"a" * 100 + b'"}')
        assert isinstance(fault, Fault)
        assert fault.reason == "the frame has more than 100 bytes"


def test_a_long_frame_that_comes_in_pieces_is_outlined_by_its_first_bytes_whatever_the_pieces() -> None:
    head = b'{"jsonrpc":"2.0","x":"' + b"a" * 2000 + b'","id":7,"method":"_a","params":"'
    frame = head + b"a" * 20_000 + b'"}\n'
    for size in (50, 1000, 5000, len(frame)):
        reader = Reader(100)
        found = [each for at in range(0, len(frame), size) for each in reader.feed(frame[at : at + size])]
        ((_, fault),) = found
        assert isinstance(fault, Fault)
        assert (fault.outline.id, fault.outline.asks) == (7, True)


def test_an_error_that_is_null_beside_a_result_is_none() -> None:
    outline = of_json(b'{"jsonrpc":"1.0","id":1,"result":{},"error":null}')
    assert outline is not None
    assert (outline.error, bytes(outline.result or b"")) == (msgspec.UNSET, b"{}")
