"""Where things are in a text: what the index answers is what a plain reader finds, and it reads the text once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.document.positions import Lines, TextIndex, index_of, lines_of, pieces

KEYS = st.sampled_from(["", "a", "b~", "c/d", "é", '"', "\\", "0", "[", "a:b"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.sampled_from(['"', "{", "x\n", "é", "1.5e3"]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=20,
)
SPACES = st.sampled_from([None, 0, 1])


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Any]]:
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, child in items:
        yield from paths(child, (*path, step))


@given(JSON, SPACES, st.booleans())
def test_a_path_leads_to_the_bytes_of_its_value(value: Any, indent: int | None, ascii_: bool) -> None:
    text = " \n" + json.dumps(value, indent=indent, ensure_ascii=ascii_)
    data = text.encode()
    index = TextIndex(data)
    for path, child in paths(value):
        start = data[index.offset(path) :].decode()
        assert json.JSONDecoder().raw_decode(start)[0] == child
        assert index.offset(map(str, path)) == index.offset(path)
        if path and isinstance(path[-1], str):
            assert json.JSONDecoder().raw_decode(data[index.offset(path, key=True) :].decode())[0] == path[-1]
        if child and isinstance(child, (dict, list)):
            assert index.path_of(index.offset(path) + 1) == path


@pytest.mark.parametrize(
    ("path", "start"),
    [(("x",), "{"), (("a", "x"), "[1"), (("a", 9), "[1"), (("a", "-1"), "[1"), (("a", -1), "[1"), (("a", 0, "b"), "1")],
)
def test_a_path_that_leads_nowhere_stops_at_what_it_reaches(path: tuple[str | int, ...], start: str) -> None:
    data = b'{"a": [1, 2]}'
    assert data[index_of(data).offset(path) :].startswith(start.encode())


def test_of_equal_keys_the_last_counts_and_the_second_is_found() -> None:
    data = b'{"x": [{"a": 1, "b": "a:", "a" : 2}], "a": {"b": 1, "b": 2, "b": 3}}'
    index = index_of(data)
    assert data[index.offset(("a", "b")) :].startswith(b"3")
    assert data[index.second_key("a") :].startswith(b'"a" : 2')
    assert data[index.second_key("b") :].startswith(b'"b": 2')
    assert index.path_of(index.second_key("a")) == ("x", 0)
    assert index.second_key("x") == 0


def test_half_of_a_surrogate_pair_in_a_key_is_found_as_it_is_read() -> None:
    data = rb'{"\ud83d": 1, "\u0061": 2}'
    assert data[index_of(data).offset(("�",)) :].startswith(b"1")
    assert data[index_of(data).offset(("a",)) :].startswith(b"2")


@given(st.lists(st.sampled_from(["a", "é", "€", "😀", "\n", "\r\n", "long " * 900]), max_size=40).map("".join))
def test_lines_and_columns_are_those_of_the_characters(text: str) -> None:
    data, lines = text.encode(), Lines(text.encode())
    for at in range(0, len(data) + 1, max(1, len(data) // 50)):
        start = data.rfind(b"\n", 0, at) + 1
        column = len(data[start:at].decode(errors="ignore")) + 1
        if at == len(data) or data[at] & 0xC0 != 0x80:
            assert lines.at(at) == (data.count(b"\n", 0, at) + 1, column)


def test_a_column_counts_each_byte_that_is_not_utf8() -> None:
    assert lines_of(b"a\n\x80\x80\xffx").at(5) == (2, 4)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": "}"} [1]\n{}', ['{"a": "}"}', "[1]", "{}"]),
        ("{} 5 {}", ["{}", "5 {}"]),
        ('{} "x"', ["{}", '"x"']),
        ("[1", ["[1"]),
        ("{} ]", ["{}", "]"]),
        ("5", ["5"]),
        ("", []),
    ],
)
def test_the_pieces_of_a_text_are_its_objects_and_arrays_and_the_rest(text: str, found: list[str]) -> None:
    assert [text[slice(*piece)] for piece in pieces(text.encode())] == found
