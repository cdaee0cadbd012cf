"""Text that is not valid JSON, numbers and strings at the edge: each has one declared answer."""

from __future__ import annotations

import json
import math
from types import ModuleType
from typing import Any

import msgspec
import pytest
from msgspec import DecodeError, ValidationError

import generated as acp

from .conftest import MakeTypes

MODES = pytest.mark.parametrize("strict", [True, False], ids=["strict", "lenient"])
BOTH_DOORS = pytest.mark.parametrize("door", ["decode", "from_dict"])
LEVELS = 100_000
DIGITS = 5_000


@pytest.fixture(scope="module")
def types(make_types: MakeTypes) -> ModuleType:
    def holding(node: Any) -> dict[str, Any]:
        return {"type": "object", "properties": {"v": node}, "required": ["v"]}

    nodes: dict[str, Any] = {
        "Whole": {"type": "integer"},
        "Real": {"type": "number"},
        "Text": {"type": "string"},
        "Flag": {"type": "boolean"},
        "Nothing": {"type": "null"},
        "Free": True,
        "Byte": {"type": "integer", "minimum": 0, "maximum": 255},
        "Between": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 10},
        "Huge": {"type": "integer", "minimum": 0, "maximum": 2**64 - 1, "format": "uint64"},
        "Beyond": {"type": "integer", "maximum": 2**70},
        "RealBetween": {"type": "number", "minimum": -0.5, "maximum": 2.5},
        "Even": {"type": "integer", "multipleOf": 2},
        "Short": {"type": "string", "minLength": 1, "maxLength": 3},
        "Coded": {"type": "string", "pattern": "^[a-c]+$"},
        "Pair": {"type": "array", "items": {"type": "integer"}, "minItems": 1, "maxItems": 2},
        "One": {"type": "integer", "enum": [1, 2]},
        "Tree": {"type": "array", "items": {"$ref": "#/$defs/Tree"}},
    }
    aliases = {"Tree": nodes["Tree"]}
    return make_types({**{name: holding(node) for name, node in nodes.items() if name != "Tree"}, **aliases})


def takes(types: ModuleType, name: str, value: Any, door: str, strict: bool) -> bool:
    type_ = getattr(types, name)
    try:
        types.decode(type_, json.dumps({"v": value}), strict) if door == "decode" else types.from_dict(
            type_, {"v": value}, strict
        )
    except ValidationError:
        return False
    return True


# --- no JSON at all --------------------------------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize(
    "text",
    [
        b"",
        b" ",
        b"{",
        b'{"a": 1,}',
        b"{} x",
        b"{}{}",
        b"nul",
        b"'a'",
        b"NaN",
        b"Infinity",
        b"\xef\xbb\xbf{}",
        b'{"a": 01}',
        b'"\t"',
    ],
)
def test_what_is_no_json_is_a_decode_error(text: bytes, strict: bool) -> None:
    with pytest.raises(DecodeError):
        acp.decode(acp.CancelNotification, text, strict=strict)


@MODES
@pytest.mark.parametrize(
    "text", [b'{"sessionId": "\xff"}', b'{"sessionId": "\xc3"}', b'{"\xed\xa0\x80": 1}', b"\xfe\xff"]
)
def test_what_is_not_utf8_is_a_decode_error(text: bytes, strict: bool) -> None:
    with pytest.raises(DecodeError):
        acp.decode(acp.CancelNotification, text, strict=strict)


@MODES
@pytest.mark.parametrize(
    "wrap", [bytes, bytearray, memoryview, bytes.decode], ids=["bytes", "bytearray", "memoryview", "str"]
)
@pytest.mark.parametrize(
    "text", [b'{"sessionId": "\xc3\xa9"}', b'{"sessionId": "\xc3\xa9", "_meta": 5}'], ids=["good", "bad"]
)
def test_text_may_come_as_any_of_four_types(wrap: Any, text: bytes, strict: bool) -> None:
    if strict and b"5" in text:
        with pytest.raises(ValidationError, match=r"`\$\._meta`"):
            acp.decode(acp.CancelNotification, wrap(text), strict=strict)
    else:
        assert acp.decode(acp.CancelNotification, wrap(text), strict=strict).session_id == "é"


# --- strings -----------------------------------------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize(
    ("escaped", "read"),
    [
        (r"\ud83d", "\ufffd"),
        (r"\ude00", "\ufffd"),
        (r"a\uD83Db", "a\ufffdb"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd\U0001f600"),
        (r"\ud83d\n", "\ufffd\n"),
        (r"\ud83d\u0041", "\ufffdA"),
        (r"\\ud83d", r"\ud83d"),
        (r"\\\ud83d", "\\\ufffd"),
        (r"\ud83d\ude00", "\U0001f600"),
    ],
)
def test_half_a_surrogate_pair_is_read_as_the_replacement_character(escaped: str, read: str, strict: bool) -> None:
    assert acp.decode(acp.CancelNotification, f'{{"sessionId": "{escaped}"}}', strict=strict).session_id == read


@pytest.mark.parametrize("instance", [lambda: acp.CancelNotification(session_id="\ud83d"), lambda: {"a": ["\udc00"]}])
def test_half_a_surrogate_pair_cannot_be_encoded(instance: Any) -> None:
    with pytest.raises(ValueError, match="surrogate"):
        acp.encode(instance())


@MODES
@BOTH_DOORS
@pytest.mark.parametrize(
    ("name", "value", "fits"),
    [
        ("Short", "", False),
        ("Short", "abc", True),
        ("Short", "\U0001f600" * 3, True),
        ("Short", "abcd", False),
        ("Coded", "abc", True),
        ("Coded", "abd", False),
        ("Pair", [], False),
        ("Pair", [1, 2], True),
        ("Pair", [1, 2, 3], False),
    ],
)
def test_lengths_and_patterns_are_checked(
    types: ModuleType, name: str, value: Any, fits: bool, door: str, strict: bool
) -> None:
    assert takes(types, name, value, door, strict) == fits


# --- numbers -----------------------------------------------------------------------------------------------------------

INTEGERS = [0, -1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64 - 1]


@MODES
@pytest.mark.parametrize("name", ["Whole", "Real", "Free"])
@pytest.mark.parametrize("number", INTEGERS)
def test_an_integer_of_64_bits_is_exact(types: ModuleType, name: str, number: int, strict: bool) -> None:
    text = f'{{"v":{number}}}'
    decoded = types.decode(getattr(types, name), text, strict=strict)
    assert (type(decoded.v), decoded.v, types.encode(decoded)) == (int, number, text.encode())


@MODES
@pytest.mark.parametrize("name", ["Whole", "Real", "Free"])
@pytest.mark.parametrize("number", [2**64, -(2**63) - 1, 2**100 + 1, 10**40])
def test_a_larger_integer_is_exact_too(types: ModuleType, name: str, number: int, strict: bool) -> None:
    text = f'{{"v":{number}}}'
    decoded = types.decode(getattr(types, name), text, strict=strict)
    assert (type(decoded.v), decoded.v, types.encode(decoded)) == (int, number, text.encode())


@MODES
@BOTH_DOORS
@pytest.mark.parametrize("name", ["Whole", "Real", "Byte", "Between", "Huge", "Beyond", "RealBetween", "Even", "One"])
@pytest.mark.parametrize("flag", [True, False])
def test_a_boolean_is_no_number(types: ModuleType, name: str, flag: bool, door: str, strict: bool) -> None:
    assert not takes(types, name, flag, door, strict)


@MODES
@BOTH_DOORS
@pytest.mark.parametrize("name", ["Flag", "Nothing", "Text"])
@pytest.mark.parametrize("number", [0, 1])
def test_a_number_is_nothing_else(types: ModuleType, name: str, number: int, door: str, strict: bool) -> None:
    assert not takes(types, name, number, door, strict)


@MODES
@BOTH_DOORS
@pytest.mark.parametrize(
    ("name", "low", "high"),
    [("Byte", 0, 255), ("Between", 1, 9), ("Huge", 0, 2**64 - 1), ("RealBetween", -0.5, 2.5), ("One", 1, 2)],
)
def test_bounds_are_exact(types: ModuleType, name: str, low: float, high: float, door: str, strict: bool) -> None:
    step = 1 if isinstance(low, int) else 1e-9
    fits = [takes(types, name, value, door, strict) for value in (low - step, low, high, high + step)]
    assert fits == [False, True, True, False]


@MODES
@BOTH_DOORS
def test_a_bound_beyond_64_bits_is_exact(types: ModuleType, door: str, strict: bool) -> None:
    assert takes(types, "Beyond", 2**70, door, strict)
    assert not takes(types, "Beyond", 2**70 + 1, door, strict)


@MODES
@BOTH_DOORS
def test_multiples_are_checked(types: ModuleType, door: str, strict: bool) -> None:
    assert [takes(types, "Even", value, door, strict) for value in (-2, 0, 3)] == [True, True, False]


@MODES
@pytest.mark.parametrize("name", ["Whole", "Real", "Free", "Text"])
@pytest.mark.parametrize("number", ["1e400", "-1e400", "1" * DIGITS, f"-{'9' * DIGITS}", f"{'9' * DIGITS}.5"])
def test_a_number_too_large_to_hold_is_an_error(types: ModuleType, name: str, number: str, strict: bool) -> None:
    with pytest.raises((DecodeError, ValidationError)) as raised:
        types.decode(getattr(types, name), f'{{"v": {number}}}', strict=strict)
    assert len(str(raised.value)) < 300


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(
    "wrap",
    [
        lambda number: number,
        lambda number: [[], [number]],
        lambda number: {"a": {"b": (1, number)}},
        lambda number: acp.Cost(amount=number, currency="EUR"),
        lambda number: acp.UsageUpdate(used=1, size=2, cost=acp.Cost(amount=number, currency="EUR")),
        lambda number: acp.CancelNotification(session_id="s", meta={"a": [None, number]}),
        lambda number: acp.UnknownVariant("x", {"type": "x", "v": [number]}),
        lambda number: acp.McpError(code=1, message="", extra={"v": number}),
        lambda number: [acp.McpError(code=1, message="", data={"v": [number]})],
    ],
)
def test_a_number_that_is_not_finite_is_refused_by_encode_at_any_depth(wrap: Any, bad: float) -> None:
    with pytest.raises(ValueError, match="NaN"):
        acp.encode(wrap(bad))


def test_null_beside_finite_numbers_is_encoded() -> None:
    assert acp.encode({"a": None, "b": [1.5, "null"]}) == b'{"a":null,"b":[1.5,"null"]}'


# --- depth ---------------------------------------------------------------------------------------------------------------


@MODES
@pytest.mark.parametrize(
    "text",
    [
        "[" * LEVELS + "]" * LEVELS,
        "[" * LEVELS,
        '{"v":' * LEVELS + "1" + "}" * LEVELS,
        '{"v": ' + "[" * LEVELS + "]" * LEVELS + "}",
    ],
    ids=["closed", "open", "objects", "in a property"],
)
@pytest.mark.parametrize("name", ["Tree", "Free", "Whole"])
def test_a_hundred_thousand_levels_are_an_error(types: ModuleType, name: str, text: str, strict: bool) -> None:
    with pytest.raises((DecodeError, ValidationError)):
        types.decode(getattr(types, name), text, strict=strict)


@MODES
def test_a_hundred_thousand_levels_of_python_objects_are_an_error(types: ModuleType, strict: bool) -> None:
    nested: list[Any] = []
    for _ in range(LEVELS):
        nested = [nested]
    with pytest.raises(ValidationError, match="nested too deeply"):
        types.from_dict(types.Tree, nested, strict=strict)


def test_a_value_that_contains_itself_cannot_be_encoded() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(ValueError, match="contains itself"):
        acp.encode(circle)


def test_what_json_does_not_know_cannot_be_encoded() -> None:
    with pytest.raises(NotImplementedError, match="object cannot be written"):
        acp.encode({"a": object()})


def test_msgspec_names_its_errors_as_the_contract_does() -> None:
    assert issubclass(ValidationError, DecodeError)
    assert issubclass(DecodeError, msgspec.MsgspecError)


@pytest.mark.parametrize("strict", [True, False])
@pytest.mark.parametrize(
    "text", [b'{"sessionId": "a\x8d"}', b'{"sessionId": "a\x8d", "update": {"e": x', b'{"sessionId": "\\ud83d\xff"}']
)
def test_bytes_that_are_not_utf_8_are_a_decode_error(text: bytes, strict: bool) -> None:
    with pytest.raises(msgspec.DecodeError):
        acp.decode(acp.SessionNotification, text, strict=strict)
