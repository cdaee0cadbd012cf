"""The catalogue of malformed frames, and of valid frames in unusual forms.

A fault has the error code that JSON-RPC defines for it, and the id that a response may have. A form is a request that
every JSON parser accepts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, Final

from msgspec import Struct

PARSE, INVALID = -32700, -32600


class Fault(Struct, frozen=True):
    """A malformed frame. A response to it must have its `id` or null, and the error `code`; 0 accepts any code."""

    name: str
    what: str
    frame: bytes
    code: int = 0
    id: Any = None


class Form(Struct, frozen=True):
    """A valid request in an unusual form. `write` takes the id and returns the pieces to write one by one."""

    name: str
    what: str
    id: Any
    write: Callable[[Any], tuple[bytes, ...]]


def _f(name: str, what: str, frame: str | bytes, code: int = 0, id_: Any = None) -> Fault:
    return Fault(name, what, frame if isinstance(frame, bytes) else frame.encode(), code, id_)


FAULTS: Final = (
    _f("not-json", "a line that is not JSON", "this is not JSON", PARSE),
    _f("half-frame", "a frame that is cut off", '{"jsonrpc":"2.0","id":"half","method":"session/n', PARSE, "half"),
    _f("not-utf-8", "bytes that are not UTF-8", b'{"jsonrpc":"2.0","method":"_probe/\xff\xfe"}', PARSE),
    _f("nan", "a number that JSON does not have", '{"jsonrpc":"2.0","method":"_probe/x","params":{"n":NaN}}', PARSE),
    _f("scalar", "a frame that is a number", "42", INVALID),
    _f("null", "a frame that is null", "null", INVALID),
    _f("empty-object", "an empty object", "{}", INVALID),
    _f("empty-array", "an empty array", "[]", INVALID),
    _f(
        "batch", "an array of messages", '[{"jsonrpc":"2.0","method":"_probe/x"},{"jsonrpc":"2.0","method":"_probe/y"}]'
    ),
    _f("no-version", 'a request without "jsonrpc"', '{"id":"no-version","method":"_probe/x"}', 0, "no-version"),
    _f(
        "method-number",
        "a method that is a number",
        '{"jsonrpc":"2.0","id":"method-number","method":1}',
        INVALID,
        "method-number",
    ),
    _f(
        "no-method",
        "a request without a method",
        '{"jsonrpc":"2.0","id":"no-method","params":{}}',
        INVALID,
        "no-method",
    ),
    _f(
        "params-text",
        "params that are a text",
        '{"jsonrpc":"2.0","id":"params-text","method":"session/new","params":"x"}',
        0,
        "params-text",
    ),
    _f(
        "params-array",
        "params that are an array",
        '{"jsonrpc":"2.0","id":"params-array","method":"session/new","params":[1]}',
        0,
        "params-array",
    ),
    _f("id-object", "an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"_probe/x"}'),
    _f("id-null", "a request whose id is null", '{"jsonrpc":"2.0","id":null,"method":"_probe/x"}'),
    _f("answer-unasked", "a response that nobody asked for", '{"jsonrpc":"2.0","id":"unasked","result":{}}'),
    _f(
        "error-unasked",
        "an error that nobody asked for",
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"x"}}',
    ),
    _f(
        "answer-both",
        "a response with result and error",
        '{"jsonrpc":"2.0","id":"both","result":{},"error":{"code":1,"message":"x"}}',
    ),
    _f("error-bare", "an error that is a text", '{"jsonrpc":"2.0","id":"bare","error":"x"}'),
    _f("empty-line", "empty lines", b"\n\r\n   "),
    _f("control", "control characters between frames", b"\x00\x1b[2J\x07", PARSE),
    _f(
        "deep",
        "a frame that is nested 5,000 levels deep",
        '{"jsonrpc":"2.0","method":"_probe/x","params":{"a":' + "[" * 5000 + "]" * 5000 + "}}",
    ),
    _f(
        "digits",
        "an integer of 5,000 digits",
        '{"jsonrpc":"2.0","method":"_probe/x","params":{"n":' + "9" * 5000 + "}}",
    ),
    _f("range", "a number beyond a double", '{"jsonrpc":"2.0","method":"_probe/x","params":{"n":1e999}}'),
    _f("half-surrogate", "half of a surrogate pair", '{"jsonrpc":"2.0","method":"_probe/x","params":{"s":"\\ud83d"}}'),
    _f("key-twice", "a key that appears twice", '{"jsonrpc":"2.0","method":"_probe/x","method":"_probe/y"}'),
    _f(
        "prototype",
        "keys that name a prototype",
        '{"jsonrpc":"2.0","method":"_probe/x","params":{"__proto__":{"a":1},"constructor":1}}',
    ),
    _f(
        "method-long",
        "a method name of 10,000 characters",
        json.dumps({"jsonrpc": "2.0", "method": "_" + "x" * 10_000}),
    ),
)
"""Frames that are malformed, or so unusual that a peer may reject them. Each must leave the peer running."""

METHOD: Final = "_probe/form"


def _request(id_: Any, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": id_, "method": METHOD, **more}


def _line(value: Any, **how: Any) -> bytes:
    return json.dumps(value, **how).encode() + b"\n"


def _plain(id_: Any) -> tuple[bytes, ...]:
    return (_line(_request(id_)),)


FORMS: Final = (
    Form("id-text", "with an id that is a text", "probe-é/1", _plain),
    Form("id-empty", "with an id that is an empty text", "", _plain),
    Form("id-digits", "with an id that is a text of digits", "7", _plain),
    Form("id-zero", "with the id 0", 0, _plain),
    Form("id-negative", "with a negative id", -3, _plain),
    Form("id-large", "with the id 2^53 - 1", 2**53 - 1, _plain),
    Form(
        "pieces", "in pieces", "pieces", lambda id_: tuple(_line(_request(id_))[at : at + 7] for at in range(0, 70, 7))
    ),
    Form(
        "two-in-one",
        "together with another in one write",
        "two",
        lambda id_: (_line({"jsonrpc": "2.0", "method": "_probe/x"}) + _line(_request(id_)),),
    ),
    Form("crlf", "with CRLF at the end", "crlf", lambda id_: (_line(_request(id_))[:-1] + b"\r\n",)),
    Form(
        "spaces",
        "with white space between its parts",
        "spaces",
        lambda id_: (_line(_request(id_), separators=(" ,\t", " :  ")),),
    ),
    Form(
        "key-order",
        "with its members in another order",
        "order",
        lambda id_: (_line(dict(reversed(_request(id_, params={}).items()))),),
    ),
    Form(
        "escapes",
        "with escaped characters in its keys",
        "escapes",
        lambda id_: (_line(_request(id_)).replace(b'"method"', b'"m\\u0065thod"'),),
    ),
    Form("no-params", "without params", "no-params", _plain),
    Form(
        "long",
        "with a megabyte of params",
        "long",
        lambda id_: (_line(_request(id_, params={"text": "x" * 1_000_000})),),
    ),
    Form(
        "members",
        "with members that nobody declares",
        "members",
        lambda id_: (_line(_request(id_, extra={"a": [1]}, params={"_meta": {"x": 1}})),),
    ),
)
"""Valid requests of an unknown method in forms that every JSON parser accepts. Each must be answered with its id."""
